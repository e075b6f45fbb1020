//! `karat import`

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::scoring::gold_and_systems;
use clap::Args;
use karat::inputs::Inputs;
use karat::work::Work;
use karat_web::workspace::{TakenIn, import, store_address};
use std::io::Write;

/// Load benchmarks and runs into a workspace
///
/// What is read goes into `karat.db` in this folder, which is made if it is not there, or into the database that
/// --data or --database names; `karat serve` shows it. Files are checked as `karat eval` does. The same files
/// can be loaded again: what is there with the same content stays as it is, gold that differs becomes a new
/// edition of its benchmark, and an output that differs a new run.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Import {
    /// A folder with NAME.benchmark.jsonl for gold standards, and SYSTEM.NAME.jsonl for outputs, as
    /// ELEVANT calls its files; folders in it are looked into as well
    #[arg(value_name = "FOLDER", required_unless_present = "gold", conflicts_with_all = ["gold", "systems"])]
    folder: Option<String>,
    /// Gold standards, one benchmark each
    #[arg(long, short, value_name = "[NAME=]INPUT", num_args = 1..)]
    gold: Vec<String>,
    /// Outputs of systems. NAME@BENCHMARK=INPUT is for one benchmark only
    #[arg(long = "system", short, value_name = "[NAME=]INPUT", num_args = 1.., requires = "gold")]
    systems: Vec<String>,
    /// The file of the workspace [default: karat.db in this folder]
    #[arg(long, value_name = "FILE")]
    data: Option<String>,
    /// The workspace is in a PostgreSQL database, as postgres://USER@HOST/NAME
    #[arg(long, value_name = "ADDRESS", conflicts_with = "data")]
    database: Option<String>,
    #[command(flatten)]
    reading: ReadArguments,
}

const EXAMPLES: &str = "Examples:
  karat import -g gold.jsonl -s mine=a.jsonl theirs=b.ttl
      a benchmark with two systems
  karat import results/ --data results.db
      all benchmarks and outputs of a folder";

impl Import {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let inputs = match &self.folder {
            Some(folder) => Inputs::in_folder(folder)?,
            None => vec![gold_and_systems(&self.gold, &self.systems, &self.reading)?],
        };
        let address = store_address(self.data.as_deref(), self.database.as_deref())?;
        let (taken, told) = import(&address, &inputs, &Work::default())?;
        crate::show::notices(&told, false);
        let TakenIn { editions, runs, known } = taken;
        writeln!(std::io::stdout(), "{editions} benchmarks, {runs} runs, {known} known")?;
        Ok(())
    }
}

//! `karat collection`

mod model;
mod sample;
mod size;
mod stats;

use crate::arguments::{FormArgument, ResultForm, terminal_width};
use crate::failure::Failure;
use crate::scoring;
use clap::{Args, Subcommand};
use karat::measures::{Convention, Preset};
use karat::report::Table;
use std::io::Write;

/// Look at a test collection: what is in it, what to add to it, and what its scores are worth
///
/// A score says something about a system and something about the queries that happen to be in the test
/// set. `stats` says what a benchmark is made of. `sample` chooses mentions to annotate from a large
/// corpus, at random among documents or among mentions. `model` says how far precision, recall and F1 can move,
/// and how far they are likely to move, when queries are removed or added. `size` says how many queries are
/// enough: to narrow an interval, and to tell systems apart.
///
/// A query is a gold mention: an entity or NIL, answered with an entity or NIL. Scores are those of
/// Mertens et al. (2014), `--preset mertens-2014` of `karat eval`.
#[derive(Debug, Args)]
pub(crate) struct Collection {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Stats(stats::Stats),
    Sample(sample::Sample),
    Model(model::Model),
    Size(size::Size),
}

impl Collection {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Stats(command) => command.run(),
            Command::Sample(command) => command.run(),
            Command::Model(command) => command.run(),
            Command::Size(command) => command.run(),
        }
    }
}

/// The convention of queries.
fn convention() -> Convention {
    Preset::named("mertens-2014").map(|preset| (preset.convention)()).unwrap_or_default()
}

/// Titled tables that depend on a signature, in the form asked for.
fn print(
    form: FormArgument,
    tables: &[(&str, &'static str, Table)],
    signatures: &[String],
) -> Result<(), Failure> {
    if form == FormArgument::Json {
        let mut object = serde_json::json!({
            "karat": env!("CARGO_PKG_VERSION"),
            "signature": signatures.first().cloned().unwrap_or_default(),
        });
        if signatures.len() > 1 {
            object["signatures"] = signatures.into();
        }
        for (_, key, table) in tables {
            object[*key] = table.json();
        }
        return Ok(writeln!(anstream::stdout(), "{object:#}")?);
    }
    let shown: Vec<(&str, &Table)> = tables
        .iter()
        .filter(|(_, _, table)| !table.is_empty())
        .map(|(title, _, table)| (*title, table))
        .collect();
    scoring::print(ResultForm::from(form), &shown, signatures, terminal_width())
}

/// A share or a number of queries: `5%` or `100`.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Quantity {
    Number(u64),
    Percent(f64),
}

impl std::str::FromStr for Quantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Quantity, String> {
        let text = text.trim();
        let percent = text.strip_suffix('%').map(|percent| percent.trim().parse::<f64>());
        match (percent, text.parse()) {
            (Some(Ok(percent)), _) if (0.0..=100.0).contains(&percent) => {
                Ok(Quantity::Percent(percent))
            }
            (None, Ok(number)) => Ok(Quantity::Number(number)),
            _ => Err("expected a number of queries such as 100, or a share such as 5%".to_owned()),
        }
    }
}

impl Quantity {
    /// How many of so many.
    fn of(self, all: u64) -> u64 {
        match self {
            Quantity::Number(number) => number,
            Quantity::Percent(percent) => (percent / 100.0 * all as f64).round() as u64,
        }
    }
}

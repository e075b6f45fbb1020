//! `karat collection`

mod model;
mod sample;
mod size;
mod stats;

use crate::arguments::{FormArgument, terminal_width};
use crate::failure::Failure;
use crate::printing;
use crate::show::{self, counted};
use clap::{Args, Subcommand};
use karat::collection::tables::json;
use karat::measures::Convention;
use karat::measures::presets::MERTENS_2014;
use karat::model::Corpus;
use karat::report::Table;
use karat::report::plot::Plot;
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
    (MERTENS_2014.convention)()
}

/// Says which documents a system does not speak of, and which the test set does not have.
fn say_who_is_absent(benchmark: &str, gold: &Corpus, name: &str, system: &Corpus) {
    let silent = gold.documents().filter(|document| system.document(document.name()).is_none());
    let silent = silent.count();
    if silent * 10 > gold.len() {
        show::warning(&format!(
            "`{name}` says nothing about {silent} of {}; all queries there count as answered NIL",
            counted(gold.len(), "document"),
        ));
    }
    let unknown: Vec<&str> = (system.documents().map(|document| document.name()))
        .filter(|name| gold.document(name).is_none())
        .collect();
    if let Some(first) = unknown.first() {
        show::warning(&format!(
            "`{name}` has {} that `{benchmark}` does not know, as `{first}`; there are no queries there",
            counted(unknown.len(), "document"),
        ));
    }
}

/// Titled tables, each with its key in JSON, then plots where the form is for a terminal, then
/// signatures.
fn print(
    form: FormArgument,
    tables: &[(&str, &str, Table)],
    plots: &[&dyn Plot],
    signatures: &[String],
) -> Result<(), Failure> {
    let mut out = anstream::stdout();
    if form == FormArgument::Json {
        let keyed: Vec<(&str, &Table)> =
            tables.iter().map(|(_, key, table)| (*key, table)).collect();
        return Ok(writeln!(out, "{:#}", json(&keyed, signatures))?);
    }
    let shown = tables.iter().filter(|(_, _, table)| !table.is_empty());
    let shown: Vec<(&str, &Table)> = shown.map(|(title, _, table)| (*title, table)).collect();
    printing::print_tables(form.into(), &shown, terminal_width())?;
    if form == FormArgument::Table {
        for plot in plots {
            writeln!(out, "\n{}", plot.text(terminal_width().unwrap_or(80)))?;
        }
    }
    printing::print_signatures(form.into(), signatures)
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

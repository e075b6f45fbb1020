//! `karat collection`

mod model;
mod sample;
mod size;
mod stats;

use crate::failure::Failure;
use crate::show::{self, counted};
use clap::{Args, Subcommand};
use karat::collection::tables::json;
use karat::convention::ConventionRequest;
use karat::formats::Outcome;
use karat::kb::Identity;
use karat::measures::presets::MERTENS_2014;
use karat::measures::{Convention, Signature};
use karat::model::Corpus;
use karat::report::{Deferred, Report, ReportSection, Table};
use std::collections::HashSet;

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

/// Titled tables, each with its key in JSON.
fn report<'t>(tables: &'t [(&str, &str, Table)], signature: &Signature) -> Report<'t> {
    let section =
        |(title, _, table): &'t (&str, &str, Table)| ReportSection::unless_empty(*title, table);
    let signatures = vec![signature.to_string()];
    Report {
        sections: tables.iter().map(section).collect(),
        signatures: signatures.clone(),
        record: Some(Deferred::by(move || {
            let keyed = tables.iter().map(|(_, key, table)| (*key, table));
            json(&keyed.collect::<Vec<_>>(), &signatures)
        })),
        ..Report::default()
    }
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

/// Which spellings are one entity, with redirects from a file if there are any.
fn identity(redirects: Option<&str>, convention: &Convention) -> Result<Identity, Failure> {
    let request = ConventionRequest {
        redirects: redirects.map(str::to_owned),
        ..ConventionRequest::default()
    };
    Ok(request.identity(convention, &mut Vec::new())?)
}

/// Names of benchmarks must differ.
fn check_names(read: &[(String, Outcome)]) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    match read.iter().find(|(name, _)| !seen.insert(name)) {
        Some((name, _)) => Err(Failure::usage(
            format!("two benchmarks are called `{name}`"),
            "give each a name of its own: NAME=INPUT",
        )),
        None => Ok(()),
    }
}

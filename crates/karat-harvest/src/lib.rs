//! What people have, made into a knowledge base.
//!
//! An input is recognised by its content, and by its name where the content could be
//! several things: a table with or without a heading, a map of redirects, the folder of
//! facts about ELEVANT's results, a dump of Wikidata or Wikipedia.
//!
//! ```
//! use karat_formats::{Input, Source};
//! use karat_kb::Builder;
//!
//! let table = Source::memory("cities.csv", "id,name,aliases\nQ64,Berlin,Berlin Germany|BER\n");
//! let mut builder = Builder::in_memory();
//! karat_harvest::harvest(&[table.into()], &mut builder, &karat_harvest::Options::default())?;
//! let base = builder.finish()?;
//! assert_eq!(base.candidates("BER").known().map(|all| all.len()), Some(1));
//! # Ok::<(), karat_harvest::HarvestError>(())
//! ```

mod cell;
mod columns;
mod delimited;
mod error;
mod field;
mod json_lines;
mod kind;
mod lines;
mod quoted;
mod redirect_map;
mod row;
mod sql;
mod wikidata;

pub use error::HarvestError;
pub use field::headings;
pub use kind::{Delimiter, InputKind, Shape, recognise};
pub use sql::SqlTable;

use karat_formats::{Input, Kind, Problem, Progress, Source};
use karat_kb::{Builder, Coverage};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How inputs are read.
#[derive(Clone)]
pub struct Options {
    /// The language whose names and titles are taken from dumps, by its code.
    pub language: String,
    /// Other languages, whose titles alone are taken from a dump of Wikidata.
    pub titles: Vec<String>,
    /// Who is told how many bytes were read.
    pub progress: Option<Arc<dyn Progress>>,
}

impl Default for Options {
    fn default() -> Options {
        Options { language: "en".to_owned(), titles: Vec::new(), progress: None }
    }
}

impl Options {
    /// All languages whose titles are taken, that of names first.
    fn languages(&self) -> Vec<&str> {
        let mut all = vec![self.language.as_str()];
        for language in &self.titles {
            if !all.contains(&language.as_str()) {
                all.push(language);
            }
        }
        all
    }

    fn progress(&self) -> Option<&dyn Progress> {
        self.progress.as_deref().map(|progress| progress as _)
    }
}

/// What was made of an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Harvested {
    /// The file.
    pub source: String,
    /// What it was taken for; `None` if it was left out.
    pub kind: Option<InputKind>,
    /// What was taken from it.
    pub taken: Taken,
}

/// What was taken from an input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Taken {
    /// How many records it has.
    pub records: u64,
    /// Columns that say nothing that karat knows, or the same as one before.
    pub ignored: BTreeSet<String>,
}

impl Taken {
    fn new(columns: &field::Columns) -> Taken {
        Taken { records: 0, ignored: columns.ignored().iter().cloned().collect() }
    }

    fn records(records: u64) -> Taken {
        Taken { records, ignored: BTreeSet::new() }
    }
}

/// Reads inputs into a builder, in the order given.
pub fn harvest(
    inputs: &[Input],
    builder: &mut Builder,
    options: &Options,
) -> Result<Vec<Harvested>, HarvestError> {
    builder.dumps_are_in(&options.language);
    let mut harvested = Vec::new();
    for input in inputs {
        for source in input.sources() {
            // A folder may hold more than is needed; a file that was named must be understood.
            let kind = match recognise(source) {
                Ok(kind) => Some(kind),
                Err(problem) if problem.kind == Kind::Format && input.sources().len() > 1 => None,
                Err(problem) => return Err(undamaged(source, problem.into())),
            };
            let taken = match kind {
                Some(kind) => harvest_as(source, kind, builder, options)
                    .map_err(|error| undamaged(source, error))?,
                None => Taken::default(),
            };
            if kind.is_some() {
                builder.source(source.file_name());
            }
            harvested.push(Harvested { source: source.name().to_owned(), kind, taken });
        }
    }
    needs_pages(&harvested)?;
    let has = |shape| harvested.iter().any(|one| one.kind == Some(InputKind::Headless(shape)));
    if has(Shape::Quantities) && has(Shape::DateTimes) {
        builder.covers(Coverage::Kinds);
    }
    Ok(harvested)
}

/// An error of a file, or the damage that is behind it.
fn undamaged(source: &Source, error: HarvestError) -> HarvestError {
    match error {
        HarvestError::Input(problem) => source.behind(*problem).into(),
        HarvestError::Base(_) => error,
    }
}

/// Redirects and items of a dump name pages by number; without titles they say nothing.
fn needs_pages(harvested: &[Harvested]) -> Result<(), HarvestError> {
    let has = |table| harvested.iter().any(|one| one.kind == Some(InputKind::Sql(table)));
    let by_number = |one: &&Harvested| {
        let tables = [SqlTable::Redirect, SqlTable::PageProperties];
        tables.into_iter().any(|table| one.kind == Some(InputKind::Sql(table)))
    };
    match harvested.iter().find(by_number).filter(|_| !has(SqlTable::Page)) {
        None => Ok(()),
        Some(one) => {
            let message = "this dump names pages by number, and no input has their titles";
            Err(Problem::new(Kind::Format, &one.source, message)
                .hint(
                    "give the dump of the table `page` of the same wiki too, as enwiki-page.sql.gz",
                )
                .into())
        }
    }
}

/// Reads one file as what it is said to be.
pub fn harvest_as(
    source: &Source,
    kind: InputKind,
    builder: &mut Builder,
    options: &Options,
) -> Result<Taken, HarvestError> {
    match kind {
        InputKind::Delimited(delimiter) => delimited::harvest(source, delimiter, builder, options),
        InputKind::Headless(shape) => delimited::harvest_headless(source, shape, builder, options),
        InputKind::JsonLines => json_lines::harvest(source, builder, options),
        InputKind::RedirectMap => {
            redirect_map::harvest(source, builder, options).map(Taken::records)
        }
        InputKind::Parquet => columns::harvest(source, builder, options),
        InputKind::Wikidata => wikidata::harvest(source, builder, options).map(Taken::records),
        InputKind::Sql(table) => sql::harvest(source, table, builder, options).map(Taken::records),
    }
}

//! What people have, made into a knowledge base.
//!
//! A file is a table with or without headings, a map of redirects, a dump of Wikidata or
//! Wikipedia: each such kind is a [`KbSource`], which recognises its files by their content (or by
//! their name where the content could be several things) and tells a builder what they say. One file in
//! `sources/` and one line in [`SOURCES`] make a new one.
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
mod error;
mod field;
mod lines;
mod registry;
mod row;
mod source;
mod sources;
mod sql;

pub use error::HarvestError;
pub use field::headings;
pub use lines::{SourceLine, SourceLines};
pub use registry::KbSources;
pub use source::{KbSource, KbSourceInfo};
pub use sources::SOURCES;

use karat_formats::{Input, Progress};
use karat_kb::Builder;
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
            // Once each: a language given twice would read the same titles twice.
            if !all.contains(&language.as_str()) {
                all.push(language);
            }
        }
        all
    }

    /// Who is told how many bytes were read.
    pub fn progress(&self) -> Option<&dyn Progress> {
        self.progress.as_deref().map(|progress| progress as _)
    }
}

/// What was made of an input.
#[derive(Debug, Clone)]
pub struct Harvested {
    /// The file.
    pub source: String,
    /// What it was taken for; `None` if it was left out.
    pub kind: Option<&'static dyn KbSource>,
    /// What was taken from it.
    pub taken: Taken,
}

impl Harvested {
    /// Whether it was taken for a file of the source with this name.
    pub fn is_of(&self, name: &str) -> bool {
        self.kind.is_some_and(|kind| kind.info().name == name)
    }
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

    /// So many records of a file without columns.
    pub fn of(records: u64) -> Taken {
        Taken { records, ignored: BTreeSet::new() }
    }
}

/// Reads inputs into a builder, in the order given, with the sources of this crate.
pub fn harvest(
    inputs: &[Input],
    builder: &mut Builder,
    options: &Options,
) -> Result<Vec<Harvested>, HarvestError> {
    KbSources::default().harvest(inputs, builder, options)
}

//! Readers and writers for the formats of entity linking.
//!
//! Each format is one file in `formats/` and one line in [`FORMATS`]; what several
//! share is in `syntax/` (how files are spelled) and `placing/` (how mentions and
//! texts come together). A format
//! says what it is ([`Info`]), recognises its files by their content, fills a
//! corpus and, where it makes sense, writes one.
//!
//! ```
//! use karat_formats::{Input, ReadOptions, Registry, Source};
//!
//! let registry = Registry::new(karat_formats::FORMATS);
//! let source = Source::memory("berlin.tsv", "d1\t0\t5\tQ64\t0.9\tLOC\n");
//! let outcome = registry.read(&Input::from(source), None, &ReadOptions::default())?;
//! assert_eq!(outcome.formats, ["neleval"]);
//! assert_eq!(outcome.corpus.annotations().len(), 1);
//! # Ok::<(), karat_formats::Problem>(())
//! ```

mod anchor;
mod block;
mod format;
mod formats;
mod input;
mod lent;
pub mod notices;
mod output;
mod placing;
mod problem;
mod reading;
mod registry;
mod repeated;
mod source;
mod syntax;
#[cfg(test)]
mod testing;

pub use anchor::Here;
pub use block::{Cut, at_line_ends, in_blocks};
pub use format::{Adapted, Format, Info, Layout, Offsets, Sample, WriteError};
pub use formats::{FORMATS, elevant_labels};
pub use input::Input;
pub use lent::in_code_points;
pub use notices::UsedOptions;
pub use output::Output;
pub use placing::align::place_surfaces;
pub use placing::text_folder::text_documents;
pub use problem::{About, FilePlace, Findings, Flaw, Kind, Problem};
pub use reading::{Progress, ReadOptions, Reading};
pub use registry::{Detection, ReadOutcome, Registry, read_in_memory};
pub use source::{Source, Text, UnpackBudget, memory};
pub use syntax::nil::NilWords;
pub use syntax::table;

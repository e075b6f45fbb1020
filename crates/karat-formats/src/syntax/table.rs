//! Tables: one annotation per row, columns found by name.
//!
//! CSV, TSV, JSONL, Parquet and Arrow share everything but the way cells are
//! stored. A reader finds its columns with [`Mapping`], hands the cells of each
//! row to [`Rows`] and lets it fill the corpus; a writer asks [`used_fields`]
//! for the columns and [`for_each_row`] for the cells.
//!
//! ```
//! use karat_formats::{FORMATS, Input, ReadOptions, Registry, Source};
//!
//! let source = Source::memory("t.csv", "Document,Begin,Stop,QID\nd1,0,6,Q64\n");
//! let options = ReadOptions {
//!     columns: [("doc", "Document"), ("start", "Begin"), ("end", "Stop"), ("link", "QID")]
//!         .map(|(field, column)| (field.to_owned(), column.to_owned()))
//!         .into(),
//!     ..ReadOptions::default()
//! };
//! let outcome = Registry::new(FORMATS).read(&Input::from(source), None, &options)?;
//! assert_eq!(outcome.formats, ["csv"]);
//! assert_eq!(outcome.corpus.annotations().len(), 1);
//! # Ok::<(), karat_formats::Problem>(())
//! ```

pub(crate) mod delimited;
mod field;
mod headings;
mod json;
mod records;
mod row;
mod value;
mod written;

pub(crate) use field::listed;
pub use field::{Field, Mapping};
pub use headings::Headings;
pub use json::{CandidateCell, number as json_number};
pub use records::{DelimitedRecord, for_each_record, header};
pub use row::{Locate, Rows};
pub(crate) use value::value_of;
pub use value::{RepeatedString, Value};
pub use written::{Written, WrittenCell, for_each_row, used_fields};

use crate::block::{Cut, in_blocks};
use crate::problem::Problem;
use crate::reading::{ReadOptions, Reading};
use crate::source::{Source, Text};
use karat_model::{Features, Repeated, Restriction, attribute};

/// What every table keeps of a corpus: all but marks, evaluation spans and trees of alternatives.
pub const KEEPS: Restriction = Restriction {
    features: Features::TEXT
        .union(Features::EMPTY_DOCUMENTS)
        .union(Features::UNLINKED)
        .union(Features::NIL)
        .union(Features::NIL_CLUSTERS)
        .union(Features::CONFIDENCE)
        .union(Features::CANDIDATES)
        .union(Features::CANDIDATE_SCORES)
        .union(Features::CANDIDATE_TYPES)
        .union(Features::UNRANKED_CANDIDATES)
        .union(Features::EQUIVALENTS)
        .union(Features::TYPE)
        .union(Features::TYPES)
        .union(Features::TAGS)
        .union(Features::OPTIONAL)
        .union(Features::COREFERENCE)
        .union(Features::DESCRIPTIVE)
        .union(Features::SIDES)
        .union(Features::OVERLAPS)
        .union(Features::REPEATS)
        .union(Features::EMPTY_SPANS),
    document_attributes: &[attribute::LANGUAGE, attribute::TOPIC, attribute::TITLE, attribute::URL],
    annotation_attributes: &["*"],
};

/// Separates the items of a list within one cell.
pub(crate) const LIST: char = '|';

/// The NIL a link column states in words: `NIL`, or `NIL` and the digits of a cluster.
pub(crate) fn nil_in_words(link: &str) -> Option<&str> {
    link.strip_prefix("NIL").filter(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads a file of rows block by block. Where rows need the text that an earlier
/// row of their document gave, one block after the other.
pub(crate) fn read_blocks(
    source: &Source,
    cut: Cut,
    in_order: bool,
    reading: &mut Reading<'_>,
    parse: impl Fn(&Text<'_>, &mut Reading<'_>) -> Result<(), Problem> + Sync,
) -> Result<(), Problem> {
    if !in_order {
        return in_blocks(source, cut, Repeated::Merge, reading, parse);
    }
    // One thread: the text of a document stands in its first row only, and rows of later blocks are
    // checked against it.
    let options = ReadOptions { threads: 1, ..reading.options.clone() };
    let mut part = Reading { nil_words: reading.nil_words, ..Reading::new(&options) };
    part.corpus = std::mem::take(&mut reading.corpus);
    part.search = std::mem::take(&mut reading.search);
    let result = in_blocks(source, cut, Repeated::Merge, &mut part, parse);
    reading.corpus = part.corpus;
    reading.search = part.search;
    reading.findings.merge(part.findings, 0);
    result
}

#[cfg(test)]
mod tests;

//! CSV: a table with a header line and commas or semicolons.

use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::Problem;
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::table::{self, delimited};
use karat_model::Corpus;
use std::collections::BTreeMap;

/// The format.
#[derive(Debug)]
pub(crate) struct Csv;

static INFO: Info = Info {
    name: "csv",
    title: "CSV table",
    about: "A header line and one annotation per row, separated by commas (or semicolons), with the columns `doc`, \
            `start`, `end` (exclusive, or `length`; both may stand in one column, as `686-696`) and `link`, and optionally `nil`, `cluster`, `score`, `type`, \
            `surface`, `text` and more; other names are given as `columns`, as in `doc=docid,start=begin`. An empty `link` \
            is a mention without an answer unless `nil` or `cluster` says otherwise; a row without `start` and `end` is \
            a document without annotations. The text of a document stands on its first row or on all its rows.",
    reference: "RFC 4180; docs/formats/tables.md",
    extensions: &["csv"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: table::KEEPS,
};

const DELIMITERS: &[u8] = b",;";

impl Format for Csv {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        delimited::detect(sample, DELIMITERS, &BTreeMap::new())
    }

    fn explains(&self, sample: &Sample<'_>) -> bool {
        delimited::has_heading(sample, ',')
    }

    fn detect_mapped(&self, sample: &Sample<'_>, columns: &BTreeMap<String, String>) -> Option<u8> {
        Some(delimited::detect(sample, DELIMITERS, columns))
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        delimited::read(files, DELIMITERS, INFO.offsets, reading)
    }

    fn files_stand_alone(&self) -> bool {
        true
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        delimited::write(corpus, output, b',')
    }
}

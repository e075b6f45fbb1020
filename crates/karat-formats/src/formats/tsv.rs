//! TSV: a table with a header line and tabs.

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
pub(crate) struct Tsv;

static INFO: Info = Info {
    name: "tsv",
    title: "TSV table",
    about: "A header line and one annotation per row, separated by tabs, with the columns of the CSV table: `doc`, \
            `start`, `end` (exclusive, or `length`), `link` and more, or others named in `columns`. Unlike neleval's \
            TSV it has a header and an exclusive end. Fields with tabs, line breaks or quotes stand in double quotes.",
    reference: "docs/formats/tables.md",
    extensions: &["table.tsv", "tsv"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: table::KEEPS,
};

const DELIMITERS: &[u8] = b"\t";

impl Format for Tsv {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        delimited::detect(sample, DELIMITERS, &BTreeMap::new())
    }

    fn explains(&self, sample: &Sample<'_>) -> bool {
        delimited::has_heading(sample, '\t')
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
        delimited::write(corpus, output, b'\t')
    }
}

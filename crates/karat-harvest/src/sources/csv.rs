//! Comma-separated tables with headings, whose cells may stand in quotes and go over several lines.
//!
//! The reader is that of the tables of mentions in `karat-formats`.

use super::tsv::{HEADINGS_DECIDE, no_headings};
use crate::cell::Cell;
use crate::error::HarvestError;
use crate::field::Columns;
use crate::row::Rows;
use crate::source::{KbSource, KbSourceInfo};
use crate::{Options, Taken};
use karat_formats::table::{DelimitedRecord, for_each_record};
use karat_formats::{Sample, Source};
use karat_kb::Builder;
use std::borrow::Cow;

/// The source.
#[derive(Debug)]
pub(crate) struct Csv;

impl KbSource for Csv {
    fn info(&self) -> &KbSourceInfo {
        &KbSourceInfo {
            name: "csv",
            title: "a CSV table",
            about: "comma-separated columns with headings; cells may stand in quotes, and lists within a cell are \
                    separated by `|`",
            file_name: None,
        }
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if Columns::of_header(sample.text, b',').say_something() { 50 } else { 0 }
    }

    fn read(
        &self,
        source: &Source,
        builder: &mut Builder,
        options: &Options,
    ) -> Result<Taken, HarvestError> {
        let mut rows: Option<Rows> = None;
        let mut taken = Taken::default();
        for_each_record(source, b',', options.progress(), |record| {
            let Some(rows) = &rows else {
                let columns = Columns::of_headings(record.cells());
                let columns = columns.ok_or_else(|| no_headings(source))?;
                taken = Taken::new(&columns);
                rows = Some(Rows::of_dictionary(columns, builder));
                return Ok(());
            };
            take(record, rows, builder)?;
            taken.records += 1;
            Ok::<(), HarvestError>(())
        })?;
        Ok(taken)
    }
}

fn take(
    record: &DelimitedRecord<'_>,
    rows: &Rows,
    builder: &mut Builder,
) -> Result<(), HarvestError> {
    let (found, expected) = (record.width(), rows.columns().len());
    if found != expected {
        let message = format!("expected {expected} columns, found {found}");
        let hint = "cells with commas or line ends must stand in quotes";
        return Err(record.problem(found.min(expected), message).hint(hint).into());
    }
    let locate =
        |column: usize, message: String| record.problem(column, message).hint(HEADINGS_DECIDE);
    let cells: Vec<Cell<'_>> = record.cells().map(|cell| Cell::Text(Cow::Borrowed(cell))).collect();
    rows.take(&cells, &locate, builder)
}

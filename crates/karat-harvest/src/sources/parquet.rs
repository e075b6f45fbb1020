//! Tables in Parquet.

use crate::cell::Cell;
use crate::error::HarvestError;
use crate::field::{Columns, Field, headings};
use crate::row::Rows;
use crate::source::{KbSource, KbSourceInfo};
use crate::{Options, Taken};
use karat_columns::{RowCell, parquet_rows};
use karat_formats::{Kind, Problem, Sample, Source};
use karat_kb::Builder;
use std::cell::{Cell as Shared, RefCell};

/// The source.
#[derive(Debug)]
pub(crate) struct Parquet;

impl KbSource for Parquet {
    fn info(&self) -> &KbSourceInfo {
        &KbSourceInfo {
            name: "parquet",
            title: "a Parquet table",
            about: "columns of texts, numbers or lists of them, by the names that other tables have as headings",
            file_name: None,
        }
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if sample.bytes.starts_with(b"PAR1") { 100 } else { 0 }
    }

    fn read(
        &self,
        source: &Source,
        builder: &mut Builder,
        options: &Options,
    ) -> Result<Taken, HarvestError> {
        // `choose` and the closure for rows both need these, and the reader holds them at the same
        // time.
        let columns: RefCell<Option<Columns>> = RefCell::default();
        let taken: RefCell<Taken> = RefCell::default();
        // The reader knows problems only; what the builder fails with waits here.
        let failure: Shared<Option<HarvestError>> = Shared::default();
        let choose = |names: &[&str]| {
            let (found, used) = chosen(source, names)?;
            *taken.borrow_mut() = Taken::new(&found);
            *columns.borrow_mut() = Some(Columns::found(used.iter().map(|&at| names[at])));
            Ok(used)
        };
        let mut rows: Option<Rows> = None;
        let read = parquet_rows(source, options.progress(), choose, |number, cells| {
            if let Some(columns) = columns.take() {
                rows = Some(Rows::of_dictionary(columns, builder));
            }
            let Some(rows) = &rows else { return Ok(()) };
            let cells: Vec<Cell<'_>> = cells.iter().map(cell).collect();
            let locate = |column: usize, message: String| {
                let heading = rows.columns().fields().nth(column).map_or("?", Field::heading);
                let place = format!("row {number}, column `{heading}`");
                Problem::new(Kind::Malformed, source.name(), format!("{place}: {message}"))
            };
            taken.borrow_mut().records = number;
            rows.take(&cells, &locate, builder).map_err(|error| match error {
                HarvestError::Input(problem) => *problem,
                error => {
                    failure.set(Some(error));
                    Problem::new(Kind::Unreadable, source.name(), "the reading was given up")
                }
            })
        });
        match (failure.take(), read) {
            (Some(failure), _) => Err(failure),
            (None, Err(problem)) => Err(problem.into()),
            (None, Ok(())) => Ok(taken.take()),
        }
    }
}

/// What the columns say, and the places of those that say something.
fn chosen(source: &Source, names: &[&str]) -> Result<(Columns, Vec<usize>), Problem> {
    let Some(found) = Columns::of_headings(names.iter().copied()) else {
        let message = "no column says anything about entities";
        let hint = format!("columns are found by their names: {}", headings().join(", "));
        return Err(Problem::new(Kind::Format, source.name(), message).hint(hint));
    };
    let used = (0..names.len()).filter(|&at| found.is_used(at)).collect();
    Ok((found, used))
}

fn cell<'a>(cell: &'a RowCell<'_>) -> Cell<'a> {
    let text = |text: &'a std::borrow::Cow<'_, str>| std::borrow::Cow::Borrowed(text.as_ref());
    match cell {
        RowCell::Empty => Cell::Empty,
        RowCell::Text(found) => Cell::Text(text(found)),
        RowCell::List(items) => Cell::List(items.iter().map(text).collect()),
    }
}

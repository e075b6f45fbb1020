//! Tables in Parquet.

use crate::Options;
use crate::cell::Cell;
use crate::error::HarvestError;
use crate::field::Columns;
use crate::row::Rows;
use karat_columns::{RowCell, parquet_rows};
use karat_formats::{Kind, Problem, Source};
use karat_kb::Builder;
use std::cell::{Cell as Shared, RefCell};

pub(crate) fn harvest(
    source: &Source,
    builder: &mut Builder,
    options: &Options,
) -> Result<u64, HarvestError> {
    let columns: RefCell<Option<Columns>> = RefCell::default();
    // The reader knows problems only; what the builder fails with waits here.
    let failure: Shared<Option<HarvestError>> = Shared::default();
    let records = Shared::new(0);
    let choose = |names: &[&str]| {
        let Some(found) = Columns::of_headings(names.iter().copied()) else {
            let message = "no column says anything about entities";
            return Err(Problem::new(Kind::Format, source.name(), message)
                .hint("columns are found by their names: id, name, aliases, description, types, popularity"));
        };
        let used: Vec<usize> = (0..names.len()).filter(|&at| found.is_used(at)).collect();
        let chosen = Columns::of_headings(used.iter().map(|&at| names[at]));
        *columns.borrow_mut() = chosen;
        Ok(used)
    };
    let read = parquet_rows(source, options.progress(), choose, |number, cells| {
        let columns = columns.borrow();
        let Some(columns) = columns.as_ref() else { return Ok(()) };
        let cells: Vec<Cell<'_>> = cells.iter().map(cell).collect();
        let locate = |_: usize, message: String| {
            Problem::new(Kind::Malformed, source.name(), format!("row {number}: {message}"))
        };
        records.set(number);
        let taken = Rows::of_dictionary(columns, builder).take(&cells, &locate, builder);
        taken.map_err(|error| match error {
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
        (None, Ok(())) => Ok(records.get()),
    }
}

fn cell<'a>(cell: &'a RowCell<'_>) -> Cell<'a> {
    let text = |text: &'a std::borrow::Cow<'_, str>| std::borrow::Cow::Borrowed(text.as_ref());
    match cell {
        RowCell::Empty => Cell::Empty,
        RowCell::Text(found) => Cell::Text(text(found)),
        RowCell::List(items) => Cell::List(items.iter().map(text).collect()),
    }
}

//! Tables in Parquet.

use crate::cell::Cell;
use crate::error::HarvestError;
use crate::field::{Columns, Field, headings};
use crate::row::Rows;
use crate::{Options, Taken};
use karat_columns::{RowCell, parquet_rows};
use karat_formats::{Kind, Problem, Source};
use karat_kb::Builder;
use std::cell::{Cell as Shared, RefCell};

pub(crate) fn harvest(
    source: &Source,
    builder: &mut Builder,
    options: &Options,
) -> Result<Taken, HarvestError> {
    let columns: RefCell<Option<Columns>> = RefCell::default();
    // The reader knows problems only; what the builder fails with waits here.
    let failure: Shared<Option<HarvestError>> = Shared::default();
    let taken: RefCell<Taken> = RefCell::default();
    let choose = |names: &[&str]| {
        let Some(found) = Columns::of_headings(names.iter().copied()) else {
            let message = "no column says anything about entities";
            let hint = format!("columns are found by their names: {}", headings().join(", "));
            return Err(Problem::new(Kind::Format, source.name(), message).hint(hint));
        };
        let used: Vec<usize> = (0..names.len()).filter(|&at| found.is_used(at)).collect();
        let chosen = Columns::of_headings(used.iter().map(|&at| names[at]));
        *columns.borrow_mut() = chosen;
        *taken.borrow_mut() = Taken::new(&found);
        Ok(used)
    };
    let read = parquet_rows(source, options.progress(), choose, |number, cells| {
        let columns = columns.borrow();
        let Some(columns) = columns.as_ref() else { return Ok(()) };
        let cells: Vec<Cell<'_>> = cells.iter().map(cell).collect();
        let locate = |column: usize, message: String| {
            let heading = columns.fields().nth(column).map_or("?", Field::heading);
            let place = format!("row {number}, column `{heading}`");
            Problem::new(Kind::Malformed, source.name(), format!("{place}: {message}"))
        };
        taken.borrow_mut().records = number;
        let told = Rows::of_dictionary(columns, builder).take(&cells, &locate, builder);
        told.map_err(|error| match error {
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

fn cell<'a>(cell: &'a RowCell<'_>) -> Cell<'a> {
    let text = |text: &'a std::borrow::Cow<'_, str>| std::borrow::Cow::Borrowed(text.as_ref());
    match cell {
        RowCell::Empty => Cell::Empty,
        RowCell::Text(found) => Cell::Text(text(found)),
        RowCell::List(items) => Cell::List(items.iter().map(text).collect()),
    }
}

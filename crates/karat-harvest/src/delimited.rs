//! Tables in text: tab- or comma-separated, with headings or known by name.

use crate::cell::Cell;
use crate::error::HarvestError;
use crate::field::Columns;
use crate::kind::{Delimiter, Shape};
use crate::lines::{Lines, problem};
use crate::quoted::Records;
use crate::row::Rows;
use crate::{Options, Taken};
use karat_formats::{Kind, Problem, Source, Text};
use karat_kb::Builder;
use std::borrow::Cow;

/// A table with headings.
pub(crate) fn harvest(
    source: &Source,
    delimiter: Delimiter,
    builder: &mut Builder,
    options: &Options,
) -> Result<Taken, HarvestError> {
    match delimiter {
        Delimiter::Tab => tabs(source, None, builder, options),
        Delimiter::Comma => commas(source, builder, options),
    }
}

/// A table whose name says what its columns are.
pub(crate) fn harvest_headless(
    source: &Source,
    shape: Shape,
    builder: &mut Builder,
    options: &Options,
) -> Result<Taken, HarvestError> {
    tabs(source, Some(shape), builder, options)
}

fn tabs(
    source: &Source,
    shape: Option<Shape>,
    builder: &mut Builder,
    options: &Options,
) -> Result<Taken, HarvestError> {
    let mut lines = Lines::open(source, options.progress())?;
    let columns = match shape {
        Some(shape) => Columns::in_order(shape.fields()),
        None => {
            let Some(first) = lines.next()? else { return Ok(Taken::default()) };
            let columns = Columns::of_headings(first.as_str().split('\t'));
            columns.ok_or_else(|| no_headings(source))?
        }
    };
    let rows = match shape.is_none_or(Shape::is_dictionary) {
        true => Rows::of_dictionary(&columns, builder),
        false => Rows::of_facts(&columns),
    };
    let mut taken = Taken::new(&columns);
    while let Some(line) = lines.next()? {
        if line.as_str().is_empty() {
            continue;
        }
        let cells: Vec<&str> = line.as_str().split('\t').collect();
        if let Some(extra) = cells.get(columns.len()) {
            return Err(too_many(&line, extra, cells.len(), columns.len()).into());
        }
        let locate = |column: usize, message: String| {
            let part = cells.get(column).copied();
            let at = part.map_or(line.as_str().len(), |part| line.offset_of(part));
            problem(&line, at, part.map_or(0, str::len), message).hint(hint(shape))
        };
        let cells: Vec<Cell<'_>> =
            cells.iter().map(|cell| Cell::Text(Cow::Borrowed(cell))).collect();
        rows.take(&cells, &locate, builder)?;
        taken.records += 1;
    }
    Ok(taken)
}

fn commas(
    source: &Source,
    builder: &mut Builder,
    options: &Options,
) -> Result<Taken, HarvestError> {
    let mut records = Records::open(source, options.progress())?;
    let Some(first) = records.next()? else { return Ok(Taken::default()) };
    let columns = Columns::of_headings(first.cells()).ok_or_else(|| no_headings(source))?;
    let rows = Rows::of_dictionary(&columns, builder);
    let mut taken = Taken::new(&columns);
    while let Some(record) = records.next()? {
        let (found, expected) = (record.cells().len(), columns.len());
        if found != expected {
            let message = format!("expected {expected} columns, found {found}");
            return Err(record
                .problem(source.name(), found.min(expected), message)
                .hint("cells with commas or line ends must stand in quotes")
                .into());
        }
        let locate = |column: usize, message: String| {
            record.problem(source.name(), column, message).hint(hint(None))
        };
        let cells: Vec<Cell<'_>> =
            record.cells().map(|cell| Cell::Text(Cow::Borrowed(cell))).collect();
        rows.take(&cells, &locate, builder)?;
        taken.records += 1;
    }
    Ok(taken)
}

/// What to do about a cell that is not what its column should hold.
fn hint(shape: Option<Shape>) -> String {
    let Some(shape) = shape else {
        return "columns are found by their headings; those that mean something else need another heading"
            .to_owned();
    };
    format!(
        "`{}` without headings was taken for {}; give it headings, or another name, if it is something else",
        shape.stem(),
        shape.name()
    )
}

fn too_many(line: &Text<'_>, extra: &str, found: usize, expected: usize) -> Problem {
    let message = format!("expected at most {expected} columns, found {found}");
    problem(line, line.offset_of(extra), extra.len(), message)
        .hint("a tab within a cell must be written as a blank")
}

fn no_headings(source: &Source) -> Problem {
    Problem::new(Kind::Format, source.name(), "the first line has no headings that karat knows")
        .hint(hint(None))
}

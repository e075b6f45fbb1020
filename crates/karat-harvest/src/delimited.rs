//! Tables in text: tab- or comma-separated, with headings or known by name.

use crate::Options;
use crate::cell::Cell;
use crate::error::HarvestError;
use crate::field::Columns;
use crate::kind::{Delimiter, Shape};
use crate::lines::{Lines, problem};
use crate::row::Rows;
use karat_formats::{Kind, Problem, Source, Text};
use karat_kb::Builder;
use std::borrow::Cow;

/// A table with headings.
pub(crate) fn harvest(
    source: &Source,
    delimiter: Delimiter,
    builder: &mut Builder,
    options: &Options,
) -> Result<u64, HarvestError> {
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
) -> Result<u64, HarvestError> {
    tabs(source, Some(shape), builder, options)
}

fn tabs(
    source: &Source,
    shape: Option<Shape>,
    builder: &mut Builder,
    options: &Options,
) -> Result<u64, HarvestError> {
    let mut lines = Lines::open(source, options.progress())?;
    let columns = match shape {
        Some(shape) => Columns::in_order(shape.fields()),
        None => {
            let Some(first) = lines.next()? else { return Ok(0) };
            let columns = Columns::of_headings(first.as_str().split('\t'));
            columns.ok_or_else(|| no_headings(source))?
        }
    };
    let rows = match shape.is_none_or(Shape::is_dictionary) {
        true => Rows::of_dictionary(&columns, builder),
        false => Rows::of_facts(&columns),
    };
    let mut records = 0;
    while let Some(line) = lines.next()? {
        if line.as_str().is_empty() {
            continue;
        }
        let cells: Vec<&str> = line.as_str().split('\t').collect();
        if cells.len() > columns.len() {
            let extra = cells[columns.len()];
            return Err(wrong_number(&line, extra, cells.len(), columns.len()).into());
        }
        let locate = |column: usize, message: String| {
            let part = cells.get(column).copied().unwrap_or_default();
            problem(&line, line.offset_of(part), part.len(), message).hint(HINT)
        };
        let cells: Vec<Cell<'_>> =
            cells.iter().map(|cell| Cell::Text(Cow::Borrowed(cell))).collect();
        rows.take(&cells, &locate, builder)?;
        records += 1;
    }
    Ok(records)
}

const HINT: &str =
    "columns are found by their headings; those that mean something else need another heading";

fn wrong_number(line: &Text<'_>, extra: &str, found: usize, expected: usize) -> Problem {
    let message = format!("expected at most {expected} columns, found {found}");
    problem(line, line.offset_of(extra), extra.len(), message)
        .hint("a tab within a cell must be written as a blank")
}

fn no_headings(source: &Source) -> Problem {
    Problem::new(Kind::Format, source.name(), "the first line has no headings that karat knows")
        .hint(HINT)
}

fn commas(source: &Source, builder: &mut Builder, options: &Options) -> Result<u64, HarvestError> {
    let stream = source.open(options.progress())?;
    let mut reader = csv::ReaderBuilder::new().from_reader(stream);
    let bad = |error: &csv::Error| csv_problem(source, error);
    let headings = reader.headers().map_err(|error| bad(&error))?.clone();
    let columns = Columns::of_headings(headings.iter()).ok_or_else(|| no_headings(source))?;
    let rows = Rows::of_dictionary(&columns, builder);
    let mut record = csv::StringRecord::new();
    let mut records = 0;
    while reader.read_record(&mut record).map_err(|error| bad(&error))? {
        let number = record.position().map_or(0, csv::Position::line);
        let locate = |column: usize, message: String| {
            let cell = record.get(column).unwrap_or_default();
            // The cell is all that is at hand of its line.
            let text = Text::new(source.name(), cell).below(number.saturating_sub(1));
            problem(&text, 0, cell.len(), message).hint(HINT)
        };
        let cells: Vec<Cell<'_>> =
            record.iter().map(|cell| Cell::Text(Cow::Borrowed(cell))).collect();
        rows.take(&cells, &locate, builder)?;
        records += 1;
    }
    Ok(records)
}

fn csv_problem(source: &Source, error: &csv::Error) -> Problem {
    let line = error.position().map_or(0, csv::Position::line);
    let message = match error.kind() {
        csv::ErrorKind::Io(error) => return source.unreadable(error),
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("line {line}: expected {expected_len} columns, found {len}")
        }
        csv::ErrorKind::Utf8 { .. } => format!("line {line}: expected UTF-8"),
        _ => format!("line {line}: {error}"),
    };
    Problem::new(Kind::Malformed, source.name(), message)
        .hint("cells with commas or line ends must stand in quotes")
}

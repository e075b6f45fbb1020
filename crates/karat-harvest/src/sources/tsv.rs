//! Tab-separated tables with headings. Quotes are letters like others: dictionaries of names are full
//! of them.

use crate::cell::Cell;
use crate::error::HarvestError;
use crate::field::Columns;
use crate::lines::{SourceLine, SourceLines};
use crate::row::Rows;
use crate::source::{KbSource, KbSourceInfo};
use crate::{Options, Taken};
use karat_formats::{Kind, Problem, Sample, Source};
use karat_kb::Builder;
use std::borrow::Cow;

/// The source.
#[derive(Debug)]
pub(crate) struct Tsv;

impl KbSource for Tsv {
    fn info(&self) -> &KbSourceInfo {
        &KbSourceInfo {
            name: "tsv",
            title: "a TSV table",
            about: "tab-separated columns with headings; quotes are letters like others, and lists within a cell \
                    are separated by `|`",
            file_name: None,
        }
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let first = sample.text.lines().next().unwrap_or_default();
        // Surer than CSV: headings between tabs are hardly ever there by chance.
        if Columns::found(first.split('\t').map(unquoted)).say_something() { 60 } else { 0 }
    }

    fn read(
        &self,
        source: &Source,
        builder: &mut Builder,
        options: &Options,
    ) -> Result<Taken, HarvestError> {
        let mut lines = SourceLines::open(source, options.progress())?;
        let Some(first) = lines.next()? else { return Ok(Taken::default()) };
        let columns = Columns::of_headings(first.as_str().split('\t'));
        let columns = columns.ok_or_else(|| no_headings(source))?;
        let rows = Rows::of_dictionary(columns, builder);
        read_rows(lines, &rows, HEADINGS_DECIDE, builder)
    }
}

/// A heading that somebody quoted, though nothing else in the table is.
fn unquoted(heading: &str) -> &str {
    heading.trim().trim_matches('"')
}

/// What to do about a cell that is not what its column should hold.
pub(super) const HEADINGS_DECIDE: &str =
    "columns are found by their headings; those that mean something else need another heading";

pub(super) fn no_headings(source: &Source) -> Problem {
    Problem::new(Kind::Format, source.name(), "the first line has no headings that karat knows")
        .hint(HEADINGS_DECIDE)
}

/// Reads what is left of tab-separated lines. `hint` says what to do about a bad cell.
///
/// Lines are split here and not by the CSV reader of `karat-formats`: without quotes there is nothing
/// to take apart.
pub(super) fn read_rows(
    mut lines: SourceLines<'_>,
    rows: &Rows,
    hint: &str,
    builder: &mut Builder,
) -> Result<Taken, HarvestError> {
    let columns = rows.columns();
    let mut taken = Taken::new(columns);
    while let Some(line) = lines.next()? {
        if line.as_str().is_empty() {
            continue;
        }
        let parts: Vec<&str> = line.as_str().split('\t').collect();
        // Fewer cells than columns are fine (empty ones at the end are often cut off), more are
        // not.
        if let Some(extra) = parts.get(columns.len()) {
            return Err(too_many(&line, extra, parts.len(), columns.len()).into());
        }
        let locate = |column: usize, message: String| {
            let part = parts.get(column).copied();
            let at = part.map_or(line.as_str().len(), |part| line.offset_of(part));
            line.problem(at, part.map_or(0, str::len), message).hint(hint.to_owned())
        };
        let cells: Vec<Cell<'_>> =
            parts.iter().map(|&part| Cell::Text(Cow::Borrowed(part))).collect();
        rows.take(&cells, &locate, builder)?;
        taken.records += 1;
    }
    Ok(taken)
}

fn too_many(line: &SourceLine<'_>, extra: &str, found: usize, expected: usize) -> Problem {
    let message = format!("expected at most {expected} columns, found {found}");
    line.problem(line.offset_of(extra), extra.len(), message)
        .hint("a tab within a cell must be written as a blank")
}

//! One JSON object per line, whose keys are columns.

use crate::Options;
use crate::cell::Cell;
use crate::error::HarvestError;
use crate::field::Columns;
use crate::lines::{self, Lines};
use crate::row::Rows;
use karat_formats::{Problem, Source, Text};
use karat_kb::Builder;
use serde_json::{Map, Value};

pub(crate) fn harvest(
    source: &Source,
    builder: &mut Builder,
    options: &Options,
) -> Result<u64, HarvestError> {
    let mut lines = Lines::open(source, options.progress())?;
    let mut records = 0;
    // Objects may leave out what they do not know, so each has columns of its own; most have
    // those of the one before.
    let mut known: Option<(Vec<String>, Columns)> = None;
    while let Some(line) = lines.next()? {
        if line.as_str().trim().is_empty() {
            continue;
        }
        let object = object(&line)?;
        let is_same = |(keys, _): &(Vec<String>, Columns)| keys.iter().eq(object.keys());
        if !known.as_ref().is_some_and(is_same) {
            let keys: Vec<String> = object.keys().cloned().collect();
            let columns = Columns::of_headings(keys.iter().map(String::as_str));
            known = Some((keys, columns.ok_or_else(|| nothing_known(&line))?));
        }
        let Some((_, columns)) = &known else { continue };
        let mut cells = Vec::with_capacity(object.len());
        for (at, (key, value)) in object.into_iter().enumerate() {
            let cell = if columns.is_used(at) { Cell::from_json(value) } else { Some(Cell::Empty) };
            cells.push(cell.ok_or_else(|| {
                let message = format!("expected a text, a number or a list of them in `{key}`");
                problem(&line, 0, message)
            })?);
        }
        let locate = |_: usize, message: String| problem(&line, 0, message);
        Rows::of_dictionary(columns, builder).take(&cells, &locate, builder)?;
        records += 1;
    }
    Ok(records)
}

fn object(line: &Text<'_>) -> Result<Map<String, Value>, Problem> {
    serde_json::from_str(line.as_str()).map_err(|error| {
        let at = error.column().saturating_sub(1);
        problem(line, at, format!("expected a JSON object: {}", reason(&error)))
    })
}

/// What the parser says, without the place that is shown anyway.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

fn problem(line: &Text<'_>, at: usize, message: String) -> Problem {
    lines::problem(line, at, 1, message).hint(
        "a table has one object per line, for instance {\"id\": \"Q64\", \"name\": \"Berlin\"}",
    )
}

fn nothing_known(line: &Text<'_>) -> Problem {
    problem(line, 0, "no key of this object says anything about entities".to_owned())
}

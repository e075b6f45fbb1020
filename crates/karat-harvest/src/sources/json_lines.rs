//! One JSON object per line, whose keys are columns.

use crate::cell::Cell;
use crate::error::HarvestError;
use crate::field::Columns;
use crate::lines::{SourceLine, SourceLines};
use crate::row::Rows;
use crate::source::{KbSource, KbSourceInfo};
use crate::{Options, Taken};
use karat_formats::{Problem, Sample, Source};
use karat_kb::Builder;
use serde_json::{Map, Value};

/// So many keys that say nothing are named.
const MOST_IGNORED: usize = 20;

/// The source.
#[derive(Debug)]
pub(crate) struct JsonLines;

impl KbSource for JsonLines {
    fn info(&self) -> &KbSourceInfo {
        &KbSourceInfo {
            name: "jsonl",
            title: "a JSONL table",
            about: "an object on each line, whose keys are the headings and whose values are texts, numbers or lists \
                    of them",
            file_name: None,
        }
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        // Less than a dump of Wikidata, whose lines are JSON objects too.
        if sample.text.trim_start().starts_with('{') { 80 } else { 0 }
    }

    fn read(
        &self,
        source: &Source,
        builder: &mut Builder,
        options: &Options,
    ) -> Result<Taken, HarvestError> {
        let mut lines = SourceLines::open(source, options.progress())?;
        let mut taken = Taken::default();
        // Objects may leave out what they do not know, so each has columns of its own; most have
        // those of the one before.
        let mut known: Option<(Vec<String>, Rows)> = None;
        while let Some(line) = lines.next()? {
            if line.as_str().trim().is_empty() {
                continue;
            }
            let object = object(&line)?;
            let is_same = |(keys, _): &(Vec<String>, Rows)| keys.iter().eq(object.keys());
            if !known.as_ref().is_some_and(is_same) {
                let keys: Vec<String> = object.keys().cloned().collect();
                let columns = Columns::of_headings(keys.iter().map(String::as_str));
                let columns = columns.ok_or_else(|| nothing_known(&line))?;
                // Objects may have keys without end; some are enough to say so.
                let room = MOST_IGNORED.saturating_sub(taken.ignored.len());
                taken.ignored.extend(columns.ignored().iter().take(room).cloned());
                known = Some((keys, Rows::of_dictionary(columns, builder)));
            }
            let Some((keys, rows)) = &known else { continue };
            let cells = cells(&line, object, rows.columns())?;
            let locate = |column: usize, message: String| {
                let at = keys.get(column).map_or(0, |key| place_of(&line, key));
                problem(&line, at, message)
            };
            rows.take(&cells, &locate, builder)?;
            taken.records += 1;
        }
        Ok(taken)
    }
}

/// The values of an object, those of keys that are not used left empty.
fn cells<'c>(
    line: &SourceLine<'_>,
    object: Map<String, Value>,
    columns: &Columns,
) -> Result<Vec<Cell<'c>>, Problem> {
    let cell = |(at, (key, value)): (usize, (String, Value))| {
        let cell = if columns.is_used(at) { Cell::from_json(value) } else { Some(Cell::Empty) };
        cell.ok_or_else(|| {
            let message = format!("expected a text, a number or a list of them in `{key}`");
            problem(line, place_of(line, &key), message)
        })
    };
    object.into_iter().enumerate().map(cell).collect()
}

fn object(line: &SourceLine<'_>) -> Result<Map<String, Value>, Problem> {
    serde_json::from_str(line.as_str()).map_err(|error| {
        let at = error.column().saturating_sub(1);
        problem(line, at, format!("expected a JSON object: {}", reason(&error)))
    })
}

/// Where the first key with this name stands, if it is spelled as it is.
fn place_of(line: &SourceLine<'_>, key: &str) -> usize {
    line.as_str().find(&format!("\"{key}\"")).unwrap_or(0)
}

/// What the parser says, without the place that is shown anyway.
pub(crate) fn reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

fn problem(line: &SourceLine<'_>, at: usize, message: String) -> Problem {
    line.problem(at, 1, message).hint(
        "a table has one object per line, for instance {\"id\": \"Q64\", \"name\": \"Berlin\"}",
    )
}

fn nothing_known(line: &SourceLine<'_>) -> Problem {
    problem(line, 0, "no key of this object says anything about entities".to_owned())
}

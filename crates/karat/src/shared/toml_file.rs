//! Files in TOML, with the place of what is wrong in them.

use crate::error::Error;
use karat_formats::{FilePlace, Kind, Problem};
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::Path;

/// More than this nobody writes by hand.
const LARGEST: u64 = 1 << 20;

/// A record that people write, with its text, so that what is wrong in it can be pointed at.
#[derive(Debug, Clone)]
pub(super) struct TomlFile<T> {
    pub(super) record: T,
    path: String,
    text: String,
}

impl<T: DeserializeOwned> TomlFile<T> {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<TomlFile<T>, Error> {
        let name = path.display().to_string();
        let unreadable =
            |message: String| Error::from(Problem::new(Kind::Unreadable, name.clone(), message));
        let size = std::fs::metadata(path).map_err(|error| unreadable(error.to_string()))?.len();
        if size > LARGEST {
            return Err(unreadable(format!("{size} bytes are too many for a description")));
        }
        let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| {
            Error::from(Problem::new(Kind::Encoding, name.clone(), "the file is not UTF-8"))
        })?;
        match toml::from_str(&text) {
            Ok(record) => Ok(TomlFile { record, path: name, text }),
            Err(error) => {
                // The message says a second time where it is.
                let message = error.message().lines().next().unwrap_or_default().to_owned();
                let span = error.span().unwrap_or_default();
                Err(problem(&name, &text, span, message).into())
            }
        }
    }

    /// What is wrong with a value, at the place where it stands.
    pub(super) fn wrong(&self, value: &str, message: impl Into<String>) -> Error {
        let at = self.text.find(value).filter(|_| !value.is_empty());
        match at {
            Some(at) => problem(&self.path, &self.text, at..at + value.len(), message).into(),
            None => Problem::new(Kind::Malformed, self.path.clone(), message).into(),
        }
    }
}

/// What is wrong at a place of a file.
pub(crate) fn problem(
    path: &str,
    text: &str,
    span: Range<usize>,
    message: impl Into<String>,
) -> Problem {
    let mut start = span.start.min(text.len());
    // Places are bytes and may be behind the last; an excerpt begins and ends at characters.
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
    let excerpt = text[line_start..line_end].trim_end_matches('\r');
    let from = (start - line_start).min(excerpt.len());
    let mut to = (span.end.min(line_end).max(start) - line_start).min(excerpt.len());
    while !excerpt.is_char_boundary(to) {
        to -= 1;
    }
    let place = FilePlace {
        line: 1 + text[..start].matches('\n').count() as u64,
        column: 1 + text[line_start..start].chars().count() as u64,
        excerpt: excerpt.to_owned(),
        highlight: from..to.max(from),
    };
    let mut problem = Problem::new(Kind::Malformed, path, message);
    problem.place = Some(place);
    problem
}

/// Whether a text is a date: `2026-11-18`.
pub(super) fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let number = |part: &str, digits: usize| {
        let is_plain = part.len() == digits && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<u32>().ok().filter(|_| is_plain)
    };
    let is_leap = |year: u32| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (Some(year), Some(month), Some(day)) = (number(year, 4), number(month, 2), number(day, 2))
    else {
        return false;
    };
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap(year) => 29,
        2 => 28,
        1..=12 => 31,
        _ => return false,
    };
    (1..=days).contains(&day)
}

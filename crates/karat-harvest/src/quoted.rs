//! Records of comma-separated files, whose cells may stand in quotes and go over several lines.

use crate::lines::{Lines, problem};
use karat_formats::{Problem, Progress, Source, Text};

/// A record may be this long; where a quote is not closed, the rest of the file is one.
const LONGEST: usize = 16 << 20;

/// Reads a source record by record.
pub(crate) struct Records<'s> {
    source: &'s Source,
    lines: Lines<'s>,
    record: Record,
}

/// The cells of a record, and where they stand.
#[derive(Default)]
pub(crate) struct Record {
    text: String,
    lines_before: u64,
    cells: Vec<(usize, String)>,
    quote: usize,
}

/// Where in a cell a reader is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Start,
    Bare,
    Quoted,
    /// Behind a quote that ends the cell, unless another follows.
    Closed,
}

impl<'s> Records<'s> {
    pub(crate) fn open(
        source: &'s Source,
        progress: Option<&'s dyn Progress>,
    ) -> Result<Records<'s>, Problem> {
        Ok(Records { source, lines: Lines::open(source, progress)?, record: Record::default() })
    }

    /// The next record that is not an empty line.
    pub(crate) fn next(&mut self) -> Result<Option<&Record>, Problem> {
        let record = &mut self.record;
        record.text.clear();
        record.cells.clear();
        let mut state = State::Start;
        while let Some(line) = self.lines.next()? {
            if record.text.is_empty() {
                if line.as_str().is_empty() {
                    continue;
                }
                record.lines_before = line.lines_before();
                record.cells.push((0, String::new()));
            }
            state = record.add(line.as_str(), state);
            if state != State::Quoted {
                return Ok(Some(&self.record));
            }
            if record.text.len() > LONGEST {
                break;
            }
        }
        match state {
            State::Quoted => Err(self.unclosed()),
            _ => Ok(None),
        }
    }

    fn unclosed(&self) -> Problem {
        let message = "a quote that is not closed".to_owned();
        self.record
            .problem_at(self.source.name(), self.record.quote, 1, message)
            .hint("a cell that starts with a quote must end with one; a quote within it is doubled")
    }
}

impl Record {
    pub(crate) fn cells(&self) -> impl ExactSizeIterator<Item = &str> {
        self.cells.iter().map(|(_, cell)| cell.as_str())
    }

    /// A problem with a cell, or with the end of the record if there is no such cell.
    pub(crate) fn problem(&self, name: &str, column: usize, message: String) -> Problem {
        let start = |column: usize| self.cells.get(column).map(|(start, _)| *start);
        let from = start(column).unwrap_or(self.text.len());
        let to = start(column + 1).map_or(self.text.len(), |next| next.saturating_sub(1));
        self.problem_at(name, from, to.saturating_sub(from), message)
    }

    fn problem_at(&self, name: &str, at: usize, length: usize, message: String) -> Problem {
        problem(&Text::new(name, &self.text).below(self.lines_before), at, length, message)
    }

    /// Adds a line, and gives the state at its end.
    fn add(&mut self, line: &str, mut state: State) -> State {
        let before = self.text.len();
        for (at, character) in line.char_indices() {
            let cell = self.cells.last_mut().map(|(_, cell)| cell);
            state = match (state, character) {
                (State::Start, '"') => {
                    self.quote = before + at;
                    State::Quoted
                }
                (State::Quoted, '"') => State::Closed,
                (State::Start | State::Bare | State::Closed, ',') => {
                    self.cells.push((before + at + 1, String::new()));
                    State::Start
                }
                (state, character) => {
                    cell.into_iter().for_each(|cell| cell.push(character));
                    let goes_on =
                        state == State::Quoted || (state, character) == (State::Closed, '"');
                    if goes_on { State::Quoted } else { State::Bare }
                }
            };
        }
        self.text.push_str(line);
        if state == State::Quoted {
            self.text.push('\n');
            self.cells.last_mut().into_iter().for_each(|(_, cell)| cell.push('\n'));
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Result<Vec<Vec<String>>, String> {
        let source = Source::memory("t.csv", text);
        let mut records = Records::open(&source, None).unwrap();
        let mut all = Vec::new();
        while let Some(record) = records.next().map_err(|problem| problem.to_string())? {
            all.push(record.cells().map(str::to_owned).collect());
        }
        Ok(all)
    }

    #[test]
    fn quotes_hold_commas_quotes_and_line_ends() {
        let table: &[(&str, &[&[&str]])] = &[
            ("a,b\n\n1,2\n", &[&["a", "b"], &["1", "2"]]),
            ("a,,\r\n", &[&["a", "", ""]]),
            ("\"a,b\",\"say \"\"x\"\"\"\n", &[&["a,b", "say \"x\""]]),
            ("\"one\r\n\ntwo\",x\ny,z", &[&["one\n\ntwo", "x"], &["y", "z"]]),
            ("5\" disk,\"\"\n", &[&["5\" disk", ""]]),
            ("\"a\"b,c\n", &[&["ab", "c"]]),
            ("", &[]),
        ];
        for (text, expected) in table {
            assert_eq!(records(text).unwrap(), *expected, "{text}");
        }
    }

    #[test]
    fn a_quote_that_is_not_closed_is_found_where_it_opens() {
        let found = records("id,name\nQ1,\"x\"\nQ2,\"Berlin\nQ3,y\n").unwrap_err();
        assert_eq!(found, "t.csv:3:4: a quote that is not closed");
        let long = format!("id,name\nQ1,\"{}", "x\n".repeat(LONGEST));
        assert!(records(&long).unwrap_err().starts_with("t.csv:2:4"));
    }
}

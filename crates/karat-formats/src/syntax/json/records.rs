//! The records of a JSON file, one by one and located.
//!
//! A file may hold an array of records, one record per line, or a single one.
//! Records are only cut apart here; each is parsed, and reported, by its reader.

use super::object::{Object, nth_item};
use crate::anchor::Here;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use std::cell::Cell;
use std::rc::Rc;

/// The records of a file: the elements of a top-level array, or the values that
/// follow each other.
pub(crate) struct JsonRecords<'t> {
    text: &'t Text<'t>,
    at: usize,
    array: Option<usize>,
    ended: bool,
}

impl<'t> JsonRecords<'t> {
    pub(crate) fn of(text: &'t Text<'t>) -> JsonRecords<'t> {
        let mut records = JsonRecords { text, at: 0, array: None, ended: false };
        records.skip_space();
        if records.peek() == Some(b'[') {
            records.array = Some(records.at);
            records.at += 1;
        }
        records
    }

    fn bytes(&self) -> &'t [u8] {
        self.text.as_str().as_bytes()
    }

    fn peek(&self) -> Option<u8> {
        self.bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Steps over one value: to the end of its brackets, or of a scalar.
    fn step(&mut self) -> &'t str {
        let start = self.at;
        let (mut depth, mut in_string) = (0usize, false);
        while let Some(byte) = self.peek() {
            match byte {
                b'\\' if in_string => self.at += 1,
                b'"' => in_string = !in_string,
                _ if in_string => {}
                b'{' | b'[' => depth += 1,
                // A closing bracket too many ends the value; what follows it is then reported.
                b'}' | b']' if depth > 0 => depth -= 1,
                b',' | b']' | b'}' if depth == 0 => break,
                _ if depth == 0 && byte.is_ascii_whitespace() => break,
                _ => {}
            }
            self.at += 1;
            if depth == 0 && !in_string && matches!(byte, b'}' | b']' | b'"') {
                break;
            }
        }
        // An escape at the very end may point past it.
        self.at = self.at.min(self.bytes().len());
        self.text.as_str().get(start..self.at).unwrap_or_default()
    }

    fn fault(&mut self, kind: Kind, at: usize, message: &str) -> Option<Result<&'t str, Problem>> {
        self.ended = true;
        Some(Err(self
            .text
            .problem(kind, at, 1, message)
            .hint("expected an array `[...]` of JSON objects, or one object per line")))
    }
}

impl<'t> Iterator for JsonRecords<'t> {
    type Item = Result<&'t str, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        self.skip_space();
        match (self.array, self.peek()) {
            (None, None) => return None,
            (Some(start), None) => {
                return self.fault(Kind::Truncated, start, "the array is never closed");
            }
            (Some(_), Some(b']')) => {
                self.at += 1;
                self.skip_space();
                self.ended = true;
                return match self.peek() {
                    None => None,
                    Some(_) => self.fault(Kind::Malformed, self.at, "something after the array"),
                };
            }
            _ => {}
        }
        let record = self.step();
        if record.is_empty() {
            return self.fault(Kind::Malformed, self.at, "expected a JSON object");
        }
        self.skip_space();
        // A missing comma between records is forgiven: JSON that was concatenated by hand often
        // lacks it.
        if self.array.is_some() && self.peek() == Some(b',') {
            self.at += 1;
        }
        Some(Ok(record))
    }
}

/// Calls `handle` with each object of a file, and with the record it was parsed from.
pub(crate) fn each_record<'t>(
    text: &'t Text<'t>,
    hint: &'static str,
    reading: &mut Reading<'_>,
    mut handle: impl FnMut(InRecord<'t>, Object, &mut Reading<'_>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let budget = Rc::new(Cell::new(LOOKED_THROUGH));
    for record in JsonRecords::of(text) {
        let Some(record) = reading.accept(record)? else { continue };
        let parsed = serde_json::from_str::<Object>(record);
        let parsed = parsed.map_err(|error| text.json_problem(record, &error).hint(hint));
        if let Some(object) = reading.accept(parsed)? {
            let here = Here { text, at: text.offset_of(record), len: 1 };
            handle(InRecord { record, here, budget: Rc::clone(&budget) }, object, reading)?;
        }
    }
    Ok(())
}

/// How many bytes of one record are looked through to say where its bad items are. A file may have very many.
const LOOKED_THROUGH: usize = 64 << 20;

/// A record of a file, to say where in it something is wrong.
pub(crate) struct InRecord<'t> {
    record: &'t str,
    /// Where the record begins.
    pub(crate) here: Here<'t>,
    budget: Rc<Cell<usize>>,
}

impl InRecord<'_> {
    /// Moves a problem to an item of a list of the record. It is only looked for now, because most items are good.
    pub(crate) fn locate(&self, list: &str, item: usize, problem: Problem) -> Problem {
        let Some(left) = self.budget.get().checked_sub(self.record.len()) else { return problem };
        self.budget.set(left);
        let Some(found) = nth_item(self.record, list, item) else { return problem };
        let place = Here::of(self.here.text, found).problem(problem.kind, "").place;
        Problem { place, ..problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(content: &str) -> Vec<Result<String, String>> {
        let text = Text::new("m", content);
        JsonRecords::of(&text)
            .map(|record| record.map(str::to_owned).map_err(|problem| problem.message))
            .collect()
    }

    #[test]
    fn arrays_lines_and_single_objects() {
        let both = [Ok("{\"a\":\"]}\\\"\"}".to_owned()), Ok("{\"b\":[{}]}".to_owned())];
        assert_eq!(records("[{\"a\":\"]}\\\"\"},\n {\"b\":[{}]}]\n"), both);
        assert_eq!(records("{\"a\":\"]}\\\"\"}\n{\"b\":[{}]}"), both);
        assert_eq!(records(" {} "), [Ok("{}".to_owned())]);
        assert_eq!(records("[]"), []);
        assert_eq!(records(""), []);
    }

    #[test]
    fn what_is_not_json_ends() {
        assert_eq!(records("[{}").last(), Some(&Err("the array is never closed".to_owned())));
        assert_eq!(records("[{}] x").last(), Some(&Err("something after the array".to_owned())));
        assert_eq!(records("}").last(), Some(&Err("expected a JSON object".to_owned())));
        for content in ["\"\\", "[\"", "{\"a", "[,]", "nul", "1 2", "\\", "]"] {
            assert!(records(content).len() < 4, "{content}");
        }
    }
}

//! Records of delimited text: fields between delimiters, quoted where need be.
//!
//! Corpora and knowledge bases are both written as CSV, so there is one reader for both. Blocks of a file
//! are cut where a record ends and taken apart by the `csv` crate; what is here finds those ends,
//! quotes that are never closed, and the place of a field for messages.

use crate::block::{Cut, for_each_block};
use crate::problem::{Kind, Problem};
use crate::reading::Progress;
use crate::source::{Source, Text};
use csv::StringRecord;

/// A record may be this long; where a quote is not closed, the rest of the file is one.
const LONGEST: usize = 16 << 20;

/// Reads a file record by record, however large it is, and gives each to `take`. Empty lines are no
/// records; records may have different numbers of cells.
///
/// ```
/// use karat_formats::table::for_each_record;
/// use karat_formats::{Problem, Source};
///
/// let table = Source::memory("t.csv", "id,name\nQ64,\"Berlin, \"\"BER\"\"\"\n");
/// let mut cells = Vec::new();
/// for_each_record(&table, b',', None, |record| {
///     cells.push(record.cells().map(str::to_owned).collect::<Vec<_>>());
///     Ok::<(), Problem>(())
/// })?;
/// assert_eq!(cells, [["id", "name"], ["Q64", "Berlin, \"BER\""]]);
/// # Ok::<(), Problem>(())
/// ```
pub fn for_each_record<E: From<Problem>>(
    source: &Source,
    delimiter: u8,
    progress: Option<&dyn Progress>,
    mut take: impl FnMut(&DelimitedRecord<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for_each_block(source, cut_at(delimiter), LONGEST, progress, |text| {
        let mut records = BlockRecords::new(text.as_str(), delimiter);
        loop {
            match records.next() {
                Ok(None) => return Ok(()),
                Ok(Some((place, record))) => {
                    take(&DelimitedRecord { text, delimiter, place, record })?;
                }
                Err(BadRecord::Unclosed { quote }) => {
                    return Err(E::from(in_file(text, unclosed(text, quote))));
                }
                Err(BadRecord::Unreadable { place, message }) => {
                    let line = line_at(text.as_str(), place);
                    let problem = text.problem_at(Kind::Malformed, line, message);
                    return Err(E::from(in_file(text, problem)));
                }
            }
        }
    })
}

/// The cells of one record, and where they stand.
#[derive(Debug)]
pub struct DelimitedRecord<'r> {
    text: &'r Text<'r>,
    delimiter: u8,
    place: u64,
    record: &'r StringRecord,
}

impl DelimitedRecord<'_> {
    /// The cells, without their quotes.
    pub fn cells(&self) -> impl Iterator<Item = &str> {
        self.record.iter()
    }

    /// How many cells there are.
    pub fn width(&self) -> usize {
        self.record.len()
    }

    /// A problem with a cell, or with the end of the record if there is no such cell.
    pub fn problem(&self, column: usize, message: impl Into<String>) -> Problem {
        let record = record_at(self.text.as_str(), self.place);
        let part = raw_field(record, self.delimiter, column).unwrap_or_else(|| {
            let line = record.lines().next().unwrap_or_default();
            &line[line.len()..]
        });
        in_file(self.text, self.text.problem_at(Kind::Malformed, part, message))
    }
}

/// A problem of a block with the line that it has in the file.
fn in_file(text: &Text<'_>, problem: Problem) -> Problem {
    problem.below(text.lines_before())
}

/// The records of a text in memory.
pub(super) struct BlockRecords<'t> {
    text: &'t str,
    delimiter: u8,
    /// The records from here on are read.
    begin: usize,
    reader: csv::Reader<&'t [u8]>,
    record: StringRecord,
}

/// What is no record.
pub(super) enum BadRecord<'t> {
    /// A quote that is not closed before the text ends, and all that follows it. The next record is
    /// the line behind it.
    Unclosed { quote: &'t str },
    /// The rest of the text cannot be read.
    Unreadable { place: u64, message: String },
}

impl<'t> BlockRecords<'t> {
    pub(super) fn new(text: &'t str, delimiter: u8) -> BlockRecords<'t> {
        let reader = reader(text, delimiter);
        BlockRecords { text, delimiter, begin: 0, reader, record: StringRecord::new() }
    }

    /// The next record and the byte at which it starts.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &StringRecord)>, BadRecord<'t>> {
        let place = self.position();
        match self.reader.read_record(&mut self.record) {
            Ok(false) => return Ok(None),
            Ok(true) => {}
            // The block is valid UTF-8 in memory and records may have any width,
            // so this cannot happen; if it does, the rest cannot be read.
            Err(error) => {
                return Err(BadRecord::Unreadable { place, message: error.to_string() });
            }
        }
        // Only at the end of the text a record can end within quotes.
        if self.position() == self.text.len() as u64
            // Walking the last record again costs a second look at it, but only where a record
            // reaches the end of the text.
            && let Some(quote) = open_quote(record_at(self.text, place), self.delimiter)
        {
            // It swallowed the rest, which may be good from the next line on. Quotes that are
            // there are doubled, or one would have closed it; so none of them opens anew.
            let line = quote.find('\n').map_or(quote.len(), |newline| newline + 1);
            self.begin = self.text.len() - quote.len() + line;
            self.reader = reader(&self.text[self.begin..], self.delimiter);
            return Err(BadRecord::Unclosed { quote });
        }
        Ok(Some((place, &self.record)))
    }

    fn position(&self) -> u64 {
        self.begin as u64 + self.reader.position().byte()
    }
}

fn reader(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    let mut builder = csv::ReaderBuilder::new();
    builder.has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes())
}

/// The problem of a quote that is never closed.
pub(super) fn unclosed(text: &Text<'_>, quote: &str) -> Problem {
    let line = quote.lines().next().unwrap_or_default();
    text.problem_at(Kind::Malformed, line, "a quote that is not closed before the file ends")
        .hint("close it where the field ends, or double it where it belongs to the field; everything behind it was taken for one field")
}

/// The text from the byte on at which a record starts.
pub(super) fn record_at(text: &str, place: u64) -> &str {
    let rest = usize::try_from(place).ok().and_then(|at| text.get(at..));
    rest.unwrap_or_default().trim_start_matches(['\r', '\n'])
}

/// The first line of a record.
pub(super) fn line_at(text: &str, place: u64) -> &str {
    record_at(text, place).lines().next().unwrap_or_default()
}

/// The cells of the first record: the headings of a table.
pub fn header(text: &str, delimiter: u8) -> Vec<String> {
    let mut record = StringRecord::new();
    match reader(text, delimiter).read_record(&mut record) {
        Ok(true) => record.iter().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// Walks over delimited text as the reader does.
#[derive(Clone, Copy, PartialEq)]
enum State {
    FieldStart,
    Plain,
    Quoted,
    /// After a quote within quotes, which ended the field or stands for a quote.
    Quote,
}

/// What a byte ends.
#[derive(PartialEq)]
enum Ends {
    Nothing,
    Field,
    Record,
}

impl State {
    #[inline]
    fn next(self, byte: u8, delimiter: u8) -> (State, Ends) {
        match (self, byte) {
            (State::Quoted, b'"') => (State::Quote, Ends::Nothing),
            (State::Quoted, _) => (State::Quoted, Ends::Nothing),
            (State::FieldStart | State::Quote, b'"') => (State::Quoted, Ends::Nothing),
            (_, b'\n' | b'\r') => (State::FieldStart, Ends::Record),
            _ if byte == delimiter => (State::FieldStart, Ends::Field),
            _ => (State::Plain, Ends::Nothing),
        }
    }
}

/// The rest of a record from the quote on that is not closed in it.
fn open_quote(record: &str, delimiter: u8) -> Option<&str> {
    let (mut state, mut start) = (State::FieldStart, 0);
    for (at, byte) in record.bytes().enumerate() {
        if state == State::FieldStart {
            start = at;
        }
        (state, _) = state.next(byte, delimiter);
    }
    // Anything but an open quote at the end is a complete record.
    (state == State::Quoted).then(|| record.get(start..))?
}

/// A field of a record as it is spelled, quotes included.
pub(super) fn raw_field(record: &str, delimiter: u8, wanted: usize) -> Option<&str> {
    let (mut state, mut column, mut start) = (State::FieldStart, 0, 0);
    for (at, byte) in record.bytes().enumerate() {
        let (next, ends) = state.next(byte, delimiter);
        state = next;
        if ends == Ends::Nothing {
            continue;
        }
        if column == wanted {
            return record.get(start..at);
        }
        if ends == Ends::Record {
            return None;
        }
        (column, start) = (column + 1, at + 1);
    }
    if column == wanted { record.get(start..) } else { None }
}

/// Where blocks of a file with this delimiter are cut.
pub(super) fn cut_at(delimiter: u8) -> Cut {
    match delimiter {
        b'\t' => cut::<b'\t'>,
        b';' => cut::<b';'>,
        _ => cut::<b','>,
    }
}

/// Where the last complete record ends: at a line break outside quotes.
fn cut<const DELIMITER: u8>(bytes: &[u8]) -> Option<usize> {
    let (mut state, mut last) = (State::FieldStart, None);
    for (at, &byte) in bytes.iter().enumerate() {
        let (next, _) = state.next(byte, DELIMITER);
        if byte == b'\n' && next == State::FieldStart {
            last = Some(at + 1);
        }
        state = next;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Result<Vec<Vec<String>>, String> {
        let source = Source::memory("t.csv", text);
        let mut all = Vec::new();
        let read = for_each_record(&source, b',', None, |record| {
            all.push(record.cells().map(str::to_owned).collect());
            Ok::<(), Problem>(())
        });
        read.map(|()| all).map_err(|problem| problem.to_string())
    }

    #[test]
    fn quotes_hold_commas_quotes_and_line_ends() {
        let table: &[(&str, &[&[&str]])] = &[
            ("a,b\n\n1,2\n", &[&["a", "b"], &["1", "2"]]),
            ("a,,\r\n", &[&["a", "", ""]]),
            ("\u{feff}a,b\n", &[&["a", "b"]]),
            ("\"a,b\",\"say \"\"x\"\"\"\n", &[&["a,b", "say \"x\""]]),
            ("\"one\r\n\ntwo\",x\ny,z", &[&["one\r\n\ntwo", "x"], &["y", "z"]]),
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
        assert_eq!(found, "t.csv:3:4: a quote that is not closed before the file ends");
        // Not the whole of a large file is kept to find out.
        let long = format!("id,name\nQ1,\"{}", "x\n".repeat(LONGEST));
        assert!(records(&long).unwrap_err().starts_with("t.csv:2:4"));
    }

    #[test]
    fn cells_of_later_blocks_are_found_in_the_file() {
        let rows = "Q1,\"two\nlines\"\n".repeat(50_000);
        let source = Source::memory("t.csv", format!("id,name\n{rows}Q2,last\n"));
        let problem = for_each_record(&source, b',', None, |record| {
            match record.cells().nth(1) == Some("last") {
                true => Err(record.problem(1, "here")),
                false => Ok(()),
            }
        });
        assert_eq!(problem.unwrap_err().to_string(), "t.csv:100002:4: here");
    }

    #[test]
    fn records_are_cut_outside_quotes() {
        assert_eq!(cut::<b','>(b"a,b\nc,\"d\ne\"\nf,\"g\n"), Some(12));
        assert_eq!(cut::<b','>(b"a,5\"\nb"), Some(5), "a quote within a plain field is a quote");
        assert_eq!(cut::<b','>(b"a,\"x\"\"\ny\"\nb"), Some(10));
        assert_eq!(cut::<b'\t'>(b"no end"), None);
    }
}

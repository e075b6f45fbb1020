//! Tables as text: fields between delimiters, quoted where need be, names in the first line.

use super::{Cell, Field, Locate, Mapping, Rows, Value, for_each_row, read_blocks, used_fields};
use crate::block::Cut;
use crate::format::{Offsets, Sample, WriteError};
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use karat_model::Corpus;
use std::collections::BTreeMap;
use std::io;

/// The longest first line that may be a header, in bytes.
const LONGEST_HEADER: usize = 8 << 10;

/// How sure one may be that a file is a table with one of these delimiters.
pub(crate) fn detect(
    sample: &Sample<'_>,
    delimiters: &[u8],
    columns: &BTreeMap<String, String>,
) -> u8 {
    // Lines of JSON may be far longer, and taking them apart takes time.
    if sample.first_line().len() > LONGEST_HEADER {
        return 0;
    }
    let delimits = |delimiter: &&u8| sample.first_line().as_bytes().contains(delimiter);
    let fits = delimiters.iter().filter(delimits).any(|&delimiter| {
        let names = header(sample.text, delimiter);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        names.len() > 1 && Mapping::fits(&names, columns)
    });
    match (fits, columns.is_empty()) {
        (true, true) => 50,
        (true, false) => 90,
        // A mapping that does not fit is better explained by the reader; the
        // delimiter that gives more columns is the likelier one.
        (false, false) => {
            let counts = delimiters.iter().map(|&delimiter| header(sample.text, delimiter).len());
            match counts.max().unwrap_or_default() {
                0..=2 => 0,
                count => 5 + count.min(25) as u8,
            }
        }
        (false, true) => 0,
    }
}

/// Reads files whose delimiter is one of these.
pub(crate) fn read(
    files: &[Source],
    delimiters: &[u8],
    offsets: Offsets,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let offsets = reading.offsets(offsets);
    for file in files {
        let table = Table::open(file, delimiters, offsets, reading)?;
        let in_order = table.mapping.has(Field::Text);
        read_blocks(file, cut_at(table.delimiter), in_order, reading, |text, reading| {
            table.read_block(text, reading)
        })?;
    }
    Ok(())
}

/// Writes a corpus as one table.
pub(crate) fn write(corpus: &Corpus, output: &mut Output, delimiter: u8) -> Result<(), WriteError> {
    let fields = used_fields(corpus);
    output.single(|out| {
        let mut table = csv::WriterBuilder::new().delimiter(delimiter).from_writer(out);
        table.write_record(fields.iter().map(|field| field.name())).map_err(io::Error::from)?;
        for_each_row(corpus, |row| {
            for &field in &fields {
                let cell = row.cell(field)?;
                if field == Field::Text && cell == Cell::Text("".into()) {
                    let message = "an empty text cannot be told from no text in this format";
                    return Err(WriteError::unrepresentable(row.document().name(), message));
                }
                table.write_field(cell.to_text().as_bytes()).map_err(io::Error::from)?;
            }
            Ok(table.write_record(None::<&[u8]>).map_err(io::Error::from)?)
        })?;
        Ok(table.flush()?)
    })
}

/// A file whose header was read.
struct Table {
    delimiter: u8,
    mapping: Mapping,
    offsets: Offsets,
}

impl Table {
    fn open(
        file: &Source,
        delimiters: &[u8],
        offsets: Offsets,
        reading: &mut Reading<'_>,
    ) -> Result<Table, Problem> {
        let head = file.head(64 << 10)?;
        let head = String::from_utf8_lossy(&head);
        let head = head.strip_prefix('\u{feff}').unwrap_or(&head);
        let mut best: Option<Result<Table, Problem>> = None;
        let mut most = 0;
        for &delimiter in delimiters {
            let names = header(head, delimiter);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            match Mapping::find(file.name(), &names, reading.options) {
                Ok(mapping) => {
                    reading.note_columns(&mapping);
                    return Ok(Table { delimiter, mapping, offsets });
                }
                // The delimiter that gives the most columns explains best what is missing.
                Err(problem) if names.len() > most || best.is_none() => {
                    most = names.len();
                    best = Some(Err(problem));
                }
                Err(_) => {}
            }
        }
        best.unwrap_or_else(|| {
            Err(Problem::new(Kind::Format, file.name(), "no delimiter is known"))
        })
    }

    fn read_block(&self, text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
        let content = text.as_str();
        // The records from here on are read.
        let mut begin = 0;
        let mut reader = records(content, self.delimiter);
        let mut record = csv::StringRecord::new();
        let mut rows = Rows::default();
        let here = InTable { text, table: self };
        let width = self.mapping.names().len();
        loop {
            let place = begin as u64 + reader.position().byte();
            match reader.read_record(&mut record) {
                Ok(false) => break,
                Ok(true) => {}
                // The block is valid UTF-8 in memory and rows may have any width,
                // so this cannot happen; if it does, the rest cannot be read.
                Err(error) => return Err(here.whole(place, error.to_string())),
            }
            // Only at the end of the file a record can end within quotes.
            if begin as u64 + reader.position().byte() == content.len() as u64
                && let Some(quote) = open_quote(here.record(place), self.delimiter)
            {
                reading.report(here.unclosed(quote))?;
                // It swallowed the rest, which may be good from the next line on. Quotes that are
                // there are doubled, or one would have closed it; so none of them opens anew.
                let line = quote.find('\n').map_or(quote.len(), |newline| newline + 1);
                begin = content.len() - quote.len() + line;
                reader = records(&content[begin..], self.delimiter);
                continue;
            }
            if record.len() != width {
                let message = format!("expected {width} columns, found {}", record.len());
                reading.report(here.whole(place, message))?;
                continue;
            }
            // Files that were put together repeat their header.
            if record.iter().eq(self.mapping.names().iter().map(String::as_str)) {
                continue;
            }
            let cells = self.mapping.columns().iter().map(|&(field, column)| {
                let value = match record.get(column) {
                    None | Some("") => Value::Missing,
                    Some(text) => Value::Text(text),
                };
                (field, value)
            });
            rows.push(reading, text.name(), &here, place, cells)?;
        }
        rows.fill(reading, text.name(), self.offsets, &here)
    }
}

/// Finds fields in the text of a block; a place is the byte at which a record starts.
struct InTable<'t> {
    text: &'t Text<'t>,
    table: &'t Table,
}

impl InTable<'_> {
    fn record(&self, place: u64) -> &str {
        let rest = usize::try_from(place).ok().and_then(|at| self.text.as_str().get(at..));
        rest.unwrap_or_default().trim_start_matches(['\r', '\n'])
    }

    fn unclosed(&self, quote: &str) -> Problem {
        let line = quote.lines().next().unwrap_or_default();
        self.text
            .problem_at(Kind::Malformed, line, "a quote that is not closed before the file ends")
            .hint("close it where the field ends, or double it where it belongs to the field; everything behind it was taken for one field")
    }

    fn whole(&self, place: u64, message: String) -> Problem {
        let record = self.record(place);
        let line = record.lines().next().unwrap_or_default();
        self.text
            .problem_at(Kind::Malformed, line, message)
            .hint("each row needs as many columns as the first; a field with the delimiter or a line break in it stands in double quotes")
    }
}

impl Locate for InTable<'_> {
    fn locate(&self, place: u64, field: Field, problem: Problem) -> Problem {
        let record = self.record(place);
        let column = self.table.mapping.column(field).map(|(index, _)| index);
        let part = column.and_then(|column| raw_field(record, self.table.delimiter, column));
        let part = part.unwrap_or_else(|| record.lines().next().unwrap_or_default());
        let Problem { kind, message, hint, .. } = problem;
        Problem { hint, ..self.text.problem_at(kind, part, message) }
    }
}

fn records(text: &str, delimiter: u8) -> csv::Reader<&[u8]> {
    let mut builder = csv::ReaderBuilder::new();
    builder.has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes())
}

/// The names in the first record.
fn header(text: &str, delimiter: u8) -> Vec<String> {
    let mut record = csv::StringRecord::new();
    match records(text, delimiter).read_record(&mut record) {
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
    (state == State::Quoted).then(|| record.get(start..))?
}

/// A field of a record as it is spelled, quotes included.
fn raw_field(record: &str, delimiter: u8, wanted: usize) -> Option<&str> {
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

fn cut_at(delimiter: u8) -> Cut {
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
mod tests;

//! Tables as text: fields between delimiters, quoted where need be, names in the first line.

use super::records::{
    BadRecord, BlockRecords, cut_at, header, line_at, raw_field, record_at, unclosed,
};
use super::value::both;
use super::{
    Field, Locate, Mapping, Rows, Value, WrittenCell, for_each_row, read_blocks, used_fields,
};
use crate::format::{Offsets, Sample, WriteError};
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::source::{Source, Text};
use karat_model::{Corpus, OffsetUnit};
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
                // A reader could not tell it from a row without a text.
                if field == Field::Text && cell == WrittenCell::Text("".into()) {
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
        // The header must be found before the file is cut into blocks: every block needs it.
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
                    let words = has_words_as_text(head, delimiter, &mapping, reading.options);
                    let mapping = if words { mapping.with_words_as_text() } else { mapping };
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
        let mut records = BlockRecords::new(text.as_str(), self.delimiter);
        let mut rows = Rows::default();
        let here = InTable { text, table: self };
        let width = self.mapping.names().len();
        loop {
            let (place, record) = match records.next() {
                Ok(None) => break,
                Ok(Some(found)) => found,
                Err(BadRecord::Unclosed { quote }) => {
                    reading.report(unclosed(text, quote))?;
                    continue;
                }
                Err(BadRecord::Unreadable { place, message }) => {
                    return Err(here.whole(place, message));
                }
            };
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

/// How many rows are looked at to tell what is in a column.
const FIRST_ROWS: usize = 50;

/// Whether a column `text` has the words of each mention: as long as its offsets say in their unit, somewhere
/// behind the end of any such text. Names are what they are where the user said so.
fn has_words_as_text(head: &str, delimiter: u8, mapping: &Mapping, options: &ReadOptions) -> bool {
    let column = |field: Field| mapping.column(field).map(|(column, _)| column);
    let columns = (column(Field::Text), column(Field::Start));
    let (Some(text), Some(start)) = columns else { return false };
    let end = column(Field::End);
    if end.is_none() && mapping.has(Field::Length) {
        return false;
    }
    if mapping.has(Field::Surface) || options.columns.values().any(|named| named == "text") {
        return false;
    }
    let mut records = BlockRecords::new(head, delimiter);
    let mut is_sure = false;
    // The first record is the heading. The last may be cut off by the end of the sample, so that it ends the search.
    for _ in 0..=FIRST_ROWS {
        let Ok(Some((_, record))) = records.next() else { break };
        let number = |column: usize| record.get(column)?.trim().parse::<usize>().ok();
        let offsets = match end {
            Some(end) => number(start).zip(number(end)),
            None => record
                .get(start)
                .and_then(|cell| both(&Value::Text(cell)))
                .and_then(|(a, b)| Some((usize::try_from(a).ok()?, usize::try_from(b).ok()?))),
        };
        let Some((start, end)) = offsets else { continue };
        let length = record.get(text).map_or(0, |text| match options.unit.unwrap_or_default() {
            OffsetUnit::Bytes => text.len(),
            OffsetUnit::Utf16 => text.encode_utf16().count(),
            OffsetUnit::CodePoints | OffsetUnit::Tokens => text.chars().count(),
        });
        // One more or less, as an end may be the last position inside.
        if end.saturating_sub(start).abs_diff(length) > 1 {
            return false;
        }
        is_sure |= end > length + 1;
    }
    is_sure
}

/// Whether a file begins with names of columns, whatever they are: words without digits, and digits below them.
pub(crate) fn has_heading(sample: &Sample<'_>, delimiter: char) -> bool {
    let mut lines = sample.lines().filter(|line| !line.trim().is_empty());
    let has_digits = |line: &str| line.contains(|c: char| c.is_ascii_digit());
    let first = lines.next().unwrap_or_default();
    let columns = first.split(delimiter).count();
    columns > 2
        && !has_digits(first)
        && lines
            .next()
            .is_some_and(|row| has_digits(row) && row.split(delimiter).count() == columns)
}

/// Finds fields in the text of a block; a place is the byte at which a record starts.
struct InTable<'t> {
    text: &'t Text<'t>,
    table: &'t Table,
}

impl InTable<'_> {
    fn whole(&self, place: u64, message: String) -> Problem {
        self.text
            .problem_at(Kind::Malformed, line_at(self.text.as_str(), place), message)
            .hint("each row needs as many columns as the first; a field with the delimiter or a line break in it stands in double quotes")
    }
}

impl Locate for InTable<'_> {
    fn locate(&self, place: u64, field: Field, problem: Problem) -> Problem {
        let record = record_at(self.text.as_str(), place);
        let column = self.table.mapping.column(field).map(|(index, _)| index);
        let part = column.and_then(|column| raw_field(record, self.table.delimiter, column));
        let part = part.unwrap_or_else(|| record.lines().next().unwrap_or_default());
        let Problem { kind, message, hint, .. } = problem;
        Problem { hint, ..self.text.problem_at(kind, part, message) }
    }
}

#[cfg(test)]
mod tests;

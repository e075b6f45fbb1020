//! Arrow IPC: files and streams.

use crate::batches::{Columns, failed};
use crate::damage::{damaged, guarded};
use crate::table::Table;
use arrow_buffer::Buffer;
use arrow_ipc::MessageHeader;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::writer::FileWriter;
use arrow_schema::ArrowError;
use karat_formats::table::KEEPS;
use karat_formats::{
    Format, Info, Input, Kind, Layout, Offsets, Output, Problem, Reading, Sample, Source,
    WriteError,
};
use karat_model::Corpus;
use std::collections::BTreeMap;
use std::io::Read;

/// The format.
#[derive(Debug)]
pub(crate) struct Arrow;

static INFO: Info = Info {
    name: "arrow",
    title: "Arrow IPC table",
    about: "The columns of the Parquet table in an Apache Arrow IPC file (Feather version 2) or stream, as pyarrow, \
            polars and Hugging Face datasets write them. Buffers may be plain or compressed with zstd; those \
            compressed with LZ4 are not read. Files are written, uncompressed.",
    reference: "Apache Arrow columnar format; docs/formats/tables.md",
    extensions: &["arrow", "feather"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: KEEPS,
};

/// What a file begins and ends with.
const MAGIC: &[u8] = b"ARROW1";
/// The magic of a file, padded; a stream follows.
const FILE_HEAD: &[u8] = b"ARROW1\0\0";
/// Bytes read at a time.
const STEP: u64 = 1 << 20;

impl Format for Arrow {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if sample.bytes.starts_with(FILE_HEAD) || begins_with_schema(sample.bytes) { 95 } else { 0 }
    }

    fn detect_mapped(&self, sample: &Sample<'_>, _columns: &BTreeMap<String, String>) -> u8 {
        self.detect(sample)
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            guarded(file, || read_file(file, reading))?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        let columns = Columns::of(corpus);
        output.single(|out| {
            let mut writer = FileWriter::try_new(out, &columns.schema).map_err(failed)?;
            columns.for_each_batch(corpus, |batch| writer.write(&batch).map_err(failed))?;
            writer.finish().map_err(failed)
        })
    }
}

/// Whether bytes begin with the message of a stream that gives its schema.
fn begins_with_schema(bytes: &[u8]) -> bool {
    let Some(([0xff, 0xff, 0xff, 0xff], rest)) = bytes.split_first_chunk() else { return false };
    let Some((length, rest)) = rest.split_first_chunk() else { return false };
    let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
    let message = rest.get(..length).map(arrow_ipc::root_as_message);
    matches!(message, Some(Ok(message)) if message.header_type() == MessageHeader::Schema)
}

/// Reads a stream, or the stream within a file: a file is its magic, a stream,
/// and an index of that stream which a reader from front to back does not need.
fn read_file(source: &Source, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let progress = reading.options.progress.clone();
    let mut bytes = Bytes { source, stream: source.open(progress.as_deref())?, tail: Vec::new() };
    let mut first = bytes.next()?;
    let is_file = first.starts_with(FILE_HEAD);
    if is_file {
        first.drain(..FILE_HEAD.len());
    }
    let mut decoder = StreamDecoder::new();
    let mut table: Option<Table<'_>> = None;
    let mut buffer = Buffer::from_vec(first);
    let mut ended = false;
    while !ended {
        if buffer.is_empty() {
            buffer = Buffer::from_vec(bytes.next()?);
            if buffer.is_empty() {
                break;
            }
        }
        let batch = match decoder.decode(&mut buffer) {
            Ok(batch) => batch,
            // The end of the stream was read and only the index of the file is left.
            Err(_) if is_file && decoder.finish().is_ok() => {
                ended = true;
                None
            }
            Err(error) => return Err(undecodable(source, &error)),
        };
        if let (None, Some(schema)) = (&table, decoder.schema()) {
            table = Some(Table::open(source, &schema, INFO.offsets, reading)?);
        }
        if let (Some(batch), Some(table)) = (batch, &mut table) {
            table.add(&batch, None, reading)?;
        }
    }
    while !bytes.next()?.is_empty() {}
    let complete = decoder.finish().is_ok() && table.is_some();
    if !complete || (is_file && !bytes.tail.ends_with(MAGIC)) {
        return Err(Problem::new(Kind::Truncated, source.name(), "the file ends too early")
            .hint("it was probably not written or copied to the end; get it again"));
    }
    Ok(())
}

fn undecodable(source: &Source, error: &ArrowError) -> Problem {
    let problem = damaged(source, error);
    match error.to_string().contains("lz4") {
        true => problem.hint(
            "karat reads no LZ4; write the table with `compression=\"zstd\"` or `\"uncompressed\"`",
        ),
        false => problem,
    }
}

/// The bytes of a source, step by step.
struct Bytes<'s> {
    source: &'s Source,
    stream: Box<dyn Read + Send + 's>,
    /// The last bytes so far.
    tail: Vec<u8>,
}

impl Bytes<'_> {
    fn next(&mut self) -> Result<Vec<u8>, Problem> {
        let mut bytes = Vec::new();
        let read = (&mut self.stream).take(STEP).read_to_end(&mut bytes);
        read.map_err(|error| self.source.unreadable(&error))?;
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(MAGIC.len())..]);
        self.tail.drain(..self.tail.len().saturating_sub(MAGIC.len()));
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests;

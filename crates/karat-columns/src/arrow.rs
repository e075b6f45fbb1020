//! Arrow IPC: files and streams.

mod messages;

use crate::batches::{Columns, failed};
use crate::damage::{damaged, guarded, truncated, unsupported};
use crate::table::Table;
use arrow_buffer::Buffer;
use arrow_ipc::MessageHeader;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::writer::FileWriter;
use arrow_schema::ArrowError;
use karat_formats::table::KEEPS;
use karat_formats::{
    Format, Info, Input, Layout, Offsets, Output, Problem, Reading, Sample, Source, WriteError,
};
use karat_model::Corpus;
use messages::{FILE_HEAD, Messages};
use std::collections::BTreeMap;

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

impl Format for Arrow {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        // A stream has no magic word, so its first message is decoded: four bytes of 0xff alone
        // would claim many files.
        if sample.bytes.starts_with(FILE_HEAD) || begins_with_schema(sample.bytes) { 95 } else { 0 }
    }

    fn detect_mapped(
        &self,
        sample: &Sample<'_>,
        _columns: &BTreeMap<String, String>,
    ) -> Option<u8> {
        Some(self.detect(sample))
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

    fn files_stand_alone(&self) -> bool {
        true
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

/// Stands where the next message would.
const END_OF_STREAM: &[u8] = b"\xff\xff\xff\xff\0\0\0\0";

fn read_file(source: &Source, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let progress = reading.options.progress.clone();
    let mut messages = Messages::open(source, progress.as_deref())?;
    let mut decoder = StreamDecoder::new();
    let mut table: Option<Table<'_>> = None;
    let mut ended = false;
    while !ended {
        // The decoder takes a message without a body in when it sees what follows.
        let mut message = messages.next()?.unwrap_or_else(|| {
            ended = true;
            Buffer::from(END_OF_STREAM)
        });
        while !message.is_empty() {
            let batch = decoder.decode(&mut message);
            let batch = batch.map_err(|error| {
                let rows = table.as_ref().map(Table::rows);
                undecodable(source, rows, &error)
            })?;
            if let (None, Some(schema)) = (&table, decoder.schema()) {
                table = Some(Table::open(source, &schema, INFO.offsets, reading)?);
            }
            if let (Some(batch), Some(table)) = (batch, &mut table) {
                table.add(&batch, None, reading)?;
            }
        }
    }
    if table.is_some() { Ok(()) } else { Err(truncated(source)) }
}

/// What an error of the library means for a user; `rows` were read before it.
fn undecodable(source: &Source, rows: Option<u64>, error: &ArrowError) -> Problem {
    if error.to_string().contains("lz4") {
        return unsupported(
            source,
            "its columns are compressed with LZ4",
            "karat reads no LZ4; write the table with `compression=\"zstd\"` or `\"uncompressed\"`",
        );
    }
    match rows {
        None => damaged(source, "the list of columns at its beginning cannot be read"),
        Some(rows) => damaged(source, format!("the rows after row {rows} cannot be read")),
    }
}

#[cfg(test)]
mod tests;

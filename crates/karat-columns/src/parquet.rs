//! Parquet.

use crate::batches::{BATCH_ROWS, Columns};
use crate::damage::{damaged, guarded, truncated, unsupported};
use crate::rows::{AnyColumn, RowCell};
use crate::table::Table;
use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field as ArrowField, Fields, Schema};
use bytes::Bytes;
use karat_formats::table::{Field, KEEPS};
use karat_formats::{
    Format, Info, Input, Kind, Layout, Offsets, Output, Problem, Progress, Reading, Sample, Source,
    WriteError,
};
use karat_model::Corpus;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::ChunkReader;
use parquet::schema::types::ColumnPath;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// The format.
#[derive(Debug)]
pub(crate) struct Parquet;

static INFO: Info = Info {
    name: "parquet",
    title: "Parquet table",
    about: "The columns of the CSV table in an Apache Parquet file: `doc`, `start`, `end` (exclusive, or `length`), \
            `link` and more, or others named in `columns`. Strings may be plain or dictionaries, numbers of any \
            width; `candidates` is a list of structs `link`, `nil`, `cluster`, `score`, `type` (or JSON text), \
            `attributes` is JSON text. Nested tables with one row per document are not read.",
    reference: "Apache Parquet; docs/formats/tables.md",
    extensions: &["parquet", "pq"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: KEEPS,
};

const MAGIC: &[u8] = b"PAR1";
/// Rows of a file may be this many times its bytes. Those of corpora take more than a byte each; a run of one repeated row
/// takes next to nothing.
const ROWS_PER_BYTE: u64 = 20;
/// This many rows are harmless whatever the size of the file.
const HARMLESS_ROWS: u64 = 1 << 20;
/// A column, and the texts of all documents, may be this many times as large as they are stored.
const MAX_EXPANSION: u64 = 250;
/// Below this size no expansion is dangerous.
const HARMLESS: u64 = 64 << 20;
/// Rows read at a time where each may bring the text of its document.
const ROWS_WITH_TEXT: usize = 1 << 12;
/// Bytes of a row group in memory while it is written.
const GROUP_BYTES: usize = 256 << 20;

impl Format for Parquet {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if sample.bytes.starts_with(MAGIC) { 95 } else { 0 }
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
            guarded(file, || match plain_file(file)? {
                Some(plain) => read_file(file, plain, reading),
                None => read_file(file, Bytes::from(file.bytes(None)?.into_vec()), reading),
            })?;
        }
        Ok(())
    }

    fn files_stand_alone(&self) -> bool {
        true
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        let columns = Columns::of(corpus);
        output.single(|out| {
            let pipe = Pipe::default();
            let schema = Arc::clone(&columns.schema);
            let mut writer =
                ArrowWriter::try_new(pipe.clone(), schema, Some(properties()?)).map_err(failed)?;
            columns.for_each_batch(corpus, |batch| {
                writer.write(&batch).map_err(failed)?;
                // Rows wait in memory until their group is complete, so a group ends early where
                // texts are long.
                if writer.in_progress_size() > GROUP_BYTES {
                    writer.flush().map_err(failed)?;
                }
                Ok(pipe.drain(out)?)
            })?;
            writer.close().map_err(failed)?;
            Ok(pipe.drain(out)?)
        })
    }
}

/// The file itself, if it is one that is not compressed as a whole: then only
/// the row groups at hand are in memory.
fn plain_file(source: &Source) -> Result<Option<File>, Problem> {
    let Some(path) = source.path() else { return Ok(None) };
    let open = || {
        let mut file = File::open(path)?;
        let mut magic = Vec::new();
        (&mut file).take(MAGIC.len() as u64).read_to_end(&mut magic)?;
        file.rewind()?;
        Ok((magic == MAGIC).then_some(file))
    };
    open().map_err(|error: io::Error| source.unreadable(&error))
}

fn read_file(
    source: &Source,
    bytes: impl ChunkReader + 'static,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let opened = Opened::new(source, bytes)?;
    let mut table = Table::open(source, opened.builder.schema(), INFO.offsets, reading)?;
    let columns = table.projection();
    let rows = if table.has(Field::Text) { ROWS_WITH_TEXT } else { BATCH_ROWS };
    let progress = reading.options.progress.clone();
    // A text that stands once in the file may be that of very many documents.
    let (mut texts, most) = (0_u64, HARMLESS.max(opened.size.saturating_mul(MAX_EXPANSION)));
    opened.for_each_batch(&columns, rows, progress.as_deref(), |batch| {
        texts = texts.saturating_add(table.new_texts(batch, &columns));
        if texts > most {
            return Err(bomb(source, format!("its texts are more than {} MiB", most >> 20)));
        }
        table.add(batch, Some(&columns), reading)
    })
}

fn bomb(source: &Source, message: String) -> Problem {
    Problem::new(Kind::Bomb, source.name(), message)
        .hint("if you trust this file, split it into smaller ones")
}

/// A file whose list of columns was read.
struct Opened<'s, B: ChunkReader + 'static> {
    source: &'s Source,
    builder: ParquetRecordBatchReaderBuilder<B>,
    rows: u64,
    /// How many bytes it has.
    size: u64,
}

impl<'s, B: ChunkReader + 'static> Opened<'s, B> {
    fn new(source: &'s Source, bytes: B) -> Result<Opened<'s, B>, Problem> {
        let size = bytes.len();
        let metadata = metadata(&bytes).map_err(|error| {
            undecodable(source, "the list of columns at its end cannot be read", &error)
        })?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(bytes, metadata);
        let rows = u64::try_from(builder.metadata().file_metadata().num_rows()).unwrap_or(u64::MAX);
        // A page of one repeated row takes a few bytes, and decoding it allocates all rows.
        if rows > HARMLESS_ROWS.max(size.saturating_mul(ROWS_PER_BYTE)) {
            return Err(bomb(source, format!("claims {rows} rows in {size} bytes")));
        }
        let groups = builder.metadata().row_groups().iter();
        let chunks = groups.flat_map(RowGroupMetaData::columns);
        for chunk in chunks {
            let bytes = |count: i64| u64::try_from(count).unwrap_or(u64::MAX);
            let (stored, unpacked) =
                (bytes(chunk.compressed_size()), bytes(chunk.uncompressed_size()));
            // What the sizes say is more than the file can have is damage, and told as such when it is read.
            if unpacked > HARMLESS.max(stored.saturating_mul(MAX_EXPANSION)) {
                let message = format!("a column claims to expand to {unpacked} bytes");
                return Err(bomb(source, message));
            }
        }
        Ok(Opened { source, builder, rows, size })
    }

    /// Hands over some columns, so many rows at a time.
    fn for_each_batch(
        self,
        columns: &[usize],
        rows: usize,
        progress: Option<&dyn Progress>,
        mut take: impl FnMut(&RecordBatch) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let source = self.source;
        let mask = ProjectionMask::roots(self.builder.parquet_schema(), columns.iter().copied());
        let batches = self.builder.with_projection(mask).with_batch_size(rows).build();
        let (mut done, mut told) = (0, 0);
        let batches =
            batches.map_err(|error| undecodable(source, "its columns cannot be read", &error))?;
        for batch in batches {
            let batch = batch.map_err(|error| {
                let place = format!("row {} or one of the next {rows} cannot be read", done + 1);
                undecodable(source, &place, &ParquetError::from(error))
            })?;
            take(&batch)?;
            done += batch.num_rows() as u64;
            if let Some(progress) = progress {
                let size = u128::from(source.size());
                let share = (size * u128::from(done) / u128::from(self.rows.max(1))) as u64;
                progress.advance(share.saturating_sub(told));
                told = share.max(told);
            }
        }
        Ok(())
    }
}

/// The list of columns, with plain strings as views: a string that stands once in the file and in very many rows is then in memory
/// once, too.
fn metadata(bytes: &impl ChunkReader) -> Result<ArrowReaderMetadata, ParquetError> {
    let plain = ArrowReaderMetadata::load(bytes, ArrowReaderOptions::new())?;
    let view = |field: &Arc<ArrowField>| match field.data_type() {
        DataType::Utf8 => Arc::new(field.as_ref().clone().with_data_type(DataType::Utf8View)),
        _ => Arc::clone(field),
    };
    let fields: Fields = plain.schema().fields().iter().map(view).collect();
    let schema = Schema::new_with_metadata(fields, plain.schema().metadata().clone());
    let options = ArrowReaderOptions::new().with_schema(Arc::new(schema));
    // Where a column of another kind is not read with a schema, none is.
    Ok(ArrowReaderMetadata::try_new(Arc::clone(plain.metadata()), options).unwrap_or(plain))
}

/// Reads any table: `choose` is given the names of its columns and says which are wanted, in
/// ascending order; `take` is given the cells of a row in these columns, and its number from 1.
pub fn parquet_rows(
    source: &Source,
    progress: Option<&dyn Progress>,
    choose: impl FnOnce(&[&str]) -> Result<Vec<usize>, Problem>,
    take: impl FnMut(u64, &[RowCell<'_>]) -> Result<(), Problem>,
) -> Result<(), Problem> {
    guarded(source, || match plain_file(source)? {
        Some(plain) => rows_of(Opened::new(source, plain)?, progress, choose, take),
        None => {
            let bytes = Bytes::from(source.bytes(None)?.into_vec());
            rows_of(Opened::new(source, bytes)?, progress, choose, take)
        }
    })
}

fn rows_of<B: ChunkReader + 'static>(
    opened: Opened<'_, B>,
    progress: Option<&dyn Progress>,
    choose: impl FnOnce(&[&str]) -> Result<Vec<usize>, Problem>,
    mut take: impl FnMut(u64, &[RowCell<'_>]) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let schema = Arc::clone(opened.builder.schema());
    let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
    let columns = choose(&names)?;
    let source = opened.source;
    let mut number = 0;
    opened.for_each_batch(&columns, ROWS_WITH_TEXT, progress, |batch| {
        let mut arrays = Vec::with_capacity(columns.len());
        for (&at, array) in columns.iter().zip(batch.columns()) {
            arrays.push(AnyColumn::of(array).map_err(|found| {
                let name = names.get(at).copied().unwrap_or_default();
                let message =
                    format!("expected texts, numbers or lists in `{name}`, found {found}");
                Problem::new(Kind::Format, source.name(), message)
                    .hint("convert the column, or give it another name if it is not meant")
            })?);
        }
        for row in 0..batch.num_rows() {
            number += 1;
            let cells: Vec<RowCell<'_>> = arrays.iter().map(|array| array.cell(row)).collect();
            take(number, &cells)?;
        }
        Ok(())
    })
}

/// What an error of the library means for a user: the file is cut, needs something
/// that karat is built without, or is damaged at a place.
fn undecodable(source: &Source, place: &str, error: &ParquetError) -> Problem {
    let said = error.to_string();
    match error {
        _ if said.contains("encrypted") => unsupported(
            source,
            "the file is encrypted",
            "karat has no keys; write the table without encryption",
        ),
        _ if said.contains("Disabled feature") || said.contains("codec") => unsupported(
            source,
            "its columns are compressed in a way karat does not read",
            "karat reads Snappy and zstd; write the table with `compression=\"zstd\"`",
        ),
        ParquetError::NYI(_) => unsupported(
            source,
            "its columns are stored in a way karat does not read",
            "write the table with the default settings of pandas or pyarrow",
        ),
        ParquetError::EOF(_) | ParquetError::NeedMoreData(_) => truncated(source),
        // The magic word at the end is missing.
        _ if said.contains("Corrupt footer") => truncated(source),
        _ => damaged(source, place),
    }
}

fn properties() -> Result<WriterProperties, WriteError> {
    let mut properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(1).map_err(failed)?))
        .set_dictionary_page_size_limit(8 << 20)
        .set_statistics_enabled(EnabledStatistics::Chunk);
    for field in [Field::Start, Field::End] {
        let column = ColumnPath::from(field.name());
        properties = properties
            .set_column_dictionary_enabled(column.clone(), false)
            .set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
    }
    // Texts and scores hardly ever repeat.
    for field in [Field::Text, Field::Score] {
        properties =
            properties.set_column_dictionary_enabled(ColumnPath::from(field.name()), false);
    }
    Ok(properties.build())
}

fn failed(error: ParquetError) -> WriteError {
    io::Error::other(error).into()
}

/// Takes what the Parquet writer gives, which wants a target it can send to
/// other threads, and hands it on.
#[derive(Clone, Default)]
struct Pipe(Arc<Mutex<Vec<u8>>>);

impl Pipe {
    fn drain(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        out.write_all(&bytes)?;
        bytes.clear();
        Ok(())
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests;

//! From a corpus to record batches.

use arrow_array::builder::{BooleanBuilder, Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, ListArray, RecordBatch, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{
    ArrowError, DataType, Field as ArrowField, FieldRef, Fields, Schema, SchemaRef,
};
use karat_formats::WriteError;
use karat_formats::table::{CandidateCell, Field, WrittenCell, for_each_row, used_fields};
use karat_model::Corpus;
use std::sync::Arc;

/// Rows of a batch, and of one reading step.
pub(crate) const BATCH_ROWS: usize = 1 << 16;
/// Bytes of strings after which a batch ends early; Arrow's offsets end at 2 GiB.
const BATCH_BYTES: usize = 64 << 20;
/// Bytes of one cell; even when JSON escapes them all they fit into a batch.
const CELL_BYTES: usize = 256 << 20;

/// The columns of a corpus.
pub(crate) struct Columns {
    fields: Vec<Field>,
    pub(crate) schema: SchemaRef,
}

impl Columns {
    pub(crate) fn of(corpus: &Corpus) -> Columns {
        let fields = used_fields(corpus);
        let column = |field: &Field| {
            // Everything but the document may be null: tables from other tools leave columns empty.
            ArrowField::new(field.name(), data_type(*field), *field != Field::Document)
        };
        let schema = Schema::new(fields.iter().map(column).collect::<Vec<_>>());
        Columns { fields, schema: Arc::new(schema) }
    }

    /// Hands the corpus over batch by batch.
    pub(crate) fn for_each_batch(
        &self,
        corpus: &Corpus,
        mut write: impl FnMut(RecordBatch) -> Result<(), WriteError>,
    ) -> Result<(), WriteError> {
        let mut builders: Vec<Builder> = self.fields.iter().map(|&f| Builder::new(f)).collect();
        let (mut rows, mut bytes) = (0, 0);
        for_each_row(corpus, |row| {
            for (&field, builder) in self.fields.iter().zip(&mut builders) {
                let cell = row.cell(field)?;
                let size = size(&cell);
                if size > CELL_BYTES {
                    let message = format!("a `{}` of more than 256 MiB", field.name());
                    return Err(WriteError::unrepresentable(row.document().name(), message));
                }
                bytes += size;
                builder.append(cell);
            }
            rows += 1;
            // Whichever limit comes first: texts can make a batch of few rows very large.
            if rows == BATCH_ROWS || bytes >= BATCH_BYTES {
                (rows, bytes) = (0, 0);
                write(self.batch(&mut builders)?)?;
            }
            Ok(())
        })?;
        if rows > 0 { write(self.batch(&mut builders)?) } else { Ok(()) }
    }

    fn batch(&self, builders: &mut [Builder]) -> Result<RecordBatch, WriteError> {
        let arrays = builders.iter_mut().map(Builder::finish).collect::<Result<_, _>>();
        let arrays = arrays.map_err(failed)?;
        RecordBatch::try_new(Arc::clone(&self.schema), arrays).map_err(failed)
    }
}

/// A failure to write that is not the corpus's fault.
pub(crate) fn failed(error: ArrowError) -> WriteError {
    match error {
        ArrowError::IoError(_, error) => error.into(),
        other => std::io::Error::other(other).into(),
    }
}

fn data_type(field: Field) -> DataType {
    match field {
        Field::Start | Field::End | Field::Length => DataType::Int64,
        Field::Score => DataType::Float64,
        Field::Nil | Field::Optional | Field::Coreference | Field::Descriptive => DataType::Boolean,
        Field::Candidates => DataType::List(candidate()),
        _ => DataType::Utf8,
    }
}

/// The type of one answer in a list of them.
fn candidate() -> FieldRef {
    Arc::new(ArrowField::new_list_field(DataType::Struct(candidate_fields()), true))
}

fn candidate_fields() -> Fields {
    [
        ("link", DataType::Utf8),
        ("nil", DataType::Boolean),
        ("cluster", DataType::Utf8),
        ("score", DataType::Float64),
        ("type", DataType::Utf8),
    ]
    .into_iter()
    .map(|(name, kind)| ArrowField::new(name, kind, true))
    .collect()
}

fn size(cell: &WrittenCell<'_>) -> usize {
    match cell {
        WrittenCell::Text(text) => text.len(),
        WrittenCell::Candidates(candidates) => {
            let text =
                |text: &Option<std::borrow::Cow<'_, str>>| text.as_ref().map_or(0, |t| t.len());
            let one =
                // 16 bytes for the number and the flags of a candidate.
                |c: &CandidateCell<'_>| text(&c.link) + text(&c.cluster) + text(&c.types) + 16;
            candidates.iter().map(one).sum()
        }
        WrittenCell::Attributes(facts) => {
            facts.iter().map(|(key, value)| key.len() + value.len()).sum()
        }
        _ => 0,
    }
}

enum Builder {
    Text(StringBuilder),
    Whole(Int64Builder),
    Score(Float64Builder),
    Flag(BooleanBuilder),
    Candidates(Box<CandidatesBuilder>),
}

impl Builder {
    fn new(field: Field) -> Builder {
        match data_type(field) {
            DataType::Int64 => Builder::Whole(Int64Builder::new()),
            DataType::Float64 => Builder::Score(Float64Builder::new()),
            DataType::Boolean => Builder::Flag(BooleanBuilder::new()),
            DataType::List(_) => Builder::Candidates(Box::default()),
            _ => Builder::Text(StringBuilder::new()),
        }
    }

    fn append(&mut self, cell: WrittenCell<'_>) {
        match (self, cell) {
            (Builder::Text(builder), WrittenCell::Empty) => builder.append_null(),
            (Builder::Text(builder), cell) => builder.append_value(cell.to_text()),
            (Builder::Whole(builder), WrittenCell::Whole(whole)) => {
                builder.append_value(whole.into());
            }
            (Builder::Whole(builder), _) => builder.append_null(),
            (Builder::Score(builder), WrittenCell::Score(score)) => builder.append_value(score),
            (Builder::Score(builder), _) => builder.append_null(),
            (Builder::Flag(builder), WrittenCell::Flag(flag)) => builder.append_value(flag),
            (Builder::Flag(builder), _) => builder.append_null(),
            (Builder::Candidates(builder), WrittenCell::Candidates(list)) => builder.append(&list),
            (Builder::Candidates(builder), _) => builder.append_null(),
        }
    }

    fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        Ok(match self {
            Builder::Text(builder) => Arc::new(builder.finish()),
            Builder::Whole(builder) => Arc::new(builder.finish()),
            Builder::Score(builder) => Arc::new(builder.finish()),
            Builder::Flag(builder) => Arc::new(builder.finish()),
            // Taken out, because the Arrow builders inside are consumed; an empty one takes its
            // place.
            Builder::Candidates(builder) => Arc::new(std::mem::take(builder).finish()?),
        })
    }
}

/// Lists of answers.
#[derive(Default)]
struct CandidatesBuilder {
    lengths: Vec<usize>,
    present: Vec<bool>,
    link: StringBuilder,
    nil: BooleanBuilder,
    cluster: StringBuilder,
    score: Float64Builder,
    types: StringBuilder,
}

impl CandidatesBuilder {
    fn append(&mut self, candidates: &[CandidateCell<'_>]) {
        self.lengths.push(candidates.len());
        self.present.push(true);
        for candidate in candidates {
            self.link.append_option(candidate.link.as_deref());
            self.nil.append_option(candidate.nil.then_some(true));
            self.cluster.append_option(candidate.cluster.as_deref());
            self.score.append_option(candidate.score);
            self.types.append_option(candidate.types.as_deref());
        }
    }

    fn append_null(&mut self) {
        self.lengths.push(0);
        self.present.push(false);
    }

    fn finish(mut self) -> Result<ListArray, ArrowError> {
        let columns: Vec<ArrayRef> = vec![
            Arc::new(self.link.finish()),
            Arc::new(self.nil.finish()),
            Arc::new(self.cluster.finish()),
            Arc::new(self.score.finish()),
            Arc::new(self.types.finish()),
        ];
        let items = StructArray::try_new(candidate_fields(), columns, None)?;
        let offsets = OffsetBuffer::from_lengths(self.lengths);
        let present = NullBuffer::from(self.present);
        ListArray::try_new(candidate(), offsets, Arc::new(items), Some(present))
    }
}

//! From record batches to a corpus.

use crate::column::{Column, Strings};
use arrow_array::RecordBatch;
use arrow_schema::Schema;
use karat_formats::table::{Field, Locate, Mapping, Rows};
use karat_formats::{Flaw, Offsets, Problem, Reading, Source};
use karat_model::Hint;

/// A file whose columns were found.
pub(crate) struct Table<'s> {
    source: &'s Source,
    mapping: Mapping,
    offsets: Offsets,
    rows: Rows,
    /// How many rows were read.
    done: u64,
}

impl<'s> Table<'s> {
    pub(crate) fn open(
        source: &'s Source,
        schema: &Schema,
        offsets: Offsets,
        reading: &mut Reading<'_>,
    ) -> Result<Table<'s>, Problem> {
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        let mapping = Mapping::find(source.name(), &names, reading.options)?;
        reading.note_columns(&mapping);
        let offsets = reading.offsets(offsets);
        Ok(Table { source, mapping, offsets, rows: Rows::default(), done: 0 })
    }

    /// The columns that are needed, in the order of the file.
    pub(crate) fn projection(&self) -> Vec<usize> {
        let mut columns: Vec<usize> = self.mapping.columns().iter().map(|&(_, at)| at).collect();
        columns.sort_unstable();
        columns
    }

    pub(crate) fn has(&self, field: Field) -> bool {
        self.mapping.has(field)
    }

    /// How many rows were read.
    pub(crate) fn rows(&self) -> u64 {
        self.done
    }

    /// How many bytes of text a batch brings: of rows that follow each other with the same document, the text of the first.
    pub(crate) fn new_texts(&self, batch: &RecordBatch, projection: &[usize]) -> u64 {
        let column = |field: Field| {
            let (at, _) = self.mapping.column(field)?;
            let at = projection.iter().position(|&column| column == at)?;
            Strings::of(batch.columns().get(at)?)
        };
        let Some(texts) = column(Field::Text) else { return 0 };
        let documents = column(Field::Document);
        let document = |row: usize| documents.as_ref().and_then(|names| names.get(row));
        let is_new = |row: &usize| *row == 0 || document(*row) != document(*row - 1);
        let rows = (0..batch.num_rows()).filter(is_new);
        rows.map(|row| texts.get(row).map_or(0, str::len) as u64).sum()
    }

    /// Adds the rows of a batch whose columns are `projection`, or all of the file.
    pub(crate) fn add(
        &mut self,
        batch: &RecordBatch,
        projection: Option<&[usize]>,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let name = self.source.name();
        let mut columns = Vec::with_capacity(self.mapping.columns().len());
        for &(field, at) in self.mapping.columns() {
            let at = projection
                .map_or(Some(at), |columns| columns.iter().position(|&column| column == at));
            // A batch has the columns of its schema; one that has not is damaged.
            let Some(array) = at.and_then(|at| batch.columns().get(at)) else {
                return Err(crate::damage::damaged(
                    self.source,
                    format!("the rows after row {} lack a column", self.done),
                ));
            };
            let column = Column::of(array, field, &mut self.rows, &mut reading.corpus);
            columns.push((field, column.map_err(|flaw| self.mistyped(field, &flaw))?));
        }
        let here = InTable { mapping: &self.mapping };
        for row in 0..batch.num_rows() {
            let cells = columns.iter().map(|(field, column)| (*field, column.value(row)));
            self.rows.push(reading, name, &here, self.done + row as u64, cells)?;
        }
        self.done += batch.num_rows() as u64;
        self.rows.fill(reading, name, self.offsets, &here)
    }

    fn mistyped(&self, field: Field, flaw: &Flaw) -> Problem {
        let column = self.mapping.column(field).map_or(field.name(), |(_, name)| name);
        let message = format!("column `{column}`: {flaw}");
        Problem::new(karat_formats::Kind::Malformed, self.source.name(), message).hint(
            Hint::from("name another column with ")
                .setting("columns", format!("{}=...", field.name()))
                .text(", or an empty one to leave it out"),
        )
    }
}

/// Names rows and columns; a place is the number of a row.
struct InTable<'t> {
    mapping: &'t Mapping,
}

impl Locate for InTable<'_> {
    fn locate(&self, place: u64, field: Field, problem: Problem) -> Problem {
        let column = self.mapping.column(field).map_or(field.name(), |(_, name)| name);
        let message = format!("row {}, column `{column}`: {}", place + 1, problem.message);
        // What was found in a row has no line; the row says where it is.
        Problem { message, place: None, ..problem }
    }
}

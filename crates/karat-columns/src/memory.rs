//! Tables in memory: record batches to a corpus and back, without a file between.
//!
//! A data frame of pandas or polars, a table of Hugging Face datasets and a partition of Spark are record
//! batches already. The columns, the checks and the messages are those of the files, because the
//! code is: [`crate::table`] reads both and [`crate::batches`] writes both.

use crate::batches::Columns;
use crate::table::Table;
use arrow_array::RecordBatch;
use karat_formats::table::KEEPS;
use karat_formats::{
    Kind, Offsets, Problem, ReadOptions, ReadOutcome, Source, WriteError, read_in_memory,
};
use karat_model::{Corpus, Loss};

/// The corpus of record batches with the columns of one table: `doc`, `start`, `end` (exclusive, or
/// `length`), `link` and more, or others named in [`ReadOptions::columns`]. Rows of a document may be
/// in several batches. `name` stands for the file in problems. No batches are an empty corpus.
///
/// ```
/// use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
/// use karat_columns::{corpus_from_batches, corpus_to_batches};
/// use karat_formats::ReadOptions;
/// use std::sync::Arc;
///
/// let columns: [(&str, ArrayRef); 4] = [
///     ("doc", Arc::new(StringArray::from(vec!["d1", "d1"]))),
///     ("start", Arc::new(Int64Array::from(vec![0, 11]))),
///     ("end", Arc::new(Int64Array::from(vec![6, 16]))),
///     ("qid", Arc::new(StringArray::from(vec!["Q64", "Q90"]))),
/// ];
/// let batch = RecordBatch::try_from_iter(columns)?;
/// let corpus = corpus_from_batches("predictions", [&batch], &ReadOptions::default())?.corpus;
/// assert_eq!(corpus.annotations().len(), 2);
///
/// let (batches, loss) = corpus_to_batches(&corpus)?;
/// assert!(loss.is_empty());
/// assert_eq!(batches[0].schema().field(3).name(), "link");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn corpus_from_batches<'b>(
    name: &str,
    batches: impl IntoIterator<Item = &'b RecordBatch>,
    options: &ReadOptions,
) -> Result<ReadOutcome, Problem> {
    // The table wants a file to name in problems.
    let source = Source::memory(name, []);
    read_in_memory(name, Offsets::CODE_POINTS, options, |reading| {
        let mut batches = batches.into_iter();
        let Some(first) = batches.next() else { return Ok(()) };
        let schema = first.schema();
        let mut table = Table::open(&source, &schema, Offsets::CODE_POINTS, reading)?;
        table.add(first, None, reading)?;
        for (number, batch) in (2..).zip(batches) {
            let own = batch.schema();
            let names = |fields: &arrow_schema::Fields| -> Vec<String> {
                fields.iter().map(|field| field.name().clone()).collect()
            };
            if names(own.fields()) != names(schema.fields()) {
                let message = format!("batch {number} has other columns than the first");
                return Err(Problem::new(Kind::Format, name, message)
                    .hint("give batches of one table, with the same columns in the same order"));
            }
            table.add(batch, None, reading)?;
        }
        Ok(())
    })
}

/// A corpus as record batches of at most 65,536 rows, and what a table cannot hold of it. There is always one batch,
/// so that the columns are known of a corpus without rows too.
pub fn corpus_to_batches(corpus: &Corpus) -> Result<(Vec<RecordBatch>, Loss), WriteError> {
    let (corpus, loss) = corpus.restricted(&KEEPS);
    let columns = Columns::of(&corpus);
    let mut batches = Vec::new();
    columns.for_each_batch(&corpus, |batch| {
        batches.push(batch);
        Ok(())
    })?;
    if batches.is_empty() {
        batches.push(RecordBatch::new_empty(columns.schema));
    }
    Ok((batches, loss))
}

#[cfg(test)]
mod tests;

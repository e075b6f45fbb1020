//! Results in the files of ELEVANT, which its web application can show.

mod cases;
mod metadata;
mod request;
mod results;

pub use cases::CaseWriter;
pub use metadata::{file_name, metadata, timestamp};
pub use request::{ElevantAnswer, ElevantRecord, ElevantRequest};
pub use results::results;

use crate::errors::{ErrorCounts, Inspection};
use karat_facets::taxonomy::Labelled;
use karat_formats::{Layout, Output, WriteError};
use karat_model::Corpus;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Does something for many runs at once: benchmark, gold and output of each. The answers keep the
/// order of the runs.
pub fn for_each_run<T: Send>(
    runs: &[(&str, &Corpus, &Corpus)],
    work: impl Fn(&str, &Corpus, &Corpus) -> T + Sync,
) -> Vec<T> {
    runs.par_iter().map(|(benchmark, gold, system)| work(benchmark, gold, system)).collect()
}

/// The two files of one system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElevantFiles {
    /// `eval_results.json`.
    pub results: Value,
    /// The lines of `eval_cases.jsonl`, one for each document; none where only results were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<Value>,
}

impl ElevantFiles {
    /// Writes both files and what is known of the experiment, each under this path with an ending of
    /// its own.
    pub fn write(&self, path: &str, metadata: &Value) -> Result<(), WriteError> {
        let lines: String = self.cases.iter().map(|line| format!("{line}\n")).collect();
        let contents = [
            ("eval_results.json", format!("{}\n", self.results)),
            ("eval_cases.jsonl", lines),
            ("metadata.json", format!("{metadata}\n")),
        ];
        for (ending, content) in contents {
            let mut output = Output::create(&format!("{path}.{ending}"), Layout::File)?;
            output.single(|out| Ok(out.write_all(content.as_bytes())?))?;
            output.commit()?;
        }
        Ok(())
    }
}

/// The name of a benchmark, without what its file says of itself.
pub(crate) fn benchmark_name(name: &str) -> &str {
    name.trim_end_matches(".benchmark")
}

/// Evaluates a system and writes everything down, case by case.
pub fn files(
    inspection: &Inspection<'_>,
    benchmark: &str,
    gold: &Corpus,
    system: &Corpus,
) -> Result<ElevantFiles, WriteError> {
    Ok(files_and_counts(inspection, benchmark, gold, system)?.0)
}

/// The same with the counts that the results were made from.
fn files_and_counts(
    inspection: &Inspection<'_>,
    benchmark: &str,
    gold: &Corpus,
    system: &Corpus,
) -> Result<(ElevantFiles, ErrorCounts), WriteError> {
    let mut documents = Vec::new();
    let counts = inspection.counts_and(benchmark, gold, system, |name, _, labelled| {
        documents.push((name, labelled));
    });
    let (taxonomy, base) = (inspection.taxonomy, inspection.base);
    let writer = CaseWriter { taxonomy, base, closed: counts.closed() };
    let line = |(name, labelled): &(&str, Vec<Labelled<'_>>)| {
        let labels = gold.document(name).map(|document| karat_formats::elevant_labels(&document));
        Ok(writer.line(labelled, &labels.transpose()?.unwrap_or_default()))
    };
    let cases: Result<Vec<Value>, WriteError> = documents.iter().map(line).collect();
    Ok((ElevantFiles { results: results(&counts, taxonomy), cases: cases? }, counts))
}

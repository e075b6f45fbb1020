//! Results in the files of ELEVANT, which its web application can show.

mod cases;
mod metadata;
mod results;

pub use cases::CaseWriter;
pub use metadata::{file_name, metadata, timestamp};
pub use results::results;

use crate::errors::Inspection;
use karat_facets::taxonomy::Labelled;
use karat_formats::{Layout, Output, WriteError};
use karat_model::Corpus;
use rayon::prelude::*;
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
#[derive(Debug, Clone)]
pub struct Files {
    /// `eval_results.json`.
    pub results: Value,
    /// The lines of `eval_cases.jsonl`, one for each document.
    pub cases: Vec<Value>,
}

impl Files {
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

/// The results of several systems: those of one alone as they are, more by their names.
pub fn together(names: &[String], mut results: Vec<Value>) -> Value {
    match results.len() {
        1 => results.remove(0),
        _ => Value::Object(names.iter().cloned().zip(results).collect()),
    }
}

/// Evaluates a system and writes everything down, case by case.
pub fn files(
    inspection: &Inspection<'_>,
    benchmark: &str,
    gold: &Corpus,
    system: &Corpus,
) -> Result<Files, WriteError> {
    let mut documents = Vec::new();
    let counts = inspection.counts_and(benchmark, gold, system, |name, _, labelled| {
        documents.push((name.to_owned(), labelled));
    });
    let (taxonomy, base) = (inspection.taxonomy, inspection.base);
    let writer = CaseWriter { taxonomy, base, closed: counts.closed() };
    let line = |(name, labelled): &(String, Vec<Labelled<'_>>)| {
        let labels = gold.document(name).map(|document| karat_formats::elevant_labels(&document));
        Ok(writer.line(labelled, &labels.transpose()?.unwrap_or_default()))
    };
    let cases: Result<Vec<Value>, WriteError> = documents.iter().map(line).collect();
    Ok(Files { results: results(&counts, taxonomy), cases: cases? })
}

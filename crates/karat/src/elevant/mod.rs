//! Results in the files of ELEVANT, which its web application can show.

mod cases;
mod results;

pub use cases::CaseWriter;
pub use results::results;

use crate::errors::Inspection;
use karat_formats::WriteError;
use karat_model::Corpus;
use serde_json::Value;

/// The two files of one system.
#[derive(Debug, Clone)]
pub struct Files {
    /// `eval_results.json`.
    pub results: Value,
    /// The lines of `eval_cases.jsonl`, one for each document.
    pub cases: Vec<Value>,
}

/// Evaluates a system and writes everything down, case by case.
pub fn files(
    inspection: &Inspection<'_>,
    benchmark: &str,
    gold: &Corpus,
    system: &Corpus,
) -> Result<Files, WriteError> {
    let counts = inspection.counts(benchmark, gold, system);
    let closed = [0, 1].map(|mode| counts.modes[mode].untyped == 0);
    let writer = CaseWriter { base: inspection.base, closed };
    let mut cases = Vec::new();
    let mut refused = None;
    inspection.documents(gold, system, |_, name, labelled| {
        let labels = gold.document(name).map(|document| karat_formats::elevant_labels(&document));
        match labels.transpose() {
            Ok(labels) => cases.push(writer.line(&labelled, &labels.unwrap_or_default())),
            Err(error) => refused = Some(error),
        }
    });
    match refused {
        Some(error) => Err(error),
        None => Ok(Files { results: results(&counts, inspection.taxonomy), cases }),
    }
}

//! The answer to a request about errors: the contract of `karat errors --format json`.

use super::suspects::VerificationTask;
use super::tables;
use crate::inputs::ComparedDigests;
use crate::request::{Answer, record};
use crate::scoring::json::signature_of;
use karat_model::Notice;
use karat_report::{Deferred, Report, Table, as_rows};
use serde::{Deserialize, Serialize};

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ErrorsAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces all numbers.
    pub signature: String,
    /// What was found.
    #[serde(flatten)]
    pub found: FoundErrors,
    /// What reproduces the numbers of each benchmark, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub signatures: Vec<String>,
    /// The digests of gold and systems, if they were asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub digests: Vec<ComparedDigests>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FoundErrors {
    /// Places where gold may be wrong, the most suspicious of each benchmark first.
    Tasks {
        /// A task for somebody who verifies each.
        tasks: Vec<VerificationTask>,
    },
    /// Counts, or mentions one by one: an object for each row under `rows`, and the columns of the table.
    Rows(#[serde(with = "as_rows")] Table),
}

impl ErrorsAnswer {
    /// What was found, with the signatures of the benchmarks.
    pub(super) fn new(
        found: FoundErrors,
        signatures: Vec<String>,
        notices: Vec<Notice>,
    ) -> ErrorsAnswer {
        ErrorsAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: signature_of(&signatures),
            found,
            signatures: if signatures.len() > 1 { signatures } else { Vec::new() },
            digests: Vec::new(),
            notices,
        }
    }
}

impl Answer for ErrorsAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let several = !self.signatures.is_empty();
        let report = match &self.found {
            FoundErrors::Tasks { tasks } => Report {
                records: Some(Deferred::by(|| tasks.iter().map(record).collect())),
                ..Report::of(Deferred::by(move || tables::suspects(tasks, several)))
            },
            FoundErrors::Rows(table) => Report {
                rows: Some(table.into()),
                ..Report::of(match tables::has_many_candidates(table) {
                    true => Deferred::by(|| tables::with_few_candidates(table)),
                    false => table.into(),
                })
            },
        };
        let signatures = match several {
            true => self.signatures.clone(),
            false => vec![self.signature.clone()],
        };
        Report { record: Some(Deferred::by(|| record(self))), signatures, ..report }
    }
}

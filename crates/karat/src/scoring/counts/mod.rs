//! Counts out of an evaluation, and into another.
//!
//! Scoring is counting, adding and a formula. What was counted in some documents can be taken out
//! ([`CountsRequest`]), kept in a file ([`EvaluationCounts::write`]), put together with the counts of other documents
//! ([`EvaluationCounts::merge`]) and scored ([`EvaluationCounts::answer`]): the answer has the digits of an
//! evaluation of all documents at once, intervals included. That is what jobs on many machines and caches need.
//!
//! What needs to see all documents at once is refused when counts are taken, with the reason.

mod beside;
mod file;
mod kept;
mod merged;
mod taken;

use super::EvaluationRequest;
use karat_model::{DocumentDigests, Notice};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::str::FromStr;

pub use kept::CountsKeeper;
pub(crate) use kept::counts_of_runs;
pub use merged::MergeRequest;
pub use taken::CountsRequest;

/// The version of the file of counts. It grows when something in it changes its meaning.
pub const VERSION: u32 = 1;

/// What was counted in some documents of a benchmark, for one or more systems.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvaluationCounts {
    /// What was counted, and how.
    pub plan: CountsPlan,
    /// What the gold standard holds, as far as it was counted.
    pub gold: CountedGold,
    /// The counts of each system, in the order of the plan.
    pub systems: Vec<CountedSystem>,
}

/// What is counted, and how: counts of one plan can be put together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CountsPlan {
    /// The version of the file.
    #[serde(rename = "karat.counts")]
    pub version: u32,
    /// Everything that decides the numbers, as a signature has it, but for the gold standard.
    pub settings: String,
    /// The evaluation that was asked for, without its files.
    pub request: EvaluationRequest,
    /// Whether ids are compared by what they name because their spellings differed.
    pub by_name: bool,
    /// What the gold standard is called.
    pub benchmark: String,
    /// What the systems are called.
    pub systems: Vec<String>,
    /// The measures, in order.
    pub measures: Vec<CountedMeasure>,
}

/// A measure of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedMeasure {
    /// Its name as it was asked for.
    pub name: String,
    /// Its name in karat.
    pub measure: String,
    /// What it counts in a document; nothing for measures of the whole corpus.
    pub columns: Vec<String>,
}

/// The documents whose names hash to `index` modulo `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which of them, from 0.
    pub index: u32,
    /// How many there are.
    pub of: u32,
}

/// Text that is no shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// There are no two numbers.
    #[error("expected I/N with whole numbers, such as 0/4")]
    NoNumbers,
    /// There are not so many parts.
    #[error("parts are numbered from 0: of 4 parts, the last is 3/4")]
    NotThere,
}

/// Written `I/N`.
impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Shard, ShardError> {
        let number = |digits: &str| digits.trim().parse::<u32>().ok();
        let numbers = text.split_once('/').and_then(|(i, n)| Some((number(i)?, number(n)?)));
        match numbers {
            None => Err(ShardError::NoNumbers),
            Some((index, of)) if index < of => Ok(Shard { index, of }),
            Some(_) => Err(ShardError::NotThere),
        }
    }
}

/// What a gold standard holds, as far as it was counted.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CountedGold {
    /// The shards these are; none where parts are whole files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shards: Vec<Shard>,
    /// How many documents it has.
    pub documents: usize,
    /// How many annotations.
    pub annotations: usize,
    /// How many of them link to an entity.
    pub linked: usize,
    /// How many are NIL.
    pub nil: usize,
    /// How many are optional.
    pub optional: usize,
    /// The entities, by a hash of their ids.
    pub entities: BTreeSet<u64>,
    /// Whether there are clusters of NIL.
    pub nil_clusters: bool,
    /// Whether the rest of the part decided between mentions on one span.
    pub ties: bool,
    /// The digests of its documents.
    pub digests: DocumentDigests,
    /// What reading told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// What is told of gold and runs after the scores.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<Notice>,
}

/// What was counted of one system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CountedSystem {
    /// Where its output was read from.
    pub source: String,
    /// How many documents of gold it says nothing about.
    pub silent_documents: usize,
    /// The documents that gold does not have.
    pub unknown_documents: Vec<String>,
    /// The digests of its documents, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digests: Option<DocumentDigests>,
    /// The counts of each document: the columns of all measures, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<DocumentCounts>,
    /// Which gold mentions were found, if that was asked for: for each measure, and for each document of gold, `+`
    /// for each mention that was found, `-` for one that was missed, `.` for one that does not count. Nothing for
    /// measures that have no cases.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<Option<Vec<String>>>,
    /// What measures of the whole corpus took down, those with the same items together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub purposes: Vec<CountedPurpose>,
}

/// The counts of one document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentCounts {
    /// Its name.
    pub document: String,
    /// The counts.
    pub counts: Vec<f64>,
}

/// What measures of the whole corpus with the same items took down.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CountedPurpose {
    /// How many gold mentions a prediction could have found.
    pub gold: u64,
    /// Clusters that meet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<ClusterCell>,
    /// Predictions by confidence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confidences: Vec<ConfidenceCount>,
}

/// How many items are in a gold cluster and in a system cluster. A cluster is named by 32 hexadecimal digits,
/// a hash of the canonical name of its entity or of the name of its NIL cluster; `alone` are clusters of one
/// item each, `nil` is that of all NIL where the convention has one. A side that does not have the items has none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ClusterCell {
    /// The gold cluster.
    pub gold_key: Option<String>,
    /// The system cluster.
    pub system_key: Option<String>,
    /// How many items are in both.
    pub items: u64,
}

/// How many predictions have a confidence.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ConfidenceCount {
    /// The confidence; `None` for those without one.
    pub confidence: Option<f64>,
    /// Whether they are right.
    pub right: bool,
    /// How many there are.
    pub items: u64,
}

/// In place of a cluster: each item is alone in its own.
const ALONE: &str = "alone";
/// In place of a cluster: that of all NIL.
const NIL: &str = "nil";

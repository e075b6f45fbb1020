//! A mention to annotate.

use karat_model::Span;
use serde::{Deserialize, Serialize};

/// A mention to annotate, as one line of an annotation task has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnnotationTask {
    /// A name for the task, unique in its corpus.
    pub task: String,
    /// The document.
    pub document: String,
    /// Where the mention is, in code points, the end exclusive.
    #[serde(with = "two_offsets")]
    pub span: Span,
    /// Its words, if they are known.
    pub mention: Option<String>,
    /// What stands before it.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// What it may be linked to, the best first, as far as the corpus says.
    pub candidates: Vec<String>,
    /// The stratum it was chosen from.
    pub stratum: Option<String>,
    /// How likely it was to be chosen, given the first that was not.
    pub probability: f64,
    /// One over the probability: sums that are weighted so estimate sums over all queries.
    pub weight: f64,
}

/// A span as `[start, end]`.
mod two_offsets {
    use karat_model::Span;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(span: &Span, serializer: S) -> Result<S::Ok, S::Error> {
        [span.start, span.end].serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Span, D::Error> {
        let [start, end] = <[u32; 2]>::deserialize(deserializer)?;
        Ok(Span::new(start, end))
    }
}

//! What a linker answers.

use serde::{Deserialize, Serialize};

/// What a mention is linked to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum AnsweredLink {
    /// An entity, spelled as the linker spells it.
    To(String),
    /// No entity of the knowledge base: the linker says so.
    Nil,
    /// The linker found the mention and says nothing of what it is.
    #[default]
    NoAnswer,
}

/// One of the entities that a linker considered.
#[derive(Debug, Clone, PartialEq)]
pub struct AnsweredCandidate {
    /// The entity, spelled as the linker spells it.
    pub id: String,
    /// Its score, on the scale of the linker.
    pub score: Option<f64>,
}

/// A mention as a linker answers it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AnsweredMention {
    /// Start and end in the unit of [`LinkerInfo::unit`](crate::LinkerInfo::unit), the end as
    /// [`LinkerInfo::end`](crate::LinkerInfo::end) says; `None` where the linker tells surfaces only.
    pub at: Option<(u64, u64)>,
    /// The text of the mention as the linker tells it.
    pub surface: Option<String>,
    /// What it is linked to.
    pub link: AnsweredLink,
    /// How sure the linker is, on its own scale.
    pub confidence: Option<f64>,
    /// Types that the linker gives the mention.
    pub types: Vec<String>,
    /// What the linker considered, best first.
    pub candidates: Vec<AnsweredCandidate>,
}

impl AnsweredMention {
    /// A mention at these offsets.
    pub fn at(start: u64, end: u64, link: AnsweredLink) -> AnsweredMention {
        AnsweredMention { at: Some((start, end)), link, ..AnsweredMention::default() }
    }

    /// The mention with the text that the linker tells of it.
    #[must_use]
    pub fn with_surface(mut self, surface: impl Into<String>) -> AnsweredMention {
        self.surface = Some(surface.into());
        self
    }

    /// The mention with a confidence.
    #[must_use]
    pub fn with_confidence(mut self, confidence: f64) -> AnsweredMention {
        self.confidence = Some(confidence);
        self
    }
}

/// How much a language model or a service counted for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TokenUsage {
    /// What went in, the cached part included.
    #[serde(rename = "in", default)]
    pub input: u64,
    /// What of it was cached.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached: u64,
    /// What came out.
    #[serde(rename = "out", default)]
    pub output: u64,
    /// Whether karat estimated these, because the server does not tell.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What a linker answers to one task.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinkAnswer {
    /// What it found, in its order.
    pub mentions: Vec<AnsweredMention>,
    /// What was counted for the answer.
    pub usage: Option<TokenUsage>,
    /// How long the server says that it took, in milliseconds.
    pub server_ms: Option<f64>,
    /// The model that answered, as the server names it.
    pub model: Option<String>,
    /// What is remarkable about the answer, by a short name: `not-placed`, `placed-by-repair`. Reports count these.
    pub counted: Vec<(String, u64)>,
}

//! What a format can hold of a corpus.

use std::collections::BTreeMap;

bitflags::bitflags! {
    /// The parts of the model that a format can carry.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Features: u64 {
        /// Text of documents.
        const TEXT = 1;
        /// Documents without any annotation.
        const EMPTY_DOCUMENTS = 1 << 1;
        /// The part of a document that is annotated.
        const EVALUATION_SPAN = 1 << 2;
        /// Tokens.
        const TOKENS = 1 << 3;
        /// Sentences.
        const SENTENCES = 1 << 4;
        /// Hyperlinks.
        const HYPERLINKS = 1 << 5;
        /// Synonyms of the title.
        const TITLE_SYNONYMS = 1 << 6;
        /// Sections.
        const SECTIONS = 1 << 7;
        /// Passages.
        const PASSAGES = 1 << 8;
        /// Mentions without an answer, told apart from NIL.
        const UNLINKED = 1 << 9;
        /// NIL, told apart from no answer.
        const NIL = 1 << 10;
        /// Clusters of NIL mentions.
        const NIL_CLUSTERS = 1 << 11;
        /// Confidence of an annotation.
        const CONFIDENCE = 1 << 12;
        /// Ranked candidates.
        const CANDIDATES = 1 << 13;
        /// Scores of candidates.
        const CANDIDATE_SCORES = 1 << 14;
        /// Types of candidates.
        const CANDIDATE_TYPES = 1 << 15;
        /// Several equally right names of the linked entity.
        const EQUIVALENTS = 1 << 16;
        /// One type per annotation.
        const TYPE = 1 << 17;
        /// Several types per annotation.
        const TYPES = 1 << 18;
        /// Category tags.
        const TAGS = 1 << 19;
        /// Optional mentions.
        const OPTIONAL = 1 << 20;
        /// Coreference, stated or denied.
        const COREFERENCE = 1 << 21;
        /// Descriptive mentions.
        const DESCRIPTIVE = 1 << 22;
        /// Gold and system annotations side by side.
        const SIDES = 1 << 23;
        /// One alternative reading of several parts (ELEVANT's children).
        const PARTS = 1 << 24;
        /// Several alternative links on one span.
        const ALTERNATIVES = 1 << 25;
        /// Mentions that overlap.
        const OVERLAPS = 1 << 26;
        /// Two annotations on one span.
        const REPEATS = 1 << 27;
        /// Mentions that cover nothing.
        const EMPTY_SPANS = 1 << 28;
        /// Candidates in any order and whatever the answer is. A format without
        /// this keeps them ranked by score, the answer itself first.
        const UNRANKED_CANDIDATES = 1 << 29;
        /// Mentions without an answer, told apart from NIL where nothing else is said of them: no
        /// type, no confidence, no candidate, no attribute.
        const BARE_UNLINKED = 1 << 30;
    }
}

/// What a format keeps of a corpus.
#[derive(Debug, Clone, Copy)]
pub struct Restriction {
    /// The parts of the model it carries.
    pub features: Features,
    /// The document attributes it carries; `"*"` for all.
    pub document_attributes: &'static [&'static str],
    /// The annotation attributes it carries; `"*"` for all, `"!key"` for all but this.
    pub annotation_attributes: &'static [&'static str],
}

impl Restriction {
    pub(crate) fn keeps_document_attribute(&self, key: &str) -> bool {
        carries(self.document_attributes, key)
    }

    pub(crate) fn keeps_annotation_attribute(&self, key: &str) -> bool {
        carries(self.annotation_attributes, key)
    }

    /// Everything there is.
    pub const NOTHING_LOST: Restriction = Restriction {
        features: Features::all(),
        document_attributes: &["*"],
        annotation_attributes: &["*"],
    };
}

/// What was left out, and how often.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Loss {
    counts: BTreeMap<String, usize>,
}

impl Loss {
    pub(crate) fn add(&mut self, what: &str, count: usize) {
        if count > 0 {
            *self.counts.entry(what.to_owned()).or_default() += count;
        }
    }

    /// Whether nothing was left out.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// What was left out and how often, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.counts.iter().map(|(what, &count)| (what.as_str(), count))
    }
}

fn carries(keys: &[&str], key: &str) -> bool {
    let excluded = keys.iter().any(|carried| carried.strip_prefix('!') == Some(key));
    !excluded && keys.iter().any(|&carried| carried == "*" || carried == key)
}

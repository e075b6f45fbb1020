//! Gold patches: corrections of a gold standard as a file that can be read, checked, merged, undone and cited.
//!
//! A patch is a file of lines, `NAME.goldpatch.jsonl`: the first says what it is for, each other is one change of one mention
//! ([`GoldChange`]), with what was there before. Keys are in a fixed order and lines are sorted, so that version
//! control shows and merges it line by line.
//!
//! Against a corpus a change is in one of four states ([`ChangeState`]): it applies, it is there already, it is in conflict
//! with what is there, or its text is lost. States are found against the corpus as it is, never one change after the other: the
//! order of lines cannot matter.
//!
//! ```
//! use karat_model::{CorpusBuilder, Link, OffsetUnit, Span};
//! use karat_verify::patch::{self, GoldPatch};
//!
//! let gold = |entity: &str| {
//!     let mut builder = CorpusBuilder::new();
//!     builder.continue_document("d1");
//!     builder.set_text("Paris refused to sign.");
//!     let link = Link::to(builder.intern(entity));
//!     builder.annotate(Span::new(0, 5), link);
//!     builder.finish()
//! };
//! let (city, state) = (gold("Q90"), gold("Q142"));
//! let patch = GoldPatch::between(&city, &state, OffsetUnit::CodePoints)?;
//! assert_eq!(patch.changes[0].described(), "Q90 -> Q142");
//! let read = patch::read(&patch.to_string()).expect("what is written can be read");
//! assert_eq!(read.applied_to(&city).corpus.digest(), state.digest());
//! # Ok::<(), patch::NoPatch>(())
//! ```

mod apply;
mod change;
mod content;
mod decided;
mod diff;
mod merge;
mod reader;
mod rebase;
mod revert;
mod review;
mod shape;
mod states;
#[cfg(test)]
mod tests;
mod verified;
mod view;

use karat_model::{Corpus, Digest, OffsetUnit};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::fmt;

pub use apply::Patched;
pub use change::{GoldChange, PatchAction, Piece, check};
pub use content::{GoldAnswer, GoldContent, GoldField};
pub use decided::DecidedPlace;
pub use diff::NoPatch;
pub use merge::{BasesDiffer, Contradiction};
pub use reader::{PatchProblem, read};
pub use rebase::Rebased;
pub use review::{ReviewDecision, ReviewError, ReviewVerdict};
pub use states::{ChangeState, JudgedChange, StateCounts};
pub use verified::VerifiedCampaign;

/// A patch: what it is for, and its changes in the order of its lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GoldPatch {
    /// What it is called.
    pub name: Option<String>,
    /// What it is for.
    pub base: PatchBase,
    /// The knowledge base that its ids are of.
    pub kb: Option<String>,
    /// Who made it.
    pub by: Option<String>,
    /// Under which licence it may be passed on.
    pub licence: Option<String>,
    /// The digest of the annotations of its base after all changes.
    pub result: Option<Digest>,
    /// The changes: sorted, no two with one id.
    pub changes: Vec<GoldChange>,
}

/// The gold standard that a patch was made for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PatchBase {
    /// What it is called.
    pub name: Option<String>,
    /// The digest of what gold says of its mentions.
    pub annotations: Option<Digest>,
    /// The digest of its texts.
    pub texts: Option<Digest>,
    /// The six digits that signatures show. They are for people and are never compared.
    pub short: Option<String>,
    /// What its offsets count: something other than code points only where it has no texts.
    pub unit: OffsetUnit,
}

/// What comes before the digits of a digest in a patch: which digest it is. It is the one that karat has of every corpus, free of
/// any order; another would make two names of one gold standard.
const DIGEST: &str = "karat1:";

/// The version of the format.
const VERSION: u64 = 1;

impl PatchBase {
    /// What is there to say of a corpus. Six digits for people are those of its whole content.
    pub fn of(corpus: &Corpus, unit: OffsetUnit) -> PatchBase {
        PatchBase {
            name: None,
            annotations: Some(view::annotations_digest(corpus)),
            texts: view::texts_digest(corpus),
            short: Some(corpus.digest().short()),
            unit,
        }
    }

    /// Whether a corpus is what the patch was made for; `None` where the patch does not say.
    pub fn is(&self, corpus: &Corpus) -> Option<bool> {
        let annotations = view::annotations_digest(corpus);
        Some(self.annotations? == annotations)
    }

    fn value(&self) -> Option<Value> {
        let mut base = Map::new();
        let mut put = |key: &str, value: Option<String>| {
            if let Some(value) = value {
                base.insert(key.to_owned(), json!(value));
            }
        };
        put("name", self.name.clone());
        put("annotations", self.annotations.map(written));
        put("texts", self.texts.map(written));
        put("short", self.short.clone());
        let is_usual = self.unit == OffsetUnit::CodePoints;
        put("unit", (!is_usual).then(|| self.unit.name().to_owned()));
        (!base.is_empty()).then_some(Value::Object(base))
    }
}

/// A digest as a patch has it.
fn written(digest: Digest) -> String {
    format!("{DIGEST}{digest}")
}

impl GoldPatch {
    /// The digest of a patch: of the ids of the changes that are applied, in their order. What is said about changes, and
    /// what was refused, does not matter.
    pub fn digest(&self) -> Digest {
        let mut ids: Vec<String> = self.active().map(GoldChange::id).collect();
        ids.sort_unstable();
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        Digest::of_pieces([b"karat goldpatch 1\n".as_slice(), lines.as_bytes()])
    }

    /// The changes that are applied: neither refused nor still to be chosen.
    pub fn active(&self) -> impl Iterator<Item = &GoldChange> {
        self.changes.iter().filter(|change| change.is_active())
    }

    /// The patch without words, for texts that may not be shared.
    pub fn masked(mut self) -> GoldPatch {
        self.changes.iter_mut().for_each(|change| change.words = None);
        self
    }

    /// The patch with only those changes that `keep` wants.
    pub fn only(&self, keep: impl Fn(&GoldChange) -> bool) -> GoldPatch {
        let changes = self.changes.iter().filter(|change| keep(change)).cloned().collect();
        let mut patch = GoldPatch { changes, ..self.clone() };
        if patch.changes.len() < self.changes.len() {
            patch.result = None;
        }
        patch
    }

    /// Brings the changes into order, and makes one of those with the same id.
    fn settle(&mut self) {
        let changes = std::mem::take(&mut self.changes);
        self.changes = merge::united(changes);
        // What must be chosen from may have gone since.
        let ids: BTreeSet<String> = self.changes.iter().map(GoldChange::id).collect();
        self.changes.iter_mut().for_each(|change| change.open.retain(|id| ids.contains(id)));
    }

    fn header(&self) -> String {
        let mut header = Map::new();
        header.insert("goldpatch".to_owned(), json!(VERSION));
        let mut put = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                header.insert(key.to_owned(), value);
            }
        };
        let text = |value: &Option<String>| value.as_ref().map(|value| json!(value));
        put("name", text(&self.name));
        put("base", self.base.value());
        put("kb", text(&self.kb));
        put("by", text(&self.by));
        put("licence", text(&self.licence));
        put("result", self.result.map(|result| json!(written(result))));
        Value::Object(header).to_string()
    }
}

/// The file: a line for what it is for, and one for each change.
impl fmt::Display for GoldPatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.header())?;
        self.changes.iter().try_for_each(|change| writeln!(f, "{}", change.line()))
    }
}

//! The patch that turns one gold standard into another.

use super::change::{GoldChange, PatchAction, Piece};
use super::content::{GoldAnswer, GoldContent, GoldField};
use super::view::{DocumentGold, Root};
use super::{GoldPatch, PatchBase, view};
use karat_model::{Corpus, Document, OffsetUnit, Span, TextIndex};
use std::collections::{BTreeMap, BTreeSet};

/// Why there is no patch between two corpora.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPatch {
    /// A text is different. No patch changes a text: what it says of places would no longer be true.
    #[error("the texts of document `{document}` differ, first at character {at}")]
    OtherText {
        /// The document.
        document: String,
        /// Where the texts differ first, in code points.
        at: usize,
    },
    /// A document is in one of them only.
    #[error("document `{document}` is only in the {which} gold standard")]
    OtherDocuments {
        /// The document.
        document: String,
        /// Which one has it: `first` or `second`.
        which: &'static str,
    },
}

impl GoldPatch {
    /// The patch that turns one corpus into another. `unit` is what the offsets of documents without text count.
    ///
    /// What a patch does not speak of (texts, marks, attributes of documents, confidences, candidates) must be the same or does not
    /// matter; whether it makes the other corpus whole is told by its `result` ([`GoldPatch::makes`]).
    pub fn between(old: &Corpus, new: &Corpus, unit: OffsetUnit) -> Result<GoldPatch, NoPatch> {
        let only_in = |a: &Corpus, b: &Corpus, which: &'static str| {
            let mut documents = a.documents().filter(|it| b.document(it.name()).is_none());
            let document = documents.next().map(|it| it.name().to_owned());
            document.map(|document| NoPatch::OtherDocuments { document, which })
        };
        if let Some(error) = only_in(old, new, "first").or_else(|| only_in(new, old, "second")) {
            return Err(error);
        }
        let mut changes = Vec::new();
        for document in old.documents() {
            let Some(other) = new.document(document.name()) else { continue };
            same_text(&document, &other)?;
            between_documents(&document, &other, &mut changes);
        }
        let base = PatchBase::of(old, unit);
        let mut patch = GoldPatch { base, changes, ..GoldPatch::default() };
        patch.settle();
        let patched = patch.applied_to(old);
        patch.result = Some(view::annotations_digest(&patched.corpus));
        Ok(patch)
    }

    /// Whether the patch says that it makes this corpus of its base.
    pub fn makes(&self, corpus: &Corpus) -> bool {
        self.result == Some(view::annotations_digest(corpus))
    }
}

fn same_text(old: &Document<'_>, new: &Document<'_>) -> Result<(), NoPatch> {
    let (Some(a), Some(b)) = (old.text(), new.text()) else { return Ok(()) };
    match karat_model::first_difference(a, b) {
        Some(at) => Err(NoPatch::OtherText { document: old.name().to_owned(), at }),
        None => Ok(()),
    }
}

/// Collects the changes of one document.
struct Changes<'c> {
    document: &'c Document<'c>,
    index: Option<TextIndex<'c>>,
    found: &'c mut Vec<GoldChange>,
}

fn between_documents(old: &Document<'_>, new: &Document<'_>, found: &mut Vec<GoldChange>) {
    let (before, after) = (DocumentGold::of(old), DocumentGold::of(new));
    let mut changes = Changes { document: old, index: old.text_index(), found };
    let spans: BTreeSet<Span> =
        before.by_span.keys().chain(after.by_span.keys()).copied().collect();
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    for span in spans {
        match (before.at(span), after.at(span)) {
            ([a], [b]) if plain(a) && plain(b) => changes.set(&a.content, &b.content),
            ([a], []) => gone.push(&a.content),
            ([], [b]) => come.push(&b.content),
            (a, b) => changes.crowded(a, b),
        }
    }
    let mut moved = BTreeSet::new();
    for content in gone {
        match moved_to(content, &come, &moved) {
            Some(at) => {
                moved.insert(at);
                changes.set(content, come[at]);
            }
            None => changes.push(content, PatchAction::Remove(mention(content, None))),
        }
    }
    for (_, content) in come.iter().enumerate().filter(|(at, _)| !moved.contains(at)) {
        changes.push(content, PatchAction::Add(mention(content, None)));
    }
}

/// Whether readings can be told apart by what they say.
fn plain(root: &Root) -> bool {
    root.content.readings.windows(2).all(|pair| pair[0] != pair[1])
}

fn mention(content: &GoldContent, copy: Option<u32>) -> Piece {
    Piece::Mention { content: content.clone(), copy }
}

/// So many mentions are looked at for one that may have moved.
const NEIGHBOURS: usize = 32;

/// Where a mention went: to one that overlaps it and means the same.
fn moved_to(
    content: &GoldContent,
    come: &[&GoldContent],
    taken: &BTreeSet<usize>,
) -> Option<usize> {
    let first_after = come.partition_point(|it| it.span.start < content.span.end);
    let near = first_after.saturating_sub(NEIGHBOURS)..first_after;
    let mut fitting = near.filter(|at| !taken.contains(at)).filter(|&at| {
        let other = come[at];
        other.span.overlaps(content.span)
            && other.answer == content.answer
            && other.answer != GoldAnswer::Open
            && other.readings == content.readings
            && other.readings.is_empty()
    });
    fitting.next()
}

impl Changes<'_> {
    fn push(&mut self, content: &GoldContent, action: PatchAction) {
        let place = (content.span, content.answer.clone());
        self.found.push(GoldChange::new(self.document, self.index.as_ref(), place, action));
    }

    /// One mention that becomes another: fields that differ, and readings that come and go.
    fn set(&mut self, old: &GoldContent, new: &GoldContent) {
        let fields = GoldField::ALL.into_iter().filter_map(|field| {
            let (before, after) = (old.value(field), new.value(field));
            (before != after).then_some((field, before, after))
        });
        let fields: Vec<_> = fields.collect();
        if !fields.is_empty() {
            self.push(old, PatchAction::Set(fields));
        }
        let reading = |parts: &Vec<GoldContent>| Piece::Reading {
            of: old.span,
            answer: old.answer.clone(),
            parts: parts.clone(),
        };
        for parts in old.readings.iter().filter(|parts| !new.readings.contains(parts)) {
            self.push(&parts[0], PatchAction::Remove(reading(parts)));
        }
        for parts in new.readings.iter().filter(|parts| !old.readings.contains(parts)) {
            self.push(&parts[0], PatchAction::Add(reading(parts)));
        }
    }

    /// A span with several mentions, which are counted: there is no saying which became which.
    fn crowded(&mut self, old: &[Root], new: &[Root]) {
        let mut counts: BTreeMap<&GoldContent, (u32, u32)> = BTreeMap::new();
        for root in old {
            counts.entry(&root.content).or_default().0 += 1;
        }
        for root in new {
            counts.entry(&root.content).or_default().1 += 1;
        }
        for (content, (before, after)) in counts {
            for copy in after + 1..=before {
                self.push(content, PatchAction::Remove(mention(content, Some(copy))));
            }
            for copy in before + 1..=after {
                self.push(content, PatchAction::Add(mention(content, Some(copy))));
            }
        }
    }
}

//! What differs between two gold standards, as a gold patch says it.

use super::answer::{ChangedField, EditionChange, EditionChangeKind};
use crate::errors::MentionInText;
use karat_model::{Corpus, Document, OffsetUnit, Span, TextIndex};
use karat_verify::patch::{GoldChange, GoldPatch, PatchAction};
use std::collections::BTreeSet;

/// So many characters stand before and after a mention.
const AROUND: u32 = 40;

/// What differs between two gold standards.
#[derive(Debug, Default)]
pub(super) struct GoldDifference {
    /// In documents that both have with the same text, in the order of the newer one.
    pub(super) changes: Vec<EditionChange>,
    /// Documents that only the newer one has.
    pub(super) added: Vec<String>,
    /// Documents that only the older one has.
    pub(super) removed: Vec<String>,
    /// Documents whose texts differ: no place in one is a place in the other.
    pub(super) other_texts: Vec<String>,
}

impl GoldDifference {
    /// `unit` is what the offsets of documents without text count.
    pub(super) fn of(old: &Corpus, new: &Corpus, unit: OffsetUnit) -> GoldDifference {
        let mut found = GoldDifference::default();
        let mut common = BTreeSet::new();
        for document in new.documents() {
            let name = document.name();
            match old.document(name) {
                None => found.added.push(name.to_owned()),
                Some(before) if before.text() != document.text() => {
                    found.other_texts.push(name.to_owned());
                }
                Some(_) => {
                    common.insert(name.to_owned());
                }
            }
        }
        let gone = old.documents().filter(|document| new.document(document.name()).is_none());
        found.removed = gone.map(|document| document.name().to_owned()).collect();
        let only = |corpus: &Corpus| corpus.only_documents(|name| common.contains(name));
        // Documents and texts are the same now, so there is a patch.
        let Ok(patch) = GoldPatch::between(&only(old), &only(new), unit) else { return found };
        found.changes = patch.changes.iter().map(|change| change_of(change, old, new)).collect();
        found.changes.sort_by_key(|it| (it.number, it.in_text.start, it.in_text.end));
        found
    }
}

fn change_of(change: &GoldChange, old: &Corpus, new: &Corpus) -> EditionChange {
    let (kind, span, corpus) = match &change.action {
        PatchAction::Add(_) => (EditionChangeKind::Added, change.new_span(), new),
        PatchAction::Remove(_) => (EditionChangeKind::Removed, change.span, old),
        PatchAction::Set(_) => (EditionChangeKind::Changed, change.new_span(), new),
    };
    let fields = match &change.action {
        PatchAction::Set(fields) => fields.as_slice(),
        _ => &[],
    };
    let field = |(field, old, new): &(karat_verify::patch::GoldField, _, _)| ChangedField {
        field: field.name().to_owned(),
        old: serde_json::Value::clone(old),
        new: serde_json::Value::clone(new),
    };
    let number = new.documents().position(|document| document.name() == change.document);
    EditionChange {
        kind,
        document: change.document.clone(),
        number: number.map(|at| at + 1),
        in_text: in_text(corpus, &change.document, span),
        old: (kind != EditionChangeKind::Added).then(|| change.answer.written()),
        new: (kind != EditionChangeKind::Removed).then(|| match kind {
            EditionChangeKind::Added => change.answer.written(),
            _ => change.new_answer().written(),
        }),
        fields: fields.iter().map(field).collect(),
    }
}

fn in_text(corpus: &Corpus, document: &str, Span { start, end }: Span) -> MentionInText {
    let document = corpus.document(document);
    let text = document.as_ref().and_then(Document::text_index);
    let part = |from: u32, to: u32| {
        let text = text.as_ref()?;
        text.slice(Span::new(from, to.min(text.len()))).map(str::to_owned)
    };
    let length = text.as_ref().map_or(0, TextIndex::len);
    MentionInText {
        start,
        end,
        before: part(start.saturating_sub(AROUND), start).unwrap_or_default(),
        mention: part(start, end),
        after: part(end, end.saturating_add(AROUND)).unwrap_or_default(),
        is_cut: [start > AROUND, end.saturating_add(AROUND) < length],
    }
}

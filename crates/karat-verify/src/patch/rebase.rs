//! Moving a patch to another edition of its gold standard.

use super::change::{GoldChange, check};
use super::states::{ChangeState, JudgedChange};
use super::{GoldPatch, PatchBase, view};
use karat_model::{Corpus, OffsetUnit, Span, TextIndex};

/// A patch for another edition.
#[derive(Debug, Clone)]
pub struct Rebased {
    /// The changes that apply there, and what is kept as a record.
    pub patch: GoldPatch,
    /// Changes whose text is at another place: the old span and the change at its new one.
    pub moved: Vec<(Span, GoldChange)>,
    /// Changes that the edition has already; they are left out.
    pub already_there: Vec<GoldChange>,
    /// Changes that do not apply, with the reason; they are left out.
    pub rejected: Vec<(GoldChange, JudgedChange)>,
}

impl GoldPatch {
    /// The patch for another edition of its gold standard: changes are looked for by their check and their words.
    pub fn rebased_to(&self, corpus: &Corpus, unit: OffsetUnit) -> Rebased {
        let mut moved = Vec::new();
        let mut changes = Vec::new();
        for of_document in self.changes.chunk_by(|a, b| a.document == b.document) {
            let document = corpus.document(&of_document[0].document);
            let index = document.and_then(|document| document.text_index());
            for change in of_document {
                match index.as_ref().and_then(|index| placed(change, index)) {
                    Some(placed) => {
                        if placed.span != change.span {
                            moved.push((change.span, placed.clone()));
                        }
                        changes.push(placed);
                    }
                    None => changes.push(change.clone()),
                }
            }
        }
        let base = PatchBase { name: self.base.name.clone(), ..PatchBase::of(corpus, unit) };
        let mut patch = GoldPatch { base, changes, ..self.clone() };
        patch.settle();
        let judged = patch.against(corpus);
        let (mut kept, mut already_there, mut rejected) = (Vec::new(), Vec::new(), Vec::new());
        for (change, judged) in std::mem::take(&mut patch.changes).into_iter().zip(judged) {
            match judged.state {
                ChangeState::Applies | ChangeState::Refused | ChangeState::Open => {
                    kept.push(change);
                }
                ChangeState::AlreadyThere => already_there.push(change),
                ChangeState::Conflict | ChangeState::Lost => rejected.push((change, judged)),
            }
        }
        patch.changes = kept;
        patch.result = Some(view::annotations_digest(&patch.applied_to(corpus).corpus));
        Rebased { patch, moved, already_there, rejected }
    }
}

/// A change where its text is now; `None` where nothing says where that is.
fn placed(change: &GoldChange, index: &TextIndex<'_>) -> Option<GoldChange> {
    let hull = change.hull();
    let known = change.check.as_ref()?;
    if check(index, hull).as_ref() == Some(known) {
        return Some(change.clone());
    }
    let fits = |span: &Span| check(index, *span).as_ref() == Some(known);
    let spans = places(change, index);
    let fitting: Vec<Span> = spans.iter().copied().filter(fits).collect();
    let found = match (nearest(&fitting, hull), spans.as_slice()) {
        (Some(span), _) => span,
        // What is around the words changed; they are still meant if they stand nowhere else.
        (None, [only]) if change.words.is_some() => *only,
        _ => return None,
    };
    let mut placed = change.moved(i64::from(found.start) - i64::from(hull.start))?;
    placed.check = check(index, placed.hull());
    Some(placed)
}

/// The one that is nearest to where it was, if that is only one.
fn nearest(spans: &[Span], to: Span) -> Option<Span> {
    let distance = |span: &&Span| span.start.abs_diff(to.start);
    let least = spans.iter().map(|span| distance(&span)).min()?;
    let mut near = spans.iter().filter(|span| distance(span) == least);
    match (near.next(), near.next()) {
        (Some(span), None) => Some(*span),
        _ => None,
    }
}

/// So many places of a text are tried for a change without words.
const PLACES: u32 = 200_000;

/// Where the words of a change stand; without words, every place of their length.
fn places(change: &GoldChange, index: &TextIndex<'_>) -> Vec<Span> {
    let length = change.hull().len();
    match &change.words {
        Some(words) if words.is_empty() => Vec::new(),
        Some(words) => {
            let starts = index.text().match_indices(words.as_str());
            let starts = starts.filter_map(|(byte, _)| index.position_of_byte(byte));
            starts.map(|start| Span::new(start, start.saturating_add(length))).collect()
        }
        None => {
            let last = (index.len() + 1).saturating_sub(length).min(PLACES);
            (0..last).map(|start| Span::new(start, start.saturating_add(length))).collect()
        }
    }
}

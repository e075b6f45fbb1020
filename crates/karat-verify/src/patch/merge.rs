//! Putting patches together.

use super::change::{GoldChange, PatchAction, Piece};
use super::content::{GoldAnswer, GoldContent, GoldField};
use super::{GoldPatch, PatchBase};
use karat_model::Span;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Two patches are for different gold standards.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the patches are for different editions: {first} and {second}")]
pub struct BasesDiffer {
    /// What the first is for.
    pub first: String,
    /// What the second is for.
    pub second: String,
}

/// Two changes that say different things of the same mention, by their places in a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contradiction {
    /// The first in the order of the patch.
    pub first: usize,
    /// The other.
    pub second: usize,
}

impl GoldPatch {
    /// All changes of two patches. What both have is one change with the sources of both; whether changes contradict each other is
    /// asked with [`GoldPatch::contradictions`].
    pub fn merged(&self, other: &GoldPatch) -> Result<GoldPatch, BasesDiffer> {
        let mut merged = headers(self, other)?;
        if self.by == other.by {
            merged.changes = self.changes.iter().chain(&other.changes).cloned().collect();
        } else {
            // Who made a change is from now on said of each.
            merged.by = None;
            merged.changes = self.signed_changes().chain(other.signed_changes()).collect();
        }
        merged.settle();
        Ok(merged)
    }

    /// The changes, each with who made the patch, unless it says already who made it.
    fn signed_changes(&self) -> impl Iterator<Item = GoldChange> {
        self.changes.iter().cloned().map(|mut change| {
            let says = change.from.iter().any(|from| from.get("by").is_some());
            if let (Some(by), false) = (&self.by, says) {
                match change.from.first_mut().and_then(Value::as_object_mut) {
                    Some(from) => drop(from.insert("by".to_owned(), json!(by))),
                    None => change.from.push(json!({ "by": by })),
                }
            }
            change
        })
    }

    /// Which changes say different things of the same mention.
    pub fn contradictions(&self) -> Vec<Contradiction> {
        let pairs = contradicting_pairs(&self.changes).into_iter();
        pairs.map(|(first, second)| Contradiction { first, second }).collect()
    }

    /// The patch with changes that contradict each other marked as open: none of them is applied until somebody chooses.
    pub fn opened(mut self) -> GoldPatch {
        for Contradiction { first, second } in self.contradictions() {
            let ids = (self.changes[first].id(), self.changes[second].id());
            self.changes[first].open.insert(ids.1);
            self.changes[second].open.insert(ids.0);
        }
        self
    }
}

/// What two patches are for and who made them, as one.
pub(super) fn headers(first: &GoldPatch, second: &GoldPatch) -> Result<GoldPatch, BasesDiffer> {
    let all = |field: fn(&GoldPatch) -> &Option<String>, separator: &str| {
        joined(field(first), field(second), separator)
    };
    // What gold becomes with the changes of both is not known here.
    let result = if first.result == second.result { first.result } else { None };
    Ok(GoldPatch {
        name: all(|it| &it.name, "+"),
        base: bases(&first.base, &second.base)?,
        kb: all(|it| &it.kb, ", "),
        by: all(|it| &it.by, ", "),
        licence: all(|it| &it.licence, " AND "),
        result,
        changes: Vec::new(),
    })
}

fn bases(first: &PatchBase, second: &PatchBase) -> Result<PatchBase, BasesDiffer> {
    let differ = |a: &Option<karat_model::Digest>, b: &Option<karat_model::Digest>| matches!((a, b), (Some(a), Some(b)) if a != b);
    if differ(&first.annotations, &second.annotations)
        || differ(&first.texts, &second.texts)
        || first.unit != second.unit
    {
        let named = |base: &PatchBase| {
            let name = base.name.as_deref().unwrap_or("a gold standard without a name");
            match &base.short {
                Some(short) => format!("{name}@{short}"),
                None => name.to_owned(),
            }
        };
        return Err(BasesDiffer { first: named(first), second: named(second) });
    }
    // Names and short digits may differ where files do; which is taken must not depend on the order.
    let least = |a: &Option<String>, b: &Option<String>| match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b).clone()),
        (a, b) => a.clone().or_else(|| b.clone()),
    };
    Ok(PatchBase {
        name: least(&first.name, &second.name),
        annotations: first.annotations.or(second.annotations),
        texts: first.texts.or(second.texts),
        short: least(&first.short, &second.short),
        unit: first.unit,
    })
}

/// All items of two lists in texts, each once and sorted.
fn joined(first: &Option<String>, second: &Option<String>, separator: &str) -> Option<String> {
    let items = [first, second].into_iter().flatten().flat_map(|text| text.split(separator));
    let items: BTreeSet<&str> = items.map(str::trim).filter(|item| !item.is_empty()).collect();
    let items: Vec<&str> = items.into_iter().collect();
    (!items.is_empty()).then(|| items.join(separator))
}

/// Changes in their order, with one of each id.
pub(super) fn united(changes: Vec<GoldChange>) -> Vec<GoldChange> {
    let mut by_id: BTreeMap<String, GoldChange> = BTreeMap::new();
    for change in changes {
        let id = change.id();
        let all = match by_id.remove(&id) {
            Some(known) => one_of(known, change),
            None => change,
        };
        by_id.insert(id, all);
    }
    let mut changes: Vec<GoldChange> = by_id.into_values().collect();
    changes.sort_by(GoldChange::order);
    changes
}

/// Two changes with one id as one, with all that is said about both, whichever comes first.
fn one_of(first: GoldChange, second: GoldChange) -> GoldChange {
    fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
        match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }
    let text = |value: Value| value.to_string();
    let mut from: Vec<Value> = first.from.into_iter().chain(second.from).collect();
    from.sort_by_cached_key(Value::to_string);
    from.dedup();
    // Somebody looked at it and refused: who merely proposes it does not undo that.
    let refused = least(first.refused.map(text), second.refused.map(text));
    GoldChange {
        words: least(first.words, second.words),
        check: least(first.check, second.check),
        why: joined(&first.why, &second.why, ","),
        note: joined(&first.note, &second.note, " / "),
        from,
        refused: refused.and_then(|refused| serde_json::from_str(&refused).ok()),
        open: first.open.into_iter().chain(second.open).collect(),
        document: first.document,
        span: first.span,
        answer: first.answer,
        action: first.action,
    }
}

/// For each change that is contradicted, one that does.
pub(super) fn contradictions(changes: &[GoldChange]) -> BTreeMap<usize, usize> {
    let mut rivals = BTreeMap::new();
    for (first, second) in contradicting_pairs(changes) {
        rivals.entry(first).or_insert(second);
        rivals.entry(second).or_insert(first);
    }
    rivals
}

/// What has been said of the mentions at a span so far. Each change is compared with the first that speaks of the same, so that
/// many changes of one span take no longer than many of many.
#[derive(Default)]
struct Said<'p> {
    /// The new value of what is set, by answer and field.
    set: BTreeMap<(&'p GoldAnswer, GoldField), (usize, String)>,
    /// Mentions that are removed or moved.
    gone: BTreeMap<&'p GoldAnswer, usize>,
    /// Mentions that change in any way.
    touched: BTreeMap<&'p GoldAnswer, usize>,
    /// Readings that come or go.
    readings: BTreeMap<(&'p GoldAnswer, &'p [GoldContent]), (usize, bool)>,
    /// What comes to a span where nothing is, or moves there.
    arrived: Option<usize>,
    /// Equal mentions that come or go.
    copies: BTreeMap<&'p GoldContent, (usize, bool)>,
}

fn contradicting_pairs(changes: &[GoldChange]) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    let mut said: BTreeMap<(&str, Span), Said<'_>> = BTreeMap::new();
    for (index, change) in changes.iter().enumerate().filter(|(_, change)| change.is_active()) {
        let document = change.document.as_str();
        let mut rivals: Vec<usize> = Vec::new();
        match &change.action {
            PatchAction::Set(fields) => {
                let here = said.entry((document, change.span)).or_default();
                here.set(index, change, fields, &mut rivals);
                let new = change.new_span();
                if new != change.span {
                    let there = said.entry((document, new)).or_default();
                    rivals.extend(there.arrived.replace(index).filter(|it| *it != index));
                }
            }
            PatchAction::Add(Piece::Mention { content, copy: None }) => {
                let here = said.entry((document, content.span)).or_default();
                rivals.extend(here.arrived);
                here.arrived.get_or_insert(index);
            }
            PatchAction::Remove(Piece::Mention { content, copy: None }) => {
                let here = said.entry((document, content.span)).or_default();
                here.leave(index, &content.answer, &mut rivals);
            }
            PatchAction::Add(Piece::Mention { content, copy: Some(_) }) => {
                said.entry((document, content.span)).or_default().copy(
                    index,
                    content,
                    true,
                    &mut rivals,
                );
            }
            PatchAction::Remove(Piece::Mention { content, copy: Some(_) }) => {
                said.entry((document, content.span)).or_default().copy(
                    index,
                    content,
                    false,
                    &mut rivals,
                );
            }
            PatchAction::Add(Piece::Reading { of, answer, parts }) => {
                said.entry((document, *of)).or_default().read(
                    index,
                    answer,
                    parts,
                    true,
                    &mut rivals,
                );
            }
            PatchAction::Remove(Piece::Reading { of, answer, parts }) => {
                said.entry((document, *of)).or_default().read(
                    index,
                    answer,
                    parts,
                    false,
                    &mut rivals,
                );
            }
        }
        pairs.extend(rivals.into_iter().map(|rival| (rival.min(index), rival.max(index))));
    }
    pairs.retain(|(first, second)| first != second);
    pairs
}

impl<'p> Said<'p> {
    fn set(
        &mut self,
        index: usize,
        change: &'p GoldChange,
        fields: &[(GoldField, Value, Value)],
        rivals: &mut Vec<usize>,
    ) {
        let answer = &change.answer;
        for (field, _, new) in fields {
            let slot = field.slot();
            let new = match slot {
                GoldField::Link => change.new_answer().written(),
                _ => new.to_string(),
            };
            match self.set.get(&(answer, slot)) {
                Some((first, value)) if *value != new => rivals.push(*first),
                Some(_) => {}
                None => drop(self.set.insert((answer, slot), (index, new))),
            }
        }
        rivals.extend(self.gone.get(answer));
        // A mention that moves takes its address along: whoever speaks of it under the old one would not find it afterwards.
        if change.new_span() != change.span {
            self.leave(index, answer, rivals);
        }
        self.touched.entry(answer).or_insert(index);
    }

    fn leave(&mut self, index: usize, answer: &'p GoldAnswer, rivals: &mut Vec<usize>) {
        rivals.extend(self.touched.get(answer));
        rivals.extend(self.gone.get(answer));
        self.gone.entry(answer).or_insert(index);
    }

    fn read(
        &mut self,
        index: usize,
        answer: &'p GoldAnswer,
        parts: &'p [GoldContent],
        comes: bool,
        rivals: &mut Vec<usize>,
    ) {
        rivals.extend(self.gone.get(answer));
        self.touched.entry(answer).or_insert(index);
        let (first, came) = *self.readings.entry((answer, parts)).or_insert((index, comes));
        rivals.extend((came != comes).then_some(first));
    }

    fn copy(
        &mut self,
        index: usize,
        content: &'p GoldContent,
        comes: bool,
        rivals: &mut Vec<usize>,
    ) {
        let (first, came) = *self.copies.entry(content).or_insert((index, comes));
        rivals.extend((came != comes).then_some(first));
    }
}

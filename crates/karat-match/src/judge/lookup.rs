//! Which prediction lies where.

use crate::letters::Words;
use crate::scene::{Item, Side};
use karat_model::Span;
use std::collections::{HashMap, HashSet};

/// The predictions of a document by their spans, exact and widened to words.
pub(super) struct Lookup<'a> {
    /// One for each span, in the order of the file.
    predictions: Vec<Item>,
    on: HashMap<Span, usize>,
    words: Option<&'a Words>,
}

/// Spans that are annotated, exactly or once widened to words.
pub(super) struct Annotated<'l, 'a> {
    lookup: &'l Lookup<'a>,
    spans: HashSet<Span>,
}

impl<'a> Lookup<'a> {
    pub(super) fn new(side: &Side<'_>, words: Option<&'a Words>) -> Lookup<'a> {
        let mut in_order = side.items.clone();
        in_order.sort_by_key(|item| item.index);
        let mut predictions: Vec<Item> = Vec::with_capacity(in_order.len());
        let mut on: HashMap<Span, usize> = HashMap::with_capacity(in_order.len() * 2);
        for item in in_order {
            match on.get(&item.span) {
                // The last of a span takes the place of the first.
                Some(&at) => predictions[at] = item,
                None => {
                    on.insert(item.span, predictions.len());
                    predictions.push(item);
                }
            }
        }
        let mut lookup = Lookup { predictions, on, words };
        // Widened spans are entered after all exact ones and may overwrite them: so does ELEVANT,
        // where a later prediction on the same words hides the earlier one.
        for at in 0..lookup.predictions.len() {
            let wide = lookup.widened(lookup.predictions[at].span);
            lookup.on.insert(wide, at);
        }
        lookup
    }

    /// The prediction on a span, or else on that span widened to words.
    pub(super) fn on(&self, span: Span) -> Option<Item> {
        let at = self.on.get(&span).or_else(|| self.on.get(&self.widened(span)))?;
        self.predictions.get(*at).copied()
    }

    /// All predictions, in the order of the file.
    pub(super) fn predictions(&self) -> &[Item] {
        &self.predictions
    }

    /// A span widened to words; as it is where there is no text.
    pub(super) fn widened(&self, span: Span) -> Span {
        self.words.map_or(span, |words| words.widened(span))
    }

    /// The spans of gold.
    pub(super) fn around(&self, spans: impl Iterator<Item = Span>) -> Annotated<'_, 'a> {
        let spans = spans.flat_map(|span| [span, self.widened(span)]).collect();
        Annotated { lookup: self, spans }
    }
}

impl Annotated<'_, '_> {
    pub(super) fn has(&self, span: Span) -> bool {
        self.spans.contains(&span) || self.spans.contains(&self.lookup.widened(span))
    }
}

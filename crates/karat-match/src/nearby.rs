//! Which spans fit, and what is near a span.

use crate::scene::{Item, Scene};
use crate::settings::Spans;
use karat_model::Span;
use std::ops::Range;

impl Spans {
    /// Whether a gold and a predicted span fit each other.
    pub fn fit(self, gold: Span, system: Span) -> bool {
        match self {
            Spans::Exact | Spans::Expanded => gold == system,
            Spans::Overlap => gold.overlaps(system),
            Spans::Containment => gold.contains(system) || system.contains(gold),
            Spans::Near(most) => {
                let apart = gold.start.abs_diff(system.start);
                apart.saturating_add(gold.end.abs_diff(system.end)) <= most
            }
            Spans::AtLeast(percent) => {
                let common =
                    Span::new(gold.start.max(system.start), gold.end.min(system.end)).len();
                // Compared as products, not as a quotient: no rounding decides whether half of a
                // span is half.
                common > 0 && f64::from(common) * 100.0 >= percent * f64::from(gold.len())
            }
            Spans::Anywhere => true,
            Spans::Length => gold.len() == system.len(),
        }
    }
}

impl Scene<'_> {
    /// Gold mentions and predictions that overlap without being on the same span, and share an entity.
    pub fn partly_right(&self) -> Vec<(&Item, &Item)> {
        let near = Nearby::new(self.system.items.iter());
        let mut pairs = Vec::new();
        for gold in &self.gold.items {
            let overlapping = near.overlapping(&self.system.items, gold.span);
            let partly = overlapping.filter(|system| system.span != gold.span);
            pairs.extend(
                partly
                    .filter(|system| self.shares_entity(gold, system))
                    .map(|system| (gold, system)),
            );
        }
        pairs
    }

    /// Whether one of the entities of a gold mention, by any of its alternatives on its span, is that of a
    /// prediction.
    pub fn shares_entity(&self, gold: &Item, system: &Item) -> bool {
        let mut said = self.gold.annotations(gold).filter(|said| said.link.entity().is_some());
        said.any(|said| self.same_entity(said, system))
    }

    /// The prediction that overlaps a gold mention, best with the same entity; `near` has the predictions.
    pub fn overlapping(&self, gold: &Item, near: &Nearby) -> Option<&Item> {
        let overlapping = near.overlapping(&self.system.items, gold.span);
        overlapping.min_by_key(|item| (!self.shares_entity(gold, item), item.span))
    }
}

/// So many items near a span are looked at one by one, which is quicker than to ask a
/// [`SpanIndex`](crate::SpanIndex).
pub const FEW_NEARBY: usize = if cfg!(test) { 2 } else { 32 };

/// Spans in order, to ask for those near another without looking at all of them.
#[derive(Debug)]
pub struct Nearby {
    starts: Vec<u32>,
    /// The furthest end up to each span.
    reach: Vec<u32>,
}

impl Nearby {
    /// For items sorted by span.
    pub fn new<'i>(items: impl Iterator<Item = &'i Item> + Clone) -> Nearby {
        let mut furthest = 0;
        let reach = items.clone().map(|item| {
            furthest = item.span.end.max(furthest);
            furthest
        });
        let reach = reach.collect();
        Nearby { starts: items.map(|item| item.span.start).collect(), reach }
    }

    /// The positions between which all spans lie that touch this one.
    pub fn to(&self, span: Span) -> Range<usize> {
        let from = self.reach.partition_point(|&end| end < span.start);
        let to = self.starts.partition_point(|&start| start <= span.end);
        from..to.max(from)
    }

    /// Those of the items it was made of that overlap a span.
    fn overlapping<'i>(
        &self,
        items: &'i [Item],
        span: Span,
    ) -> impl Iterator<Item = &'i Item> + use<'i> {
        let near = items.get(self.to(span)).unwrap_or_default().iter();
        near.filter(move |item| span.overlaps(item.span))
    }
}

/// A span with so many more positions on both sides.
pub(crate) fn widened(span: Span, by: u32) -> Span {
    Span::new(span.start.saturating_sub(by), span.end.saturating_add(by))
}

//! Optional gold by where it is, so that what a prediction meets is found without looking at all of it.

use crate::candidates::Class;
use crate::nearby::widened;
use crate::scene::{Item, Scene};
use crate::settings::Spans;
use crate::span_index::SpanIndex;
use karat_model::Span;
use std::cell::OnceCell;

/// The optional gold of a scene and the parts of its readings, in the order of their spans.
#[derive(Debug, Default)]
pub(crate) struct Forgiving {
    /// Each with the position of the gold item that it is, or is a part of.
    items: Vec<(Item, u32)>,
    /// The furthest end up to each.
    reach: Vec<u32>,
    /// By what is asked for, made when much of it is near a span for the first time.
    index: OnceCell<SpanIndex<Class>>,
}

impl Forgiving {
    /// For optional gold at these positions.
    pub(crate) fn of(scene: &Scene<'_>, optional: &[u32]) -> Forgiving {
        let mut items: Vec<(Item, u32)> = Vec::with_capacity(optional.len());
        for &at in optional {
            let item = scene.gold.items[at as usize];
            items.push((item, at));
            items.extend(scene.gold.readings(&item).flatten().map(|part| (*part, at)));
        }
        items.sort_by_key(|(item, _)| item.span);
        let mut furthest = 0;
        let reach = items.iter().map(|(item, _)| {
            furthest = item.span.end.max(furthest);
            furthest
        });
        let reach = reach.collect();
        Forgiving { items, reach, index: OnceCell::new() }
    }

    /// All of it by what it asks for and where it is.
    pub(crate) fn index(
        &self,
        make: impl FnOnce(&[(Item, u32)]) -> SpanIndex<Class>,
    ) -> &SpanIndex<Class> {
        self.index.get_or_init(|| make(&self.items))
    }

    /// Those that may fit a span.
    pub(crate) fn near(&self, span: Span, spans: Spans) -> &[(Item, u32)] {
        let span = match spans {
            Spans::Near(most) => widened(span, most),
            _ => span,
        };
        let (from, to) = match spans {
            Spans::Anywhere | Spans::Length => (0, self.items.len()),
            Spans::Exact | Spans::Expanded => (
                self.items.partition_point(|(item, _)| item.span < span),
                self.items.partition_point(|(item, _)| item.span <= span),
            ),
            Spans::Overlap | Spans::Containment | Spans::AtLeast(_) | Spans::Near(_) => (
                // The furthest end grows along the sorted items, so everything before the first
                // reach that touches the span ends too early and can be skipped.
                self.reach.partition_point(|&end| end < span.start),
                self.items.partition_point(|(item, _)| item.span.start <= span.end),
            ),
        };
        self.items.get(from..to.max(from)).unwrap_or_default()
    }
}

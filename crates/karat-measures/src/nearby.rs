//! Spans near a span, without looking at all of them.

use karat_match::Item;
use karat_model::Span;
use std::ops::Range;

/// Spans in order, to ask for those near another.
#[derive(Debug)]
pub(crate) struct Nearby {
    starts: Vec<u32>,
    /// The furthest end up to each span.
    reach: Vec<u32>,
}

impl Nearby {
    /// For items sorted by span.
    pub(crate) fn new<'i>(items: impl Iterator<Item = &'i Item> + Clone) -> Nearby {
        let mut furthest = 0;
        let reach = items.clone().map(|item| {
            furthest = item.span.end.max(furthest);
            furthest
        });
        let reach = reach.collect();
        Nearby { starts: items.map(|item| item.span.start).collect(), reach }
    }

    /// The positions between which all spans lie that touch this one.
    pub(crate) fn to(&self, span: Span) -> Range<usize> {
        let from = self.reach.partition_point(|&end| end < span.start);
        let to = self.starts.partition_point(|&start| start <= span.end);
        from..to.max(from)
    }
}

//! Which spans fit, and what is near a span.

use crate::scene::Side;
use crate::settings::Spans;
use karat_model::Span;

impl Spans {
    /// Whether a gold and a predicted span fit each other.
    pub fn fit(self, gold: Span, system: Span) -> bool {
        match self {
            Spans::Exact | Spans::Expanded => gold == system,
            Spans::Overlap => gold.overlaps(system),
            Spans::Containment => gold.contains(system) || system.contains(gold),
            Spans::AtLeast(percent) => {
                let common =
                    Span::new(gold.start.max(system.start), gold.end.min(system.end)).len();
                common > 0 && f64::from(common) * 100.0 >= percent * f64::from(gold.len())
            }
            Spans::Anywhere => true,
            Spans::Length => gold.len() == system.len(),
        }
    }
}

/// Predictions by where they are, so that those near a span are found without
/// looking at all of them.
pub(crate) struct Nearby<'n> {
    side: &'n Side<'n>,
    positions: &'n [u32],
    /// The furthest end up to each position.
    reach: Vec<u32>,
    spans: Spans,
}

impl<'n> Nearby<'n> {
    pub(crate) fn new(side: &'n Side<'_>, positions: &'n [u32], spans: Spans) -> Nearby<'n> {
        let mut furthest = 0;
        let reach = positions.iter().map(|&at| {
            furthest = side.items[at as usize].span.end.max(furthest);
            furthest
        });
        let reach = reach.collect();
        Nearby { side, positions, reach, spans }
    }

    /// The predictions that may fit a span, in the order of theirs.
    pub(crate) fn of(&self, span: Span) -> impl Iterator<Item = u32> + use<'_, 'n> {
        let spans = self.spans;
        let (from, to) = match spans {
            Spans::Anywhere | Spans::Length => (0, self.positions.len()),
            _ => (
                self.reach.partition_point(|&end| end < span.start),
                self.positions
                    .partition_point(|&at| self.side.items[at as usize].span.start <= span.end),
            ),
        };
        let near = self.positions.get(from..to.max(from)).unwrap_or_default().iter().copied();
        near.filter(move |&at| spans.fit(span, self.side.items[at as usize].span))
    }
}

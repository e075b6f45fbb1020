//! Which spans fit, and what is near a span.

use crate::scene::{Item, Scene, Side};
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

impl Scene<'_> {
    /// Gold mentions and predictions that overlap without being on the same span, and share an entity.
    pub fn partly_right(&self) -> Vec<(&Item, &Item)> {
        let positions: Vec<u32> = (0..self.system.items.len() as u32).collect();
        let nearby = Nearby::new(&self.system, &positions, Spans::Overlap);
        let mut pairs = Vec::new();
        for gold in &self.gold.items {
            let near = nearby.of(gold.span).map(|at| &self.system.items[at as usize]);
            let partly = near.filter(|system| system.span != gold.span);
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

    /// The prediction that overlaps a gold mention, best with the same entity.
    pub fn overlapping(&self, gold: &Item) -> Option<&Item> {
        let overlapping = self.system.items.iter().filter(|item| gold.span.overlaps(item.span));
        overlapping.min_by_key(|item| (!self.shares_entity(gold, item), item.span))
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

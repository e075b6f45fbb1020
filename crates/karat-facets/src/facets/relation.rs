//! How a mention lies to what the other side has: same-span or overlapping, with the same entity or
//! another, or no-overlap.
//!
//! The five relations by which Ding, Botzer and Weninger (2022) compare what people verified with the
//! gold standard. Of several that apply the closest counts.

use crate::facet::{Facet, Labels};
use karat_match::{Case, Item, Scene, Side};

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByRelation;

impl Facet for ByRelation {
    fn name(&self) -> &str {
        "relation"
    }

    fn summary(&self) -> &str {
        "How a mention lies to the other side: same or overlapping span, same or other entity, or no overlap"
    }

    fn is_of_cases(&self) -> bool {
        true
    }

    /// A mention alone has no relation.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_case(&self, scene: &Scene<'_>, case: &Case) -> Labels {
        let gold = case.gold.and_then(|at| scene.gold.items.get(at as usize));
        let system = case.system.and_then(|at| scene.system.items.get(at as usize));
        // NIL agrees with NIL, and an alternative is as good as what it stands beside.
        let same = |gold: &Item, system: &Item| {
            scene.same_entity(gold, system) || scene.shares_entity(gold, system)
        };
        let closest = match (gold, system) {
            (Some(gold), _) => scene
                .system
                .items
                .iter()
                .map(|other| relation(gold, other, same(gold, other)))
                .min(),
            (None, Some(system)) => scene
                .gold
                .items
                .iter()
                .map(|other| relation(system, other, same(other, system)))
                .min(),
            (None, None) => return Labels::new(),
        };
        vec![NAMES[closest.unwrap_or(NAMES.len() - 1)].to_owned()]
    }
}

const NAMES: [&str; 5] = [
    "same span and entity",
    "same span, other entity",
    "overlap, same entity",
    "overlap, other entity",
    "no overlap",
];

/// Which of the relations two mentions have.
fn relation(one: &Item, other: &Item, same_entity: bool) -> usize {
    match (one.span == other.span, one.span.overlaps(other.span), same_entity) {
        (true, _, true) => 0,
        (true, _, false) => 1,
        (false, true, true) => 2,
        (false, true, false) => 3,
        (false, false, _) => 4,
    }
}

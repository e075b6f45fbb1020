//! How a mention lies to what the other side has: same-span or overlapping, with the same entity or
//! another, or no-overlap.
//!
//! The five relations by which Ding, Botzer and Weninger (2022) compare what people verified with the
//! gold standard. Of several that apply the closest counts.

use super::closest::labels_by_closest;
use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Case, Item, Scene, Side};
use std::sync::Arc;

/// See the head of this file.
pub(super) static RELATION: FacetDefinition = FacetDefinition {
    name: "relation",
    about: "How a mention lies to the other side: same or overlapping span, same or other entity, or no overlap.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByRelation)),
};

/// Gives these labels.
#[derive(Debug)]
pub(super) struct ByRelation;

impl Facet for ByRelation {
    fn name(&self) -> &str {
        RELATION.name
    }

    fn is_of_cases(&self) -> bool {
        true
    }

    fn is_about_spans(&self) -> bool {
        true
    }

    /// A mention alone has no relation.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_cases(&self, scene: &Scene<'_>, cases: &[Case]) -> Vec<Labels> {
        labels_by_closest(scene, cases, &NAMES, |gold, system| relation(scene, gold, system))
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
fn relation(scene: &Scene<'_>, gold: &Item, system: &Item) -> usize {
    // NIL agrees with NIL, and an alternative is as good as what it stands beside.
    let same = || scene.same_entity(gold, system) || scene.shares_entity(gold, system);
    match (gold.span == system.span, gold.span.overlaps(system.span)) {
        (true, _) if same() => 0,
        (true, _) => 1,
        (false, true) if same() => 2,
        (false, true) => 3,
        (false, false) => 4,
    }
}

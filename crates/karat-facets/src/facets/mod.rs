//! The facets: one file each, one line here.

use crate::facet::Labels;
use crate::registry::{FacetContext, FacetDefinition};
use crate::taxonomy::{Labelled, ReportedTypes, judged, label};
use karat_match::{Case, Item, Pairing, Scene};
use std::collections::HashMap;

mod attribute;
mod category;
mod closest;
mod combination;
mod dimension;
mod document;
mod entity;
mod error;
mod language;
mod link;
mod mention_type;
mod relation;
mod span_error;
mod tag;
mod topic;
mod types;

pub use combination::ByCombination;
pub use tag::ByTag;

/// All facets, in the order in which they are listed.
pub static FACETS: &[&FacetDefinition] = &[
    &document::DOCUMENT,
    &types::TYPE,
    &topic::TOPIC,
    &language::LANGUAGE,
    &link::LINK,
    &entity::ENTITY,
    &tag::TAG,
    &dimension::BASE_FORM,
    &dimension::PART_OF_SPEECH,
    &dimension::OVERLAP,
    &dimension::REFERENCE,
    &combination::COMBINATION,
    &error::ERROR,
    &relation::RELATION,
    &span_error::SPAN_ERROR,
    &category::CATEGORY,
    &mention_type::MENTION_TYPE,
    &attribute::ATTRIBUTE,
];

impl FacetContext {
    /// Whether the knowledge base knows the types of everything that is extra in a run.
    fn is_closed(&self, pairing: &Pairing<'_>) -> bool {
        let types = ReportedTypes::of(self.taxonomy, self.base.as_deref());
        let mut scene = Scene::default();
        // `all` stops at the first document with an unknown entity, so an open world costs little.
        (0..pairing.len()).all(|index| {
            pairing.stage(index, &self.settings, &mut scene);
            let cases = judged(&self.settings, self.taxonomy, &scene, self.base.as_deref());
            !cases.iter().any(|case| case.is_untyped(self.unknowns, &types))
        })
    }

    /// What `of` says of each judged case: it is found again by its gold mention or its prediction.
    fn labels_of_cases(
        &self,
        scene: &Scene<'_>,
        cases: &[Case],
        of: impl Fn(&Labelled<'_>) -> Labels,
    ) -> Vec<Labels> {
        let labelled = label(&self.settings, self.taxonomy, scene, self.base.as_deref());
        let index = |item: Option<Item>| item.map(|item| item.index);
        let mut by_gold: HashMap<u32, &Labelled<'_>> = HashMap::new();
        let mut by_system: HashMap<u32, &Labelled<'_>> = HashMap::new();
        for case in &labelled {
            // A judgement that does not count is a mention judged through its parts; its labels
            // belong to those.
            if let Some(at) = index(case.judgement.gold).filter(|_| case.judgement.counts) {
                by_gold.entry(at).or_insert(case);
            }
            if let Some(at) = index(case.judgement.system).filter(|_| case.judgement.counts) {
                by_system.entry(at).or_insert(case);
            }
        }
        let find = |case: &Case| {
            let gold = case.gold.and_then(|at| scene.gold.items.get(at as usize));
            let system = case.system.and_then(|at| scene.system.items.get(at as usize));
            let found = gold.and_then(|gold| by_gold.get(&gold.index));
            found.or_else(|| system.and_then(|system| by_system.get(&system.index))).copied()
        };
        cases.iter().map(|case| find(case).map(&of).unwrap_or_default()).collect()
    }
}

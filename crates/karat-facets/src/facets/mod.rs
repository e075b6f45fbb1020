//! The facets: one file each, one line here.

use crate::facet::{Facet, Labels};
use crate::taxonomy::{Labelled, ReportedTypes, Taxonomy, judged, label};
use karat_kb::KnowledgeBase;
use karat_match::{Case, Item, Pairing, Scene, Settings, Unknowns};
use std::collections::HashMap;
use std::sync::Arc;

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

/// All facets with a name of their own.
pub static FACETS: &[&(dyn Facet + 'static)] = &[
    &document::ByDocument,
    &types::ByType,
    &topic::ByTopic,
    &language::ByLanguage,
    &link::ByLink,
    &entity::ByEntity,
    &tag::ByTag,
    &dimension::BASE_FORM,
    &dimension::PART_OF_SPEECH,
    &dimension::OVERLAP,
    &dimension::REFERENCE,
    &combination::ByCombination,
    &error::ByError,
    &relation::ByRelation,
    &span_error::BySpanError,
];

/// The facet with this name. `attribute:KEY` is any fact that a file gives about
/// its mentions or documents.
pub fn named(name: &str) -> Option<Arc<dyn Facet>> {
    if let Some(key) = name.strip_prefix("attribute:") {
        return Some(Arc::new(attribute::ByAttribute::new(key)));
    }
    let facet = FACETS.iter().copied().find(|facet| facet.name() == name)?;
    Some(Arc::new(Shared(facet)))
}

/// The names of the facets that ask a convention and a knowledge base.
pub const INFORMED: [&str; 2] = [category::NAME, mention_type::NAME];

/// The facet with this name, given who meets whom, what is called what, what is done about unknown
/// entities and what is known.
pub fn informed(
    name: &str,
    settings: &Settings,
    taxonomy: &'static Taxonomy,
    unknowns: Unknowns,
    base: Option<&Arc<KnowledgeBase>>,
) -> Option<Arc<dyn Facet>> {
    let settings = settings.clone();
    if name == error::NAME {
        return Some(Arc::new(error::ByFinding { settings, base: base.cloned() }));
    }
    let inspector = Inspector { settings, taxonomy, unknowns, base: base.cloned() };
    match name {
        category::NAME => Some(Arc::new(category::ByCategory { inspector, closed: false })),
        mention_type::NAME => Some(Arc::new(mention_type::ByMentionType(inspector))),
        types::NAME => Some(Arc::new(types::ByKnownType { taxonomy, base: base.cloned() })),
        _ => named(name),
    }
}

/// What cases are labelled by.
#[derive(Debug, Clone)]
struct Inspector {
    settings: Settings,
    taxonomy: &'static Taxonomy,
    unknowns: Unknowns,
    base: Option<Arc<KnowledgeBase>>,
}

impl Inspector {
    /// Whether the knowledge base knows the types of everything that is extra in a run.
    fn is_closed(&self, pairing: &Pairing<'_>) -> bool {
        let types = ReportedTypes::of(self.taxonomy, self.base.as_deref());
        let mut scene = Scene::default();
        (0..pairing.len()).all(|index| {
            pairing.stage(index, &self.settings, &mut scene);
            let cases = judged(&self.settings, self.taxonomy, &scene, self.base.as_deref());
            !cases.iter().any(|case| case.is_untyped(self.unknowns, &types))
        })
    }

    /// What `of` says of each case: it is found again by its gold mention or its prediction.
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

/// A facet of the registry, shared like those made on demand.
#[derive(Debug)]
struct Shared(&'static dyn Facet);

impl Facet for Shared {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn summary(&self) -> &str {
        self.0.summary()
    }

    fn vocabulary(&self) -> Vec<Vec<&'static str>> {
        self.0.vocabulary()
    }

    fn is_of_cases(&self) -> bool {
        self.0.is_of_cases()
    }

    fn is_about_spans(&self) -> bool {
        self.0.is_about_spans()
    }

    fn labels(&self, side: &karat_match::Side<'_>, item: &karat_match::Item) -> crate::Labels {
        self.0.labels(side, item)
    }

    fn labels_of_case(
        &self,
        scene: &karat_match::Scene<'_>,
        case: &karat_match::Case,
    ) -> crate::Labels {
        self.0.labels_of_case(scene, case)
    }

    fn labels_of_cases(
        &self,
        scene: &karat_match::Scene<'_>,
        cases: &[karat_match::Case],
    ) -> Vec<crate::Labels> {
        self.0.labels_of_cases(scene, cases)
    }

    fn labels_of_document(&self, document: &karat_model::Document<'_>) -> crate::Labels {
        self.0.labels_of_document(document)
    }
}

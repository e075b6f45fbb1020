//! The facets: one file each, one line here.

use crate::facet::Facet;
use std::sync::Arc;

mod attribute;
mod document;
mod entity;
mod error;
mod language;
mod link;
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
    &error::ByError,
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

    fn labels_of_document(&self, document: &karat_model::Document<'_>) -> crate::Labels {
        self.0.labels_of_document(document)
    }
}

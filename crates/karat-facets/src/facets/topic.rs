//! The topic of the document.

use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Item, Side};
use karat_model::Document;
use std::sync::Arc;

/// See the head of this file.
pub(super) static TOPIC: FacetDefinition = FacetDefinition {
    name: "topic",
    about: "The topic of the document.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByTopic)),
};

/// Gives these labels.
#[derive(Debug)]
pub(super) struct ByTopic;

impl Facet for ByTopic {
    fn name(&self) -> &str {
        TOPIC.name
    }

    /// Only documents have one.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_document(&self, document: &Document<'_>) -> Labels {
        document.topic().map(str::to_owned).into_iter().collect()
    }
}

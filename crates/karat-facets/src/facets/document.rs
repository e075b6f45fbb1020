//! The document a mention is in.

use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Item, Side};
use karat_model::Document;
use std::sync::Arc;

/// See the head of this file.
pub(super) static DOCUMENT: FacetDefinition = FacetDefinition {
    name: "doc",
    about: "The document a mention is in.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByDocument)),
};

/// Gives these labels.
#[derive(Debug)]
pub(super) struct ByDocument;

impl Facet for ByDocument {
    fn name(&self) -> &str {
        DOCUMENT.name
    }

    /// Only documents have one.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_document(&self, document: &Document<'_>) -> Labels {
        vec![document.name().to_owned()]
    }
}

//! The language of the document.

use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Item, Side};
use karat_model::Document;
use std::sync::Arc;

/// See the head of this file.
pub(super) static LANGUAGE: FacetDefinition = FacetDefinition {
    name: "language",
    about: "The language of the document.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByLanguage)),
};

/// Gives these labels.
#[derive(Debug)]
pub(super) struct ByLanguage;

impl Facet for ByLanguage {
    fn name(&self) -> &str {
        LANGUAGE.name
    }

    /// Only documents have one.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_document(&self, document: &Document<'_>) -> Labels {
        document.language().map(str::to_owned).into_iter().collect()
    }
}

//! Any fact that a file gives about its mentions or documents.

use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Item, Side};
use karat_model::Document;
use std::sync::Arc;

/// See the head of this file.
pub(super) static ATTRIBUTE: FacetDefinition = FacetDefinition {
    name: "attribute",
    about: "A fact that the file gives about the mention, or else about its document.",
    needs: FacetNeeds::Key,
    make: |_, key| Ok(Arc::new(ByAttribute::new(key))),
};

/// The value of one attribute: of the mention, or else of its document.
#[derive(Debug)]
struct ByAttribute {
    name: String,
    key: String,
}

impl ByAttribute {
    fn new(key: &str) -> ByAttribute {
        ByAttribute { name: format!("{}:{key}", ATTRIBUTE.name), key: key.to_owned() }
    }
}

impl Facet for ByAttribute {
    fn name(&self) -> &str {
        &self.name
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        let own = side.mention(item).and_then(|mention| mention.attribute(&self.key));
        let of_document = || side.document.and_then(|document| document.attribute(&self.key));
        own.or_else(of_document).map(str::to_owned).into_iter().collect()
    }

    fn labels_of_document(&self, document: &Document<'_>) -> Labels {
        document.attribute(&self.key).map(str::to_owned).into_iter().collect()
    }
}

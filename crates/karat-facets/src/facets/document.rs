//! The document a mention is in.

use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};
use karat_model::Document;

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByDocument;

impl Facet for ByDocument {
    fn name(&self) -> &str {
        "doc"
    }

    fn summary(&self) -> &str {
        "The document a mention is in"
    }

    /// Only documents have one.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_document(&self, document: &Document<'_>) -> Labels {
        vec![document.name().to_owned()]
    }
}

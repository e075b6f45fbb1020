//! The language of the document.

use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};
use karat_model::Document;

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByLanguage;

impl Facet for ByLanguage {
    fn name(&self) -> &str {
        "language"
    }

    fn summary(&self) -> &str {
        "The language of the document"
    }

    /// Only documents have one.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_document(&self, document: &Document<'_>) -> Labels {
        document.language().map(str::to_owned).into_iter().collect()
    }
}

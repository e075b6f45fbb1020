//! The document a mention is in.

use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};

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

    fn labels(&self, side: &Side<'_>, _: &Item) -> Labels {
        let name = side.document.map(|document| document.name().to_owned());
        name.into_iter().collect()
    }

    fn of_documents(&self) -> bool {
        true
    }
}

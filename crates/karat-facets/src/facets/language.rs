//! The language of the document.

use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};

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

    fn labels(&self, side: &Side<'_>, _: &Item) -> Labels {
        let language = side.document.and_then(|document| document.language());
        language.map(str::to_owned).into_iter().collect()
    }

    fn of_documents(&self) -> bool {
        true
    }
}

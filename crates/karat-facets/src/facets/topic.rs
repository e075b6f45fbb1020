//! The topic of the document.

use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};
use karat_model::Document;

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByTopic;

impl Facet for ByTopic {
    fn name(&self) -> &str {
        "topic"
    }

    fn summary(&self) -> &str {
        "The topic of the document"
    }

    /// Only documents have one.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_document(&self, document: &Document<'_>) -> Labels {
        document.topic().map(str::to_owned).into_iter().collect()
    }
}

//! The topic of the document.

use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};

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

    fn labels(&self, side: &Side<'_>, _: &Item) -> Labels {
        let topic = side.document.and_then(|document| document.topic());
        topic.map(str::to_owned).into_iter().collect()
    }

    fn of_documents(&self) -> bool {
        true
    }
}

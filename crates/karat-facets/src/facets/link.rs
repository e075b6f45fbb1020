//! Whether a mention is in the knowledge base: `KB` or `NIL`.

use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByLink;

impl Facet for ByLink {
    fn name(&self) -> &str {
        "link"
    }

    fn summary(&self) -> &str {
        "Whether a mention is in the knowledge base: `KB` or `NIL`"
    }

    fn labels(&self, _: &Side<'_>, item: &Item) -> Labels {
        vec![if item.link.entity().is_some() { "KB" } else { "NIL" }.to_owned()]
    }
}

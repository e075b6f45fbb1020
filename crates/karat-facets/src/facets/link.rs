//! Whether a mention is in the knowledge base: `KB` or `NIL`.

use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Item, Side};
use std::sync::Arc;

/// See the head of this file.
pub(super) static LINK: FacetDefinition = FacetDefinition {
    name: "link",
    about: "Whether a mention is in the knowledge base: `KB` or `NIL`.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByLink)),
};

/// Gives these labels.
#[derive(Debug)]
pub(super) struct ByLink;

impl Facet for ByLink {
    fn name(&self) -> &str {
        LINK.name
    }

    fn labels(&self, _: &Side<'_>, item: &Item) -> Labels {
        vec![if item.link.entity().is_some() { "KB" } else { "NIL" }.to_owned()]
    }
}

//! The category tags of a mention, in the names of the released datasets whatever vocabulary they are of.

use super::dimension::{labels, vocabulary};
use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Item, Side};
use karat_model::{Dimension, Mention};
use std::sync::Arc;

/// See the head of this file.
pub(super) static TAG: FacetDefinition = FacetDefinition {
    name: "tag",
    about: "The category tags of a mention.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByTag)),
};

/// Gives these labels.
#[derive(Debug)]
pub struct ByTag;

impl Facet for ByTag {
    fn name(&self) -> &str {
        TAG.name
    }

    fn vocabulary(&self) -> Vec<Vec<&'static str>> {
        Dimension::ALL.into_iter().map(vocabulary).collect()
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        let mention = side.mention(item);
        labels(mention.iter().flat_map(Mention::tags))
    }
}

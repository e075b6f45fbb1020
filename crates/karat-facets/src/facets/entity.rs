//! The entity a mention is linked to.

use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Item, Side};
use std::sync::Arc;

/// See the head of this file.
pub(super) static ENTITY: FacetDefinition = FacetDefinition {
    name: "entity",
    about: "The entity a mention is linked to.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByEntity)),
};

/// Gives these labels.
#[derive(Debug)]
pub(super) struct ByEntity;

impl Facet for ByEntity {
    fn name(&self) -> &str {
        ENTITY.name
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        let entity = side.mention(item).and_then(|mention| mention.entity());
        entity.map(str::to_owned).into_iter().collect()
    }
}

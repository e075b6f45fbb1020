//! The entity a mention is linked to.

use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByEntity;

impl Facet for ByEntity {
    fn name(&self) -> &str {
        "entity"
    }

    fn summary(&self) -> &str {
        "The entity a mention is linked to"
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        let entity = side.mention(item).and_then(|mention| mention.entity());
        entity.map(str::to_owned).into_iter().collect()
    }
}

//! The types of a mention, as its side gives them.

use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};
use karat_model::Mention;

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByType;

impl Facet for ByType {
    fn name(&self) -> &str {
        "type"
    }

    fn summary(&self) -> &str {
        "The types of a mention, as its side gives them"
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        let mention = side.mention(item);
        mention.iter().flat_map(Mention::types).map(str::to_owned).collect()
    }
}

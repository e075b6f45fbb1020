//! The category tags of a mention, in the names of the released datasets whatever vocabulary they are of.

use super::dimension::{labels, vocabulary};
use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};
use karat_model::{Dimension, Mention};

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByTag;

impl Facet for ByTag {
    fn name(&self) -> &str {
        "tag"
    }

    fn summary(&self) -> &str {
        "The category tags of a mention"
    }

    fn vocabulary(&self) -> Vec<Vec<&'static str>> {
        Dimension::ALL.into_iter().map(vocabulary).collect()
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        let mention = side.mention(item);
        labels(mention.iter().flat_map(Mention::tags))
    }
}

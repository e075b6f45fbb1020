//! The kind of a mention: named or not, unknown, or a coreference.

use super::Inspector;
use crate::facet::{Facet, Labels};
use karat_match::{Case, Item, Scene, Side};

pub(super) const NAME: &str = "mention-type";

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByMentionType(pub(super) Inspector);

impl Facet for ByMentionType {
    fn name(&self) -> &str {
        NAME
    }

    fn summary(&self) -> &str {
        "The kind of a mention: named or not, unknown, or a coreference"
    }

    fn is_of_cases(&self) -> bool {
        true
    }

    /// Without the text and the name of the entity nothing can be said.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_cases(&self, scene: &Scene<'_>, cases: &[Case]) -> Vec<Labels> {
        self.0.labels_of_cases(scene, cases, |case| {
            case.mention_type.map(|kind| kind.name().to_owned()).into_iter().collect()
        })
    }
}

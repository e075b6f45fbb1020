//! The kind of a mention: named or not, unknown, or a coreference.

use crate::facet::{Facet, Labels};
use crate::registry::{FacetContext, FacetDefinition, FacetNeeds};
use karat_match::{Case, Item, Scene, Side};
use std::sync::Arc;

/// See the head of this file.
pub(super) static MENTION_TYPE: FacetDefinition = FacetDefinition {
    name: "mention-type",
    about: "The kind of a mention: named or not, unknown, or a coreference.",
    needs: FacetNeeds::Context,
    make: |context, _| Ok(Arc::new(ByMentionType(context.clone()))),
};

#[derive(Debug)]
struct ByMentionType(FacetContext);

impl Facet for ByMentionType {
    fn name(&self) -> &str {
        MENTION_TYPE.name
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

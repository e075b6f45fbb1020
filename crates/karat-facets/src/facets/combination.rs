//! All four dimensions of the category tags of a mention at once.

use super::dimension::{BASE_FORM, ByDimension, OVERLAP, PART_OF_SPEECH, REFERENCE};
use crate::facet::{Facet, Labels};
use karat_match::{Item, Side};

/// See the head of this file. A mention that has not exactly one tag of each has no combination.
#[derive(Debug)]
pub(super) struct ByCombination;

const DIMENSIONS: [&ByDimension; 4] = [&BASE_FORM, &PART_OF_SPEECH, &OVERLAP, &REFERENCE];

impl Facet for ByCombination {
    fn name(&self) -> &str {
        "combination"
    }

    fn summary(&self) -> &str {
        "The combination of the four category tags of a mention"
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        let one_of = |dimension: &&ByDimension| match dimension.labels(side, item).as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        };
        let tags: Option<Vec<String>> = DIMENSIONS.iter().map(one_of).collect();
        tags.map(|tags| tags.join("+")).into_iter().collect()
    }
}

//! All four dimensions of the category tags of a mention at once.

use super::dimension::ByDimension;
use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Item, Side};
use karat_model::Dimension;
use std::sync::Arc;

/// See the head of this file.
pub(super) static COMBINATION: FacetDefinition = FacetDefinition {
    name: "combination",
    about: "The combination of the four category tags of a mention.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByCombination)),
};

/// Gives these labels. A mention that has not exactly one tag of each has no combination.
#[derive(Debug)]
pub struct ByCombination;

impl Facet for ByCombination {
    fn name(&self) -> &str {
        COMBINATION.name
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        // A mention with two base forms would be in two combinations and be counted twice, so it is
        // in none (Rosales-Méndez et al. 2019 have exactly one tag of each dimension).
        let one_of = |dimension| match ByDimension(dimension).labels(side, item).as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        };
        let tags: Option<Vec<String>> = Dimension::ALL.into_iter().map(one_of).collect();
        tags.map(|tags| tags.join("+")).into_iter().collect()
    }
}

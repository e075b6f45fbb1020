//! The error category of a mention, as the taxonomy of the convention has it, or `correct`.

use super::Inspector;
use crate::facet::{Facet, Labels};
use crate::taxonomy::{Category, Labelled};
use karat_match::{Case, Item, Scene, Side, Unknowns};

pub(super) const NAME: &str = "category";

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByCategory(pub(super) Inspector);

impl Facet for ByCategory {
    fn name(&self) -> &str {
        NAME
    }

    fn summary(&self) -> &str {
        "The error category of a mention, as the taxonomy of the convention has it, or `correct`"
    }

    /// A mention alone is neither right nor wrong.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_cases(&self, scene: &Scene<'_>, cases: &[Case]) -> Vec<Labels> {
        self.0.labels_of_cases(scene, cases, names)
    }
}

/// The categories that exclude each other; what is not known is called so.
fn names(case: &Labelled<'_>) -> Labels {
    let labels = &case.labels[Unknowns::Ignored.index()];
    let exclusive = |category: &Category| !category.is_total() && !category.is_further();
    let wrong = labels.certain.iter().filter(|label| label.wrong).map(|label| label.category);
    let mut names: Labels =
        wrong.filter(exclusive).map(|category| category.name().to_owned()).collect();
    if labels.possible.iter().any(|label| label.wrong) {
        names.push("unknown".to_owned());
    }
    if names.is_empty() {
        names.push("correct".to_owned());
    }
    names
}

//! The error category of a mention, as the taxonomy of the convention has it, or `correct`; `ignored` where
//! only entities that the knowledge base does not have could be right or wrong, and these do not count.

use crate::facet::{Facet, Labels};
use crate::registry::{FacetContext, FacetDefinition, FacetNeeds};
use crate::taxonomy::{Category, Label, Labelled};
use karat_match::{Case, Item, Pairing, Scene, Side, Unknowns, Verdicts};
use std::sync::Arc;

/// See the head of this file.
pub(super) static CATEGORY: FacetDefinition = FacetDefinition {
    name: "category",
    about: "The error category of a mention, as the taxonomy of the convention has it, or `correct`.",
    needs: FacetNeeds::Context,
    make: |context, _| Ok(Arc::new(ByCategory { context: context.clone(), closed: false })),
};

#[derive(Debug)]
struct ByCategory {
    context: FacetContext,
    /// Whether the knowledge base knows every entity that the run has, which settles some categories.
    closed: bool,
}

impl Facet for ByCategory {
    fn name(&self) -> &str {
        CATEGORY.name
    }

    fn is_of_cases(&self) -> bool {
        true
    }

    /// A mention alone is neither right nor wrong.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_cases(&self, scene: &Scene<'_>, cases: &[Case]) -> Vec<Labels> {
        self.context.labels_of_cases(scene, cases, |case| self.names(case))
    }

    fn of_run(&self, pairing: &Pairing<'_>) -> Option<Arc<dyn Facet>> {
        let (context, closed) = (self.context.clone(), self.context.is_closed(pairing));
        Some(Arc::new(ByCategory { context, closed }))
    }

    fn categories(&self, label: &str) -> Vec<Category> {
        Category::named(label)
    }
}

impl ByCategory {
    /// The categories that exclude each other; what is not known is called so.
    fn names(&self, case: &Labelled<'_>) -> Labels {
        let labels = &case.labels[self.context.unknowns.index()];
        let exclusive = |category: &Category| !category.is_total() && !category.is_further();
        let settled = labels.in_closed_world.filter(|_| self.closed);
        let certain = labels.certain.iter().chain(&settled);
        let wrong = certain.filter(|label| label.wrong).map(|label| label.category);
        let mut names: Labels =
            wrong.filter(exclusive).map(|category| category.name().to_owned()).collect();
        let is_open = |label: &Label| label.wrong && exclusive(&label.category);
        // Only errors are reported as unknown. An avoided error that cannot be told apart changes
        // nothing that a reader sees here.
        if settled.is_none() && labels.possible.iter().any(is_open) {
            names.push("unknown".to_owned());
        }
        if names.is_empty() {
            names.push(self.rest(case).to_owned());
        }
        names
    }

    /// What a case without a category is called: not all that is wrong has one, and what does not count
    /// here may count in a measure of NIL.
    fn rest(&self, case: &Labelled<'_>) -> &'static str {
        let is_wrong = |unknowns: Unknowns| {
            let said = case.linking(unknowns) | case.recognition(unknowns);
            said.intersects(Verdicts::MISSED | Verdicts::EXTRA)
        };
        match (is_wrong(self.context.unknowns), is_wrong(Unknowns::Required)) {
            (true, _) => "uncategorised",
            (false, true) => "ignored",
            (false, false) => "correct",
        }
    }
}

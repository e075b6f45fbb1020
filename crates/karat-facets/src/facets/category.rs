//! The error category of a mention, as the taxonomy of the convention has it, or `correct`; `ignored` where
//! only entities that the knowledge base does not have could be right or wrong, and these do not count.

use super::Inspector;
use crate::facet::{Facet, Labels};
use crate::taxonomy::{Category, Label, Labelled};
use karat_match::{Case, Item, Pairing, Scene, Side, Unknowns, Verdicts};
use std::sync::Arc;

pub(super) const NAME: &str = "category";

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByCategory {
    pub(super) inspector: Inspector,
    /// Whether the knowledge base knows every entity that the run has, which settles some categories.
    pub(super) closed: bool,
}

impl Facet for ByCategory {
    fn name(&self) -> &str {
        NAME
    }

    fn summary(&self) -> &str {
        "The error category of a mention, as the taxonomy of the convention has it, or `correct`"
    }

    fn is_of_cases(&self) -> bool {
        true
    }

    /// A mention alone is neither right nor wrong.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_cases(&self, scene: &Scene<'_>, cases: &[Case]) -> Vec<Labels> {
        self.inspector.labels_of_cases(scene, cases, |case| self.names(case))
    }

    fn of_run(&self, pairing: &Pairing<'_>) -> Option<Arc<dyn Facet>> {
        let (inspector, closed) = (self.inspector.clone(), self.inspector.is_closed(pairing));
        Some(Arc::new(ByCategory { inspector, closed }))
    }
}

impl ByCategory {
    /// The categories that exclude each other; what is not known is called so.
    fn names(&self, case: &Labelled<'_>) -> Labels {
        let labels = &case.labels[self.inspector.unknowns.index()];
        let exclusive = |category: &Category| !category.is_total() && !category.is_further();
        let settled = labels.in_closed_world.filter(|_| self.closed);
        let certain = labels.certain.iter().chain(&settled);
        let wrong = certain.filter(|label| label.wrong).map(|label| label.category);
        let mut names: Labels =
            wrong.filter(exclusive).map(|category| category.name().to_owned()).collect();
        let is_open = |label: &Label| label.wrong && exclusive(&label.category);
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
        match (is_wrong(self.inspector.unknowns), is_wrong(Unknowns::Required)) {
            (true, _) => "uncategorised",
            (false, true) => "ignored",
            (false, false) => "correct",
        }
    }
}

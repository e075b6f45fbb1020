//! Whether the right entity was among the candidates.

use super::{Category, Label, Labelled, Labels, Stage};
use karat_match::Verdicts;
use karat_model::Mention;
use std::collections::HashSet;

/// How many different candidates a prediction has.
pub(super) fn number(system: &Mention<'_>) -> usize {
    let different: HashSet<_> =
        system.candidates().map(|candidate| (candidate.entity, candidate.nil_cluster)).collect();
    different.len()
}

impl<'a> Stage<'_, 'a> {
    pub(super) fn candidates(&self, case: &Labelled<'a>, labels: &mut Labels) {
        let (Some(gold), Some(system)) = (case.gold, case.system) else { return };
        let right = case.linking(self.unknowns).contains(Verdicts::HIT);
        let wrong = case.is_wrong_link(self.unknowns);
        let among = system.candidates().any(|candidate| {
            (candidate.entity, candidate.nil_cluster) == (gold.entity(), gold.nil_cluster())
        });
        if case.recognition(self.unknowns).contains(Verdicts::HIT) {
            if right || among {
                labels.add(Label::avoided(Category::WrongCandidates));
            } else if wrong {
                labels.add(Label::wrong(Category::WrongCandidates));
            }
        }
        if (right || wrong) && among && number(&system) > 1 {
            labels.add(Label { category: Category::MultipleCandidates, wrong });
        }
    }
}

impl Labelled<'_> {
    /// Whether the system had a choice.
    pub fn has_choice(&self) -> bool {
        self.system.is_some_and(|system| number(&system) > 1)
    }
}

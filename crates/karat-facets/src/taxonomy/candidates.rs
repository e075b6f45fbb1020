//! Whether the right entity was among the candidates.

use super::answers::{Candidate, candidates, why_nil};
use super::{CaseLabels, Category, Label, Labelled, Stage};
use karat_match::{Side, Verdicts};
use karat_model::Mention;
use std::collections::HashSet;

/// How many different candidates a prediction has.
pub(super) fn number(side: &Side<'_>, system: &Mention<'_>) -> usize {
    candidates(side, system).collect::<HashSet<_>>().len()
}

impl<'a> Stage<'_, 'a> {
    pub(super) fn candidates(&self, case: &Labelled<'a>, labels: &mut CaseLabels) {
        if case.gold.is_none() {
            return;
        }
        let right = case.linking(self.unknowns).contains(Verdicts::HIT);
        let wrong = case.is_wrong_link(self.unknowns);
        let among = self.is_among_candidates(case);
        if case.recognition(self.unknowns).contains(Verdicts::HIT) {
            if right || among {
                labels.add(Label::avoided(Category::WrongCandidates));
            } else if wrong {
                labels.add(Label::wrong(Category::WrongCandidates));
            }
        }
        if (right || wrong) && among && case.has_choice() {
            labels.add(Label { category: Category::MultipleCandidates, wrong });
        }
    }

    fn is_among_candidates(&self, case: &Labelled<'a>) -> bool {
        let (Some(gold), Some(system)) = (case.gold, case.system) else { return false };
        let Some(item) = case.judgement.gold else { return false };
        let (gold_side, system_side) = (&self.scene.gold, &self.scene.system);
        candidates(system_side, &system).any(|candidate| match candidate {
            Candidate::Entity(link) => {
                gold.entity().is_some() && gold_side.links(&item).any(|gold| gold == link)
            }
            Candidate::Nil(reason) => gold.link().is_nil() && why_nil(&gold) == reason,
        })
    }
}

impl Labelled<'_> {
    /// Whether the system had a choice.
    pub fn has_choice(&self) -> bool {
        self.candidates > 1
    }
}

//! Measures that count items: right, wrong and missed.

use crate::measure::{Compute, DocumentMeasure, Scores, credit_prf, credit_scores};
use crate::score::{Credit, Prf, Zero};
use crate::type_weights::{TypeWeights, WeightedSets};
use karat_match::{
    Agreement, Case, Criteria, Given, Keep, MatchCounts, Matcher, Outcome, Scene, Settings,
};
use std::sync::Arc;

/// Counts which items agree.
#[derive(Debug)]
pub(crate) struct Items {
    /// Which items are looked at, and what must agree.
    pub(crate) criteria: Criteria,
}

/// A measure that counts items with these criteria.
pub(crate) fn items(criteria: Criteria) -> Compute {
    Compute::Documents(Arc::new(Items { criteria }))
}

/// The criteria for all items, of criteria that look at one class of them: linked,
/// NIL, or on linked gold. `None` if they look at all.
pub(crate) fn whole(criteria: Criteria) -> Option<Criteria> {
    let is_class = matches!(criteria.keep, Keep::Linked | Keep::Nil)
        || criteria.given == Given::LinkedMentions;
    let given = criteria.given.min(Given::Mentions);
    let agree = criteria.agree | Agreement::ENTITY;
    is_class.then_some(Criteria { keep: Keep::All, agree, given })
}

impl DocumentMeasure for Items {
    fn columns(&self) -> &'static [&'static str] {
        &Credit::COLUMNS
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        let found = credits(&Matcher::new(settings, self.criteria).counts(scene));
        for (count, more) in counts.iter_mut().zip(found) {
            *count += more;
        }
    }

    fn tallies_at(
        &self,
        settings: &Settings,
        scene: &Scene<'_>,
        thresholds: &[f64],
    ) -> Option<Vec<Vec<f64>>> {
        let found = Matcher::new(settings, self.criteria).counts_at(scene, thresholds)?;
        Some(found.iter().map(|found| credits(found).to_vec()).collect())
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        credit_scores(counts, zero)
    }

    fn prf(&self, counts: &[f64], zero: Zero) -> Option<Prf> {
        Some(credit_prf(counts, zero))
    }

    fn criteria(&self) -> Option<Criteria> {
        Some(self.criteria)
    }

    fn cases(&self, settings: &Settings, scene: &Scene<'_>) -> Option<Vec<Case>> {
        Some(Matcher::new(settings, self.criteria).cases(scene))
    }

    fn add(&self, _: &Scene<'_>, case: &Case, counts: &mut [f64]) {
        add(case, counts);
    }

    fn weighted(&self, weights: &Arc<TypeWeights>) -> Option<Arc<dyn DocumentMeasure>> {
        Some(Arc::new(WeightedSets::of(self.criteria.into(), weights)?))
    }
}

fn credits(found: &MatchCounts) -> [f64; 4] {
    [found.hits, found.extra, found.hits, found.missed].map(|count| count as f64)
}

/// Adds a case to the four counts.
pub(crate) fn add(case: &Case, counts: &mut [f64]) {
    let columns: &[usize] = match case.outcome {
        Outcome::Match => &[0, 2],
        Outcome::Extra => &[1],
        Outcome::Missed => &[3],
        Outcome::Ignored => &[],
    };
    for &column in columns {
        counts[column] += 1.0;
    }
}

//! Measures that count items: right, wrong and missed.

use crate::measure::{Compute, DocumentMeasure, Scores, credit_scores};
use crate::score::{Credit, Zero};
use crate::type_weights::{TypeWeights, WeightedSets};
use karat_match::{Case, Criteria, Matcher, Outcome, Scene, Settings};
use std::sync::Arc;

/// Counts which items agree.
#[derive(Debug)]
struct Items {
    /// Which items are looked at, and what must agree.
    criteria: Criteria,
}

/// A measure that counts items with these criteria.
pub(crate) fn items(criteria: Criteria) -> Compute {
    Compute::Documents(Arc::new(Items { criteria }))
}

impl DocumentMeasure for Items {
    fn columns(&self) -> &'static [&'static str] {
        &Credit::COLUMNS
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        let found = Matcher::new(settings, self.criteria).counts(scene);
        let hits = found.hits as f64;
        for (count, more) in
            counts.iter_mut().zip([hits, found.extra as f64, hits, found.missed as f64])
        {
            *count += more;
        }
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        credit_scores(counts, zero)
    }

    fn cases(&self, settings: &Settings, scene: &Scene<'_>) -> Option<Vec<Case>> {
        Some(Matcher::new(settings, self.criteria).cases(scene))
    }

    fn add(&self, case: &Case, counts: &mut [f64]) {
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

    fn weighted(&self, weights: &Arc<TypeWeights>) -> Option<Arc<dyn DocumentMeasure>> {
        Some(Arc::new(WeightedSets::of(self.criteria.into(), weights)?))
    }
}

//! A score as a statistic over documents: what drawing or exchanging documents needs of it.

use karat_measures::{Average, Compute, DocumentMeasure, Measure, Wanted, Zero};
use karat_stats::Counts;

/// A score of a measure whose counts add up over documents.
#[derive(Debug, Clone)]
pub(crate) struct Statistic<'m> {
    measure: &'m dyn DocumentMeasure,
    zero: Zero,
    score: String,
    average: Average,
}

impl<'m> Statistic<'m> {
    /// What is wanted of a measure; F1 if nothing in particular is. `None` for measures that must see
    /// the whole corpus at once: drawing documents again would mean scoring them again.
    pub(crate) fn new(measure: &'m Measure, wanted: &Wanted, zero: Zero) -> Option<Statistic<'m>> {
        let Compute::Documents(compute) = &measure.compute else { return None };
        let nothing = vec![0.0; compute.columns().len()];
        // F1 is the last of the scores of a measure that has it; the others have one that matters.
        let headline = || compute.scores(&nothing, zero).names().last();
        let score = wanted.score.clone().or_else(|| headline().map(str::to_owned))?;
        Some(Statistic { measure: compute.as_ref(), zero, score, average: wanted.average })
    }

    /// The name of the score.
    pub(crate) fn score_name(&self) -> &str {
        &self.score
    }

    /// Whether it is a count of the measure and not a score.
    pub(crate) fn is_count(&self) -> bool {
        let nothing = vec![0.0; self.measure.columns().len()];
        self.measure.scores(&nothing, self.zero).get(&self.score).is_none()
    }

    /// How documents are put together.
    pub(crate) fn average(&self) -> Average {
        self.average
    }

    /// The rows that add up, from the counts of documents.
    pub(crate) fn counts(&self, rows: &[f64]) -> Counts {
        let width = self.measure.columns().len();
        match self.average {
            Average::Micro => Counts::new(width, rows.to_vec()),
            Average::Macro => {
                let documents = rows.chunks_exact(width.max(1));
                let of_document = |row: &[f64]| match self.of_counts(row) {
                    Some(score) => [quantised(score), 1.0],
                    None => [0.0, 0.0],
                };
                Counts::new(2, documents.flat_map(of_document).collect())
            }
        }
    }

    /// The score of summed rows.
    pub(crate) fn of_sums(&self, sums: &[f64]) -> Option<f64> {
        match self.average {
            Average::Micro => self.of_counts(sums),
            Average::Macro => (sums[1] > 0.0).then(|| sums[0] / sums[1]),
        }
    }

    fn of_counts(&self, counts: &[f64]) -> Option<f64> {
        if let Some(score) = self.measure.scores(counts, self.zero).get(&self.score) {
            return score;
        }
        let name = if self.score == "tp" { "ptp" } else { &self.score };
        let column = self.measure.columns().iter().position(|known| *known == name)?;
        counts.get(column).copied()
    }
}

/// Scores of documents as multiples of 2^-32: their sums are exact, so that no order of documents
/// changes a digit.
fn quantised(score: f64) -> f64 {
    const UNIT: f64 = (1u64 << 32) as f64;
    (score * UNIT).round() / UNIT
}

//! A score as a statistic over documents: what drawing or exchanging documents needs of it.

use karat_measures::{Average, Compute, DocumentMeasure, Measure, Prf, Wanted, Zero};
use karat_stats::Counts;

/// A score of a measure whose counts add up over documents.
#[derive(Debug, Clone)]
pub(crate) struct Statistic<'m> {
    measure: &'m dyn DocumentMeasure,
    zero: Zero,
    score: String,
    place: Place,
    average: Average,
}

/// Where a score is found in what a measure computes. Looked up once: there are thousands of trials.
#[derive(Debug, Clone, Copy)]
enum Place {
    /// One of precision, recall and F1, of a measure that has only these.
    Prf(fn(Prf) -> Option<f64>),
    /// One of its scores.
    Score(usize),
    /// One of its counts.
    Count(usize),
    /// The measure has no such thing.
    Nowhere,
}

impl<'m> Statistic<'m> {
    /// What is wanted of a measure; F1 if nothing in particular is. `None` for measures that must see
    /// the whole corpus at once: drawing documents again would mean scoring them again.
    pub(crate) fn new(measure: &'m Measure, wanted: &Wanted, zero: Zero) -> Option<Statistic<'m>> {
        let Compute::Documents(compute) = &measure.compute else { return None };
        let headline = || measure.compute.headline().map(str::to_owned);
        let score = wanted.score.clone().or_else(headline)?;
        let place = Place::of(&score, compute.as_ref(), zero);
        Some(Statistic { measure: compute.as_ref(), zero, score, place, average: wanted.average })
    }

    /// The name of the score.
    pub(crate) fn score_name(&self) -> &str {
        &self.score
    }

    /// Whether it is a count of the measure and not a score.
    pub(crate) fn is_count(&self) -> bool {
        matches!(self.place, Place::Count(_))
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
        match self.place {
            Place::Prf(of) => of(self.measure.prf(counts, self.zero)?),
            Place::Score(at) => self.measure.scores(counts, self.zero).at(at),
            Place::Count(at) => counts.get(at).copied(),
            Place::Nowhere => None,
        }
    }
}

impl Place {
    fn of(score: &str, measure: &dyn DocumentMeasure, zero: Zero) -> Place {
        let nothing = vec![0.0; measure.columns().len()];
        let has_only_prf = measure.prf(&nothing, zero).is_some();
        match measure.scores(&nothing, zero).position(score) {
            // In the order in which a measure names them.
            Some(0) if has_only_prf => Place::Prf(|prf| prf.precision),
            Some(1) if has_only_prf => Place::Prf(|prf| prf.recall),
            Some(2) if has_only_prf => Place::Prf(|prf| prf.f1),
            Some(at) => Place::Score(at),
            None => {
                let name = if score == "tp" { "ptp" } else { score };
                let column = measure.columns().iter().position(|known| *known == name);
                column.map_or(Place::Nowhere, Place::Count)
            }
        }
    }
}

/// Scores of documents as multiples of 2^-32: their sums are exact, so that no order of documents
/// changes a digit.
fn quantised(score: f64) -> f64 {
    const UNIT: f64 = (1u64 << 32) as f64;
    (score * UNIT).round() / UNIT
}

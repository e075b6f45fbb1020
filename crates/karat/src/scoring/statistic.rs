//! A score as a statistic over documents: what drawing or exchanging documents needs of it.

use karat_measures::{Average, Compute, DocumentMeasure, Measure, Prf, Wanted, Zero, count_at};
use karat_stats::{Counts, Tolerance};

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
        let counts = match self.average {
            Average::Micro => Counts::new(width, rows.to_vec()),
            Average::Macro => {
                let documents = rows.chunks_exact(width.max(1));
                let of_document = |row: &[f64]| match self.of_counts(row) {
                    Some(score) => {
                        // Sums of floats depend on their order; these two parts do not (see
                        // `in_two`).
                        let [coarse, fine] = in_two(score);
                        [coarse, 1.0, fine]
                    }
                    None => [0.0; 3],
                };
                Counts::new(3, documents.flat_map(of_document).collect())
            }
        };
        counts.within(tolerance(rows))
    }

    /// The score of the rows of all documents together. Where nothing was counted it is undefined: what
    /// the convention says of nothing is for documents, not for a system.
    pub(crate) fn of_all(&self, sums: &[f64]) -> Option<f64> {
        let is_over_nothing =
            self.average == Average::Micro && sums.iter().all(|count| *count == 0.0);
        self.of_sums(sums).filter(|_| !is_over_nothing || self.is_count())
    }

    /// The score of summed rows.
    pub(crate) fn of_sums(&self, sums: &[f64]) -> Option<f64> {
        match self.average {
            Average::Micro => self.of_counts(sums),
            Average::Macro => (sums[1] > 0.0).then(|| (sums[0] + sums[2]) / sums[1]),
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
        // Asked with counts of nothing: whether a measure has only precision, recall and F1 does
        // not depend on its counts.
        let has_only_prf = measure.prf(&nothing, zero).is_some();
        match measure.scores(&nothing, zero).position(score) {
            // In the order in which a measure names them.
            Some(0) if has_only_prf => Place::Prf(|prf| prf.precision),
            Some(1) if has_only_prf => Place::Prf(|prf| prf.recall),
            Some(2) if has_only_prf => Place::Prf(|prf| prf.f1),
            Some(at) => Place::Score(at),
            None => count_at(measure.columns(), score).map_or(Place::Nowhere, Place::Count),
        }
    }
}

/// The score of a document as a multiple of 2^-32 and what is left of it, as one of 2^-60. The sums of
/// either are exact, so that no order of documents changes a digit, and together they hold
/// all digits of the score: means over documents that are the same come out the same.
fn in_two(score: f64) -> [f64; 2] {
    const UNITS: [f64; 2] = [(1u64 << 32) as f64, (1u64 << 60) as f64];
    let coarse = (score * UNITS[0]).round() / UNITS[0];
    [coarse, ((score - coarse) * UNITS[1]).round() / UNITS[1]]
}

/// When scores of these counts are the same. Credit in thirds and the like was rounded when it was counted,
/// to multiples of 2^-26; whole numbers, halves and quarters were not.
fn tolerance(rows: &[f64]) -> Tolerance {
    const UNIT: f64 = 1.0 / (1u32 << 26) as f64;
    const SURELY_EXACT: f64 = 1024.0;
    let is_exact = |count: &f64| count.is_nan() || (count * SURELY_EXACT).fract() == 0.0;
    match rows.iter().all(is_exact) {
        true => Tolerance::ROUNDING,
        false => Tolerance::of_credit(UNIT),
    }
}

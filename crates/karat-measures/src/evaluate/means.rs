//! Means over documents that come out the same in any order.

use super::MacroScores;
use crate::measure::{DocumentMeasure, Scores};
use crate::score::Zero;

/// Sums of scores over documents, in fixed point: no order of documents, and no
/// number of threads, changes a digit.
#[derive(Debug, Default, Clone)]
pub(super) struct Means {
    names: Vec<&'static str>,
    sums: Vec<i128>,
    documents: Vec<usize>,
}

/// One over 2^53, the precision of a score between 0 and 1: rounding to it loses nothing, and whole numbers add
/// up exactly in any order.
pub(super) const UNIT: f64 = (1u64 << 53) as f64;

impl Means {
    /// Means of scores with these names, over no documents.
    pub(super) fn of_nothing(scores: &Scores) -> Means {
        let names: Vec<&'static str> = scores.names().collect();
        let (sums, documents) = (vec![0; names.len()], vec![0; names.len()]);
        Means { names, sums, documents }
    }

    /// Adds the scores of one document.
    pub(super) fn add(&mut self, measure: &dyn DocumentMeasure, counts: &[f64], zero: Zero) {
        match measure.prf(counts, zero) {
            Some(prf) if !self.names.is_empty() => {
                self.add_values([prf.precision, prf.recall, prf.f1]);
            }
            _ => self.add_scores(&measure.scores(counts, zero)),
        }
    }

    fn add_scores(&mut self, scores: &Scores) {
        if self.names.is_empty() {
            *self = Means::of_nothing(scores);
        }
        self.add_values(scores.iter().map(|(_, value)| value));
    }

    fn add_values(&mut self, values: impl IntoIterator<Item = Option<f64>>) {
        for (index, value) in values.into_iter().enumerate() {
            if let Some(value) = value {
                self.sums[index] += (value * UNIT).round() as i128;
                self.documents[index] += 1;
            }
        }
    }

    pub(super) fn append(&mut self, later: Means) {
        if self.names.is_empty() {
            *self = later;
            return;
        }
        for (sum, more) in self.sums.iter_mut().zip(later.sums) {
            *sum += more;
        }
        for (count, more) in self.documents.iter_mut().zip(later.documents) {
            *count += more;
        }
    }

    pub(super) fn scores(&self) -> MacroScores {
        let mean = |index: usize| match self.documents[index] {
            0 => None,
            count => Some(self.sums[index] as f64 / UNIT / count as f64),
        };
        let scores = self.names.iter().enumerate().map(|(at, name)| (*name, mean(at))).collect();
        MacroScores { scores, documents: self.documents.clone() }
    }
}

impl MacroScores {
    /// The means of some documents, each with its scores in the same order; a document where a score is
    /// undefined is left out of it.
    pub fn of(documents: impl IntoIterator<Item = Scores>) -> MacroScores {
        let mut means = Means::default();
        documents.into_iter().for_each(|scores| means.add_scores(&scores));
        means.scores()
    }
}

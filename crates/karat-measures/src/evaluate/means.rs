//! Means over documents that come out the same in any order.

use super::MacroScores;
use crate::measure::Scores;

/// Sums of scores over documents, in fixed point: no order of documents, and no
/// number of threads, changes a digit.
#[derive(Debug, Default, Clone)]
pub(super) struct Means {
    names: Vec<&'static str>,
    sums: Vec<i128>,
    documents: Vec<usize>,
}

/// As fine as the numbers of documents are: scores lie between 0 and 1.
pub(super) const UNIT: f64 = (1u64 << 53) as f64;

impl Means {
    pub(super) fn add(&mut self, scores: &Scores) {
        if self.names.is_empty() {
            self.names = scores.names().collect();
            self.sums = vec![0; self.names.len()];
            self.documents = vec![0; self.names.len()];
        }
        for (index, (_, value)) in scores.iter().enumerate() {
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

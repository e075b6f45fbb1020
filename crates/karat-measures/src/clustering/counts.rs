//! What a measure adds up, and the scores that follow from it.

use crate::score::{Credit, Prf, Zero};

/// Precision, recall and their harmonic mean.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ClusterScores {
    /// How much of what the system says is right.
    pub precision: f64,
    /// How much of what is right the system says.
    pub recall: f64,
    /// The harmonic mean of the two.
    pub f1: f64,
}

/// A numerator and its denominator.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fraction {
    pub(super) numerator: f64,
    pub(super) denominator: f64,
}

impl Credit {
    pub(super) fn new(precision: Fraction, recall: Fraction) -> Self {
        Self {
            ptp: precision.numerator,
            fp: precision.denominator - precision.numerator,
            rtp: recall.numerator,
            fn_: recall.denominator - recall.numerator,
        }
    }

    /// Credit in which precision and recall share their numerator.
    pub(super) fn shared(numerator: f64, precision_whole: f64, recall_whole: f64) -> Self {
        let over = |denominator| Fraction { numerator, denominator };
        Self::new(over(precision_whole), over(recall_whole))
    }

    /// Precision from one pair of clusterings, recall from another.
    pub(super) fn joined(precision: Self, recall: Self) -> Self {
        Self { ptp: precision.ptp, fp: precision.fp, ..recall }
    }

    /// The scores; nothing out of nothing is zero.
    pub fn scores(&self) -> ClusterScores {
        let Prf { precision, recall, f1 } = self.prf(Zero::Nought);
        let [precision, recall, f1] = [precision, recall, f1].map(Option::unwrap_or_default);
        ClusterScores { precision, recall, f1 }
    }
}

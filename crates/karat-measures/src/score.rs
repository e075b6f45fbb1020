//! From counts to precision, recall and F1.

use crate::harmonic::{Ratio, STEPS, harmonic};

/// What a score is where it would divide by nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zero {
    /// Not defined, and left out of averages.
    Undefined,
    /// Nought.
    Nought,
    /// GERBIL: all 1 if there is neither gold nor prediction, all 0 if nothing is right.
    Gerbil,
    /// HIPE: as `Undefined`, and F1 is defined only where there are gold and predictions.
    Hipe,
    /// BAT: precision 1 without predictions, recall 1 without missed gold.
    Bat,
}

/// Precision, recall and F1, where defined.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Prf {
    /// The share of predictions that are right.
    pub precision: Option<f64>,
    /// The share of gold that is found.
    pub recall: Option<f64>,
    /// The harmonic mean of both.
    pub f1: Option<f64>,
}

/// Credit and lack of it on both sides: right and wrong of the predictions, found
/// and missed of the gold. For most measures both credits are the same number.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Credit {
    /// Credit of the predictions.
    pub ptp: f64,
    /// Predictions without credit.
    pub fp: f64,
    /// Credit of the gold.
    pub rtp: f64,
    /// Gold without credit.
    pub fn_: f64,
}

impl Credit {
    /// The names of the four numbers.
    pub const COLUMNS: [&'static str; 4] = ["ptp", "fp", "rtp", "fn"];

    /// The scores.
    pub fn prf(&self, zero: Zero) -> Prf {
        let Credit { ptp, fp, rtp, fn_ } = *self;
        let precision = Ratio { part: ptp, whole: ptp + fp };
        let recall = Ratio { part: rtp, whole: rtp + fn_ };
        match zero {
            Zero::Undefined | Zero::Nought => Prf::of(precision, recall, zero),
            Zero::Hipe => {
                let Prf { precision, recall, f1 } = Prf::of(precision, recall, Zero::Undefined);
                Prf { precision, recall, f1: f1.filter(|_| precision.and(recall).is_some()) }
            }
            // GERBIL decides on true positives first and never looks at which side is empty, so one
            // empty side gives 0 for all three.
            Zero::Gerbil if ptp == 0.0 && rtp == 0.0 => {
                let all = if fp == 0.0 && fn_ == 0.0 { 1.0 } else { 0.0 };
                Prf { precision: Some(all), recall: Some(all), f1: Some(all) }
            }
            Zero::Gerbil | Zero::Bat => Prf::of(precision.or_one(), recall.or_one(), zero),
        }
    }
}

impl From<[f64; 4]> for Credit {
    fn from([ptp, fp, rtp, fn_]: [f64; 4]) -> Credit {
        Credit { ptp, fp, rtp, fn_ }
    }
}

impl From<Credit> for [f64; 4] {
    fn from(Credit { ptp, fp, rtp, fn_ }: Credit) -> [f64; 4] {
        [ptp, fp, rtp, fn_]
    }
}

impl Prf {
    /// Precision, recall and their harmonic mean; what no part of nothing is, the convention says. F1 is
    /// defined wherever there is anything to find or to be wrong about.
    pub(crate) fn of(precision: Ratio, recall: Ratio, zero: Zero) -> Prf {
        let shares = [precision, recall].map(|ratio| share(ratio.part, ratio.whole, zero));
        let f1 = shares.iter().any(Option::is_some).then(|| harmonic(precision, recall));
        Prf { precision: shares[0], recall: shares[1], f1 }
    }
}

/// A part of a whole; what no part of nothing is, the convention says.
pub(crate) fn share(part: f64, whole: f64, zero: Zero) -> Option<f64> {
    Ratio { part, whole }.value().or(match zero {
        Zero::Undefined | Zero::Hipe => None,
        Zero::Nought | Zero::Gerbil | Zero::Bat => Some(0.0),
    })
}

/// A credit that is no whole number, as the nearest multiple of 2^-26.
///
/// Up to 2^27 of such credits add up without rounding, so that no order of documents
/// or mentions changes a digit. Every measure with partial credit passes it through here.
pub(crate) fn quantised(credit: f64) -> f64 {
    (credit * STEPS).round() / STEPS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scores(counts: [f64; 4], zero: Zero) -> [Option<f64>; 3] {
        let Prf { precision, recall, f1 } = Credit::from(counts).prf(zero);
        [precision, recall, f1]
    }

    #[test]
    fn nothing_at_all_is_what_the_convention_says() {
        let nothing = [0.0; 4];
        assert_eq!(scores(nothing, Zero::Undefined), [None; 3]);
        assert_eq!(scores(nothing, Zero::Nought), [Some(0.0); 3]);
        assert_eq!(scores(nothing, Zero::Gerbil), [Some(1.0); 3]);
        assert_eq!(scores(nothing, Zero::Bat), [Some(1.0); 3]);
        assert_eq!(scores(nothing, Zero::Hipe), [None; 3]);
    }

    #[test]
    fn gold_without_predictions() {
        let missed = [0.0, 0.0, 0.0, 1.0];
        assert_eq!(scores(missed, Zero::Undefined), [None, Some(0.0), Some(0.0)]);
        assert_eq!(scores(missed, Zero::Nought), [Some(0.0); 3]);
        assert_eq!(scores(missed, Zero::Hipe), [None, Some(0.0), None]);
        assert_eq!(scores([0.0, 1.0, 0.0, 1.0], Zero::Hipe), [Some(0.0); 3]);
        assert_eq!(scores(missed, Zero::Gerbil), [Some(0.0); 3]);
        assert_eq!(scores(missed, Zero::Bat), [Some(1.0), Some(0.0), Some(0.0)]);
    }
}

//! From counts to precision, recall and F1.

/// What a score is where it would divide by nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Zero {
    /// Not defined, and left out of averages.
    Undefined,
    /// Nought.
    Nought,
    /// GERBIL: all 1 if there is neither gold nor prediction, all 0 if nothing is right.
    Gerbil,
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
        match zero {
            Zero::Undefined => Prf::with_harmonic(ratio(ptp, ptp + fp), ratio(rtp, rtp + fn_)),
            Zero::Nought => {
                let (p, r) = (ratio(ptp, ptp + fp), ratio(rtp, rtp + fn_));
                Prf::of(p.unwrap_or(0.0), r.unwrap_or(0.0))
            }
            Zero::Gerbil if ptp == 0.0 && rtp == 0.0 => {
                let all = if fp == 0.0 && fn_ == 0.0 { 1.0 } else { 0.0 };
                Prf { precision: Some(all), recall: Some(all), f1: Some(all) }
            }
            Zero::Gerbil | Zero::Bat => {
                let precision = ratio(ptp, ptp + fp).unwrap_or(1.0);
                let recall = if fn_ == 0.0 { 1.0 } else { rtp / (rtp + fn_) };
                Prf::of(precision, recall)
            }
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
    /// Precision and recall where defined. F1 is defined wherever there is anything to find
    /// or to be wrong about.
    pub(crate) fn with_harmonic(precision: Option<f64>, recall: Option<f64>) -> Prf {
        let f1 = match (precision, recall) {
            (Some(p), Some(r)) => Some(harmonic(p, r)),
            (None, None) => None,
            _ => Some(0.0),
        };
        Prf { precision, recall, f1 }
    }

    fn of(precision: f64, recall: f64) -> Prf {
        let f1 = harmonic(precision, recall);
        Prf { precision: Some(precision), recall: Some(recall), f1: Some(f1) }
    }
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole != 0.0).then(|| part / whole)
}

/// A part of a whole; what no part of nothing is, the convention says.
pub(crate) fn share(part: f64, whole: f64, zero: Zero) -> Option<f64> {
    ratio(part, whole).or(match zero {
        Zero::Undefined => None,
        Zero::Nought | Zero::Gerbil | Zero::Bat => Some(0.0),
    })
}

/// A credit that is no whole number, as the nearest multiple of 2^-26.
///
/// Up to 2^27 of such credits add up without rounding, so that no order of documents
/// or mentions changes a digit. Every measure with partial credit passes it through here.
pub(crate) fn quantised(credit: f64) -> f64 {
    const UNIT: f64 = (1u32 << 26) as f64;
    (credit * UNIT).round() / UNIT
}

fn harmonic(p: f64, r: f64) -> f64 {
    if p + r == 0.0 { 0.0 } else { 2.0 * p * r / (p + r) }
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
    }

    #[test]
    fn gold_without_predictions() {
        let missed = [0.0, 0.0, 0.0, 1.0];
        assert_eq!(scores(missed, Zero::Undefined), [None, Some(0.0), Some(0.0)]);
        assert_eq!(scores(missed, Zero::Nought), [Some(0.0); 3]);
        assert_eq!(scores(missed, Zero::Gerbil), [Some(0.0); 3]);
        assert_eq!(scores(missed, Zero::Bat), [Some(1.0), Some(0.0), Some(0.0)]);
    }
}

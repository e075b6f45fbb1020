//! When two scores are the same.

use std::cmp::Ordering;

/// How far two scores may be apart and still be the same.
///
/// A score is a fraction of counts, and a tie is a statement about fractions: who wins a document, who shares
/// a rank, and which of the exchanged documents count as far out all depend on it. Scores that are one
/// division of whole numbers need no tolerance, because equal fractions round alike. But a mean over
/// documents or runs is a sum of rounded numbers, the difference of two scores is rounded again, and partial
/// credit was rounded when it was counted. What these roundings can do together bounds the
/// tolerance from below. From above it is bounded by how near different scores can be: two fractions of
/// counts below n are at least 1 / n² apart.
///
/// Nothing else in this crate compares scores: whoever asks which of two is larger asks here, or asks of
/// scores that were [levelled](Tolerance::level) before.
///
/// ```
/// use karat_stats::Tolerance;
///
/// let (a, b) = (0.1 + 0.2, 0.3);
/// assert!(a != b && Tolerance::ROUNDING.is_same(a, b));
/// assert_eq!(Tolerance::ROUNDING.difference(a, b), 0.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Tolerance(f64);

impl Tolerance {
    /// What rounding does to means and differences of exact scores: some hundred times the last digit,
    /// and still below the distance of any two scores of a million mentions that are not the same.
    pub const ROUNDING: Tolerance = Tolerance(1.0 / (1u64 << 44) as f64);

    /// The same where credit was rounded to multiples of `unit` when it was counted: four scores, each off
    /// by half a unit on both of its sides, meet in the difference of two differences.
    pub fn of_credit(unit: f64) -> Tolerance {
        Tolerance(4.0 * unit)
    }

    /// The larger of two.
    #[must_use]
    pub fn or(self, other: Tolerance) -> Tolerance {
        if other > self { other } else { self }
    }

    /// Whether two scores are the same. What is not a number is the same as nothing.
    pub fn is_same(self, a: f64, b: f64) -> bool {
        let apart = (a - b).abs();
        // Relative above 1, absolute below: scores are from 0 to 1, but some statistics are not.
        a == b || apart.is_finite() && apart <= self.0 * a.abs().max(b.abs()).max(1.0)
    }

    /// How two scores compare; `None` if one is not a number.
    pub fn compare(self, a: f64, b: f64) -> Option<Ordering> {
        if self.is_same(a, b) { Some(Ordering::Equal) } else { a.partial_cmp(&b) }
    }

    /// How far the first is above the second; exactly nothing if they are the same.
    pub fn difference(self, a: f64, b: f64) -> f64 {
        if self.is_same(a, b) { 0.0 } else { a - b }
    }

    /// Whether a value is at least as large as another.
    pub fn reaches(self, value: f64, least: f64) -> bool {
        value >= least || self.is_same(value, least)
    }

    /// The same scores, [levelled](Tolerance::level).
    pub(crate) fn levelled(self, scores: &[f64]) -> Vec<f64> {
        let mut scores = scores.to_vec();
        self.level(&mut scores);
        scores
    }

    /// Makes scores that are the same equal, so that they can be compared as they are: each takes the
    /// value of the smallest of them.
    pub fn level(self, scores: &mut [f64]) {
        let mut order: Vec<usize> = (0..scores.len()).filter(|&at| !scores[at].is_nan()).collect();
        order.sort_by(|&a, &b| scores[a].total_cmp(&scores[b]));
        let mut least = f64::NAN;
        for at in order {
            // Each is compared with the smallest of its group and not with its neighbour: a chain
            // of tiny steps must not join scores that are far apart.
            match self.is_same(least, scores[at]) {
                true => scores[at] = least,
                false => least = scores[at],
            }
        }
    }
}

impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance::ROUNDING
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_makes_no_difference() {
        let tolerance = Tolerance::ROUNDING;
        let (tenths, third) = (0.1 + 0.2, 1.0 - 2.0 / 3.0);
        assert_eq!(tolerance.compare(tenths, 0.3), Some(Ordering::Equal));
        assert_eq!(tolerance.compare(third, 1.0 / 3.0), Some(Ordering::Equal));
        assert_eq!(tolerance.compare(0.3, 0.3 + 1e-13), Some(Ordering::Less));
        assert_eq!(tolerance.compare(f64::NAN, 0.3), None);
        assert!(tolerance.reaches(0.3, tenths) && !tolerance.reaches(f64::NAN, 0.0));
        assert!(tolerance.is_same(f64::INFINITY, f64::INFINITY));
        assert!(!tolerance.is_same(f64::INFINITY, 1.0));
    }

    #[test]
    fn neighbouring_scores_of_many_mentions_are_not_the_same() {
        let (a, b) = (999_999.0 / 1_000_000.0, 999_998.0 / 999_999.0);
        assert_eq!(Tolerance::ROUNDING.compare(a, b), Some(Ordering::Greater));
    }

    #[test]
    fn scores_that_are_the_same_become_equal() {
        let mut scores = [0.1 + 0.2, f64::NAN, 0.3, 0.1, 0.5, 0.3];
        Tolerance::ROUNDING.level(&mut scores);
        assert_eq!((scores[0], scores[2], scores[5]), (0.3, 0.3, 0.3));
        assert_eq!((scores[3], scores[4]), (0.1, 0.5));
        assert!(scores[1].is_nan());
    }
}

//! How large a difference is, whatever its p-value.

use crate::Tolerance;
use std::cmp::Ordering;

/// Cohen's h of two shares, `2 asin √p - 2 asin √q`: equal distances are about
/// equally hard to detect, near 0 and 1 as in the middle. 0.2 is called small, 0.5
/// medium, 0.8 large (Cohen 1988). `None` if a share is not from 0 to 1.
pub fn cohens_h(first: f64, second: f64) -> Option<f64> {
    let angle = |share: f64| (0.0..=1.0).contains(&share).then(|| 2.0 * libm::asin(share.sqrt()));
    Some(angle(first)? - angle(second)?)
}

/// In how many pairs of scores the first is higher, equal, lower.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcomes {
    /// Pairs in which the first is higher.
    pub wins: u64,
    /// Pairs of equals.
    pub ties: u64,
    /// Pairs in which the first is lower.
    pub losses: u64,
}

impl Outcomes {
    /// The outcomes of pairs of scores, of documents mostly. A pair in which a
    /// score is not a number is none of the three.
    pub fn new(pairs: impl IntoIterator<Item = (f64, f64)>) -> Outcomes {
        let mut outcomes = Outcomes::default();
        for (first, second) in pairs {
            match Tolerance::ROUNDING.compare(first, second) {
                Some(Ordering::Greater) => outcomes.wins += 1,
                Some(Ordering::Equal) => outcomes.ties += 1,
                Some(Ordering::Less) => outcomes.losses += 1,
                None => {}
            }
        }
        outcomes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;

    #[test]
    fn distances_of_shares() {
        // statsmodels 0.15.0, proportion_effectsize(0.8, 0.7).
        assert_near(cohens_h(0.8, 0.7).expect("shares"), 0.2319842627257962, 1e-14);
        assert_near(cohens_h(0.0, 1.0).expect("shares"), -std::f64::consts::PI, 1e-15);
        assert_eq!(cohens_h(1.2, 0.5), None);
        assert_eq!(cohens_h(f64::NAN, 0.5), None);
    }

    #[test]
    fn wins_ties_and_losses() {
        let pairs = [(0.5, 0.4), (0.5, 0.5), (0.1, 0.2), (f64::NAN, 0.5), (1.0, 0.0)];
        let outcomes = Outcomes::new(pairs);
        assert_eq!(outcomes, Outcomes { wins: 2, ties: 1, losses: 1 });
    }
}

//! How large a difference is, whatever its p-value.

use crate::{McNemar, Tolerance};
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

    /// The sign test: ties are left out, and wins and losses are McNemar's counts.
    pub fn sign_test(&self) -> McNemar {
        McNemar { first_only: self.wins, second_only: self.losses }
    }
}

/// Cliff's delta of two samples: how much more often a value of the first is above
/// one of the second than below, over all pairs (Cliff 1993). From -1 to 1; `None`
/// for an empty sample and for values that are not numbers.
pub fn cliffs_delta(first: &[f64], second: &[f64]) -> Option<f64> {
    let numbers = first.iter().chain(second).all(|value| !value.is_nan());
    if first.is_empty() || second.is_empty() || !numbers {
        return None;
    }
    let mut all = [first, second].concat();
    Tolerance::ROUNDING.level(&mut all);
    let (first, second) = all.split_at(first.len());
    let mut sorted = second.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let balance = |value: &f64| {
        let below = sorted.partition_point(|other| other < value);
        let above = sorted.len() - sorted.partition_point(|other| other <= value);
        below as i128 - above as i128
    };
    let balance: i128 = first.iter().map(balance).sum();
    Some(balance as f64 / (first.len() as f64 * second.len() as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;
    use proptest::prelude::*;

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
        assert_eq!(outcomes.sign_test().two_sided(), 1.0);
    }

    #[test]
    fn delta_of_two_samples() {
        // numpy 2.4.6: np.sign(x[:, None] - y[None, :]).mean().
        let delta = cliffs_delta(&[3.0, 1.0, 4.0, 1.0, 5.0], &[2.0, 7.0, 1.0, 8.0]);
        assert_near(delta.expect("samples"), -0.3, 1e-15);
        assert_eq!(cliffs_delta(&[], &[1.0]), None);
        assert_eq!(cliffs_delta(&[f64::NAN], &[1.0]), None);
        assert_eq!(cliffs_delta(&[f64::INFINITY], &[1.0]), Some(1.0));
        assert_eq!(cliffs_delta(&[0.0], &[-0.0]), Some(0.0));
    }

    proptest! {
        #[test]
        fn delta_turns_with_the_samples(
            first in prop::collection::vec(-9_i8..10, 1..20),
            second in prop::collection::vec(-9_i8..10, 1..20),
        ) {
            let (first, second): (Vec<f64>, Vec<f64>) = (
                first.into_iter().map(f64::from).collect(),
                second.into_iter().map(f64::from).collect(),
            );
            let (delta, turned) = (cliffs_delta(&first, &second), cliffs_delta(&second, &first));
            prop_assert_eq!(delta, turned.map(|delta| -delta));
        }
    }
}

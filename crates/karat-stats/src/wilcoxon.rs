//! Paired differences, ranked.

use crate::{Tolerance, mid_ranks, normal};

/// Up to this many differences the distribution is exact.
const FEW: usize = 25;

/// Wilcoxon's signed-rank test (1945) that paired differences are symmetric around
/// 0. Differences of 0 are left out. Up to 25 differences the p-values are exact,
/// with equal sizes too: all assignments of signs to the ranks are counted. For
/// more, they come from the normal distribution, with its variance corrected for
/// ties and half a rank for continuity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedRank {
    /// The sum of the ranks of positive differences.
    pub positive: f64,
    /// The sum of the ranks of negative differences.
    pub negative: f64,
    /// How many differences are not 0.
    pub differences: usize,
    /// Whether all assignments of signs were counted.
    pub exact: bool,
    /// The p-value against symmetry around 0.
    pub two_sided: f64,
    /// The p-value against differences that are not above 0.
    pub greater: f64,
}

impl SignedRank {
    /// The test. `None` if a difference is not a number or none differs from 0.
    pub fn new(differences: &[f64]) -> Option<SignedRank> {
        if differences.iter().any(|difference| difference.is_nan()) {
            return None;
        }
        let is_any = |difference: &f64| !Tolerance::ROUNDING.is_same(*difference, 0.0);
        let differences: Vec<f64> = differences.iter().copied().filter(is_any).collect();
        let sizes: Vec<f64> = differences.iter().map(|difference| difference.abs()).collect();
        let ranks = mid_ranks(&Tolerance::ROUNDING.levelled(&sizes));
        let all: f64 = ranks.iter().sum();
        let positive: f64 = (ranks.iter().zip(&differences))
            .filter(|&(_, difference)| *difference > 0.0)
            .map(|(rank, _)| rank)
            .sum();
        let negative = all - positive;
        let exact = ranks.len() <= FEW;
        let (two_sided, greater) = match (ranks.len(), exact) {
            (0, _) => return None,
            (_, true) => exact_p(&ranks, positive),
            (_, false) => approximate_p(&ranks, positive - all / 2.0),
        };
        Some(SignedRank { positive, negative, differences: ranks.len(), exact, two_sided, greater })
    }
}

/// The two-sided p-value and that of a sum at least as large, from the number of
/// subsets of the ranks with each sum. Ranks and sums are doubled to be whole.
fn exact_p(ranks: &[f64], positive: f64) -> (f64, f64) {
    let all: f64 = ranks.iter().sum();
    let mut subsets = vec![0_u64; (2.0 * all) as usize + 1];
    subsets[0] = 1;
    for rank in ranks {
        let step = (2.0 * rank) as usize;
        for sum in (step..subsets.len()).rev() {
            subsets[sum] += subsets[sum - step];
        }
    }
    let (up_to, from) = ((2.0 * positive) as usize + 1, (2.0 * positive) as usize);
    let share =
        |subsets: &[u64]| subsets.iter().sum::<u64>() as f64 / (1_u64 << ranks.len()) as f64;
    let (less, greater) = (share(&subsets[..up_to]), share(&subsets[from..]));
    ((2.0 * less.min(greater)).min(1.0), greater)
}

/// The same from the normal distribution. The variance of the sum is a quarter of
/// the sum of squared ranks, ties or not.
fn approximate_p(ranks: &[f64], excess: f64) -> (f64, f64) {
    let deviation = ranks.iter().map(|rank| rank * rank).sum::<f64>().sqrt() / 2.0;
    let nearer = (excess.abs() - 0.5).max(0.0);
    (normal::beyond(nearer / deviation), normal::above((excess - 0.5) / deviation))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;
    use proptest::prelude::*;

    fn check(differences: &[f64], positive: f64, exact: bool, two_sided: f64, greater: f64) {
        let test = SignedRank::new(differences).expect("differences");
        assert_eq!((test.positive, test.exact), (positive, exact));
        assert_near(test.two_sided, two_sided, 1e-13);
        assert_near(test.greater, greater, 1e-13);
    }

    #[test]
    fn few_differences_are_exact() {
        // scipy 1.17.1, wilcoxon(differences, method="exact").
        let eight = [0.3, -0.1, 0.25, 0.42, 0.07, -0.15, 0.5, 0.61];
        check(&eight, 31.0, true, 0.078125, 0.0390625);
        check(&[-0.4], 0.0, true, 1.0, 1.0);
        let hundredths = [
            14, 15, -4, 7, 17, -3, -16, -24, 18, 5, 21, 13, 12, -11, 1, -19, 23, -25, 2, 6, 20, 8,
            9, -22, -10,
        ];
        let differences = hundredths.map(f64::from);
        check(&differences, 191.0, true, 0.457846462726593, 0.2289232313632965);
    }

    #[test]
    fn equal_sizes_are_exact_too() {
        // scipy 1.17.1, wilcoxon(nonzero, method=PermutationMethod(n_resamples=2**20)), which
        // goes through all signs.
        let differences = [1, 1, -1, 2, 2, -3, 4, 0, 5, 5, -2, 3].map(f64::from);
        check(&differences, 51.5, true, 0.1142578125, 0.05712890625);
    }

    #[test]
    fn many_differences_are_normal() {
        // scipy 1.17.1, wilcoxon(differences, method="asymptotic", correction=True).
        let tenths = [
            21, -1, -1, 12, -7, -1, 10, 7, 2, 8, -27, 12, -8, -15, 4, 9, -3, -9, 2, 1, 16, 9, 3,
            13, -1, -8, 7, 7, -1, -6, 4, -23, 8, 6, -15, 2, -8, 9, -19, -8, 9, 13, -20, -3, 5, -5,
            17, -10, 5, -9, 16, 1, -2, -16, 18, 9, 9, 13, 5, -5,
        ];
        let mut differences = tenths.map(f64::from).to_vec();
        check(&differences, 1066.0, false, 0.2675195404160745, 0.13375977020803725);
        differences.extend([0.0; 5]);
        check(&differences, 1066.0, false, 0.2675195404160745, 0.13375977020803725);
        let hundredths = [
            31, 8, -28, 18, -17, -7, -30, 10, 12, -22, -35, 24, 40, 21, 25, 14, -27, 38, 15, 5, 13,
            -11, 3, 4, 1, -9, -20, 32, 6, -36, 23, -37, -26, 34, 2, -33, -19, 39, 16, 29,
        ];
        let differences = hundredths.map(f64::from);
        check(&differences, 463.0, false, 0.4803945579230523, 0.24019727896152615);
    }

    #[test]
    fn nothing_to_rank() {
        assert_eq!(SignedRank::new(&[]), None);
        assert_eq!(SignedRank::new(&[0.0, -0.0]), None);
        assert_eq!(SignedRank::new(&[1.0, f64::NAN]), None);
        assert!(SignedRank::new(&[1.0, f64::INFINITY]).is_some());
    }

    proptest! {
        #[test]
        fn turning_all_signs_changes_nothing_but_the_side(
            differences in prop::collection::vec(-9_i8..10, 1..40),
        ) {
            let differences: Vec<f64> = differences.into_iter().map(f64::from).collect();
            let turned: Vec<f64> = differences.iter().map(|difference| -difference).collect();
            let (test, turned) = (SignedRank::new(&differences), SignedRank::new(&turned));
            prop_assert_eq!(test.is_some(), turned.is_some());
            if let (Some(test), Some(turned)) = (test, turned) {
                prop_assert_eq!(test.positive, turned.negative);
                prop_assert_eq!(test.two_sided, turned.two_sided);
                prop_assert!((0.0..=1.0).contains(&test.two_sided));
                prop_assert!(test.greater + turned.greater >= 1.0 - 1e-12);
            }
        }
    }
}

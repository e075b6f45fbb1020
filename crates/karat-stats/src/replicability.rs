//! On how many data sets a difference is real.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// How p-values of data sets are put together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Combination {
    /// The smallest times their number. Holds whatever the data sets share.
    #[default]
    Bonferroni,
    /// Minus twice the sum of their logarithms is chi-squared with two degrees of
    /// freedom for each (Fisher 1932). Needs independent data sets.
    Fisher,
}

/// Replicability analysis (Dror, Baumer, Bogomolov and Reichart 2017): a lower
/// bound of the number of data sets on which there is an effect, from one p-value
/// per data set.
///
/// That there are fewer than u effects among n is tested with the p-values that
/// remain when the u - 1 smallest are set aside (a partial conjunction, Benjamini
/// and Heller 2008).
#[derive(Debug, Clone, PartialEq)]
pub struct Replicability {
    /// The p-values against fewer than 1, 2, ..., n effects; none is below the one
    /// before it.
    pub p_values: Vec<f64>,
}

impl Replicability {
    /// The analysis of the p-values of all data sets. One that is not a number
    /// counts as 1: the data set shows nothing.
    pub fn new(p_values: &[f64], combination: Combination) -> Replicability {
        let shown = |p: &f64| if p.is_nan() { 1.0 } else { p.clamp(0.0, 1.0) };
        let mut sorted: Vec<f64> = p_values.iter().map(shown).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let mut largest = 0.0_f64;
        let p_values = (0..sorted.len()).map(|aside| {
            largest = largest.max(combination.p(&sorted[aside..]));
            largest
        });
        Replicability { p_values: p_values.collect() }
    }

    /// On how many data sets there is an effect at least, with confidence
    /// `1 - alpha`.
    pub fn count(&self, alpha: f64) -> usize {
        self.p_values.iter().take_while(|&&p| p <= alpha).count()
    }
}

impl Combination {
    /// The p-value against there being no effect at all.
    fn p(self, sorted: &[f64]) -> f64 {
        let count = sorted.len() as f64;
        match self {
            Combination::Bonferroni => {
                sorted.first().map_or(1.0, |smallest| smallest * count).min(1.0)
            }
            Combination::Fisher => {
                let statistic = -2.0 * sorted.iter().map(|&p| libm::log(p)).sum::<f64>();
                chi_squared_above(statistic, 2.0 * count)
            }
        }
    }
}

fn chi_squared_above(statistic: f64, freedom: f64) -> f64 {
    if statistic.is_infinite() {
        return 0.0;
    }
    ChiSquared::new(freedom).map_or(f64::NAN, |law| law.sf(statistic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_ratio_near;
    use proptest::prelude::*;

    #[test]
    fn partial_conjunctions_by_both_combinations() {
        // numpy 2.4.6: np.maximum.accumulate of (n - u + 1) * sorted[u - 1]; scipy 1.17.1:
        // the same of combine_pvalues(sorted[u - 1:], method="fisher").
        let p_values = [0.03, 0.001, 0.2, 0.004, 0.6, 0.012];
        for (combination, count, expected) in [
            (Combination::Bonferroni, 3, [0.006, 0.02, 0.048, 0.09, 0.4, 0.6]),
            (
                Combination::Fisher,
                3,
                [
                    1.0478084969728641e-05,
                    0.0005558086909891597,
                    0.009966677618120067,
                    0.08084657216116982,
                    0.3744316243440109,
                    0.6,
                ],
            ),
        ] {
            let analysis = Replicability::new(&p_values, combination);
            assert_eq!(analysis.count(0.05), count);
            for (found, expected) in analysis.p_values.into_iter().zip(expected) {
                assert_ratio_near(found, expected, 1e-12);
            }
        }
    }

    #[test]
    fn p_values_at_the_ends() {
        for combination in [Combination::Bonferroni, Combination::Fisher] {
            assert_eq!(Replicability::new(&[], combination).count(0.05), 0);
            let sure = Replicability::new(&[0.0, f64::NAN, 0.0], combination);
            assert_eq!(sure.p_values, [0.0, 0.0, 1.0]);
            assert_eq!(sure.count(0.05), 2);
        }
    }

    proptest! {
        #[test]
        fn more_evidence_never_counts_less(
            mut p_values in prop::collection::vec(0.0..=1.0, 1..12), at: prop::sample::Index,
        ) {
            for combination in [Combination::Bonferroni, Combination::Fisher] {
                let before = Replicability::new(&p_values, combination);
                prop_assert!(before.p_values.is_sorted());
                prop_assert!(before.p_values.iter().all(|p| (0.0..=1.0).contains(p)));
                let at = at.index(p_values.len());
                p_values[at] /= 10.0;
                let after = Replicability::new(&p_values, combination);
                prop_assert!(after.count(0.2) >= before.count(0.2));
            }
        }
    }
}

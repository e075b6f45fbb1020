//! Many tests at once.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

/// What becomes of p-values when several hypotheses are tested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Correction {
    /// Nothing.
    None,
    /// Every p-value times the number of tests (Bonferroni 1936): the probability
    /// of any false alarm stays below the level.
    Bonferroni,
    /// The same promise, never weaker: the i-th smallest p-value times the number
    /// of those from it on (Holm 1979).
    #[default]
    Holm,
    /// The expected share of false alarms among all alarms stays below the level:
    /// the i-th smallest of m p-values times m / i (Benjamini and Hochberg 1995).
    /// For exploration.
    BenjaminiHochberg,
}

/// A name that no correction has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no correction: expected one of none, bonferroni, holm, bh")]
pub struct CorrectionError(String);

const NAMES: [(&str, Correction); 4] = [
    ("none", Correction::None),
    ("bonferroni", Correction::Bonferroni),
    ("holm", Correction::Holm),
    ("bh", Correction::BenjaminiHochberg),
];

impl Correction {
    /// The adjusted p-values, in the order of the input: compare them with the
    /// level as if each were alone. What is not a number stays so and does not
    /// count as a test, as in R's `p.adjust`.
    pub fn adjust(self, p_values: &[f64]) -> Vec<f64> {
        let mut order: Vec<usize> =
            (0..p_values.len()).filter(|&index| !p_values[index].is_nan()).collect();
        order.sort_by(|&left, &right| p_values[left].total_cmp(&p_values[right]));
        let mut products: Vec<f64> = (order.iter().enumerate())
            .map(|(place, &index)| (p_values[index] * self.factor(place, order.len())).min(1.0))
            .collect();
        match self {
            Correction::None | Correction::Bonferroni => {}
            // An adjusted p-value must not be smaller than that of a stronger result: running
            // maxima (and minima from the other end) keep the order.
            Correction::Holm => keep(products.iter_mut(), f64::max),
            Correction::BenjaminiHochberg => keep(products.iter_mut().rev(), f64::min),
        }
        let mut adjusted = p_values.to_vec();
        for (index, product) in order.into_iter().zip(products) {
            adjusted[index] = product;
        }
        adjusted
    }

    /// What the p-value at a place of the sorted ones is multiplied by.
    fn factor(self, place: usize, tests: usize) -> f64 {
        match self {
            Correction::None => 1.0,
            Correction::Bonferroni => tests as f64,
            Correction::Holm => (tests - place) as f64,
            Correction::BenjaminiHochberg => tests as f64 / (place + 1) as f64,
        }
    }
}

/// Replaces each value by the largest, or smallest, so far.
fn keep<'v>(values: impl Iterator<Item = &'v mut f64>, choose: fn(f64, f64) -> f64) {
    let mut kept = None;
    for value in values {
        *value = kept.map_or(*value, |kept| choose(kept, *value));
        kept = Some(*value);
    }
}

impl Display for Correction {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let named = NAMES.iter().find(|(_, correction)| correction == self);
        formatter.write_str(named.map_or("", |(name, _)| name))
    }
}

impl FromStr for Correction {
    type Err = CorrectionError;

    fn from_str(text: &str) -> Result<Correction, CorrectionError> {
        let named = NAMES.iter().find(|(name, _)| *name == text);
        named.map(|(_, correction)| *correction).ok_or_else(|| CorrectionError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;
    use proptest::prelude::*;

    const ALL: [Correction; 4] =
        [Correction::None, Correction::Bonferroni, Correction::Holm, Correction::BenjaminiHochberg];

    #[test]
    fn adjusted_values_are_those_of_statsmodels() {
        // statsmodels 0.15.0, multipletests(p, method=...)[1].
        let p_values = [0.01, 0.04, 0.03, 0.005, 0.2, 0.03, 0.9, 0.0];
        for (correction, expected) in [
            (Correction::None, p_values),
            (Correction::Bonferroni, [0.08, 0.32, 0.24, 0.04, 1.0, 0.24, 1.0, 0.0]),
            (Correction::Holm, [0.06, 0.15, 0.15, 0.035, 0.4, 0.15, 0.9, 0.0]),
            (
                Correction::BenjaminiHochberg,
                [0.08 / 3.0, 0.16 / 3.0, 0.048, 0.02, 1.6 / 7.0, 0.048, 0.9, 0.0],
            ),
        ] {
            for (found, expected) in correction.adjust(&p_values).into_iter().zip(expected) {
                assert_near(found, expected, 1e-15);
            }
        }
    }

    #[test]
    fn what_is_not_a_number_is_no_test() {
        let adjusted = Correction::Holm.adjust(&[f64::NAN, 0.02, f64::NAN, 0.03]);
        assert!(adjusted[0].is_nan() && adjusted[2].is_nan());
        assert_eq!((adjusted[1], adjusted[3]), (0.04, 0.04));
        assert!(ALL.iter().all(|correction| correction.adjust(&[]).is_empty()));
    }

    #[test]
    fn names_lead_back_to_corrections() {
        for correction in ALL {
            assert_eq!(correction.to_string().parse(), Ok(correction));
        }
        let error = "sidak".parse::<Correction>().expect_err("no correction");
        assert_eq!(
            error.to_string(),
            "`sidak` is no correction: expected one of none, bonferroni, holm, bh"
        );
    }

    proptest! {
        #[test]
        fn adjusting_raises_and_keeps_the_order(
            p_values in prop::collection::vec(0.0..=1.0, 0..30),
        ) {
            for correction in ALL {
                let adjusted = correction.adjust(&p_values);
                for (at, (p, high)) in p_values.iter().zip(&adjusted).enumerate() {
                    prop_assert!(p <= high && *high <= 1.0);
                    for (other, other_high) in p_values.iter().zip(&adjusted).skip(at) {
                        prop_assert!(p > other || high <= other_high);
                        prop_assert!(p < other || high >= other_high);
                    }
                }
                let mut turned: Vec<f64> = p_values.iter().rev().copied().collect();
                turned = correction.adjust(&turned);
                turned.reverse();
                prop_assert_eq!(adjusted, turned);
            }
        }

        #[test]
        fn holm_is_between_hochberg_and_bonferroni(
            p_values in prop::collection::vec(0.0..=1.0, 0..30),
        ) {
            let adjusted = |correction: Correction| correction.adjust(&p_values).into_iter();
            let bounds = adjusted(Correction::BenjaminiHochberg).zip(adjusted(Correction::Bonferroni));
            for (holm, (low, high)) in adjusted(Correction::Holm).zip(bounds) {
                prop_assert!(low <= holm + 1e-15 && holm <= high);
            }
        }
    }
}

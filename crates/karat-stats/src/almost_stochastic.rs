//! Two systems whose scores vary from run to run.

use crate::{Random, Tolerance, normal};
use rayon::prelude::*;

/// Almost stochastic order (del Barrio, Cuesta-Albertos and Matrán 2018; Dror,
/// Shlomov and Reichart 2019): is the first system better at (almost) every
/// quantile of its scores, with other seeds too?
///
/// The same as deepsig's `aso`, but for three things: the step functions are
/// integrated exactly, not at 200 points; the violation at the lowest point is not
/// forgotten; and the random numbers are karat's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AlmostStochasticOrder {
    /// How many times both samples are drawn again.
    pub trials: usize,
    /// What the random numbers depend on.
    pub seed: u64,
    /// How sure the bound is, in percent. For one of several comparisons at 95
    /// percent, `100 - 5 / comparisons`.
    pub level: f64,
}

/// How far the first system is from being better throughout.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Violation {
    /// The violation ratio of the samples: of the squared distance between their
    /// quantile functions (Wasserstein's), the share from quantiles at which the second
    /// is above. 0 if the first is above or equal everywhere, 1 if the second is; one
    /// half for samples without difference.
    pub ratio: f64,
    /// Its upper bound, `ε_min`. Below 0.5 the first system is better in the sense
    /// of this test; below 0.2 one may rely on it (Ulmer, Hardmeier and Frellsen 2022).
    pub bound: f64,
}

impl Default for AlmostStochasticOrder {
    fn default() -> AlmostStochasticOrder {
        AlmostStochasticOrder { trials: 1000, seed: 1, level: 95.0 }
    }
}

impl AlmostStochasticOrder {
    /// The test that the scores of the first system are above those of the second.
    /// The bound is the ratio plus the normal quantile of the level times the
    /// deviation of the ratio over samples drawn again. `None` for an empty sample
    /// and for scores that are not finite.
    pub fn test(&self, first: &[f64], second: &[f64]) -> Option<Violation> {
        let (first, second) = comparable(first, second)?;
        let ratio = ratio_of_sorted(&first, &second);
        let ratios: Vec<f64> = (0..self.trials as u64)
            .into_par_iter()
            .map(|trial| {
                let mut random = Random::new(self.seed, trial);
                let first = drawn_again(&first, &mut random);
                ratio_of_sorted(&first, &drawn_again(&second, &mut random))
            })
            .collect();
        let bound = ratio + normal::quantile(self.level / 100.0) * deviation(&ratios);
        Some(Violation { ratio, bound: bound.clamp(0.0, 1.0) })
    }
}

/// Both samples sorted, in units of the largest value, so that no square overflows.
fn comparable(first: &[f64], second: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
    let finite = first.iter().chain(second).all(|score| score.is_finite());
    if first.is_empty() || second.is_empty() || !finite {
        return None;
    }
    let mut all = [first, second].concat();
    // Levelled before they are sorted: rounding must not decide which sample is above at a
    // quantile.
    Tolerance::ROUNDING.level(&mut all);
    let (first, second) = all.split_at(first.len());
    let largest = first.iter().chain(second).fold(0.0_f64, |most, score| most.max(score.abs()));
    let unit = if largest > 0.0 { largest } else { 1.0 };
    let sorted = |sample: &[f64]| {
        let mut sample: Vec<f64> = sample.iter().map(|score| score / unit).collect();
        sample.sort_unstable_by(f64::total_cmp);
        sample
    };
    Some((sorted(first), sorted(second)))
}

/// As many values of a sorted sample, with replacement, sorted.
fn drawn_again(sorted: &[f64], random: &mut Random) -> Vec<f64> {
    let mut times = vec![0; sorted.len()];
    for _ in sorted {
        times[random.below(sorted.len())] += 1;
    }
    sorted.iter().zip(times).flat_map(|(&value, times)| std::iter::repeat_n(value, times)).collect()
}

/// Walks both step functions at once. The i-th of n values is the quantile from
/// i / n to (i + 1) / n; places are measured in units of the product of both sizes.
fn ratio_of_sorted(first: &[f64], second: &[f64]) -> f64 {
    let (mut upper, mut lower, mut at) = (0, 0, 0);
    let (mut violation, mut distance) = (0.0, 0.0);
    while let (Some(above), Some(below)) = (first.get(upper), second.get(lower)) {
        // In units of the product of both sizes all borders are whole numbers, so the two step
        // functions meet without rounding.
        let (upper_ends, lower_ends) = ((upper + 1) * second.len(), (lower + 1) * first.len());
        let ends = upper_ends.min(lower_ends);
        let squared = (ends - at) as f64 * (above - below) * (above - below);
        distance += squared;
        violation += if below > above { squared } else { 0.0 };
        at = ends;
        upper += usize::from(upper_ends == ends);
        lower += usize::from(lower_ends == ends);
    }
    if distance > 0.0 { violation / distance } else { 0.5 }
}

fn deviation(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;
    use proptest::prelude::*;

    const FIVE: [f64; 5] = [0.71, 0.74, 0.69, 0.78, 0.73];
    const SEVEN: [f64; 7] = [0.70, 0.72, 0.75, 0.68, 0.70, 0.66, 0.72];
    const THREE: [f64; 3] = [0.71, 0.70, 0.72];

    fn violation_ratio(first: &[f64], second: &[f64]) -> Option<f64> {
        let once = AlmostStochasticOrder { trials: 1, ..AlmostStochasticOrder::default() };
        once.test(first, second).map(|violation| violation.ratio)
    }

    #[test]
    fn ratios_are_exact() {
        // Integrated in fractions between all steps of both quantile functions, Python 3.11.
        // deepsig 1.2.8, compute_violation_ratio(..., dt=1e-5): 0, 0.99999, 0.0211255, 0.5, 0.
        for (first, second, expected) in [
            (FIVE.as_slice(), SEVEN.as_slice(), 0.0),
            (&SEVEN, &FIVE, 1.0),
            (&FIVE, &THREE, 0.02112676056338028),
            (&FIVE, &FIVE, 0.5),
            (&[1.0, 2.0, 3.0], &[0.0, 1.0, 2.0], 0.0),
        ] {
            assert_near(violation_ratio(first, second).expect("scores"), expected, 1e-13);
        }
    }

    #[test]
    fn the_bound_is_that_of_other_random_numbers_up_to_chance() {
        // numpy 2.4.6, 400 000 resamples at the middle of every step. deepsig 1.2.8,
        // aso(first, second, num_bootstrap_iterations=4000, seed=1): 0.3076, 1, 0.3508.
        let order = AlmostStochasticOrder { trials: 10_000, ..Default::default() };
        for (first, second, expected) in [
            (FIVE.as_slice(), SEVEN.as_slice(), 0.3052),
            (&SEVEN, &FIVE, 1.0),
            (&FIVE, &THREE, 0.3517),
        ] {
            let bound = order.test(first, second).expect("scores").bound;
            assert_near(bound, expected, 0.01);
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bound() {
        let order = AlmostStochasticOrder { trials: 200, ..Default::default() };
        assert_eq!(order.test(&FIVE, &THREE), order.test(&FIVE, &THREE));
        let other = AlmostStochasticOrder { seed: 2, ..order };
        assert_ne!(order.test(&FIVE, &THREE), other.test(&FIVE, &THREE));
    }

    #[test]
    fn scores_that_are_none() {
        let order = AlmostStochasticOrder { trials: 10, ..Default::default() };
        assert_eq!(order.test(&[], &[1.0]), None);
        assert_eq!(order.test(&[1.0], &[f64::NAN]), None);
        assert_eq!(violation_ratio(&[f64::INFINITY], &[1.0]), None);
        assert_eq!(violation_ratio(&[f64::MAX], &[-f64::MAX]), Some(0.0));
        let none = AlmostStochasticOrder { trials: 0, ..order };
        assert_eq!(none.test(&[1.0], &[2.0]), Some(Violation { ratio: 1.0, bound: 1.0 }));
    }

    proptest! {
        #[test]
        fn what_one_violates_the_other_fulfils(
            first in prop::collection::vec(0.0..1.0, 1..20),
            second in prop::collection::vec(0.0..1.0, 1..20),
        ) {
            let ratio = violation_ratio(&first, &second).unwrap();
            let turned = violation_ratio(&second, &first).unwrap();
            prop_assert!((ratio + turned - 1.0).abs() < 1e-12);
            let shuffled: Vec<f64> = first.iter().rev().copied().collect();
            prop_assert_eq!(violation_ratio(&shuffled, &second), Some(ratio));
        }
    }
}

//! How a score is spread.

use crate::Tolerance;
use std::cmp::Ordering;

/// A score that depends on chance: where it lies, how far it spreads, and how likely each value is.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// Values in rising order, each with the chance of that value or less.
    steps: Vec<(f64, f64)>,
}

impl Distribution {
    /// The distribution of values that were observed; `None` if there are none.
    pub fn observed(mut values: Vec<f64>) -> Option<Distribution> {
        values.sort_unstable_by(f64::total_cmp);
        let count = values.len() as f64;
        let first = *values.first()?;
        // Relative to the first value: scores are close to each other, and squares of the scores
        // themselves would cancel most digits.
        let shifted = || values.iter().map(|value| value - first);
        let mean = shifted().sum::<f64>() / count;
        let squares: f64 = shifted().map(|value| (value - mean).powi(2)).sum();
        let mut steps: Vec<(f64, f64)> = Vec::new();
        for (at, &value) in values.iter().enumerate() {
            let upto = (at + 1) as f64 / count;
            match steps.last_mut() {
                Some(last) if Tolerance::ROUNDING.is_same(last.0, value) => last.1 = upto,
                _ => steps.push((value, upto)),
            }
        }
        Some(Distribution { mean: first + mean, deviation: (squares / count).sqrt(), steps })
    }

    /// The distribution with these moments and steps; the steps rise.
    pub(super) fn new(mean: f64, deviation: f64, steps: Vec<(f64, f64)>) -> Distribution {
        Distribution { mean, deviation, steps }
    }

    /// The value that is not exceeded with this chance, between 0 and 1.
    pub fn quantile(&self, share: f64) -> f64 {
        let at = self.steps.partition_point(|&(_, upto)| upto < share);
        let last = self.steps.last().map_or(f64::NAN, |&(value, _)| value);
        self.steps.get(at).map_or(last, |&(value, _)| value)
    }

    /// The chance of this value or less.
    pub fn upto(&self, value: f64) -> f64 {
        let is_above =
            |step: f64| Tolerance::ROUNDING.compare(step, value) == Some(Ordering::Greater);
        let after = self.steps.partition_point(|&(step, _)| !is_above(step));
        after.checked_sub(1).map_or(0.0, |at| self.steps[at].1)
    }

    /// The lowest value.
    pub fn lowest(&self) -> f64 {
        self.steps.first().map_or(f64::NAN, |&(value, _)| value)
    }

    /// The highest value.
    pub fn highest(&self) -> f64 {
        self.steps.last().map_or(f64::NAN, |&(value, _)| value)
    }

    /// Values in rising order, each with the chance of that value or less.
    pub fn steps(&self) -> &[(f64, f64)] {
        &self.steps
    }

    /// Values in rising order, each with its own chance.
    pub fn chances(&self) -> impl Iterator<Item = (f64, f64)> {
        let below = std::iter::once(0.0).chain(self.steps.iter().map(|&(_, upto)| upto));
        self.steps.iter().zip(below).map(|(&(value, upto), below)| (value, upto - below))
    }

    /// Between which values the lowest of so many draws lies, with this chance.
    pub fn range_of_lowest(&self, draws: u64, chance: f64) -> [f64; 2] {
        let outside = (1.0 - chance) / 2.0;
        // The lowest of n is above x if all are: P(lowest <= x) = 1 - (1 - F(x))^n.
        [outside, 1.0 - outside].map(|share| self.quantile(-root_complement(share, draws)))
    }

    /// Between which values the highest of so many draws lies, with this chance.
    pub fn range_of_highest(&self, draws: u64, chance: f64) -> [f64; 2] {
        let outside = (1.0 - chance) / 2.0;
        // The highest of n is at most x if all are: P(highest <= x) = F(x)^n.
        [1.0 - outside, outside].map(|share| self.quantile(1.0 + root_complement(share, draws)))
    }

    /// The largest distance between this and another distribution function.
    pub fn distance(&self, other: &Distribution) -> f64 {
        let values = self.steps.iter().chain(&other.steps).map(|&(value, _)| value);
        values.map(|value| (self.upto(value) - other.upto(value)).abs()).fold(0.0, f64::max)
    }
}

/// The n-th root of the complement of a share, less 1; exact where it is close to nothing.
fn root_complement(share: f64, n: u64) -> f64 {
    libm::expm1(libm::log1p(-share) / n.max(1) as f64)
}

/// How often two samples of one distribution are at least as far apart as this, by the limit
/// that Kolmogorov and Smirnov found for large samples. `None` if a sample is empty.
pub fn kolmogorov_smirnov(distance: f64, first: usize, second: usize) -> Option<f64> {
    if first == 0 || second == 0 {
        return None;
    }
    let (first, second) = (first as f64, second as f64);
    Some(kolmogorov(distance * (first * second / (first + second)).sqrt()))
}

/// The chance that a Kolmogorov variable exceeds this.
fn kolmogorov(x: f64) -> f64 {
    if x.is_nan() || x < 0.2 {
        // Below, the chance is 1 within the accuracy of a number.
        return 1.0;
    }
    let term = |k: i32| {
        let sign = if k % 2 == 1 { 1.0 } else { -1.0 };
        sign * libm::exp(-2.0 * f64::from(k * k) * x * x)
    };
    (2.0 * (1..=40).map(term).sum::<f64>()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observed_values_have_the_moments_and_quantiles_of_numpy() {
        let found = Distribution::observed(vec![0.5, 0.25, 1.0, 0.25]).expect("four values");
        // numpy 2.4.6: numpy.std([.5, .25, 1, .25]) = 0.30618621784789724
        assert!((found.mean - 0.5).abs() < 1e-15);
        assert!((found.deviation - 0.306_186_217_847_897_24).abs() < 1e-15);
        assert_eq!(
            [0.0, 0.5, 0.51, 0.75, 0.9, 1.0].map(|share| found.quantile(share)),
            [0.25, 0.25, 0.5, 0.5, 1.0, 1.0]
        );
        assert_eq!([0.2, 0.25, 0.7, 2.0].map(|value| found.upto(value)), [0.0, 0.5, 0.75, 1.0]);
        assert_eq!((found.lowest(), found.highest()), (0.25, 1.0));
        assert_eq!(Distribution::observed(Vec::new()), None);
    }

    #[test]
    fn the_limit_of_kolmogorov_is_that_of_scipy() {
        // scipy 1.17.1: scipy.special.kolmogorov([.3, .5, 1, 1.36, 2])
        for (x, expected) in [
            (0.3, 0.999_990_694_198_665_5),
            (0.5, 0.963_945_243_664_875_1),
            (1.0, 0.269_999_671_677_354_56),
            (1.36, 0.049_485_876_755_377_876),
            (2.0, 0.000_670_925_255_779_695_3),
        ] {
            assert!((kolmogorov(x) - expected).abs() < 1e-9, "{x}: {}", kolmogorov(x));
        }
        assert_eq!(kolmogorov(0.0), 1.0);
        assert_eq!(kolmogorov_smirnov(0.1, 0, 5), None);
    }

    #[test]
    fn the_distance_of_two_samples() {
        let sample = |values: &[f64]| Distribution::observed(values.to_vec()).expect("values");
        // scipy 1.17.1: scipy.stats.ks_2samp([1, 2, 3, 4], [3, 4, 5]).statistic = 0.5
        assert_eq!(sample(&[1.0, 2.0, 3.0, 4.0]).distance(&sample(&[3.0, 4.0, 5.0])), 0.5);
        assert_eq!(sample(&[1.0]).distance(&sample(&[1.0])), 0.0);
    }

    #[test]
    fn extremes_of_many_draws_are_quantiles_far_out() {
        // A fair die: the lowest of two draws is 1 with chance 11/36.
        let die = Distribution::observed((1..=6).map(f64::from).collect()).expect("six values");
        assert_eq!(die.range_of_lowest(2, 0.95), [1.0, 6.0]);
        assert_eq!(die.range_of_highest(2, 0.95), [1.0, 6.0]);
        assert_eq!(die.range_of_lowest(100, 0.95), [1.0, 1.0]);
        assert_eq!(die.range_of_highest(100, 0.95), [6.0, 6.0]);
    }
}

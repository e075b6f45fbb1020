//! Systems with several runs: how far the mean of a few is from the mean of all that there might be.

use crate::{Random, Statistic};
use std::f64::consts::PI;
use std::ops::Range;

/// One system.
///
/// The runs (seeds) of a system stand for others that were not made. How far their mean may be off is told by
/// how far they are apart, with as little certainty as so few of them allow: Student's
/// distribution, with one degree of freedom less than there are runs. Documents are drawn for all runs
/// together. What chance does to each run by itself is seen in both, and is taken out of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runs {
    /// What the random numbers of its runs depend on besides seed and trial: a hash of what they
    /// are, so that neither names nor an order matter.
    pub key: u64,
    /// For each of its runs, where its counts are in a row.
    pub columns: Vec<Range<usize>>,
}

impl Runs {
    /// A system with one output.
    pub fn single(columns: Range<usize>) -> Runs {
        Runs { key: 0, columns: std::iter::once(columns).collect() }
    }

    /// Whether there are several.
    pub(crate) fn are_several(&self) -> bool {
        self.columns.len() > 1
    }

    /// The mean of the scores of all runs, if all have one.
    pub(crate) fn score(&self, sums: &[f64], statistic: &Statistic<'_>) -> Option<f64> {
        let scores: Option<Vec<f64>> =
            self.columns.iter().map(|run| statistic(&sums[run.clone()])).collect();
        scores.filter(|scores| !scores.is_empty()).map(|scores| mean(&sorted(scores)))
    }

    /// The score of several runs in each trial, from the scores that each had in it. What is undefined is
    /// not a number.
    pub(crate) fn trials(&self, seed: u64, runs: Vec<f64>, drawn: Vec<Vec<f64>>) -> Vec<f64> {
        let number = runs.len() as f64;
        let runs = sorted(runs);
        let (centre, apart) = (mean(&runs), variance(&runs));
        let drawn: Vec<Vec<f64>> = drawn.into_iter().map(sorted).collect();
        let means: Vec<f64> = drawn.iter().map(|runs| mean(runs)).collect();
        // Drawing documents moves runs apart by what chance does to each by itself.
        let by_chance = mean_of_defined(drawn.iter().map(|runs| variance(runs))) - apart;
        let varied = variance_of_defined(&means);
        let shared = 1.0 - (by_chance.max(0.0) / number) / varied;
        // Negative where chance explains more than there is: then nothing of the spread is kept.
        let kept = if varied > 0.0 { shared.max(0.0).sqrt() } else { 1.0 };
        let error = (apart / number).sqrt();
        let score = |(trial, mean): (usize, f64)| {
            centre + kept * (mean - centre) + error * self.student(seed, trial)
        };
        means.into_iter().enumerate().map(score).collect()
    }

    /// A value of Student's distribution: the mean of as many normal values as there are runs, over
    /// the error of this mean that they show.
    fn student(&self, seed: u64, trial: usize) -> f64 {
        let mut random = Random::new(seed ^ self.key, trial as u64);
        let values: Vec<f64> = self.columns.iter().map(|_| normal(&mut random)).collect();
        let error = (variance(&values) / values.len() as f64).sqrt();
        let value = mean(&values) / error;
        // Runs with equal values show no error. 0 leaves the mean where it is.
        if value.is_finite() { value } else { 0.0 }
    }
}

/// A normal value (Box and Muller 1958).
fn normal(random: &mut Random) -> f64 {
    // `1 - unit` is never 0, so its logarithm is finite.
    let (radius, angle) = (1.0 - random.unit(), random.unit());
    (-2.0 * libm::log(radius)).sqrt() * libm::cos(2.0 * PI * angle)
}

/// Sums depend on their order in the last digit.
fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    values
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The variance that a sample estimates.
pub(crate) fn variance(values: &[f64]) -> f64 {
    let mean = mean(values);
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    squares / (values.len() as f64 - 1.0).max(1.0)
}

fn mean_of_defined(values: impl Iterator<Item = f64>) -> f64 {
    mean(&values.filter(|value| !value.is_nan()).collect::<Vec<_>>())
}

fn variance_of_defined(values: &[f64]) -> f64 {
    variance(&values.iter().copied().filter(|value| !value.is_nan()).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_those_of_students_distribution() {
        // scipy 1.17.1: scipy.stats.t(df).ppf([.75, .975]) for df = 1, 2, 9.
        for (runs, quartile, high) in [(2, 1.0, 12.7062), (3, 0.8165, 4.3027), (10, 0.7027, 2.2622)]
        {
            let columns = (0..runs).map(|run| run..run + 1).collect();
            let runs = Runs { key: 3, columns };
            let mut values: Vec<f64> = (0..40_000).map(|trial| runs.student(1, trial)).collect();
            values.sort_unstable_by(f64::total_cmp);
            let at = |percent| crate::percentile(&values, percent).expect("values");
            assert!((at(75.0) / quartile - 1.0).abs() < 0.03, "{}", at(75.0));
            assert!((at(97.5) / high - 1.0).abs() < 0.1, "{}", at(97.5));
            assert!((at(2.5) / -high - 1.0).abs() < 0.1, "{}", at(2.5));
        }
    }
}

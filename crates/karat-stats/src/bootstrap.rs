//! Intervals by drawing documents again.

use crate::{Random, percentile};
use rayon::prelude::*;

/// The document bootstrap: documents are drawn with replacement, their counts
/// summed and scored, many times; the middle of what comes out is the interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// How many times documents are drawn.
    pub trials: usize,
    /// What the random numbers depend on.
    pub seed: u64,
    /// The share of trials within the interval, in percent.
    pub level: f64,
}

/// From one value to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A score of summed counts.
pub type Statistic<'s> = dyn Fn(&[f64]) -> Option<f64> + Sync + 's;

impl Default for Bootstrap {
    fn default() -> Bootstrap {
        Bootstrap { trials: 1000, seed: 1, level: 95.0 }
    }
}

impl Bootstrap {
    /// The percentile interval of each statistic over the rows of a matrix with
    /// `width` columns. `None` where the statistic is undefined in some trial.
    pub fn intervals(
        &self,
        rows: &[f64],
        width: usize,
        statistics: &[&Statistic<'_>],
    ) -> Vec<Option<Interval>> {
        if width == 0 || rows.len() < width || self.trials == 0 {
            return vec![None; statistics.len()];
        }
        let sums = self.trial_sums(rows, width);
        let interval = |statistic: &&Statistic<'_>| {
            let values: Option<Vec<f64>> = sums.chunks_exact(width).map(statistic).collect();
            let mut values = values?;
            values.sort_unstable_by(f64::total_cmp);
            let outside = (100.0 - self.level) / 2.0;
            Some(Interval {
                low: percentile(&values, outside)?,
                high: percentile(&values, 100.0 - outside)?,
            })
        };
        statistics.iter().map(interval).collect()
    }

    /// The summed counts of every trial, one row each.
    fn trial_sums(&self, rows: &[f64], width: usize) -> Vec<f64> {
        let documents = rows.len() / width;
        let mut sums = vec![0.0; self.trials * width];
        sums.par_chunks_exact_mut(width).enumerate().for_each(|(trial, sums)| {
            let mut random = Random::new(self.seed, trial as u64);
            for _ in 0..documents {
                let start = random.below(documents) * width;
                for (sum, count) in sums.iter_mut().zip(&rows[start..start + width]) {
                    *sum += count;
                }
            }
        });
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_share_is_near_that_of_the_normal_distribution() {
        // 400 documents, half of them right: the standard error of the share is 0.025.
        let rows: Vec<f64> = (0..400).flat_map(|at| [f64::from(at % 2), 1.0]).collect();
        let share = |sums: &[f64]| Some(sums[0] / sums[1]);
        let bootstrap = Bootstrap { trials: 4000, ..Bootstrap::default() };
        let interval = bootstrap.intervals(&rows, 2, &[&share])[0].expect("defined");
        assert!((interval.low - (0.5 - 1.96 * 0.025)).abs() < 0.005, "{interval:?}");
        assert!((interval.high - (0.5 + 1.96 * 0.025)).abs() < 0.005, "{interval:?}");
    }

    #[test]
    fn what_is_undefined_in_a_trial_has_no_interval() {
        let nothing = |_: &[f64]| None;
        assert_eq!(Bootstrap::default().intervals(&[1.0, 2.0], 1, &[&nothing]), [None]);
        assert_eq!(Bootstrap::default().intervals(&[], 1, &[&nothing]), [None]);
    }
}

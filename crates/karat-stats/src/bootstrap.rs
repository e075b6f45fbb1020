//! Intervals by drawing documents again.

use crate::sampling::TrialSums;
use crate::{Counts, Interval, Method, Sampling, Watching, unwatched};

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
    /// How the interval is made of the trials.
    pub method: Method,
}

/// A score of summed counts.
pub type Statistic<'s> = dyn Fn(&[f64]) -> Option<f64> + Sync + 's;

impl Default for Bootstrap {
    fn default() -> Bootstrap {
        Bootstrap { trials: 1000, seed: 1, level: 95.0, method: Method::Percentile }
    }
}

impl Bootstrap {
    /// The interval of each statistic. `None` where the statistic is undefined in some trial: so few
    /// documents decide it that drawing them again says nothing.
    pub fn intervals(
        &self,
        counts: &Counts,
        sampling: &Sampling,
        statistics: &[&Statistic<'_>],
    ) -> Vec<Option<Interval>> {
        if !sampling.can_vary(0..counts.len()) || self.trials == 0 {
            return vec![None; statistics.len()];
        }
        let sums = self.trial_sums(counts, sampling, &unwatched);
        let interval = |statistic: &&Statistic<'_>| {
            // One undefined trial makes the interval undefined: leaving it out would bias the
            // interval towards the trials that happen to have something to count.
            let values: Option<Vec<f64>> = sums.rows().map(statistic).collect();
            self.interval(counts, sampling, statistic, &mut values?)
        };
        statistics.iter().map(interval).collect()
    }

    /// The summed counts of every trial.
    pub fn trial_sums(
        &self,
        counts: &Counts,
        sampling: &Sampling,
        watching: &Watching<'_>,
    ) -> TrialSums {
        sampling.trial_sums_watched(counts, self.trials, self.seed, watching)
    }

    /// The interval of a statistic that had these values in the trials. Ask first whether trials
    /// [can vary](Sampling::can_vary).
    pub fn interval(
        &self,
        counts: &Counts,
        sampling: &Sampling,
        statistic: &Statistic<'_>,
        values: &mut [f64],
    ) -> Option<Interval> {
        let estimate = statistic(&counts.sums())?;
        let left_out = match self.method {
            Method::Bca => leave_one_out(counts, sampling, statistic)?,
            Method::Percentile | Method::Basic => Vec::new(),
        };
        self.method.interval(estimate, values, &left_out, self.level)
    }
}

/// The statistic without each of the units that are drawn.
pub(crate) fn leave_one_out(
    counts: &Counts,
    sampling: &Sampling,
    statistic: &Statistic<'_>,
) -> Option<Vec<f64>> {
    let (units, _) = sampling.units(counts);
    // From the sums in O(units), not by summing all others again for each unit.
    let sums = units.sums();
    let mut rest = sums.clone();
    units
        .rows()
        .map(|row| {
            for ((rest, sum), count) in rest.iter_mut().zip(&sums).zip(row) {
                *rest = sum - count;
            }
            statistic(&rest)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_share_is_near_that_of_the_normal_distribution() {
        // 400 documents, half of them right: the standard error of the share is 0.025.
        let rows: Vec<f64> = (0..400).flat_map(|at| [f64::from(at % 2), 1.0]).collect();
        let share = |sums: &[f64]| Some(sums[0] / sums[1]);
        for method in [Method::Percentile, Method::Basic, Method::Bca] {
            let bootstrap = Bootstrap { trials: 4000, method, ..Bootstrap::default() };
            let counts = Counts::new(2, rows.clone());
            let found = bootstrap.intervals(&counts, &Sampling::Documents, &[&share]);
            let interval = found[0].expect("defined");
            assert!((interval.low - (0.5 - 1.96 * 0.025)).abs() < 0.005, "{interval:?}");
            assert!((interval.high - (0.5 + 1.96 * 0.025)).abs() < 0.005, "{interval:?}");
        }
    }

    #[test]
    fn what_is_undefined_in_a_trial_has_no_interval() {
        let nothing = |_: &[f64]| None;
        let intervals = |rows: Vec<f64>| {
            Bootstrap::default().intervals(&Counts::new(1, rows), &Sampling::Documents, &[&nothing])
        };
        assert_eq!(intervals(vec![1.0, 2.0]), [None]);
        assert_eq!(intervals(vec![]), [None]);
    }
}

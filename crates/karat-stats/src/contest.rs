//! Several systems on the same documents: differences and ranks, trial by trial.

use crate::bootstrap::leave_one_out;
use crate::{Bootstrap, Counts, Interval, Method, Random, Sampling, Statistic};
use rayon::prelude::*;
use std::ops::Range;

/// The scores of several systems in each trial of one bootstrap: all systems see the same documents,
/// so what is hard for all does not blur their differences.
#[derive(Debug, Clone, PartialEq)]
pub struct Contest {
    /// The score of each system on all documents.
    pub scores: Vec<Option<f64>>,
    /// For each system its score in each trial; `None` if it is undefined in one.
    pub trials: Vec<Option<Vec<f64>>>,
    /// For each system its score without each of the units that are drawn, where the interval asks
    /// for it.
    left_out: Vec<Option<Vec<f64>>>,
    bootstrap: Bootstrap,
}

/// What the trials say of the difference between two systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// First minus second, on all documents.
    pub value: f64,
    /// Where it lies.
    pub interval: Interval,
    /// How much it varies from one set of documents to another.
    pub standard_error: f64,
    /// The probability of a difference as large in either direction if there were none: trials, moved
    /// so that their mean is 0, that lie at least as far out.
    pub two_sided: f64,
    /// The same for a difference as large in the observed direction.
    pub one_sided: f64,
    /// The share of trials in which the first is better; half of those in which both are the same.
    pub first_better: f64,
}

/// Where a system may stand among the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranks {
    /// Its rank: 1 and how many are better.
    pub rank: usize,
    /// The lowest and highest rank within the level; `None` if some system has no score in some trial.
    pub interval: Option<[usize; 2]>,
    /// The share of trials in which none is better; `None` likewise.
    pub first: Option<f64>,
}

/// One system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Runs {
    /// What the draws of its runs depend on besides seed and trial: a hash of its name, so that no
    /// order of systems matters.
    pub key: u64,
    /// For each of its runs, where its counts are in a row.
    pub columns: Vec<Range<usize>>,
}

impl Contest {
    /// Draws documents again for all systems at once. A row of `counts` holds the counts of all of
    /// them. A system with several runs (seeds) scores the mean of its runs, and its runs are
    /// drawn again too.
    pub fn new(
        bootstrap: &Bootstrap,
        counts: &Counts,
        sampling: &Sampling,
        systems: &[Runs],
        statistic: &Statistic<'_>,
    ) -> Contest {
        let sums = bootstrap.trial_sums(counts, sampling);
        let trials = |system: &Runs| -> Option<Vec<f64>> {
            let rows = sums.rows().enumerate();
            rows.map(|(trial, row)| system.drawn(bootstrap.seed, trial, row, statistic)).collect()
        };
        let left_out = |system: &Runs| match bootstrap.method {
            Method::Bca => leave_one_out(counts, sampling, &|sums| system.score(sums, statistic)),
            Method::Percentile | Method::Basic => Some(Vec::new()),
        };
        let all = counts.sums();
        Contest {
            scores: systems.iter().map(|system| system.score(&all, statistic)).collect(),
            trials: systems.par_iter().map(trials).collect(),
            left_out: systems.iter().map(left_out).collect(),
            bootstrap: *bootstrap,
        }
    }

    /// Where the score of a system may lie.
    pub fn interval(&self, system: usize) -> Option<Interval> {
        let mut values = self.trials[system].clone()?;
        let left_out = self.left_out[system].as_ref()?;
        let Bootstrap { method, level, .. } = self.bootstrap;
        method.interval(self.scores[system]?, &mut values, left_out, level)
    }

    /// The difference between two systems.
    pub fn difference(&self, first: usize, second: usize) -> Option<Difference> {
        let value = self.scores[first]? - self.scores[second]?;
        let mut differences = minus(&self.trials, first, second)?;
        let left_out = minus(&self.left_out, first, second)?;
        let number = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / number;
        let spread = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>();
        let share = |far: &dyn Fn(f64) -> bool| {
            let as_far = differences.iter().filter(|d| far(*d - mean)).count();
            (as_far + 1) as f64 / (number + 1.0)
        };
        let better = differences.iter().map(|d| match d.total_cmp(&0.0) {
            std::cmp::Ordering::Greater => 1.0,
            _ if *d == 0.0 => 0.5,
            _ => 0.0,
        });
        let Bootstrap { method, level, .. } = self.bootstrap;
        Some(Difference {
            value,
            standard_error: (spread / (number - 1.0).max(1.0)).sqrt(),
            two_sided: share(&|d| d.abs() >= value.abs()),
            one_sided: share(&|d| d * value.signum() >= value.abs()),
            first_better: better.sum::<f64>() / number,
            interval: method.interval(value, &mut differences, &left_out, level)?,
        })
    }

    /// The ranks of all systems; `None` for those without a score.
    pub fn ranks(&self, level: f64) -> Vec<Option<Ranks>> {
        let trials: Option<Vec<&[f64]>> = self.trials.iter().map(Option::as_deref).collect();
        let counts = trials.map(|trials| ranks_in(&trials));
        let rank = |(at, score): (usize, &Option<f64>)| {
            let score = (*score)?;
            let better = self.scores.iter().flatten().filter(|other| **other > score).count();
            let counts = counts.as_ref().map(|counts| &counts[at]);
            let number = counts.map_or(0, |counts| counts.iter().sum::<usize>());
            Some(Ranks {
                rank: better + 1,
                interval: counts.map(|counts| within(counts, number, level)),
                first: counts.map(|counts| counts[1] as f64 / number.max(1) as f64),
            })
        };
        self.scores.iter().enumerate().map(rank).collect()
    }
}

/// For each system how often it had each rank, from 1.
fn ranks_in(trials: &[&[f64]]) -> Vec<Vec<usize>> {
    let number = trials.first().map_or(0, |trials| trials.len());
    let mut counts = vec![vec![0; trials.len() + 1]; trials.len()];
    for trial in 0..number {
        for (system, counts) in trials.iter().zip(&mut counts) {
            let better = trials.iter().filter(|other| other[trial] > system[trial]).count();
            counts[better + 1] += 1;
        }
    }
    counts
}

/// Differences of the values of two systems, one by one.
fn minus(values: &[Option<Vec<f64>>], first: usize, second: usize) -> Option<Vec<f64>> {
    let both = values[first].as_ref()?.iter().zip(values[second].as_ref()?);
    Some(both.map(|(first, second)| first - second).collect())
}

impl Runs {
    /// A system with one output.
    pub fn single(columns: Range<usize>) -> Runs {
        Runs { key: 0, columns: std::iter::once(columns).collect() }
    }

    fn score(&self, sums: &[f64], statistic: &Statistic<'_>) -> Option<f64> {
        mean(self.columns.iter().map(|run| statistic(&sums[run.clone()])))
    }

    /// The score of a trial: runs are drawn apart from documents.
    fn drawn(
        &self,
        seed: u64,
        trial: usize,
        sums: &[f64],
        statistic: &Statistic<'_>,
    ) -> Option<f64> {
        if let [only] = self.columns.as_slice() {
            return statistic(&sums[only.clone()]);
        }
        let mut random = Random::new(seed ^ self.key, trial as u64);
        let number = self.columns.len();
        let drawn = (0..number).map(|_| random.below(number));
        mean(drawn.map(|run| statistic(&sums[self.columns[run].clone()])))
    }
}

/// The mean of values that are all defined.
fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.collect::<Option<_>>()?;
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The ranks between which all but the outermost trials lie.
fn within(counts: &[usize], trials: usize, level: f64) -> [usize; 2] {
    let outside = trials as f64 * (100.0 - level) / 200.0;
    let end = |ranks: &mut dyn Iterator<Item = (usize, &usize)>| {
        let mut seen = 0;
        for (rank, count) in ranks {
            seen += count;
            if seen as f64 > outside {
                return rank;
            }
        }
        0
    };
    [end(&mut counts.iter().enumerate()), end(&mut counts.iter().enumerate().rev())]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(sums: &[f64]) -> Option<f64> {
        (sums[1] > 0.0).then(|| sums[0] / sums[1])
    }

    /// 300 documents of one question each, and how many of them each system answers.
    fn contest(right: &[u32]) -> Contest {
        let row = |at: u32| right.iter().flat_map(move |&n| [f64::from(at < n), 1.0]);
        let counts = Counts::new(right.len() * 2, (0..300).flat_map(row).collect());
        let systems: Vec<Runs> =
            (0..right.len()).map(|at| Runs::single(at * 2..at * 2 + 2)).collect();
        let bootstrap = Bootstrap { trials: 4000, ..Bootstrap::default() };
        Contest::new(&bootstrap, &counts, &Sampling::Documents, &systems, &share)
    }

    #[test]
    fn what_both_systems_find_hard_does_not_blur_their_difference() {
        // They differ in 30 of 300 documents, always in the same direction: the standard error of
        // the difference is sqrt(0.1 * 0.9 / 300) = 0.01732; unpaired it would be 0.0377.
        let found = contest(&[210, 180]).difference(0, 1).expect("defined");
        assert!((found.value - 0.1).abs() < 1e-12);
        assert!((found.standard_error - 0.01732).abs() < 0.0007, "{found:?}");
        assert!((found.interval.low - (0.1 - 1.96 * 0.01732)).abs() < 0.004, "{found:?}");
        assert_eq!((found.first_better, found.two_sided), (1.0, 1.0 / 4001.0));
        let none = contest(&[210, 210]).difference(0, 1).expect("defined");
        assert_eq!((none.value, none.first_better, none.two_sided), (0.0, 0.5, 1.0));
    }

    #[test]
    fn ranks_are_as_wide_as_the_trials_are_undecided() {
        let ranks = contest(&[280, 150, 151, 20]).ranks(95.0);
        let ranks: Vec<Ranks> = ranks.into_iter().flatten().collect();
        let intervals: Vec<[usize; 2]> = ranks.iter().filter_map(|ranks| ranks.interval).collect();
        assert_eq!(intervals, [[1, 1], [2, 3], [2, 2], [4, 4]]);
        assert_eq!(ranks.iter().map(|ranks| ranks.rank).collect::<Vec<_>>(), [1, 3, 2, 4]);
        assert_eq!((ranks[0].first, ranks[3].first), (Some(1.0), Some(0.0)));
    }

    #[test]
    fn runs_that_differ_make_intervals_wider() {
        // Ten runs from 100 to 280 of 300, against ten runs that are all the same.
        let error = |right: fn(u32) -> u32| {
            let row = |at: u32| (0..10).flat_map(move |run| [f64::from(at < right(run)), 1.0]);
            let counts = Counts::new(20, (0..300).flat_map(row).collect());
            let columns = (0..10).map(|run| run * 2..run * 2 + 2).collect();
            let runs = Runs { key: 7, columns };
            let bootstrap = Bootstrap { trials: 2000, ..Bootstrap::default() };
            let sampling = Sampling::Documents;
            let contest = Contest::new(&bootstrap, &counts, &sampling, &[runs], &share);
            let found = contest.interval(0).expect("defined");
            (found.high - found.low) / 2.0 / 1.96
        };
        // Documents alone: sqrt(0.6333 * 0.3667 / 300) = 0.0278. Runs alone: the standard deviation
        // of 100, 120, ..., 280 is 57.4, over 300 and sqrt(10): 0.0605. Documents decide less
        // about the mean of runs that differ.
        let same = error(|_| 190);
        assert!((same - 0.0278).abs() < 0.0015, "{same}");
        let different = error(|run| 100 + 20 * run);
        assert!((0.058..0.072).contains(&different), "{different}");
    }

    #[test]
    fn a_system_without_a_score_has_no_rank() {
        let counts = Counts::new(4, vec![1.0, 1.0, 0.0, 0.0]);
        let systems = [Runs::single(0..2), Runs::single(2..4)];
        let bootstrap = Bootstrap::default();
        let contest = Contest::new(&bootstrap, &counts, &Sampling::Documents, &systems, &share);
        let ranks = contest.ranks(95.0);
        assert!(ranks[1].is_none());
        assert_eq!(ranks[0], Some(Ranks { rank: 1, interval: None, first: None }));
        assert!(contest.difference(0, 1).is_none());
    }
}

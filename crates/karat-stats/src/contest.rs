//! Several systems on the same documents: differences and ranks, trial by trial.

use crate::bootstrap::leave_one_out;
use crate::runs::variance;
use crate::{
    Bootstrap, Counts, Interval, Method, Runs, Sampling, Statistic, Tolerance, Watching, normal,
    percentile, unwatched,
};
use std::cmp::Ordering;

/// The scores of several systems in each trial of one bootstrap: all systems see the same documents,
/// so what is hard for all does not blur their differences.
#[derive(Debug, Clone, PartialEq)]
pub struct Contest {
    /// The score of each system on all documents.
    pub scores: Vec<Option<f64>>,
    /// For each system its score in each trial, not a number where it is undefined. No trials if all
    /// of them would be the same.
    pub trials: Vec<Vec<f64>>,
    /// For each system its score without each of the units that are drawn, where the interval asks
    /// for it.
    left_out: Vec<Option<Vec<f64>>>,
    /// Which systems have several runs.
    has_runs: Vec<bool>,
    bootstrap: Bootstrap,
    /// When two scores are the same.
    tolerance: Tolerance,
}

/// The difference between two systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// First minus second, on all documents.
    pub value: f64,
    /// What the trials say of it; `None` where too few of them are defined.
    pub drawn: Option<Drawn>,
}

/// What the trials say of the difference between two systems.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawn {
    /// Where it lies; `None` where the method has no interval.
    pub interval: Option<Interval>,
    /// How much it varies from one set of documents to another. Where a system has several runs,
    /// the standard error of the normal distribution with an equally wide 95% interval.
    pub standard_error: f64,
    /// The probability of a difference as large in either direction if there were none: trials, moved
    /// so that their mean is 0 (with several runs their median), that lie at least as far out.
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
    /// The lowest and highest rank within the level, over the trials in which the system has a score;
    /// `None` if these are too few.
    pub interval: Option<[usize; 2]>,
    /// The share of these trials in which none is better; `None` likewise.
    pub first: Option<f64>,
}

/// So large a share of trials must be defined for them to say something: what is undefined more often is decided
/// by too few documents.
const DEFINED: f64 = 0.9;

impl Contest {
    /// Draws documents again for all systems at once. A row of `counts` holds the counts of all of
    /// them. A system with several runs (seeds) scores the mean of its runs, and that these might
    /// have been others counts too.
    pub fn new(
        bootstrap: &Bootstrap,
        counts: &Counts,
        sampling: &Sampling,
        systems: &[Runs],
        statistic: &Statistic<'_>,
    ) -> Contest {
        let all: Vec<u32> = (0..counts.len() as u32).collect();
        Contest::of_part(bootstrap, counts, sampling, systems, statistic, &all, &unwatched)
    }

    /// The same where only some of the documents have anything to count: all are drawn, as for the
    /// whole, but whether trials can differ is up to these.
    pub fn of_part(
        bootstrap: &Bootstrap,
        counts: &Counts,
        sampling: &Sampling,
        systems: &[Runs],
        statistic: &Statistic<'_>,
        documents: &[u32],
        watching: &Watching<'_>,
    ) -> Contest {
        let left_out = |system: &Runs| match bootstrap.method {
            Method::Bca => leave_one_out(counts, sampling, &|sums| system.score(sums, statistic)),
            Method::Percentile | Method::Basic => Some(Vec::new()),
        };
        let all = counts.sums();
        Contest {
            scores: systems.iter().map(|system| system.score(&all, statistic)).collect(),
            trials: match sampling.can_vary(documents.iter().map(|&at| at as usize)) {
                true => scores_of_trials(bootstrap, counts, sampling, systems, statistic, watching),
                false => vec![Vec::new(); systems.len()],
            },
            left_out: systems.iter().map(left_out).collect(),
            has_runs: systems.iter().map(Runs::are_several).collect(),
            bootstrap: *bootstrap,
            tolerance: counts.tolerance(),
        }
    }

    /// When two scores are the same.
    pub fn tolerance(&self) -> Tolerance {
        self.tolerance
    }

    /// In how many trials a system has no score.
    pub fn undefined(&self, system: usize) -> usize {
        self.trials[system].iter().filter(|score| score.is_nan()).count()
    }

    /// Where the score of a system may lie.
    pub fn interval(&self, system: usize) -> Option<Interval> {
        let mut values = enough_defined(self.trials[system].iter().copied())?;
        let left_out = self.left_out[system].as_ref()?;
        let Bootstrap { method, level, .. } = self.bootstrap;
        method.interval(self.scores[system]?, &mut values, left_out, level)
    }

    /// The difference between two systems; `None` if one has no score.
    pub fn difference(&self, first: usize, second: usize) -> Option<Difference> {
        let value = self.tolerance.difference(self.scores[first]?, self.scores[second]?);
        Some(Difference { value, drawn: self.drawn(value, first, second) })
    }

    fn drawn(&self, value: f64, first: usize, second: usize) -> Option<Drawn> {
        let mut differences =
            enough_defined(self.minus(&self.trials[first], &self.trials[second]))?;
        let has_runs = self.has_runs[first] || self.has_runs[second];
        let Spread { centre, standard_error } = Spread::of(&mut differences, has_runs)?;
        let number = differences.len() as f64;
        let share = |far: &dyn Fn(f64) -> bool| {
            let as_far = differences.iter().filter(|d| far(*d - centre)).count();
            // The observed difference is itself one of the possible ones, so no p-value is 0
            // (Davison and Hinkley 1997).
            (as_far + 1) as f64 / (number + 1.0)
        };
        let better = differences.iter().map(|d| match d.partial_cmp(&0.0) {
            Some(Ordering::Greater) => 1.0,
            Some(Ordering::Equal) => 0.5,
            _ => 0.0,
        });
        let left_out = self.left_out[first].as_ref().zip(self.left_out[second].as_ref());
        let left_out =
            left_out.map(|(first, second)| self.minus(first, second).collect::<Vec<_>>());
        let Bootstrap { method, level, .. } = self.bootstrap;
        Some(Drawn {
            standard_error,
            two_sided: share(&|d| self.tolerance.reaches(d.abs(), value.abs())),
            one_sided: share(&|d| self.tolerance.reaches(d * value.signum(), value.abs())),
            first_better: better.sum::<f64>() / number,
            interval: left_out
                .and_then(|left_out| method.interval(value, &mut differences, &left_out, level)),
        })
    }

    /// Differences of scores, one by one.
    fn minus<'v>(
        &self,
        first: &'v [f64],
        second: &'v [f64],
    ) -> impl ExactSizeIterator<Item = f64> + use<'v> {
        let tolerance = self.tolerance;
        first.iter().zip(second).map(move |(&first, &second)| tolerance.difference(first, second))
    }

    /// Whether a score is better than another.
    fn is_better(&self, score: f64, other: f64) -> bool {
        self.tolerance.compare(score, other) == Some(Ordering::Greater)
    }

    /// The ranks of all systems; `None` for those without a score.
    pub fn ranks(&self, level: f64) -> Vec<Option<Ranks>> {
        let counts = self.ranks_in_trials();
        let rank = |(at, score): (usize, &Option<f64>)| {
            let score = (*score)?;
            let others = self.scores.iter().flatten();
            let better = others.filter(|&&other| self.is_better(other, score)).count();
            let counts = &counts[at];
            let defined = counts.iter().sum::<usize>();
            let enough = is_enough(defined, self.trials[at].len());
            Some(Ranks {
                rank: better + 1,
                interval: enough.then(|| within(counts, defined, level)),
                first: enough.then(|| counts[1] as f64 / defined as f64),
            })
        };
        self.scores.iter().enumerate().map(rank).collect()
    }

    /// For each system how often it had each rank, from 1, where it has a score.
    fn ranks_in_trials(&self) -> Vec<Vec<usize>> {
        let trials = &self.trials;
        let number = trials.first().map_or(0, Vec::len);
        let mut counts = vec![vec![0; trials.len() + 1]; trials.len()];
        let mut best_first: Vec<f64> = Vec::with_capacity(trials.len());
        for trial in 0..number {
            best_first.clear();
            best_first.extend(trials.iter().map(|it| it[trial]).filter(|score| !score.is_nan()));
            best_first.sort_unstable_by(|a, b| b.total_cmp(a));
            for (system, counts) in trials.iter().zip(&mut counts) {
                let score = system[trial];
                if !score.is_nan() {
                    // Those that are better stand together, before those that are the same: boards have a thousand
                    // systems, and looking at all pairs in each trial would take minutes.
                    let better = best_first.partition_point(|&other| self.is_better(other, score));
                    counts[better + 1] += 1;
                }
            }
        }
        counts
    }
}

/// Whether so many of these trials say something.
fn is_enough(defined: usize, trials: usize) -> bool {
    defined > 0 && defined as f64 >= DEFINED * trials as f64
}

/// The values that are defined, if these are enough.
fn enough_defined(values: impl ExactSizeIterator<Item = f64>) -> Option<Vec<f64>> {
    let all = values.len();
    let defined: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
    is_enough(defined.len(), all).then_some(defined)
}

/// Where values lie, and how far they are spread.
struct Spread {
    centre: f64,
    standard_error: f64,
}

impl Spread {
    /// The errors of a few runs have tails so long that their mean and variance say nothing.
    fn of(values: &mut [f64], has_long_tails: bool) -> Option<Spread> {
        if !has_long_tails {
            let centre = values.iter().sum::<f64>() / values.len() as f64;
            return Some(Spread { centre, standard_error: variance(values).sqrt() });
        }
        let mut at = |percent| percentile::of_unsorted(values, percent);
        let width = at(97.5)? - at(2.5)?;
        Some(Spread { centre: at(50.0)?, standard_error: width / 2.0 / normal::critical(0.05) })
    }
}

/// The scores of each system in all trials.
fn scores_of_trials(
    bootstrap: &Bootstrap,
    counts: &Counts,
    sampling: &Sampling,
    systems: &[Runs],
    statistic: &Statistic<'_>,
    watching: &Watching<'_>,
) -> Vec<Vec<f64>> {
    let Bootstrap { trials, seed, .. } = *bootstrap;
    let columns: Vec<_> = systems.iter().flat_map(|system| &system.columns).collect();
    // No score is not a number, so that can stand for none.
    let scores_of = |sums: &[f64], row: &mut [f64]| {
        for (score, run) in row.iter_mut().zip(&columns) {
            *score = statistic(&sums[(*run).clone()]).unwrap_or(f64::NAN);
        }
    };
    let score = |_: usize, sums: &[f64], row: &mut [f64]| scores_of(sums, row);
    let drawn = sampling.trial_scores(counts, trials, seed, columns.len(), &score, watching);
    let mut observed = vec![0.0; columns.len()];
    scores_of(&counts.sums(), &mut observed);
    let mut next = 0;
    let of_system = |system: &Runs| {
        let runs = next..next + system.columns.len();
        next = runs.end;
        // Systems share the draws, so what is hard for all cancels in their differences.
        let rows = drawn.chunks_exact(columns.len().max(1));
        match system.are_several() {
            true => {
                let drawn = rows.map(|row| row[runs.clone()].to_vec()).collect();
                system.trials(seed, observed[runs.clone()].to_vec(), drawn)
            }
            false => rows.map(|row| row[runs.start]).collect(),
        }
    };
    systems.iter().map(of_system).collect()
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
        let drawn = found.drawn.expect("trials");
        assert!((drawn.standard_error - 0.01732).abs() < 0.0007, "{found:?}");
        let interval = drawn.interval.expect("an interval");
        assert!((interval.low - (0.1 - 1.96 * 0.01732)).abs() < 0.004, "{found:?}");
        assert_eq!((drawn.first_better, drawn.two_sided), (1.0, 1.0 / 4001.0));
        let none = contest(&[210, 210]).difference(0, 1).expect("defined");
        let drawn = none.drawn.expect("trials");
        assert_eq!((none.value, drawn.first_better, drawn.two_sided), (0.0, 0.5, 1.0));
    }

    #[test]
    fn ranks_in_trials_are_one_more_than_those_that_are_better() {
        // With ties, scores that differ by rounding only, and systems without a score in some trials.
        let third = 1.0 / 3.0;
        let values = [0.0, third, 1.0 - 2.0 / 3.0, 0.1 + 0.2, 0.3, f64::NAN, 0.5, 1.0];
        let trials: Vec<Vec<f64>> = (0..9)
            .map(|system| (0..50).map(|trial| values[(system * system + 3 * trial) % 8]).collect())
            .collect();
        let contest = Contest { trials, ..contest(&[1]) };
        for (system, counts) in contest.ranks_in_trials().iter().enumerate() {
            let mut expected = vec![0; contest.trials.len() + 1];
            for trial in 0..50 {
                let score = contest.trials[system][trial];
                let others = contest.trials.iter().map(|other| other[trial]);
                if !score.is_nan() {
                    expected[1 + others.filter(|it| contest.is_better(*it, score)).count()] += 1;
                }
            }
            assert_eq!(*counts, expected, "{system}");
        }
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
        // of 100, 120, ..., 280 is 60.6, over 300 and sqrt(10): 0.0638, times 2.262 / 1.96 for ten
        // runs: 0.0737. Documents decide less about the mean of runs that differ.
        let same = error(|_| 190);
        assert!((same - 0.0278).abs() < 0.0015, "{same}");
        let different = error(|run| 100 + 20 * run);
        assert!((0.072..0.082).contains(&different), "{different}");
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

    /// Two systems on 20 documents; the first says something about as many as `answered`.
    fn silent_elsewhere(answered: u32) -> Contest {
        let row = |at: u32| {
            let said = f64::from(at < answered);
            [said * f64::from(at % 2), said, f64::from(!at.is_multiple_of(4)), 1.0]
        };
        let counts = Counts::new(4, (0..20).flat_map(row).collect());
        let systems = [Runs::single(0..2), Runs::single(2..4)];
        let bootstrap = Bootstrap { trials: 2000, ..Bootstrap::default() };
        Contest::new(&bootstrap, &counts, &Sampling::Documents, &systems, &share)
    }

    #[test]
    fn trials_without_a_score_are_left_out_and_counted() {
        // None of four documents is drawn in 20 draws with probability 0.8^20 = 0.0115.
        let contest = silent_elsewhere(4);
        assert!((10..40).contains(&contest.undefined(0)), "{}", contest.undefined(0));
        assert_eq!(contest.undefined(1), 0);
        assert!(contest.interval(0).is_some());
        let difference = contest.difference(0, 1).expect("both have a score");
        assert!(difference.drawn.is_some_and(|drawn| drawn.interval.is_some()));
        assert!(contest.ranks(95.0).iter().flatten().all(|ranks| ranks.interval.is_some()));
    }

    #[test]
    fn what_one_document_decides_has_a_difference_and_no_interval() {
        // One document is not drawn in 0.95^20 = 36% of the trials.
        let contest = silent_elsewhere(1);
        assert_eq!(contest.interval(0), None);
        let difference = contest.difference(0, 1).expect("both have a score");
        assert_eq!((difference.value, difference.drawn), (-0.75, None));
        let ranks: Vec<Ranks> = contest.ranks(95.0).into_iter().flatten().collect();
        assert_eq!((ranks[0].rank, ranks[0].interval), (2, None));
        assert_eq!((ranks[1].rank, ranks[1].interval), (1, Some([1, 1])));
    }

    #[test]
    fn one_cluster_says_nothing_about_others() {
        let counts = Counts::new(2, (0..20).flat_map(|at| [f64::from(at % 2), 1.0]).collect());
        let contest = |labels: Vec<u32>| {
            let systems = [Runs::single(0..2)];
            let sampling = Sampling::Clusters(labels);
            Contest::new(&Bootstrap::default(), &counts, &sampling, &systems, &share)
        };
        assert_eq!(contest(vec![7; 20]).interval(0), None);
        assert!(contest((0..20).map(|at| at / 10).collect()).interval(0).is_some());
    }
}

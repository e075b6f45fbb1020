//! Several systems on several benchmarks.

use crate::{Tolerance, mid_ranks, studentized_range_above, studentized_range_critical};
use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

/// Friedman's test (1937) that all systems are equally good: on each benchmark the
/// systems are ranked, 1 for the best, equals by the mean of their ranks, and the
/// sums of their ranks are compared. The recommendation of Demšar (2006) for
/// comparing systems over data sets whose scores are not commensurable.
#[derive(Debug, Clone, PartialEq)]
pub struct Friedman {
    /// The mean rank of each system, in the order of the input.
    pub average_ranks: Vec<f64>,
    /// How many benchmarks there are.
    pub benchmarks: usize,
    /// Friedman's statistic, corrected for ties.
    pub chi_squared: f64,
    /// Its p-value, from the chi-squared distribution.
    pub p: f64,
    /// The statistic of Iman and Davenport (1980), which is less timid.
    pub f: f64,
    /// Its p-value, from Fisher's distribution.
    pub f_p: f64,
}

/// Scores that cannot be ranked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FriedmanError {
    /// Nothing to compare.
    #[error("{systems} systems on {benchmarks} benchmarks: ranks need at least two of each")]
    TooFew {
        /// How many systems there are.
        systems: usize,
        /// How many benchmarks there are.
        benchmarks: usize,
    },
    /// A score is missing.
    #[error(
        "benchmark {benchmark} has {found} scores for {expected} systems: every system needs one"
    )]
    Ragged {
        /// The benchmark, from 0.
        benchmark: usize,
        /// How many scores it has.
        found: usize,
        /// How many the first benchmark has.
        expected: usize,
    },
    /// A score is undefined.
    #[error("the score of system {system} on benchmark {benchmark} is not a number: leave one out")]
    NotANumber {
        /// The benchmark, from 0.
        benchmark: usize,
        /// The system, from 0.
        system: usize,
    },
}

impl Friedman {
    /// The test of scores, higher is better: one row per benchmark, one column per
    /// system.
    pub fn new(scores: &[Vec<f64>]) -> Result<Friedman, FriedmanError> {
        let systems = check(scores)?;
        let benchmarks = scores.len();
        // Twice a rank less twice the mean rank: whole numbers, and the sum of their
        // squares already holds the correction for ties.
        let middle = (systems + 1) as f64;
        let mut sums = vec![0.0; systems];
        let mut squares = 0.0;
        for scores in scores {
            let worst_last: Vec<f64> = scores.iter().map(|score| -score).collect();
            let ranks = mid_ranks(&Tolerance::ROUNDING.levelled(&worst_last));
            for (sum, rank) in sums.iter_mut().zip(ranks) {
                let deviation = 2.0 * rank - middle;
                *sum += deviation;
                squares += deviation * deviation;
            }
        }
        let between: f64 = sums.iter().map(|sum| sum * sum).sum();
        let (rows, freedom) = (benchmarks as f64, (systems - 1) as f64);
        let all_tied = squares == 0.0;
        let chi_squared = if all_tied { 0.0 } else { freedom * between / squares };
        let f = if all_tied { 0.0 } else { (rows - 1.0) * between / (rows * squares - between) };
        Ok(Friedman {
            average_ranks: sums.iter().map(|sum| (sum / rows + middle) / 2.0).collect(),
            benchmarks,
            chi_squared,
            p: ChiSquared::new(freedom).map_or(f64::NAN, |law| law.sf(chi_squared)),
            f,
            f_p: FisherSnedecor::new(freedom, freedom * (rows - 1.0))
                .map_or(f64::NAN, |law| law.sf(f)),
        })
    }

    /// Nemenyi's critical difference (1963): average ranks at least this far apart
    /// differ at the level `alpha`, whichever pair it is.
    pub fn critical_difference(&self, alpha: f64) -> f64 {
        studentized_range_critical(alpha, self.average_ranks.len()) * self.unit()
    }

    /// The p-value of each pair of systems by Nemenyi's test.
    pub fn pairwise(&self) -> Vec<Vec<f64>> {
        let ranks = &self.average_ranks;
        let p = |left: f64, right: f64| {
            studentized_range_above((left - right).abs() / self.unit(), ranks.len())
        };
        ranks.iter().map(|&left| ranks.iter().map(|&right| p(left, right)).collect()).collect()
    }

    /// The largest groups of systems, from the best rank to the worst, in which no
    /// two differ at the level `alpha`. Groups of more than one are the bars of a
    /// critical-difference diagram.
    pub fn groups(&self, alpha: f64) -> Vec<Vec<usize>> {
        let critical = self.critical_difference(alpha);
        let rank = |&system: &usize| self.average_ranks[system];
        let mut order: Vec<usize> = (0..self.average_ranks.len()).collect();
        order.sort_by(|left, right| rank(left).total_cmp(&rank(right)));
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut reached = 0;
        for (start, best) in order.iter().enumerate() {
            // Closer than the critical difference. Ranks are sorted, so members of a group are
            // neighbours.
            let together = |system: &usize| rank(system) - rank(best) < critical;
            let end = start + 1 + order[start + 1..].partition_point(together);
            if end > reached {
                groups.push(order[start..end].to_vec());
                reached = end;
            }
        }
        groups
    }

    /// The unit in which the distances of average ranks are studentized ranges.
    fn unit(&self) -> f64 {
        let systems = self.average_ranks.len() as f64;
        (systems * (systems + 1.0) / (12.0 * self.benchmarks as f64)).sqrt()
    }
}

/// How many systems there are, if all have a score everywhere.
fn check(scores: &[Vec<f64>]) -> Result<usize, FriedmanError> {
    let systems = scores.first().map_or(0, Vec::len);
    for (benchmark, row) in scores.iter().enumerate() {
        if row.len() != systems {
            return Err(FriedmanError::Ragged { benchmark, found: row.len(), expected: systems });
        }
        if let Some(system) = row.iter().position(|score| score.is_nan()) {
            return Err(FriedmanError::NotANumber { benchmark, system });
        }
    }
    if systems < 2 || scores.len() < 2 {
        return Err(FriedmanError::TooFew { systems, benchmarks: scores.len() });
    }
    Ok(systems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::{assert_near, assert_ratio_near};
    use proptest::prelude::*;

    fn friedman<const SYSTEMS: usize>(scores: &[[f64; SYSTEMS]]) -> Friedman {
        let scores: Vec<Vec<f64>> = scores.iter().map(|row| row.to_vec()).collect();
        Friedman::new(&scores).expect("scores that can be ranked")
    }

    const FOUR: [[f64; 4]; 6] = [
        [0.81, 0.79, 0.77, 0.80],
        [0.62, 0.65, 0.60, 0.60],
        [0.55, 0.50, 0.50, 0.50],
        [0.91, 0.92, 0.90, 0.88],
        [0.40, 0.38, 0.39, 0.35],
        [0.70, 0.66, 0.66, 0.61],
    ];

    #[test]
    fn statistics_are_those_of_scipy() {
        // scipy 1.17.1, friedmanchisquare(*scores.T), and F from it with f.sf.
        let test = friedman(&FOUR);
        assert_near(test.chi_squared, 10.055555555555568, 1e-13);
        assert_near(test.p, 0.018099748209128377, 1e-12);
        assert_near(test.f, 6.328671328671347, 1e-13);
        assert_near(test.f_p, 0.005486362305667983, 1e-12);

        let test = friedman(&[
            [1.0, 3.8, 3.6, 3.4, 5.2, 4.0],
            [2.0, 3.8, 1.6, 3.4, 4.2, 6.0],
            [3.0, 0.8, 2.6, 4.4, 4.2, 6.0],
            [3.0, 2.8, 1.6, 4.4, 4.2, 5.0],
            [1.0, 1.8, 4.6, 4.4, 3.2, 6.0],
            [0.0, 3.8, 3.6, 4.4, 4.2, 5.0],
            [1.0, 2.8, 2.6, 4.4, 6.2, 4.0],
            [1.0, 0.8, 3.6, 3.4, 5.2, 7.0],
            [0.0, 2.8, 2.6, 4.4, 4.2, 7.0],
        ]);
        assert_near(test.chi_squared, 29.69841269841268, 1e-13);
        assert_ratio_near(test.p, 1.6907609338968205e-05, 1e-11);
        assert_near(test.f, 15.526970954356822, 1e-13);
        assert_ratio_near(test.f_p, 1.7496937674481812e-08, 1e-11);
        assert_near(test.critical_difference(0.05), 2.5132039500270102, 1e-9);
        assert_eq!(test.groups(0.05), [vec![5, 4, 3], vec![4, 3, 1, 2], vec![3, 1, 2, 0]]);
    }

    #[test]
    fn pairs_are_compared_as_scikit_posthocs_does() {
        // scipy 1.17.1, rankdata and studentized_range; scikit-posthocs 0.17.1,
        // posthoc_nemenyi_friedman(-scores), prints the same to six digits.
        let test = friedman(&FOUR);
        for (found, expected) in test.average_ranks.iter().zip([4.0 / 3.0, 2.25, 3.0, 41.0 / 12.0])
        {
            assert_near(*found, expected, 1e-15);
        }
        assert_near(test.critical_difference(0.05), 1.9148432265902373, 1e-9);
        let expected = [
            [1.0, 0.6078087080927658, 0.11358109885511547, 0.026661661141432424],
            [0.6078087080927658, 1.0, 0.7457723543693915, 0.39863136331743276],
            [0.11358109885511547, 0.7457723543693915, 1.0, 0.9441109087022947],
            [0.026661661141432424, 0.39863136331743276, 0.9441109087022947, 1.0],
        ];
        for (found, expected) in test.pairwise().iter().flatten().zip(expected.iter().flatten()) {
            assert_near(*found, *expected, 1e-10);
        }
        assert_eq!(test.groups(0.05), [vec![0, 1, 2], vec![1, 2, 3]]);
    }

    #[test]
    fn agreement_without_exception_and_none_at_all() {
        let agreed = friedman(&[[3.0, 2.0, 1.0]; 4]);
        assert_eq!((agreed.chi_squared, agreed.f, agreed.f_p), (8.0, f64::INFINITY, 0.0));
        let tied = friedman(&[[0.5, 0.5, 0.5]; 4]);
        assert_eq!((tied.chi_squared, tied.p, tied.f_p), (0.0, 1.0, 1.0));
        assert_eq!(tied.groups(0.05), [vec![0, 1, 2]]);
    }

    #[test]
    fn scores_that_cannot_be_ranked_are_named() {
        for (scores, expected) in [
            (vec![], "0 systems on 0 benchmarks: ranks need at least two of each"),
            (vec![vec![1.0, 2.0]], "2 systems on 1 benchmarks: ranks need at least two of each"),
            (
                vec![vec![1.0, 2.0], vec![1.0]],
                "benchmark 1 has 1 scores for 2 systems: every system needs one",
            ),
            (
                vec![vec![1.0, 2.0], vec![1.0, f64::NAN]],
                "the score of system 1 on benchmark 1 is not a number: leave one out",
            ),
        ] {
            let error = Friedman::new(&scores).expect_err("scores that cannot be ranked");
            assert_eq!(error.to_string(), expected);
        }
    }

    fn some_scores() -> impl Strategy<Value = Vec<Vec<f64>>> {
        (2_usize..7, 2_usize..9).prop_flat_map(|(systems, benchmarks)| {
            let score = (0_u8..8).prop_map(f64::from);
            prop::collection::vec(prop::collection::vec(score, systems), benchmarks)
        })
    }

    proptest! {
        #[test]
        fn systems_in_another_order_have_the_same_values(scores in some_scores()) {
            let turned: Vec<Vec<f64>> =
                scores.iter().map(|row| row.iter().rev().copied().collect()).collect();
            let (test, turned) = (Friedman::new(&scores).unwrap(), Friedman::new(&turned).unwrap());
            let mut ranks = turned.average_ranks;
            ranks.reverse();
            prop_assert_eq!(&test.average_ranks, &ranks);
            prop_assert_eq!(test.chi_squared, turned.chi_squared);
            for p in [test.p, test.f_p] {
                prop_assert!((0.0..=1.0).contains(&p), "{}", p);
            }
        }

        #[test]
        fn groups_are_the_largest_intervals(scores in some_scores()) {
            let test = Friedman::new(&scores).unwrap();
            let critical = test.critical_difference(0.2);
            let alike = |left: usize, right: usize| {
                (test.average_ranks[left] - test.average_ranks[right]).abs() < critical
            };
            let groups = test.groups(0.2);
            for group in &groups {
                prop_assert!(group.iter().all(|&a| group.iter().all(|&b| alike(a, b))));
                let fits = |system: usize| group.iter().all(|&member| alike(system, member));
                let outside = |system: &usize| !group.contains(system);
                let systems = 0..test.average_ranks.len();
                prop_assert!(!systems.filter(outside).any(fits), "{:?}", group);
            }
            for system in 0..test.average_ranks.len() {
                prop_assert!(groups.iter().any(|group| group.contains(&system)));
            }
        }
    }
}

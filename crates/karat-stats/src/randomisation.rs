//! Whether two systems differ, by exchanging whole documents between them.

use crate::exchange::Exchange;
use crate::{Counts, Statistic, Watching, unwatched};
use rayon::prelude::*;

/// Approximate randomisation (Noreen 1989): if two systems were the same, it would not matter which
/// of them a document's output is from. In each trial every document is exchanged with
/// probability one half; how often that makes a difference at least as large as the real one says how
/// surprising the real one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Randomisation {
    /// How many times documents are exchanged.
    pub trials: usize,
    /// What the random numbers depend on.
    pub seed: u64,
}

/// What exchanging documents said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Randomised {
    /// The real difference: first system minus second.
    pub difference: f64,
    /// Trials with a difference at least as large in the same direction.
    pub in_direction: usize,
    /// Trials with a difference at least as large in either direction.
    pub in_either: usize,
    /// All trials.
    pub trials: usize,
}

impl Randomised {
    /// The probability of a difference as large in the observed direction, as neleval gives it.
    pub fn one_sided(&self) -> f64 {
        self.share(self.in_direction)
    }

    /// The probability of a difference as large in either direction.
    pub fn two_sided(&self) -> f64 {
        self.share(self.in_either)
    }

    /// The real assignment is one of the possible ones: no probability is 0.
    fn share(&self, count: usize) -> f64 {
        (count + 1) as f64 / (self.trials + 1) as f64
    }
}

impl Randomisation {
    /// Compares two systems by a statistic; their rows must be of the same documents. `None` where the
    /// statistic is undefined for one of them. A trial in which it is undefined counts as one
    /// with a larger difference.
    pub fn test(
        &self,
        first: &Counts,
        second: &Counts,
        statistic: &Statistic<'_>,
    ) -> Option<Randomised> {
        self.test_watched(first, second, statistic, &unwatched)
    }

    /// The same where somebody watches.
    pub fn test_watched(
        &self,
        first: &Counts,
        second: &Counts,
        statistic: &Statistic<'_>,
        watching: &Watching<'_>,
    ) -> Option<Randomised> {
        let (sums, others) = (first.sums(), second.sums());
        let tolerance = first.tolerance().or(second.tolerance());
        let difference = tolerance.difference(statistic(&sums)?, statistic(&others)?);
        if difference < 0.0 {
            // The better one goes first, so that it does not matter which is called first.
            let found = self.test_watched(second, first, statistic, watching)?;
            return Some(Randomised { difference, ..found });
        }
        let exchange = Exchange::new(first, second);
        const TRIALS: usize = 64;
        let tasks = self.trials.div_ceil(TRIALS);
        let task = |task: usize| {
            let trials = task * TRIALS..self.trials.min((task + 1) * TRIALS);
            let (mut kept, mut got) = (sums.clone(), others.clone());
            let (mut in_direction, mut in_either) = (0, 0);
            if !watching(trials.len()) {
                return (in_direction, in_either);
            }
            for given in exchange.given(trials, self.seed).chunks_exact(exchange.width().max(1)) {
                for (at, given) in given.iter().enumerate() {
                    kept[at] = sums[at] - given;
                    got[at] = others[at] + given;
                }
                let found = match (statistic(&kept), statistic(&got)) {
                    (Some(kept), Some(got)) => kept - got,
                    // Counted as far out, which can only make the p-value larger.
                    _ => f64::INFINITY,
                };
                in_direction += usize::from(tolerance.reaches(found, difference));
                in_either += usize::from(tolerance.reaches(found.abs(), difference));
            }
            (in_direction, in_either)
        };
        let both = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1 + b.1);
        // One at a time, so that no core waits for a quarter that another has just begun.
        let tasks = (0..tasks).into_par_iter().with_max_len(1);
        let (in_direction, in_either) = tasks.map(task).reduce(|| (0, 0), both);
        Some(Randomised { difference, in_direction, in_either, trials: self.trials })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn total(sums: &[f64]) -> Option<f64> {
        Some(sums[0])
    }

    fn f1(sums: &[f64]) -> Option<f64> {
        let [tp, fp, fn_] = sums else { return None };
        Some(2.0 * tp / (2.0 * tp + fp + fn_))
    }

    fn test(trials: usize, first: &[f64], second: &[f64], statistic: &Statistic<'_>) -> Randomised {
        let counts = |rows: &[f64]| Counts::new(1, rows.to_vec());
        let randomisation = Randomisation { trials, seed: 1 };
        randomisation.test(&counts(first), &counts(second), statistic).expect("defined")
    }

    /// The share of all ways to exchange documents that makes a difference as large, by going
    /// through all of them.
    fn exact(first: &[f64], second: &[f64]) -> (f64, f64) {
        let real: f64 = first.iter().sum::<f64>() - second.iter().sum::<f64>();
        let ways = 1u32 << first.len();
        let (mut direction, mut either) = (0, 0);
        for way in 0..ways {
            let signed = first.iter().zip(second).enumerate();
            let found: f64 =
                signed.map(|(at, (a, b))| if way >> at & 1 == 1 { b - a } else { a - b }).sum();
            direction += u32::from(found * real.signum() >= real.abs());
            either += u32::from(found.abs() >= real.abs());
        }
        (f64::from(direction) / f64::from(ways), f64::from(either) / f64::from(ways))
    }

    #[test]
    fn many_trials_come_near_all_ways_to_exchange() {
        let first = [3.0, 5.0, 2.0, 7.0, 4.0, 6.0, 5.0, 3.0, 8.0, 2.0, 5.0, 4.0];
        let second = [2.0, 5.0, 4.0, 4.0, 3.0, 6.0, 1.0, 4.0, 5.0, 2.0, 3.0, 4.0];
        let (direction, either) = exact(&first, &second);
        let found = test(100_000, &first, &second, &total);
        // Four standard errors of a share of 100 000 trials.
        let error = |p: f64| 4.0 * (p * (1.0 - p) / 1e5).sqrt();
        assert!((found.one_sided() - direction).abs() < error(direction), "{found:?} {direction}");
        assert!((found.two_sided() - either).abs() < error(either), "{found:?} {either}");
        let reverse = test(100_000, &second, &first, &total);
        assert_eq!(reverse.difference, -found.difference);
        assert_eq!(reverse.two_sided(), found.two_sided());
    }

    #[test]
    fn a_class_of_equal_documents_is_exchanged_as_its_members_would_be() {
        // 100 documents, 60 of which the first system wins by one: the number exchanged is
        // binomial. scipy 1.15: binomtest(60, 100, alternative="greater").pvalue = 0.028443967
        let first: Vec<f64> = (0..100).map(|at| f64::from(at < 60)).collect();
        let second: Vec<f64> = first.iter().map(|won| 1.0 - won).collect();
        let found = test(200_000, &first, &second, &total);
        assert!((found.one_sided() - 0.028_443_967).abs() < 0.0015, "{}", found.one_sided());
        assert!((found.two_sided() - 0.056_887_934).abs() < 0.002, "{}", found.two_sided());
    }

    #[test]
    fn equal_systems_do_not_differ() {
        let same = test(100, &[1.0, 2.0], &[1.0, 2.0], &total);
        assert_eq!((same.difference, same.one_sided(), same.two_sided()), (0.0, 1.0, 1.0));
        // Where wins and losses cancel out, every exchange makes a difference at least as large.
        let even = test(100, &[1.0, 2.0], &[2.0, 1.0], &total);
        assert_eq!((even.difference, even.two_sided()), (0.0, 1.0));
    }

    #[test]
    fn small_numbers_are_exchanged_as_others_are() {
        // Halves are no whole numbers; negative differences borrow from their neighbours.
        let row = |at: u32| [f64::from(at % 5), f64::from(at * 7 % 11), f64::from(at % 3)];
        let counts = |shift: u32, unit: f64| {
            let rows = (0..99).flat_map(|at| row(at * (shift + 1))).map(|value| value * unit);
            Counts::new(3, rows.collect())
        };
        let randomisation = Randomisation { trials: 700, seed: 3 };
        let found = |unit| randomisation.test(&counts(0, unit), &counts(1, unit), &f1);
        assert_eq!(found(1.0), found(0.5));
        // Nor does it matter how large whole numbers are.
        assert_eq!(found(1.0), found(1024.0));
    }

    #[test]
    fn wide_rows_are_exchanged_as_one() {
        // Six columns in which the last three repeat the first: blocks of columns must agree.
        let row = |at: u32| [f64::from(at % 5), f64::from(at % 3), f64::from(at % 7)];
        let narrow = |shift: u32| Counts::new(3, (0..90).flat_map(|at| row(at + shift)).collect());
        let wide = |shift: u32| {
            Counts::new(
                6,
                (0..90).flat_map(|at| [row(at + shift), row(at + shift)].concat()).collect(),
            )
        };
        let last = |sums: &[f64]| f1(&sums[3..]);
        let randomisation = Randomisation { trials: 500, seed: 7 };
        let expected = randomisation.test(&narrow(0), &narrow(1), &f1);
        assert_eq!(randomisation.test(&wide(0), &wide(1), &last), expected);
    }

    #[test]
    fn what_is_undefined_is_not_tested() {
        let counts = Counts::new(1, vec![1.0]);
        let randomisation = Randomisation { trials: 10, seed: 1 };
        assert_eq!(randomisation.test(&counts, &counts, &|_| None), None);
    }

    /// F1 as a fraction.
    fn fraction(sums: &[f64]) -> [i128; 2] {
        let [tp, fp, fn_] = [sums[0], sums[1], sums[2]].map(|count| count as i128);
        [2 * tp, 2 * tp + fp + fn_]
    }

    /// The first less the second, and whether it is at least as far from nothing as another difference.
    fn minus([a, b]: [i128; 2], [c, d]: [i128; 2]) -> [i128; 2] {
        [a * d - c * b, b * d]
    }

    fn is_as_far([a, b]: [i128; 2], [c, d]: [i128; 2]) -> bool {
        a.abs() * d >= c.abs() * b
    }

    proptest! {
        /// Every single trial is judged as in fractions: those of few documents often make the same difference.
        #[test]
        fn trials_are_judged_as_in_fractions(
            rows in prop::collection::vec([0_u8..4, 0_u8..4, 0_u8..4, 0_u8..4, 0_u8..4, 0_u8..4], 2..7),
        ) {
            let counts = |from: usize| {
                let row = |row: &[u8; 6]| [row[from] + 1, row[from + 1], row[from + 2]].map(f64::from);
                Counts::new(3, rows.iter().flat_map(row).collect())
            };
            let (first, second) = (counts(0), counts(3));
            let asked = std::sync::Mutex::new(Vec::new());
            let statistic = |sums: &[f64]| {
                asked.lock().unwrap().push(fraction(sums));
                f1(sums)
            };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            let randomisation = Randomisation { trials: 300, seed: 5 };
            let found = pool.install(|| randomisation.test(&first, &second, &statistic)).unwrap();
            let asked = asked.into_inner().unwrap();
            let trials = &asked[asked.len() - 600..];
            let real = minus(fraction(&first.sums()), fraction(&second.sums()));
            let differences = trials.chunks_exact(2).map(|both| minus(both[0], both[1]));
            let expected = differences.filter(|difference| is_as_far(*difference, real)).count();
            prop_assert_eq!(found.in_either, expected);
            prop_assert_eq!(found.difference == 0.0, real[0] == 0);
        }
    }
}

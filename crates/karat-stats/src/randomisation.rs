//! Whether two systems differ, by exchanging whole documents between them.

use crate::counts::add;
use crate::{Counts, Random, Statistic};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::ops::Range;

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

/// Differences closer than this are equal: a score is a quotient of counts, and different counts
/// that make the same quotient may differ in its last digit.
const EQUAL: f64 = 1e-12;

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
        let (sums, others) = (first.sums(), second.sums());
        let difference = statistic(&sums)? - statistic(&others)?;
        if difference < 0.0 {
            // The better one goes first, so that it does not matter which is called first.
            let found = self.test(second, first, statistic)?;
            return Some(Randomised { difference, ..found });
        }
        let exchange = Exchange::new(first, second);
        const TRIALS: usize = 64;
        let tasks = self.trials.div_ceil(TRIALS);
        let task = |task: usize| {
            let trials = task * TRIALS..self.trials.min((task + 1) * TRIALS);
            let (mut kept, mut got) = (sums.clone(), others.clone());
            let (mut in_direction, mut in_either) = (0, 0);
            for given in exchange.given(trials, self.seed).chunks_exact(exchange.width.max(1)) {
                for (at, given) in given.iter().enumerate() {
                    kept[at] = sums[at] - given;
                    got[at] = others[at] + given;
                }
                let found = match (statistic(&kept), statistic(&got)) {
                    (Some(kept), Some(got)) => kept - got,
                    _ => f64::INFINITY,
                };
                in_direction += usize::from(found >= difference - EQUAL);
                in_either += usize::from(found.abs() >= difference - EQUAL);
            }
            (in_direction, in_either)
        };
        let both = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1 + b.1);
        let (in_direction, in_either) =
            (0..tasks).into_par_iter().map(task).reduce(|| (0, 0), both);
        Some(Randomised { difference, in_direction, in_either, trials: self.trials })
    }
}

/// Sums of what changes hands when documents are exchanged at random.
///
/// Documents with the same difference of counts are all one: of a class of n documents a binomial
/// number is exchanged, which is the number of ones among n random bits. Documents in small classes
/// are looked up four at a time in a table of all sixteen ways to exchange them.
struct Exchange {
    width: usize,
    classes: Vec<(u32, Vec<f64>)>,
    /// For each four documents sixteen rows of `LANES` sums, for one block of columns after the other.
    tables: Vec<Vec<Table>>,
}

/// All sixteen ways to exchange four documents.
type Table = [[f64; LANES]; 16];

/// So many columns are summed at once.
const LANES: usize = 4;

/// A class of fewer documents is cheaper to look up than to count.
const SMALL: usize = 16;

impl Exchange {
    fn new(first: &Counts, second: &Counts) -> Exchange {
        let width = first.width().min(second.width());
        let difference = |(a, b): (&[f64], &[f64])| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| a - b).collect()
        };
        let mut differences: Vec<Vec<f64>> =
            first.rows().zip(second.rows()).map(difference).collect();
        differences.retain(|row| row.iter().any(|&value| value != 0.0));
        // Sorted, no order of the documents shows.
        differences.sort_by(|a, b| {
            let order = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
            order.fold(Ordering::Equal, Ordering::then)
        });
        let mut classes = Vec::new();
        let mut single: Vec<&[f64]> = Vec::new();
        for class in differences.chunk_by(|a, b| a == b) {
            match class.len() < SMALL {
                true => single.extend(class.iter().map(Vec::as_slice)),
                false => classes.push((class.len() as u32, class[0].clone())),
            }
        }
        let tables = (0..width)
            .step_by(LANES)
            .map(|start| single.chunks(4).map(|four| table(four, start)).collect());
        Exchange { width, tables: tables.collect(), classes }
    }

    /// What the first system gives away in each of some trials, one row each.
    fn given(&self, trials: Range<usize>, seed: u64) -> Vec<f64> {
        let mut randoms: Vec<Random> =
            trials.map(|trial| Random::new(seed, trial as u64)).collect();
        let mut given = vec![0.0; randoms.len() * self.width];
        for (block, tables) in self.tables.iter().enumerate() {
            // Every block of columns sees the same documents exchanged.
            let sums = look_up(tables, &mut randoms.clone());
            for (row, sums) in given.chunks_exact_mut(self.width).zip(sums) {
                add(&mut row[block * LANES..], &sums);
            }
        }
        let looked_up = self.tables.first().map_or(0, |tables| tables.len().div_ceil(IN_A_WORD));
        for (row, random) in given.chunks_exact_mut(self.width.max(1)).zip(&mut randoms) {
            random.skip(looked_up as u64);
            for (size, difference) in &self.classes {
                let exchanged = f64::from(ones(random, *size));
                for (given, difference) in row.iter_mut().zip(difference) {
                    *given += exchanged * difference;
                }
            }
        }
        given
    }
}

/// So many tables take their four bits from one random word.
const IN_A_WORD: usize = 16;

/// The sums of each trial, from random streams that go on where they are. Some tables serve all trials
/// before the next are touched, so that they stay in the cache.
fn look_up(tables: &[Table], randoms: &mut [Random]) -> Vec<[f64; LANES]> {
    let mut sums = vec![[0.0; LANES]; randoms.len()];
    for tables in tables.chunks(4 * IN_A_WORD) {
        for (sums, random) in sums.iter_mut().zip(randoms.iter_mut()) {
            for tables in tables.chunks(IN_A_WORD) {
                let mut bits = random.next();
                for table in tables {
                    add(sums, &table[(bits & 15) as usize]);
                    bits >>= 4;
                }
            }
        }
    }
    sums
}

fn table(four: &[&[f64]], start: usize) -> Table {
    let mut table = [[0.0; LANES]; 16];
    for (bits, sums) in table.iter_mut().enumerate() {
        for (at, row) in four.iter().enumerate() {
            if bits >> at & 1 == 1 {
                add(sums, &row[start..row.len().min(start + LANES)]);
            }
        }
    }
    table
}

/// How many of so many random bits are ones.
fn ones(random: &mut Random, bits: u32) -> u32 {
    let mut ones = 0;
    for _ in 0..bits / 64 {
        ones += random.next().count_ones();
    }
    match bits % 64 {
        0 => ones,
        rest => ones + (random.next() >> (64 - rest)).count_ones(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}

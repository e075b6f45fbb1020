//! How scores, and what they tell apart, develop as a test collection grows.

use super::cells::query_scores;
use crate::runs::variance;
use crate::{Interval, Random, Tolerance, Watching, percentile, unwatched};
use rayon::prelude::*;

/// The answers of several systems to the same queries.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    systems: usize,
    /// For each query and system the cell of the answer, in the order of [`super::Cells::counts`].
    cells: Vec<u8>,
    /// For each query the number of its document.
    documents: Vec<u32>,
}

/// What a collection grows by, and what is drawn again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Queries, each by itself.
    Query,
    /// Documents with all their queries: answers within one document resemble each other.
    Document,
}

/// A collection that grows.
#[derive(Debug, Clone)]
pub struct Growth {
    systems: usize,
    /// For each unit, in the order given, the row it adds.
    units: Vec<u32>,
    /// Distinct rows of five counts for each system.
    rows: Vec<f64>,
}

/// How the samples are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CollectionResampling {
    /// How many samples are drawn at each size.
    pub trials: usize,
    /// What the random numbers depend on.
    pub seed: u64,
    /// The share of samples within an interval, in percent.
    pub level: f64,
}

/// How a system stands when the collection has grown to some size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GrownStanding {
    /// Its F1 on these queries.
    pub f1: f64,
    /// By how much the F1 of the best system is higher.
    pub behind: f64,
    /// What the samples say; `None` with fewer than two units, which are always drawn whole.
    pub sampled: Option<Sampled>,
}

/// What samples say of a system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampled {
    /// Where its F1 lies.
    pub interval: Interval,
    /// The share of samples in which the best system is not better: a one-sided p. 1 for the best itself.
    pub p: f64,
    /// How much the distance to the best varies from sample to sample.
    pub standard_error: f64,
}

/// The systems at one size.
#[derive(Debug, Clone, PartialEq)]
pub struct Size {
    /// How many units there are.
    pub units: usize,
    /// How many queries these are.
    pub queries: u64,
    /// The systems, in their order.
    pub systems: Vec<GrownStanding>,
}

impl Size {
    /// How many systems are not significantly below the best one, which is not counted.
    pub fn not_separable(&self, best: usize, alpha: f64) -> usize {
        let others = self.systems.iter().enumerate().filter(|&(at, _)| at != best);
        let is_below =
            |standing: &GrownStanding| standing.sampled.is_some_and(|found| found.p < alpha);
        others.filter(|(_, standing)| !is_below(standing)).count()
    }
}

impl Answers {
    /// No query yet, for so many systems.
    pub fn new(systems: usize) -> Answers {
        Answers { systems, ..Answers::default() }
    }

    /// Adds a query of a document with the cell of each system's answer. A number that is no cell
    /// counts as the last, and systems that are missing as link-as-NIL.
    pub fn push(&mut self, document: u32, cells: &[u8]) {
        const NO_ANSWER: u8 = 2;
        let given = cells.iter().map(|&cell| cell.min(4)).chain(std::iter::repeat(NO_ANSWER));
        self.cells.extend(given.take(self.systems));
        self.documents.push(document);
    }

    /// How many systems there are.
    pub fn systems(&self) -> usize {
        self.systems
    }

    /// How many queries there are.
    pub fn len(&self) -> usize {
        self.documents.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.documents.is_empty()
    }

    /// The cells of the answers to one query.
    pub fn query(&self, at: usize) -> &[u8] {
        self.cells.get(at * self.systems..(at + 1) * self.systems).unwrap_or_default()
    }

    /// All answers of one system, counted.
    pub fn cells(&self, system: usize) -> super::Cells {
        let mut counts = [0; 5];
        for at in 0..self.len() {
            if let Some(&cell) = self.query(at).get(system) {
                counts[usize::from(cell)] += 1;
            }
        }
        super::Cells::from_counts(counts)
    }

    /// On how many queries exactly one of two systems is right.
    pub fn discordant(&self, first: usize, second: usize) -> usize {
        let is_discordant = |&query: &usize| {
            let cells = self.query(query);
            let right = |system: usize| matches!(cells.get(system), Some(0 | 3));
            right(first) != right(second)
        };
        (0..self.len()).filter(is_discordant).count()
    }

    /// The collection, growing by queries or by documents.
    pub fn growth(&self, unit: Unit) -> Growth {
        let mut numbers = std::collections::HashMap::new();
        let mut growth = Growth { systems: self.systems, units: Vec::new(), rows: Vec::new() };
        let mut at = 0;
        while at < self.len() {
            let same = |&other: &usize| {
                unit == Unit::Document && self.documents[other] == self.documents[at]
            };
            let end =
                (at + 1..self.len()).take_while(|other| same(other)).last().map_or(at, |last| last)
                    + 1;
            let mut row = vec![0u32; self.systems * 5];
            for query in at..end {
                for (system, &cell) in self.query(query).iter().enumerate() {
                    row[system * 5 + usize::from(cell)] += 1;
                }
            }
            at = end;
            let next = numbers.len() as u32;
            // Documents with equal rows share one entry, which makes a trial cost as much as there
            // are distinct rows. Most single queries have one of 25 rows for two systems.
            let number = *numbers.entry(row).or_insert_with_key(|row| {
                growth.rows.extend(row.iter().copied().map(f64::from));
                next
            });
            growth.units.push(number);
        }
        growth
    }
}

impl Growth {
    /// How many units there are.
    pub fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// The system with the highest F1 on everything; the first of several.
    pub fn best(&self) -> Option<usize> {
        let f1 = self.f1(&self.sums(&self.units));
        let better =
            |best: usize, at: usize| match Tolerance::ROUNDING.difference(f1[at], f1[best]) > 0.0 {
                true => at,
                false => best,
            };
        (self.systems > 0).then(|| (0..self.systems).fold(0, better))
    }

    /// The sizes of a growing collection in the order given: for each of these numbers of units the
    /// F1 of every system, its interval, and whether the best can be told from it. Samples of as
    /// many units are drawn with replacement from those units, the same for all systems.
    pub fn in_order(
        &self,
        sizes: &[usize],
        best: usize,
        resampling: &CollectionResampling,
    ) -> Vec<Size> {
        self.along(&self.units, 0, sizes, best, resampling, &unwatched)
    }

    /// The same for random orders, one after the other.
    pub fn in_random_orders(
        &self,
        orders: usize,
        sizes: &[usize],
        best: usize,
        resampling: &CollectionResampling,
        watching: &Watching<'_>,
    ) -> Vec<Vec<Size>> {
        let order = |number: usize| {
            let mut units = self.units.clone();
            let mut random = Random::new(resampling.seed ^ ORDERS, number as u64);
            // Fisher and Yates' shuffle, with random numbers that depend on the seed and the order
            // alone.
            for at in (1..units.len()).rev() {
                units.swap(at, random.below(at + 1));
            }
            self.along(&units, number as u64 + 1, sizes, best, resampling, watching)
        };
        (0..orders).into_par_iter().map(order).collect()
    }

    fn along(
        &self,
        units: &[u32],
        order: u64,
        sizes: &[usize],
        best: usize,
        resampling: &CollectionResampling,
        watching: &Watching<'_>,
    ) -> Vec<Size> {
        let size = |(at, &size): (usize, &usize)| {
            let stopped = !watching(resampling.trials);
            let prefix = &units[..if stopped { 0 } else { size.min(units.len()) }];
            // Each order and size has random numbers of its own.
            let stream = (order << 20 | at as u64).wrapping_mul(resampling.trials.max(1) as u64);
            self.at_size(prefix, stream, best, resampling)
        };
        sizes.par_iter().enumerate().map(size).collect()
    }

    fn at_size(
        &self,
        prefix: &[u32],
        stream: u64,
        best: usize,
        resampling: &CollectionResampling,
    ) -> Size {
        let sums = self.sums(prefix);
        let f1 = self.f1(&sums);
        let samples = self.samples(prefix, stream, resampling);
        let best_f1 = f1.get(best).copied().unwrap_or(f64::NAN);
        let of_system = |system: usize| GrownStanding {
            f1: f1[system],
            behind: Tolerance::ROUNDING.difference(best_f1, f1[system]),
            sampled: sampled(&samples, system, best, resampling.level),
        };
        Size {
            units: prefix.len(),
            queries: sums.iter().take(5).sum::<f64>() as u64,
            systems: (0..self.systems).map(of_system).collect(),
        }
    }

    /// The F1 of every system in every sample of as many units as the prefix has; none of a single
    /// unit.
    fn samples(
        &self,
        prefix: &[u32],
        stream: u64,
        resampling: &CollectionResampling,
    ) -> Vec<Vec<f64>> {
        if prefix.len() < 2 {
            return Vec::new();
        }
        let width = self.systems * 5;
        let mut times = vec![0u32; self.rows.len() / width.max(1)];
        let mut sums = vec![0.0; width];
        let sample = |trial: usize| {
            let mut random = Random::new(resampling.seed, stream.wrapping_add(trial as u64));
            times.fill(0);
            draw(&mut random, prefix, &mut times);
            sums.fill(0.0);
            for (row, &times) in self.rows.chunks_exact(width.max(1)).zip(&times) {
                if times > 0 {
                    let times = f64::from(times);
                    sums.iter_mut().zip(row).for_each(|(sum, count)| *sum += times * count);
                }
            }
            self.f1(&sums)
        };
        (0..resampling.trials).map(sample).collect()
    }

    fn sums(&self, units: &[u32]) -> Vec<f64> {
        let width = self.systems * 5;
        let mut sums = vec![0.0; width];
        for &unit in units {
            let row = &self.rows[unit as usize * width..][..width];
            sums.iter_mut().zip(row).for_each(|(sum, count)| *sum += count);
        }
        sums
    }

    fn f1(&self, sums: &[f64]) -> Vec<f64> {
        let cells = |cells: &[f64]| std::array::from_fn(|at| cells[at]);
        sums.chunks_exact(5).map(|sums| query_scores(cells(sums)).f1.unwrap_or(0.0)).collect()
    }
}

/// What samples say of one of the systems whose F1 they hold.
fn sampled(samples: &[Vec<f64>], system: usize, best: usize, level: f64) -> Option<Sampled> {
    let mut scores: Vec<f64> = samples.iter().map(|sample| sample[system]).collect();
    let behind: Vec<f64> = samples
        .iter()
        .map(|sample| {
            sample.get(best).map_or(0.0, |f1| Tolerance::ROUNDING.difference(*f1, sample[system]))
        })
        .collect();
    scores.sort_unstable_by(f64::total_cmp);
    let outside = (100.0 - level) / 2.0;
    let not_better = behind.iter().filter(|behind| **behind <= 0.0).count();
    Some(Sampled {
        interval: Interval {
            low: percentile(&scores, outside)?,
            high: percentile(&scores, 100.0 - outside)?,
        },
        p: not_better as f64 / samples.len() as f64,
        standard_error: variance(&behind).sqrt(),
    })
}

/// Keeps the random numbers of orders apart from those of samples.
const ORDERS: u64 = 0x6f72_6465_7273;

/// Draws as many units as there are, with replacement, and counts which rows they add.
fn draw(random: &mut Random, units: &[u32], times: &mut [u32]) {
    random.draw(units.len(), |drawn| {
        drawn.iter().for_each(|&at| times[units[at as usize] as usize] += 1);
    });
}

/// Sizes to look at: 1, 2, 5, 10, 20, 50 and so on, and everything.
pub fn sizes(all: usize) -> Vec<usize> {
    let decades = std::iter::successors(Some(1usize), |decade| decade.checked_mul(10));
    let steps = decades.flat_map(|decade| [1, 2, 5].map(|step| decade.saturating_mul(step)));
    let mut sizes: Vec<usize> = steps.take_while(|&size| size < all).collect();
    sizes.extend((all > 0).then_some(all));
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESAMPLING: CollectionResampling =
        CollectionResampling { trials: 2000, seed: 1, level: 95.0 };

    /// Two systems: the first is right on all queries, the second on every other.
    fn answers(queries: usize) -> Answers {
        let mut answers = Answers::new(2);
        for at in 0..queries {
            answers.push(at as u32 / 4, &[0, if at % 2 == 0 { 0 } else { 2 }]);
        }
        answers
    }

    #[test]
    fn f1_of_a_prefix_is_that_of_its_cells() {
        let answers = answers(40);
        let growth = answers.growth(Unit::Query);
        for (size, expected) in growth.in_order(&[1, 3, 40], 0, &RESAMPLING).iter().zip([1, 2, 20])
        {
            let n = size.units as f64;
            // Nothing is NIL: precision is 1 and recall the share of right answers.
            let recall = f64::from(expected) / n;
            assert!((size.systems[1].f1 - 2.0 * recall / (1.0 + recall)).abs() < 1e-12);
            assert!((size.systems[1].behind - (1.0 - size.systems[1].f1)).abs() < 1e-12);
            // One query is always drawn, and says nothing about others.
            let p = size.systems[0].sampled.map(|found| found.p);
            assert_eq!((size.systems[0].f1, p), (1.0, (size.units > 1).then_some(1.0)));
            assert!(size.units > 1 || size.not_separable(0, 0.05) == 1);
        }
        assert_eq!(answers.cells(1).counts(), [20, 0, 20, 0, 0]);
        assert_eq!(answers.discordant(0, 1), 20);
    }

    #[test]
    fn the_p_of_a_few_queries_can_be_worked_out() {
        // The second system is as good as the first when only queries that it gets right are drawn:
        // with 4 queries of which 2 are, that is (1/2)^4; with 2 of which 1 is, (1/2)^2.
        let growth = answers(4).growth(Unit::Query);
        let resampling = CollectionResampling { trials: 40_000, ..RESAMPLING };
        for (size, expected) in growth.in_order(&[2, 4], 0, &resampling).iter().zip([0.25, 0.0625])
        {
            let p = size.systems[1].sampled.expect("samples").p;
            assert!((p - expected).abs() < 4.0 * (expected / 40_000f64).sqrt(), "{p} {expected}");
            assert_eq!(size.not_separable(0, 0.05), 1);
        }
        assert_eq!(
            answers(400).growth(Unit::Query).in_order(&[400], 0, &RESAMPLING)[0]
                .not_separable(0, 0.05),
            0
        );
    }

    #[test]
    fn documents_are_drawn_whole() {
        let growth = answers(40).growth(Unit::Document);
        assert_eq!(growth.len(), 10);
        let size = &growth.in_order(&[10], 0, &RESAMPLING)[0];
        assert_eq!((size.units, size.queries), (10, 40));
        // All documents are alike: no sample differs.
        let second = &size.systems[1];
        let Sampled { interval, p, standard_error } = second.sampled.expect("samples");
        assert_eq!((interval.low, interval.high, p), (second.f1, second.f1, 0.0));
        assert!(standard_error < 1e-12);
    }

    #[test]
    fn the_interval_is_that_of_the_binomial_distribution() {
        // 400 queries, half right, all NIL: F1 has P_N = 1 and R = k / n, and R lies within
        // scipy 1.17.1: scipy.stats.binom(400, .5).ppf([.025, .975]) / 400 = .45, .55.
        let mut answers = Answers::new(1);
        (0..400).for_each(|at| answers.push(at, &[if at % 2 == 0 { 3 } else { 4 }]));
        let size = &answers.growth(Unit::Query).in_order(&[400], 0, &RESAMPLING)[0];
        let f1 = |recall: f64| 2.0 * recall / (1.0 + recall);
        let interval = size.systems[0].sampled.expect("samples").interval;
        assert!((interval.low - f1(0.45)).abs() < 0.008, "{size:?}");
        assert!((interval.high - f1(0.55)).abs() < 0.008, "{size:?}");
    }

    /// Draws answers of two systems with these chances of each cell; the systems do not know each other.
    fn drawn_answers(chances: [[f64; 5]; 2], queries: u32, seed: u64) -> Answers {
        let mut random = Random::new(seed, 7);
        let mut answers = Answers::new(2);
        let cell = |chances: &[f64], unit: f64| {
            let mut sum = 0.0;
            let passed = chances.iter().take_while(|&&chance| {
                sum += chance;
                sum <= unit
            });
            passed.count().min(chances.len() - 1) as u8
        };
        // Gold is a link or NIL for both.
        let links: f64 = chances[0][..3].iter().sum();
        for query in 0..queries {
            let linked = random.unit() < links;
            let cells = chances.map(|chances| match linked {
                true => {
                    cell(&chances[..3].iter().map(|c| c / links).collect::<Vec<_>>(), random.unit())
                }
                false => {
                    let nils = 1.0 - links;
                    3 + cell(
                        &chances[3..].iter().map(|c| c / nils).collect::<Vec<_>>(),
                        random.unit(),
                    )
                }
            });
            answers.push(query, &cells);
        }
        answers
    }

    #[test]
    fn intervals_cover_the_truth_and_equal_systems_are_rarely_told_apart() {
        // The shares of the first set of the paper; both systems have them.
        let cells = [1019.0, 39.0, 231.0, 1477.0, 87.0].map(|count| count / 2853.0);
        let truth = query_scores(cells).f1.expect("defined");
        let (studies, resampling) = (1500, CollectionResampling { trials: 400, ..RESAMPLING });
        let (mut covered, mut rejected) = (0.0, 0.0);
        for study in 0..studies {
            let growth = drawn_answers([cells, cells], 400, study).growth(Unit::Query);
            let size = &growth.in_order(&[400], 0, &resampling)[0];
            let [first, second] = [0, 1].map(|at| size.systems[at].sampled.expect("samples"));
            let covers = first.interval.low <= truth && truth <= first.interval.high;
            covered += f64::from(u8::from(covers));
            rejected += f64::from(u8::from(second.p < 0.05));
        }
        let share = |count: f64| count / studies as f64;
        assert!((0.93..0.97).contains(&share(covered)), "{}", share(covered));
        assert!((0.04..0.06).contains(&share(rejected)), "{}", share(rejected));
    }

    #[test]
    fn orders_differ_and_the_same_seed_gives_the_same_digits() {
        let growth = answers(60).growth(Unit::Query);
        let resampling = CollectionResampling { trials: 50, ..RESAMPLING };
        let run = |threads| {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| growth.in_random_orders(5, &[7, 60], 0, &resampling, &unwatched))
        };
        let found = run(1);
        assert_eq!(found, run(3));
        let small: Vec<f64> = found.iter().map(|sizes| sizes[0].systems[1].f1).collect();
        assert!(small.iter().any(|f1| *f1 != small[0]), "{small:?}");
        let whole: Vec<f64> = found.iter().map(|sizes| sizes[1].systems[1].f1).collect();
        assert!(whole.iter().all(|f1| *f1 == whole[0]), "{whole:?}");
    }

    #[test]
    fn sizes_end_with_everything() {
        assert_eq!(sizes(0), []);
        assert_eq!(sizes(1), [1]);
        assert_eq!(sizes(50), [1, 2, 5, 10, 20, 50]);
        assert_eq!(sizes(231), [1, 2, 5, 10, 20, 50, 100, 200, 231]);
    }

    #[test]
    fn nothing_to_grow() {
        let growth = Answers::new(0).growth(Unit::Query);
        assert_eq!((growth.best(), growth.len()), (None, 0));
        assert!(growth.in_order(&[1], 0, &RESAMPLING)[0].systems.is_empty());
        let one = Answers::new(1).growth(Unit::Document);
        assert!(one.is_empty() && one.in_order(&[], 0, &RESAMPLING).is_empty());
        assert_eq!(one.in_order(&[3], 0, &RESAMPLING)[0].systems[0].f1, 0.0);
    }
}

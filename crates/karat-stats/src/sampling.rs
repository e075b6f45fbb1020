//! Drawing documents again, and summing what was drawn.

use crate::counts::add;
use crate::{Counts, Random};
use rayon::prelude::*;
use std::borrow::Cow;
use std::ops::{AddAssign, Range};

/// What is drawn anew in a trial.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Sampling {
    /// Documents, from all documents.
    #[default]
    Documents,
    /// Documents, from those with the same label: each stratum keeps its size.
    Strata(Vec<u32>),
    /// Labels, with all documents that carry them: documents of one source, one topic
    /// or one author are alike, and come or go together.
    Clusters(Vec<u32>),
}

/// The summed counts of each trial, one row each.
#[derive(Debug, Clone, PartialEq)]
pub struct TrialSums {
    width: usize,
    rows: Vec<f64>,
}

impl TrialSums {
    /// The summed counts of each trial.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.rows.chunks_exact(self.width.max(1))
    }

    /// How many trials there are.
    pub fn len(&self) -> usize {
        self.rows().len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

impl Sampling {
    /// The rows that are drawn, and the ranges of rows from which as many are drawn as they have.
    pub(crate) fn units(&self, counts: &Counts) -> (Counts, Vec<Range<usize>>) {
        let (members, ranges) = self.members(counts.len());
        let all: Vec<&[f64]> = counts.rows().collect();
        let mut rows = Vec::with_capacity(members.len() * counts.width());
        for members in &members {
            let mut sums = vec![0.0; counts.width()];
            members.iter().for_each(|&at| add(&mut sums, all[at]));
            rows.extend(sums);
        }
        (Counts::new(counts.width(), rows), ranges)
    }

    /// The documents of each unit that is drawn as a whole, and the ranges of units from which as
    /// many are drawn as they have.
    fn members(&self, documents: usize) -> (Vec<Vec<usize>>, Vec<Range<usize>>) {
        let mut order: Vec<usize> = (0..documents).collect();
        let label = |labels: &[u32], at: usize| labels.get(at).copied();
        match self {
            Sampling::Documents => {
                (order.into_iter().map(|at| vec![at]).collect(), vec![0..documents])
            }
            Sampling::Clusters(labels) => {
                order.sort_by_key(|&at| label(labels, at));
                let clusters = order.chunk_by(|&a, &b| label(labels, a) == label(labels, b));
                let clusters: Vec<Vec<usize>> = clusters.map(<[usize]>::to_vec).collect();
                let all = 0..clusters.len();
                (clusters, vec![all])
            }
            Sampling::Strata(labels) => {
                order.sort_by_key(|&at| label(labels, at));
                let mut start = 0;
                let strata = order.chunk_by(|&a, &b| label(labels, a) == label(labels, b));
                let ranges = strata.map(|stratum| {
                    start += stratum.len();
                    start - stratum.len()..start
                });
                let ranges = ranges.collect();
                (order.into_iter().map(|at| vec![at]).collect(), ranges)
            }
        }
    }

    /// Draws as many units as there are, `trials` times, and sums them.
    pub fn trial_sums(&self, counts: &Counts, trials: usize, seed: u64) -> TrialSums {
        let (units, ranges) = match self {
            Sampling::Documents => (Cow::Borrowed(counts), vec![0..counts.len()]),
            _ => {
                let (units, ranges) = self.units(counts);
                (Cow::Owned(units), ranges)
            }
        };
        let columns = Columns::of(&units);
        let distinct = match columns.are_small_integers(units.len()) {
            true => sums::<i32>(&columns, &ranges, trials, seed),
            false => sums::<f64>(&columns, &ranges, trials, seed),
        };
        let narrow = columns.values.len();
        let mut rows = vec![0.0; trials * counts.width()];
        let wide = rows.chunks_exact_mut(counts.width().max(1));
        for (trial, row) in wide.enumerate() {
            let narrow = &distinct[trial * narrow..(trial + 1) * narrow];
            for (place, source) in row.iter_mut().zip(&columns.sources) {
                *place = source.map_or(0.0, |at| narrow[at]);
            }
        }
        TrialSums { width: counts.width(), rows }
    }
}

/// The counts of some of the documents: a slice of the corpus.
#[derive(Debug, Clone, Copy)]
pub struct Subset<'c> {
    /// Which documents these are.
    pub documents: &'c [u32],
    /// Their counts.
    pub counts: &'c Counts,
}

impl Sampling {
    /// The same draws as [`Sampling::trial_sums`] makes of `length` documents, summed for each of
    /// many subsets of them. What it costs grows with the documents in the subsets, not with
    /// their number times all documents.
    pub fn subset_sums(
        &self,
        length: usize,
        subsets: &[Subset<'_>],
        trials: usize,
        seed: u64,
    ) -> Vec<TrialSums> {
        let (members, ranges) = self.members(length);
        let width: usize = subsets.iter().map(|subset| subset.counts.width()).sum();
        let mut all = vec![0.0; trials * width];
        all.par_chunks_exact_mut(width.max(1)).enumerate().for_each_init(
            || (Vec::new(), vec![0.0; length]),
            |(drawn, times), (trial, sums)| {
                draw(&mut Random::new(seed, trial as u64), &ranges, drawn);
                times.fill(0.0);
                for &unit in drawn.iter() {
                    for &document in &members[unit as usize] {
                        times[document] += 1.0;
                    }
                }
                let mut rest = sums;
                for subset in subsets {
                    let (sums, others) = rest.split_at_mut(subset.counts.width());
                    rest = others;
                    for (&document, row) in subset.documents.iter().zip(subset.counts.rows()) {
                        let times = times.get(document as usize).copied().unwrap_or(0.0);
                        for (sum, count) in sums.iter_mut().zip(row) {
                            *sum += times * count;
                        }
                    }
                }
            },
        );
        let mut start = 0;
        let part = |subset: &Subset<'_>| {
            let columns = start..start + subset.counts.width();
            start = columns.end;
            let rows = all.chunks_exact(width.max(1)).flat_map(|row| &row[columns.clone()]);
            TrialSums { width: columns.len(), rows: rows.copied().collect() }
        };
        subsets.iter().map(part).collect()
    }
}

/// The distinct columns of a matrix: most measures have the same hits on both sides, and what is
/// the same need not be summed twice.
struct Columns {
    values: Vec<Vec<f64>>,
    /// For each column of the matrix, which one it equals; `None` if it is all nought.
    sources: Vec<Option<usize>>,
}

impl Columns {
    fn of(counts: &Counts) -> Columns {
        let mut values: Vec<Vec<f64>> = Vec::new();
        let mut sources = Vec::with_capacity(counts.width());
        for at in 0..counts.width() {
            let column: Vec<f64> = counts.rows().map(|row| row[at]).collect();
            if column.iter().all(|&value| value == 0.0) {
                sources.push(None);
                continue;
            }
            let known = values.iter().position(|known| *known == column);
            sources.push(Some(known.unwrap_or(values.len())));
            if known.is_none() {
                values.push(column);
            }
        }
        Columns { values, sources }
    }

    /// Whether no sum of `draws` values can leave the range of 32 bits.
    fn are_small_integers(&self, draws: usize) -> bool {
        let largest = f64::from(i32::MAX) / draws.max(1) as f64;
        self.values.iter().flatten().all(|value| value.fract() == 0.0 && value.abs() < largest)
    }
}

/// A number that sums are made of. Integers of 32 bits sum twice as fast as doubles.
trait Number: Copy + Default + AddAssign + Send + Sync {
    fn of(count: f64) -> Self;
    fn value(self) -> f64;
}

impl Number for i32 {
    fn of(count: f64) -> i32 {
        count as i32
    }
    fn value(self) -> f64 {
        f64::from(self)
    }
}

impl Number for f64 {
    fn of(count: f64) -> f64 {
        count
    }
    fn value(self) -> f64 {
        self
    }
}

/// So many columns are summed at once, in the registers of the processor.
const LANES: usize = 8;

/// The sums of all distinct columns, one row for each trial.
fn sums<N: Number>(
    columns: &Columns,
    ranges: &[Range<usize>],
    trials: usize,
    seed: u64,
) -> Vec<f64> {
    let width = columns.values.len();
    let blocks: Vec<Vec<[N; LANES]>> = columns.values.chunks(LANES).map(block).collect();
    let mut sums = vec![0.0; trials * width];
    // A task of some trials costs the scheduler little and leaves work for every core.
    const TRIALS: usize = 32;
    sums.par_chunks_mut((TRIALS * width).max(1)).enumerate().for_each(|(task, sums)| {
        let mut drawn: Vec<u32> = Vec::new();
        for (within, sums) in sums.chunks_exact_mut(width).enumerate() {
            draw(&mut Random::new(seed, (task * TRIALS + within) as u64), ranges, &mut drawn);
            for (block, sums) in blocks.iter().zip(sums.chunks_mut(LANES)) {
                let mut lanes = [N::default(); LANES];
                for &row in &drawn {
                    for (lane, more) in lanes.iter_mut().zip(block[row as usize]) {
                        *lane += more;
                    }
                }
                for (sum, lane) in sums.iter_mut().zip(lanes) {
                    *sum = lane.value();
                }
            }
        }
    });
    sums
}

fn block<N: Number>(columns: &[Vec<f64>]) -> Vec<[N; LANES]> {
    let length = columns.first().map_or(0, Vec::len);
    let mut rows = vec![[N::default(); LANES]; length];
    for (lane, column) in columns.iter().enumerate() {
        for (row, &count) in rows.iter_mut().zip(column) {
            row[lane] = N::of(count);
        }
    }
    rows
}

/// Draws as many rows of each range as it has.
fn draw(random: &mut Random, ranges: &[Range<usize>], drawn: &mut Vec<u32>) {
    drawn.resize(ranges.iter().map(ExactSizeIterator::len).sum(), 0);
    let mut rest = drawn.as_mut_slice();
    for range in ranges {
        let (places, others) = rest.split_at_mut(range.len());
        rest = others;
        // Rows are counted in 32 bits: a matrix with more of them does not fit into memory.
        let (start, length) = (range.start as u32, range.len() as u32);
        let (pairs, last) = places.as_chunks_mut::<2>();
        for pair in pairs {
            *pair = random.two_below(length).map(|at| start + at);
        }
        for place in last {
            *place = start + random.two_below(length)[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Twelve documents with two counts each.
    fn counts(unit: f64) -> Counts {
        Counts::new(2, (0..12).flat_map(|at| [f64::from(at) * unit, 1.0]).collect())
    }

    #[test]
    fn integers_and_other_numbers_are_drawn_alike() {
        let sums = |unit| Sampling::Documents.trial_sums(&counts(unit), 50, 3);
        for (whole, half) in sums(1.0).rows().zip(sums(0.5).rows()) {
            assert_eq!([whole[0] / 2.0, whole[1]], [half[0], half[1]]);
            assert_eq!(whole[1], 12.0);
        }
        assert_ne!(sums(1.0), Sampling::Documents.trial_sums(&counts(1.0), 50, 4));
    }

    #[test]
    fn strata_keep_their_sizes() {
        // A document counts 1 in the column of its stratum.
        let labels: Vec<u32> = (0..9).map(|at| u32::from(at % 3 == 0)).collect();
        let column = |&label: &u32| if label == 0 { [1.0, 0.0] } else { [0.0, 1.0] };
        let counts = Counts::new(2, labels.iter().flat_map(column).collect());
        let sums = Sampling::Strata(labels).trial_sums(&counts, 40, 1);
        assert!(sums.rows().all(|row| row == [6.0, 3.0]));
    }

    #[test]
    fn clusters_come_and_go_whole() {
        // The first cluster has three documents, the second two, the third one.
        let counts = Counts::new(1, vec![1.0, 10.0, 100.0, 1.0, 10.0, 1.0]);
        let labels = vec![0, 1, 2, 0, 1, 0];
        let sums = Sampling::Clusters(labels).trial_sums(&counts, 200, 1);
        for row in sums.rows() {
            let (ones, twenties, hundreds) =
                (row[0] % 10.0 / 3.0, (row[0] % 100.0 / 20.0).floor(), (row[0] / 100.0).floor());
            assert_eq!(ones + twenties + hundreds, 3.0, "{row:?}");
        }
    }

    #[test]
    fn subsets_are_drawn_with_the_whole() {
        let labels: Vec<u32> = (0..12).map(|at| at % 4).collect();
        let samplings =
            [Sampling::Documents, Sampling::Strata(labels.clone()), Sampling::Clusters(labels)];
        for sampling in samplings {
            let whole = sampling.trial_sums(&counts(1.0), 30, 5);
            let halves: Vec<(Vec<u32>, Counts)> = [0u32, 1]
                .into_iter()
                .map(|odd| {
                    let documents: Vec<u32> = (0..6).map(|at| at * 2 + odd).collect();
                    let rows = documents.iter().flat_map(|&at| [f64::from(at), 1.0]).collect();
                    (documents, Counts::new(2, rows))
                })
                .collect();
            let subsets: Vec<Subset<'_>> =
                halves.iter().map(|(documents, counts)| Subset { documents, counts }).collect();
            let parts = sampling.subset_sums(12, &subsets, 30, 5);
            let both = parts[0].rows().zip(parts[1].rows());
            let added: Vec<f64> = both.flat_map(|(a, b)| [a[0] + b[0], a[1] + b[1]]).collect();
            assert_eq!(TrialSums { width: 2, rows: added }, whole, "{sampling:?}");
        }
    }

    #[test]
    fn the_mean_of_many_trials_is_that_of_the_documents() {
        let sums = Sampling::Documents.trial_sums(&counts(1.0), 20_000, 1);
        let mean = sums.rows().map(|row| row[0]).sum::<f64>() / 20_000.0;
        // The standard error of the mean is sqrt(12 * 143 / 12 / 20000) = 0.085.
        assert!((mean - 66.0).abs() < 0.34, "{mean}");
    }

    #[test]
    fn nothing_to_draw_gives_nothing() {
        for sampling in [Sampling::Documents, Sampling::Strata(vec![]), Sampling::Clusters(vec![])]
        {
            assert!(sampling.trial_sums(&Counts::default(), 5, 1).is_empty());
            let zero_rows = sampling.trial_sums(&Counts::new(2, vec![]), 5, 1);
            assert!(zero_rows.rows().all(|row| row == [0.0, 0.0]));
        }
    }
}

//! Drawing documents again, and summing what was drawn.

mod columns;
mod draws;

use crate::counts::add;
use crate::{Counts, Watching, unwatched};
use columns::Columns;
use draws::{Draws, Fill, Made, dot, dot_of_integers};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

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
    /// Whether trials can differ in what they draw of these documents. One document, or one cluster, is
    /// always drawn whole, which says nothing about others.
    pub fn can_vary(&self, documents: impl IntoIterator<Item = usize>) -> bool {
        let documents: Vec<usize> = documents.into_iter().collect();
        match self {
            Sampling::Documents => documents.len() > 1,
            Sampling::Clusters(labels) => {
                let mut labels = documents.iter().map(|&at| labels.get(at));
                let first = labels.next();
                labels.any(|label| Some(label) != first)
            }
            Sampling::Strata(labels) => {
                let mut sizes: HashMap<u32, usize> = HashMap::new();
                labels.iter().for_each(|&label| *sizes.entry(label).or_default() += 1);
                let mut drawn = documents.iter().filter_map(|&at| sizes.get(labels.get(at)?));
                documents.len() > 1 && drawn.any(|&size| size > 1)
            }
        }
    }

    /// The same of some of the documents only.
    pub fn only(&self, documents: &[u32]) -> Sampling {
        let of = |labels: &[u32]| {
            documents.iter().filter_map(|&at| labels.get(at as usize).copied()).collect()
        };
        match self {
            Sampling::Documents => Sampling::Documents,
            Sampling::Strata(labels) => Sampling::Strata(of(labels)),
            Sampling::Clusters(labels) => Sampling::Clusters(of(labels)),
        }
    }

    /// How many units there are to be drawn: clusters, or documents.
    pub fn number_of_units(&self, documents: usize) -> usize {
        match self {
            Sampling::Documents | Sampling::Strata(_) => documents,
            Sampling::Clusters(_) => self.members(documents).0.len(),
        }
    }

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
        (Counts::new(counts.width(), rows).within(counts.tolerance()), ranges)
    }

    /// The rows of what comes and goes together: clusters, or single documents.
    pub fn together<'c>(&self, counts: &'c Counts) -> Cow<'c, Counts> {
        match self {
            Sampling::Documents | Sampling::Strata(_) => Cow::Borrowed(counts),
            Sampling::Clusters(_) => Cow::Owned(self.units(counts).0),
        }
    }

    /// The documents of each unit that is drawn as a whole, and the ranges of units from which as
    /// many are drawn as they have.
    fn members(&self, documents: usize) -> (Vec<Vec<usize>>, Vec<Range<usize>>) {
        let mut order: Vec<usize> = (0..documents).collect();
        let label = |labels: &[u32], at: usize| labels.get(at).copied();
        match self {
            Sampling::Documents => {
                (order.into_iter().map(|at| vec![at]).collect(), one_range(documents))
            }
            Sampling::Clusters(labels) => {
                order.sort_by_key(|&at| label(labels, at));
                let clusters = order.chunk_by(|&a, &b| label(labels, a) == label(labels, b));
                let clusters: Vec<Vec<usize>> = clusters.map(<[usize]>::to_vec).collect();
                let all = one_range(clusters.len());
                (clusters, all)
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
        self.trial_sums_watched(counts, trials, seed, &unwatched)
    }

    /// The same where somebody watches.
    pub(crate) fn trial_sums_watched(
        &self,
        counts: &Counts,
        trials: usize,
        seed: u64,
        watching: &Watching<'_>,
    ) -> TrialSums {
        let width = counts.width();
        let of = |_: usize, sums: &[f64], row: &mut [f64]| row.copy_from_slice(sums);
        let made = Made { width, of: &of };
        TrialSums { width, rows: self.drawn(counts, trials, seed, &made, watching) }
    }

    /// The same draws, and `scores` scores made of the sums of each trial: a row for each.
    pub(crate) fn trial_scores(
        &self,
        counts: &Counts,
        trials: usize,
        seed: u64,
        scores: usize,
        score: &Fill<'_>,
        watching: &Watching<'_>,
    ) -> Vec<f64> {
        self.drawn(counts, trials, seed, &Made { width: scores, of: score }, watching)
    }

    fn drawn(
        &self,
        counts: &Counts,
        trials: usize,
        seed: u64,
        made: &Made<'_>,
        watching: &Watching<'_>,
    ) -> Vec<f64> {
        let (units, ranges) = match self {
            Sampling::Documents => (Cow::Borrowed(counts), one_range(counts.len())),
            _ => {
                let (units, ranges) = self.units(counts);
                (Cow::Owned(units), ranges)
            }
        };
        let columns = Columns::of(&units);
        let draws = Draws { units: units.len(), ranges: &ranges, trials, seed, watching };
        // The fastest way first. All three add the same whole numbers, so they give the same sums;
        // fractions are left to the last one.
        if let Some(packed) = columns.packed(units.len()) {
            return draws.packed(&columns, &packed, made);
        }
        match columns.small_integers(units.len()) {
            Some(integers) => draws.counted(&columns, &integers, dot_of_integers, made),
            None => draws.counted(&columns, &columns.values, dot, made),
        }
    }
}

/// All units as one range.
fn one_range(units: usize) -> Vec<Range<usize>> {
    std::iter::once(0..units).collect()
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
        watching: &Watching<'_>,
    ) -> Vec<TrialSums> {
        let (members, ranges) = self.members(length);
        let width: usize = subsets.iter().map(|subset| subset.counts.width()).sum();
        let mut all = vec![0.0; trials * width];
        let draws = Draws { units: members.len(), ranges: &ranges, trials, seed, watching };
        draws.each_count(&mut all, width, |times, sums| {
            let mut of_document = vec![0.0; length];
            for (members, &times) in members.iter().zip(times) {
                for &document in members {
                    of_document[document] = f64::from(times);
                }
            }
            let mut rest = sums;
            for subset in subsets {
                let (sums, others) = rest.split_at_mut(subset.counts.width());
                rest = others;
                for (&document, row) in subset.documents.iter().zip(subset.counts.rows()) {
                    let times = of_document.get(document as usize).copied().unwrap_or(0.0);
                    for (sum, count) in sums.iter_mut().zip(row) {
                        *sum += times * count;
                    }
                }
            }
        });
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
            let parts = sampling.subset_sums(12, &subsets, 30, 5, &unwatched);
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
    fn what_is_always_drawn_whole_cannot_vary() {
        let can_vary = |sampling: Sampling| [0..0, 0..1, 0..2].map(|all| sampling.can_vary(all));
        assert_eq!(can_vary(Sampling::Documents), [false, false, true]);
        assert_eq!(can_vary(Sampling::Clusters(vec![4, 4])), [false, false, false]);
        assert_eq!(can_vary(Sampling::Clusters(vec![4, 5])), [false, false, true]);
        assert_eq!(can_vary(Sampling::Strata(vec![4, 4])), [false, false, true]);
        assert_eq!(can_vary(Sampling::Strata(vec![4, 5])), [false, false, false]);
        assert_eq!(Sampling::Clusters(vec![4, 5, 4]).number_of_units(3), 2);
        assert_eq!(Sampling::Strata(vec![4, 5, 4]).number_of_units(3), 3);
        assert_eq!(Sampling::Clusters(vec![4, 5, 4]).only(&[0, 2]).number_of_units(2), 1);
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

//! How far scores may be off: intervals of all that was scored.

use super::statistic::Statistic;
use super::{Resampling, Scoring};
use crate::work::watching;
use karat_facets::UNLABELLED;
use karat_measures::{Average, Evaluation, Result as Scored, Slice, Wanted};
use karat_model::{Corpus, Progress, hash_of};
use karat_stats::{Bootstrap, Counts, Interval, Method, Sampling, Subset, TrialSums};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// The intervals of the scores of one measure.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Intervals {
    /// Those of the scores of all documents together.
    pub micro: BTreeMap<&'static str, Interval>,
    /// Those of the means over documents.
    pub macro_: BTreeMap<&'static str, Interval>,
}

impl Intervals {
    /// One of them.
    pub fn get(&self, score: &str, average: Average) -> Option<Interval> {
        match average {
            Average::Micro => self.micro.get(score).copied(),
            Average::Macro => self.macro_.get(score).copied(),
        }
    }
}

/// The intervals of an evaluation: for each measure, and for each slice and measure.
#[derive(Debug, Clone, Default)]
pub(super) struct AllIntervals {
    pub(super) whole: Vec<Intervals>,
    pub(super) slices: Vec<Vec<Intervals>>,
}

impl Scoring {
    /// The intervals of everything that adds up over documents. Documents are put in an order that no
    /// file decides; `gold` tells what they are drawn by.
    pub(super) fn intervals(&self, evaluation: &Evaluation, gold: Option<&Corpus>) -> AllIntervals {
        let Some(bootstrap) = &self.bootstrap else { return AllIntervals::default() };
        // Sorted, so that the same documents are drawn whatever the order in the file: an interval
        // must not change when lines are swapped.
        let order = Order::of(&evaluation.documents);
        let sampling = self.resampling.sampling(&order.documents, gold);
        let drawing = Drawing { scoring: self, bootstrap, sampling: &sampling, order: &order };
        let rounds = evaluation.results.len() + evaluation.slices.len().div_ceil(SLICES);
        self.watch.begin("drawing", (rounds * bootstrap.trials) as u64);
        AllIntervals {
            whole: drawing.of_whole(&evaluation.results),
            slices: evaluation
                .slices
                .chunks(SLICES)
                .flat_map(|part| drawing.of_slices(part))
                .collect(),
        }
    }
}

impl Scoring {
    /// Whoever watches, as trials are watched.
    pub(crate) fn watching(&self) -> impl Fn(usize) -> bool + Sync {
        watching(&self.watch)
    }
}

/// Slices whose sums are made together. More would take more memory, fewer more drawing.
const SLICES: usize = 64;

/// Documents sorted by a hash of their names.
pub(crate) struct Order {
    /// The hashes, sorted.
    pub(crate) documents: Vec<u64>,
    /// For each place in the sorted order where the document was before.
    pub(crate) from: Vec<usize>,
}

impl Order {
    pub(crate) fn of(documents: &[u64]) -> Order {
        let mut from: Vec<usize> = (0..documents.len()).collect();
        from.sort_by_key(|&at| documents[at]);
        Order { documents: from.iter().map(|&at| documents[at]).collect(), from }
    }

    /// Rows of so many counts in the new order.
    pub(crate) fn sorted(&self, rows: &[f64], width: usize) -> Vec<f64> {
        let row = |&at: &usize| rows[at * width..(at + 1) * width].iter().copied();
        self.from.iter().flat_map(row).collect()
    }
}

impl Resampling {
    /// What is drawn anew of these documents, which are given by hashes of their names.
    pub(crate) fn sampling(&self, documents: &[u64], gold: Option<&Corpus>) -> Sampling {
        let (facet, clusters) = match self {
            Resampling::Documents => return Sampling::Documents,
            Resampling::Strata(facet) => (facet, false),
            Resampling::Clusters(facet) => (facet, true),
        };
        // By a hash of the name, since counts that were merged from several machines come without
        // corpora.
        let labelled = gold.into_iter().flat_map(Corpus::documents).map(|document| {
            (hash_of(document.name().as_bytes()), facet.labels_of_document(&document).join("+"))
        });
        let labels: HashMap<u64, String> = labelled.collect();
        let mut known: Vec<&String> = labels.values().collect();
        known.sort_unstable();
        known.dedup();
        let number = |(at, document): (usize, &u64)| {
            let label =
                labels.get(document).filter(|label| !["", UNLABELLED].contains(&label.as_str()));
            let found = label.and_then(|label| known.binary_search(&label).ok());
            // What has no label is a stratum together, but no cluster: nothing says it is alike.
            let alone = if clusters { known.len() + 1 + at } else { known.len() };
            found.unwrap_or(alone) as u32
        };
        let numbers = documents.iter().enumerate().map(number).collect();
        if clusters { Sampling::Clusters(numbers) } else { Sampling::Strata(numbers) }
    }
}

/// Everything that draws.
struct Drawing<'s> {
    scoring: &'s Scoring,
    bootstrap: &'s Bootstrap,
    sampling: &'s Sampling,
    order: &'s Order,
}

impl Drawing<'_> {
    fn of_whole(&self, results: &[Scored]) -> Vec<Intervals> {
        let of_measure = |(at, result): (usize, &Scored)| {
            let Some(rows) = &result.documents else { return Intervals::default() };
            // With nothing to draw from, an interval of no width would claim perfect certainty;
            // there is none instead.
            if !self.sampling.can_vary(0..self.order.documents.len()) {
                return Intervals::default();
            }
            let rows = self.order.sorted(rows, result.columns.len());
            let panel = Panel::new(self.scoring, at, &rows, result);
            let sums =
                self.bootstrap.trial_sums(&panel.counts, self.sampling, &self.scoring.watching());
            panel.intervals(self.bootstrap, self.sampling, &panel.counts, &sums)
        };
        results.iter().enumerate().map(of_measure).collect()
    }

    /// All slices see the same draws as the whole.
    fn of_slices(&self, slices: &[Slice]) -> Vec<Vec<Intervals>> {
        let mut place = vec![0u32; self.order.from.len()];
        for (new, &old) in self.order.from.iter().enumerate() {
            place[old] = new as u32;
        }
        let places: Vec<Vec<u32>> = slices
            .iter()
            .map(|slice| slice.documents.iter().map(|&old| place[old as usize]).collect())
            .collect();
        let panels: Vec<Vec<Panel<'_>>> = slices
            .iter()
            .map(|slice| {
                let panel = |(at, result): (usize, &Scored)| {
                    let rows = result.documents.as_deref().unwrap_or_default();
                    Panel::new(self.scoring, at, rows, result)
                };
                slice.results.iter().enumerate().map(panel).collect()
            })
            .collect();
        let subsets: Vec<Subset<'_>> = panels
            .iter()
            .zip(&places)
            .flat_map(|(panels, documents)| {
                panels.iter().map(|panel| Subset { documents, counts: &panel.counts })
            })
            .collect();
        let Bootstrap { trials, seed, .. } = *self.bootstrap;
        let length = self.order.from.len();
        let mut sums = self
            .sampling
            .subset_sums(length, &subsets, trials, seed, &self.scoring.watching())
            .into_iter();
        panels
            .iter()
            .zip(&places)
            .map(|(panels, documents)| {
                // Asked of each slice: its documents may all be of one cluster though the corpus is
                // not.
                let can_vary = self.sampling.can_vary(documents.iter().map(|&at| at as usize));
                let interval = |(panel, sums): (&Panel<'_>, TrialSums)| {
                    if !can_vary {
                        return Intervals::default();
                    }
                    // Only intervals that leave out each document in turn need all of them.
                    let counts = match self.bootstrap.method {
                        Method::Bca => Cow::Owned(panel.counts.spread(documents, length)),
                        Method::Percentile | Method::Basic => Cow::Borrowed(&panel.counts),
                    };
                    panel.intervals(self.bootstrap, self.sampling, &counts, &sums)
                };
                panels.iter().zip(sums.by_ref()).map(interval).collect()
            })
            .collect()
    }
}

/// All scores of a measure as statistics of one matrix.
struct Panel<'m> {
    /// Each score, and its columns.
    statistics: Vec<(&'static str, Statistic<'m>, Range<usize>)>,
    counts: Counts,
}

impl<'m> Panel<'m> {
    fn new(scoring: &'m Scoring, at: usize, rows: &[f64], result: &Scored) -> Panel<'m> {
        let measure = &scoring.selection.measures[at];
        // Means over documents are drawn again where they are asked for.
        let asked = |wanted: &Wanted| (wanted.measure, wanted.average) == (at, Average::Macro);
        let means = scoring.selection.wanted.iter().any(asked);
        let averages: &[Average] =
            if means { &[Average::Micro, Average::Macro] } else { &[Average::Micro] };
        let mut parts: Vec<Counts> = Vec::new();
        let (mut statistics, mut width, mut micro) = (Vec::new(), 0, 0..0);
        for &average in averages {
            for name in result.micro.names() {
                let wanted = Wanted { measure: at, score: Some(name.to_owned()), average };
                let Some(statistic) = Statistic::new(measure, &wanted, scoring.convention.zero)
                else {
                    continue;
                };
                // All scores of summed counts are of the same sums.
                // Each mean has columns of its own, as the documents where it is undefined differ
                // from score to score.
                if average == Average::Macro || micro.is_empty() {
                    let counts = statistic.counts(rows);
                    micro = width..width + counts.width();
                    width = micro.end;
                    parts.push(counts);
                }
                statistics.push((name, statistic, micro.clone()));
            }
        }
        Panel { statistics, counts: Counts::beside(&parts.iter().collect::<Vec<_>>()) }
    }

    fn intervals(
        &self,
        bootstrap: &Bootstrap,
        sampling: &Sampling,
        counts: &Counts,
        sums: &TrialSums,
    ) -> Intervals {
        let mut intervals = Intervals::default();
        for (name, statistic, columns) in &self.statistics {
            let score = |sums: &[f64]| statistic.of_sums(&sums[columns.clone()]);
            // One draw where the score is undefined, and there is no interval: leaving the draw out
            // would make it too narrow.
            let values: Option<Vec<f64>> = sums.rows().map(score).collect();
            let found = values
                .and_then(|mut values| bootstrap.interval(counts, sampling, &score, &mut values));
            let Some(found) = found else { continue };
            match statistic.average() {
                Average::Micro => intervals.micro.insert(name, found),
                Average::Macro => intervals.macro_.insert(name, found),
            };
        }
        intervals
    }
}

//! The counts of a measure as the threshold rises.

use super::{Choice, Grid, Search};
use crate::measure::DocumentMeasure;
use crate::name::Average;
use crate::score::Zero;
use karat_match::{Scene, Settings};
use std::sync::Arc;

/// The counts of a measure at every threshold: where they start, and where they change.
pub(super) struct Curve {
    measure: Arc<dyn DocumentMeasure>,
    zero: Zero,
    pub(super) start: Point,
    changes: Vec<Change>,
    /// How many changes there may be before they are put together.
    settle_at: usize,
}

/// So few changes are not put together on the way.
const FEWEST: usize = 1 << 14;

/// From this threshold on the counts are others.
struct Change {
    at: f64,
    step: Point,
}

/// Counts, and the sums of the scores of documents in fixed point: no order of documents
/// changes what is best.
#[derive(Clone, Default)]
pub(super) struct Point {
    pub(super) counts: Vec<f64>,
    sums: [i128; 3],
    documents: [i64; 3],
}

/// The scores that are followed.
const SCORES: [&str; 3] = ["precision", "recall", "f1"];
const F1: usize = 2;
/// Scores in fixed point are multiples of one over this.
const UNIT: f64 = (1u64 << 53) as f64;

/// What is said of each threshold.
pub(super) const COLUMNS: &[&str] =
    &["threshold", "precision", "recall", "f1", "macro_precision", "macro_recall", "macro_f1"];

impl Curve {
    pub(super) fn new(measure: Arc<dyn DocumentMeasure>, zero: Zero) -> Curve {
        let start = Point { counts: vec![0.0; measure.columns().len()], ..Point::default() };
        Curve { measure, zero, start, changes: Vec::new(), settle_at: FEWEST }
    }

    pub(super) fn append(&mut self, mut later: Curve) {
        self.start.add(&later.start);
        self.changes.append(&mut later.changes);
        // Confidences mostly have a few digits, so that many documents change at one threshold.
        if self.changes.len() >= self.settle_at {
            self.settle();
        }
    }

    /// Notes what is counted of a document from a threshold on, if that is not what was counted last.
    pub(super) fn follow(&mut self, at: f64, point: Point, last: &mut Point) {
        if point.counts != last.counts {
            self.changes.push(Change { at, step: point.minus(last) });
            *last = point;
        }
    }

    /// Puts changes in order, and those at one threshold together. All of them are sums that do not depend on order.
    pub(super) fn settle(&mut self) {
        self.changes.sort_by(|a, b| a.at.total_cmp(&b.at));
        self.changes.dedup_by(|later, first| {
            let same = later.at.total_cmp(&first.at).is_eq();
            if same {
                first.step.add(&later.step);
            }
            same
        });
        self.settle_at = (2 * self.changes.len()).max(FEWEST);
    }

    /// The thresholds that make a difference, and nought where it is tried too; in order.
    fn thresholds(&self, search: &Search) -> Vec<f64> {
        let mut thresholds: Vec<f64> = self.changes.iter().map(|change| change.at).collect();
        if search.grid != Grid::Scores {
            thresholds.push(0.0);
        }
        thresholds.sort_by(f64::total_cmp);
        thresholds.dedup();
        thresholds
    }

    /// The choice with the best F1.
    pub(super) fn best(&self, search: &Search) -> Choice {
        let f1 = |point: &Point| self.f1(point, search.by).unwrap_or(f64::NEG_INFINITY);
        let mut point = self.start.clone();
        let mut best = match search.grid {
            Grid::Scores => Some((Choice::Everything, f1(&point))),
            Grid::ScoresAndNought | Grid::Steps(_) => None,
        };
        let mut changes = self.changes.iter().peekable();
        for threshold in self.thresholds(search) {
            while let Some(change) = changes.next_if(|change| change.at <= threshold) {
                point.add(&change.step);
            }
            let found = f1(&point);
            // Strictly better: of equal scores the lowest threshold wins, which keeps the most
            // predictions.
            if best.is_none_or(|(_, best)| found > best + rounding(search.by)) {
                best = Some((Choice::At(threshold), found));
            }
        }
        best.map_or(Choice::Everything, |(choice, _)| choice)
    }

    fn f1(&self, point: &Point, by: Average) -> Option<f64> {
        match by {
            Average::Micro => self.measure.scores(&point.counts, self.zero).get("f1").flatten(),
            // All means are over as many units: only which is larger matters.
            Average::Macro => point.mean(F1),
        }
    }

    /// The scores at each of these thresholds, which come in order.
    pub(super) fn at(&self, thresholds: &[f64]) -> Vec<Vec<f64>> {
        let mut point = self.start.clone();
        let mut changes = self.changes.iter().peekable();
        let row = |&threshold: &f64| {
            while let Some(change) = changes.next_if(|change| change.at <= threshold) {
                point.add(&change.step);
            }
            let scores = self.measure.scores(&point.counts, self.zero);
            let micro = SCORES.map(|name| scores.get(name).flatten());
            let means = [0, 1, 2].map(|at| point.mean(at).map(|mean| mean / UNIT));
            let scores = micro.into_iter().chain(means).map(|score| score.unwrap_or(f64::NAN));
            std::iter::once(threshold).chain(scores).collect()
        };
        thresholds.iter().map(row).collect()
    }

    /// The first threshold not below this one at which the counts change.
    pub(super) fn next(&self, threshold: f64, search: &Search) -> Choice {
        let next = self.thresholds(search).into_iter().find(|&at| at >= threshold);
        let is_empty = self.start.counts.iter().all(|count| *count == 0.0);
        match next {
            Some(at) => Choice::At(at),
            None if is_empty => Choice::Everything,
            None => Choice::PastTheEnd(threshold),
        }
    }
}

/// How far equal scores may be apart. F1 of counts is rounded once, and then not at all; means in fixed point
/// are off by a few digits, of which some hundred make a difference that no documents make.
fn rounding(by: Average) -> f64 {
    match by {
        Average::Micro => 0.0,
        Average::Macro => 512.0,
    }
}

impl Point {
    pub(super) fn new(
        measure: &dyn DocumentMeasure,
        settings: &Settings,
        scene: &Scene<'_>,
        zero: Zero,
    ) -> Point {
        let mut counts = vec![0.0; measure.columns().len()];
        measure.tally(settings, scene, &mut counts);
        Point::of_document(measure, counts, zero)
    }

    /// The counts of one document.
    pub(super) fn of_document(
        measure: &dyn DocumentMeasure,
        counts: Vec<f64>,
        zero: Zero,
    ) -> Point {
        let scores = measure.scores(&counts, zero);
        let scores = SCORES.map(|name| scores.get(name).flatten());
        let fixed = |score: Option<f64>| score.map_or(0, |score| (score * UNIT).round() as i128);
        let documents = scores.map(|score| i64::from(score.is_some()));
        Point { counts, sums: scores.map(fixed), documents }
    }

    /// The mean of a score over documents, in fixed point.
    fn mean(&self, score: usize) -> Option<f64> {
        let (sum, documents) = (self.sums[score] as f64, self.documents[score] as f64);
        (documents > 0.0).then(|| sum / documents)
    }

    pub(super) fn add(&mut self, other: &Point) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        for at in 0..SCORES.len() {
            self.sums[at] += other.sums[at];
            self.documents[at] += other.documents[at];
        }
    }

    pub(super) fn minus(&self, other: &Point) -> Point {
        let counts = self.counts.iter().zip(&other.counts).map(|(now, before)| now - before);
        Point {
            counts: counts.collect(),
            sums: [0, 1, 2].map(|at| self.sums[at] - other.sums[at]),
            documents: [0, 1, 2].map(|at| self.documents[at] - other.documents[at]),
        }
    }
}

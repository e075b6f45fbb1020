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
    pub(super) changes: Vec<Change>,
}

/// From this threshold on the counts are others.
pub(super) struct Change {
    pub(super) at: f64,
    pub(super) step: Point,
}

/// Counts, and the sum of the F1 of documents in fixed point: no order of documents
/// changes what is best.
#[derive(Clone, Default)]
pub(super) struct Point {
    pub(super) counts: Vec<f64>,
    f1: i128,
    documents: i64,
}

impl Curve {
    pub(super) fn new(measure: Arc<dyn DocumentMeasure>, zero: Zero) -> Curve {
        let start = Point { counts: vec![0.0; measure.columns().len()], ..Point::default() };
        Curve { measure, zero, start, changes: Vec::new() }
    }

    pub(super) fn append(&mut self, mut later: Curve) {
        self.start.add(&later.start);
        self.changes.append(&mut later.changes);
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
            if best.is_none_or(|(_, best)| found > best) {
                best = Some((Choice::At(threshold), found));
            }
        }
        best.map_or(Choice::Everything, |(choice, _)| choice)
    }

    fn f1(&self, point: &Point, by: Average) -> Option<f64> {
        match by {
            Average::Micro => self.measure.scores(&point.counts, self.zero).get("f1").flatten(),
            Average::Macro => {
                (point.documents > 0).then(|| point.f1 as f64 / point.documents as f64)
            }
        }
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

impl Point {
    pub(super) fn new(
        measure: &dyn DocumentMeasure,
        settings: &Settings,
        scene: &Scene<'_>,
        zero: Zero,
    ) -> Point {
        let mut counts = vec![0.0; measure.columns().len()];
        measure.tally(settings, scene, &mut counts);
        let f1 = measure.scores(&counts, zero).get("f1").flatten();
        const UNIT: f64 = (1u64 << 53) as f64;
        let fixed = f1.map_or(0, |f1| (f1 * UNIT).round() as i128);
        Point { counts, f1: fixed, documents: i64::from(f1.is_some()) }
    }

    pub(super) fn add(&mut self, other: &Point) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.f1 += other.f1;
        self.documents += other.documents;
    }

    pub(super) fn minus(&self, other: &Point) -> Point {
        let counts = self.counts.iter().zip(&other.counts).map(|(now, before)| now - before);
        Point {
            counts: counts.collect(),
            f1: self.f1 - other.f1,
            documents: self.documents - other.documents,
        }
    }
}

//! Every document at every threshold that matters to it.

use super::curve::{Curve, Point};
use super::{Choice, Classes, Search, swept};
use crate::evaluate::in_parallel;
use crate::items::{Items, whole};
use crate::measure::DocumentMeasure;
use crate::score::Zero;
use crate::select::Measure;
use karat_match::{Pairing, Scene, Settings};
use std::sync::Arc;

/// The measures that are swept, and how.
pub(super) struct Sweep {
    search: Search,
    zero: Zero,
    groups: Vec<Group>,
    width: usize,
}

/// Measures that see the same scenes, each with the number of its curve.
struct Group {
    settings: Settings,
    measures: Vec<(Arc<dyn DocumentMeasure>, usize)>,
}

/// Which curves belong to a measure.
#[derive(Clone, Copy)]
pub(super) struct Seats {
    pub(super) own: usize,
    pub(super) whole: Option<usize>,
}

impl Sweep {
    pub(super) fn new(search: Search, zero: Zero) -> Sweep {
        Sweep { search, zero, groups: Vec::new(), width: 0 }
    }

    /// Takes a measure in; `None` if it has no F1 to search by.
    pub(super) fn admit(&mut self, measure: &Measure) -> Option<Seats> {
        let compute = swept(measure)?;
        let settings = Settings { threshold: None, ..measure.settings.clone() };
        let whole = match self.search.classes {
            Classes::Own => None,
            Classes::NextToWhole => compute.criteria().and_then(whole),
        };
        let whole = whole.map(|criteria| self.seat(settings.clone(), Arc::new(Items { criteria })));
        Some(Seats { own: self.seat(settings, compute.clone()), whole })
    }

    /// The number of the curve of a measure; the same for the same measure.
    fn seat(&mut self, settings: Settings, measure: Arc<dyn DocumentMeasure>) -> usize {
        let known = self.groups.iter().position(|group| group.settings == settings);
        let group = known.unwrap_or_else(|| {
            self.groups.push(Group { settings, measures: Vec::new() });
            self.groups.len() - 1
        });
        let members = &mut self.groups[group].measures;
        let criteria = measure.criteria();
        let same = |(other, _): &&(Arc<dyn DocumentMeasure>, usize)| {
            criteria.is_some() && other.criteria() == criteria
        };
        if let Some(&(_, seat)) = members.iter().find(same) {
            return seat;
        }
        members.push((measure, self.width));
        self.width += 1;
        self.width - 1
    }

    /// The curves of all measures that were taken in.
    pub(super) fn curves(&self, pairing: &Pairing<'_>, threads: usize) -> Vec<Curve> {
        let grids: Vec<Vec<f64>> =
            self.groups.iter().map(|group| self.search.grid(pairing, &group.settings)).collect();
        const DOCUMENTS: usize = 256;
        let starts: Vec<usize> = (0..pairing.len()).step_by(DOCUMENTS).collect();
        let part = |&start: &usize| {
            let mut curves = self.empty_curves();
            let mut scene = Scene::default();
            if pairing.watch().is_cancelled() {
                return curves;
            }
            for index in start..(start + DOCUMENTS).min(pairing.len()) {
                for (group, grid) in self.groups.iter().zip(&grids) {
                    self.document(pairing, index, group, grid, &mut scene, &mut curves);
                }
            }
            curves
        };
        let mut whole = self.empty_curves();
        for part in in_parallel(threads, &starts, part) {
            for (curve, later) in whole.iter_mut().zip(part) {
                curve.append(later);
            }
        }
        for curve in &mut whole {
            curve.settle();
        }
        whole
    }

    fn empty_curves(&self) -> Vec<Curve> {
        let measures = self.groups.iter().flat_map(|group| &group.measures);
        let mut seated: Vec<_> = measures.collect();
        seated.sort_by_key(|(_, seat)| *seat);
        seated.iter().map(|(measure, _)| Curve::new(measure.clone(), self.zero)).collect()
    }

    /// Adds the changes of one document to the curves of a group.
    fn document<'a>(
        &self,
        pairing: &Pairing<'a>,
        index: usize,
        group: &Group,
        grid: &[f64],
        scene: &mut Scene<'a>,
        curves: &mut [Curve],
    ) {
        pairing.stage(index, &group.settings, scene);
        // Only thresholds that change something in this document are tried. All others would give the
        // same counts.
        let cuts = self.search.cuts(pairing, index, &group.settings, grid);
        let least = cuts.iter().map(|&at| self.search.least(Choice::At(at)));
        let thresholds: Option<Vec<f64>> = least.clone().collect();
        let mut last: Vec<(&dyn DocumentMeasure, usize, Point)> = Vec::new();
        for (measure, seat) in &group.measures {
            let point = Point::new(measure.as_ref(), &group.settings, scene, self.zero);
            let curve = &mut curves[*seat];
            curve.start.add(&point);
            let tallies = thresholds.as_ref();
            let tallies = tallies.and_then(|all| measure.tallies_at(&group.settings, scene, all));
            let Some(tallies) = tallies else {
                last.push((measure.as_ref(), *seat, point));
                continue;
            };
            let mut last = point;
            for (&at, counts) in cuts.iter().zip(tallies) {
                let point = Point::of_document(measure.as_ref(), counts, self.zero);
                curve.follow(at, point, &mut last);
            }
        }
        if last.is_empty() {
            return;
        }
        let mut settings = group.settings.clone();
        for (&at, least) in cuts.iter().zip(least) {
            settings.threshold = least;
            pairing.stage(index, &settings, scene);
            for (measure, seat, last) in &mut last {
                let point = Point::new(*measure, &settings, scene, self.zero);
                curves[*seat].follow(at, point, last);
            }
        }
    }
}

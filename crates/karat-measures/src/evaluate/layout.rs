//! Where the counts of each measure are, and which measures share a scene.

use super::Plan;
use crate::measure::{Compute, CorpusMeasure, DocumentMeasure};
use crate::preset::Grouping;
use crate::select::Measure;
use karat_facets::Facet;
use karat_match::Settings;
use std::sync::Arc;

/// Where the counts of each measure are in a row, and which measures share a scene.
pub(super) struct Layout<'p> {
    pub(super) plan: &'p Plan,
    pub(super) stages: Vec<Stage<'p>>,
    /// Where the counts of each measure are, in the order of the plan.
    pub(super) seats: Vec<Seat>,
    pub(super) width: usize,
    /// One for each thing that corpus measures gather.
    pub(super) gathers: usize,
}

/// Measures that see the same scene.
pub(super) struct Stage<'p> {
    pub(super) settings: &'p Settings,
    pub(super) documents: Vec<Seated<'p>>,
    pub(super) corpus: Vec<(&'p dyn CorpusMeasure, usize)>,
}

/// A measure and where its counts are in a row.
pub(super) type Seated<'p> = (&'p dyn DocumentMeasure, std::ops::Range<usize>);

/// Where a measure's counts are.
#[derive(Clone)]
pub(super) enum Seat {
    Row(std::ops::Range<usize>),
    Gathered(usize),
}

impl<'p> Layout<'p> {
    pub(super) fn new(plan: &'p Plan) -> Layout<'p> {
        let mut layout =
            Layout { plan, stages: Vec::new(), seats: Vec::new(), width: 0, gathers: 0 };
        let mut purposes = Vec::new();
        for measure in &plan.selection.measures {
            // Few distinct settings, so a scan is enough. Measures that share a scene save staging
            // it again, which costs more than most of them.
            let stage = match layout.stages.iter().position(|s| *s.settings == measure.settings) {
                Some(known) => known,
                None => {
                    let (documents, corpus) = (Vec::new(), Vec::new());
                    layout.stages.push(Stage { settings: &measure.settings, documents, corpus });
                    layout.stages.len() - 1
                }
            };
            let seat = layout.seat(measure, stage, &mut purposes);
            layout.seats.push(seat.clone());
            match (seat, &measure.compute) {
                (Seat::Row(range), Compute::Documents(compute)) => {
                    layout.stages[stage].documents.push((compute.as_ref(), range));
                }
                (Seat::Gathered(index), Compute::Corpus(compute)) => {
                    // Measures with one purpose take the same notes, once.
                    let known =
                        layout.stages[stage].corpus.iter().any(|(_, other)| *other == index);
                    if !known {
                        layout.stages[stage].corpus.push((compute.as_ref(), index));
                    }
                }
                _ => {}
            }
        }
        layout.gathers = purposes.len();
        layout
    }

    /// How the parts of these facets are made. What became of a mention is said of cases, whatever the
    /// convention says of mentions.
    pub(super) fn grouping(&self, facets: &[Arc<dyn Facet>]) -> Grouping {
        match facets.iter().any(|facet| facet.is_of_cases()) {
            true => Grouping::Cases,
            false => self.plan.convention.grouping,
        }
    }

    /// Gives a measure its place.
    pub(super) fn seat(
        &mut self,
        measure: &Measure,
        stage: usize,
        purposes: &mut Vec<(usize, String)>,
    ) -> Seat {
        match &measure.compute {
            Compute::Documents(compute) => {
                let start = self.width;
                self.width += compute.columns().len();
                Seat::Row(start..self.width)
            }
            Compute::Corpus(compute) => {
                let purpose = (stage, compute.purpose());
                let known = purposes.iter().position(|known| *known == purpose);
                Seat::Gathered(known.unwrap_or_else(|| {
                    purposes.push(purpose);
                    purposes.len() - 1
                }))
            }
        }
    }
}

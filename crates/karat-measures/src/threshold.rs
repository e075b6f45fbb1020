//! Thresholds on confidence: which one is best.
//!
//! Chosen on the data that is scored, a threshold is an oracle, and its numbers an
//! upper bound; chosen on other data, it is tuning. Both are the same search. Each
//! document is matched once for every threshold that drops some of its predictions,
//! and gives the few at which its counts change; one sweep over the changes of all
//! documents then finds the best. The corpus is never scored once per threshold.

mod curve;
mod sweep;

use crate::evaluate::{Evaluation, Plan, Result, evaluate};
use crate::measure::{Compute, DocumentMeasure, Points, Scores};
use crate::name::Average;
use crate::select::Measure;
use karat_match::{Pairing, Settings};
use karat_model::Document;
use std::sync::Arc;
use sweep::{Seats, Sweep};

/// How the best threshold is searched for. Of equals the lowest is the best.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Search {
    /// Which predictions a threshold keeps; those without a confidence it always keeps.
    pub keeps: Keeps,
    /// Which thresholds are tried.
    pub grid: Grid,
    /// The F1 by which they are compared.
    pub by: Average,
    /// Where measures of one class of items (linked, NIL) have their threshold from.
    pub classes: Classes,
}

/// Which predictions a threshold keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keeps {
    /// Those with this confidence or more.
    AtLeast,
    /// Those with more than this confidence.
    Above,
}

/// Which thresholds are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grid {
    /// None, and every confidence that a prediction has.
    Scores,
    /// Nought, and every confidence that a prediction has. What is not above the lowest of these
    /// is never kept, so that a confidence of nought or below costs the prediction.
    ScoresAndNought,
    /// From 0 to 1 in so many steps.
    Steps(u16),
}

/// Where measures of one class of items have their threshold from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Classes {
    /// From their own search.
    Own,
    /// From the search for all items: the first threshold not below it at which the counts of the
    /// class change. Where the class has none, all its scores are nought.
    NextToWhole,
}

impl Default for Search {
    /// karat's own: no quirks.
    fn default() -> Search {
        Search {
            keeps: Keeps::AtLeast,
            grid: Grid::Scores,
            by: Average::Micro,
            classes: Classes::Own,
        }
    }
}

/// The confidence from which on predictions should be kept, for the best micro F1 of the
/// first measure of the plan that has one; `None` if all should be kept. It is meant
/// for [`Settings::threshold`] on other data than this.
pub fn tune(pairing: &Pairing<'_>, plan: &Plan) -> Option<f64> {
    let mut plan = plan.clone();
    // A threshold for other data must not inherit the quirks of a convention's own search.
    plan.convention.search = Search::default();
    let has_f1 = |measure: &Measure| swept(measure).is_some();
    plan.selection.measures.retain(has_f1);
    plan.selection.measures.truncate(1);
    match search(pairing, &plan).first() {
        Some(Some(Choice::At(threshold))) => Some(*threshold),
        _ => None,
    }
}

/// Scores a system, each measure at the threshold that is best for it on this very data.
pub(crate) fn evaluate_at_best(pairing: &Pairing<'_>, plan: &Plan) -> Evaluation {
    let search = plan.convention.search;
    let choices = self::search(pairing, plan);
    let mut at_best = plan.clone();
    at_best.convention.oracle = false;
    at_best.sweep = false;
    for (measure, choice) in at_best.selection.measures.iter_mut().zip(&choices) {
        if let Some(choice) = choice {
            measure.settings.threshold = search.least(*choice);
        }
    }
    let mut evaluation = evaluate(pairing, &at_best);
    let slices = evaluation.slices.iter_mut().map(|slice| &mut slice.results);
    for results in std::iter::once(&mut evaluation.results).chain(slices) {
        for (result, choice) in results.iter_mut().zip(&choices) {
            match choice {
                Some(Choice::At(threshold)) => result.threshold = Some(*threshold),
                Some(Choice::PastTheEnd(threshold)) => {
                    result.threshold = Some(*threshold);
                    nothing_is_right(result);
                }
                Some(Choice::Everything) | None => {}
            }
        }
    }
    evaluation
}

/// For each measure with precision, recall and F1 of documents the scores at every threshold that the
/// convention tries; `None` for other measures, and where nothing has a confidence.
pub(crate) fn sweeps(pairing: &Pairing<'_>, plan: &Plan) -> Vec<Option<Points>> {
    let search = plan.convention.search;
    let mut sweep = Sweep::new(search, plan.convention.zero);
    let measures = &plan.selection.measures;
    let seats: Vec<Option<Seats>> = measures.iter().map(|measure| sweep.admit(measure)).collect();
    let curves = sweep.curves(pairing, plan.threads);
    let points = |(measure, seats): (&Measure, Option<Seats>)| {
        let grid = search.tried(pairing, &measure.settings);
        let rows = curves[seats?.own].at(&grid);
        (!rows.is_empty()).then_some(Points { columns: curve::COLUMNS, axes: [0, 3], rows })
    };
    measures.iter().zip(seats).map(points).collect()
}

/// What a search ends with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Choice {
    /// All predictions are kept.
    Everything,
    /// This threshold.
    At(f64),
    /// The class has no threshold that high: the whole has its best here.
    PastTheEnd(f64),
}

/// What was right is wrong and missed.
fn nothing_is_right(result: &mut Result) {
    let nought = |scores: &Scores| scores.names().map(|name| (name, Some(0.0))).collect();
    result.micro = nought(&result.micro);
    if let Some(macro_) = &mut result.macro_ {
        macro_.scores = nought(&macro_.scores);
    }
    if let [ptp, fp, rtp, fn_] = result.counts.as_mut_slice() {
        (*fp, *fn_) = (*fp + *ptp, *fn_ + *rtp);
        (*ptp, *rtp) = (0.0, 0.0);
    }
}

/// What each measure is best at; `None` for measures without an F1 of documents.
fn search(pairing: &Pairing<'_>, plan: &Plan) -> Vec<Option<Choice>> {
    let search = plan.convention.search;
    let mut sweep = Sweep::new(search, plan.convention.zero);
    let seats: Vec<Option<Seats>> =
        plan.selection.measures.iter().map(|measure| sweep.admit(measure)).collect();
    let curves = sweep.curves(pairing, plan.threads);
    let choose = |seats: Seats| match seats.whole {
        None => curves[seats.own].best(&search),
        Some(whole) => match curves[whole].best(&search) {
            Choice::At(threshold) => curves[seats.own].next(threshold, &search),
            choice => choice,
        },
    };
    seats.into_iter().map(|seats| seats.map(choose)).collect()
}

/// The measure, if it has an F1 that documents add up to.
fn swept(measure: &Measure) -> Option<&Arc<dyn DocumentMeasure>> {
    match &measure.compute {
        Compute::Documents(compute) if measure.compute.has_f1() => Some(compute),
        _ => None,
    }
}

impl Search {
    /// The thresholds that are tried, in order.
    fn grid(&self, pairing: &Pairing<'_>, settings: &Settings) -> Vec<f64> {
        let annotations = pairing.system().annotations().iter();
        let mut grid: Vec<f64> = match self.grid {
            Grid::Steps(steps) => {
                (0..=steps).map(|step| f64::from(step) / f64::from(steps)).collect()
            }
            Grid::Scores | Grid::ScoresAndNought => {
                annotations.filter_map(|annotation| settings.confidence(annotation)).collect()
            }
        };
        // Signed zeros and order: `total_cmp` is a total order, so the grid is the same on every
        // run.
        grid.sort_by(f64::total_cmp);
        grid.dedup();
        grid
    }

    /// The same, with nought where that is tried as well; none if no prediction has a confidence.
    fn tried(&self, pairing: &Pairing<'_>, settings: &Settings) -> Vec<f64> {
        let annotations = pairing.system().annotations();
        if !annotations.iter().any(|annotation| settings.confidence(annotation).is_some()) {
            return Vec::new();
        }
        let mut grid = self.grid(pairing, settings);
        if self.grid == Grid::ScoresAndNought {
            grid.push(0.0);
            grid.sort_by(f64::total_cmp);
            grid.dedup();
        }
        grid
    }

    /// The thresholds that drop some prediction of a document which no lower one drops.
    fn cuts(
        &self,
        pairing: &Pairing<'_>,
        index: usize,
        settings: &Settings,
        grid: &[f64],
    ) -> Vec<f64> {
        let (_, system) = pairing.documents(index);
        let annotations = system.iter().flat_map(Document::annotations);
        let scores = annotations.filter_map(|annotation| settings.confidence(annotation));
        let cut = |score: f64| {
            let keeps = |threshold: &f64| match self.keeps {
                Keeps::AtLeast => score >= *threshold,
                Keeps::Above => score > *threshold,
            };
            grid.get(grid.partition_point(keeps)).copied()
        };
        let mut cuts: Vec<f64> = scores.filter_map(cut).collect();
        cuts.sort_by(f64::total_cmp);
        cuts.dedup();
        cuts
    }

    /// The threshold of matching that leaves what a result was counted from; `None` for
    /// everything.
    pub fn matching(&self, result: &Result) -> Option<f64> {
        let choice = Choice::At(result.threshold?);
        // How much of gold was found, for measures that say so.
        let found = result.count("rtp").unwrap_or(0.0);
        // Whatever was kept, it was wrong.
        if found > 0.0 { self.least(choice) } else { Some(f64::INFINITY) }
    }

    /// The threshold of matching, which keeps what is not below it, for a choice.
    fn least(&self, choice: Choice) -> Option<f64> {
        match (choice, self.keeps) {
            (Choice::Everything, _) => None,
            (Choice::PastTheEnd(_), _) => Some(f64::INFINITY),
            (Choice::At(threshold), Keeps::AtLeast) => Some(threshold),
            // Matching keeps what is not below a threshold; "above" is the next larger number.
            (Choice::At(threshold), Keeps::Above) => Some(threshold.next_up()),
        }
    }
}

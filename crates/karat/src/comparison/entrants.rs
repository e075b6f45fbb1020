//! The counts of all systems, document by document.

use super::mentions::{Answers, answers};
use super::score::{Rows, ScoreComparison};
use super::{Comparing, Entrant};
use crate::scoring::System;
use crate::scoring::intervals::Order;
use crate::scoring::statistic::Statistic;
use karat_match::Pairing;
use karat_measures::{Evaluation, evaluate};
use karat_model::Corpus;
use karat_stats::{Counts, Sampling};
use rayon::prelude::*;

/// The systems, their runs, and what was counted in each.
pub(super) struct Entrants<'c> {
    comparing: &'c Comparing,
    systems: Vec<(Entrant, Vec<Run>)>,
    order: Order,
    sampling: Sampling,
}

/// One output of a system.
struct Run {
    evaluation: Evaluation,
    /// For each measure whether each gold mention was found.
    answers: Vec<Option<Answers>>,
    silent: usize,
    unknown: Vec<String>,
    source: String,
}

impl<'c> Entrants<'c> {
    pub(super) fn new(comparing: &'c Comparing, gold: &Corpus, systems: &[System]) -> Entrants<'c> {
        let runs: Vec<Run> =
            systems.par_iter().map(|system| Run::new(comparing, gold, system)).collect();
        let mut entrants: Vec<(Entrant, Vec<Run>)> = Vec::new();
        for (system, run) in systems.iter().zip(runs) {
            match entrants.iter_mut().find(|(entrant, _)| entrant.name == system.name) {
                Some((entrant, runs)) => {
                    entrant.add(&run);
                    runs.push(run);
                }
                None => entrants.push((Entrant::of(&system.name, &run), vec![run])),
            }
        }
        // A document that only some systems have is one on which the others say nothing.
        let runs = entrants.iter().flat_map(|(_, runs)| runs);
        let mut documents: Vec<u64> =
            runs.flat_map(|run| run.evaluation.documents.iter().copied()).collect();
        documents.sort_unstable();
        documents.dedup();
        let order = Order::of(&documents);
        let sampling = comparing.scoring.resampling.sampling(&order.documents, Some(gold));
        Entrants { comparing, systems: entrants, order, sampling }
    }

    /// How many documents, or clusters of them, are drawn and exchanged.
    pub(super) fn units(&self) -> usize {
        self.sampling.number_of_units(self.order.documents.len())
    }

    pub(super) fn names(&self) -> Vec<Entrant> {
        self.systems.iter().map(|(entrant, _)| entrant.clone()).collect()
    }

    /// A comparison for each score that is wanted, and the measures that cannot be compared.
    pub(super) fn compare(&self) -> (Vec<ScoreComparison>, Vec<String>) {
        let selection = self.comparing.selection();
        let zero = self.comparing.scoring.convention.zero;
        let (mut scores, mut left_out): (Vec<(usize, Statistic<'_>)>, Vec<String>) =
            Default::default();
        for wanted in &selection.wanted {
            let measure = &selection.measures[wanted.measure];
            match Statistic::new(measure, wanted, zero) {
                Some(statistic) => scores.push((wanted.measure, statistic)),
                None => left_out.push(measure.name.clone()),
            }
        }
        let compared = scores.par_iter().map(|(measure, statistic)| {
            let rows = Rows {
                systems: self
                    .systems
                    .iter()
                    .map(|(_, runs)| self.counts(runs, *measure, statistic))
                    .collect(),
                answers: self
                    .systems
                    .iter()
                    .map(|(_, runs)| first_answers(runs, *measure))
                    .collect(),
            };
            ScoreComparison::new(self.comparing, &self.sampling, *measure, statistic, &rows)
        });
        (compared.collect(), left_out)
    }

    /// The counts of the runs of a system, for all documents that any system has.
    fn counts(&self, runs: &[Run], measure: usize, statistic: &Statistic<'_>) -> Vec<Counts> {
        let counts = |run: &Run| {
            let rows = run.evaluation.results[measure].documents.as_deref().unwrap_or_default();
            let counts = statistic.counts(rows);
            let place = |document: &u64| self.order.documents.binary_search(document);
            let places = run.evaluation.documents.iter();
            // Every document of a run is one of all documents.
            let places: Vec<u32> =
                places.map(|document| place(document).unwrap_or(usize::MAX) as u32).collect();
            counts.spread(&places, self.order.documents.len())
        };
        runs.iter().map(counts).collect()
    }
}

/// Mentions are compared one by one where a system has one output.
fn first_answers(runs: &[Run], measure: usize) -> Option<&Answers> {
    match runs {
        [only] => only.answers.get(measure)?.as_ref(),
        _ => None,
    }
}

impl Run {
    fn new(comparing: &Comparing, gold: &Corpus, system: &System) -> Run {
        let scoring = &comparing.scoring;
        let pairing = Pairing::new(gold, &system.corpus, &scoring.identity);
        let mut plan = scoring.plan();
        plan.keep_documents = true;
        let places = pairing.places().iter().enumerate();
        let unknown = places.clone().filter(|(_, place)| place.gold.is_none());
        let evaluation = evaluate(&pairing, &plan);
        Run {
            answers: answers(&pairing, &plan, &evaluation),
            evaluation,
            silent: places.filter(|(_, place)| place.system.is_none()).count(),
            unknown: unknown.map(|(at, _)| pairing.name(at).to_owned()).collect(),
            source: system.source.clone(),
        }
    }
}

impl Entrant {
    fn of(name: &str, run: &Run) -> Entrant {
        let mut entrant = Entrant {
            name: name.to_owned(),
            sources: Vec::new(),
            silent_documents: 0,
            unknown_documents: Vec::new(),
        };
        entrant.add(run);
        entrant
    }

    fn add(&mut self, run: &Run) {
        self.sources.push(run.source.clone());
        self.silent_documents = self.silent_documents.max(run.silent);
        self.unknown_documents.extend(run.unknown.iter().cloned());
        self.unknown_documents.sort_unstable();
        self.unknown_documents.dedup();
    }
}

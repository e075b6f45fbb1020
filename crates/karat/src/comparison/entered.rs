//! The counts of all systems, document by document.

use super::mentions::{Answers, answers};
use super::score::{ComparedPart, Rows, ScoreComparison};
use super::{Comparing, EnteredSystem};
use crate::counts::{CountedSystem, EvaluationCounts};
use crate::error::Error;
use crate::inputs;
use crate::scoring::intervals::Order;
use crate::scoring::statistic::Statistic;
use karat_facets::order;
use karat_match::Pairing;
use karat_measures::{Evaluation, Plan, Slice, evaluate};
use karat_model::{Corpus, Progress};
use karat_stats::{Counts, Sampling};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};

/// The systems, their runs, and what was counted in each.
pub(super) struct EnteredSystems<'c> {
    comparing: &'c Comparing,
    systems: Vec<(EnteredSystem, Vec<Run>)>,
    order: Order,
    sampling: Sampling,
}

/// One output of a system.
struct Run {
    evaluation: Evaluation,
    /// Where each part is among the slices of the evaluation.
    parts: HashMap<ComparedPart, usize>,
    /// For each measure whether each gold mention was found.
    answers: Vec<Option<Answers>>,
    silent: usize,
    unknown: Vec<String>,
    source: String,
}

impl<'c> EnteredSystems<'c> {
    pub(super) fn new(
        comparing: &'c Comparing,
        gold: &Corpus,
        systems: &[inputs::Run],
    ) -> EnteredSystems<'c> {
        let runs: Vec<Run> =
            // Systems side by side, and then in the order given: `collect` keeps it.
            systems.par_iter().map(|system| Run::new(comparing, gold, system)).collect();
        let names = systems.iter().map(|system| system.name.as_str());
        EnteredSystems::of(comparing, names.zip(runs), Some(gold))
    }

    /// Systems whose documents were counted before.
    pub(super) fn of_counts(
        comparing: &'c Comparing,
        counts: &EvaluationCounts,
    ) -> Result<EnteredSystems<'c>, Error> {
        let mut plan = comparing.scoring.plan();
        plan.keep_documents = true;
        let names = counts.plan.systems.iter().map(String::as_str);
        let runs = names.clone().zip(&counts.systems);
        let runs = runs.map(|(name, counted)| Run::counted(&plan, name, counted));
        let runs = runs.collect::<Result<Vec<Run>, Error>>()?;
        Ok(EnteredSystems::of(comparing, names.zip(runs), None))
    }

    /// Runs by the names of their systems. Without gold, documents are drawn one by one.
    fn of<'n>(
        comparing: &'c Comparing,
        runs: impl Iterator<Item = (&'n str, Run)>,
        gold: Option<&Corpus>,
    ) -> EnteredSystems<'c> {
        let mut entered: Vec<(EnteredSystem, Vec<Run>)> = Vec::new();
        for (name, run) in runs {
            match entered.iter_mut().find(|(entered_system, _)| entered_system.name == name) {
                Some((entered_system, runs)) => {
                    entered_system.add(&run);
                    runs.push(run);
                }
                None => entered.push((EnteredSystem::of(name, &run), vec![run])),
            }
        }
        // A document that only some systems have is one on which the others say nothing.
        let runs = entered.iter().flat_map(|(_, runs)| runs);
        let mut documents: Vec<u64> =
            runs.flat_map(|run| run.evaluation.documents.iter().copied()).collect();
        documents.sort_unstable();
        documents.dedup();
        // One order of documents for all runs, so that the same draw takes the same documents of
        // each; differences between systems are paired.
        let order = Order::of(&documents);
        let sampling = comparing.scoring.resampling.sampling(&order.documents, gold);
        EnteredSystems { comparing, systems: entered, order, sampling }
    }

    /// How many documents, or clusters of them, are drawn and exchanged.
    pub(super) fn units(&self) -> usize {
        self.sampling.number_of_units(self.order.documents.len())
    }

    pub(super) fn names(&self) -> Vec<EnteredSystem> {
        self.systems.iter().map(|(entered_system, _)| entered_system.clone()).collect()
    }

    /// The parts of each run, by the name of its system.
    pub(super) fn slices(&self) -> impl Iterator<Item = (&str, &[Slice])> {
        self.systems.iter().flat_map(|(entered_system, runs)| {
            runs.iter().map(|run| (entered_system.name.as_str(), &run.evaluation.slices[..]))
        })
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
        let whole_and_parts: Vec<(Option<ComparedPart>, Vec<u32>)> = std::iter::once(None)
            .chain(self.parts().into_iter().map(Some))
            .map(|part| {
                let documents = self.documents(part.as_ref());
                (part, documents)
            })
            .collect();
        let pairs = self.systems.len() * self.systems.len().saturating_sub(1) / 2;
        let rounds = whole_and_parts.len() * scores.len() * (1 + pairs);
        let Comparing { scoring, bootstrap, .. } = self.comparing;
        scoring.watch.begin("drawing", (rounds * bootstrap.trials) as u64);
        let jobs = whole_and_parts
            .par_iter()
            .flat_map(|part| scores.par_iter().map(move |score| (part, score)));
        let compared = jobs.map(|((part, documents), (measure, statistic))| {
            let (part, systems) = (part.as_ref(), self.systems.iter());
            let counts = |run: &Run| self.counts(run, part, documents, *measure, statistic);
            let rows = Rows {
                part,
                documents,
                length: self.order.documents.len(),
                systems: systems
                    .clone()
                    .map(|(_, runs)| runs.iter().map(counts).collect())
                    .collect(),
                answers: systems.map(|(_, runs)| first_answers(runs, part, *measure)).collect(),
            };
            ScoreComparison::new(self.comparing, &self.sampling, *measure, statistic, &rows)
        });
        (compared.collect(), left_out)
    }

    /// The parts of the corpus that any system was scored on, facet by facet.
    fn parts(&self) -> Vec<ComparedPart> {
        let runs = self.systems.iter().flat_map(|(_, runs)| runs);
        let slices = runs.flat_map(|run| &run.evaluation.slices);
        let mut parts: Vec<ComparedPart> = Vec::new();
        let mut seen: HashSet<(&str, &[String])> = HashSet::new();
        let mut facets: Vec<&str> = Vec::new();
        for slice in slices {
            if !facets.contains(&slice.facet.as_str()) {
                facets.push(&slice.facet);
            }
            if seen.insert((&slice.facet, &slice.labels)) {
                parts.push(ComparedPart::of(slice));
            }
        }
        let place = |part: &ComparedPart| facets.iter().position(|facet| *facet == part.facet);
        parts.sort_by(|a, b| {
            let (joined_a, joined_b) = (a.labels.join("+"), b.labels.join("+"));
            let a = (place(a), order(&joined_a), &a.labels);
            a.cmp(&(place(b), order(&joined_b), &b.labels))
        });
        parts
    }

    /// The documents in which any run has anything of a part, as places among all; all of them for the
    /// whole. Others say nothing about the part, even where dividing by nothing gives a score.
    fn documents(&self, part: Option<&ComparedPart>) -> Vec<u32> {
        let Some(part) = part else { return (0..self.order.documents.len() as u32).collect() };
        let runs = self.systems.iter().flat_map(|(_, runs)| runs);
        let mut documents: Vec<u32> =
            runs.flat_map(|run| self.places(run, run.slice(part))).collect();
        documents.sort_unstable();
        documents.dedup();
        documents
    }

    /// The documents of a slice of a run as places among all.
    fn places(&self, run: &Run, slice: Option<&Slice>) -> Vec<u32> {
        let documents = slice.map_or(&[][..], |slice| &slice.documents);
        documents.iter().map(|&at| self.place(run.evaluation.documents[at as usize])).collect()
    }

    /// Where a document is among all; every document of a run is one of them.
    fn place(&self, document: u64) -> u32 {
        // Unreachable; `usize::MAX` would fail loudly where it is used as an index.
        self.order.documents.binary_search(&document).unwrap_or(usize::MAX) as u32
    }

    /// The counts of a run in these documents: nought where it has nothing of the part.
    fn counts(
        &self,
        run: &Run,
        part: Option<&ComparedPart>,
        documents: &[u32],
        measure: usize,
        statistic: &Statistic<'_>,
    ) -> Counts {
        let slice = part.map(|part| run.slice(part));
        let (result, places) = match slice {
            None => {
                let all = run.evaluation.documents.iter();
                let places = all.map(|&document| self.place(document)).collect();
                (Some(&run.evaluation.results[measure]), places)
            }
            Some(slice) => (slice.map(|slice| &slice.results[measure]), self.places(run, slice)),
        };
        let rows = result.and_then(|result| result.documents.as_deref()).unwrap_or_default();
        let within = |place: &u32| documents.binary_search(place).unwrap_or(usize::MAX) as u32;
        let within: Vec<u32> = places.iter().map(within).collect();
        // Zeros where a run has nothing of the part: it is as silent there as on a document it does
        // not have.
        statistic.counts(rows).spread(&within, documents.len())
    }
}

/// Mentions are compared one by one where a system has one output; those of a part are not
/// told apart.
fn first_answers<'r>(
    runs: &'r [Run],
    part: Option<&ComparedPart>,
    measure: usize,
) -> Option<&'r Answers> {
    match (runs, part) {
        ([only], None) => only.answers.get(measure)?.as_ref(),
        _ => None,
    }
}

impl Run {
    /// What was counted in a part.
    fn slice(&self, part: &ComparedPart) -> Option<&Slice> {
        self.evaluation.slices.get(*self.parts.get(part)?)
    }

    fn new(comparing: &Comparing, gold: &Corpus, system: &inputs::Run) -> Run {
        let scoring = &comparing.scoring;
        let pairing = Pairing::new(gold, &system.corpus, &scoring.identity).watched(&scoring.watch);
        let mut plan = scoring.plan();
        // Drawing and exchanging documents need the counts of each.
        plan.keep_documents = true;
        let places = pairing.places().iter().enumerate();
        let unknown = places.clone().filter(|(_, place)| place.gold.is_none());
        let evaluation = evaluate(&pairing, &plan);
        let slices = evaluation.slices.iter().enumerate();
        Run {
            parts: slices.map(|(at, slice)| (ComparedPart::of(slice), at)).collect(),
            answers: answers(&pairing, &plan, &evaluation),
            evaluation,
            silent: places.filter(|(_, place)| place.system.is_none()).count(),
            unknown: unknown.map(|(at, _)| pairing.name(at).to_owned()).collect(),
            source: system.source.clone(),
        }
    }

    /// A run whose documents were counted before, without parts.
    fn counted(plan: &Plan, name: &str, counted: &CountedSystem) -> Result<Run, Error> {
        let answer = |sign: char| match sign {
            '+' => Some(true),
            '-' => Some(false),
            _ => None,
        };
        let answers = |document: &String| document.chars().map(answer).collect();
        let of_measure =
            |documents: &Vec<String>| -> Answers { documents.iter().map(answers).collect() };
        Ok(Run {
            evaluation: counted.evaluation(plan, name)?,
            parts: HashMap::new(),
            answers: counted.found.iter().map(|found| found.as_ref().map(of_measure)).collect(),
            silent: counted.silent_documents,
            unknown: counted.unknown_documents.clone(),
            source: counted.source.clone(),
        })
    }
}

impl EnteredSystem {
    fn of(name: &str, run: &Run) -> EnteredSystem {
        let mut entered_system = EnteredSystem {
            name: name.to_owned(),
            sources: Vec::new(),
            silent_documents: 0,
            unknown_documents: Vec::new(),
        };
        entered_system.add(run);
        entered_system
    }

    fn add(&mut self, run: &Run) {
        self.sources.push(run.source.clone());
        // The most silent run: the user should hear of the worst.
        self.silent_documents = self.silent_documents.max(run.silent);
        self.unknown_documents.extend(run.unknown.iter().cloned());
        self.unknown_documents.sort_unstable();
        self.unknown_documents.dedup();
    }
}

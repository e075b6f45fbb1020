//! Scoring one system against gold: every document once, all measures at once.

mod counted;
mod layout;
mod means;
mod parts;
pub(crate) mod slices;
mod tally;

use crate::measure::{Points, Scores, count_at};
use crate::name::Average;
use crate::preset::Convention;
use crate::select::{Selection, Wanted};
use crate::threshold::{evaluate_at_best, sweeps};
use karat_facets::Facet;
use karat_match::{Pairing, Scene};
use layout::Layout;
use rayon::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;
use tally::Part;

pub use counted::CountedDocuments;

/// What is to be computed, and how.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Everything that decides a number.
    pub convention: Convention,
    /// The measures.
    pub selection: Selection,
    /// What results are sliced by; each entry is one facet or a combination of several.
    pub facets: Vec<Vec<Arc<dyn Facet>>>,
    /// How many threads; 0 for all cores. No score depends on it.
    pub threads: usize,
    /// Whether the counts of each document are kept.
    pub keep_documents: bool,
    /// Whether measures with precision and recall get the curve of their scores by threshold.
    pub sweep: bool,
}

impl Plan {
    /// These measures under this convention, not sliced.
    pub fn new(convention: Convention, selection: Selection) -> Plan {
        Plan {
            convention,
            selection,
            facets: Vec::new(),
            threads: 0,
            keep_documents: false,
            sweep: false,
        }
    }

    /// The same with facets that know the run.
    fn of_run(&self, pairing: &Pairing<'_>) -> Cow<'_, Plan> {
        if self.facets.is_empty() {
            return Cow::Borrowed(self);
        }
        let known = |facet: &Arc<dyn Facet>| facet.of_run(pairing).unwrap_or(Arc::clone(facet));
        let facets = self.facets.iter().map(|facets| facets.iter().map(known).collect()).collect();
        Cow::Owned(Plan { facets, ..self.clone() })
    }
}

/// How one system did.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// A result for each measure of the plan.
    pub results: Vec<Result>,
    /// The same for the parts of the corpus.
    pub slices: Vec<Slice>,
    /// The documents, by a hash of their names, if the plan keeps their counts: the rows of
    /// [`Result::documents`] are in this order.
    pub documents: Vec<u64>,
}

/// A part of the corpus that shares a label.
#[derive(Debug, Clone)]
pub struct Slice {
    /// The facet, or several joined by `+`.
    pub facet: String,
    /// The label, or several joined by `+`, those that have one themselves in quotes.
    pub label: String,
    /// The label of each facet.
    pub labels: Vec<String>,
    /// How many gold mentions carry the label.
    pub gold: usize,
    /// A result for each measure of the plan.
    pub results: Vec<Result>,
    /// The documents with this label, as positions in [`Evaluation::documents`], if the plan keeps
    /// their counts: the rows of [`Result::documents`] are in this order.
    pub documents: Vec<u32>,
}

/// What one measure says.
#[derive(Debug, Clone)]
pub struct Result {
    /// The names of the counts.
    pub columns: &'static [&'static str],
    /// The counts of all documents together.
    pub counts: Vec<f64>,
    /// The scores of these counts.
    pub micro: Scores,
    /// The mean over documents, for measures of documents.
    pub macro_: Option<MacroScores>,
    /// The counts of each document, if the plan keeps them: one row after the other.
    pub documents: Option<Vec<f64>>,
    /// The threshold on confidence that was chosen on this very data; `None` if none was, or if
    /// keeping everything was best. Numbers with a threshold are an upper bound: show them as such.
    pub threshold: Option<f64>,
    /// The curve behind the scores, for measures that have one.
    pub curve: Option<Points>,
}

impl Result {
    /// Whether nothing was counted: neither gold nor predictions. Whatever a score of that is, it is by
    /// decree of the convention, and says nothing about the system.
    pub fn is_over_nothing(&self) -> bool {
        self.counts.iter().all(|count| *count == 0.0 || count.is_nan())
    }

    /// What was asked for: a score or a count.
    pub fn wanted(&self, wanted: &Wanted) -> Option<f64> {
        let name = wanted.score.as_deref().unwrap_or("f1");
        let scores = match (wanted.average, &self.macro_) {
            (Average::Macro, Some(means)) => &means.scores,
            _ => &self.micro,
        };
        match scores.get(name) {
            Some(score) => score,
            None => self.count(name),
        }
    }

    /// One of its counts by name; `None` if it has no such count, or the count is not known.
    pub fn count(&self, name: &str) -> Option<f64> {
        let count = self.counts.get(count_at(self.columns, name)?);
        count.copied().filter(|count| !count.is_nan())
    }

    /// Whether its counts are true and false positives, and not counts of its own.
    pub fn counts_positives(&self) -> bool {
        count_at(self.columns, "tp").is_some()
    }
}

/// Scores averaged over documents.
#[derive(Debug, Clone)]
pub struct MacroScores {
    /// The means; a document where a score is undefined is left out of it.
    pub scores: Scores,
    /// How many documents each mean is over.
    pub documents: Vec<usize>,
}

/// Scores a system.
pub fn evaluate(pairing: &Pairing<'_>, plan: &Plan) -> Evaluation {
    let mut evaluation = evaluate_once(pairing, plan);
    // A second pass, because a sweep stages every document once for each of its confidences.
    if plan.sweep {
        for (result, points) in evaluation.results.iter_mut().zip(sweeps(pairing, plan)) {
            result.curve = result.curve.take().or(points);
        }
    }
    evaluation
}

fn evaluate_once(pairing: &Pairing<'_>, plan: &Plan) -> Evaluation {
    if plan.convention.oracle {
        return evaluate_at_best(pairing, plan);
    }
    let plan = plan.of_run(pairing);
    let mut accumulator = Accumulator::new(&plan);
    accumulator.add(pairing);
    accumulator.finish()
}

/// Scores of a corpus that comes in parts, each with whole documents on both sides. The result is
/// the same as if it had come at once.
///
/// Measures of clusters need all documents at once: their numbers for entities are those of a part.
pub struct Accumulator<'p> {
    layout: Layout<'p>,
    whole: Part,
}

impl<'p> Accumulator<'p> {
    /// Nothing counted yet.
    pub fn new(plan: &'p Plan) -> Accumulator<'p> {
        let layout = Layout::new(plan);
        let whole = Part::new(&layout);
        Accumulator { layout, whole }
    }

    /// Counts more documents.
    pub fn add(&mut self, pairing: &Pairing<'_>) {
        self.add_some(pairing, &(0..pairing.len()).collect::<Vec<_>>());
    }

    /// Counts the documents at these places of a pairing. What tells mentions apart by the whole corpus
    /// still sees all of it, so that the counts are those that [`Accumulator::add`] makes.
    pub fn add_some(&mut self, pairing: &Pairing<'_>, places: &[usize]) {
        // The size is fixed so that the parts, and with them every sum, are the same
        // whatever the number of threads.
        const DOCUMENTS: usize = 256;
        let layout = &self.layout;
        let together: Vec<&[usize]> = places.chunks(DOCUMENTS).collect();
        let part = |places: &&[usize]| {
            let mut part = Part::new(layout);
            let mut scene = Scene::default();
            pairing.watch().advance(places.len() as u64);
            for &index in *places {
                part.document(pairing, index, layout, &mut scene);
            }
            part
        };
        // All parts are counted before any is added: they are added in the order of documents, so
        // sums and notes are the same whatever thread counted them.
        let mut parts = in_parallel(layout.plan.threads, &together, part);
        on_threads(layout.plan.threads, || self.whole.take_notes(&mut parts));
        for part in parts {
            self.whole.append(part);
        }
    }

    /// The scores of all that was counted.
    pub fn finish(self) -> Evaluation {
        let Accumulator { layout, whole } = self;
        on_threads(layout.plan.threads, || whole.finish(&layout))
    }
}

/// Does work that may be shared among so many threads; 0 for all cores.
pub fn on_threads<O: Send>(threads: usize, work: impl FnOnce() -> O + Send) -> O {
    if threads == 0 || threads == rayon::current_num_threads() {
        return work();
    }
    match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        Ok(pool) => pool.install(work),
        // A machine that cannot start the threads asked for uses those it has.
        Err(_) => work(),
    }
}

/// Maps every input, on so many threads, in order.
pub(crate) fn in_parallel<I: Sync, O: Send>(
    threads: usize,
    inputs: &[I],
    work: impl Fn(&I) -> O + Sync + Send,
) -> Vec<O> {
    if threads == 1 || inputs.len() == 1 {
        return inputs.iter().map(work).collect();
    }
    // One at a time: left to itself, the scheduler gives out quarters, and one core waits for the last.
    on_threads(threads, || inputs.par_iter().with_max_len(1).map(&work).collect())
}

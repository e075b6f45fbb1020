//! Benchmarks and runs that were read before.

use super::{Experiment, Inputs, Run, Settled};
use crate::error::Error;
use karat_model::{Hint, Notice};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// How the path of an input begins that is on the shelf.
const HELD: &str = "held:";

/// Benchmarks and runs that are in memory, by name.
///
/// A server answers many requests about the same files, and a program may have corpora that were never files.
/// Neither should read, line up and translate offsets again and again. A request names what is on the shelf
/// by the path `held:NAME`, and everything else about it stays the same: a run is named `held:NAME` too, under
/// the name it has with its benchmark. A shelf is filled once and then shared; corpora are never copied.
///
/// ```
/// use karat::inputs::{InputRequest, Inputs, Shelf};
/// use karat::request::Request;
/// use karat::scoring::EvaluationRequest;
/// use karat::work::Work;
/// use std::sync::Arc;
///
/// let mut shelf = Shelf::default();
/// shelf.add(karat::sample::experiment()?, Vec::new());
/// let inputs = Inputs { gold: vec![InputRequest::held("sample")], ..Inputs::default() };
/// let request = EvaluationRequest {
///     inputs: Inputs { systems: vec![InputRequest::held("careful")], ..inputs },
///     measures: vec!["link".to_owned()],
///     ..EvaluationRequest::default()
/// };
/// let work = Work { shelf: Some(Arc::new(shelf)), ..Work::default() };
/// assert_eq!(request.answer(&work)?.systems[0].name, "careful");
/// # Ok::<(), karat::error::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Shelf {
    experiments: BTreeMap<String, (Experiment, Vec<Notice>)>,
    /// What was found out about them, so that a request about one document need not look at all.
    settled: Arc<Mutex<HashMap<String, Arc<Settled>>>>,
}

impl Shelf {
    /// Holds a benchmark with its runs, and what was said when they were read.
    pub fn add(&mut self, experiment: Experiment, notices: Vec<Notice>) {
        self.settled = Arc::default();
        self.experiments.insert(experiment.benchmark.name.clone(), (experiment, notices));
    }

    /// The benchmarks with all their runs.
    pub fn experiments(&self) -> impl Iterator<Item = &Experiment> {
        self.experiments.values().map(|(experiment, _)| experiment)
    }

    /// A benchmark with all its runs.
    pub fn experiment(&self, benchmark: &str) -> Option<&Experiment> {
        self.experiments.get(benchmark).map(|(experiment, _)| experiment)
    }

    /// What was found out before under this key, or is now. Two that ask at once may both find out.
    pub(super) fn settled(&self, key: String, find: impl FnOnce() -> Settled) -> Arc<Settled> {
        let known = |settled: &HashMap<String, Arc<Settled>>| settled.get(&key).cloned();
        // A lock is poisoned where somebody panicked in between; what is in it is whole all the same.
        let lock = || self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(settled) = known(&lock()) {
            return settled;
        }
        let found = Arc::new(find());
        lock().insert(key, Arc::clone(&found));
        found
    }

    /// The experiments that inputs name.
    pub(super) fn named(
        &self,
        inputs: &Inputs,
        told: &mut Vec<Notice>,
    ) -> Result<Vec<Experiment>, Error> {
        let mut found = Vec::new();
        for gold in &inputs.gold {
            let name = gold.held_name().unwrap_or(&gold.path);
            let (experiment, notices) = self.experiments.get(name).ok_or_else(|| {
                Error::unknown("benchmark", name, self.experiments.keys().map(String::as_str))
            })?;
            let mut runs = Vec::new();
            for input in &inputs.systems {
                if input.benchmark.as_deref().is_none_or(|benchmark| benchmark == name) {
                    runs.push(experiment.run(input.held_name().unwrap_or(&input.path))?.clone());
                }
            }
            let is_about = |notice: &&Notice| match &notice.subject {
                Some(subject) => {
                    let is_run = experiment.runs.iter().any(|run| run.name == *subject);
                    !is_run || runs.iter().any(|run| run.name == *subject)
                }
                None => true,
            };
            told.extend(notices.iter().filter(is_about).cloned());
            found.push(Experiment { benchmark: experiment.benchmark.clone(), runs });
        }
        Ok(found)
    }
}

impl super::InputRequest {
    /// What is on the shelf under this name.
    pub fn held(name: &str) -> super::InputRequest {
        super::InputRequest { path: format!("{HELD}{name}"), ..Default::default() }
    }

    /// The name under which it is on the shelf, if it is.
    pub fn held_name(&self) -> Option<&str> {
        self.path.strip_prefix(HELD)
    }
}

impl Inputs {
    /// Whether everything is on the shelf. What is there was lined up when it was read, so it cannot be mixed
    /// with files.
    pub(super) fn are_held(&self) -> Result<bool, Error> {
        let all = || self.gold.iter().chain(&self.systems);
        let held = all().filter(|input| input.held_name().is_some()).count();
        if held > 0 && (held < all().count() || self.unified || self.sentences.is_some()) {
            return Err(Error::bad_request(
                "some inputs are held in memory and others are not",
                Hint::template("give all {gold} and {system} in the same way"),
            ));
        }
        Ok(held > 0)
    }
}

impl Experiment {
    /// The run of this name.
    pub fn run(&self, name: &str) -> Result<&Run, Error> {
        let named = self.runs.iter().find(|run| run.name == name);
        named.ok_or_else(|| {
            Error::unknown("system", name, self.runs.iter().map(|run| run.name.as_str()))
        })
    }
}

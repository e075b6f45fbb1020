//! Benchmarks and runs that were read before.

use super::{Benchmark, Experiment, Inputs, Run, Settled};
use crate::error::Error;
use karat_model::{Hint, Notice};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// About so many experiments and conventions are remembered.
const MOST_SETTLED: usize = 256;

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
///
/// A server that keeps thousands of runs cannot hold all of them in memory. Its shelf is made with
/// [`Shelf::on_demand`]: it holds nothing itself and asks a [`CorpusSource`] for what a request names.
#[derive(Clone, Default)]
pub struct Shelf {
    experiments: BTreeMap<String, (Experiment, Vec<Notice>)>,
    /// Where to find what is not held.
    source: Option<Arc<dyn CorpusSource>>,
    /// What was found out about them, so that a request about one document need not look at all.
    settled: Arc<Mutex<HashMap<String, Arc<Settled>>>>,
}

/// Where a shelf finds benchmarks and runs when somebody asks for them.
///
/// Names mean the same as long as a source lives: whoever renames something makes a new source and a new
/// shelf. A source decides by itself what it keeps in memory.
pub trait CorpusSource: Send + Sync {
    /// The names of all benchmarks.
    fn benchmarks(&self) -> Vec<String>;

    /// The names of all runs on a benchmark.
    fn runs(&self, benchmark: &str) -> Vec<String>;

    /// A benchmark by its name, with what was said when it was read. Only names of
    /// [`CorpusSource::benchmarks`] are asked for.
    fn benchmark(&self, name: &str) -> Result<(Benchmark, Vec<Notice>), Error>;

    /// A run by its name, settled against its benchmark, with what was said when it was read. Only names of
    /// [`CorpusSource::runs`] are asked for.
    fn run(&self, benchmark: &Benchmark, name: &str) -> Result<(Run, Vec<Notice>), Error>;
}

/// A benchmark and runs that a request names on a shelf.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeldInputs {
    /// The name of the benchmark.
    pub benchmark: String,
    /// The names of the runs, in the order of the request.
    pub runs: Vec<String>,
}

impl std::fmt::Debug for Shelf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let held: Vec<&String> = self.experiments.keys().collect();
        f.debug_struct("Shelf").field("held", &held).finish_non_exhaustive()
    }
}

impl Shelf {
    /// A shelf that holds nothing and asks a source for what is named.
    pub fn on_demand(source: Arc<dyn CorpusSource>) -> Shelf {
        Shelf { source: Some(source), ..Shelf::default() }
    }

    /// Holds a benchmark with its runs, and what was said when they were read.
    pub fn add(&mut self, experiment: Experiment, notices: Vec<Notice>) {
        // Whatever was found out may have been about other experiments of the same name.
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

    /// A benchmark by its name, from memory or from the source.
    pub fn benchmark(&self, name: &str) -> Result<Benchmark, Error> {
        Ok(self.benchmark_and_notices(name)?.0)
    }

    fn benchmark_and_notices(&self, name: &str) -> Result<(Benchmark, Vec<Notice>), Error> {
        if let Some((experiment, notices)) = self.experiments.get(name) {
            return Ok((experiment.benchmark.clone(), notices.clone()));
        }
        let offered = self.source.as_ref().map(|source| source.benchmarks()).unwrap_or_default();
        match &self.source {
            Some(source) if offered.iter().any(|known| known == name) => source.benchmark(name),
            _ => {
                let held = self.experiments.keys().chain(&offered).map(String::as_str);
                Err(Error::unknown("benchmark", name, held))
            }
        }
    }

    /// What was found out before under this key, or is now. Two that ask at once may both find out.
    pub(super) fn settled(&self, key: String, find: impl FnOnce() -> Settled) -> Arc<Settled> {
        let known = |settled: &HashMap<String, Arc<Settled>>| settled.get(&key).cloned();
        // A lock is poisoned where somebody panicked in between; what is in it is whole all the same.
        let lock = || self.settled.lock().unwrap_or_else(PoisonError::into_inner);
        // The lock is not held while `find` runs, which looks at whole corpora: other requests must
        // not wait for it.
        if let Some(settled) = known(&lock()) {
            return settled;
        }
        let found = Arc::new(find());
        let mut settled = lock();
        // Every convention and choice of runs that somebody asks for has a key of its own. To forget all of them
        // costs one more look at each; a server that runs for months must not keep them.
        if settled.len() >= MOST_SETTLED {
            settled.clear();
        }
        settled.insert(key, Arc::clone(&found));
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
            let (benchmark, notices) = self.benchmark_and_notices(name)?;
            let wanted = inputs
                .systems
                .iter()
                .filter(|input| input.benchmark.as_deref().is_none_or(|it| it == name))
                .map(|input| input.held_name().unwrap_or(&input.path));
            found.push(match self.experiments.get(name) {
                Some((experiment, _)) => {
                    let runs = wanted.map(|run| experiment.run(run).cloned());
                    let runs = runs.collect::<Result<Vec<Run>, Error>>()?;
                    // What was said of runs that are not asked for now would be confusing.
                    told.extend(notices_about(&notices, &experiment.runs, &runs));
                    Experiment { benchmark, runs }
                }
                None => {
                    told.extend(notices);
                    self.fetched(benchmark, wanted, told)?
                }
            });
        }
        Ok(found)
    }

    /// A benchmark of the source with some of its runs.
    fn fetched<'n>(
        &self,
        benchmark: Benchmark,
        wanted: impl Iterator<Item = &'n str>,
        told: &mut Vec<Notice>,
    ) -> Result<Experiment, Error> {
        let Some(source) = &self.source else {
            return Ok(Experiment { benchmark, runs: Vec::new() });
        };
        let offered = source.runs(&benchmark.name);
        let mut runs = Vec::new();
        for name in wanted {
            if !offered.iter().any(|known| known == name) {
                return Err(Error::unknown("system", name, offered.iter().map(String::as_str)));
            }
            let (run, notices) = source.run(&benchmark, name)?;
            told.extend(notices);
            runs.push(run);
        }
        Ok(Experiment { benchmark, runs })
    }
}

/// What was said of a benchmark and some of its runs, without what was said of the others.
fn notices_about<'n>(
    notices: &'n [Notice],
    all: &'n [Run],
    chosen: &'n [Run],
) -> impl Iterator<Item = Notice> + 'n {
    let is_named = |runs: &[Run], name: &str| runs.iter().any(|run| run.name == name);
    let is_about = move |notice: &&Notice| match &notice.subject {
        Some(subject) => !is_named(all, subject) || is_named(chosen, subject),
        None => true,
    };
    notices.iter().filter(is_about).cloned()
}

impl HeldInputs {
    /// Everything on a shelf that a request names, in its order. The request is given as JSON, because requests differ in
    /// where their inputs are, and all of them write inputs in the same way.
    pub fn in_request(request: &Value) -> Vec<HeldInputs> {
        let mut found = Vec::new();
        collect_held(request, &mut found);
        found
    }
}

fn collect_held(value: &Value, found: &mut Vec<HeldInputs>) {
    match value {
        Value::Object(fields) => match serde_json::from_value::<Inputs>(value.clone()) {
            Ok(inputs) if fields.contains_key("gold") => {
                for gold in inputs.gold.iter().filter_map(|gold| gold.held_name()) {
                    let is_for = |it: &&super::InputRequest| {
                        it.benchmark.as_deref().is_none_or(|benchmark| benchmark == gold)
                    };
                    let runs = inputs.systems.iter().filter(is_for);
                    let runs = runs.filter_map(|run| run.held_name().map(str::to_owned));
                    found.push(HeldInputs { benchmark: gold.to_owned(), runs: runs.collect() });
                }
            }
            _ => fields.values().for_each(|value| collect_held(value, found)),
        },
        Value::Array(items) => items.iter().for_each(|item| collect_held(item, found)),
        _ => {}
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

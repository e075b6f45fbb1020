//! What pages are about: benchmarks, runs, and answers about them.

use crate::address::slug;
use crate::loading::Loading;
use crate::refusal::Refusal;
use karat::error::Error;
use karat::inputs::{Experiment, InputRequest, Inputs, Repeats, Shelf};
use karat::model::{Cancel, Notice};
use karat::request::Request;
use karat::work::Work;
use std::any::Any;
use std::collections::{BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// How many answers are kept. Those of pages that somebody looks at are asked for again and again, while old
/// ones are only looked up by the back button.
const KEPT: usize = 256;

/// Benchmarks and runs, and answers to requests about them.
///
/// A page never reads a file and never computes. It asks the workbench what there is, names a request, and gets
/// the answer; the workbench keeps corpora and answers in memory and gives all computing one pool of threads, so
/// that pages never wait for each other's threads.
pub struct Workbench {
    held: RwLock<Held>,
    answers: Mutex<Answers>,
    pool: Option<Arc<rayon::ThreadPool>>,
    /// Stops all answers that are being computed.
    cancel: Cancel,
}

impl std::fmt::Debug for Workbench {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workbench").field("catalogue", &self.catalogue()).finish_non_exhaustive()
    }
}

#[derive(Clone, Default)]
struct Held {
    catalogue: Arc<Catalogue>,
    shelf: Arc<Shelf>,
    /// While files are read.
    loading: Option<Arc<Loading>>,
}

/// What there is, by the names that addresses use.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Catalogue {
    /// The benchmarks, in the order given.
    pub benchmarks: Vec<CatalogueBenchmark>,
    /// The runs of systems on them, in the order given.
    pub runs: Vec<CatalogueRun>,
    /// What was said when files were read.
    pub notices: Vec<Notice>,
}

/// A benchmark in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueBenchmark {
    /// What addresses call it.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// Where it was read from; empty for one that is not from a file.
    pub source: String,
    /// How many documents it has.
    pub documents: usize,
}

/// A run in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueRun {
    /// What addresses call it.
    pub id: String,
    /// What people call the system.
    pub system: String,
    /// What addresses call the system.
    pub system_slug: String,
    /// What addresses call the benchmark.
    pub benchmark: String,
    /// Where it was read from; empty for one that is not from a file.
    pub source: String,
}

/// The place of one answer. Whoever computes it holds the lock, and everybody else who wants it waits there: a page
/// that is loaded again must not start the same work a second time.
type AnswerCell = Arc<Mutex<Option<Arc<dyn Any + Send + Sync>>>>;

/// Answers by their requests, the one asked for last at the end.
#[derive(Default)]
struct Answers {
    cells: HashMap<String, AnswerCell>,
    order: VecDeque<String>,
}

impl Workbench {
    /// One with these experiments.
    pub fn of(experiments: impl IntoIterator<Item = Experiment>) -> Workbench {
        let workbench = Workbench::empty();
        workbench.hold(experiments.into_iter().collect(), &[], Vec::new());
        workbench
    }

    /// One without anything.
    pub fn empty() -> Workbench {
        // A core stays free for pages, where there are several.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.saturating_sub(1).max(1);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok();
        Workbench {
            held: RwLock::default(),
            answers: Mutex::default(),
            pool: pool.map(Arc::new),
            cancel: Cancel::default(),
        }
    }

    /// Reads files, and shows them as soon as they are read. Until then pages say how far it is.
    pub fn read(&self, inputs: &Inputs) -> Result<(), Error> {
        let loading = Arc::new(Loading::default());
        self.change(|held| held.loading = Some(Arc::clone(&loading)));
        let work = Work {
            pool: self.pool.clone(),
            progress: Some(loading.watcher()),
            cancel: loading.cancel.clone(),
            ..Work::default()
        };
        let mut told = Vec::new();
        match work.install(|| inputs.read(Repeats::Refused, &work, &mut told)) {
            Ok(experiments) => {
                self.hold(experiments, &inputs.gold, told);
                Ok(())
            }
            Err(error) => {
                loading.fail(error.notice());
                Err(error)
            }
        }
    }

    /// Stops what is being read or computed, for good.
    pub fn stop(&self) {
        self.cancel.cancel();
        if let Some(loading) = self.held().loading {
            loading.cancel.cancel();
        }
    }

    fn hold(&self, experiments: Vec<Experiment>, gold: &[InputRequest], told: Vec<Notice>) {
        let catalogue = Catalogue::of(&experiments, gold, told.clone());
        let mut shelf = Shelf::default();
        for experiment in experiments {
            shelf.add(experiment, told.clone());
        }
        self.change(|held| {
            *held = Held { catalogue: Arc::new(catalogue), shelf: Arc::new(shelf), loading: None };
        });
        // After the change: an answer that finds its place from now on is one about the new corpora.
        *locked(&self.answers) = Answers::default();
    }

    fn change(&self, change: impl FnOnce(&mut Held)) {
        change(&mut self.held.write().unwrap_or_else(PoisonError::into_inner));
    }

    fn held(&self) -> Held {
        self.held.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What there is.
    pub fn catalogue(&self) -> Arc<Catalogue> {
        self.held().catalogue
    }

    /// The corpora.
    pub fn shelf(&self) -> Arc<Shelf> {
        self.held().shelf
    }

    /// Nothing can be shown before files are read.
    pub fn check_loaded(&self) -> Result<(), Refusal> {
        match self.held().loading {
            Some(loading) => Err(Refusal::Loading(loading.state())),
            None => Ok(()),
        }
    }

    /// The answer to a request, computed at most once as long as it is remembered, however many ask at the same
    /// time. Errors are not remembered.
    pub fn answer<R: Request + Sync>(&self, request: &R) -> Result<Arc<R::Answer>, Refusal>
    where
        R::Answer: Send + Sync + 'static,
    {
        let request_text = serde_json::to_string(request)
            .map_err(|error| Refusal::Failed(format!("a request cannot be written: {error}")))?;
        let key = format!("{} {request_text}", R::NAME);
        // The place is taken before the shelf, so that no place has an answer about corpora that are gone.
        let cell = locked(&self.answers).cell(&key);
        let work = Work {
            pool: self.pool.clone(),
            shelf: Some(self.shelf()),
            cancel: self.cancel.clone(),
            ..Work::default()
        };
        let mut place = locked(&cell);
        let kept = place.as_ref().and_then(|answer| Arc::clone(answer).downcast().ok());
        if let Some(answer) = kept {
            return Ok(answer);
        }
        work.check()?;
        let computed = request.answer(&work).and_then(|answer| work.check().map(|()| answer));
        match computed {
            Ok(answer) => {
                let answer = Arc::new(answer);
                *place = Some(answer.clone());
                Ok(answer)
            }
            Err(error) => {
                drop(place);
                locked(&self.answers).forget(&key, &cell);
                Err(error.into())
            }
        }
    }
}

/// What is behind a lock. Nothing is left half done where a thread panics, so the lock stays good.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Answers {
    /// The place of an answer. The one that nobody has asked for the longest makes room.
    fn cell(&mut self, key: &str) -> AnswerCell {
        self.order.retain(|known| known != key);
        self.order.push_back(key.to_owned());
        let cell = Arc::clone(self.cells.entry(key.to_owned()).or_default());
        while self.order.len() > KEPT {
            if let Some(oldest) = self.order.pop_front() {
                self.cells.remove(&oldest);
            }
        }
        cell
    }

    /// Gives up the place of an answer that there is none of, unless it has another one by now.
    fn forget(&mut self, key: &str, cell: &AnswerCell) {
        if self.cells.get(key).is_some_and(|known| Arc::ptr_eq(known, cell)) {
            self.cells.remove(key);
            self.order.retain(|known| known != key);
        }
    }
}

impl Catalogue {
    fn of(experiments: &[Experiment], gold: &[InputRequest], notices: Vec<Notice>) -> Catalogue {
        let mut catalogue = Catalogue { notices, ..Catalogue::default() };
        let mut taken = BTreeSet::new();
        let mut systems: Vec<(String, String)> = Vec::new();
        let mut system_slugs = BTreeSet::new();
        for (place, experiment) in experiments.iter().enumerate() {
            let name = &experiment.benchmark.name;
            let benchmark = unique(slug(name), &mut taken);
            catalogue.benchmarks.push(CatalogueBenchmark {
                slug: benchmark.clone(),
                name: name.clone(),
                source: gold.get(place).map(|input| input.path.clone()).unwrap_or_default(),
                documents: experiment.benchmark.corpus.len(),
            });
            for run in &experiment.runs {
                let known = systems.iter().find(|(system, _)| *system == run.name);
                let system_slug = match known {
                    Some((_, slug)) => slug.clone(),
                    None => {
                        let slug = unique(slug(&run.name), &mut system_slugs);
                        systems.push((run.name.clone(), slug.clone()));
                        slug
                    }
                };
                catalogue.runs.push(CatalogueRun {
                    id: format!("{system_slug}@{benchmark}"),
                    system: run.name.clone(),
                    system_slug,
                    benchmark: benchmark.clone(),
                    source: run.source.clone(),
                });
            }
        }
        catalogue
    }

    /// The benchmark that an address names.
    pub fn benchmark(&self, slug: &str) -> Result<&CatalogueBenchmark, Refusal> {
        let found = self.benchmarks.iter().find(|benchmark| benchmark.slug == slug);
        let names = self.benchmarks.iter().map(|benchmark| benchmark.slug.as_str());
        found.ok_or_else(|| Refusal::missing("benchmark", slug, names))
    }

    /// The run that an address names.
    pub fn run(&self, id: &str) -> Result<&CatalogueRun, Refusal> {
        let found = self.runs.iter().find(|run| run.id == id);
        let names = self.runs.iter().map(|run| run.id.as_str());
        found.ok_or_else(|| Refusal::missing("run", id, names))
    }

    /// The runs on a benchmark, in the order given.
    pub fn runs_on(&self, benchmark: &str) -> impl Iterator<Item = &CatalogueRun> {
        self.runs.iter().filter(move |run| run.benchmark == benchmark)
    }

    /// The inputs of a request about these runs of one benchmark.
    pub fn inputs<'r>(
        &self,
        benchmark: &CatalogueBenchmark,
        runs: impl IntoIterator<Item = &'r CatalogueRun>,
    ) -> Inputs {
        Inputs {
            gold: vec![InputRequest::held(&benchmark.name)],
            systems: runs.into_iter().map(|run| InputRequest::held(&run.system)).collect(),
            ..Inputs::default()
        }
    }

    /// The inputs as they are given on the command line, for a command that gives what a page shows.
    pub fn arguments<'r>(
        &self,
        benchmark: &CatalogueBenchmark,
        runs: impl IntoIterator<Item = &'r CatalogueRun>,
    ) -> String {
        let source = |source: &str, name: &str| match source.is_empty() {
            true => format!("{}.jsonl", slug(name)),
            false => source.to_owned(),
        };
        let mut text = format!("-g {}", quoted(&source(&benchmark.source, &benchmark.name)));
        for run in runs {
            let input = format!("{}={}", run.system, source(&run.source, &run.system));
            text.push_str(&format!(" -s {}", quoted(&input)));
        }
        text
    }
}

/// A word of a command, in quotes if a shell would not take it as it is.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=@,:+%".contains(c);
    match word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// A slug that nothing else has.
fn unique(slug: String, taken: &mut BTreeSet<String>) -> String {
    let mut candidate = slug.clone();
    let mut number = 2;
    while !taken.insert(candidate.clone()) {
        candidate = format!("{slug}-{number}");
        number += 1;
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat::report::Report;
    use karat::request::Answer;
    use karat::scoring::EvaluationRequest;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn answers_are_made_once() -> Result<(), Box<dyn std::error::Error>> {
        let workbench = Workbench::of([karat::sample::experiment()?]);
        let catalogue = workbench.catalogue();
        let ids: Vec<&str> = catalogue.runs.iter().map(|run| run.id.as_str()).collect();
        assert_eq!(ids, ["spotter@sample", "careful@sample", "popular@sample"]);
        let benchmark = catalogue.benchmark("sample").map_err(|_| "no sample")?;
        let inputs = catalogue.inputs(benchmark, catalogue.runs_on("sample"));
        let request = EvaluationRequest { inputs, ..EvaluationRequest::default() };
        let first = workbench.answer(&request).map_err(|refusal| format!("{refusal:?}"))?;
        let second = workbench.answer(&request).map_err(|refusal| format!("{refusal:?}"))?;
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(first.systems.len(), 3);
        Ok(())
    }

    #[test]
    fn slugs_differ_where_names_do() {
        let mut taken = BTreeSet::new();
        let slugs = ["A b", "a-b", "a b"].map(|name| unique(slug(name), &mut taken));
        assert_eq!(slugs, ["a-b", "a-b-2", "a-b-3"]);
    }

    static COUNTED: AtomicUsize = AtomicUsize::new(0);

    /// A request that counts how often it is computed.
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Counting {
        fails: bool,
    }

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Counted(usize);

    impl Request for Counting {
        type Answer = Counted;
        const NAME: &'static str = "counting";

        fn answer(&self, _: &Work) -> Result<Counted, Error> {
            let before = COUNTED.fetch_add(1, Ordering::SeqCst);
            // Long enough for the other thread to come.
            std::thread::sleep(std::time::Duration::from_millis(50));
            match self.fails {
                true => Err(Error::bad_request("it fails", "do not ask")),
                false => Ok(Counted(before)),
            }
        }
    }

    impl Answer for Counted {
        fn notices(&self) -> &[Notice] {
            &[]
        }

        fn report(&self) -> Report<'_> {
            Report::default()
        }
    }

    #[test]
    fn those_who_ask_at_once_share_one_computation() {
        let workbench = Workbench::empty();
        let start = std::sync::Barrier::new(2);
        let ask = || {
            start.wait();
            workbench.answer(&Counting { fails: false }).ok()
        };
        let (first, second) = std::thread::scope(|scope| {
            let other = scope.spawn(ask);
            (ask(), other.join().ok().flatten())
        });
        assert_eq!(COUNTED.load(Ordering::SeqCst), 1);
        assert!(first.is_some() && first == second);
        // Errors are asked for again, other corpora give other answers, and nothing starts after the end.
        for _ in 0..2 {
            assert!(workbench.answer(&Counting { fails: true }).is_err());
        }
        assert_eq!(COUNTED.load(Ordering::SeqCst), 3);
        workbench.hold(Vec::new(), &[], Vec::new());
        assert!(workbench.answer(&Counting { fails: false }).is_ok());
        assert_eq!(COUNTED.load(Ordering::SeqCst), 4);
        workbench.stop();
        assert!(workbench.answer(&Counting { fails: true }).is_err());
        assert_eq!(COUNTED.load(Ordering::SeqCst), 4);
    }

    #[test]
    fn what_was_asked_for_lately_is_kept() {
        let mut answers = Answers::default();
        let first = answers.cell("first");
        for number in 0..KEPT - 1 {
            answers.cell(&number.to_string());
        }
        assert!(Arc::ptr_eq(&first, &answers.cell("first")));
        answers.cell("one more");
        assert!(answers.cells.contains_key("first") && !answers.cells.contains_key("0"));
        assert_eq!(answers.cells.len(), KEPT);
    }
}

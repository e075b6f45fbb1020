//! What pages are about: benchmarks, runs, and answers about them.

use crate::answers::{Answers, locked};
use crate::library::{CorpusKeys, FileLibrary, Library, LibraryContents};
use crate::loading::Loading;
use crate::page::Page;
use crate::pages::board::Board;
use crate::refusal::Refusal;
use crate::workspace::Workspace;
use karat::error::Error;
use karat::inputs::{Experiment, Shelf};
use karat::kb::KnowledgeBase;
use karat::model::Cancel;
use karat::request::Request;
use karat::work::Work;
use percent_encoding::percent_decode_str;
use std::cell::RefCell;
use std::sync::{Arc, Mutex};
use std::time::Instant;

pub use crate::catalogue::{Catalogue, CatalogueBenchmark, CatalogueRun};

/// Benchmarks and runs, and answers to requests about them.
///
/// A page never reads a file and never computes. It asks the workbench what there is, names a request, and gets
/// the answer. Where benchmarks and runs come from is the business of a [`Library`]. The workbench keeps answers
/// and gives all computing one pool of threads, so that pages never wait for each other's threads.
pub struct Workbench {
    library: Arc<dyn Library>,
    answers: Mutex<Answers>,
    pool: Option<Arc<rayon::ThreadPool>>,
    /// Stops all answers that are being computed.
    cancel: Cancel,
    /// What the board shows where an address asks for nothing.
    front: Vec<(String, String)>,
    /// The knowledge base under which everything is scored.
    kb: Option<UsedBase>,
}

/// A knowledge base, and what tells it from others: its file may be replaced while answers are kept for years.
struct UsedBase {
    path: String,
    digest: String,
}

impl std::fmt::Debug for Workbench {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Workbench").finish_non_exhaustive()
    }
}

impl Workbench {
    /// One about what is in a library.
    pub fn over(library: Arc<dyn Library>) -> Workbench {
        Workbench {
            library,
            answers: Mutex::default(),
            pool: computing_pool(),
            cancel: Cancel::default(),
            front: Vec::new(),
            kb: None,
        }
    }

    /// The same with a view of the board for the first page: which benchmarks in which order, which columns, which
    /// systems. It is written like the query of an address, as `benchmark=news,wiki&where=-deprecated`.
    pub fn with_front(mut self, query: &str) -> Result<Workbench, Error> {
        for pair in query.trim_start_matches(['/', '?']).split('&').filter(|it| !it.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let known = || Board.keys().iter().map(|key| key.name);
            if !known().any(|key| key == name) {
                return Err(Error::unknown("key of a board", name, known()));
            }
            let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
            self.front.push((name.to_owned(), value));
        }
        Ok(self)
    }

    /// The same with a knowledge base, under which everything is scored.
    pub fn with_kb(self, path: Option<String>) -> Result<Workbench, Error> {
        let used = |path: String| -> Result<UsedBase, Error> {
            let digest = KnowledgeBase::open(path.as_ref())?.digest().to_string();
            Ok(UsedBase { path, digest })
        };
        Ok(Workbench { kb: path.map(used).transpose()?, ..self })
    }

    /// The file of the knowledge base, if there is one.
    pub(crate) fn kb(&self) -> Option<&str> {
        self.kb.as_ref().map(|base| base.path.as_str())
    }

    /// The view of the first page, where one was chosen.
    pub(crate) fn front(&self) -> &[(String, String)] {
        &self.front
    }

    /// One with these experiments, in memory.
    pub fn of(experiments: impl IntoIterator<Item = Experiment>) -> Workbench {
        Workbench::over(Arc::new(FileLibrary::of(experiments)))
    }

    /// One without anything.
    pub fn empty() -> Workbench {
        Workbench::of([])
    }

    /// Stops what is being read or computed, for good.
    pub fn stop(&self) {
        self.cancel.cancel();
        self.library.stop();
    }

    /// What there is; nothing where it cannot be known yet.
    pub fn catalogue(&self) -> Arc<Catalogue> {
        self.library.contents().map(|contents| Arc::clone(&contents.catalogue)).unwrap_or_default()
    }

    /// The corpora.
    pub fn shelf(&self) -> Arc<Shelf> {
        self.library.contents().map(|contents| Arc::clone(&contents.shelf)).unwrap_or_default()
    }

    /// The store behind what is shown, if there is one.
    pub fn workspace(&self) -> Option<&Workspace> {
        self.library.workspace()
    }

    /// The digest of a benchmark, or of a run on it, by the names that requests use; in hexadecimal digits.
    pub fn corpus_digest(&self, benchmark: &str, run: Option<&str>) -> Option<String> {
        let contents = self.library.contents().ok()?;
        if let CorpusKeys::Digests(digests) = &contents.corpora {
            return digests.get(&(benchmark.to_owned(), run.map(str::to_owned))).cloned();
        }
        let experiment = contents.shelf.experiment(benchmark)?;
        let corpus = match run {
            Some(run) => &experiment.run(run).ok()?.corpus,
            None => &experiment.benchmark.corpus,
        };
        Some(corpus.digest().to_string())
    }

    /// Nothing can be shown before files are read.
    pub fn check_loaded(&self) -> Result<(), Refusal> {
        self.library.contents().map(|_| ())
    }

    /// The answer to a request, computed at most once as long as it is remembered, however many ask at the same
    /// time. Errors are not remembered.
    pub fn answer<R: Request + Sync>(&self, request: &R) -> Result<Arc<R::Answer>, Refusal>
    where
        R::Answer: Send + Sync + 'static,
    {
        let written = serde_json::to_value(request)
            .map_err(|error| Refusal::Failed(format!("a request cannot be written: {error}")))?;
        // One look at the library: key and corpora belong together, also if something changes meanwhile.
        let contents = self.library.contents()?;
        let mut key = contents.key(R::NAME, &written);
        if let Some(base) = &self.kb {
            // Requests name the file, and not what is in it.
            key = karat_store::sha256(format!("{} {key}", base.digest).as_bytes());
        }
        self.remembered(&key, || self.found(request, &contents, &key))
    }

    /// What is computed of something that the workspace keeps and no request names: once for each key, which names
    /// everything that it depends on.
    pub(crate) fn computed<T: Send + Sync + 'static>(
        &self,
        key: &str,
        compute: impl FnOnce(&Work) -> Result<T, Error>,
    ) -> Result<Arc<T>, Refusal> {
        self.remembered(key, || {
            let work = self.work()?;
            work.check()?;
            let answer = compute(&work)?;
            work.check()?;
            Ok(answer)
        })
    }

    fn remembered<T: Send + Sync + 'static>(
        &self,
        key: &str,
        compute: impl FnOnce() -> Result<T, Refusal>,
    ) -> Result<Arc<T>, Refusal> {
        let cell = locked(&self.answers).cell(key);
        let mut place = locked(&cell);
        let known = place.as_ref().and_then(|answer| Arc::clone(answer).downcast().ok());
        if let Some(answer) = known {
            return Ok(answer);
        }
        match compute() {
            Ok(answer) => {
                let answer = Arc::new(answer);
                *place = Some(answer.clone());
                Ok(answer)
            }
            Err(refusal) => {
                drop(place);
                locked(&self.answers).forget(key, &cell);
                Err(refusal)
            }
        }
    }

    /// What is needed for work on what there is now, for what is made once and not kept.
    pub(crate) fn work(&self) -> Result<Work, Refusal> {
        Ok(self.work_on(&self.library.contents()?))
    }

    fn work_on(&self, contents: &Arc<LibraryContents>) -> Work {
        let waiting = WAITING.with_borrow(Clone::clone);
        let cancel = waiting.as_ref().map_or(&self.cancel, |loading| &loading.cancel);
        Work {
            pool: self.pool.clone(),
            shelf: Some(Arc::clone(&contents.shelf)),
            cancel: cancel.clone(),
            progress: waiting.as_ref().map(Loading::watcher),
            counts: self.library.counts(contents),
            pairs: self.library.pairs(),
            ..Work::default()
        }
    }

    /// The answer that the library has kept, or one that is computed now.
    fn found<R: Request>(
        &self,
        request: &R,
        contents: &Arc<LibraryContents>,
        key: &str,
    ) -> Result<R::Answer, Refusal> {
        let kept = self.library.kept_answer(key);
        // What cannot be read was written by a program that is not this one, and is computed again.
        if let Some(answer) = kept.and_then(|body| serde_json::from_slice(&body).ok()) {
            return Ok(answer);
        }
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled.into());
        }
        let work = self.work_on(contents);
        work.check()?;
        let begun = Instant::now();
        let answer = request.answer(&work)?;
        work.check()?;
        if begun.elapsed() >= self.library.worth_keeping()
            && let Ok(body) = serde_json::to_vec(&answer)
        {
            self.library.keep_answer(key, R::NAME, body);
        }
        Ok(answer)
    }
}

thread_local! {
    /// Who watches what this thread computes. A page asks for answers in many places, none of which should have to know that
    /// somebody waits.
    static WAITING: RefCell<Option<Arc<Loading>>> = const { RefCell::new(None) };
}

/// Does something on this thread, and tells how far the answers are that it asks for; they can be stopped there too.
pub(crate) fn watched<T>(loading: &Arc<Loading>, work: impl FnOnce() -> T) -> T {
    /// Threads are used again, also after a panic.
    struct Watching;

    impl Drop for Watching {
        fn drop(&mut self) {
            WAITING.set(None);
        }
    }

    WAITING.set(Some(Arc::clone(loading)));
    let _watching = Watching;
    work()
}

/// Threads for computing. A core stays free for pages, where there are several.
pub(crate) fn computing_pool() -> Option<Arc<rayon::ThreadPool>> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = cores.saturating_sub(1).max(1);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok().map(Arc::new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat::error::Error;
    use karat::model::Notice;
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
        let library = Arc::new(FileLibrary::of([]));
        let workbench = Workbench::over(Arc::clone(&library) as Arc<dyn Library>);
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
        library.hold(Vec::new(), &karat::inputs::Inputs::default(), Vec::new());
        assert!(workbench.answer(&Counting { fails: false }).is_ok());
        assert_eq!(COUNTED.load(Ordering::SeqCst), 4);
        workbench.stop();
        assert!(workbench.answer(&Counting { fails: true }).is_err());
        assert_eq!(COUNTED.load(Ordering::SeqCst), 4);
    }
}

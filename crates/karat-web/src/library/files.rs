//! A library of files that were read, with everything in memory.

use super::pairs::PairTests;
use super::{CorpusKeys, Library, LibraryContents};
use crate::answers::locked;
use crate::catalogue::Catalogue;
use crate::loading::Loading;
use crate::refusal::Refusal;
use crate::workbench::computing_pool;
use karat::comparison::PairKeeper;
use karat::error::Error;
use karat::inputs::{Experiment, InputRequest, Inputs, Repeats, Shelf};
use karat::model::Notice;
use karat::work::Work;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

/// Files are looked at for changes at most this often.
const LOOKED_AT: Duration = Duration::from_secs(1);

/// Files that were read.
///
/// Pages are shown as soon as everything is read; until then they say how far it is. Afterwards files that have
/// changed are noticed and read again, while pages go on showing what was read before.
#[derive(Clone, Default)]
pub struct FileLibrary {
    state: Arc<FileState>,
}

#[derive(Default)]
struct FileState {
    held: RwLock<Held>,
    watched: Mutex<Option<Watched>>,
    pool: Option<Arc<rayon::ThreadPool>>,
    /// A file that changes is one run of many: the tests of the others stay.
    pairs: Arc<PairTests>,
}

#[derive(Clone, Default)]
struct Held {
    contents: Arc<LibraryContents>,
    /// How often something was read.
    times: u64,
    /// While files are read for the first time.
    loading: Option<Arc<Loading>>,
    /// While files are read again.
    again: Option<Arc<Loading>>,
}

/// What was read, and how its files looked then.
struct Watched {
    inputs: Inputs,
    stamps: Vec<Stamp>,
    looked: Instant,
}

/// A file, when it was changed, and its length.
type Stamp = (PathBuf, Option<SystemTime>, u64);

impl std::fmt::Debug for FileLibrary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FileLibrary").finish_non_exhaustive()
    }
}

impl FileLibrary {
    /// A library of experiments that are in memory already.
    pub fn of(experiments: impl IntoIterator<Item = Experiment>) -> FileLibrary {
        let state = FileState { pool: computing_pool(), ..FileState::default() };
        let library = FileLibrary { state: Arc::new(state) };
        library.hold(experiments.into_iter().collect(), &Inputs::default(), Vec::new());
        library
    }

    /// Reads files, and shows them as soon as they are read.
    pub fn read(&self, inputs: &Inputs) -> Result<(), Error> {
        let loading = Arc::new(Loading::default());
        self.state.change(|held| held.loading = Some(Arc::clone(&loading)));
        let stamps = stamps(inputs);
        match self.state.read(inputs, &loading) {
            Ok((experiments, told)) => {
                self.hold(experiments, inputs, told);
                let looked = Instant::now();
                *locked(&self.state.watched) =
                    Some(Watched { inputs: inputs.clone(), stamps, looked });
                Ok(())
            }
            Err(error) => {
                loading.fail(error.notice());
                Err(error)
            }
        }
    }

    /// Shows these experiments in place of what was shown before. `files` says what they were read from, and
    /// `told` what was said then.
    pub fn hold(&self, experiments: Vec<Experiment>, files: &Inputs, told: Vec<Notice>) {
        self.state.hold(experiments, files, told);
    }

    /// Reads files again if they have changed, on a thread of its own.
    fn look_for_changes(&self) {
        let mut watched = locked(&self.state.watched);
        let Some(watched) = watched.as_mut() else { return };
        if watched.looked.elapsed() < LOOKED_AT {
            return;
        }
        watched.looked = Instant::now();
        let now = stamps(&watched.inputs);
        if now == watched.stamps || self.state.held().again.is_some() {
            return;
        }
        watched.stamps = now;
        let (state, inputs) = (Arc::clone(&self.state), watched.inputs.clone());
        let again = Arc::new(Loading::default());
        self.state.change(|held| held.again = Some(Arc::clone(&again)));
        std::thread::spawn(move || state.read_again(&inputs, &again));
    }
}

impl Library for FileLibrary {
    fn pairs(&self) -> Option<Arc<dyn PairKeeper>> {
        Some(Arc::clone(&self.state.pairs) as Arc<dyn PairKeeper>)
    }

    fn contents(&self) -> Result<Arc<LibraryContents>, Refusal> {
        self.look_for_changes();
        let held = self.state.held();
        match held.loading {
            Some(loading) => Err(Refusal::Loading(loading.state())),
            None => Ok(held.contents),
        }
    }

    fn stop(&self) {
        let held = self.state.held();
        for loading in held.loading.iter().chain(&held.again) {
            loading.cancel.cancel();
        }
    }
}

impl FileState {
    fn read(
        &self,
        inputs: &Inputs,
        loading: &Arc<Loading>,
    ) -> Result<(Vec<Experiment>, Vec<Notice>), Error> {
        let work = Work {
            pool: self.pool.clone(),
            progress: Some(loading.watcher()),
            cancel: loading.cancel.clone(),
            ..Work::default()
        };
        let mut told = Vec::new();
        let experiments =
            work.install(|| inputs.read_both_editions(Repeats::Refused, &work, &mut told))?;
        Ok((experiments, told))
    }

    fn read_again(&self, inputs: &Inputs, again: &Arc<Loading>) {
        match self.read(inputs, again) {
            Ok((experiments, told)) => self.hold(experiments, inputs, told),
            // A file may be half-written now and whole in a second: what was read before stays, with the reason.
            Err(error) => self.change(|held| {
                let mut catalogue = (*held.contents.catalogue).clone();
                catalogue.notices = vec![error.notice()];
                held.contents = Arc::new(LibraryContents {
                    catalogue: Arc::new(catalogue),
                    shelf: Arc::clone(&held.contents.shelf),
                    corpora: CorpusKeys::Reading(held.times),
                });
                held.again = None;
            }),
        }
    }

    fn hold(&self, experiments: Vec<Experiment>, files: &Inputs, told: Vec<Notice>) {
        let catalogue = Catalogue::of(&experiments, files, told.clone());
        let mut shelf = Shelf::default();
        for experiment in experiments {
            shelf.add(experiment, told.clone());
        }
        self.change(|held| {
            let times = held.times + 1;
            let contents = LibraryContents {
                catalogue: Arc::new(catalogue),
                shelf: Arc::new(shelf),
                corpora: CorpusKeys::Reading(times),
            };
            *held = Held { contents: Arc::new(contents), times, loading: None, again: None };
        });
    }

    fn change(&self, change: impl FnOnce(&mut Held)) {
        change(&mut self.held.write().unwrap_or_else(PoisonError::into_inner));
    }

    fn held(&self) -> Held {
        self.held.read().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// How the files of inputs look now. A file that cannot be looked at counts as one that is not there.
fn stamps(inputs: &Inputs) -> Vec<Stamp> {
    let mut stamps = Vec::new();
    let inputs = || inputs.gold.iter().chain(&inputs.systems);
    let patches = inputs().flat_map(|input| &input.patches).map(|path| InputRequest::parse(path));
    for input in inputs().cloned().chain(patches) {
        let Ok((_, files)) = input.open() else { continue };
        for path in files.sources().iter().filter_map(|source| source.path()) {
            let Ok(about) = std::fs::metadata(path) else { continue };
            stamps.push((path.to_owned(), about.modified().ok(), about.len()));
        }
    }
    stamps
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat::inputs::InputRequest;

    /// Waits until the library shows so many runs.
    fn shows(library: &FileLibrary, runs: usize) -> bool {
        let until = Instant::now() + Duration::from_secs(30);
        while Instant::now() < until {
            if library.contents().is_ok_and(|contents| contents.catalogue.runs.len() == runs) {
                return true;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        false
    }

    #[test]
    fn changed_files_are_read_again_and_bad_ones_change_nothing()
    -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name).display().to_string();
        let (gold, run) = (path("gold.tsv"), path("run.tsv"));
        std::fs::write(&gold, "d1\t0\t5\tQ64\n")?;
        std::fs::write(&run, "d1\t0\t5\tQ64\n")?;
        let inputs = Inputs {
            gold: vec![InputRequest::parse(&gold)],
            systems: vec![InputRequest::parse(&run)],
            ..Inputs::default()
        };
        let library = FileLibrary::of([]);
        library.read(&inputs)?;
        let first = library.contents().map_err(|refusal| refusal.to_string())?;
        assert_eq!(first.catalogue.benchmarks[0].documents, 1);
        // A bad file: what was read stays, and the page says why.
        std::fs::write(&run, "d1\tno\tnumber\tQ64\n")?;
        let until = Instant::now() + Duration::from_secs(30);
        let said = loop {
            let contents = library.contents().map_err(|refusal| refusal.to_string())?;
            if !contents.catalogue.notices.is_empty() || Instant::now() > until {
                break contents;
            }
            std::thread::sleep(Duration::from_millis(50));
        };
        assert_eq!(said.catalogue.notices.len(), 1);
        assert_eq!(said.catalogue.runs, first.catalogue.runs);
        std::fs::write(&gold, "d1\t0\t5\tQ64\nd2\t0\t5\tQ64\n")?;
        std::fs::write(&run, "d1\t0\t5\tQ64\nd2\t0\t5\tQ65\n")?;
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let contents = library.contents().map_err(|refusal| refusal.to_string())?;
            if contents.catalogue.benchmarks[0].documents == 2 {
                let request = serde_json::json!({});
                assert_ne!(contents.key("a", &request), first.key("a", &request));
                break;
            }
            assert!(Instant::now() < until, "the change was not noticed");
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(shows(&library, 1));
        Ok(())
    }
}

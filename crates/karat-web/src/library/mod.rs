//! Where benchmarks and runs come from.
//!
//! Pages ask the workbench and the workbench asks a library. There are three: [`FileLibrary`] has read files and
//! holds everything in memory; [`StoredLibrary`] has a database, knows what there is without reading it, and
//! loads a corpus when a request names it; [`SharedLibrary`] has the folder of a shared evaluation, and keeps answers beside it.

mod corpus_cache;
mod counts;
mod files;
mod pairs;
mod shared;
mod stored;

use crate::catalogue::Catalogue;
use crate::refusal::Refusal;
use crate::workspace::Workspace;
use karat::comparison::PairKeeper;
use karat::counts::CountsKeeper;
use karat::inputs::{HeldInputs, Shelf};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

pub(crate) use counts::{EvaluationId, StoredCounts};
pub use files::FileLibrary;
pub use shared::SharedLibrary;
pub use stored::{CorpusFindings, StoredLibrary};

/// Benchmarks, runs and answers about them, from somewhere.
///
/// The idea is that a library gives a *consistent look* at what it has: names (the catalogue) and corpora (the
/// shelf) that belong together, as one value that never changes. When something changes, the next look is another
/// value. An answer is remembered under a key that names everything it depends on ([`LibraryContents::key`]), so nothing is
/// ever invalidated: what depends on something else has another key.
///
/// Methods are called from threads that may wait, never from asynchronous code.
pub trait Library: Send + Sync {
    /// What there is now; why it cannot be said, for instance because files are still read.
    fn contents(&self) -> Result<Arc<LibraryContents>, Refusal>;

    /// An answer that was kept under this key, as JSON.
    fn kept_answer(&self, _key: &str) -> Option<Vec<u8>> {
        None
    }

    /// What took at least so long to compute is handed over to be kept. In a store, reading back what took no longer
    /// than this gains nothing.
    fn worth_keeping(&self) -> Duration {
        Duration::from_millis(20)
    }

    /// Keeps an answer for later, if this library can. `request` is the kind of request.
    fn keep_answer(&self, _key: &str, _request: &'static str, _body: Vec<u8>) {}

    /// Who keeps the counts of the runs in these contents, if somebody does.
    fn counts(&self, _contents: &Arc<LibraryContents>) -> Option<Arc<dyn CountsKeeper>> {
        None
    }

    /// Who keeps the tests of pairs of systems, if somebody does.
    fn pairs(&self) -> Option<Arc<dyn PairKeeper>> {
        None
    }

    /// The store behind it, if there is one: then things can be sent, renamed and removed.
    fn workspace(&self) -> Option<&Workspace> {
        None
    }

    /// Stops what is being read, for good.
    fn stop(&self) {}
}

/// One look at a library.
#[derive(Debug, Default)]
pub struct LibraryContents {
    /// What there is, by the names that addresses use.
    pub catalogue: Arc<Catalogue>,
    /// The corpora, by the names that requests use.
    pub shelf: Arc<Shelf>,
    /// What tells these corpora from all others.
    pub corpora: CorpusKeys,
}

/// What tells corpora of the same name apart.
#[derive(Debug)]
pub enum CorpusKeys {
    /// How often everything was read: whatever is read again counts as changed.
    Reading(u64),
    /// The digest of each corpus, by the name of its benchmark and, for a run, its own.
    Digests(HashMap<(String, Option<String>), String>),
}

impl Default for CorpusKeys {
    fn default() -> CorpusKeys {
        CorpusKeys::Reading(0)
    }
}

impl LibraryContents {
    /// The key of the answer to a request: equal keys mean equal answers.
    ///
    /// Of digests, it is a SHA-256 of the program, the request, and the corpora that the request names: it means the
    /// same in other processes and years later. Names are part of the request, because answers repeat them.
    pub fn key(&self, name: &str, request: &Value) -> String {
        let digests = match &self.corpora {
            CorpusKeys::Reading(times) => return format!("{times} {name} {request}"),
            CorpusKeys::Digests(digests) => digests,
        };
        let mut hasher = Sha256::new();
        let mut add = |text: &str| {
            // Lengths keep the pieces apart.
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        add(crate::engine::engine());
        add(name);
        add(&request.to_string());
        for HeldInputs { benchmark, runs } in HeldInputs::in_request(request) {
            let unknown = String::new();
            let of = |run: Option<String>| {
                digests.get(&(benchmark.clone(), run)).unwrap_or(&unknown).as_str()
            };
            add(of(None));
            for run in runs {
                add(of(Some(run)));
            }
        }
        hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn contents(run: &str) -> LibraryContents {
        let digests = HashMap::from([
            (("news".to_owned(), None), "gold".to_owned()),
            (("news".to_owned(), Some("a".to_owned())), run.to_owned()),
        ]);
        LibraryContents { corpora: CorpusKeys::Digests(digests), ..LibraryContents::default() }
    }

    #[test]
    fn a_key_depends_on_the_corpora_that_a_request_names() {
        let about = |runs: &[&str]| {
            let systems: Vec<Value> =
                runs.iter().map(|run| json!({"path": format!("held:{run}")})).collect();
            json!({"inputs": {"gold": [{"path": "held:news"}], "systems": systems}})
        };
        let (old, new) = (contents("1"), contents("2"));
        let named = about(&["a"]);
        assert_eq!(old.key("evaluation", &named).len(), 64);
        assert_ne!(old.key("evaluation", &named), new.key("evaluation", &named));
        assert_ne!(old.key("evaluation", &named), old.key("errors", &named));
        // Another run of the benchmark has changed, and gold alone is the same.
        assert_eq!(old.key("evaluation", &about(&[])), new.key("evaluation", &about(&[])));
        assert_ne!(old.key("evaluation", &about(&[])), old.key("evaluation", &named));
    }
}

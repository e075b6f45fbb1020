//! A library that is kept in a store.

use super::corpus_cache::CorpusCache;
use super::pairs::PairTests;
use super::{CorpusKeys, Library, LibraryContents, StoredCounts};
use crate::answers::locked;
use crate::catalogue::{Catalogue, CatalogueBenchmark, CatalogueRun, unique};
use crate::refusal::Refusal;
use crate::workspace::Workspace;
use karat::comparison::PairKeeper;
use karat::counts::CountsKeeper;
use karat::error::Error;
use karat::inputs::{Benchmark, CorpusSource, KeptOffsets, Run, Shelf, read_canonical};
use karat::model::{Corpus, Notice};
use karat_store::{CatalogueEdition, CatalogueRow, StoreError};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex};

/// So many bytes of corpora stay in memory.
const ROOM: usize = 64 << 20;

/// Benchmarks and runs of a store.
///
/// The catalogue has names and counts only and is read when something has changed. A corpus is loaded when a request
/// names it, from the canonical lines that the store keeps, and stays in memory as long as there is room.
pub struct StoredLibrary {
    workspace: Workspace,
    /// The catalogue of this version.
    current: Mutex<Option<(String, Arc<LibraryContents>)>>,
    corpora: Arc<CorpusCache>,
    pairs: Arc<PairTests>,
}

/// What was found when a corpus was read, as the store keeps it beside the lines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CorpusFindings {
    /// How the offsets of gold count where it has no texts.
    pub offsets: KeptOffsets,
    /// What the file was called.
    pub source: String,
    /// What was said when it was read.
    pub notices: Vec<Notice>,
}

impl std::fmt::Debug for StoredLibrary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredLibrary").finish_non_exhaustive()
    }
}

impl StoredLibrary {
    /// A library of what a workspace has.
    pub fn new(workspace: Workspace) -> StoredLibrary {
        // The first answer needs it, and reading a program takes a moment.
        std::thread::spawn(crate::engine::engine);
        let corpora = Arc::new(CorpusCache::new(ROOM));
        let pairs = Arc::new(PairTests::of(&workspace));
        StoredLibrary { workspace, current: Mutex::default(), corpora, pairs }
    }

    fn load(&self) -> Result<LibraryContents, StoreError> {
        let store = self.workspace.store();
        let (editions, runs) = self.workspace.wait(async {
            Ok::<_, StoreError>((store.catalogue_editions().await?, store.catalogue_runs().await?))
        })?;
        let named = named(editions, runs);
        let source = StoredSource {
            workspace: self.workspace.clone(),
            corpora: Arc::clone(&self.corpora),
            gold: named.gold,
            runs: named.runs,
        };
        let digest = |benchmark: &String, stored: &StoredCorpus, run: Option<&String>| {
            ((benchmark.clone(), run.cloned()), stored.digest.clone())
        };
        let gold = source.gold.iter().map(|(name, stored)| digest(name, stored, None));
        let of_runs = source.runs.iter().flat_map(|(benchmark, runs)| {
            runs.iter().map(move |(name, stored)| digest(benchmark, stored, Some(name)))
        });
        let digests = gold.chain(of_runs).collect();
        Ok(LibraryContents {
            catalogue: Arc::new(named.catalogue),
            shelf: Arc::new(Shelf::on_demand(Arc::new(source))),
            corpora: CorpusKeys::Digests(digests),
        })
    }
}

impl Library for StoredLibrary {
    fn workspace(&self) -> Option<&Workspace> {
        Some(&self.workspace)
    }

    fn contents(&self) -> Result<Arc<LibraryContents>, Refusal> {
        let version = self.workspace.wait(self.workspace.store().catalogue_version())?;
        let mut current = locked(&self.current);
        if let Some((known, contents)) = &*current
            && *known == version
        {
            return Ok(Arc::clone(contents));
        }
        let contents = Arc::new(self.load()?);
        *current = Some((version, Arc::clone(&contents)));
        Ok(contents)
    }

    fn counts(&self, contents: &Arc<LibraryContents>) -> Option<Arc<dyn CountsKeeper>> {
        Some(Arc::new(StoredCounts::new(&self.workspace, contents)))
    }

    fn pairs(&self) -> Option<Arc<dyn PairKeeper>> {
        Some(Arc::clone(&self.pairs) as Arc<dyn PairKeeper>)
    }

    fn kept_answer(&self, key: &str) -> Option<Vec<u8>> {
        // An answer that cannot be read is computed again.
        self.workspace.wait(self.workspace.store().answer(key)).ok().flatten()
    }

    fn keep_answer(&self, key: &str, request: &'static str, body: Vec<u8>) {
        let (store, key) = (self.workspace.store().clone(), key.to_owned());
        self.workspace.later(async move {
            // Without it the answer is computed again after a restart, and nothing else is lost.
            let _ = store.keep_answer(&key, request, &body).await;
        });
    }
}

/// Editions and runs under the names that pages use.
#[derive(Default)]
struct Named {
    catalogue: Catalogue,
    gold: HashMap<String, StoredCorpus>,
    /// The runs of each benchmark, by the names of both.
    runs: HashMap<String, HashMap<String, StoredCorpus>>,
}

/// A corpus in the store.
struct StoredCorpus {
    digest: String,
    /// What was found when it was read, as JSON: most of it is never asked for.
    findings: String,
}

impl StoredCorpus {
    fn findings(&self) -> CorpusFindings {
        // A store that was filled by another program may have other findings, which change no number.
        serde_json::from_str(&self.findings).unwrap_or_default()
    }
}

/// Gives names to editions and runs: the newest edition has the name of its benchmark, others have theirs behind it.
fn named(editions: Vec<CatalogueEdition>, runs: Vec<CatalogueRow>) -> Named {
    let mut named = Named::default();
    let mut by_edition: HashMap<String, Vec<CatalogueRow>> = HashMap::new();
    for run in runs {
        by_edition.entry(run.edition.clone()).or_default().push(run);
    }
    let (mut newest, mut taken) = (BTreeSet::new(), BTreeSet::new());
    for edition in editions {
        let is_newest = newest.insert(edition.benchmark.clone());
        let title = if edition.title.is_empty() { &edition.slug } else { &edition.title };
        let (slug, name) = match is_newest {
            true => (edition.slug.clone(), title.clone()),
            false => (
                format!("{}@{}", edition.slug, edition.label),
                format!("{title} @{}", edition.label),
            ),
        };
        // Two benchmarks may have one title.
        let name = unique(name, &mut taken);
        named.catalogue.benchmarks.push(CatalogueBenchmark {
            slug: slug.clone(),
            name: name.clone(),
            source: String::new(),
            documents: usize::try_from(edition.documents).unwrap_or(0),
            edition: Some(edition.label),
            edition_id: edition.edition.clone(),
            superseded: !is_newest,
            gold_hidden: edition.gold_hidden,
            id: edition.benchmark.clone(),
            private: !edition.visible,
        });
        let runs = by_edition.remove(&edition.edition).unwrap_or_default();
        let runs = runs.into_iter().map(|run| run_of(run, &slug));
        let mut names = BTreeSet::new();
        for (mut run, corpus) in runs {
            run.system = unique(run.system, &mut names);
            let known = named.runs.entry(name.clone()).or_default();
            known.insert(run.system.clone(), corpus);
            named.catalogue.runs.push(run);
        }
        let gold = StoredCorpus { digest: edition.corpus, findings: edition.findings };
        named.gold.insert(name, gold);
    }
    named
}

fn run_of(row: CatalogueRow, benchmark: &str) -> (CatalogueRun, StoredCorpus) {
    let title = if row.system_title.is_empty() { &row.system_slug } else { &row.system_title };
    let system = match row.label.is_empty() {
        true => title.clone(),
        false => format!("{title}, {}", row.label),
    };
    let run = CatalogueRun {
        id: row.run,
        system,
        system_slug: row.system_slug,
        benchmark: benchmark.to_owned(),
        source: String::new(),
        sent: Some(row.sent),
        seconds: row.seconds,
        deprecated: row.deprecated,
        private: !row.visible,
        sent_by: row.sent_by,
    };
    (run, StoredCorpus { digest: row.corpus, findings: row.findings })
}

/// Loads corpora for requests.
struct StoredSource {
    workspace: Workspace,
    corpora: Arc<CorpusCache>,
    gold: HashMap<String, StoredCorpus>,
    runs: HashMap<String, HashMap<String, StoredCorpus>>,
}

impl StoredSource {
    fn corpus(&self, name: &str, stored: &StoredCorpus) -> Result<Arc<Corpus>, Error> {
        self.corpora.get(&stored.digest, || {
            let lines = self.workspace.wait(self.workspace.store().corpus_lines(&stored.digest));
            let lines = lines.map_err(|error| {
                Error::bad_request(
                    format!("`{name}` cannot be read from the database: {error}"),
                    "send it again",
                )
            })?;
            read_canonical(name, lines)
        })
    }
}

impl CorpusSource for StoredSource {
    fn benchmarks(&self) -> Vec<String> {
        let mut names: Vec<String> = self.gold.keys().cloned().collect();
        names.sort_unstable();
        names
    }

    fn runs(&self, benchmark: &str) -> Vec<String> {
        let runs = self.runs.get(benchmark);
        let mut names: Vec<String> = runs.into_iter().flat_map(HashMap::keys).cloned().collect();
        names.sort_unstable();
        names
    }

    fn benchmark(&self, name: &str) -> Result<(Benchmark, Vec<Notice>), Error> {
        let stored = self.gold.get(name);
        let stored = stored.ok_or_else(|| Error::unknown("benchmark", name, []))?;
        let findings = stored.findings();
        let corpus = self.corpus(name, stored)?;
        Ok((Benchmark::kept(name, corpus, &findings.offsets), findings.notices))
    }

    fn run(&self, benchmark: &Benchmark, name: &str) -> Result<(Run, Vec<Notice>), Error> {
        let stored = self.runs.get(&benchmark.name).and_then(|runs| runs.get(name));
        let stored = stored.ok_or_else(|| Error::unknown("system", name, []))?;
        let findings = stored.findings();
        let corpus = self.corpus(name, stored)?;
        let run = Run { name: name.to_owned(), source: findings.source, corpus };
        // What was said then named the system as it was called then.
        let notices = findings.notices.into_iter().map(|notice| notice.about(name));
        Ok((run, notices.collect()))
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        match &error {
            StoreError::NotFound { .. } => {
                Refusal::Missing { what: capitalised(&error.to_string()), hint: None }
            }
            StoreError::Taken { .. }
            | StoreError::Stale { .. }
            | StoreError::NotNow { .. }
            | StoreError::Name(_)
            | StoreError::Cursor(_)
            | StoreError::PersonBusy(_)
            | StoreError::QuotaUsed { .. }
            | StoreError::Step { .. }
            | StoreError::Unfit(_)
            | StoreError::QueueFull(_) => Refusal::bad_request(
                error.to_string(),
                "look at the page again, then try once more",
            ),
            _ => Refusal::Failed(capitalised(&error.to_string())),
        }
    }
}

/// A message as a sentence.
fn capitalised(message: &str) -> String {
    let mut letters = message.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    format!("{}.", first.chain(letters).collect::<String>().trim_end_matches('.'))
}

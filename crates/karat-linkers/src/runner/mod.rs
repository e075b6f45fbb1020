//! Asks a linker about all documents of a corpus, once for all linkers: cuts and edits texts, waits, asks again, keeps answers,
//! puts offsets back, and says what became of every document.
//!
//! ```
//! use karat_linkers::{LinkerContext, built_in};
//! use karat_linkers::runner::{RunSettings, Runner};
//! use karat_model::{CorpusBuilder, Watch};
//!
//! let mut gold = CorpusBuilder::new();
//! gold.continue_document("d1");
//! gold.set_text("In Berlin.");
//! let gold = gold.finish();
//! let linker = built_in("none", &LinkerContext::default()).expect("there is one")?;
//! let outcome = Runner::new(linker.as_ref(), RunSettings::default()).run(&gold, None, &Watch::default())?;
//! assert_eq!(outcome.documents[0].status.name(), "empty");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod asking;
mod gate;
mod gathering;
mod questions;
mod tally;
#[cfg(test)]
mod tests;

pub use tally::{RunCosts, RunTimes};

use crate::failure::{FailureKind, LinkFailure};
use crate::info::{LinkerInfo, MentionsWay, RequestRate};
use crate::linker::Linker;
use crate::recording::{Exchange, KeptAnswers, Recording, RecordingError, RecordingHead};
use crate::texts::Cutting;
use asking::{Asker, Settled};
use gate::Gate;
use gathering::{Gathering, Put};
use karat_model::{Corpus, Span, Watch};
use questions::{Asking, Question};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tally::Tally;

/// No run needs more threads, whatever a linker takes at once.
const MOST_THREADS: usize = 256;

/// How a linker is asked. No answer depends on it, but for the sample and the seed, and for offsets that are repaired.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSettings {
    /// How given mentions reach the linker; the best way that it takes if `None`.
    pub way: Option<MentionsWay>,
    /// How many requests are sent at once; as many as the linker takes if `None`.
    pub concurrency: Option<usize>,
    /// How many requests are sent in a time; as many as the linker takes if `None`.
    pub rate: Option<RequestRate>,
    /// How often a question is asked that fails.
    pub attempts: u32,
    /// The longest wait before the second attempt; it doubles with each.
    pub first_wait: Duration,
    /// How long a service is left alone that fails several times in a row.
    pub pause: Duration,
    /// What may be spent, in the currency of the price that the linker is declared with.
    pub budget: Option<f64>,
    /// Whether offsets are moved that fit another way of counting than the one that is declared.
    pub repair_offsets: bool,
    /// Which of several answers to the same questions is asked for.
    pub sample: u32,
    /// The seed of whatever is random about the linker.
    pub seed: u64,
}

impl Default for RunSettings {
    fn default() -> RunSettings {
        RunSettings {
            way: None,
            concurrency: None,
            rate: None,
            attempts: 5,
            first_wait: Duration::from_secs(1),
            pause: Duration::from_secs(30),
            budget: None,
            repair_offsets: false,
            sample: 0,
            seed: 0,
        }
    }
}

/// What became of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DocumentStatus {
    /// The linker answered, with mentions.
    Answered,
    /// The linker answered that there is nothing, or there was nothing to ask.
    Empty,
    /// The linker answered for some of its parts.
    Partly,
    /// There is no answer.
    Failed,
    /// The run ended before.
    NotAsked,
}

impl DocumentStatus {
    /// All of them.
    pub const ALL: [DocumentStatus; 5] = [
        DocumentStatus::Answered,
        DocumentStatus::Empty,
        DocumentStatus::Partly,
        DocumentStatus::Failed,
        DocumentStatus::NotAsked,
    ];

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            DocumentStatus::Answered => "answered",
            DocumentStatus::Empty => "empty",
            DocumentStatus::Partly => "partly",
            DocumentStatus::Failed => "failed",
            DocumentStatus::NotAsked => "not-asked",
        }
    }

    /// Whether all of it was answered.
    pub fn is_answered(self) -> bool {
        matches!(self, DocumentStatus::Answered | DocumentStatus::Empty)
    }
}

/// What became of a document, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DocumentOutcome {
    /// The document.
    pub name: String,
    /// What became of it.
    pub status: DocumentStatus,
    /// How many questions there were about it.
    pub questions: u64,
    /// How many mentions the answer has.
    pub mentions: u64,
    /// Why not all of it was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<LinkFailure>,
}

/// What comes out of a run.
#[derive(Debug)]
pub struct RunOutcome {
    /// What the linker says of each document, in the order of the documents.
    pub corpus: Corpus,
    /// What became of each of them.
    pub documents: Vec<DocumentOutcome>,
    /// What is remarkable about answers, and how often.
    pub counted: BTreeMap<String, u64>,
    /// Ways of counting that answers fit, where they do not fit the declared one, and how many answers.
    pub better_counting: BTreeMap<String, u64>,
    /// What it took.
    pub costs: RunCosts,
    /// Why the run ended before all was asked.
    pub stopped: Option<LinkFailure>,
}

/// Why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Its recording cannot be used.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// The linker does not do what it is asked for.
    #[error("{0}")]
    CannotDo(String),
}

/// Asks one linker.
pub struct Runner<'r> {
    linker: &'r dyn Linker,
    settings: RunSettings,
    recording: Option<&'r Recording>,
    kept: Vec<Exchange>,
    replays: bool,
}

impl<'r> Runner<'r> {
    /// A runner that keeps nothing.
    pub fn new(linker: &'r dyn Linker, settings: RunSettings) -> Runner<'r> {
        Runner { linker, settings, recording: None, kept: Vec::new(), replays: false }
    }

    /// Keeps every answer in a recording, and asks nothing that has a good answer there.
    #[must_use]
    pub fn recorded(mut self, recording: &'r Recording, there: Vec<Exchange>) -> Runner<'r> {
        self.recording = Some(recording);
        self.kept = there;
        self
    }

    /// Asks nobody: answers are those of a recording, and what it does not have is a failure.
    #[must_use]
    pub fn replayed(mut self, recorded: Vec<Exchange>) -> Runner<'r> {
        self.kept = recorded;
        self.replays = true;
        self
    }

    /// Asks about each document. `given` has the mentions of each, in the order of the documents, where the linker is to link
    /// these. All documents need texts; one without is asked nothing. Progress is told in documents.
    pub fn run(
        mut self,
        corpus: &Corpus,
        given: Option<&[Vec<Span>]>,
        watch: &Watch,
    ) -> Result<RunOutcome, RunError> {
        let info = self.linker.info();
        let way = self.way(given.is_some())?;
        let asking = Asking { cutting: Cutting::of(info), edits: &info.edits, way };
        let questions: Vec<Vec<Question<'_>>> = corpus
            .documents()
            .map(|document| {
                let given =
                    given.map(|given| given.get(document.index()).map_or(&[][..], Vec::as_slice));
                asking.questions(&document, given)
            })
            .collect();
        let asked: Vec<usize> = questions.iter().map(Vec::len).collect();
        let kept = KeptAnswers::of(std::mem::take(&mut self.kept));
        let concurrency = self.settings.concurrency.unwrap_or(info.concurrency).max(1);
        let rate = self.settings.rate.or(info.rate);
        let gate = Gate::new(concurrency, rate, self.settings.pause, watch.clone());
        let tally = Tally::new(self.settings.budget);
        let broken = Mutex::new(None);
        let batches = Batches::of(questions, info.batch);
        let settled = {
            let asker = Asker {
                runner: &self,
                corpus,
                asking: &asking,
                kept: &kept,
                gate: &gate,
                tally: &tally,
                broken: &broken,
            };
            asker.ask_all(&batches, self.threads(concurrency, batches.len()), watch)
        };
        if let Some(error) = broken.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error.into());
        }
        if let Some(recording) = self.recording {
            recording.sync()?;
        }
        let mut gathering = Gathering::new(info, &self.settings, corpus, given);
        settled.into_iter().for_each(|settled| gathering.add(settled));
        let Put { corpus, documents, counted, better } = gathering.finish(&asked);
        let is_cancelled = watch.is_cancelled();
        let cancelled = || LinkFailure::new(FailureKind::Cancelled, "the run was cancelled");
        let stopped = gate.stopped().or_else(|| is_cancelled.then(cancelled));
        let costs = tally.finish();
        Ok(RunOutcome { corpus, documents, counted, better_counting: better, costs, stopped })
    }

    /// How given mentions reach the linker.
    fn way(&self, are_given: bool) -> Result<Option<MentionsWay>, RunError> {
        let info = self.linker.info();
        if !are_given {
            return Ok(None);
        }
        let takes = |way: &MentionsWay| *way == MentionsWay::Filter || info.mentions.contains(way);
        match self.settings.way {
            Some(way) if takes(&way) => Ok(Some(way)),
            Some(way) => {
                let message = format!("`{}` does not take mentions as `{}`", info.name, way.name());
                Err(RunError::CannotDo(message))
            }
            None => Ok(Some(info.mentions.first().copied().unwrap_or(MentionsWay::Filter))),
        }
    }

    /// How given mentions reach the linker, for signatures: `own` where it finds them itself.
    pub fn mentions_name(&self, given: Option<&str>) -> Result<String, RunError> {
        let way = self.way(given.is_some())?;
        Ok(match (given, way) {
            (Some(given), Some(way)) => format!("{given}({})", way.name()),
            _ => "own".to_owned(),
        })
    }

    /// What a recording of the run begins with.
    pub fn head(
        &self,
        documents: impl Into<String>,
        given: Option<&str>,
    ) -> Result<RecordingHead, RunError> {
        let info = self.linker.info();
        Ok(RecordingHead {
            form: RecordingHead::FORM,
            linker: linker_signature(info),
            documents: documents.into(),
            mentions: self.mentions_name(given)?,
            split: Cutting::of(info).name(),
        })
    }

    /// How many threads ask. A linker of this process computes on them, others only wait.
    fn threads(&self, concurrency: usize, batches: usize) -> usize {
        let computing = std::thread::available_parallelism().map_or(1, usize::from);
        let most = match self.linker.wire() {
            Some(_) => MOST_THREADS,
            None => computing,
        };
        concurrency.min(most).min(batches).max(1)
    }
}

/// A linker with everything that its answers depend on: two with the same signature are the same linker.
pub fn linker_signature(info: &LinkerInfo) -> String {
    let settings = info.settings.iter().map(|(name, value)| format!("{name}={value}"));
    let version = info.version.iter().map(|version| format!("version={version}"));
    let parts: Vec<String> = version.chain(settings).collect();
    match parts.is_empty() {
        true => info.name.clone(),
        false => format!("{}({})", info.name, parts.join(",")),
    }
}

/// Questions in batches, taken one after the other.
struct Batches<'c> {
    batches: Vec<Mutex<Option<Vec<Question<'c>>>>>,
    next: AtomicUsize,
}

impl<'c> Batches<'c> {
    /// At most one question about a document is in a batch, because what is kept of a batch names documents.
    fn of(questions: Vec<Vec<Question<'c>>>, size: usize) -> Batches<'c> {
        let mut batches: Vec<Vec<Question<'c>>> = Vec::new();
        let mut open: Vec<Question<'c>> = Vec::new();
        for mut of_document in questions {
            match of_document.len() {
                1 => open.append(&mut of_document),
                _ => batches.extend(of_document.into_iter().map(|question| vec![question])),
            }
            if open.len() >= size.max(1) {
                batches.push(std::mem::take(&mut open));
            }
        }
        if !open.is_empty() {
            batches.push(open);
        }
        let batches = batches.into_iter().map(|batch| Mutex::new(Some(batch))).collect();
        Batches { batches, next: AtomicUsize::new(0) }
    }

    fn len(&self) -> usize {
        self.batches.len()
    }

    fn take(&self) -> Option<(usize, Vec<Question<'c>>)> {
        let at = self.next.fetch_add(1, Ordering::Relaxed);
        let batch = self.batches.get(at)?;
        let taken = batch.lock().unwrap_or_else(PoisonError::into_inner).take();
        Some((at, taken.unwrap_or_default()))
    }
}

impl<'r> Asker<'r> {
    /// Asks everything, on so many threads, and gives what came of it in the order of the batches.
    fn ask_all<'c>(
        &self,
        batches: &Batches<'c>,
        threads: usize,
        watch: &Watch,
    ) -> Vec<Settled<'c>> {
        let settled: Mutex<Vec<(usize, Vec<Settled<'c>>)>> = Mutex::new(Vec::new());
        let work = || {
            while let Some((at, batch)) = batches.take() {
                let documents = batch.len() as u64;
                let answers = self.ask(batch);
                settled.lock().unwrap_or_else(PoisonError::into_inner).push((at, answers));
                watch.advance(documents);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let mut settled = settled.into_inner().unwrap_or_else(PoisonError::into_inner);
        settled.sort_by_key(|(at, _)| *at);
        settled.into_iter().flat_map(|(_, answers)| answers).collect()
    }
}

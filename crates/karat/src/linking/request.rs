//! What can be asked of a linker.

use super::answer::{LinkedDocuments, LinkedOutput, LinkingAnswer};
use super::folder::{ANSWERS, RunFolder};
use super::linkers::make_linker;
use crate::convention::ConventionRequest;
use crate::conversion::ConversionRequest;
use crate::error::Error;
use crate::inputs::{
    Benchmark, Experiment, InputRequest, Inputs, ReadInput, ReadingRequest, Run, Shelf, counted,
};
use crate::notices;
use crate::outputs::check_is_no_input;
use crate::request::Request;
use crate::scoring::{EvaluationAnswer, EvaluationRequest};
use crate::work::Work;
use crate::written::{loss_notice, lost, write};
use karat_formats::Format;
use karat_linkers::recording::{RecordingError, read_recording};
use karat_linkers::runner::{RunError, RunOutcome, RunSettings, Runner, linker_signature};
use karat_linkers::{Linker, MentionsWay, RequestRate};
use karat_model::{Corpus, Digest, Hint, Notice, Role, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

/// Asks a linker about every document of a corpus.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinkingRequest {
    /// The linker: its name, or the path of a declaration, which ends in `.toml`. Empty where a program is given.
    pub linker: String,
    /// A program that reads questions and writes answers, a line each, with its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// The address of the service, if not the one that its declaration says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Settings of the linker.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, String>,
    /// The file of a knowledge base, for linkers that need one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kb: Option<String>,
    /// The documents, with gold annotations where the output is scored or mentions are given.
    pub input: InputRequest,
    /// The mentions that are to be linked: `gold`, or a file with annotations of the same documents. The linker finds mentions
    /// itself if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mentions: Option<String>,
    /// The folder where every answer is kept. A run that was interrupted goes on there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// A recording that answers instead of the linker: a file, or the folder of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<String>,
    /// Where the output is written as well: a file, a folder, or `-` for standard output.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The format of that; its ending decides if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// How the linker is asked.
    pub asking: LinkingSettings,
    /// How many documents may stay without an answer.
    pub allow_failures: FailuresAllowed,
    /// Whether the output is scored.
    pub scored: bool,
    /// By which measures; those of the preset if there are none.
    pub measures: Vec<String>,
    /// In which convention.
    pub convention: ConventionRequest,
    /// How the documents are read.
    pub reading: ReadingRequest,
}

/// How a linker is asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LinkingSettings {
    /// How given mentions reach the linker; the best way that it takes if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub way: Option<MentionsWay>,
    /// How many requests are sent at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrency: Option<usize>,
    /// How many requests are sent in a time, as `5/s`, `300/min` or `300 per 100s`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<String>,
    /// How often a question is asked that fails; five times if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// What may be spent, in the currency of the price of the linker.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<f64>,
    /// Whether offsets are moved that fit another way of counting than the declared one.
    pub repair_offsets: bool,
    /// The seed of whatever is random about the linker.
    pub seed: u64,
}

impl LinkingSettings {
    fn run(&self) -> Result<RunSettings, Error> {
        let rate = self.rate.as_deref().map(|text| {
            text.parse::<RequestRate>().map_err(|error| {
                Error::bad_request(
                    error.to_string(),
                    Hint::template("write {rate} as 5/s, 300/min or 300 per 100s"),
                )
            })
        });
        let defaults = RunSettings::default();
        Ok(RunSettings {
            way: self.way,
            concurrency: self.concurrency,
            rate: rate.transpose()?,
            attempts: self.attempts.unwrap_or(defaults.attempts).max(1),
            budget: self.budget,
            repair_offsets: self.repair_offsets,
            seed: self.seed,
            ..defaults
        })
    }
}

/// How many documents may stay without an answer: a number, or a share in percent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailuresAllowed {
    /// So many.
    Documents(u64),
    /// So many of a hundred.
    Percent(f64),
}

impl Default for FailuresAllowed {
    fn default() -> FailuresAllowed {
        FailuresAllowed::Documents(0)
    }
}

impl FailuresAllowed {
    /// Whether so many of all documents may stay without an answer.
    pub(super) fn allows(self, failed: u64, all: u64) -> bool {
        match self {
            FailuresAllowed::Documents(most) => failed <= most,
            FailuresAllowed::Percent(share) => failed as f64 <= all as f64 * share / 100.0,
        }
    }
}

impl std::str::FromStr for FailuresAllowed {
    type Err = Error;

    fn from_str(text: &str) -> Result<FailuresAllowed, Error> {
        let read = match text.strip_suffix('%') {
            Some(share) => share
                .parse()
                .ok()
                .filter(|share| (0.0..=100.0).contains(share))
                .map(FailuresAllowed::Percent),
            None => text.parse().ok().map(FailuresAllowed::Documents),
        };
        read.ok_or_else(|| {
            let message = format!("`{text}` is no number of documents");
            Error::bad_request(
                message,
                "write how many documents may fail, as 3, or what share, as 2%",
            )
        })
    }
}

impl Request for LinkingRequest {
    type Answer = LinkingAnswer;

    const NAME: &'static str = "linking";

    fn answer(&self, work: &Work) -> Result<LinkingAnswer, Error> {
        let settings = self.asking.run()?;
        let target = self.target()?;
        self.check(work)?;
        let read = self.reading.read_alone(&self.input, work)?;
        check_texts(&read)?;
        let mut told = read.notices.clone();
        let benchmark = Benchmark::of(read);
        let linker = make_linker(self, &benchmark.corpus, work)?;
        let given = self.given(&benchmark, &mut told, work)?;
        let outcome = self.run(linker.as_ref(), settings, &benchmark, given.as_deref(), work)?;
        let outcome = RunOutcome { corpus: outcome.corpus, ..outcome };
        told.extend(notices_of(linker.as_ref(), &outcome));
        let RunOutcome { corpus, documents, counted, better_counting, costs, stopped } = outcome;
        let corpus = Arc::new(corpus);
        let counts = LinkedDocuments::of(&documents);
        let scores = match self.scored {
            true => Some(self.score(linker.info().name.as_str(), benchmark, &corpus, work)?),
            false => None,
        };
        let mut answer = LinkingAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            linker: linker.info().name.clone(),
            signature: linker_signature(linker.info()),
            mentions: corpus.annotations().len() as u64,
            linked: corpus.annotations().iter().filter(|one| one.link.entity().is_some()).count()
                as u64,
            nil: corpus.annotations().iter().filter(|one| one.link.is_nil()).count() as u64,
            passes: self.allow_failures.allows(counts.unanswered(), counts.all())
                && stopped.is_none(),
            documents: counts,
            unanswered: documents.into_iter().filter(|one| !one.status.is_answered()).collect(),
            counted,
            better_counting,
            costs,
            stopped,
            scores,
            written: None,
            folder: None,
            notices: told,
        };
        if let Some(folder) = &self.folder {
            RunFolder::new(folder).finish(&corpus, &answer, work)?;
            answer.folder = Some(folder.clone());
        }
        if let (Some(output), Some(format)) = (&self.output, target) {
            answer.written =
                Some(write_output(&corpus, format, output, &mut answer.notices, work)?);
        }
        answer.notices.extend(answer.kept(self.replay.is_some()));
        Ok(answer)
    }
}

impl LinkingRequest {
    /// Whatever can be wrong is told before anybody is asked, which may take hours and cost money.
    fn check(&self, work: &Work) -> Result<(), Error> {
        if let Some(output) = &self.output {
            let answers = |folder: &String| Path::new(folder).join(ANSWERS).display().to_string();
            let recordings: Vec<String> =
                [&self.replay, &self.folder].into_iter().flatten().map(answers).collect();
            let read = [&self.mentions, &self.kb, &self.replay].into_iter().flatten();
            let read = read.chain([&self.input.path]).chain(&recordings);
            check_is_no_input(output, read.map(String::as_str))?;
        }
        if let Some(folder) = &self.folder {
            RunFolder::new(folder).check()?;
        }
        if self.scored {
            self.evaluation().scoring(work, &mut Vec::new())?;
        }
        Ok(())
    }

    /// How the output is scored, without what it is scored against.
    fn evaluation(&self) -> EvaluationRequest {
        EvaluationRequest {
            measures: self.measures.clone(),
            convention: self.convention.clone(),
            ..EvaluationRequest::default()
        }
    }

    /// The format of the output, where one is written.
    fn target(&self) -> Result<Option<&'static dyn Format>, Error> {
        let Some(output) = &self.output else { return Ok(None) };
        let (output, to) = (output.clone(), self.to.clone());
        ConversionRequest { output, to, ..ConversionRequest::default() }.target(&[]).map(Some)
    }

    /// The mentions that are to be linked, for each document.
    fn given(
        &self,
        benchmark: &Benchmark,
        told: &mut Vec<Notice>,
        work: &Work,
    ) -> Result<Option<Vec<Vec<Span>>>, Error> {
        let Some(mentions) = &self.mentions else { return Ok(None) };
        if mentions == "gold" {
            let spans = spans_of(&benchmark.corpus, &benchmark.corpus, Role::Gold);
            check_inside(&benchmark.corpus, &spans, &benchmark.name)?;
            return Ok(Some(spans));
        }
        let read = self.reading.read_alone(&InputRequest::parse(mentions), work)?;
        let spans = spans_of(&benchmark.corpus, &read.outcome.corpus, Role::System);
        if spans.iter().all(Vec::is_empty) {
            let message =
                format!("`{mentions}` has no mentions of the documents of `{}`", benchmark.name);
            return Err(Error::bad_request(message, "the documents of both need the same names"));
        }
        check_inside(&benchmark.corpus, &spans, mentions)?;
        told.extend(unknown_documents(benchmark, &read.outcome.corpus, mentions));
        Ok(Some(spans))
    }

    fn run(
        &self,
        linker: &dyn Linker,
        settings: RunSettings,
        benchmark: &Benchmark,
        given: Option<&[Vec<Span>]>,
        work: &Work,
    ) -> Result<RunOutcome, Error> {
        let corpus = &benchmark.corpus;
        let runner = Runner::new(linker, settings);
        // Spans are part of what is asked, so that other spans under one name are no answer.
        let name = self.mentions.as_ref().map(|_| match self.mentions.as_deref() {
            Some("gold") => "gold",
            _ => "given",
        });
        let head = runner.head(fingerprint(corpus, given), name).map_err(run_error)?;
        let mut recording = None;
        let runner = match (&self.replay, &self.folder) {
            (Some(replay), _) => {
                runner.replayed(read_recording(Path::new(replay)).map_err(recording_error)?.1)
            }
            (None, Some(folder)) => {
                let (opened, there) = RunFolder::new(folder).open(&head)?;
                runner.recorded(recording.insert(opened), there)
            }
            (None, None) => runner,
        };
        work.begin("asking", corpus.len() as u64)?;
        let watch = work.watch();
        let outcome = work.install(|| runner.run(corpus, given, &watch)).map_err(run_error)?;
        // What was answered is in the recording; half an output would look like a whole one.
        work.check()?;
        Ok(outcome)
    }

    fn score(
        &self,
        name: &str,
        benchmark: Benchmark,
        corpus: &Arc<Corpus>,
        work: &Work,
    ) -> Result<EvaluationAnswer, Error> {
        let run = Run { name: name.to_owned(), source: String::new(), corpus: Arc::clone(corpus) };
        let gold = vec![InputRequest::held(&benchmark.name)];
        let systems = vec![InputRequest::held(name)];
        let mut shelf = Shelf::default();
        shelf.add(Experiment { benchmark, runs: vec![run] }, Vec::new());
        let request = EvaluationRequest {
            inputs: Inputs { gold, systems, ..Inputs::default() },
            ..self.evaluation()
        };
        request.answer(&Work { shelf: Some(Arc::new(shelf)), ..work.clone() })
    }
}

/// A linker is asked about texts.
fn check_texts(read: &ReadInput) -> Result<(), Error> {
    let corpus = &read.outcome.corpus;
    match corpus.documents().find(|document| document.text().is_none()) {
        None if corpus.is_empty() => Err(Error::bad_request(
            format!("`{}` has no documents", read.name),
            "name a corpus with texts",
        )),
        None => Ok(()),
        Some(document) => Err(Error::bad_request(
            format!("document `{}` of `{}` has no text to ask about", document.name(), read.name),
            Hint::template("give the texts with {documents}"),
        )),
    }
}

/// The spans of the mentions of one side, for each document, each once and in order.
fn spans_of(documents: &Corpus, annotated: &Corpus, side: Role) -> Vec<Vec<Span>> {
    let of_document = |name: &str| {
        let mentions =
            annotated.document(name).into_iter().flat_map(|document| document.mentions());
        let spans = mentions.filter(|mention| side.plays(mention.flags())).map(|one| one.span());
        let mut spans: Vec<Span> = spans.filter(|span| !span.is_empty()).collect();
        spans.sort_unstable();
        spans.dedup();
        spans
    };
    documents.documents().map(|document| of_document(document.name())).collect()
}

/// Given mentions lie within the texts, or the linker would never be asked about them.
fn check_inside(documents: &Corpus, given: &[Vec<Span>], name: &str) -> Result<(), Error> {
    for (document, spans) in documents.documents().zip(given) {
        // Spans are in order of their starts, so that any may end last.
        let end = spans.iter().map(|span| span.end).max().unwrap_or_default();
        let length = document.text().unwrap_or_default().chars().count();
        if end as usize > length {
            return Err(Error::bad_request(
                format!(
                    "a mention of `{name}` in document `{}` ends at {end}, and its text has {length} characters",
                    document.name()
                ),
                "give mentions of the same texts",
            ));
        }
    }
    Ok(())
}

/// Documents with mentions that nobody is asked about.
fn unknown_documents(benchmark: &Benchmark, given: &Corpus, name: &str) -> Option<Notice> {
    let asked = &benchmark.corpus;
    let mut unknown = given.documents().filter(|one| asked.document(one.name()).is_none());
    let first = unknown.next()?.name();
    let message = format!(
        "`{name}` has {} that `{}` does not know, as `{first}`; nothing is asked about them",
        counted(unknown.count() + 1, "document"),
        benchmark.name
    );
    Some(notices::UNKNOWN_DOCUMENTS.notice(message).about(name))
}

/// What is asked about, as a digest: names, texts and given mentions, and nothing of what gold links to.
fn fingerprint(corpus: &Corpus, given: Option<&[Vec<Span>]>) -> String {
    let mut pieces: Vec<Vec<u8>> = Vec::new();
    for document in corpus.documents() {
        for text in [document.name(), document.text().unwrap_or_default()] {
            pieces.push(text.as_bytes().to_vec());
        }
        let spans = given.and_then(|given| given.get(document.index()));
        let spans = spans.into_iter().flatten();
        pieces.push(
            spans.flat_map(|span| [span.start, span.end]).flat_map(u32::to_le_bytes).collect(),
        );
    }
    Digest::of_pieces(pieces.iter().map(Vec::as_slice)).short()
}

fn write_output(
    corpus: &Corpus,
    format: &'static dyn Format,
    output: &str,
    told: &mut Vec<Notice>,
    work: &Work,
) -> Result<LinkedOutput, Error> {
    let name = format.info().name;
    let (left, loss) = corpus.restricted(&format.info().keeps);
    write(&left, format, output, None, work)?;
    told.extend(loss_notice(name, &loss));
    Ok(LinkedOutput { path: output.to_owned(), format: name.to_owned(), lost: lost(&loss) })
}

/// What has to be known beside the numbers of a run.
fn notices_of(linker: &dyn Linker, outcome: &RunOutcome) -> Vec<Notice> {
    let name = &linker.info().name;
    let mut told = Vec::new();
    let all = outcome.documents.len();
    let empty = outcome.documents.iter().filter(|document| document.mentions == 0).count();
    let unanswered = outcome.documents.iter().filter(|document| !document.status.is_answered());
    let first = unanswered.clone().find_map(|document| {
        let failure = document.failure.as_ref()?;
        Some(format!("; `{}`: {}", document.name, failure.message))
    });
    let count = unanswered.count();
    if count > 0 {
        let first = first.unwrap_or_default();
        let message = format!(
            "`{name}` did not answer for {count} of {all} documents, which count as empty{first}"
        );
        told.push(notices::UNANSWERED_DOCUMENTS.notice(message).about(name));
    } else if empty * 2 > all {
        let message = format!("`{name}` finds nothing in {empty} of {all} documents");
        told.push(notices::EMPTY_ANSWERS.notice(message).about(name));
    }
    for (way, answers) in &outcome.better_counting {
        let message = format!(
            "the surfaces of {answers} of the answers of `{name}` do not stand at their offsets, and would with {way}"
        );
        let hint = Hint::template("say so in its declaration, or move them with {repair-offsets}");
        told.push(notices::OFFSETS_OF_LINKER.notice(message).about(name).hint(hint));
    }
    told
}

pub(super) fn run_error(error: RunError) -> Error {
    match error {
        RunError::Recording(error) => recording_error(error),
        RunError::CannotDo(message) => {
            Error::bad_request(message, "`karat linkers NAME` says how it takes mentions")
        }
    }
}

pub(super) fn recording_error(error: RecordingError) -> Error {
    let hint = match &error {
        RecordingError::Locked { .. } => "wait for it to end, or name another folder",
        RecordingError::Other { .. } => "name another folder for this run",
        RecordingError::Damaged { .. } => "name a recording of karat, or another folder",
        RecordingError::Io { .. } => "check that the folder can be written to",
    };
    Error::refused(&notices::BAD_RECORDING, error.to_string(), hint)
}

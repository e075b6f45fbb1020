//! The job that reads what was sent: checks it, settles it, keeps it and scores it.

use super::archive::{is_zip, unzip};
use super::intake::new_corpus;
use super::upload::UploadForm;
use super::{IntakeError, Workspace};
use crate::library::{CorpusFindings, EvaluationId};
use karat::convention::ConventionRequest;
use karat::counts::CountsRequest;
use karat::error::Error;
use karat::formats::{Input, Source, UnpackBudget};
use karat::inputs::{Benchmark, Experiment, Run, SentFiles, Shelf, read_canonical};
use karat::model::Notice;
use karat::request::Request;
use karat::work::Work;
use karat_store::{
    CorpusOf, CorpusSide, JobEnd, JobOutcome, JobRow, NewEvaluation, StoreError, Submitted,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// What came out of a job that read something.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReadResult {
    /// The id of the run, if one was sent.
    pub run: Option<String>,
    /// The id of the edition, if gold was sent.
    pub edition: Option<String>,
    /// The formats that were recognised.
    pub formats: String,
    /// How many documents there are.
    pub documents: usize,
    /// How many annotations.
    pub annotations: usize,
    /// What has to be known.
    pub notices: Vec<Notice>,
}

/// Why a job came to nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct JobProblem {
    /// In one sentence.
    pub title: String,
    /// Located problems.
    pub notices: Vec<Notice>,
}

impl JobProblem {
    fn of(error: &Error) -> JobProblem {
        JobProblem { title: "This cannot be read.".to_owned(), notices: vec![error.notice()] }
    }

    pub(super) fn said(title: impl Into<String>) -> JobProblem {
        JobProblem { title: title.into(), notices: Vec::new() }
    }

    pub(super) fn end(&self) -> JobEnd {
        JobEnd::Failed(serde_json::to_string(self).unwrap_or_default())
    }
}

/// How a job ended, if not well.
enum Ended {
    Badly(JobProblem),
    Cancelled,
    /// The store did not answer: the job is given back and tried again.
    Store(StoreError),
}

impl From<Error> for Ended {
    fn from(error: Error) -> Ended {
        match error {
            Error::Cancelled => Ended::Cancelled,
            error => Ended::Badly(JobProblem::of(&error)),
        }
    }
}

impl From<StoreError> for Ended {
    fn from(error: StoreError) -> Ended {
        Ended::Store(error)
    }
}

impl From<IntakeError> for Ended {
    fn from(error: IntakeError) -> Ended {
        match error {
            IntakeError::Corpus(error) => error.into(),
            IntakeError::Store(error) => error.into(),
        }
    }
}

/// Does a job that reads. An error is one of the store.
pub(super) fn read(
    workspace: &Workspace,
    job: &JobRow,
    work: &Work,
) -> Result<JobOutcome, StoreError> {
    match outcome(workspace, job, work) {
        Ok(outcome) => Ok(outcome),
        Err(Ended::Badly(problem)) => Ok(JobOutcome::of(problem.end())),
        Err(Ended::Cancelled) => Ok(JobOutcome::of(JobEnd::Cancelled)),
        Err(Ended::Store(error)) => Err(error),
    }
}

fn outcome(workspace: &Workspace, job: &JobRow, work: &Work) -> Result<JobOutcome, Ended> {
    let form: UploadForm = serde_json::from_str(&job.input)
        .map_err(|_| Ended::Badly(JobProblem::said("The job does not say what was sent.")))?;
    let sent = workspace.wait(workspace.store().submission_of(&job.id))?;
    work.begin("unpacking", 0)?;
    let files = files(workspace, &form, &sent)?;
    match (&sent.run, &sent.edition) {
        (Some(run), _) => read_run(workspace, run, &sent, files, &form, work),
        (None, Some(edition)) => read_gold(edition, &sent, files, &form, work),
        (None, None) => Err(Ended::Badly(JobProblem::said("Nothing was sent."))),
    }
}

/// The files that were sent, unpacked from an archive.
fn files(workspace: &Workspace, form: &UploadForm, sent: &Submitted) -> Result<Input, Ended> {
    let digest = sent.upload.as_deref().unwrap_or_default();
    let bytes = workspace.wait(workspace.store().file_bytes(digest))?;
    let budget = Arc::new(UnpackBudget::of(bytes.len() as u64));
    if !is_zip(&bytes) {
        let name = form.files.first().map_or("file", String::as_str);
        return Ok(Source::memory(name, bytes).within(&budget).into());
    }
    let files = unzip(&bytes, &budget)
        .map_err(|error| Ended::Badly(JobProblem::said(error.to_string())))?;
    Ok(files.into_iter().map(|(name, bytes)| Source::memory(name, bytes).within(&budget)).collect())
}

fn sent_files(name: &str, files: Input, form: &UploadForm) -> SentFiles {
    let format = Some(form.format.clone()).filter(|format| !format.is_empty());
    SentFiles { name: name.to_owned(), files, format }
}

fn read_gold(
    edition: &str,
    sent: &Submitted,
    files: Input,
    form: &UploadForm,
    work: &Work,
) -> Result<JobOutcome, Ended> {
    let name = if form.new_benchmark.is_empty() { &form.benchmark } else { &form.new_benchmark };
    let read = sent_files(name, files, form).read_gold(work)?;
    let findings = CorpusFindings {
        offsets: read.read.kept_offsets(),
        source: form.files.join(", "),
        notices: read.notices.clone(),
    };
    work.begin("keeping", 0)?;
    let corpus = &read.read.corpus;
    let kept = new_corpus(corpus, CorpusSide::Gold, &read.formats, &findings, sent.upload.clone())?;
    let counts = corpus.statistics();
    let result = ReadResult {
        edition: Some(edition.to_owned()),
        formats: read.formats,
        documents: counts.documents,
        annotations: counts.annotations,
        notices: read.notices,
        ..ReadResult::default()
    };
    work.check()?;
    let corpus = Some((kept, CorpusOf::Edition(edition.to_owned())));
    Ok(JobOutcome { corpus, ..JobOutcome::of(done(&result)) })
}

fn read_run(
    workspace: &Workspace,
    run: &str,
    sent: &Submitted,
    files: Input,
    form: &UploadForm,
    work: &Work,
) -> Result<JobOutcome, Ended> {
    let (gold, gold_digest) = gold_of(workspace, run)?;
    let name = if form.new_system.is_empty() { &form.system } else { &form.new_system };
    let read = sent_files(name, files, form).read_run(&gold, work)?;
    let findings = CorpusFindings {
        source: form.files.join(", "),
        notices: read.notices.clone(),
        ..CorpusFindings::default()
    };
    work.begin("keeping", 0)?;
    let corpus = &read.read.corpus;
    let kept = new_corpus(corpus, CorpusSide::Run, &read.formats, &findings, sent.upload.clone())?;
    let counts = corpus.statistics();
    let mut result = ReadResult {
        run: Some(run.to_owned()),
        formats: read.formats,
        documents: counts.documents,
        annotations: counts.annotations,
        notices: read.notices,
        ..ReadResult::default()
    };
    let evaluations = match scored(&gold, &read.read, (&gold_digest, &kept.digest), work) {
        Ok(evaluations) => evaluations,
        Err(Error::Cancelled) => return Err(Ended::Cancelled),
        // What cannot be scored as usual can still be looked at, and scored otherwise.
        Err(error) => {
            result.notices.push(error.notice());
            Vec::new()
        }
    };
    let corpus = Some((kept, CorpusOf::Run(run.to_owned())));
    Ok(JobOutcome { corpus, evaluations, ..JobOutcome::of(done(&result)) })
}

fn done(result: &ReadResult) -> JobEnd {
    JobEnd::Done(serde_json::to_string(result).unwrap_or_default())
}

/// The gold that a run was sent for, and its digest.
fn gold_of(workspace: &Workspace, run: &str) -> Result<(Benchmark, String), Ended> {
    let store = workspace.store();
    let (edition, benchmark) = workspace.wait(async {
        let run = store.run(run).await?;
        let edition = store.edition(&run.edition).await?;
        let benchmark = store.benchmark(&edition.benchmark).await?;
        Ok::<_, StoreError>((edition, benchmark))
    })?;
    let Some(digest) = edition.corpus else {
        let title = "The gold standard of this benchmark was not read: send it again first.";
        return Err(Ended::Badly(JobProblem::said(title)));
    };
    let (row, lines) = workspace.wait(async {
        Ok::<_, StoreError>((store.corpus(&digest).await?, store.corpus_lines(&digest).await?))
    })?;
    let findings: CorpusFindings = serde_json::from_str(&row.findings).unwrap_or_default();
    let corpus = read_canonical(&benchmark.title, lines)?;
    Ok((Benchmark::kept(&benchmark.title, corpus, &findings.offsets), digest))
}

/// The measures that boards and the page of a run show if nothing else is asked: counted when a run comes, so that
/// nobody waits for them.
const SHOWN_FIRST: [&[&str]; 2] = [&["link"], &[]];

/// The evaluations of a run under the usual convention.
fn scored(
    gold: &Benchmark,
    run: &Run,
    (gold_digest, run_digest): (&str, &str),
    work: &Work,
) -> Result<Vec<NewEvaluation>, Error> {
    let mut shelf = Shelf::default();
    shelf.add(Experiment { benchmark: gold.clone(), runs: vec![run.clone()] }, Vec::new());
    let work = Work { shelf: Some(Arc::new(shelf)), ..work.clone() };
    let mut evaluations = Vec::new();
    for measures in SHOWN_FIRST {
        let measures: Vec<String> = measures.iter().map(|name| (*name).to_owned()).collect();
        let convention = ConventionRequest::default();
        let request = CountsRequest::of_run(&gold.name, &run.name, &convention, &measures);
        let counts = request.answer(&work)?;
        work.check()?;
        let id = EvaluationId::of(&request, gold_digest, run_digest);
        evaluations.extend(id.with_counts(&counts));
    }
    Ok(evaluations)
}

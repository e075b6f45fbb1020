//! What a form of an upload says, and how it becomes a submission.

use super::Workspace;
use super::intake::store_slug;
use super::spool::{Spool, SpoolError};
use crate::access::{Act, Visitor};
use karat::error::Error;
use karat::model::Notice;
use karat_store::{
    BenchmarkRow, EVERYTHING, EditionRow, NewBenchmark, NewEdition, NewJob, NewRun, NewSystem,
    OnceBegun, StoreError, Submission, SubmissionKind, Submitted,
};
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;

/// The kind of job that reads what was sent.
pub(crate) const READ_JOB: &str = "read";

/// The fields of the form, as they were filled in. The job keeps them, so that a form that did not work out can
/// be shown again with everything in its place.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UploadForm {
    /// `run`, or `gold`.
    pub what: String,
    /// The benchmark, by its name in addresses, with or without its edition.
    pub benchmark: String,
    /// The title of a new benchmark.
    pub new_benchmark: String,
    /// The system, by its name in addresses.
    pub system: String,
    /// The title of a new system.
    pub new_system: String,
    /// What tells a run from others of its system; the name of an edition.
    pub label: String,
    /// How long the system took.
    pub seconds: String,
    /// What else there is to say.
    pub note: String,
    /// The format, if it is not to be recognised.
    pub format: String,
    /// Whether texts and cases of a new benchmark are for organisers only.
    pub hidden: String,
    /// The text that was pasted. It is not kept with the job: the file has it.
    #[serde(skip)]
    pub text: String,
    /// The names of the files.
    pub files: Vec<String>,
}

/// Why an upload was not accepted.
#[derive(Debug)]
pub(crate) enum UploadRefused {
    /// Something is missing or wrong in the form.
    Form(Box<Notice>),
    /// It is too large.
    TooLarge,
    /// The store did not take it.
    Store(StoreError),
    /// The disk for temporary files is full.
    Full,
    /// The server cannot take uploads now.
    Failed(String),
}

impl From<StoreError> for UploadRefused {
    fn from(error: StoreError) -> UploadRefused {
        UploadRefused::Store(error)
    }
}

impl From<SpoolError> for UploadRefused {
    fn from(error: SpoolError) -> UploadRefused {
        match error {
            SpoolError::TooLarge => UploadRefused::TooLarge,
            SpoolError::Store(error) => UploadRefused::Store(error),
            SpoolError::Disk(error) if error.kind() == ErrorKind::StorageFull => {
                UploadRefused::Full
            }
            SpoolError::Disk(_) => UploadRefused::Failed(error.to_string()),
        }
    }
}

fn wrong(message: &str, hint: &str) -> UploadRefused {
    UploadRefused::Form(Box::new(Error::bad_request(message, hint.to_owned()).notice()))
}

impl UploadForm {
    /// Sets a field by its name in the form; names that nothing has are passed over.
    pub(crate) fn set(&mut self, name: &str, value: String) {
        let field = match name {
            "what" => &mut self.what,
            "benchmark" => &mut self.benchmark,
            "new_benchmark" => &mut self.new_benchmark,
            "system" => &mut self.system,
            "new_system" => &mut self.new_system,
            "label" => &mut self.label,
            "seconds" => &mut self.seconds,
            "note" => &mut self.note,
            "format" => &mut self.format,
            "hidden" => &mut self.hidden,
            _ => return,
        };
        *field = value.trim().to_owned();
    }

    /// Whether gold was sent.
    pub fn is_gold(&self) -> bool {
        self.what == "gold"
    }

    fn seconds(&self) -> Result<Option<f64>, UploadRefused> {
        match self.seconds.as_str() {
            "" => Ok(None),
            text => match text.parse::<f64>() {
                Ok(seconds) if seconds >= 0.0 && seconds.is_finite() => Ok(Some(seconds)),
                _ => Err(wrong(
                    &format!("`{text}` is no number of seconds"),
                    "write a number as 12.5, or leave the field empty",
                )),
            },
        }
    }
}

impl Workspace {
    /// Accepts an upload: files, run or edition, and the job that reads them, all of it or nothing. The answer to a
    /// request with a key (`once`) is kept with it.
    pub(crate) async fn submit_upload(
        &self,
        visitor: &Visitor,
        form: &UploadForm,
        spool: Spool,
        once: Option<OnceBegun>,
    ) -> Result<Submitted, UploadRefused> {
        if spool.names().is_empty() {
            return Err(wrong("there is no file", "choose a file, or paste its text"));
        }
        let by = visitor.by();
        let (what, limited) = match form.is_gold() {
            true => (self.new_edition(visitor, form).await?, false),
            false => self.new_run(visitor, form).await?,
        };
        let upload = spool.stage(self.store()).await?;
        let input = serde_json::to_string(form)
            .map_err(|error| UploadRefused::Failed(format!("the form cannot be kept: {error}")))?;
        let job = NewJob { kind: READ_JOB.to_owned(), input, person: by.person.clone() };
        let submission =
            Submission { upload: Some(upload), corpus: None, what, job: Some(job), once, limited };
        match self.store().submit(&by, &submission).await {
            Ok(done) => {
                self.wake_worker();
                Ok(done)
            }
            Err(error) => {
                // What was refused takes no room; if this fails, the sweep takes it in a day.
                if let Some(file) = &submission.upload {
                    let _ = self.store().discard_file(file).await;
                }
                Err(error.into())
            }
        }
    }

    async fn new_edition(
        &self,
        visitor: &Visitor,
        form: &UploadForm,
    ) -> Result<SubmissionKind, UploadRefused> {
        let title = &form.new_benchmark;
        let name = if title.is_empty() { form.benchmark.clone() } else { store_slug(title) };
        if name.is_empty() {
            return Err(wrong(
                "no benchmark is named",
                "choose one to add an edition, or give a new one a name",
            ));
        }
        let known = self.known_benchmark(name.split('@').next().unwrap_or_default()).await?;
        let object = known.as_ref().map_or(EVERYTHING, |(row, _)| row.id.as_str());
        if !visitor.may(Act::Organise, object) {
            return Err(wrong(
                "gold is sent by those who organise a benchmark",
                "ask somebody who does",
            ));
        }
        // A benchmark without an edition is what is left of an upload that could not be read.
        if !title.is_empty() && known.as_ref().is_some_and(|(_, editions)| !editions.is_empty()) {
            return Err(wrong(
                &format!("there is a benchmark {name} already"),
                "choose it in the list to add an edition, or take another name",
            ));
        }
        let editions = known.as_ref().map(|(_, editions)| editions.as_slice()).unwrap_or_default();
        let label = match form.label.is_empty() {
            true => next_label(editions),
            false => form.label.clone(),
        };
        let edition = NewEdition {
            benchmark: known.as_ref().map(|(row, _)| row.id.clone()).unwrap_or_default(),
            label,
            note: form.note.clone(),
            follows: editions.first().map(|edition| edition.id.clone()),
            corpus: None,
        };
        let benchmark = match &known {
            Some(_) => None,
            None if title.is_empty() => {
                return Err(wrong(
                    &format!("there is no benchmark {name}"),
                    "choose one of the list",
                ));
            }
            None => Some(NewBenchmark {
                slug: name,
                title: title.clone(),
                visible: true,
                gold_hidden: !form.hidden.is_empty(),
                ..NewBenchmark::default()
            }),
        };
        Ok(SubmissionKind::Edition(edition, benchmark))
    }

    /// The run, and whether the quota of its benchmark holds for who sends it.
    async fn new_run(
        &self,
        visitor: &Visitor,
        form: &UploadForm,
    ) -> Result<(SubmissionKind, bool), UploadRefused> {
        let seconds = form.seconds()?;
        let (slug, label) = match form.benchmark.split_once('@') {
            Some((slug, label)) => (slug, Some(label)),
            None => (form.benchmark.as_str(), None),
        };
        let known = self.known_benchmark(slug).await?;
        // What one may not send to is not there.
        let known = known.filter(|(row, _)| visitor.may(Act::Submit, &row.id));
        let Some((benchmark, editions)) = known else {
            return Err(wrong(
                "no benchmark is chosen",
                "choose the one that the system was run on; gold is sent first",
            ));
        };
        let is_meant = |edition: &&EditionRow| label.is_none_or(|label| edition.label == label);
        let Some(edition) = editions.iter().find(is_meant) else {
            return Err(wrong(
                &format!("{} has no such edition", form.benchmark),
                "choose one of the list",
            ));
        };
        let slug = match form.new_system.is_empty() {
            true => form.system.clone(),
            false => store_slug(&form.new_system),
        };
        if slug.is_empty() {
            return Err(wrong("no system is named", "choose one, or give a new one a name"));
        }
        let system = match self.store().system(&slug).await {
            Ok(system) => Some(system),
            Err(StoreError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let title = if form.new_system.is_empty() { &form.system } else { &form.new_system };
        let new_system = system.is_none().then(|| NewSystem {
            slug: slug.clone(),
            title: title.clone(),
            owner: visitor.person().map(|person| person.id.clone()),
            ..NewSystem::default()
        });
        let run = NewRun {
            system: slug,
            edition: edition.id.clone(),
            label: form.label.clone(),
            note: form.note.clone(),
            seconds,
            visible: true,
            ..NewRun::default()
        };
        let limited = !visitor.may(Act::Organise, &benchmark.id);
        Ok((SubmissionKind::Run(run, new_system), limited))
    }

    async fn known_benchmark(
        &self,
        slug: &str,
    ) -> Result<Option<(BenchmarkRow, Vec<EditionRow>)>, UploadRefused> {
        match self.store().benchmark(slug).await {
            Ok(row) => {
                let editions = self.store().editions(&row.id).await?;
                Ok(Some((row, editions)))
            }
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// The number after those that editions have.
pub(super) fn next_label(editions: &[EditionRow]) -> String {
    let numbers = editions.iter().filter_map(|edition| edition.label.parse::<u64>().ok());
    numbers.max().map_or(editions.len() as u64 + 1, |most| most + 1).to_string()
}

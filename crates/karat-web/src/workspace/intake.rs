//! Taking corpora into a workspace.

use super::Workspace;
use crate::address::slug;
use crate::library::CorpusFindings;
use crate::refusal::Refusal;
use karat::error::Error;
use karat::inputs::{Benchmark, Experiment, Run, canonical_lines};
use karat::model::{Corpus, Notice};
use karat_store::{
    By, CorpusSide, FrameWriter, ListFrom, NewBenchmark, NewCorpus, NewDocument, NewEdition,
    NewRun, NewSystem, RunFilter, StoreError, Submission, SubmissionKind, sha256,
};

/// Why a corpus was not taken in.
#[derive(Debug, thiserror::Error)]
pub enum IntakeError {
    /// The corpus cannot be kept as it is.
    #[error("{0}")]
    Corpus(#[from] Error),
    /// The store did not take it.
    #[error("{0}")]
    Store(#[from] StoreError),
}

impl From<IntakeError> for Refusal {
    fn from(error: IntakeError) -> Refusal {
        match error {
            IntakeError::Corpus(error) => error.into(),
            IntakeError::Store(error) => error.into(),
        }
    }
}

/// How many things were taken in, and how many were there already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TakenIn {
    /// New editions of benchmarks.
    pub editions: usize,
    /// New runs.
    pub runs: usize,
    /// Editions and runs that were there with the same content.
    pub known: usize,
}

/// Everything about a corpus that a store keeps. `upload` is the digest of the file as it was sent.
pub fn new_corpus(
    corpus: &Corpus,
    side: CorpusSide,
    format: &str,
    findings: &CorpusFindings,
    upload: Option<String>,
) -> Result<NewCorpus, IntakeError> {
    let mut content = FrameWriter::default();
    let lines = canonical_lines(corpus)?;
    for line in &lines {
        content.push(line)?;
    }
    let described = |document: karat::model::Document<'_>| NewDocument {
        name: document.name().to_owned(),
        title: document.attribute("title").unwrap_or_default().to_owned(),
        language: document.language().unwrap_or_default().to_owned(),
        characters: document.text().map_or(0, |text| text.chars().count()) as i64,
        mentions: document.mentions().count() as i64,
    };
    let counts = corpus.statistics();
    Ok(NewCorpus {
        digest: sha256(&lines.concat()),
        side,
        upload,
        format: format.to_owned(),
        annotations: counts.annotations as i64,
        linked: counts.linked as i64,
        nil: counts.nil as i64,
        findings: serde_json::to_string(findings).unwrap_or_default(),
        documents: corpus.documents().map(described).collect(),
        content: content.finish()?,
    })
}

/// A name as the store takes it: ASCII letters, digits and hyphens, and no more than 60 of them.
pub fn store_slug(name: &str) -> String {
    let plain: String = slug(name).chars().filter(char::is_ascii).collect();
    let plain = plain.trim_matches(['-', '.', '_']).replace("..", ".");
    match plain.is_empty() {
        true => "x".to_owned(),
        false => plain,
    }
}

impl Workspace {
    /// Takes in a benchmark with its runs. What is there with the same content stays as it is, so that the same files
    /// can be given again: a gold standard that differs becomes a new edition, an output that differs a new
    /// run.
    pub fn take_in(
        &self,
        by: &By,
        experiment: &Experiment,
        notices: &[Notice],
    ) -> Result<TakenIn, IntakeError> {
        let mut taken = TakenIn::default();
        let edition = self.take_in_gold(by, &experiment.benchmark, notices, &mut taken)?;
        for run in &experiment.runs {
            self.take_in_run(by, &edition, run, notices, &mut taken)?;
        }
        Ok(taken)
    }

    /// The id of the edition that has this gold.
    fn take_in_gold(
        &self,
        by: &By,
        benchmark: &Benchmark,
        notices: &[Notice],
        taken: &mut TakenIn,
    ) -> Result<String, IntakeError> {
        let offsets = benchmark.kept_offsets();
        let findings = CorpusFindings {
            notices: notices_about(notices, &benchmark.name),
            source: String::new(),
            offsets: offsets.clone(),
        };
        let gold = CorpusSide::Gold;
        let corpus = new_corpus(&benchmark.corpus, gold, &offsets.formats, &findings, None)?;
        let slug = store_slug(&benchmark.name);
        let store = self.store();
        let known = match self.wait(store.benchmark(&slug)) {
            Ok(known) => Some(known),
            Err(StoreError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let editions = match &known {
            Some(known) => self.wait(store.editions(&known.id))?,
            None => Vec::new(),
        };
        let same = editions.iter().find(|it| it.corpus.as_deref() == Some(&corpus.digest));
        if let Some(edition) = same {
            taken.known += 1;
            return Ok(edition.id.clone());
        }
        let new = NewEdition {
            benchmark: known.as_ref().map(|known| known.id.clone()).unwrap_or_default(),
            label: (editions.len() + 1).to_string(),
            follows: editions.first().map(|edition| edition.id.clone()),
            ..NewEdition::default()
        };
        let new_benchmark = known.is_none().then(|| NewBenchmark {
            slug,
            title: benchmark.name.clone(),
            visible: true,
            ..NewBenchmark::default()
        });
        let what = SubmissionKind::Edition(new, new_benchmark);
        let done = self.wait(store.submit(by, &submission(Some(corpus), what)))?;
        taken.editions += 1;
        Ok(done.edition.unwrap_or_default())
    }

    fn take_in_run(
        &self,
        by: &By,
        edition: &str,
        run: &Run,
        notices: &[Notice],
        taken: &mut TakenIn,
    ) -> Result<(), IntakeError> {
        let findings = CorpusFindings {
            notices: notices_about(notices, &run.name),
            source: run.source.clone(),
            ..CorpusFindings::default()
        };
        let corpus = new_corpus(&run.corpus, CorpusSide::Run, "", &findings, None)?;
        let slug = store_slug(&run.name);
        let store = self.store();
        let known = match self.wait(store.system(&slug)) {
            Ok(known) => Some(known),
            Err(StoreError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let filter = RunFilter {
            system: Some(known.as_ref().map(|known| known.id.clone()).unwrap_or_default()),
            edition: Some(edition.to_owned()),
            hidden: true,
            ..RunFilter::default()
        };
        let from = ListFrom { limit: karat_store::MOST_ITEMS, after: None };
        let runs = self.wait(store.runs(&filter, &from))?.items;
        if runs.iter().any(|it| it.corpus.as_deref() == Some(&corpus.digest)) {
            taken.known += 1;
            return Ok(());
        }
        let new = NewRun {
            system: known.as_ref().map(|known| known.id.clone()).unwrap_or_default(),
            edition: edition.to_owned(),
            // The first run needs no name of its own.
            label: match runs.len() {
                0 => String::new(),
                before => (before + 1).to_string(),
            },
            visible: true,
            ..NewRun::default()
        };
        let new_system = known.is_none().then(|| NewSystem {
            slug,
            title: run.name.clone(),
            ..NewSystem::default()
        });
        let what = SubmissionKind::Run(new, new_system);
        self.wait(store.submit(by, &submission(Some(corpus), what)))?;
        taken.runs += 1;
        Ok(())
    }
}

/// Something that was read already. A run whose corpus the store has names it itself.
pub(super) fn submission(corpus: Option<NewCorpus>, what: SubmissionKind) -> Submission {
    Submission { upload: None, corpus, what, job: None, once: None, limited: false }
}

/// What was said about one thing; for a benchmark also what was said about nothing in particular.
fn notices_about(notices: &[Notice], name: &str) -> Vec<Notice> {
    notices.iter().filter(|it| it.subject.as_deref() == Some(name)).cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::StoredLibrary;
    use crate::workbench::Workbench;
    use karat::scoring::EvaluationRequest;
    use karat_store::StoreAddress;
    use std::sync::Arc;

    type Tested = Result<(), Box<dyn std::error::Error>>;

    #[test]
    fn names_fit_the_store() {
        for (name, slug) in [("AIDA (test)", "aida-test"), ("É", "x"), ("a..b", "a.b"), ("_x", "x")]
        {
            assert_eq!(store_slug(name), slug, "{name}");
        }
    }

    #[test]
    fn a_workspace_gives_the_numbers_of_files_and_takes_the_same_once() -> Tested {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let workspace = runtime.block_on(Workspace::open(&StoreAddress::Memory))?;
        let sample = karat::sample::experiment()?;
        let taken = workspace.take_in(&By::local(), &sample, &[])?;
        assert_eq!(taken, TakenIn { editions: 1, runs: 3, known: 0 });
        let again = workspace.take_in(&By::local(), &sample, &[])?;
        assert_eq!(again, TakenIn { editions: 0, runs: 0, known: 4 });

        let stored = Workbench::over(Arc::new(StoredLibrary::new(workspace.clone())));
        let files = Workbench::of([sample.clone()]);
        let answer = |workbench: &Workbench| -> Result<_, Box<dyn std::error::Error>> {
            let catalogue = workbench.catalogue();
            let benchmark = catalogue.benchmark("sample").map_err(|refusal| refusal.to_string())?;
            let mut runs: Vec<_> = catalogue.runs_on("sample").collect();
            runs.sort_by(|a, b| a.system.cmp(&b.system));
            let inputs = catalogue.inputs(benchmark, runs);
            let request = EvaluationRequest { inputs, ..EvaluationRequest::default() };
            Ok(workbench.answer(&request).map_err(|refusal| refusal.to_string())?)
        };
        let (of_store, of_files) = (answer(&stored)?, answer(&files)?);
        assert_eq!(of_store.signature, of_files.signature);
        assert_eq!(of_store.systems, of_files.systems);
        let ids: Vec<String> = stored.catalogue().runs.iter().map(|run| run.id.clone()).collect();
        assert!(ids.iter().all(|id| id.len() == 10), "{ids:?}");

        // Other gold is another edition; the old one keeps its runs under its own name.
        let mut corrected = sample.clone();
        corrected.benchmark.corpus =
            Arc::new(sample.benchmark.corpus.only_documents(|name| name != "wire-talks"));
        let taken = workspace.take_in(&By::local(), &corrected, &[])?;
        assert_eq!(taken, TakenIn { editions: 1, runs: 3, known: 0 });
        let catalogue = stored.catalogue();
        let slugs: Vec<&str> = catalogue.benchmarks.iter().map(|it| it.slug.as_str()).collect();
        assert_eq!(slugs, ["sample", "sample@1"]);
        assert_eq!(catalogue.runs_on("sample@1").count(), 3);
        Ok(())
    }

    #[test]
    fn answers_outlive_a_server() -> Tested {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let workspace = runtime.block_on(Workspace::open(&StoreAddress::Memory))?;
        workspace.take_in(&By::local(), &karat::sample::experiment()?, &[])?;
        let library = StoredLibrary::new(workspace.clone());
        use crate::library::Library;
        let contents = library.contents().map_err(|refusal| refusal.to_string())?;
        let key = contents.key("evaluation", &serde_json::json!({}));
        assert_eq!(library.kept_answer(&key), None);
        workspace.wait(workspace.store().keep_answer(&key, "evaluation", b"{}"))?;
        let next = StoredLibrary::new(workspace.clone());
        assert_eq!(next.kept_answer(&key).as_deref(), Some(&b"{}"[..]));
        Ok(())
    }
}

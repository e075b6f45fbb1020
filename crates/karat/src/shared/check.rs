//! Is everything in a shared evaluation as it should be?

use super::changed::changed_since;
use super::editions::{FoundEdition, sha256_of};
use super::folder::{SharedBenchmark, SharedFolder, SharedRun, gold_input, not_here};
use super::patches::{fitting, waiting};
use super::records::EditionFile;
use crate::error::Error;
use crate::gold::{PatchFile, trouble_notices};
use crate::inputs::{InputRequest, Inputs, Repeats};
use crate::request::{Answer, Request};
use crate::work::Work;
use karat_model::{Notice, Severity};
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Reads every file of a shared evaluation, and every output against its gold standard.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckRequest {
    /// The folder.
    pub folder: String,
    /// Only what changed since this revision of git.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_since: Option<String>,
}

/// What a check found.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckAnswer {
    /// The version of karat.
    pub karat: String,
    /// What the evaluation is called.
    pub title: String,
    /// The files that were looked at.
    pub files: Vec<CheckedFile>,
    /// How many outputs were not looked at, because they did not change.
    pub unchanged: usize,
    /// What is wrong, and what else has to be known.
    pub notices: Vec<Notice>,
}

/// A file that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedFile {
    /// Where it is in the folder.
    pub path: String,
    /// What it is.
    pub kind: CheckedKind,
    /// The benchmark, with its edition.
    pub benchmark: String,
    /// For an output: the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Its SHA-256.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Whether it is as it should be.
    pub fine: bool,
    /// How many documents it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub documents: Option<usize>,
    /// How many annotations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotations: Option<usize>,
}

/// What a file of a shared evaluation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CheckedKind {
    /// The gold standard of an edition.
    Gold,
    /// The output of a system.
    Output,
    /// Corrections of the gold standard; their annotations are changes.
    Patch,
}

impl Request for CheckRequest {
    type Answer = CheckAnswer;

    const NAME: &'static str = "shared-check";

    fn answer(&self, work: &Work) -> Result<CheckAnswer, Error> {
        let folder = SharedFolder::open(&self.folder)?;
        let changed = self.changed_since.as_deref();
        let changed = changed.map(|since| changed_since(&folder.path, since)).transpose()?;
        let mut answer = CheckAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            title: folder.evaluation.title.clone(),
            ..CheckAnswer::default()
        };
        let changed = Changed(changed);
        answer.notices.extend(folder.problems.iter().filter(|it| changed.is_about(it)).cloned());
        for benchmark in &folder.benchmarks {
            let mut fit = Vec::new();
            for edition in &benchmark.record.editions {
                fit.extend(answer.check(&folder, benchmark, edition, &changed, work)?);
            }
            answer.notices.extend(waiting(benchmark, &fit));
        }
        Ok(answer)
    }
}

/// The files that changed; `None` if all are looked at.
struct Changed(Option<BTreeSet<PathBuf>>);

impl Changed {
    fn has(&self, path: &Path) -> bool {
        self.0.as_ref().is_none_or(|changed| changed.contains(path))
    }

    /// Whether a problem is one of the change.
    fn is_about(&self, notice: &Notice) -> bool {
        let file = notice.place.as_ref().map(|place| Path::new(&place.file));
        file.is_none_or(|file| self.has(file))
    }

    fn has_run(&self, run: &SharedRun) -> bool {
        let beside =
            |edition: &str| run.path.with_file_name(format!("{}{edition}.toml", run.benchmark));
        self.has(&run.path)
            || self.has(&beside(""))
            || self.has(&beside(&format!("@{}", run.edition)))
    }
}

impl CheckAnswer {
    /// Looks at an edition and at the outputs for it.
    fn check(
        &mut self,
        folder: &SharedFolder,
        benchmark: &SharedBenchmark,
        edition: &EditionFile,
        changed: &Changed,
        work: &Work,
    ) -> Result<Vec<PathBuf>, Error> {
        let all: Vec<&SharedRun> =
            folder.runs().filter(|run| run.is_of(benchmark, edition)).collect();
        let has_changed = changed.has(&benchmark.path.join("benchmark.toml"))
            || changed.has(&benchmark.path.join(&edition.file))
            || benchmark.patches.iter().any(|path| changed.has(path));
        let runs: Vec<&SharedRun> =
            all.iter().copied().filter(|run| has_changed || changed.has_run(run)).collect();
        self.unchanged += all.len() - runs.len();
        if !has_changed && runs.is_empty() {
            return Ok(benchmark.patches.clone());
        }
        let path = match benchmark.find(edition) {
            Ok(FoundEdition::There(path)) => path,
            Ok(FoundEdition::NotHere) => {
                self.notices.push(not_here(benchmark, edition));
                return Ok(Vec::new());
            }
            Err(error) => {
                self.notices.push(error.notice());
                return Ok(Vec::new());
            }
        };
        let gold = gold_input(benchmark, edition, &path);
        let name = benchmark.title_of(edition);
        let mut of_gold = CheckedFile::new(folder, &path, CheckedKind::Gold, &name)?;
        let (mut patches, mut of_patches) = (Vec::new(), Vec::new());
        match Inputs::default().reading.read_alone(&gold, work) {
            Ok(read) => {
                of_gold.fine = true;
                of_gold.documents = Some(read.outcome.corpus.len());
                of_gold.annotations = Some(annotations(&read.outcome.corpus));
                patches = fitting(benchmark, &read.outcome.corpus, &mut self.notices);
                self.notices.extend(read.notices);
                of_patches = self.check_patches(folder, &patches, &name, &read.outcome)?;
            }
            Err(error) => {
                work.check()?;
                self.notices.push(error.notice());
            }
        }
        let is_fine = of_gold.fine;
        self.files.push(of_gold);
        self.files.append(&mut of_patches);
        for run in runs.into_iter().filter(|_| is_fine) {
            self.check_run(folder, &gold, run, &name, work)?;
        }
        Ok(patches)
    }

    /// Looks at the corrections of an edition. Changes that do not apply are told and are no error: gold may have moved on.
    fn check_patches(
        &mut self,
        folder: &SharedFolder,
        patches: &[PathBuf],
        benchmark: &str,
        gold: &karat_formats::ReadOutcome,
    ) -> Result<Vec<CheckedFile>, Error> {
        let mut files = Vec::new();
        let corpus = &gold.corpus;
        for path in patches {
            let patch = PatchFile::read(&path.display().to_string())?;
            let mut file = CheckedFile::new(folder, path, CheckedKind::Patch, benchmark)?;
            if let Err(error) = patch.check_unit(corpus, gold.unit()) {
                self.notices.push(error.notice());
                files.push(file);
                continue;
            }
            let judged = patch.patch.against(corpus);
            self.notices.extend(trouble_notices(&patch, benchmark, corpus, &judged, false));
            file.fine = true;
            file.annotations = Some(patch.patch.changes.len());
            files.push(file);
        }
        Ok(files)
    }

    fn check_run(
        &mut self,
        folder: &SharedFolder,
        gold: &InputRequest,
        run: &SharedRun,
        benchmark: &str,
        work: &Work,
    ) -> Result<(), Error> {
        let inputs =
            Inputs { gold: vec![gold.clone()], systems: vec![run.input()], ..Inputs::default() };
        let mut file = CheckedFile::new(folder, &run.path, CheckedKind::Output, benchmark)?;
        file.system = Some(run.system.clone());
        let mut told = Vec::new();
        match inputs.read(Repeats::Refused, work, &mut told) {
            Ok(experiments) => {
                let read = experiments.first().and_then(|experiment| experiment.runs.first());
                file.fine = true;
                file.documents = read.map(|run| run.corpus.len());
                file.annotations = read.map(|run| annotations(&run.corpus));
                self.notices.extend(
                    told.into_iter().filter(|it| !self.notices.contains(it)).collect::<Vec<_>>(),
                );
            }
            Err(error) => {
                work.check()?;
                self.notices.push(error.notice());
            }
        }
        self.files.push(file);
        Ok(())
    }

    fn table(&self) -> Table {
        let mut table = Table::new([
            Column::text("file"),
            Column::text("benchmark"),
            Column::text("state"),
            Column::count("documents"),
            Column::count("annotations"),
            Column::text("sha256"),
        ]);
        for file in &self.files {
            let digest = file.sha256.as_deref().unwrap_or_default();
            table.row([
                Cell::from(file.path.as_str()),
                Cell::from(file.benchmark.as_str()),
                Cell::from(if file.fine { "fine" } else { "bad" }),
                file.documents.map_or(Cell::Missing, Cell::from),
                file.annotations.map_or(Cell::Missing, Cell::from),
                Cell::from(digest.get(..12).unwrap_or(digest)),
            ]);
        }
        table
    }

    /// The result in words.
    pub fn sentence(&self) -> String {
        let errors =
            self.notices.iter().filter(|notice| notice.severity == Severity::Error).count();
        let files = crate::inputs::counted(self.files.len(), "file");
        let unchanged = match self.unchanged {
            0 => String::new(),
            number => format!("; {} did not change", crate::inputs::counted(number, "output")),
        };
        match errors {
            0 => format!("{files} checked, nothing is wrong{unchanged}."),
            number => format!(
                "{files} checked, {}{unchanged}.",
                crate::inputs::counted(number, "problem")
            ),
        }
    }
}

impl CheckedFile {
    fn new(
        folder: &SharedFolder,
        path: &Path,
        kind: CheckedKind,
        benchmark: &str,
    ) -> Result<CheckedFile, Error> {
        let shown = path.strip_prefix(&folder.path).unwrap_or(path);
        Ok(CheckedFile {
            path: shown.display().to_string(),
            kind,
            benchmark: benchmark.to_owned(),
            system: None,
            sha256: Some(sha256_of(path)?),
            fine: false,
            documents: None,
            annotations: None,
        })
    }
}

fn annotations(corpus: &karat_model::Corpus) -> usize {
    corpus.documents().map(|document| document.mentions().count()).sum()
}

impl Answer for CheckAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        Report {
            result: Some(self.sentence()),
            sections: vec![ReportSection::new("", Deferred::by(|| self.table()))],
            page: vec![ReportSection::new("", Deferred::by(|| self.table()))],
            rows: Some(Deferred::by(|| self.table())),
            record: Some(Deferred::by(|| crate::request::record(self))),
            ..Report::default()
        }
    }

    fn passes(&self) -> bool {
        self.notices.iter().all(|notice| notice.severity != Severity::Error)
    }
}

//! What is in the folder of a shared evaluation.

use super::editions::{FoundEdition, is_inside, sha256_of};
use super::patches::{fitting, waiting};
use super::records::{
    BenchmarkFile, EditionFile, EvaluationFile, RunFile, SharedEdition, SystemFile,
};
use super::toml_file::{TomlFile, is_date};
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::{Experiment, InputRequest, Inputs, Repeats};
use crate::notices;
use crate::work::Work;
use karat_formats::{Kind, Problem};
use karat_model::Notice;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A shared evaluation, as its files say it.
#[derive(Debug, Clone)]
pub struct SharedFolder {
    /// Where it is.
    pub path: PathBuf,
    /// What is shown.
    pub evaluation: EvaluationFile,
    /// The benchmarks, by name.
    pub benchmarks: Vec<SharedBenchmark>,
    /// The systems, by name.
    pub systems: Vec<SharedSystem>,
    /// What is wrong, each with its place. What it is about is left out, and the rest goes on.
    pub problems: Vec<Notice>,
}

/// A benchmark of a shared evaluation.
#[derive(Debug, Clone)]
pub struct SharedBenchmark {
    /// What its folder is called.
    pub name: String,
    /// Its folder.
    pub path: PathBuf,
    /// What is said of it.
    pub record: BenchmarkFile,
    /// Files with corrections of its gold standard.
    pub patches: Vec<PathBuf>,
}

/// A system of a shared evaluation.
#[derive(Debug, Clone)]
pub struct SharedSystem {
    /// What its folder is called.
    pub name: String,
    /// What is said of it.
    pub record: SystemFile,
    /// Its outputs.
    pub runs: Vec<SharedRun>,
}

/// The output of a system.
#[derive(Debug, Clone)]
pub struct SharedRun {
    /// The file.
    pub path: PathBuf,
    /// The system.
    pub system: String,
    /// The benchmark.
    pub benchmark: String,
    /// The edition.
    pub edition: String,
    /// How it came about.
    pub record: RunFile,
}

/// What was read of a shared evaluation.
#[derive(Debug, Default)]
pub struct SharedExperiments {
    /// The editions that have outputs, with them.
    pub experiments: Vec<SharedExperiment>,
    /// The editions that are not here.
    pub not_here: Vec<Notice>,
    /// What tells files apart, by the name of the benchmark and, for an output, of its system.
    pub digests: BTreeMap<(String, Option<String>), String>,
    /// What is wrong; what it is about was left out.
    pub problems: Vec<Notice>,
    /// The benchmarks whose texts may not be shown.
    pub hidden_texts: Vec<String>,
    /// On which gold scores are shown, where there are corrections.
    pub editions: Vec<SharedEdition>,
    /// The files of corrections that were applied.
    pub applied: Vec<PathBuf>,
}

/// An edition with its outputs.
#[derive(Debug, Clone)]
pub struct SharedExperiment {
    /// Gold and outputs.
    pub experiment: Experiment,
    /// Where the gold standard was read from.
    pub gold: InputRequest,
    /// What was said when they were read.
    pub notices: Vec<Notice>,
}

impl SharedFolder {
    /// Reads the descriptions of a folder; corpora are left alone. Only a folder without a good `evaluation.toml` is an
    /// error: everything else that is wrong is listed.
    pub fn open(path: impl Into<PathBuf>) -> Result<SharedFolder, Error> {
        let path = path.into();
        let file: TomlFile<EvaluationFile> = TomlFile::read(&path.join("evaluation.toml"))?;
        for convention in &file.record.conventions {
            let parsed: Result<ConventionRequest, Error> = convention.parse();
            parsed.map_err(|error| file.wrong(convention, error.to_string()))?;
        }
        let mut folder = SharedFolder {
            evaluation: file.record.clone(),
            benchmarks: Vec::new(),
            systems: Vec::new(),
            problems: Vec::new(),
            path,
        };
        for found in folder.folders("benchmarks") {
            let read = found.and_then(|(name, path)| SharedBenchmark::open(name, path));
            match read {
                Ok(benchmark) => folder.benchmarks.push(benchmark),
                Err(error) => folder.problems.push(error.notice()),
            }
        }
        for found in folder.folders("systems") {
            match found.and_then(|(name, path)| folder.system(name, &path)) {
                Ok(system) => folder.systems.push(system),
                Err(error) => folder.problems.push(error.notice()),
            }
        }
        Ok(folder)
    }

    /// All outputs.
    pub fn runs(&self) -> impl Iterator<Item = &SharedRun> {
        self.systems.iter().flat_map(|system| &system.runs)
    }

    /// A benchmark by its name.
    pub fn benchmark(&self, name: &str) -> Option<&SharedBenchmark> {
        self.benchmarks.iter().find(|benchmark| benchmark.name == name)
    }

    /// Reads every edition that has outputs, with those that can be read. What cannot be is listed.
    pub fn experiments(&self, work: &Work) -> Result<SharedExperiments, Error> {
        let mut all = SharedExperiments {
            editions: self.evaluation.editions.clone(),
            ..SharedExperiments::default()
        };
        for benchmark in &self.benchmarks {
            for edition in &benchmark.record.editions {
                let runs: Vec<&SharedRun> =
                    self.runs().filter(|run| run.is_of(benchmark, edition)).collect();
                if runs.is_empty() {
                    continue;
                }
                match benchmark.find(edition) {
                    Ok(FoundEdition::There(path)) => {
                        all.add(benchmark, edition, &path, &runs, work)?;
                    }
                    Ok(FoundEdition::NotHere) => all.not_here.push(not_here(benchmark, edition)),
                    Err(error) => all.problems.push(error.notice()),
                }
            }
            all.not_here.extend(waiting(benchmark, &all.applied));
        }
        Ok(all)
    }

    /// The folders of benchmarks or systems, in the order of their names.
    fn folders(&self, kind: &str) -> Vec<Result<(String, PathBuf), Error>> {
        let Ok(entries) = std::fs::read_dir(self.path.join(kind)) else { return Vec::new() };
        let mut paths: Vec<PathBuf> =
            entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.sort();
        paths.retain(|path| path.is_dir() && !is_hidden(path));
        let named = paths.into_iter().map(|path| Ok((plain_name(&path)?, path)));
        named.collect()
    }

    fn system(&mut self, name: String, path: &Path) -> Result<SharedSystem, Error> {
        let record = TomlFile::read(&path.join("system.toml"))?.record;
        let mut runs = Vec::new();
        for file in files_of(path)? {
            let is_description = file.extension().is_some_and(|ending| ending == "toml");
            if is_description || file.is_dir() {
                continue;
            }
            match self.run(&name, &file) {
                Ok(run) => runs.push(run),
                Err(error) => self.problems.push(error.notice()),
            }
        }
        Ok(SharedSystem { name, record, runs })
    }

    /// The output in a file, by its name: `BENCHMARK[@EDITION].ending`.
    fn run(&self, system: &str, path: &Path) -> Result<SharedRun, Error> {
        let wrong = |message: String, hint: String| {
            let problem = Problem::new(Kind::Unreadable, path.display().to_string(), message);
            Error::from(problem.hint(hint))
        };
        let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let names: Vec<&str> = self.benchmarks.iter().map(|it| it.name.as_str()).collect();
        // Names of benchmarks may have points; the longest that fits is meant.
        let fits = |name: &&&str| {
            let rest = file.strip_prefix(**name);
            rest.is_some_and(|rest| rest.starts_with(['.', '@']))
        };
        let named = names.iter().filter(fits).max_by_key(|name| name.len());
        let Some(benchmark) = named.and_then(|name| self.benchmark(name)) else {
            let hint = format!("it is named after its benchmark: {}", names.join(", "));
            return Err(wrong(format!("there is no benchmark for `{file}`"), hint));
        };
        let rest = &file[benchmark.name.len()..];
        let editions = &benchmark.record.editions;
        let edition = match rest.strip_prefix('@') {
            None => editions.last(),
            Some(rest) => {
                let fits = |edition: &&EditionFile| {
                    rest.strip_prefix(&edition.name).is_some_and(|rest| rest.starts_with('.'))
                };
                editions.iter().filter(fits).max_by_key(|edition| edition.name.len())
            }
        };
        let Some(edition) = edition else {
            let known: Vec<&str> = editions.iter().map(|edition| edition.name.as_str()).collect();
            let hint = format!("editions are {}", known.join(", "));
            return Err(wrong(format!("{} has no such edition", benchmark.name), hint));
        };
        let stem = match rest.starts_with('@') {
            true => format!("{}@{}", benchmark.name, edition.name),
            false => benchmark.name.clone(),
        };
        let beside = path.with_file_name(format!("{stem}.toml"));
        let record: TomlFile<RunFile> = TomlFile::read(&beside)?;
        if !is_date(&record.record.date) {
            let message = "this is no date; write it as 2026-11-18";
            return Err(record.wrong(&record.record.date, message));
        }
        Ok(SharedRun {
            path: path.to_owned(),
            system: system.to_owned(),
            benchmark: benchmark.name.clone(),
            edition: edition.name.clone(),
            record: record.record,
        })
    }
}

impl SharedBenchmark {
    fn open(name: String, path: PathBuf) -> Result<SharedBenchmark, Error> {
        let file: TomlFile<BenchmarkFile> = TomlFile::read(&path.join("benchmark.toml"))?;
        if file.record.editions.is_empty() {
            return Err(file.wrong("", "a benchmark needs an edition: [[edition]]"));
        }
        for edition in &file.record.editions {
            let is_digest = edition.sha256.len() == 64
                && edition.sha256.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !is_digest {
                let message = "this is no SHA-256: expected 64 hexadecimal digits";
                return Err(file.wrong(&edition.sha256, message));
            }
            if !is_inside(&edition.file) || edition.file.contains(',') {
                let message = "the file of an edition must lie in the folder, and have no comma";
                return Err(file.wrong(&edition.file, message));
            }
            if !is_plain(&edition.name) {
                let message = "names of editions have letters, digits and - _ . only";
                return Err(file.wrong(&edition.name, message));
            }
            if let Some(date) = edition.date.as_ref().filter(|date| !is_date(date)) {
                return Err(file.wrong(date, "this is no date; write it as 2026-11-18"));
            }
        }
        let patches = files_of(&path.join("patches")).unwrap_or_default();
        let is_patch = |path: &PathBuf| path.to_string_lossy().ends_with(".goldpatch.jsonl");
        let patches = patches.into_iter().filter(is_patch).collect();
        Ok(SharedBenchmark { name, path, record: file.record, patches })
    }

    /// The file of an edition.
    pub fn find(&self, edition: &EditionFile) -> Result<FoundEdition, Error> {
        let data = std::env::var_os("KARAT_DATA").map(PathBuf::from);
        edition.find(&self.path, data.as_deref())
    }

    /// What boards call an edition: the benchmark, and the edition where there are several.
    pub fn title_of(&self, edition: &EditionFile) -> String {
        match self.record.editions.len() {
            1 => self.name.clone(),
            _ => format!("{}@{}", self.name, edition.name),
        }
    }
}

impl SharedRun {
    /// Whether it is an output for this edition.
    pub fn is_of(&self, benchmark: &SharedBenchmark, edition: &EditionFile) -> bool {
        self.benchmark == benchmark.name && self.edition == edition.name
    }

    /// The output as an input of a request.
    pub fn input(&self) -> InputRequest {
        InputRequest {
            name: Some(self.system.clone()),
            path: self.path.display().to_string(),
            describe: self.record.reading.clone(),
            ..InputRequest::default()
        }
    }
}

/// The gold standard of an edition as an input of a request.
pub(super) fn gold_input(
    benchmark: &SharedBenchmark,
    edition: &EditionFile,
    path: &Path,
) -> InputRequest {
    InputRequest {
        name: Some(benchmark.title_of(edition)),
        path: path.display().to_string(),
        describe: edition.reading.clone(),
        ..InputRequest::default()
    }
}

/// An edition without its file.
pub(super) fn not_here(benchmark: &SharedBenchmark, edition: &EditionFile) -> Notice {
    let from = benchmark.record.source.as_deref();
    let from = from.map(|source| format!("; it is at {source}")).unwrap_or_default();
    let message = format!(
        "edition {} of {} is not here, and its outputs are not scored: `{}` is not in $KARAT_DATA{from}",
        edition.name, benchmark.name, edition.file
    );
    notices::EDITION_NOT_HERE.notice(message).about(&benchmark.name)
}

impl SharedExperiments {
    /// Reads an edition with its outputs. Those that cannot be read are listed and left out.
    fn add(
        &mut self,
        benchmark: &SharedBenchmark,
        edition: &EditionFile,
        path: &Path,
        runs: &[&SharedRun],
        work: &Work,
    ) -> Result<(), Error> {
        let gold = gold_input(benchmark, edition, path);
        let inputs = |runs: &[&SharedRun]| Inputs {
            gold: vec![gold.clone()],
            systems: runs.iter().map(|run| run.input()).collect(),
            ..Inputs::default()
        };
        let mut told = Vec::new();
        let mut good = runs.to_vec();
        let mut read = inputs(&good).read(Repeats::Refused, work, &mut told);
        if read.is_err() {
            // Which of them it was shows when each is read alone.
            work.check()?;
            good.retain(|run| {
                let alone = inputs(&[run]).read(Repeats::Refused, work, &mut Vec::new());
                alone.map_err(|error| self.problems.push(error.notice())).is_ok()
            });
            told.clear();
            if good.is_empty() {
                return Ok(());
            }
            read = inputs(&good).read(Repeats::Refused, work, &mut told);
        }
        let experiment = match read.map(|experiments| experiments.into_iter().next()) {
            Ok(Some(experiment)) => experiment,
            Ok(None) => return Ok(()),
            Err(error) => {
                self.problems.push(error.notice());
                return Ok(());
            }
        };
        let patches = fitting(benchmark, &experiment.benchmark.corpus, &mut self.problems);
        let digest = edition.sha256.to_lowercase();
        if patches.is_empty() || self.editions.contains(&SharedEdition::Gold) {
            let read = SharedExperiment {
                experiment: experiment.clone(),
                gold: gold.clone(),
                notices: told.clone(),
            };
            self.enter(benchmark, read, &digest, &good)?;
        }
        if !patches.is_empty() && self.editions.contains(&SharedEdition::Patched) {
            let mut told = told;
            let paths: Vec<String> =
                patches.iter().map(|path| path.display().to_string()).collect();
            let experiment = experiment.patched(&paths, &mut told)?;
            // Two patches that differ only in what they say about changes make the same gold.
            let digest = format!("{digest} {}", experiment.benchmark.corpus.digest());
            let gold = InputRequest { patches: paths, ..gold };
            self.enter(
                benchmark,
                SharedExperiment { experiment, gold, notices: told },
                &digest,
                &good,
            )?;
        }
        self.applied.extend(patches);
        Ok(())
    }

    /// Enters an edition that was read.
    fn enter(
        &mut self,
        benchmark: &SharedBenchmark,
        read: SharedExperiment,
        digest: &str,
        runs: &[&SharedRun],
    ) -> Result<(), Error> {
        let name = read.experiment.benchmark.name.clone();
        // Answers carry what was said when files were read, so their keys depend on it.
        let said = serde_json::to_string(&read.notices).unwrap_or_default();
        self.digests.insert((name.clone(), None), format!("{digest}\n{said}"));
        for run in runs {
            let of_run = (name.clone(), Some(run.system.clone()));
            self.digests.insert(of_run, sha256_of(&run.path)?);
        }
        if !benchmark.record.texts {
            self.hidden_texts.push(name);
        }
        self.experiments.push(read);
        Ok(())
    }

    /// Everything that its reader has to know.
    pub fn notices(&self) -> Vec<Notice> {
        let said = self.experiments.iter().flat_map(|read| &read.notices);
        self.not_here.iter().chain(said).cloned().collect()
    }
}

/// The files of a folder, in the order of their names, without hidden ones.
fn files_of(path: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = std::fs::read_dir(path).map_err(|error| {
        Problem::new(Kind::Unreadable, path.display().to_string(), error.to_string())
    })?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| !is_hidden(file));
    files.sort();
    Ok(files)
}

fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// The name of a folder, if it can be a name in tables, addresses and arguments.
fn plain_name(path: &Path) -> Result<String, Error> {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match is_plain(name) {
        true => Ok(name.to_owned()),
        false => Err(Problem::new(
            Kind::Malformed,
            path.display().to_string(),
            "this is no name for a benchmark or a system",
        )
        .hint("use letters, digits and - _ . only, at most 60; its title may be anything")
        .into()),
    }
}

fn is_plain(name: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    !name.is_empty()
        && name.chars().count() <= 60
        && !name.starts_with(['.', '-'])
        && name.chars().all(is_letter)
}

//! What ELEVANT would say of systems.

use super::{
    ElevantFiles, benchmark_name, file_name, files_and_counts, for_each_run, metadata, results,
    timestamp,
};
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::errors::inspector::signature;
use crate::errors::{ErrorCounts, Inspection, remarks};
use crate::inputs::{Inputs, Repeats, Spellings};
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_facets::taxonomy::KARAT;
use karat_formats::WriteError;
use karat_measures::Convention;
use karat_model::{Corpus, Hint, Notice};
use karat_report::{Cell, Column, Deferred, Report, Table};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;
use std::time::SystemTime;

/// Evaluates systems as ELEVANT does, with the files that its web application shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ElevantRequest {
    /// Gold and systems.
    pub inputs: Inputs,
    /// The convention, which must be one of ELEVANT's.
    pub convention: ConventionRequest,
    /// Whether every case is wanted as well, and not only the results.
    pub cases: bool,
}

/// What ELEVANT would say of systems.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElevantAnswer {
    /// The version of karat.
    pub karat: String,
    /// Every system on every benchmark.
    pub systems: Vec<ElevantRecord>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// One system on one benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElevantRecord {
    /// What ELEVANT calls the system: the name of an experiment.
    pub experiment: String,
    /// The benchmark.
    pub benchmark: String,
    /// What reproduces the numbers.
    pub signature: String,
    /// The files.
    #[serde(flatten)]
    pub files: ElevantFiles,
}

impl Request for ElevantRequest {
    type Answer = ElevantAnswer;

    const NAME: &'static str = "elevant";

    fn answer(&self, work: &Work) -> Result<ElevantAnswer, Error> {
        let mut told = Vec::new();
        let mut convention = self.convention()?;
        let mut identity = self.convention.identity(&convention, &mut told)?;
        let experiments = self.inputs.read(Repeats::Refused, work, &mut told)?;
        Spellings::settle(&experiments, &mut convention, &mut identity, &mut told);
        let watch = work.watch();
        let inspection = Inspection::new(&convention, &identity).watched(&watch);
        for experiment in &experiments {
            told.extend(experiment.coverage_notices());
            told.extend(experiment.benchmark.nothing_known(&convention));
            told.extend(remarks::words_unknown(&inspection, experiment));
        }
        if inspection.base.is_none() {
            told.push(remarks::without_base("some numbers are unknown; they are null"));
        }
        let provenance = self.inputs.provenance()?;
        let mut systems = Vec::new();
        let mut runs: Vec<(&str, &Corpus, &Corpus)> = Vec::new();
        for experiment in &experiments {
            let signature = signature(&convention, &identity, None, experiment, &provenance);
            let benchmark = benchmark_name(&experiment.benchmark.name);
            for run in &experiment.runs {
                systems.push(ElevantRecord::new(&run.name, benchmark, &signature));
                runs.push((benchmark, &experiment.benchmark.corpus, &run.corpus));
            }
        }
        // Refused before minutes of work, not when the second file would overwrite the first.
        if self.cases {
            check_files(&systems)?;
        }
        let documents: usize = runs.iter().map(|(_, gold, _)| gold.len()).sum();
        work.begin("looking for errors", documents as u64)?;
        let found = work.run(|| {
            for_each_run(&runs, |benchmark, gold, system| {
                self.files(&inspection, benchmark, gold, system)
            })
        })?;
        identity.check()?;
        for (system, found) in systems.iter_mut().zip(found) {
            let (files, counts) = found.map_err(|error| Error::output(system.file(), error))?;
            system.files = files;
            told.extend(remarks::unjudged_links(&system.name(), &counts));
        }
        Ok(ElevantAnswer { karat: env!("CARGO_PKG_VERSION").to_owned(), systems, notices: told })
    }
}

impl ElevantRequest {
    fn convention(&self) -> Result<Convention, Error> {
        let convention = self.convention.convention()?;
        match convention.taxonomy.name == KARAT.name {
            // karat's own categories are others, and numbers under ELEVANT's keys would be taken
            // for ELEVANT's.
            true => Err(Error::bad_request(
                format!("the counts of the preset `{}` are not ELEVANT's", convention.preset.name),
                Hint::template("add {preset=elevant}, or choose another {format}"),
            )),
            false => Ok(convention),
        }
    }

    fn files(
        &self,
        inspection: &Inspection<'_>,
        benchmark: &str,
        gold: &Corpus,
        system: &Corpus,
    ) -> Result<(ElevantFiles, ErrorCounts), WriteError> {
        if self.cases {
            return files_and_counts(inspection, benchmark, gold, system);
        }
        let counts = inspection.counts(benchmark, gold, system);
        let results = results(&counts, inspection.taxonomy);
        Ok((ElevantFiles { results, cases: Vec::new() }, counts))
    }
}

impl ElevantAnswer {
    /// What ELEVANT writes to `eval_results.json`: the results of one system alone as they are, those of
    /// more by their names.
    pub fn results(&self) -> Value {
        match self.systems.as_slice() {
            [only] => only.files.results.clone(),
            several => {
                let named = several.iter().map(|one| (one.name(), one.files.results.clone()));
                Value::Object(named.collect())
            }
        }
    }

    /// Writes the files of every system to a folder, with metadata that say they were evaluated at this
    /// time. The cases must have been asked for.
    pub fn write(&self, folder: &Path, time: SystemTime) -> Result<(), Error> {
        let failed = |error: std::io::Error| Error::output(folder.to_string_lossy(), error.into());
        std::fs::create_dir_all(folder).map_err(failed)?;
        let timestamp = timestamp(time);
        for system in &self.systems {
            let path = folder.join(system.file());
            let path = path.to_string_lossy();
            let metadata = metadata(&system.experiment, &timestamp);
            let written = system.files.write(&path, &metadata);
            written.map_err(|error| Error::output(path, error))?;
        }
        Ok(())
    }

    /// How every system links mentions of any kind, in both modes.
    fn table(&self) -> Table {
        let names = ["experiment", "benchmark", "unknowns"].map(Column::text);
        let scores = ["precision", "recall", "f1"];
        let numbers = scores.map(|score| Column::number(score, 4));
        let mut table = Table::new(names.into_iter().chain(numbers));
        for system in &self.systems {
            for (mode, of_mode) in system.files.results.as_object().into_iter().flatten() {
                let all = &of_mode["mention_types"]["all"];
                let score = |name: &str| Cell::from(all[name].as_f64());
                let names = [&system.experiment, &system.benchmark, &mode.to_lowercase()];
                let names = names.map(|name| Cell::from(name.as_str()));
                table.row(names.into_iter().chain(scores.map(score)));
            }
        }
        table
    }
}

impl Answer for ElevantAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let mut signatures: Vec<String> =
            self.systems.iter().map(|system| system.signature.clone()).collect();
        signatures.dedup();
        Report {
            record: Some(Deferred::by(|| record(self))),
            signatures,
            ..Report::of(Deferred::by(|| self.table()))
        }
    }
}

impl ElevantRecord {
    /// A system on a benchmark, before anything was counted.
    fn new(system: &str, benchmark: &str, signature: &str) -> ElevantRecord {
        let system = system.trim_end_matches(".linked_articles");
        // Files of ELEVANT are named `system.benchmark.linked_articles`; its application puts the
        // benchmark back.
        let of_file = system.strip_suffix(benchmark).and_then(|name| name.strip_suffix('.'));
        ElevantRecord {
            experiment: of_file.unwrap_or(system).to_owned(),
            benchmark: benchmark.to_owned(),
            signature: signature.to_owned(),
            files: ElevantFiles { results: Value::Null, cases: Vec::new() },
        }
    }

    /// The name of the system with its benchmark.
    fn name(&self) -> String {
        format!("{}.{}", self.experiment, self.benchmark)
    }

    /// The name of its files, without what they end in.
    fn file(&self) -> String {
        format!("{}.{}", file_name(&self.experiment), self.benchmark)
    }
}

/// Systems whose names differ only in what names of files do not have would overwrite each other.
fn check_files(systems: &[ElevantRecord]) -> Result<(), Error> {
    let mut known: HashMap<String, &str> = HashMap::new();
    for system in systems {
        let file = system.file();
        let name = &system.experiment;
        if let Some(first) = known.get(&file) {
            return Err(Error::bad_request(
                format!("the files of `{first}` and `{name}` would both be `{file}`"),
                "give one of them another name: NAME=INPUT",
            ));
        }
        known.insert(file, name);
    }
    Ok(())
}

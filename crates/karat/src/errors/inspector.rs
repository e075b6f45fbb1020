//! Answers to questions about errors.

use super::answer::{ErrorsAnswer, FoundErrors};
use super::case::ErrorCase;
use super::contrast::Contrast;
use super::counts::ErrorCounts;
use super::diff::{CaseDifference, Group, differences};
use super::filter::Filter;
use super::kind::KindsOfRun;
use super::names::Narrowed;
use super::rates::{CategoryRate, category_rates};
use super::request::{ErrorsQuestion, ErrorsRequest, UnknownEntities};
use super::suspects::{VerificationTask, suspects};
use super::{Inspection, remarks, tables};
use crate::convention::facets;
use crate::elevant::benchmark_name;
use crate::error::Error;
use crate::inputs::{ComparedDigests, Experiment, Repeats, Run, Spellings, signed_gold};
use crate::work::Work;
use karat_facets::{Facet, order};
use karat_kb::Identity;
use karat_match::Unknowns;
use karat_measures::{Convention, Signature};
use karat_model::{Hint, Notice, Watch};
use karat_report::{Cell, Table};
use rayon::prelude::*;
use std::sync::Arc;

/// Everything that a request about errors needs, read.
pub(super) struct Inspector<'r> {
    pub(super) request: &'r ErrorsRequest,
    pub(super) convention: Convention,
    pub(super) identity: Identity,
    pub(super) experiments: Vec<Experiment>,
    narrowed: Narrowed,
    /// One for each experiment.
    signatures: Vec<String>,
    work: &'r Work,
    watch: Watch,
    told: Vec<Notice>,
}

/// What was found, before it is made into tables.
#[derive(Debug)]
pub struct InspectedErrors {
    /// What a reader has to know.
    pub notices: Vec<Notice>,
    signatures: Vec<String>,
    digests: Vec<ComparedDigests>,
    found: Found,
}

/// Kinds stay as they are, because neleval prints them in its own way.
#[derive(Debug)]
enum Found {
    Kinds { runs: Vec<KindsOfRun>, lists: bool },
    Made(FoundErrors),
}

/// What was found in one run.
pub(super) struct OfRun<'e, T> {
    benchmark: &'e str,
    pub(super) system: &'e str,
    pub(super) found: T,
}

impl InspectedErrors {
    /// The answer.
    pub fn into_answer(self) -> ErrorsAnswer {
        let several = self.signatures.len() > 1;
        let found = match self.found {
            Found::Made(found) => found,
            Found::Kinds { runs, lists: true } => {
                FoundErrors::Rows(tables::kind_list(&runs, several))
            }
            Found::Kinds { runs, lists: false } => {
                FoundErrors::Rows(tables::kind_counts(&runs, several))
            }
        };
        let answer = ErrorsAnswer::new(found, self.signatures, self.notices);
        ErrorsAnswer { digests: self.digests, ..answer }
    }

    /// What `neleval analyze` prints, one benchmark and system after the other. Of what is not about kinds of
    /// errors it prints nothing.
    pub fn neleval(&self) -> String {
        let Found::Kinds { runs, lists } = &self.found else { return String::new() };
        let differ = |name: fn(&KindsOfRun) -> &String| {
            runs.iter().any(|run| runs.first().is_some_and(|first| name(first) != name(run)))
        };
        let several_benchmarks = differ(|run| &run.benchmark);
        let several_systems = differ(|run| &run.system);
        let mut text = String::new();
        let mut last = None;
        for run in runs {
            if several_benchmarks && last.replace(&run.benchmark) != Some(&run.benchmark) {
                text += &format!("# {}\n", run.benchmark);
            }
            if several_systems {
                text += &format!("# {}\n", run.system);
            }
            text += &if *lists { run.neleval_list() } else { run.counts.neleval() };
        }
        text
    }
}

impl<'r> Inspector<'r> {
    /// Reads everything; of the systems only those stay that are named, if any are.
    pub(super) fn of(
        request: &'r ErrorsRequest,
        narrowed: Narrowed,
        work: &'r Work,
    ) -> Result<Inspector<'r>, Error> {
        let mut told = Vec::new();
        let mut convention = request.convention.convention()?;
        // A threshold that is best for a score is none for a list of mentions.
        convention.oracle = false;
        let mut identity = request.convention.identity(&convention, &mut told)?;
        let mut experiments = request.inputs.read(Repeats::Refused, work, &mut told)?;
        // Before systems are left out: how ids are compared must not depend on which of them are
        // shown.
        Spellings::settle(&experiments, &mut convention, &mut identity, &mut told);
        let only = &request.only;
        check_names(only, &experiments)?;
        for experiment in &mut experiments {
            experiment.runs.retain(|run| only.is_empty() || only.contains(&run.name));
            told.extend(experiment.coverage_notices());
            told.extend(experiment.benchmark.nothing_known(&convention));
        }
        // Named in the signature only where it is not the usual, so that other signatures stay as
        // they are.
        let is_required = request.unknowns == Some(UnknownEntities::Required);
        let unknowns = is_required.then_some(("unknowns", "required"));
        let provenance = request.inputs.provenance()?;
        let signature =
            |it: &Experiment| signature(&convention, &identity, unknowns, it, &provenance);
        let signatures = experiments.iter().map(signature).collect();
        Ok(Inspector {
            request,
            convention,
            identity,
            experiments,
            narrowed,
            signatures,
            work,
            watch: work.watch(),
            told,
        })
    }

    /// Answers the question.
    pub(super) fn inspect(self) -> Result<InspectedErrors, Error> {
        let mut told = Vec::new();
        let found = self.found(&mut told)?;
        self.identity.check()?;
        let digests = match self.request.digests {
            true => self.experiments.iter().map(Experiment::digests).collect(),
            false => Vec::new(),
        };
        let Inspector { signatures, told: mut notices, .. } = self;
        notices.append(&mut told);
        Ok(InspectedErrors { notices, signatures, digests, found })
    }

    fn found(&self, told: &mut Vec<Notice>) -> Result<Found, Error> {
        if self.request.is_about_kinds() {
            return self.kinds();
        }
        let table = match &self.request.question {
            ErrorsQuestion::Count(by) => match by.facet() {
                Some(facet) => self.sides(facet)?,
                None => self.counts(told)?,
            },
            ErrorsQuestion::List(_) => self.list(told)?,
            ErrorsQuestion::Diff(first, second) => self.diff([first, second], told)?,
            ErrorsQuestion::Suspects { agree } => {
                return Ok(Found::Made(self.suspects(*agree, told)?));
            }
            ErrorsQuestion::Confusion(facet) => self.confusion(facet)?,
            ErrorsQuestion::PartialSpans => self.partial_spans()?,
        };
        Ok(Found::Made(FoundErrors::Rows(table)))
    }

    /// The signature of the first benchmark.
    pub(super) fn signature_of_first(&self) -> String {
        self.signatures.first().cloned().unwrap_or_default()
    }

    /// Everything that has to be said, after what was found.
    pub(super) fn into_notices(self, told: Vec<Notice>) -> Result<Vec<Notice>, Error> {
        self.identity.check()?;
        Ok(self.told.into_iter().chain(told).collect())
    }

    /// The cases of one system on the first benchmark.
    pub(super) fn cases_of(&self, system: &str) -> Result<Vec<ErrorCase>, Error> {
        let experiment = &self.experiments[0];
        let (gold, run) = (&experiment.benchmark.corpus, experiment.run(system)?);
        Ok(self.inspection().cases(gold, &run.corpus, self.request.unknowns(), &[]))
    }

    pub(super) fn inspection(&self) -> Inspection<'_> {
        Inspection::new(&self.convention, &self.identity).watched(&self.watch)
    }

    fn several(&self) -> bool {
        self.experiments.len() > 1
    }

    /// Looks at every run, several at a time; what is found keeps their order.
    fn each_run<T: Send>(
        &self,
        find: impl Fn(&Experiment, &Run) -> T + Sync,
    ) -> Result<Vec<OfRun<'_, T>>, Error> {
        let mut runs: Vec<(&Experiment, &Run)> = Vec::new();
        for experiment in &self.experiments {
            runs.extend(experiment.runs.iter().map(|run| (experiment, run)));
        }
        let documents = |(experiment, _): &(&Experiment, &Run)| experiment.benchmark.corpus.len();
        self.work.begin("looking for errors", runs.iter().map(documents).sum::<usize>() as u64)?;
        let of_run = |(experiment, run): &(&Experiment, &Run)| find(experiment, run);
        // Runs side by side; `collect` of an indexed iterator keeps their order.
        let found: Vec<T> = self.work.run(|| runs.par_iter().map(of_run).collect())?;
        let found = runs.into_iter().zip(found).map(|((experiment, run), found)| OfRun {
            benchmark: experiment.benchmark.name.as_str(),
            system: run.name.as_str(),
            found,
        });
        Ok(found.collect())
    }

    fn kinds(&self) -> Result<Found, Error> {
        let lists = matches!(self.request.question, ErrorsQuestion::List(_));
        Ok(Found::Kinds { runs: self.kinds_of_runs()?, lists })
    }

    /// The kinds of all runs: counted, or one by one where the request asks for a list.
    pub(super) fn kinds_of_runs(&self) -> Result<Vec<KindsOfRun>, Error> {
        let (inspection, unique) = (self.inspection(), self.request.unique);
        let lists = matches!(self.request.question, ErrorsQuestion::List(_));
        let kinds = self.narrowed.listed_kinds();
        let runs = self.each_run(|experiment, run| {
            let (gold, output) = (&experiment.benchmark.corpus, &run.corpus);
            let mut found = KindsOfRun {
                benchmark: experiment.benchmark.name.clone(),
                system: run.name.clone(),
                ..KindsOfRun::default()
            };
            match lists {
                true => found.listed = inspection.of_kinds(gold, output, unique, &kinds),
                false => found.counts = inspection.kind_counts(gold, output, unique),
            }
            found
        })?;
        Ok(runs.into_iter().map(|run| run.found).collect())
    }

    /// How often each label occurs among gold mentions, and among predictions.
    fn sides(&self, name: &'static str) -> Result<Table, Error> {
        let inspection = self.inspection();
        let found = facets(name, &self.convention, Unknowns::Ignored, &self.identity)?;
        let runs = self.each_run(|experiment, run| {
            let (gold, output) = (&experiment.benchmark.corpus, &run.corpus);
            let of = |facet: &Arc<dyn Facet>| inspection.sides(gold, output, facet.as_ref());
            found.iter().flat_map(of).collect::<Vec<_>>()
        })?;
        let names = ["benchmark", "system", "side", name, "mentions"];
        let mut table = Table::new(tables::columns(names));
        for OfRun { benchmark, system, found } in runs {
            for ((side, label), number) in found {
                let cells = [benchmark, system, side, &label].map(Cell::from);
                table.row(cells.into_iter().chain([Cell::from(number)]));
            }
        }
        Ok(table)
    }

    /// By which label of a facet links are right.
    fn confusion(&self, name: &str) -> Result<Table, Error> {
        let inspection = self.inspection();
        let found = facets(name, &self.convention, Unknowns::Ignored, &self.identity)?;
        let [facet] = found.as_slice() else {
            return Err(Error::bad_request(
                format!("`{name}` is not one facet"),
                "name one of them",
            ));
        };
        if facet.is_of_cases() {
            return Err(Error::bad_request(
                format!("`{name}` is no label of gold mentions"),
                "name a facet that mentions have by themselves, as base-form or type",
            ));
        }
        let runs = self.each_run(|experiment, run| {
            inspection.confusion(&experiment.benchmark.corpus, &run.corpus, facet.as_ref())
        })?;
        let names = ["benchmark", "system", name, "right by", "mentions"];
        let mut table = Table::new(tables::columns(names));
        for OfRun { benchmark, system, found } in runs {
            let mut counts: Vec<_> = found.iter().collect();
            counts.sort_by_key(|((label, by), _)| (order(label), order(by)));
            for ((label, by), number) in counts {
                let cells = [benchmark, system, label, by].map(Cell::from);
                table.row(cells.into_iter().chain([Cell::from(*number)]));
            }
        }
        Ok(table)
    }

    fn partial_spans(&self) -> Result<Table, Error> {
        let inspection = self.inspection();
        let runs = self.each_run(|experiment, run| {
            inspection.partial_spans(&experiment.benchmark.corpus, &run.corpus)
        })?;
        let pairs: Vec<_> = runs
            .iter()
            .flat_map(|run| run.found.iter().map(|pair| (run.benchmark, run.system, pair)))
            .collect();
        Ok(tables::partial_spans(&pairs, self.several()))
    }

    /// How many errors of each category there are.
    fn counts(&self, told: &mut Vec<Notice>) -> Result<Table, Error> {
        let runs = self.counted(told)?;
        let rates =
            runs.iter().map(|run| (run.benchmark, run.system, self.category_rates(&run.found)));
        Ok(tables::category_counts(&rates.collect::<Vec<_>>(), self.several()))
    }

    /// What a run counts, as records.
    pub(super) fn category_rates(&self, counts: &ErrorCounts) -> Vec<CategoryRate> {
        category_rates(counts, self.convention.taxonomy, self.request.unknowns())
    }

    /// What is counted of each run, by category.
    pub(super) fn counted(
        &self,
        told: &mut Vec<Notice>,
    ) -> Result<Vec<OfRun<'_, ErrorCounts>>, Error> {
        let (inspection, filters) = (self.inspection(), self.filters()?);
        let unknowns = self.request.unknowns();
        let runs = self.each_run(|Experiment { benchmark, .. }, run| {
            let (gold, output) = (&benchmark.corpus, &run.corpus);
            match filters.is_empty() {
                true => inspection.counts(benchmark_name(&benchmark.name), gold, output),
                false => inspection.counts_of(gold, output, unknowns, &filters),
            }
        })?;
        match filters.is_empty() {
            true => {
                let words = |it: &Experiment| remarks::words_unknown(&inspection, it);
                told.extend(self.experiments.iter().filter_map(words));
            }
            false => {
                told.extend(self.labels_nobody_has(&filters));
                told.push(remarks::words_of_a_part());
            }
        }
        // Said once for all runs, as it is true of all.
        if inspection.base.is_none() {
            told.push(remarks::without_base("some categories are unknown"));
        }
        told.extend(runs.iter().filter_map(|run| remarks::unjudged_links(run.system, &run.found)));
        if runs.iter().any(|run| run.found.has_mentions_without_text()) {
            told.push(remarks::without_texts());
        }
        Ok(runs)
    }

    /// The cases of all runs.
    fn cases(&self, filters: &[Filter]) -> Result<Vec<OfRun<'_, Vec<ErrorCase>>>, Error> {
        let (inspection, unknowns) = (self.inspection(), self.request.unknowns());
        self.each_run(|experiment, run| {
            inspection.cases(&experiment.benchmark.corpus, &run.corpus, unknowns, filters)
        })
    }

    fn list(&self, told: &mut Vec<Notice>) -> Result<Table, Error> {
        let filters = self.filters()?;
        let all = self.cases(&filters)?;
        let mut rows = Vec::new();
        for run in &all {
            let kept = run.found.iter().filter(|case| self.narrowed.has(case));
            rows.extend(kept.map(|case| (run.benchmark, run.system, case)));
        }
        let shown = rows.iter().map(|(_, _, case)| *case);
        told.extend(self.cannot_be_told(&self.narrowed, &filters, shown));
        if rows.is_empty() {
            told.extend(self.nothing_is_left(has_cases(&all), &filters));
        }
        Ok(tables::case_list(&rows, self.several()))
    }

    fn diff(&self, names: [&str; 2], told: &mut Vec<Notice>) -> Result<Table, Error> {
        let filters = self.filters()?;
        self.check_are_systems(names)?;
        let all = self.cases(&filters)?;
        let found = self.differing(&all, names);
        let shown = found.iter().flat_map(|(_, both)| [both.first, both.second]);
        told.extend(self.cannot_be_told(&self.narrowed, &filters, shown));
        if found.is_empty() {
            told.extend(self.nothing_is_left(has_cases(&all), &filters));
        }
        told.push(remarks::how_many(&found, names));
        Ok(tables::differences(&found, self.several(), names))
    }

    /// The same as records, of one benchmark.
    pub(super) fn contrast(
        &self,
        names: [&str; 2],
        told: &mut Vec<Notice>,
    ) -> Result<Contrast, Error> {
        self.check_are_systems(names)?;
        let all = self.cases(&[])?;
        let found = self.differing(&all, names);
        let shown = found.iter().flat_map(|(_, both)| [both.first, both.second]);
        told.extend(self.cannot_be_told(&self.narrowed, &[], shown));
        Ok(Contrast::of(found.iter().map(|(_, difference)| difference)))
    }

    /// Refuses names that a benchmark has no run of.
    fn check_are_systems(&self, names: [&str; 2]) -> Result<(), Error> {
        for experiment in &self.experiments {
            let known = || experiment.runs.iter().map(|run| run.name.as_str());
            if let Some(name) = names.into_iter().find(|name| !known().any(|it| it == *name)) {
                return Err(Error::unknown("system", name, known()));
            }
        }
        Ok(())
    }

    /// Refuses several benchmarks where records are of one.
    pub(super) fn check_is_one_benchmark(&self) -> Result<(), Error> {
        match self.several() {
            true => Err(Error::bad_request(
                "errors are put side by side on one benchmark",
                Hint::template("give one {gold}"),
            )),
            false => Ok(()),
        }
    }

    /// What not both of two systems get right: who is right decides the order.
    fn differing<'c>(
        &self,
        all: &'c [OfRun<'_, Vec<ErrorCase>>],
        names: [&str; 2],
    ) -> Vec<(&'c str, CaseDifference<'c>)> {
        let mut found: Vec<(&str, CaseDifference<'_>)> = Vec::new();
        for runs in all.chunk_by(|a, b| a.benchmark == b.benchmark) {
            let [first, second] = names.map(|name| {
                let named = runs.iter().find(|run| run.system == name);
                named.map_or(&[][..], |run| run.found.as_slice())
            });
            let of_both = differences(first, second).into_iter();
            found.extend(of_both.map(|difference| (runs[0].benchmark, difference)));
        }
        // After both were lined up: a case may be interesting for one system only.
        found.retain(|(_, difference)| {
            let listed = [difference.first, difference.second].map(|case| self.narrowed.has(case));
            difference.group != Group::BothRight && listed.contains(&true)
        });
        found.sort_by_key(|(_, difference)| difference.group);
        found
    }

    fn suspects(&self, least: usize, told: &mut Vec<Notice>) -> Result<FoundErrors, Error> {
        let filters = self.filters()?;
        let few = |experiment: &&Experiment| experiment.runs.len() < least;
        if let Some(experiment) = self.experiments.iter().find(few) {
            return Err(too_few(least, experiment));
        }
        let all = self.cases(&filters)?;
        let mut tasks = Vec::new();
        // Runs of one benchmark stand together, because they were made benchmark by benchmark.
        for runs in all.chunk_by(|a, b| a.benchmark == b.benchmark) {
            let cases: Vec<(&str, &[ErrorCase])> =
                runs.iter().map(|run| (run.system, run.found.as_slice())).collect();
            let found = suspects(&cases, least, &self.identity);
            if found.is_empty() && !filters.is_empty() {
                told.extend(self.nothing_is_left(has_cases(runs), &filters));
            }
            let ranked = found.into_iter().zip(1..);
            tasks.extend(ranked.map(|(suspect, rank)| {
                VerificationTask::of(suspect, rank, runs[0].benchmark, runs.len())
            }));
        }
        if tasks.is_empty() {
            told.push(remarks::nobody_agrees(least));
        }
        Ok(FoundErrors::Tasks { tasks })
    }
}

fn has_cases(runs: &[OfRun<'_, Vec<ErrorCase>>]) -> bool {
    runs.iter().any(|run| !run.found.is_empty())
}

/// Names that no system has were mistyped.
fn check_names(only: &[String], experiments: &[Experiment]) -> Result<(), Error> {
    let mut known: Vec<&str> = Vec::new();
    for run in experiments.iter().flat_map(|experiment| &experiment.runs) {
        if !known.contains(&run.name.as_str()) {
            known.push(&run.name);
        }
    }
    match only.iter().find(|name| !known.contains(&name.as_str())) {
        Some(name) => Err(Error::unknown("system", name, known)),
        None => Ok(()),
    }
}

fn too_few(least: usize, experiment: &Experiment) -> Error {
    let given = match experiment.runs.len() {
        1 => "one is".to_owned(),
        several => format!("{several} are"),
    };
    let name = &experiment.benchmark.name;
    Error::bad_request(
        format!("{least} systems are to agree about `{name}`, and {given} given"),
        Hint::template("give more systems with {system=NAME=INPUT}, or lower {agree}"),
    )
}

/// What the numbers of a benchmark depend on.
pub(crate) fn signature(
    convention: &Convention,
    identity: &Identity,
    unknowns: Option<(&str, &str)>,
    experiment: &Experiment,
    provenance: &[(&'static str, String)],
) -> String {
    let mut signature = Signature::new(convention);
    if let Some(kb) = identity.signature() {
        signature.push("kb", &kb);
    }
    if let Some((name, value)) = unknowns {
        signature.push(name, value);
    }
    let gold = &experiment.benchmark;
    signature.push("gold", &signed_gold(&gold.name, gold.corpus.digest()));
    for (name, value) in provenance {
        signature.push(name, value);
    }
    signature.to_string()
}

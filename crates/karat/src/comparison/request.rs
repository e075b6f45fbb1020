//! What can be asked of a comparison.

use super::answer::{ComparisonAnswer, RanksRecord};
use super::{Comparing, Comparison, EnteredSystem, ScoreComparison};
use crate::command::CommandLine;
use crate::convention::{ConventionRequest, facets};
use crate::counts::counts_of_runs;
use crate::error::Error;
use crate::inputs::{Coverage, Experiment, Inputs, Repeats, Spellings};
use crate::notices;
use crate::request::Request;
use crate::scoring::{DrawingRequest, Scoring, check_attributes, documents_to_score, is_score};
use crate::work::Work;
use karat_match::Unknowns;
use karat_model::{Hint, Notice};
use karat_stats::{Bootstrap, Correction, Power};
use serde::{Deserialize, Serialize};

/// Says which systems are really better, and how sure that is. Systems that are given the same name are runs of
/// one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ComparisonRequest {
    /// Gold and systems.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// Measures, groups or single scores; a measure stands for its F1.
    pub measures: Vec<String>,
    /// Facets by whose parts systems are compared as well, several joined by `+`.
    pub group_by: Vec<String>,
    /// How documents are drawn again and exchanged.
    pub drawing: DrawingRequest,
    /// When a corrected p-value counts as significant.
    pub alpha: f64,
    /// How often a difference is to be found for the test set to be able to resolve it.
    pub power: f64,
    /// How p-values are corrected for the number of pairs: `holm`, `bh`, `bonferroni` or `none`.
    pub correction: String,
    /// Whether the answer has the digests of gold and systems, which take as long as reading them.
    pub digests: bool,
    /// Whether only standings and groups are wanted, as on a board. Of many systems, pairs are then left out where no test
    /// of them could be significant; the answer says so.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub standings_only: bool,
}

impl Default for ComparisonRequest {
    fn default() -> ComparisonRequest {
        ComparisonRequest {
            inputs: Inputs::default(),
            convention: ConventionRequest::default(),
            measures: vec!["link".to_owned()],
            group_by: Vec::new(),
            drawing: DrawingRequest::default(),
            alpha: 0.05,
            power: 0.8,
            correction: Correction::Holm.to_string(),
            digests: false,
            standings_only: false,
        }
    }
}

/// Enough for three stable digits of a p-value.
const TRIALS: usize = 10_000;

impl Request for ComparisonRequest {
    type Answer = ComparisonAnswer;

    const NAME: &'static str = "comparison";

    fn answer(&self, work: &Work) -> Result<ComparisonAnswer, Error> {
        if let Some(answer) = self.answer_from_counts(work)? {
            return Ok(answer);
        }
        let mut told = Vec::new();
        let mut comparing = self.comparing(work, &mut told)?;
        let experiments = self.inputs.read(Repeats::AreRuns, work, &mut told)?;
        check_attributes(&comparing.scoring.selection, &experiments)?;
        for experiment in &experiments {
            check_systems(experiment)?;
            self.drawing.check(&experiment.benchmark.corpus)?;
        }
        let Scoring { convention, identity, .. } = &mut comparing.scoring;
        Spellings::settle(&experiments, convention, identity, &mut told);
        let mut comparisons = Vec::new();
        for experiment in &experiments {
            work.begin("scoring", documents_to_score(std::slice::from_ref(experiment)))?;
            let Experiment { benchmark, runs } = experiment;
            let compared =
                work.run(|| comparing.compare(&benchmark.name, &benchmark.corpus, runs))?;
            comparisons.push(Comparison { unified: benchmark.is_unified(), ..compared });
        }
        comparing.scoring.identity.check()?;
        for comparison in &comparisons {
            comparison.check_scores()?;
            told.extend(comparison.notices());
        }
        let mut answer = ComparisonAnswer::of(&comparisons);
        if answer.benchmarks.len() > 1 {
            told.extend(answer.across.iter().filter_map(RanksRecord::notice));
        }
        if self.digests {
            answer.digests = experiments.iter().map(Experiment::digests).collect();
        }
        answer.notices = told;
        Ok(answer)
    }

    fn commands(&self) -> Vec<CommandLine> {
        let usual = ComparisonRequest::default();
        // Only records have digests, which change no number; nor does it which pairs are left out.
        let ComparisonRequest {
            inputs,
            convention,
            measures,
            group_by,
            drawing,
            alpha,
            power,
            correction,
            digests: _,
            standings_only: _,
        } = self;
        let command = CommandLine::of("compare")
            .inputs(inputs)
            .convention(convention)
            .list("-m", measures)
            .list("--group-by", group_by)
            .drawing(drawing)
            .unusual("--alpha", *alpha, usual.alpha)
            .unusual("--power", *power, usual.power)
            .unusual("--correction", correction, &usual.correction);
        vec![command]
    }
}

impl ComparisonRequest {
    /// The answer from counts that are kept. Nothing where they are not, or where counts do not tell everything that
    /// was asked: parts of the corpus, documents that are drawn by what they are.
    fn answer_from_counts(&self, work: &Work) -> Result<Option<ComparisonAnswer>, Error> {
        let DrawingRequest { strata, clusters, .. } = &self.drawing;
        let is_told = self.group_by.is_empty() && strata.is_none() && clusters.is_none();
        let has_rivals = self.inputs.systems.len() > 1 && !self.measures.is_empty();
        if work.counts.is_none() || self.digests || !is_told || !has_rivals {
            return Ok(None);
        }
        let Inputs { systems, .. } = &self.inputs;
        if systems.iter().all(|it| it.path == systems[0].path) {
            return Ok(None);
        }
        let counts = counts_of_runs(&self.inputs, &self.convention, &self.measures, work)?;
        let Some(counts) = counts else { return Ok(None) };
        let mut told = Vec::new();
        let mut comparing = self.comparing(work, &mut told)?;
        counts.compare_ids_as_counted(&mut comparing.scoring);
        told.extend(counts.gold.notices.iter().cloned());
        work.begin("scoring", counts.gold.documents as u64)?;
        let comparison = work.run(|| comparing.compare_counts(&counts))??;
        comparison.check_scores()?;
        told.extend(comparison.notices());
        Ok(Some(ComparisonAnswer { notices: told, ..ComparisonAnswer::of(&[comparison]) }))
    }

    fn comparing(&self, work: &Work, told: &mut Vec<Notice>) -> Result<Comparing, Error> {
        let power =
            Power { alpha: share(self.alpha, "alpha")?, power: share(self.power, "power")? };
        let correction: Correction = self.correction.parse().map_err(|_| {
            Error::unknown("correction", &self.correction, ["holm", "bh", "bonferroni", "none"])
        })?;
        let convention = self.convention.convention()?;
        let names: Vec<&str> = self.measures.iter().map(String::as_str).collect();
        let mut scoring = Scoring::new(convention, &names)?;
        let selection = &scoring.selection;
        // A count grows with the corpus, and equal shares of two systems of different size would
        // differ.
        if let Some(count) = selection.wanted.iter().find(|wanted| !is_score(selection, wanted)) {
            let name = &selection.measures[count.measure].name;
            return Err(Error::bad_request(
                format!("`{name}.{}` is a count", count.score.as_deref().unwrap_or_default()),
                "systems are compared by scores, as link.f1 or link.precision",
            ));
        }
        scoring.identity = self.convention.identity(&scoring.convention, told)?;
        let facets_of =
            |name: &String| facets(name, &scoring.convention, Unknowns::Ignored, &scoring.identity);
        scoring.facets = self.group_by.iter().map(facets_of).collect::<Result<_, _>>()?;
        scoring.threads = work.own_threads();
        scoring.watch = work.watch();
        scoring.provenance.extend(self.inputs.provenance()?);
        scoring.resampling = self.drawing.resampling()?;
        let usual = Bootstrap { trials: TRIALS, ..Bootstrap::default() };
        let Some(bootstrap) = self.drawing.bootstrap(Some(usual), told)? else {
            return Err(Error::bad_request(
                "nothing can be said about differences without trials",
                Hint::template("leave out {trials}, or ask for 1000 or more"),
            ));
        };
        Ok(Comparing {
            bootstrap,
            correction,
            power,
            standings_only: self.standings_only,
            pair_keeper: work.pairs.clone(),
            ..Comparing::new(scoring)
        })
    }
}

fn share(value: f64, name: &'static str) -> Result<f64, Error> {
    match value > 0.0 && value < 1.0 {
        true => Ok(value),
        false => Err(Error::bad_request(
            format!("`{value}` is no probability for `{name}`"),
            "write a number between 0 and 1",
        )),
    }
}

/// One system is no comparison.
fn check_systems(experiment: &Experiment) -> Result<(), Error> {
    let first = experiment.runs.first().map(|run| &run.name);
    // Runs of one system have one name; comparing them with each other is not what was asked.
    match experiment.runs.iter().all(|run| Some(&run.name) == first) {
        true => Err(Error::bad_request(
            format!("there is only one system on `{}`", experiment.benchmark.name),
            Hint::template(
                "give a second with {system}, as NAME=INPUT; `karat eval` scores one system, with an interval",
            ),
        )),
        false => Ok(()),
    }
}

impl Comparison {
    /// What has to be known of means over different documents, of the whole corpus.
    fn over_other_documents(&self, score: &ScoreComparison) -> Option<Notice> {
        let averaged: Vec<usize> =
            score.systems.iter().map(|standing| standing.averaged).collect::<Option<_>>()?;
        if score.part.is_some() || averaged.iter().all(|number| *number == averaged[0]) {
            return None;
        }
        let of_system =
            |(system, number): (&EnteredSystem, &usize)| format!("{number} for `{}`", system.name);
        let each: Vec<String> = self.systems.iter().zip(&averaged).map(of_system).collect();
        let message = format!(
            "{} on `{}` is a mean over different documents: {}; documents are compared where all have it",
            score.name,
            self.benchmark,
            each.join(", ")
        );
        Some(notices::OTHER_DOCUMENTS.notice(message).about(&self.benchmark))
    }
}

impl RanksRecord {
    fn notice(&self) -> Option<Notice> {
        match self {
            RanksRecord::Ranked(_) => None,
            RanksRecord::NotRanked { reason } => {
                Some(notices::NOT_RANKED.notice(format!("no ranks over all benchmarks: {reason}")))
            }
        }
    }
}

impl Comparison {
    /// A table without a score is none, nor is one of documents that nobody has.
    fn check_scores(&self) -> Result<(), Error> {
        if self.systems.iter().all(|system| system.silent_documents >= self.documents) {
            return Err(Error::bad_request(
                format!("no system says anything about a document of `{}`", self.benchmark),
                "are these the right files? Documents are lined up by name",
            ));
        }
        if self.scores.is_empty() {
            return Err(Error::bad_request(
                format!(
                    "{} cannot be compared: drawing documents again says nothing about it",
                    self.left_out.join(", ")
                ),
                "ask for measures that add up over documents, as link, mention or tag",
            ));
        }
        Ok(())
    }

    fn notices(&self) -> Vec<Notice> {
        let parts = self.notes_on_parts.iter();
        let mut told: Vec<Notice> =
            parts.map(|note| notices::UNLABELLED_PARTS.notice(note.as_str())).collect();
        for system in &self.systems {
            let coverage = Coverage {
                documents: self.documents,
                silent: system.silent_documents,
                unknown: system.unknown_documents.clone(),
            };
            told.extend(coverage.notices(&system.name, &self.benchmark, true));
        }
        told.extend(self.scores.iter().filter_map(|score| self.over_other_documents(score)));
        // A part of which a system has nothing is a dash in the table.
        for score in self.scores.iter().filter(|score| score.part.is_none()) {
            for (system, standing) in self.systems.iter().zip(&score.systems) {
                if standing.score.is_none() {
                    let (name, score) = (&system.name, score.title());
                    let message = format!("`{name}` has no {score}: there is nothing to divide by");
                    told.push(notices::NO_SCORE.notice(message).about(name));
                }
            }
        }
        told
    }
}

//! What can be asked of an evaluation.

use super::answer::EvaluationAnswer;
use super::drawing::DrawingRequest;
use super::fuzzy::Fuzzy;
use super::gates::{Gate, gated_score};
use super::{Board, Development, Scoring, StreamInput, Streamed, plots};
use crate::command::CommandLine;
use crate::convention::{ConventionRequest, facets};
use crate::error::Error;
use crate::inputs::{Experiment, InputRequest, Inputs, Repeats, Spellings, counted, plain_text};
use crate::notices;
use crate::request::Request;
use crate::work::Work;
use karat_match::{Given, Unknowns};
use karat_measures::{Hierarchy, Measure, Selection, TypeWeights};
use karat_model::{Corpus, Hint, Notice};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// Scores one or more systems against one or more gold standards.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EvaluationRequest {
    /// Gold and systems.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// Measures, groups or single scores; those of the preset if there are none.
    pub measures: Vec<String>,
    /// The gold of a development set, on which a threshold is chosen for each system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tune: Option<String>,
    /// Weights for pairs of types, as `types=FILE`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<String>,
    /// A file with a hierarchy of types.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hierarchy: Option<String>,
    /// How gold mentions are weighed for fuzzy recall.
    pub fuzzy: Vec<String>,
    /// Facets by which results are divided, several joined by `+`.
    pub group_by: Vec<String>,
    /// Whether every two systems are compared as well.
    pub similarity: bool,
    /// Whether scores are followed over all thresholds on confidence.
    pub curve: bool,
    /// Scores that every system must reach, as `link.f1=0.8`.
    pub fail_under: Vec<String>,
    /// How intervals are made.
    pub drawing: DrawingRequest,
    /// Whether the outputs of systems get digests as well as gold, which takes as long as reading them.
    pub digests: bool,
    /// Whether inputs are read side by side, without keeping them in memory.
    pub stream: bool,
}

/// What an evaluation gives: the answer, and what it was made of.
#[derive(Debug)]
pub struct Evaluated {
    /// The answer.
    pub answer: EvaluationAnswer,
    /// Scores with the counts of documents, one board for each benchmark.
    pub boards: Vec<Board>,
}

impl Request for EvaluationRequest {
    type Answer = EvaluationAnswer;

    const NAME: &'static str = "evaluation";

    fn answer(&self, work: &Work) -> Result<EvaluationAnswer, Error> {
        match self.answer_from_counts(work)? {
            Some(answer) => Ok(answer),
            None => Ok(self.evaluate(work)?.answer),
        }
    }

    fn commands(&self) -> Vec<CommandLine> {
        // A curve is written to a file that the user names, and only records have digests: neither changes a number.
        let EvaluationRequest {
            inputs,
            convention,
            measures,
            tune,
            weight,
            hierarchy,
            fuzzy,
            group_by,
            similarity,
            curve: _,
            fail_under,
            drawing,
            digests: _,
            stream,
        } = self;
        let command = CommandLine::of("eval")
            .inputs(inputs)
            .convention(convention)
            .list("-m", measures)
            .maybe("--tune", tune.as_ref())
            .maybe("--weight", weight.as_ref())
            .maybe("--hierarchy", hierarchy.as_ref())
            .each("--fuzzy", fuzzy)
            .list("--group-by", group_by)
            .switch("--similarity", *similarity)
            .each("--fail-under", fail_under)
            .drawing(drawing)
            .switch("--stream", *stream);
        vec![command]
    }
}

impl EvaluationRequest {
    /// The answer, and what it was made of.
    pub fn evaluate(&self, work: &Work) -> Result<Evaluated, Error> {
        let mut told = Vec::new();
        let mut scoring = self.scoring(work, &mut told)?;
        let gates = self.gates(&scoring)?;
        let boards = match self.stream {
            true => self.score_streams(&scoring, work, &mut told)?,
            false => self.score_whole(&mut scoring, work, &mut told)?,
        };
        let answer = answer_of(&boards, &gates, told);
        let answer = averaged(answer, &scoring);
        Ok(Evaluated { answer, boards })
    }

    /// The answer of boards that were made for this request.
    pub(super) fn answer_of(
        &self,
        boards: &[Board],
        scoring: &Scoring,
        told: Vec<Notice>,
    ) -> Result<EvaluationAnswer, Error> {
        Ok(averaged(answer_of(boards, &self.gates(scoring)?, told), scoring))
    }

    fn gates(&self, scoring: &Scoring) -> Result<Vec<Gate>, Error> {
        self.fail_under.iter().map(|text| Gate::parse(text, &scoring.convention)).collect()
    }

    /// Everything that decides the numbers.
    pub fn scoring(&self, work: &Work, told: &mut Vec<Notice>) -> Result<Scoring, Error> {
        self.check_stream()?;
        let (fuzzy, convention) = Fuzzy::of(&self.fuzzy, &self.convention, told)?;
        let preset = self.convention.preset()?;
        let mut names: Vec<&str> = self.measures.iter().map(String::as_str).collect();
        if names.is_empty() {
            names = preset.measures.to_vec();
        }
        names.extend(fuzzy.measures.iter().map(String::as_str));
        // A gate may ask for a measure that is not shown otherwise.
        let gated: Vec<Cow<'_, str>> = self
            .fail_under
            .iter()
            .filter_map(|gate| Some(gated_score(gate.rsplit_once('=')?.0)))
            .collect();
        // Parsed without the gates first: what gates add is measured, but not shown.
        let shown = Selection::parse(names.iter().copied(), &convention)?;
        names.extend(gated.iter().map(AsRef::as_ref));
        let mut scoring = Scoring::new(convention, &names)?;
        scoring.selection.wanted = shown.wanted;
        scoring.identity = self.convention.identity(&scoring.convention, told)?;
        if let Some(base) = scoring.identity.base() {
            scoring.selection.use_base(base);
        }
        scoring.sweep = self.curve;
        scoring.digest_systems = self.digests;
        scoring.similarity = self.similarity_measures(&scoring)?;
        scoring.threads = work.own_threads();
        scoring.watch = work.watch();
        scoring.provenance.extend(self.inputs.provenance()?);
        scoring.provenance.extend(fuzzy.provenance.map(|file| ("fuzzy", file)));
        // After the selection is complete: weights and hierarchies are given to measures that are
        // there already.
        self.weigh(&mut scoring)?;
        self.use_hierarchy(&mut scoring)?;
        scoring.development = self.development(work, told)?;
        let facets_of =
            |name: &String| facets(name, &scoring.convention, Unknowns::Ignored, &scoring.identity);
        scoring.facets = self.group_by.iter().map(facets_of).collect::<Result<_, _>>()?;
        scoring.bootstrap = self.drawing.bootstrap(scoring.bootstrap, told)?;
        scoring.resampling = self.drawing.resampling()?;
        Ok(scoring)
    }

    /// How many values of alpha fuzzy recall is asked for.
    pub fn alphas(&self) -> Result<usize, Error> {
        let (fuzzy, convention) = Fuzzy::of(&self.fuzzy, &self.convention, &mut Vec::new())?;
        let names = self.measures.iter().chain(&fuzzy.measures).map(String::as_str);
        Ok(plots::swept(&Selection::parse(names, &convention)?))
    }

    fn check_stream(&self) -> Result<(), Error> {
        let needs_all = [
            (self.similarity, "similarity"),
            (self.tune.is_some(), "tune"),
            (self.drawing.strata.is_some(), "strata"),
            (self.drawing.clusters.is_some(), "clusters"),
            (self.inputs.sentences.is_some(), "sentences"),
            (self.inputs.gold.iter().any(|gold| !gold.patches.is_empty()), "patch"),
        ];
        match needs_all.iter().find(|(asked, _)| self.stream && *asked) {
            Some((_, name)) => Err(Error::bad_request(
                format!("`{name}` needs all documents at once"),
                Hint::template("leave out {stream}"),
            )),
            None => Ok(()),
        }
    }

    fn score_whole(
        &self,
        scoring: &mut Scoring,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<Vec<Board>, Error> {
        let experiments = self.inputs.read_both_editions(Repeats::Refused, work, told)?;
        // Before anything is scored: a misspelt attribute should not cost minutes.
        check_attributes(&scoring.selection, &experiments)?;
        scoring.check_development(&experiments)?;
        // Only now it is known whether gold has clusters of NIL; the preset may add measures of
        // them.
        self.add_nil_clusters(scoring, &experiments)?;
        let Scoring { convention, identity, .. } = scoring;
        // The convention may change here, so that nothing above may have used it for a number.
        Spellings::settle(&experiments, convention, identity, told);
        if self.similarity && experiments.iter().any(|experiment| experiment.runs.len() < 2) {
            return Err(Error::bad_request(
                "similarity is of two systems",
                Hint::template(
                    "give several {system}; {measure=similarity} compares a system with gold",
                ),
            ));
        }
        // All benchmarks before the first is scored, for the same reason.
        for experiment in &experiments {
            self.drawing.check(&experiment.benchmark.corpus)?;
        }
        work.check()?;
        let mut boards = Vec::new();
        for Experiment { benchmark, runs } in &experiments {
            let score = || scoring.score(&benchmark.name, &benchmark.corpus, runs);
            boards.push(work.run(score)?);
        }
        // Errors of the knowledge base (a lookup that failed) are collected while threads run and
        // asked for once.
        scoring.identity.check()?;
        for (board, experiment) in boards.iter().zip(&experiments) {
            told.extend(board.notices(scoring));
            told.extend(scoring.remarks_on(experiment));
        }
        // To free what was read takes time, and somebody waits for the answer.
        work.later(move || drop(experiments));
        Ok(boards)
    }

    /// Scores each system on its own pass over gold and output.
    fn score_streams(
        &self,
        scoring: &Scoring,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<Vec<Board>, Error> {
        let [gold] = self.inputs.gold.as_slice() else {
            return Err(Error::bad_request(
                "a stream has one gold standard",
                Hint::template("give one {gold}, or leave out {stream}"),
            ));
        };
        let (gold_name, gold_files) = gold.open()?;
        let mut board: Option<Board> = None;
        for input in &self.inputs.systems {
            let (name, files) = input.open()?;
            work.begin("reading", gold_files.size() + files.size())?;
            let described = |input: &InputRequest| self.inputs.reading.described(input, work);
            let (of_gold, of_system) = (described(gold)?, described(input)?);
            let streamed = scoring.score_stream(
                &StreamInput { name: &gold_name, input: &gold_files, described: &of_gold },
                &StreamInput { name: &name, input: &files, described: &of_system },
            )?;
            // Gold is read anew for each system, and gives the same each time.
            let read = [(board.is_none(), &streamed.gold), (true, &streamed.system)];
            for (_, outcome) in read.iter().filter(|(is_new, _)| *is_new) {
                told.extend(self.inputs.reading.notices_of_skipping(outcome));
            }
            let Streamed { board: mut scored, other_texts, spellings, .. } = streamed;
            told.extend(spellings);
            told.extend(other_texts.notices(&gold_name, &input.path, scored.gold.documents));
            if let Some(entry) = scored.systems.first_mut() {
                entry.source = input.path.clone();
            }
            match &mut board {
                None => board = Some(scored),
                Some(board) => board.systems.append(&mut scored.systems),
            }
        }
        scoring.identity.check()?;
        if let Some(board) = &mut board {
            scoring.find_common_means(&mut board.systems);
        }
        told.extend(board.iter().flat_map(|board| board.notices(scoring)));
        Ok(board.into_iter().collect())
    }

    /// The measures by which systems are compared with each other, if they are.
    fn similarity_measures(&self, scoring: &Scoring) -> Result<Option<Selection>, Error> {
        if !self.similarity {
            return Ok(None);
        }
        let compares = |measure: &&Measure| measure.compute.compares_outputs();
        let asked = scoring.selection.measures.iter().filter(compares);
        let asked: Vec<&str> = asked.map(|measure| measure.name.as_str()).collect();
        // Measures that were asked for and can compare two outputs; the usual one if there are
        // none.
        let names = if asked.is_empty() { vec!["similarity"] } else { asked };
        Ok(Some(Selection::parse(names, &scoring.convention)?))
    }

    /// Where nothing was asked for, what a preset reports where gold has clusters of NIL.
    fn add_nil_clusters(
        &self,
        scoring: &mut Scoring,
        experiments: &[Experiment],
    ) -> Result<(), Error> {
        let has_clusters = |experiment: &Experiment| {
            let gold = &experiment.benchmark.corpus;
            let mut mentions = gold.documents().flat_map(|document| document.mentions());
            mentions.any(|mention| mention.nil_cluster().is_some())
        };
        match experiments.iter().any(has_clusters) {
            true => self.extend_by_nil_clusters(scoring),
            false => Ok(()),
        }
    }

    /// The same where it is known that there are some.
    pub(super) fn extend_by_nil_clusters(&self, scoring: &mut Scoring) -> Result<(), Error> {
        if self.measures.is_empty() {
            let names = self.convention.preset()?.with_nil_clusters;
            scoring.selection.extend(Selection::parse(names.iter().copied(), &scoring.convention)?);
        }
        Ok(())
    }

    /// Gives the measures weights for pairs of types, if there are any.
    fn weigh(&self, scoring: &mut Scoring) -> Result<(), Error> {
        let Some(argument) = &self.weight else { return Ok(()) };
        let Some(path) = argument.strip_prefix("types=") else {
            return Err(Error::bad_request(
                format!("`{argument}` does not say what is weighted"),
                Hint::template("write {weight=types=FILE}"),
            ));
        };
        let (text, fingerprint) = plain_text(path)?;
        // In a hierarchy each step towards the root costs half, as neleval has it by default.
        const DECAY: f64 = 0.5;
        let weights = match path.ends_with(".json") {
            true => TypeWeights::for_hierarchy(&text, DECAY),
            false => TypeWeights::parse(&text),
        };
        let weights = weights.map_err(|error| {
            Error::bad_request(
                format!("`{path}`: {error}"),
                "write gold type, system type and weight on each line, separated by tabs",
            )
        })?;
        let wanted = std::mem::take(&mut scoring.selection);
        scoring.selection = wanted.with_type_weights(weights)?;
        scoring.provenance.push(("weights", format!("types@{fingerprint}")));
        Ok(())
    }

    fn use_hierarchy(&self, scoring: &mut Scoring) -> Result<(), Error> {
        let Some(path) = &self.hierarchy else { return Ok(()) };
        let (text, fingerprint) = plain_text(path)?;
        let hierarchy = Hierarchy::parse(&text).map_err(|error| {
            Error::bad_request(
                format!("`{path}`: {error}"),
                "write child, tab, parent on each line",
            )
        })?;
        scoring.selection.use_hierarchy(hierarchy, &scoring.convention);
        scoring.provenance.push(("hierarchy", fingerprint));
        Ok(())
    }

    fn development(
        &self,
        work: &Work,
        told: &mut Vec<Notice>,
    ) -> Result<Option<Development>, Error> {
        let Some(path) = &self.tune else { return Ok(None) };
        let mut read = self.inputs.reading.read_alone(&InputRequest::parse(path), work)?;
        told.append(&mut read.notices);
        Ok(Some(Development { name: read.name, gold: Arc::new(read.outcome.corpus) }))
    }
}

fn answer_of(boards: &[Board], gates: &[Gate], mut told: Vec<Notice>) -> EvaluationAnswer {
    let mut answer = EvaluationAnswer::of(boards);
    answer.gates = gates.iter().flat_map(|gate| gate.verdicts(boards)).collect();
    told.extend(answer.gates.iter().filter_map(super::answer::GateVerdict::notice));
    answer.notices = told;
    answer
}

/// With means over benchmarks, where the convention asks for them.
fn averaged(answer: EvaluationAnswer, scoring: &Scoring) -> EvaluationAnswer {
    match scoring.convention.over_benchmarks {
        true => answer.with_means(),
        false => answer,
    }
}

/// An attribute that no mention has was mistyped.
pub fn check_attributes(selection: &Selection, experiments: &[Experiment]) -> Result<(), Error> {
    let corpora = || experiments.iter().flat_map(Experiment::corpora);
    let mentions =
        || corpora().flat_map(Corpus::documents).flat_map(|document| document.mentions());
    let is_known = |name: &str| mentions().any(|mention| mention.attribute(name).is_some());
    Ok(selection.check_attributes(is_known)?)
}

impl Scoring {
    /// Documents on which a threshold was chosen say nothing about how good it is.
    fn check_development(&self, experiments: &[Experiment]) -> Result<(), Error> {
        let Some(development) = &self.development else { return Ok(()) };
        for Experiment { benchmark, .. } in experiments {
            let both = |name: &&str| development.gold.document(name).is_some();
            let names = || benchmark.corpus.documents().map(|it| it.name()).filter(both);
            if let Some(example) = names().next() {
                return Err(Error::bad_request(
                    format!(
                        "`{}` and the development set share {} (`{example}`): no document can serve both",
                        benchmark.name,
                        counted(names().count(), "document"),
                    ),
                    Hint::template(
                        "give {tune} a development set of its own; its documents must have names of their own",
                    ),
                ));
            }
        }
        Ok(())
    }

    /// What is to be known of gold and runs beside the scores.
    pub(super) fn remarks_on(&self, experiment: &Experiment) -> Vec<Notice> {
        let mut told = self.ambiguous_spans(experiment);
        told.extend(self.nothing_weighs(experiment));
        told.extend(experiment.benchmark.nothing_known(&self.convention));
        let runs = experiment.runs.iter();
        told.extend(runs.filter_map(|run| run.without_confidence(&self.convention)));
        told
    }

    /// Without anything to weigh mentions by, fuzzy recall is plain recall.
    fn nothing_weighs(&self, experiment: &Experiment) -> Option<Notice> {
        if self.alphas().is_empty() {
            return None;
        }
        let benchmark = &experiment.benchmark;
        let membership = &self.convention.membership;
        let mut mentions = benchmark.corpus.documents().flat_map(|document| document.mentions());
        if mentions.any(|mention| membership.weighs(&mention)) {
            return None;
        }
        let missing = match membership.attribute() {
            Some(key) => format!("has a number from 0 to 1 in `{key}`"),
            None => "has a category tag with a weight".to_owned(),
        };
        let message = format!(
            "no mention of `{}` {missing}: all weigh 1, and fuzzy recall is plain recall",
            benchmark.name
        );
        Some(notices::NOTHING_WEIGHS.notice(message).about(&benchmark.name))
    }
}

/// How many documents of systems there are to score.
pub(crate) fn documents_to_score(experiments: &[Experiment]) -> u64 {
    let documents = |it: &Experiment| it.benchmark.corpus.len() * it.runs.len();
    experiments.iter().map(documents).sum::<usize>() as u64
}

impl Board {
    /// What has to be known of the numbers: a result over documents that do not meet is no result.
    pub(super) fn notices(&self, scoring: &Scoring) -> Vec<Notice> {
        let slices = self.systems.iter();
        let slices = slices.map(|system| (system.name.as_str(), &system.evaluation.slices[..]));
        let parts = scoring.notes_on_parts(slices);
        let mut told: Vec<Notice> =
            parts.into_iter().map(|note| notices::UNLABELLED_PARTS.notice(note)).collect();
        if self.gold.annotations == 0 {
            let message =
                format!("`{}` has no annotations: there is nothing to find", self.benchmark);
            let hint = "is it the gold standard? `karat validate GOLD` says what is in it";
            told.push(notices::EMPTY_GOLD.notice(message).about(&self.benchmark).hint(hint));
        }
        // With given mentions, predictions elsewhere are left out and are no mistakes.
        let counts = scoring.convention.settings.given == Given::Nothing;
        for system in &self.systems {
            told.extend(system.coverage(self).notices(&system.name, &self.benchmark, counts));
        }
        told.extend(self.over_other_documents());
        told
    }
}

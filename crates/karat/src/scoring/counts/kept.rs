//! Counts that are kept: a run is counted once, and everything else is made of its counts.

use super::{CountsRequest, EvaluationCounts};
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::{InputRequest, Inputs};
use crate::request::Request;
use crate::scoring::{DrawingRequest, EvaluationAnswer, EvaluationRequest};
use crate::work::Work;
use karat_measures::Compute;

/// Where the counts of runs are kept.
///
/// Scoring a run is to read two corpora, to line them up and to count. What comes out is a row of numbers for each
/// document, and intervals, tests, ranks and boards are made of these rows alone. So whoever keeps the counts of
/// every run needs no text again: a board of fifty runs that gets one more counts that one.
///
/// A keeper is given with the [`Work`] of a request. Evaluations and comparisons of what is on a shelf then ask it for
/// the counts of each run, one run at a time, and hand over what they had to count. Numbers do not depend on it: a test compares
/// answers with and without one.
pub trait CountsKeeper: Send + Sync {
    /// The counts that were kept for this request. It is about one run, which it names as `held:NAME`. Counts do not
    /// depend on names, so they may have been taken under others.
    fn kept(&self, request: &CountsRequest) -> Option<EvaluationCounts>;

    /// Keeps counts. What was kept before for an equal request may stay.
    fn keep(&self, request: &CountsRequest, counts: &EvaluationCounts);
}

impl CountsRequest {
    /// The counts of one run on a benchmark, both on the shelf, with everything that evaluations and comparisons need.
    pub fn of_run(
        benchmark: &str,
        run: &str,
        convention: &ConventionRequest,
        measures: &[String],
    ) -> CountsRequest {
        let evaluation = EvaluationRequest {
            inputs: Inputs {
                gold: vec![InputRequest::held(benchmark)],
                systems: vec![InputRequest::held(run)],
                ..Inputs::default()
            },
            convention: convention.clone(),
            measures: measures.to_vec(),
            // Counts are drawn from later, in one way or another.
            drawing: DrawingRequest { trials: Some(0), ..DrawingRequest::default() },
            digests: true,
            ..EvaluationRequest::default()
        };
        CountsRequest { evaluation, shard: None, mentions: true, by_name: false }
    }

    /// From the keeper, or counted now and kept.
    fn kept_or_counted(
        &self,
        keeper: &dyn CountsKeeper,
        work: &Work,
    ) -> Result<EvaluationCounts, Error> {
        let name = |inputs: &[InputRequest]| {
            inputs.first().and_then(InputRequest::held_name).unwrap_or_default().to_owned()
        };
        let Inputs { gold, systems, .. } = &self.evaluation.inputs;
        if let Some(counts) = keeper.kept(self) {
            return Ok(counts.called(&name(gold), &name(systems)));
        }
        let counts = self.answer(work)?;
        work.check()?;
        keeper.keep(self, &counts);
        Ok(counts)
    }
}

/// The counts of the runs that inputs name, side by side. Nothing where nobody keeps counts, or where they cannot be kept
/// one by one; then everything is read.
pub(crate) fn counts_of_runs(
    inputs: &Inputs,
    convention: &ConventionRequest,
    measures: &[String],
    work: &Work,
) -> Result<Option<EvaluationCounts>, Error> {
    let Some(keeper) = &work.counts else { return Ok(None) };
    let [gold] = inputs.gold.as_slice() else { return Ok(None) };
    let runs: Option<Vec<&str>> = inputs.systems.iter().map(InputRequest::held_name).collect();
    let (Some(benchmark), Some(runs)) = (gold.held_name(), runs) else { return Ok(None) };
    let plain = |name: &&str| InputRequest::held(name);
    let as_usual = Inputs {
        gold: vec![plain(&benchmark)],
        systems: runs.iter().map(plain).collect(),
        ..Inputs::default()
    };
    // What files of a knowledge base say may change, and the key of counts does not know it.
    let is_closed = convention.kb.is_none() && convention.redirects.is_none();
    if runs.is_empty() || !is_closed || *inputs != as_usual {
        return Ok(None);
    }
    let counted = |run: &str, by_name: bool| {
        let request = CountsRequest::of_run(benchmark, run, convention, measures);
        let request = CountsRequest { by_name, ..request };
        match request.kept_or_counted(keeper.as_ref(), work) {
            Ok(counts) => Ok(Some(counts)),
            Err(Error::Cancelled) => Err(Error::Cancelled),
            // What cannot be counted in parts may be scored as a whole, or is refused there with all runs at hand.
            Err(_) => Ok(None),
        }
    };
    let mut parts = Vec::new();
    for run in &runs {
        work.check()?;
        let Some(counts) = counted(run, false)? else { return Ok(None) };
        parts.push(counts);
    }
    // One run that spells ids otherwise decides how those of all are compared.
    let by_name = parts.iter().any(|part| part.plan.by_name);
    for (part, run) in parts.iter_mut().zip(&runs) {
        if by_name && !part.plan.by_name {
            let Some(again) = counted(run, true)? else { return Ok(None) };
            *part = again;
        }
    }
    EvaluationCounts::beside(parts).map(Some)
}

impl EvaluationRequest {
    /// The answer from counts that are kept. Nothing where they are not, or where counts do not tell everything that
    /// was asked.
    pub(crate) fn answer_from_counts(
        &self,
        work: &Work,
    ) -> Result<Option<EvaluationAnswer>, Error> {
        if work.counts.is_none() || !self.is_told_by_counts()? {
            return Ok(None);
        }
        let counts = counts_of_runs(&self.inputs, &self.convention, &self.measures, work)?;
        counts.map(|counts| counts.answer_to(self, work)).transpose()
    }

    fn is_told_by_counts(&self) -> Result<bool, Error> {
        let asked = EvaluationRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            measures: self.measures.clone(),
            drawing: self.drawing.clone(),
            digests: self.digests,
            ..EvaluationRequest::default()
        };
        if asked != *self || self.check_counts().is_err() {
            return Ok(false);
        }
        // What all systems found is compared over all of them.
        let scoring = self.scoring(&Work::default(), &mut Vec::new())?;
        let alone = |compute: &Compute| compute.is_of_linking_alone();
        let measures = &scoring.selection.measures;
        Ok(self.inputs.systems.len() < 2 || !measures.iter().any(|it| alone(&it.compute)))
    }
}

//! What can be asked of two editions.

use super::answer::{EditionChangeKind, EditionRecord, EditionsAnswer};
use super::difference::GoldDifference;
use crate::board::BoardRequest;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::{Benchmark, Experiment, InputRequest, Inputs, Repeats, Shelf};
use crate::request::Request;
use crate::work::Work;
use karat_model::{Hint, Notice, OffsetUnit};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Says what was added, removed and changed between two editions of a benchmark, and what that changes in scores and
/// ranks of the runs on the older one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EditionsRequest {
    /// The older edition, and runs on it.
    pub older: Inputs,
    /// The newer edition; its runs do not matter.
    pub newer: Inputs,
    /// The convention under which runs are scored.
    pub convention: ConventionRequest,
    /// The measure, or one score of it.
    pub measure: String,
    /// How many changes are passed over.
    pub after: usize,
    /// How many changes are listed.
    pub limit: usize,
}

impl Default for EditionsRequest {
    fn default() -> EditionsRequest {
        EditionsRequest {
            older: Inputs::default(),
            newer: Inputs::default(),
            convention: ConventionRequest::default(),
            measure: "link".to_owned(),
            after: 0,
            limit: 100,
        }
    }
}

impl Request for EditionsRequest {
    type Answer = EditionsAnswer;

    const NAME: &'static str = "editions";

    fn answer(&self, work: &Work) -> Result<EditionsAnswer, Error> {
        let mut told = Vec::new();
        let Experiment { benchmark: old, runs } = one(&self.older, work, &mut told)?;
        let newer = Inputs { systems: Vec::new(), ..self.newer.clone() };
        let Experiment { benchmark: mut new, .. } = one(&newer, work, &mut told)?;
        // Two files may have one name.
        if new.name == old.name {
            new.name = format!("{} (new)", new.name);
        }
        work.check()?;
        let unit = new.kept_offsets().unit.unwrap_or(OffsetUnit::CodePoints);
        let found = GoldDifference::of(&old.corpus, &new.corpus, unit);
        let count = |kind| found.changes.iter().filter(|change| change.kind == kind).count();
        let board = match runs.is_empty() {
            true => None,
            false => Some(self.board(&old, &new, runs, work)?),
        };
        let karat = board.as_ref().map(|board: &crate::board::BoardAnswer| board.karat.clone());
        Ok(EditionsAnswer {
            karat: karat.unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned()),
            added: count(EditionChangeKind::Added),
            removed: count(EditionChangeKind::Removed),
            changed: count(EditionChangeKind::Changed),
            same: alike(&old, &new, &found),
            old: record(&old),
            new: record(&new),
            added_documents: found.added,
            removed_documents: found.removed,
            other_texts: found.other_texts,
            first: self.after,
            changes: found.changes.into_iter().skip(self.after).take(self.limit).collect(),
            board,
            notices: told,
        })
    }
}

impl EditionsRequest {
    /// The same runs on both gold standards, as a board of two benchmarks.
    fn board(
        &self,
        old: &Benchmark,
        new: &Benchmark,
        runs: Vec<crate::inputs::Run>,
        work: &Work,
    ) -> Result<crate::board::BoardAnswer, Error> {
        let mut shelf = Shelf::default();
        let names: Vec<String> = runs.iter().map(|run| run.name.clone()).collect();
        let inputs = |benchmark: &Benchmark| Inputs {
            gold: vec![InputRequest::held(&benchmark.name)],
            systems: names.iter().map(|name| InputRequest::held(name)).collect(),
            ..Inputs::default()
        };
        let benchmarks = vec![inputs(old), inputs(new)];
        shelf.add(Experiment { benchmark: old.clone(), runs: runs.clone() }, Vec::new());
        shelf.add(Experiment { benchmark: new.clone(), runs }, Vec::new());
        let request = BoardRequest {
            benchmarks,
            convention: self.convention.clone(),
            measure: self.measure.clone(),
            ..BoardRequest::default()
        };
        // Runs of the older edition are no runs of the newer one, so nobody keeps these counts.
        request.answer(&Work { shelf: Some(Arc::new(shelf)), counts: None, ..work.clone() })
    }
}

fn one(inputs: &Inputs, work: &Work, told: &mut Vec<Notice>) -> Result<Experiment, Error> {
    let mut experiments = inputs.read_with_or_without_runs(Repeats::Refused, work, told)?;
    match (experiments.pop(), experiments.is_empty()) {
        (Some(experiment), true) => Ok(experiment),
        _ => Err(Error::bad_request(
            "an edition is one gold standard",
            Hint::template("give one {gold} on each side"),
        )),
    }
}

/// How many annotations of the newer edition were in the older one, in documents with the same text.
fn alike(old: &Benchmark, new: &Benchmark, found: &GoldDifference) -> usize {
    let is_common = |name: &str| {
        old.corpus.document(name).is_some() && !found.other_texts.iter().any(|it| it == name)
    };
    let documents = new.corpus.documents().filter(|document| is_common(document.name()));
    let all: usize = documents.map(|document| document.annotations().len()).sum();
    let is_new = |it: &&super::EditionChange| it.kind != EditionChangeKind::Removed;
    all.saturating_sub(found.changes.iter().filter(is_new).count())
}

fn record(benchmark: &Benchmark) -> EditionRecord {
    EditionRecord {
        name: benchmark.name.clone(),
        documents: benchmark.corpus.len(),
        annotations: benchmark.corpus.annotations().len(),
        digest: benchmark.corpus.digest(),
    }
}

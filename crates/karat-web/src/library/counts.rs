//! The counts of runs in a store.

use super::{CorpusKeys, LibraryContents};
use crate::workspace::Workspace;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use karat::convention::ConventionRequest;
use karat::counts::{CountsKeeper, CountsRequest, EvaluationCounts};
use karat::inputs::{InputRequest, Inputs};
use karat::scoring::answer::MeasureRecord;
use karat::scoring::{DrawingRequest, EvaluationAnswer, EvaluationRequest};
use karat::work::Work;
use karat_store::{EvaluationBody, NewEvaluation, ScoreRow, ScoredUnder, StoreError};
use std::io::{BufReader, Write as _};
use std::sync::Arc;

/// Keeps the counts of each run as an evaluation of the store, so that boards and comparisons read no text again.
pub(crate) struct StoredCounts {
    workspace: Workspace,
    contents: Arc<LibraryContents>,
}

impl StoredCounts {
    pub(super) fn new(workspace: &Workspace, contents: &Arc<LibraryContents>) -> StoredCounts {
        StoredCounts { workspace: workspace.clone(), contents: Arc::clone(contents) }
    }

    /// The evaluation that a request asks for; nothing if it names something that is not here.
    pub(crate) fn evaluation(&self, request: &CountsRequest) -> Option<EvaluationId> {
        let CorpusKeys::Digests(digests) = &self.contents.corpora else { return None };
        let Inputs { gold, systems, .. } = &request.evaluation.inputs;
        let benchmark = gold.first()?.held_name()?;
        let run = systems.first().and_then(InputRequest::held_name)?;
        let digest = |run: Option<&str>| {
            digests.get(&(benchmark.to_owned(), run.map(str::to_owned))).map(String::as_str)
        };
        Some(EvaluationId::of(request, digest(None)?, digest(Some(run))?))
    }
}

impl CountsKeeper for StoredCounts {
    fn kept(&self, request: &CountsRequest) -> Option<EvaluationCounts> {
        let EvaluationId { key, .. } = self.evaluation(request)?;
        // What cannot be read is counted again.
        let found = self.workspace.wait(self.workspace.store().evaluation_counts(&key));
        unpacked(&found.ok().flatten()?)
    }

    fn keep(&self, request: &CountsRequest, counts: &EvaluationCounts) {
        let Some(id) = self.evaluation(request) else { return };
        let (store, counts) = (self.workspace.store().clone(), counts.clone());
        self.workspace.later(async move {
            // Its scores are computed, and whoever waits for the counts needs none of them. Without all this the run is
            // counted again, and nothing else is lost.
            let new = tokio::task::spawn_blocking(move || id.with_counts(&counts)).await;
            if let Ok(Some(new)) = new {
                let _ = store.keep_evaluation(&new).await;
            }
        });
    }
}

/// An evaluation by everything that it depends on, and nothing else: neither names nor the place of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EvaluationId {
    /// The digest of the rest.
    pub(crate) key: String,
    gold: String,
    answers: String,
    under: ScoredUnder,
}

impl EvaluationId {
    /// The evaluation of a run under what a request counts, by the digests of gold and of the run.
    pub(crate) fn of(request: &CountsRequest, gold: &str, answers: &str) -> EvaluationId {
        let mut plain = request.clone();
        plain.evaluation.inputs = Inputs::default();
        let under = ScoredUnder {
            convention: serde_json::to_string(&plain).unwrap_or_default(),
            kb: String::new(),
            engine: crate::engine::engine().to_owned(),
        };
        let ScoredUnder { convention, kb, engine } = &under;
        let parts = [engine.as_str(), convention, gold, answers, kb];
        let text: Vec<String> = parts.iter().map(|part| format!("{}:{part}", part.len())).collect();
        let key = karat_store::sha256(text.concat().as_bytes());
        EvaluationId { key, gold: gold.to_owned(), answers: answers.to_owned(), under }
    }

    /// The evaluation of a run under a convention, by the measures of its preset.
    pub(crate) fn under(convention: &ConventionRequest, gold: &str, answers: &str) -> EvaluationId {
        EvaluationId::of(&CountsRequest::of_run("", "", convention, &[]), gold, answers)
    }

    /// The convention of an evaluation that is kept, if it was kept in this way.
    pub(crate) fn convention_of(under: &ScoredUnder) -> Option<ConventionRequest> {
        let counted: CountsRequest = serde_json::from_str(&under.convention).ok()?;
        Some(counted.evaluation.convention)
    }

    /// The evaluation as a store keeps it, with its scores; nothing if counts cannot be written.
    pub(crate) fn with_counts(&self, counts: &EvaluationCounts) -> Option<NewEvaluation> {
        let begun = std::time::Instant::now();
        // Counts are taken without drawing; scores have intervals as usual.
        let drawing = DrawingRequest::default();
        let request = EvaluationRequest { drawing, ..counts.plan.request.clone() };
        let answer = counts.answer_to(&request, &Work::default()).ok()?;
        Some(NewEvaluation {
            key: self.key.clone(),
            gold: self.gold.clone(),
            answers: self.answers.clone(),
            under: self.under.clone(),
            took: i64::try_from(begun.elapsed().as_millis()).unwrap_or(i64::MAX),
            body: EvaluationBody::Done(serde_json::to_string(&answer).ok()?),
            counts: Some(packed(counts)?),
            cases: None,
            scores: score_rows(&answer),
            tallies: Vec::new(),
        })
    }

    /// Keeps the evaluation and waits until it is.
    pub(crate) fn keep_now(
        &self,
        workspace: &Workspace,
        counts: &EvaluationCounts,
    ) -> Result<(), StoreError> {
        match self.with_counts(counts) {
            Some(new) => workspace.wait(workspace.store().keep_evaluation(&new)),
            None => Err(StoreError::NotFound { what: "evaluation", id: self.key.clone() }),
        }
    }
}

/// Counts as a file. Most of them are small whole numbers, which pack well.
fn packed(counts: &EvaluationCounts) -> Option<Vec<u8>> {
    let mut file = GzEncoder::new(Vec::new(), Compression::fast());
    counts.write(&mut file).ok()?;
    file.flush().ok()?;
    file.finish().ok()
}

fn unpacked(file: &[u8]) -> Option<EvaluationCounts> {
    EvaluationCounts::read("counts", &mut BufReader::new(GzDecoder::new(file))).ok()
}

fn score_rows(answer: &EvaluationAnswer) -> Vec<ScoreRow> {
    let measures = answer.systems.iter().flat_map(|system| &system.measures);
    let row = |measure: &MeasureRecord| {
        let count = |name| measure.count(name).flatten().map(|count| count as i64);
        let score = |name| measure.score(name).flatten();
        let shown = measure.scores.iter().find(|(name, _)| name == "f1").or(measure.scores.first());
        let interval = shown.and_then(|(name, _)| measure.ci.get(name));
        ScoreRow {
            measure: measure.name.clone(),
            tp: count("tp"),
            fp: count("fp"),
            fn_: count("fn"),
            precision: score("precision"),
            recall: score("recall"),
            f1: score("f1"),
            value: shown.and_then(|(_, value)| *value),
            low: interval.map(|interval| interval[0]),
            high: interval.map(|interval| interval[1]),
            ..ScoreRow::default()
        }
    };
    measures.map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::StoredLibrary;
    use crate::workbench::Workbench;
    use karat::comparison::ComparisonRequest;
    use karat::inputs::Experiment;
    use karat::request::Request as _;
    use karat_store::{By, StoreAddress};

    type Tested = Result<(), Box<dyn std::error::Error>>;

    /// The evaluations that are kept once everything that is written later is written.
    fn kept(workspace: &Workspace, most: usize) -> usize {
        let mut found = 0;
        for _ in 0..100 {
            found = workspace.wait(workspace.store().number_of_evaluations()).unwrap_or_default();
            if found >= most {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        found
    }

    #[test]
    fn a_run_more_on_a_board_is_one_evaluation_more() -> Tested {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let workspace = runtime.block_on(Workspace::open(&StoreAddress::Memory))?;
        let sample = karat::sample::experiment()?;
        let first = Experiment { runs: sample.runs[..2].to_vec(), ..sample.clone() };
        workspace.take_in(&By::local(), &first, &[])?;
        let workbench = Workbench::over(Arc::new(StoredLibrary::new(workspace.clone())));
        let compared = |workbench: &Workbench| -> Result<_, Box<dyn std::error::Error>> {
            let catalogue = workbench.catalogue();
            let benchmark = catalogue.benchmark("sample").map_err(|it| it.to_string())?;
            let mut runs: Vec<_> = catalogue.runs_on("sample").collect();
            runs.sort_by(|a, b| a.system.cmp(&b.system));
            let inputs = catalogue.inputs(benchmark, runs);
            let request = ComparisonRequest { inputs, ..ComparisonRequest::default() };
            Ok(workbench.answer(&request).map_err(|refusal| refusal.to_string())?)
        };
        let pairs = |most: usize| -> usize {
            let mut found = 0;
            for _ in 0..100 {
                found = workspace.wait(workspace.store().number_of_comparisons()).unwrap_or(0);
                if found >= most {
                    break;
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            found
        };
        compared(&workbench)?;
        assert_eq!((kept(&workspace, 2), pairs(1)), (2, 1));
        workspace.take_in(&By::local(), &sample, &[])?;
        let of_store = compared(&workbench)?;
        assert_eq!((kept(&workspace, 3), pairs(3)), (3, 3), "a run and its two pairs");
        let of_files = compared(&Workbench::of([sample.clone()]))?;
        assert_eq!(of_store.benchmarks, of_files.benchmarks);
        // A server that starts anew counts nothing and has the same numbers.
        let next = Workbench::over(Arc::new(StoredLibrary::new(workspace.clone())));
        assert_eq!(compared(&next)?.benchmarks, of_files.benchmarks);
        assert_eq!((kept(&workspace, 3), pairs(3)), (3, 3));
        Ok(())
    }

    #[test]
    fn an_evaluation_is_known_by_content_and_not_by_names() -> Tested {
        let request = |benchmark: &str, run: &str, measure: &str| {
            let measures = [measure.to_owned()];
            CountsRequest::of_run(benchmark, run, &ConventionRequest::default(), &measures)
        };
        let id = EvaluationId::of(&request("a", "b", "link"), "gold", "run");
        assert_eq!(id, EvaluationId::of(&request("c", "d", "link"), "gold", "run"));
        let others = [
            EvaluationId::of(&request("a", "b", "mention"), "gold", "run"),
            EvaluationId::of(&request("a", "b", "link"), "gold", "other"),
            EvaluationId::of(&request("a", "b", "link"), "goldr", "un"),
        ];
        assert!(others.iter().all(|other| other.key != id.key));
        // What is packed comes back.
        let mut shelf = karat::inputs::Shelf::default();
        shelf.add(karat::sample::experiment()?, Vec::new());
        let work = Work { shelf: Some(Arc::new(shelf)), ..Work::default() };
        let counts = request("sample", "careful", "link").answer(&work)?;
        let file = packed(&counts).ok_or("not packed")?;
        assert_eq!(unpacked(&file), Some(counts));
        assert_eq!(unpacked(&file[..file.len() / 2]), None);
        Ok(())
    }
}

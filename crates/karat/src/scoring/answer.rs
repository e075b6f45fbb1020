//! The answer to an evaluation: the contract of `karat eval --format json`.
//!
//! Everything that a table, a plot or a page shows is in the record, so that a record that was kept can be
//! shown again without scoring anything. Keys are added, never renamed.

use super::measured::CurveRecord;
use super::over_benchmarks::{self, BenchmarkMean};
use super::{Board, Intervals, SystemScores};
use super::{rows, similarity, tables};
use crate::request::{Answer, record};
use karat_measures::{
    Average, MacroScores, Measure, Points, Result as Scored, Scores, Signature, Wanted,
};
use karat_model::{Digest, Notice};
use karat_report::{Deferred, Report, ReportSection, Table};
use karat_stats::Interval;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub use super::measured::{MeanRecord, MeasureRecord};

/// How systems did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvaluationAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces all numbers.
    pub signature: String,
    /// The first benchmark.
    pub gold: BenchmarkRecord,
    /// The systems; with several benchmarks, each has an entry for every one.
    pub systems: Vec<SystemRecord>,
    /// How much every two systems have in common, if that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub similarity: Vec<SimilarityRecord>,
    /// All benchmarks, where there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub benchmarks: Vec<BenchmarkRecord>,
    /// Means over benchmarks, where the convention asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub means: Vec<BenchmarkMean>,
    /// What is to be shown, in order.
    pub shown: Vec<Shown>,
    /// How sure the intervals are, in percent, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<f64>,
    /// What every gate says of every system.
    #[serde(default)]
    pub gates: Vec<GateVerdict>,
    /// What a reader of the numbers has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// What a gold standard holds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchmarkRecord {
    /// What it is called.
    pub name: String,
    /// What reproduces the numbers on it.
    pub signature: String,
    /// How many documents it has.
    pub documents: usize,
    /// How many annotations.
    pub annotations: usize,
    /// How many of them link to an entity.
    pub linked: usize,
    /// How many are NIL.
    pub nil: usize,
    /// How many different entities there are.
    pub entities: usize,
    /// How many annotations are optional.
    pub optional: usize,
    /// The digest of the gold standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

/// How one system did on one benchmark.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SystemRecord {
    /// What it is called.
    pub name: String,
    /// Where its output was read from.
    pub source: String,
    /// The benchmark.
    pub benchmark: String,
    /// How many documents of gold it says nothing about.
    pub silent_documents: usize,
    /// How many documents it has that gold does not have.
    pub unknown_documents: usize,
    /// The threshold on confidence that was chosen on a development set.
    pub tuned_threshold: Option<f64>,
    /// Its scores.
    pub measures: Vec<MeasureRecord>,
    /// Its scores on parts of the corpus.
    pub slices: Vec<SliceRecord>,
    /// The digest of its output, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}

/// How one system did on a part of the corpus.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SliceRecord {
    /// The facet, or several joined by `+`.
    pub facet: String,
    /// The label, or several joined by `+`.
    pub label: String,
    /// How many gold mentions have the label.
    pub gold: usize,
    /// The scores.
    pub measures: Vec<MeasureRecord>,
}

/// How a system links the mentions that all systems found.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CommonRecord {
    /// Those that it links rightly.
    pub right: usize,
    /// How many there are.
    pub found: usize,
    /// The share of right links; `None` if there are none.
    pub accuracy: Option<f64>,
}

/// How much two outputs have in common.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SimilarityRecord {
    /// The benchmark whose documents are compared.
    pub benchmark: String,
    /// The measure.
    pub measure: String,
    /// The one system.
    pub first: String,
    /// The other.
    pub second: String,
    /// Of all documents together.
    pub similarity: Option<f64>,
    /// The mean over documents.
    #[serde(rename = "macro")]
    pub mean: Option<f64>,
    /// What both have, or one of them alone.
    #[serde(flatten)]
    pub counts: serde_json::Map<String, serde_json::Value>,
}

/// A score that is to be shown, of a measure by its place among those of a system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The measure, as a place in the list of measures.
    pub measure: usize,
    /// The score; all of them if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Whether it is the mean over documents.
    #[serde(default, rename = "macro", skip_serializing_if = "std::ops::Not::not")]
    pub mean: bool,
}

/// What a gate says of one system.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateVerdict {
    /// The system.
    pub system: String,
    /// The benchmark.
    pub benchmark: String,
    /// What it must reach, as `link.f1` or `link.f1@macro`.
    pub score: String,
    /// The value it must reach.
    pub least: f64,
    /// What it reached; `None` if the score is undefined.
    pub reached: Option<f64>,
    /// Whether that is enough.
    pub passed: bool,
}

impl EvaluationAnswer {
    /// The answer that boards give, one for each benchmark.
    pub fn of(boards: &[Board]) -> EvaluationAnswer {
        let signatures: Vec<Signature> =
            boards.iter().map(|board| board.signature.clone()).collect();
        let benchmarks: Vec<BenchmarkRecord> = boards.iter().map(BenchmarkRecord::of).collect();
        let systems = boards.iter().flat_map(|board| {
            board.systems.iter().map(move |system| SystemRecord::of(board, system))
        });
        let wanted = boards.first().map(|board| board.selection.wanted.as_slice());
        EvaluationAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: Signature::together(&signatures).to_string(),
            gold: benchmarks.first().cloned().unwrap_or_default(),
            systems: systems.collect(),
            similarity: boards.iter().flat_map(Board::similarity_records).collect(),
            shown: wanted.unwrap_or_default().iter().map(Shown::of).collect(),
            level: boards.iter().find_map(|board| board.level),
            // Gates and notices are entered by the request, which knows more than boards do.
            gates: Vec::new(),
            notices: Vec::new(),
            // The list is there only where there are several, so that the record of a plain
            // evaluation stays short; `gold` is always the first.
            benchmarks: if benchmarks.len() > 1 { benchmarks } else { Vec::new() },
            // As gates are: only the request knows whether they are asked for.
            means: Vec::new(),
        }
    }

    /// The same with means over benchmarks.
    pub(super) fn with_means(mut self) -> EvaluationAnswer {
        self.means = over_benchmarks::means(&self);
        self
    }

    /// All benchmarks, also where there is only one.
    pub fn all_benchmarks(&self) -> &[BenchmarkRecord] {
        match self.benchmarks.is_empty() {
            true => std::slice::from_ref(&self.gold),
            false => &self.benchmarks,
        }
    }
}

impl Answer for EvaluationAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let section = |title, table: fn(&EvaluationAnswer) -> Table| {
            ReportSection::unless_empty(title, Deferred::by(move || table(self)))
        };
        Report {
            // Tables are made when a form asks for them: a program that wants JSON should not pay
            // for them.
            sections: vec![
                section("All documents", tables::headline),
                section("Other measures", tables::others),
                section("Means over benchmarks", over_benchmarks::table),
                section("By part", tables::slices),
                section("Other measures by part", tables::other_slices),
                section("Similarity of systems", similarity::table),
            ],
            rows: Some(Deferred::by(|| rows::everything(self))),
            record: Some(Deferred::by(|| record(self))),
            signatures: self.all_benchmarks().iter().map(|gold| gold.signature.clone()).collect(),
            ..Report::default()
        }
    }

    /// Whether every system passes every gate.
    fn passes(&self) -> bool {
        self.gates.iter().all(|gate| gate.passed)
    }
}

impl BenchmarkRecord {
    fn of(board: &Board) -> BenchmarkRecord {
        let counts = &board.gold;
        BenchmarkRecord {
            name: board.benchmark.clone(),
            signature: board.signature.to_string(),
            documents: counts.documents,
            annotations: counts.annotations,
            linked: counts.linked,
            nil: counts.nil,
            entities: counts.entities,
            optional: counts.optional,
            digest: Some(board.digest),
        }
    }
}

impl SystemRecord {
    fn of(board: &Board, system: &SystemScores) -> SystemRecord {
        let none = Intervals::default();
        let names = || board.selection.measures.iter();
        let measures = names().zip(&system.evaluation.results).enumerate();
        let measures = measures.map(|(at, (measure, result))| {
            let intervals = system.intervals.get(at).unwrap_or(&none);
            let common = system.common.get(at).copied().flatten();
            let common = common.map(|common| CommonRecord {
                right: common.right,
                found: common.found,
                accuracy: common.accuracy(),
            });
            let mut record = MeasureRecord::of(measure, result, intervals);
            record.common = common;
            let common = system.common_means.get(at).and_then(Option::as_ref);
            if let Some((mean, common)) = record.mean.as_mut().zip(common) {
                mean.common = Some(Box::new(MeanRecord::of(common)));
            }
            record
        });
        let slices = system.evaluation.slices.iter().enumerate().map(|(place, slice)| {
            let intervals = system.slice_intervals.get(place);
            let measures = names().zip(&slice.results).enumerate();
            let measures = measures.map(|(at, (measure, result))| {
                let intervals = intervals.and_then(|intervals| intervals.get(at));
                let intervals = intervals.unwrap_or(&none);
                MeasureRecord::of(measure, result, intervals)
            });
            SliceRecord {
                facet: slice.facet.clone(),
                label: slice.label.clone(),
                gold: slice.gold,
                measures: measures.collect(),
            }
        });
        SystemRecord {
            name: system.name.clone(),
            source: system.source.clone(),
            benchmark: board.benchmark.clone(),
            silent_documents: system.silent_documents,
            unknown_documents: system.unknown_documents.len(),
            tuned_threshold: system.tuned,
            measures: measures.collect(),
            slices: slices.collect(),
            digest: system.digest,
        }
    }
}

impl MeasureRecord {
    fn of(measure: &Measure, result: &Scored, intervals: &Intervals) -> MeasureRecord {
        let counts = result.columns.iter().zip(&result.counts);
        MeasureRecord {
            name: measure.name.clone(),
            measure: measure.canonical.clone(),
            counts: counts.map(|(name, count)| ((*name).to_owned(), defined(*count))).collect(),
            scores: named(&result.micro),
            mean: result
                .macro_
                .as_ref()
                .map(|means| MeanRecord { ci: ends(&intervals.macro_), ..MeanRecord::of(means) }),
            remark: result.micro.reason().map(str::to_owned),
            oracle_threshold: result.threshold,
            ci: ends(&intervals.micro),
            common: None,
            curve: result.curve.as_ref().filter(|curve| !curve.rows.is_empty()).map(curve),
            over_nothing: result.is_over_nothing(),
            alpha: measure.compute.alpha(),
        }
    }
}

impl MeanRecord {
    fn of(means: &MacroScores) -> MeanRecord {
        let documents = means.scores.names().map(str::to_owned);
        MeanRecord {
            scores: named(&means.scores),
            documents: documents.zip(means.documents.iter().copied()).collect(),
            ..MeanRecord::default()
        }
    }
}

impl Shown {
    fn of(wanted: &Wanted) -> Shown {
        Shown {
            measure: wanted.measure,
            score: wanted.score.clone(),
            mean: wanted.average == Average::Macro,
        }
    }
}

fn named(scores: &Scores) -> Vec<(String, Option<f64>)> {
    scores.iter().map(|(name, value)| (name.to_owned(), value.and_then(defined))).collect()
}

fn ends(intervals: &BTreeMap<&'static str, Interval>) -> BTreeMap<String, [f64; 2]> {
    intervals.iter().map(|(name, found)| ((*name).to_owned(), [found.low, found.high])).collect()
}

fn curve(points: &Points) -> CurveRecord {
    CurveRecord {
        columns: points.columns.iter().map(|name| (*name).to_owned()).collect(),
        axes: points.axes,
        rows: points
            .rows
            .iter()
            .map(|row| row.iter().map(|value| defined(*value)).collect())
            .collect(),
    }
}

/// JSON has no NaN: what is undefined is null.
fn defined(number: f64) -> Option<f64> {
    number.is_finite().then_some(number)
}

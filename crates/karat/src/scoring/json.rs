//! A board as JSON: the contract of `karat eval --format json`. Keys are added,
//! never renamed.

use super::{Board, Intervals, SystemScores};
use karat_measures::{Result as Scored, Scores, Signature};
use karat_report::Table;
use karat_stats::Interval;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// All boards in one object. With several benchmarks, a system has one entry for each.
pub fn boards(boards: &[Board]) -> Value {
    let systems: Vec<Value> = boards
        .iter()
        .flat_map(|board| board.systems.iter().map(|system| board.system_json(system)))
        .collect();
    let signatures: Vec<Signature> = boards.iter().map(|board| board.signature.clone()).collect();
    let gold: Vec<Value> = boards.iter().map(Board::gold_json).collect();
    let mut object = json!({
        "karat": env!("CARGO_PKG_VERSION"),
        "signature": Signature::together(&signatures).to_string(),
        "gold": gold.first().cloned().unwrap_or_default(),
        "systems": systems,
    });
    let similarities: Vec<Value> = boards.iter().flat_map(Board::similarity_json).collect();
    if !similarities.is_empty() {
        object["similarity"] = similarities.into();
    }
    if boards.len() > 1 {
        object["benchmarks"] = gold.into();
    }
    object
}

/// The rows of a table, one JSON object on each line.
pub fn lines(table: &Table) -> String {
    let rows = table.json();
    let rows = rows.as_array().map(Vec::as_slice).unwrap_or_default();
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// The rows of a table with the signatures of their numbers, one for each benchmark.
pub fn rows(table: &Table, signatures: &[String]) -> Value {
    document("rows", table.json(), signatures)
}

/// Anything with the signatures of its numbers, under a key.
pub fn document(key: &str, content: Value, signatures: &[String]) -> Value {
    let mut object = json!({
        "karat": env!("CARGO_PKG_VERSION"),
        "signature": signature_of(signatures),
    });
    object[key] = content;
    if signatures.len() > 1 {
        object["signatures"] = signatures.into();
    }
    object
}

/// The one signature of numbers that have these.
pub(crate) fn signature_of(signatures: &[String]) -> String {
    let parsed: Result<Vec<Signature>, String> = signatures.iter().map(|one| one.parse()).collect();
    match parsed {
        Ok(all) => Signature::together(&all).to_string(),
        Err(_) => signatures.first().cloned().unwrap_or_default(),
    }
}

impl Board {
    /// The board alone.
    pub fn json(&self) -> Value {
        boards(std::slice::from_ref(self))
    }

    fn gold_json(&self) -> Value {
        let counts = &self.gold;
        json!({
            "name": self.benchmark,
            "signature": self.signature.to_string(),
            "digest": self.digest,
            "documents": counts.documents,
            "annotations": counts.annotations,
            "linked": counts.linked,
            "nil": counts.nil,
            "entities": counts.entities,
            "optional": counts.optional,
        })
    }

    fn system_json(&self, system: &SystemScores) -> Value {
        let evaluation = &system.evaluation;
        let none = Intervals::default();
        let measures = self.selection.measures.iter().enumerate().map(|(at, _)| {
            let intervals = system.intervals.get(at).unwrap_or(&none);
            let mut object = self.measure_json(at, &evaluation.results[at], intervals);
            if let Some(common) = system.common.get(at).copied().flatten() {
                let (right, found) = (common.right, common.found);
                object["common"] =
                    json!({"right": right, "found": found, "accuracy": common.accuracy()});
            }
            object
        });
        let slices = evaluation.slices.iter().enumerate().map(|(place, slice)| {
            let intervals = system.slice_intervals.get(place);
            let measures = slice.results.iter().enumerate().map(|(at, result)| {
                let intervals = intervals.and_then(|intervals| intervals.get(at));
                self.measure_json(at, result, intervals.unwrap_or(&none))
            });
            json!({
                "facet": slice.facet,
                "label": slice.label,
                "gold": slice.gold,
                "measures": measures.collect::<Vec<_>>(),
            })
        });
        json!({
            "name": system.name,
            "source": system.source,
            "digest": system.digest,
            "benchmark": self.benchmark,
            "silent_documents": system.silent_documents,
            "unknown_documents": system.unknown_documents.len(),
            "tuned_threshold": system.tuned,
            "measures": measures.collect::<Vec<_>>(),
            "slices": slices.collect::<Vec<_>>(),
        })
    }

    fn measure_json(&self, at: usize, result: &Scored, intervals: &Intervals) -> Value {
        let measure = &self.selection.measures[at];
        let mut object = Map::new();
        object.insert("name".into(), measure.name.clone().into());
        object.insert("measure".into(), measure.canonical.clone().into());
        for (column, count) in result.columns.iter().zip(&result.counts) {
            // Where both credits are the same number it has its usual name.
            if *column == "ptp" {
                object.insert("tp".into(), number(*count));
            }
            object.insert((*column).into(), number(*count));
        }
        insert_scores(&mut object, &result.micro);
        if let Some(means) = &result.macro_ {
            let mut mean = Map::new();
            insert_scores(&mut mean, &means.scores);
            let documents = means.scores.names().zip(&means.documents);
            let documents: Map<String, Value> =
                documents.map(|(name, count)| (name.to_owned(), (*count).into())).collect();
            mean.insert("documents".into(), documents.into());
            insert_intervals(&mut mean, &intervals.macro_);
            object.insert("macro".into(), mean.into());
        }
        if let Some(threshold) = result.threshold {
            object.insert("oracle_threshold".into(), threshold.into());
        }
        insert_intervals(&mut object, &intervals.micro);
        if let Some(curve) = &result.curve {
            let point = |row: &Vec<f64>| -> Map<String, Value> {
                let named = curve.columns.iter().zip(row);
                named.map(|(name, value)| ((*name).to_owned(), number(*value))).collect()
            };
            object.insert("curve".into(), curve.rows.iter().map(point).collect::<Vec<_>>().into());
        }
        object.into()
    }
}

fn insert_intervals(object: &mut Map<String, Value>, intervals: &BTreeMap<&'static str, Interval>) {
    if !intervals.is_empty() {
        let ends = |found: &Interval| json!([found.low, found.high]);
        let ci: Map<String, Value> =
            intervals.iter().map(|(name, found)| ((*name).to_owned(), ends(found))).collect();
        object.insert("ci".into(), ci.into());
    }
}

fn insert_scores(object: &mut Map<String, Value>, scores: &Scores) {
    for (name, value) in scores.iter() {
        object.insert(name.into(), value.map_or(Value::Null, Value::from));
    }
}

/// Counts are integers in JSON as far as they are integers.
fn number(count: f64) -> Value {
    if count.fract() == 0.0 && count.abs() < 9e15 { (count as i64).into() } else { count.into() }
}

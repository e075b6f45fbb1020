//! What one measure says, as a record.
//!
//! In JSON, counts and scores are keys of the measure itself, as the contract has it, beside keys with a
//! meaning of their own. `columns` says which of them are counts, so that the record can be read back.

use super::answer::CommonRecord;
use karat_measures::usual_name;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What one measure says of a system, on the whole corpus or a part of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeasureRecord {
    /// Its name as it was asked for.
    pub name: String,
    /// Its name in karat.
    pub measure: String,
    /// Counts of all documents together, by name; `None` where one is not known.
    pub counts: Vec<(String, Option<f64>)>,
    /// Scores of these counts; `None` where one is undefined.
    pub scores: Vec<(String, Option<f64>)>,
    /// Means over documents, for measures of documents.
    pub mean: Option<MeanRecord>,
    /// Why a score is undefined, where it is not that it would divide by nothing.
    pub remark: Option<String>,
    /// The threshold that was chosen on this very data.
    pub oracle_threshold: Option<f64>,
    /// The intervals of scores.
    pub ci: BTreeMap<String, [f64; 2]>,
    /// Linking on the mentions that all systems found.
    pub common: Option<CommonRecord>,
    /// The curve behind the scores.
    pub curve: Option<CurveRecord>,
    /// Whether nothing was counted: its scores are what the convention says of nothing.
    pub over_nothing: bool,
    /// The weight of what is not strict, for measures that weigh gold.
    pub alpha: Option<f64>,
}

/// Means over documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeanRecord {
    /// The mean of each score over the documents where it is defined.
    pub scores: Vec<(String, Option<f64>)>,
    /// How many documents that is.
    pub documents: BTreeMap<String, usize>,
    /// The intervals of the means.
    pub ci: BTreeMap<String, [f64; 2]>,
    /// The same over the documents where a score is defined for all systems, where these are others.
    pub common: Option<Box<MeanRecord>>,
}

/// The points of a curve.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CurveRecord {
    /// What the numbers of a point are; the first is where it is.
    pub columns: Vec<String>,
    /// Which of them are its coordinates.
    pub axes: [usize; 2],
    /// The points; `None` for what is undefined.
    pub rows: Vec<Vec<Option<f64>>>,
}

impl CurveRecord {
    /// Whether a point is where its threshold is, and not a pair of scores.
    pub fn is_sweep(&self) -> bool {
        self.axes[0] == 0
    }

    /// The names of the coordinates.
    pub fn names(&self) -> [&str; 2] {
        self.axes.map(|axis| self.columns.get(axis).map_or("", String::as_str))
    }

    /// The coordinates of a point; NaN for what is undefined.
    pub fn coordinates(&self, row: &[Option<f64>]) -> [f64; 2] {
        self.axes.map(|axis| row.get(axis).copied().flatten().unwrap_or(f64::NAN))
    }
}

impl MeasureRecord {
    /// A score: `None` if there is no such score, `Some(None)` if it is undefined.
    pub fn score(&self, name: &str) -> Option<Option<f64>> {
        value(&self.scores, full_name(name))
    }

    /// A count: `None` if there is no such count, `Some(None)` if it is not known.
    pub fn count(&self, name: &str) -> Option<Option<f64>> {
        let is_it = |(column, _): &&(String, Option<f64>)| is_called(column, name);
        self.counts.iter().find(is_it).map(|(_, count)| *count)
    }

    /// Whether it has precision, recall and F1.
    pub fn has_f1(&self) -> bool {
        self.score("f1").is_some()
    }

    /// Whether its counts are true and false positives, and not counts of its own.
    pub fn counts_positives(&self) -> bool {
        self.count("tp").is_some()
    }
}

impl MeanRecord {
    /// The mean of a score: `None` if there is no such score, `Some(None)` if it is undefined.
    pub fn score(&self, name: &str) -> Option<Option<f64>> {
        value(&self.scores, full_name(name))
    }
}

/// Whether this is the name of a count, or its usual name.
fn is_called(column: &str, name: &str) -> bool {
    column == name || usual_name(column) == Some(name)
}

fn value(values: &[(String, Option<f64>)], name: &str) -> Option<Option<f64>> {
    values.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
}

/// Short names of scores.
pub(crate) fn full_name(name: &str) -> &str {
    match name {
        "p" => "precision",
        "r" => "recall",
        "f" | "fscore" => "f1",
        name => name,
    }
}

/// Keys of a measure that are neither counts nor scores.
const KEYS: [&str; 12] = [
    "name",
    "measure",
    "columns",
    "macro",
    "oracle_threshold",
    "ci",
    "common",
    "curve",
    "curve_axes",
    "remark",
    "over_nothing",
    "alpha",
];

impl Serialize for MeasureRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = Map::new();
        object.insert("name".into(), self.name.clone().into());
        object.insert("measure".into(), self.measure.clone().into());
        for (name, count) in &self.counts {
            // Where both credits are the same number it has its usual name.
            if let Some(usual) = usual_name(name) {
                object.insert(usual.into(), number(*count));
            }
            object.insert(name.clone(), number(*count));
        }
        insert_scores(&mut object, &self.scores);
        if let Some(mean) = &self.mean {
            object.insert("macro".into(), mean.object());
        }
        if let Some(threshold) = self.oracle_threshold {
            object.insert("oracle_threshold".into(), threshold.into());
        }
        if !self.ci.is_empty() {
            object.insert("ci".into(), json!(self.ci));
        }
        if let Some(curve) = &self.curve {
            object.insert("curve".into(), curve.points());
            object.insert("curve_axes".into(), json!(curve.axes));
        }
        if let Some(common) = &self.common {
            object.insert("common".into(), json!(common));
        }
        if let Some(remark) = &self.remark {
            object.insert("remark".into(), remark.clone().into());
        }
        if self.over_nothing {
            object.insert("over_nothing".into(), true.into());
        }
        let columns: Vec<&str> = self.counts.iter().map(|(name, _)| name.as_str()).collect();
        object.insert("columns".into(), json!(columns));
        if let Some(alpha) = self.alpha {
            object.insert("alpha".into(), alpha.into());
        }
        object.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for MeasureRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MeasureRecord, D::Error> {
        let mut object = Map::deserialize(deserializer)?;
        MeasureRecord::of_object(&mut object).map_err(serde::de::Error::custom)
    }
}

impl MeasureRecord {
    fn of_object(object: &mut Map<String, Value>) -> serde_json::Result<MeasureRecord> {
        // Taken in this order because what is left over are the scores: every known key must be out
        // of the way or among `KEYS`.
        let columns: Vec<String> = taken(object, "columns")?;
        let axes: [usize; 2] = taken(object, "curve_axes")?;
        let curve: Option<Vec<Map<String, Value>>> = taken(object, "curve")?;
        let curve = curve.map(|points| CurveRecord::of(&points, axes));
        let mean: Option<Map<String, Value>> = taken(object, "macro")?;
        let mean = mean.map(MeanRecord::of_object).transpose()?;
        let counts = columns.iter().map(|name| {
            let count = object.get(name).and_then(Value::as_f64);
            (name.clone(), count)
        });
        let counts: Vec<(String, Option<f64>)> = counts.collect();
        // The usual name of a count is an alias of it.
        let is_count = |name: &str| columns.iter().any(|column| is_called(column, name));
        let is_score = |name: &str| !is_count(name) && !KEYS.contains(&name);
        let scores = object.iter().filter(|(name, _)| is_score(name));
        let scores = scores.map(|(name, value)| (name.clone(), value.as_f64())).collect();
        Ok(MeasureRecord {
            counts,
            scores,
            mean,
            curve,
            name: taken(object, "name")?,
            measure: taken(object, "measure")?,
            remark: taken(object, "remark")?,
            oracle_threshold: taken(object, "oracle_threshold")?,
            ci: taken(object, "ci")?,
            common: taken(object, "common")?,
            over_nothing: taken(object, "over_nothing")?,
            alpha: taken(object, "alpha")?,
        })
    }
}

impl MeanRecord {
    fn object(&self) -> Value {
        let mut object = Map::new();
        insert_scores(&mut object, &self.scores);
        // In the order of the scores, as they are read.
        let documents: Map<String, Value> = self
            .scores
            .iter()
            .filter_map(|(name, _)| Some((name.clone(), (*self.documents.get(name)?).into())))
            .collect();
        object.insert("documents".into(), documents.into());
        if !self.ci.is_empty() {
            object.insert("ci".into(), json!(self.ci));
        }
        if let Some(common) = &self.common {
            object.insert("common".into(), common.object());
        }
        object.into()
    }

    fn of_object(mut object: Map<String, Value>) -> serde_json::Result<MeanRecord> {
        let documents = taken(&mut object, "documents")?;
        let ci = taken(&mut object, "ci")?;
        let common: Option<Map<String, Value>> = taken(&mut object, "common")?;
        let common = common.map(MeanRecord::of_object).transpose()?.map(Box::new);
        let scores = object.iter().map(|(name, value)| (name.clone(), value.as_f64())).collect();
        Ok(MeanRecord { scores, documents, ci, common })
    }
}

impl CurveRecord {
    /// Each point with its numbers by name.
    fn points(&self) -> Value {
        let point = |row: &Vec<Option<f64>>| -> Map<String, Value> {
            let named = self.columns.iter().zip(row);
            named.map(|(name, value)| (name.clone(), number(*value))).collect()
        };
        self.rows.iter().map(point).collect::<Vec<_>>().into()
    }

    fn of(points: &[Map<String, Value>], axes: [usize; 2]) -> CurveRecord {
        let columns = points.first().map(|point| point.keys().cloned().collect());
        let row = |point: &Map<String, Value>| point.values().map(Value::as_f64).collect();
        CurveRecord {
            columns: columns.unwrap_or_default(),
            axes,
            rows: points.iter().map(row).collect(),
        }
    }
}

fn taken<T: Default + for<'d> Deserialize<'d>>(
    object: &mut Map<String, Value>,
    key: &str,
) -> serde_json::Result<T> {
    // `shift_remove` keeps the order of the other keys, which is the order of scores and columns;
    // `swap_remove` would not.
    object.shift_remove(key).map_or(Ok(T::default()), serde_json::from_value)
}

fn insert_scores(object: &mut Map<String, Value>, scores: &[(String, Option<f64>)]) {
    for (name, value) in scores {
        object.insert(name.clone(), (*value).into());
    }
}

/// Counts are integers in JSON as far as they are integers.
fn number(count: Option<f64>) -> Value {
    match count {
        // Beyond 2^53 not every integer is a float, and the cast would invent digits.
        Some(count) if count.fract() == 0.0 && count.abs() < 9e15 => (count as i64).into(),
        count => count.into(),
    }
}

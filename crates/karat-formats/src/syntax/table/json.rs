//! What does not fit into one plain cell, as JSON.

use karat_model::Mention;
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// One ranked answer, as a table spells it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CandidateCell<'c> {
    /// The entity.
    pub link: Option<Cow<'c, str>>,
    /// Whether the answer is that the entity is unknown.
    pub nil: bool,
    /// The cluster of the unknown entity.
    pub cluster: Option<Cow<'c, str>>,
    /// Its score.
    pub score: Option<f64>,
    /// Its types, joined by `|`.
    pub types: Option<Cow<'c, str>>,
}

/// A number as JSON; what JSON has no number for becomes a string.
pub fn number(number: f64) -> Value {
    serde_json::Number::from_f64(number).map_or_else(|| number.to_string().into(), Value::Number)
}

pub(crate) fn candidates_to_json(candidates: &[CandidateCell<'_>]) -> Value {
    let object = |candidate: &CandidateCell<'_>| {
        let mut object = Map::new();
        if let Some(link) = &candidate.link {
            object.insert("link".to_owned(), json!(link));
        }
        if candidate.nil {
            object.insert("nil".to_owned(), json!(true));
        }
        if let Some(cluster) = &candidate.cluster {
            object.insert("cluster".to_owned(), json!(cluster));
        }
        if let Some(score) = candidate.score {
            object.insert("score".to_owned(), number(score));
        }
        if let Some(types) = &candidate.types {
            object.insert("type".to_owned(), json!(types));
        }
        Value::Object(object)
    };
    candidates.iter().map(object).collect()
}

/// The candidates of a cell: objects as karat writes them, or bare ids.
pub(crate) fn candidates_from_json(value: &Value) -> Option<Vec<CandidateCell<'_>>> {
    let text = |value: &Value| value.as_str().map(|text| Cow::Owned(text.to_owned()));
    value
        .as_array()?
        .iter()
        .map(|item| match item {
            Value::String(link) => {
                Some(CandidateCell { link: Some(link.as_str().into()), ..Default::default() })
            }
            Value::Object(object) => {
                let mut candidate = CandidateCell::default();
                for (key, value) in object.iter().filter(|(_, value)| !value.is_null()) {
                    match key.as_str() {
                        "link" => candidate.link = Some(text(value)?),
                        "nil" => candidate.nil = value.as_bool()?,
                        "cluster" => candidate.cluster = Some(text(value)?),
                        "type" => candidate.types = Some(text(value)?),
                        "score" => candidate.score = Some(float(value)?),
                        _ => {}
                    }
                }
                Some(candidate)
            }
            _ => None,
        })
        .collect()
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::String(text) => text.parse().ok(),
        _ => value.as_f64(),
    }
}

/// The facts of a cell; values that are not strings are kept as they are spelled.
pub(crate) fn attributes_from_json(value: &Value) -> Option<Vec<(String, String)>> {
    let fact = |(key, value): (&String, &Value)| {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (key.clone(), value)
    };
    Some(value.as_object()?.iter().filter(|(_, value)| !value.is_null()).map(fact).collect())
}

pub(crate) fn attributes_to_json(facts: &[(&str, &str)]) -> Value {
    Value::Object(facts.iter().map(|&(key, value)| (key.to_owned(), json!(value))).collect())
}

/// The candidates of a mention; an error for what has no spelling.
pub(crate) fn candidate_cells<'c>(
    mention: &Mention<'c>,
) -> Result<Vec<CandidateCell<'c>>, &'static str> {
    mention
        .candidates()
        .map(|candidate| {
            Ok(CandidateCell {
                link: candidate.entity.map(super::written::entity).transpose()?.map(Cow::Borrowed),
                nil: candidate.link.is_nil(),
                cluster: candidate
                    .nil_cluster
                    .map(super::written::cluster)
                    .transpose()?
                    .map(Cow::Borrowed),
                score: candidate.score,
                types: super::written::joined(candidate.types())?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_objects_or_ids() {
        let value = json!(["Q1", {"link": "Q2", "score": "inf", "type": "A|B"}, {"nil": true, "cluster": "7", "note": 1}]);
        let found = candidates_from_json(&value).unwrap();
        assert_eq!(found[0].link.as_deref(), Some("Q1"));
        assert_eq!((found[1].score, found[1].types.as_deref()), (Some(f64::INFINITY), Some("A|B")));
        assert_eq!((found[2].nil, found[2].cluster.as_deref()), (true, Some("7")));
        assert_eq!(candidates_from_json(&candidates_to_json(&found)).unwrap(), found);
        for bad in [json!({"link": "Q1"}), json!([1]), json!([{"score": "high"}])] {
            assert_eq!(candidates_from_json(&bad), None, "{bad}");
        }
    }
}

//! Cells as files store them, and what they say.

use super::json::{CandidateCell, candidates_from_json};
use super::{LIST, nil_in_words};
use crate::anchor::quoted;
use crate::problem::Flaw;
use karat_model::{CorpusBuilder, Flags, Link, StrId};
use std::borrow::Cow;

/// A cell as a file stores it.
#[derive(Debug, Clone)]
pub enum Value<'a> {
    /// Nothing.
    Missing,
    /// Text.
    Text(&'a str),
    /// A whole number.
    Whole(i64),
    /// Any other number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A string that [`super::Rows::known`] looked up before.
    Known(RepeatedString),
    /// Ranked answers.
    Candidates(Vec<CandidateCell<'a>>),
    /// A list of strings.
    List(Vec<&'a str>),
    /// A list or an object.
    Json(&'a serde_json::Value),
}

/// A string of a column in which few strings repeat often, looked up.
#[derive(Debug, Clone, Copy)]
pub enum RepeatedString {
    /// A name, or a list.
    Id(StrId),
    /// A link.
    Link(Link),
}

/// The cell that a JSON value is.
pub(crate) fn value_of(json: &serde_json::Value) -> Value<'_> {
    match json {
        serde_json::Value::Null => Value::Missing,
        serde_json::Value::Bool(flag) => Value::Flag(*flag),
        serde_json::Value::String(text) => Value::Text(text),
        serde_json::Value::Number(number) => match number.as_i64() {
            Some(whole) => Value::Whole(whole),
            None => Value::Number(number.as_f64().unwrap_or(f64::NAN)),
        },
        nested => Value::Json(nested),
    }
}

/// The text of a cell; a JSON list becomes the joined form.
pub(super) fn text<'a>(value: &Value<'a>) -> Result<Cow<'a, str>, Flaw> {
    match value {
        Value::Text(text) => Ok(Cow::Borrowed(text)),
        Value::Whole(number) => Ok(number.to_string().into()),
        Value::Number(number) => Ok(number.to_string().into()),
        Value::Flag(flag) => Ok(flag.to_string().into()),
        _ => match strings(value)? {
            Some(items) => joined(&items),
            None => Err(format!("expected text, found {}", found(value)).into()),
        },
    }
}

/// The strings of a cell that holds a list of them.
pub(super) fn strings<'a>(value: &Value<'a>) -> Result<Option<Vec<&'a str>>, Flaw> {
    match value {
        Value::Json(serde_json::Value::Array(items)) => {
            let items: Option<Vec<&str>> = items.iter().map(|item| item.as_str()).collect();
            items.map(Some).ok_or_else(|| "expected a list of strings".into())
        }
        Value::List(items) => Ok(Some(items.clone())),
        _ => Ok(None),
    }
}

fn joined<'a>(items: &[&str]) -> Result<Cow<'a, str>, Flaw> {
    if items.iter().any(|item| item.contains(LIST)) {
        return Err(format!("expected strings without `{LIST}`").into());
    }
    Ok(items.join("|").into())
}

/// A whole number; tables that went through floating point write `12.0`.
pub(super) fn whole(value: &Value<'_>) -> Result<Option<u64>, Flaw> {
    let from_float = |number: f64| {
        let whole = number.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&number);
        whole.then_some(number as u64)
    };
    let number = match *value {
        Value::Whole(number) => u64::try_from(number).ok(),
        // A data frame writes NaN where a column of numbers has a gap.
        Value::Number(number) if number.is_nan() => return Ok(None),
        Value::Number(number) => from_float(number),
        Value::Text(text) => match text.trim() {
            "" => return Ok(None),
            digits => digits.parse().ok().or_else(|| from_float(digits.parse().ok()?)),
        },
        _ => None,
    };
    match number {
        Some(number) => Ok(Some(number)),
        None => Err(format!("expected a whole number from 0 up, found {}", found(value)).into()),
    }
}

/// Both offsets of a mention in one cell: `686-696`, `686..696`, `[686, 696]`.
pub(super) fn both(value: &Value<'_>) -> Option<(u64, u64)> {
    let text = match value {
        Value::Text(text) => text.trim(),
        Value::Json(list) => match list.as_array()?.as_slice() {
            [start, end] => return Some((start.as_u64()?, end.as_u64()?)),
            _ => return None,
        },
        _ => return None,
    };
    let inner = text.strip_prefix(['[', '(']).and_then(|text| text.strip_suffix([']', ')']));
    let text = inner.unwrap_or(text);
    let (start, end) = ["-", "..", ",", ":"].iter().find_map(|&sign| text.split_once(sign))?;
    Some((start.trim().parse().ok()?, end.trim().parse().ok()?))
}

/// A score; NaN for none.
pub(super) fn score(value: &Value<'_>) -> Result<f64, Flaw> {
    let number = match *value {
        Value::Number(number) => Some(number),
        Value::Whole(number) => Some(number as f64),
        Value::Text(text) if text.trim().is_empty() => Some(f64::NAN),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    };
    let number = number.ok_or_else(|| format!("expected a number, found {}", found(value)))?;
    finite(number, || found(value))
}

/// A score that can be written again.
fn finite(score: f64, found: impl Fn() -> String) -> Result<f64, Flaw> {
    match score.is_infinite() {
        true => Err(format!("expected a finite number, found {}", found()).into()),
        false => Ok(score),
    }
}

pub(super) fn truth(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "1" | "1.0" => Some(true),
        "false" | "no" | "0" | "0.0" => Some(false),
        _ => None,
    }
}

pub(super) fn side(text: &str) -> Result<Flags, Flaw> {
    let mut flags = Flags::empty();
    for side in text.split(LIST).filter(|side| !side.is_empty()) {
        flags |= match side.trim().to_ascii_lowercase().as_str() {
            "gold" => Flags::GOLD,
            "system" | "predicted" => Flags::PREDICTED,
            _ => return Err(format!("expected gold or system, found {}", quoted(side)).into()),
        };
    }
    Ok(flags)
}

pub(super) fn json<'a>(value: &Value<'a>) -> Option<Cow<'a, serde_json::Value>> {
    match *value {
        Value::Json(value) => Some(Cow::Borrowed(value)),
        Value::Text("") => Some(Cow::Owned(serde_json::json!({}))),
        Value::Text(text) => serde_json::from_str(text).ok().map(Cow::Owned),
        _ => None,
    }
}

pub(super) fn list(text: &str) -> Vec<String> {
    text.split(LIST).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

pub(super) fn found(value: &Value<'_>) -> String {
    match value {
        Value::Text(text) => quoted(text),
        Value::Whole(number) => format!("`{number}`"),
        Value::Number(number) => format!("`{number}`"),
        Value::Flag(flag) => format!("`{flag}`"),
        Value::Json(value) => quoted(&value.to_string()),
        Value::Candidates(_) | Value::List(_) => "a list".to_owned(),
        Value::Known(_) | Value::Missing => "nothing".to_owned(),
    }
}

pub(super) fn link(corpus: &mut CorpusBuilder, text: &str) -> Link {
    match nil_in_words(text) {
        _ if text.is_empty() => Link::NONE,
        None => Link::to(corpus.intern(text)),
        Some("") => Link::NIL,
        Some(cluster) => Link::nil_cluster(corpus.intern(cluster)),
    }
}

pub(super) fn nil(corpus: &mut CorpusBuilder, value: &Value<'_>) -> Result<Option<Link>, Flaw> {
    let text = match value {
        Value::Flag(flag) => return Ok(flag.then_some(Link::NIL)),
        value => text(value)?,
    };
    Ok(match truth(&text) {
        Some(flag) => flag.then_some(Link::NIL),
        None if text.is_empty() => None,
        None => match nil_in_words(&text) {
            Some("") => Some(Link::NIL),
            cluster => Some(Link::nil_cluster(corpus.intern(cluster.unwrap_or(&text)))),
        },
    })
}

pub(super) fn candidates(
    corpus: &mut CorpusBuilder,
    value: Value<'_>,
) -> Result<Vec<(Link, f64, StrId)>, Flaw> {
    let wrong =
        || "expected a JSON list such as `[{\"link\": \"Q64\", \"score\": 0.9}]`".to_owned();
    let parsed;
    let cells = match value {
        Value::Candidates(cells) => cells,
        Value::Text("") => return Ok(Vec::new()),
        Value::List(ids) => ids
            .into_iter()
            .map(|id| CandidateCell { link: Some(id.into()), ..Default::default() })
            .collect(),
        value => {
            parsed = json(&value).ok_or_else(wrong)?;
            candidates_from_json(&parsed).ok_or_else(wrong)?
        }
    };
    for score in cells.iter().filter_map(|cell| cell.score) {
        finite(score, || format!("`{score}`"))?;
    }
    let mut candidate = |cell: &CandidateCell<'_>| {
        let mut answer = link(corpus, cell.link.as_deref().unwrap_or_default());
        match cell.cluster.as_deref() {
            Some(cluster) if !cluster.is_empty() => {
                answer = Link::nil_cluster(corpus.intern(cluster));
            }
            _ if cell.nil && answer.is_none() => answer = Link::NIL,
            _ => {}
        }
        let types = corpus.intern_list(cell.types.as_deref().unwrap_or_default().split(LIST));
        (answer, cell.score.unwrap_or(f64::NAN), types)
    };
    Ok(cells.iter().map(&mut candidate).collect())
}

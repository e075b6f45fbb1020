//! What is sent to a service: values in which names in braces stand for what is asked.

use crate::info::AnswerUnit;
use crate::task::LinkTask;
use crate::texts::UnitIndex;
use karat_model::Span;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What the names in braces stand for.
pub(super) struct Values<'a> {
    pub(super) task: &'a LinkTask<'a>,
    pub(super) unit: AnswerUnit,
    pub(super) settings: &'a BTreeMap<String, String>,
}

/// A text that is no template, or names something that is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct BadTemplate(pub(super) String);

/// The names that stand for something beside settings.
const NAMES: [&str; 9] =
    ["text", "length", "language", "id", "left", "mention", "right", "part.start", "part.end"];

/// Checks the names in a text, and gives those of them that speak of given mentions.
pub(super) fn check(text: &str, settings: &BTreeMap<String, String>) -> Result<bool, BadTemplate> {
    let mut speaks_of_mentions = false;
    for piece in pieces(text)? {
        let Piece::Name(name) = piece else { continue };
        if let Some(form) = name.strip_prefix("mentions:") {
            MentionsForm::parse(form)?;
            speaks_of_mentions = true;
        } else if !NAMES.contains(&name) && !settings.contains_key(name) {
            let message = format!(
                "nothing is called `{{{name}}}`: there are {}, mentions:…, and the settings",
                NAMES.join(", ")
            );
            return Err(BadTemplate(message));
        }
        speaks_of_mentions |= matches!(name, "left" | "mention" | "right");
    }
    Ok(speaks_of_mentions)
}

enum Piece<'t> {
    Text(&'t str),
    Name(&'t str),
}

/// The texts and the names in braces, in their order. Braces within braces belong together.
fn pieces(text: &str) -> Result<Vec<Piece<'_>>, BadTemplate> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        if open > 0 {
            pieces.push(Piece::Text(&rest[..open]));
        }
        let mut depth = 0;
        let close = rest[open..].char_indices().find_map(|(at, character)| {
            match character {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            (depth == 0).then_some(open + at)
        });
        let close =
            close.ok_or_else(|| BadTemplate(format!("a brace of `{text}` is not closed")))?;
        pieces.push(Piece::Name(&rest[open + 1..close]));
        rest = &rest[close + 1..];
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    Ok(pieces)
}

impl Values<'_> {
    /// A value with all names replaced. A text that is one name becomes its value, with the type that this has in JSON.
    pub(super) fn filled(&self, template: &Value) -> Result<Value, BadTemplate> {
        Ok(match template {
            Value::String(text) => match pieces(text)?.as_slice() {
                [Piece::Name(name)] => self.value(name)?,
                _ => Value::String(self.text(text, &|text| text.to_owned())?),
            },
            Value::Array(items) => {
                items.iter().map(|item| self.filled(item)).collect::<Result<_, _>>()?
            }
            Value::Object(fields) => {
                let filled =
                    fields.iter().map(|(key, value)| Ok((key.clone(), self.filled(value)?)));
                Value::Object(filled.collect::<Result<Map<String, Value>, BadTemplate>>()?)
            }
            other => other.clone(),
        })
    }

    /// A text with all names replaced, each value escaped.
    pub(super) fn text(
        &self,
        template: &str,
        escape: &dyn Fn(&str) -> String,
    ) -> Result<String, BadTemplate> {
        let mut text = String::new();
        for piece in pieces(template)? {
            match piece {
                Piece::Text(piece) => text.push_str(piece),
                Piece::Name(name) => text.push_str(&escape(&plain(&self.value(name)?))),
            }
        }
        Ok(text)
    }

    fn value(&self, name: &str) -> Result<Value, BadTemplate> {
        let task = self.task;
        if let Some(form) = name.strip_prefix("mentions:") {
            return Ok(MentionsForm::parse(form)?.value(self));
        }
        let around = |pick: fn(&str, &str, &str) -> String| {
            let span = task.mentions.and_then(|spans| spans.first()).copied().unwrap_or_default();
            let index = UnitIndex::new(task.text);
            let slice =
                |start, end| index.code_points().slice(Span::new(start, end)).unwrap_or_default();
            let end = index.code_points().len();
            Value::String(pick(
                slice(0, span.start),
                slice(span.start, span.end),
                slice(span.end, end),
            ))
        };
        Ok(match name {
            "text" => Value::String(task.text.to_owned()),
            "length" => json!(UnitIndex::new(task.text).code_points().len()),
            "language" => Value::String(task.language.unwrap_or("en").to_owned()),
            "id" => Value::String(task.document.to_owned()),
            "part.start" => json!(task.part.start),
            "part.end" => json!(task.part.end),
            "left" => around(|left, _, _| left.to_owned()),
            "mention" => around(|_, mention, _| mention.to_owned()),
            "right" => around(|_, _, right| right.to_owned()),
            name => match self.settings.get(name) {
                Some(setting) => typed(setting),
                None => return Err(BadTemplate(format!("nothing is called `{{{name}}}`"))),
            },
        })
    }
}

/// A setting as JSON: numbers and yes or no are what they look like.
fn typed(setting: &str) -> Value {
    match serde_json::from_str(setting) {
        Ok(value @ (Value::Number(_) | Value::Bool(_) | Value::Null)) => value,
        _ => Value::String(setting.to_owned()),
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// How given mentions are written.
enum MentionsForm<'t> {
    /// As lists of these.
    Lists(Vec<&'t str>),
    /// As objects with these keys.
    Objects(Vec<(&'t str, &'t str)>),
    /// As the text with marks around them.
    Marked(String, String),
}

const FIELDS: [&str; 5] = ["start", "end", "length", "surface", "last"];

impl<'t> MentionsForm<'t> {
    fn parse(text: &'t str) -> Result<MentionsForm<'t>, BadTemplate> {
        let bad = |what: &str| {
            BadTemplate(format!("`{text}` does not say how mentions are written: {what}"))
        };
        let field = |name: &'t str| match FIELDS.contains(&name) {
            true => Ok(name),
            false => Err(bad(&format!("a mention has {}", FIELDS.join(", ")))),
        };
        if let Some(marks) = text.strip_prefix("marked(").and_then(|rest| rest.strip_suffix(')')) {
            let marks: Result<(String, String), _> = serde_json::from_str(&format!("[{marks}]"));
            let (before, after) = marks.map_err(|_| bad("write marked(\"before\", \"after\")"))?;
            return Ok(MentionsForm::Marked(before, after));
        }
        if let Some(fields) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            let pair = |pair: &'t str| {
                let (key, name) = pair.split_once('=').ok_or_else(|| bad("write key=field"))?;
                Ok((key.trim(), field(name.trim())?))
            };
            return fields
                .split(',')
                .map(pair)
                .collect::<Result<_, _>>()
                .map(MentionsForm::Objects);
        }
        text.split(',')
            .map(|name| field(name.trim()))
            .collect::<Result<_, _>>()
            .map(MentionsForm::Lists)
    }

    fn value(&self, values: &Values<'_>) -> Value {
        let index = UnitIndex::new(values.task.text);
        let spans = values.task.mentions.unwrap_or_default();
        let offset = |position| index.offset(position, values.unit).unwrap_or_default();
        let field = |span: &Span, name: &str| match name {
            "start" => json!(offset(span.start)),
            "end" => json!(offset(span.end)),
            "last" => json!(offset(span.end).saturating_sub(1)),
            "length" => json!(offset(span.end) - offset(span.start)),
            _ => json!(index.code_points().slice(*span).unwrap_or_default()),
        };
        match self {
            MentionsForm::Lists(names) => spans
                .iter()
                .map(|span| names.iter().map(|name| field(span, name)).collect::<Value>())
                .collect(),
            MentionsForm::Objects(pairs) => {
                let object = |span| {
                    pairs.iter().map(move |(key, name)| ((*key).to_owned(), field(span, name)))
                };
                spans.iter().map(|span| Value::Object(object(span).collect())).collect()
            }
            MentionsForm::Marked(before, after) => {
                let mut sorted = spans.to_vec();
                sorted.sort_unstable();
                let slice = |start, end| {
                    index.code_points().slice(Span::new(start, end)).unwrap_or_default()
                };
                let (mut text, mut at) = (String::new(), 0);
                for span in sorted {
                    text += slice(at, span.start);
                    text = text + before + slice(span.start, span.end) + after;
                    at = span.end;
                }
                Value::String(text + slice(at, index.code_points().len()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: Value, mentions: Option<&[Span]>) -> Value {
        let task = LinkTask { mentions, ..LinkTask::of_text("d1", "😀 \"Bern\"\n") };
        let settings = BTreeMap::from([
            ("tagger".to_owned(), "fast".to_owned()),
            ("k".to_owned(), "5".to_owned()),
        ]);
        let values = Values { task: &task, unit: AnswerUnit::Utf16, settings: &settings };
        values.filled(&template).unwrap()
    }

    #[test]
    fn names_become_values_with_their_types_and_nothing_needs_escaping() {
        assert_eq!(
            filled(json!({"text": "{text}", "n": "{k}", "as": "x-{tagger}-{k}"}), None),
            json!({"text": "😀 \"Bern\"\n", "n": 5, "as": "x-fast-5"})
        );
    }

    #[test]
    fn given_mentions_are_written_as_the_service_wants_them() {
        let spans = [Span::new(3, 7)];
        let spans = Some(&spans[..]);
        assert_eq!(filled(json!("{mentions:start,length}"), spans), json!([[4, 4]]));
        assert_eq!(
            filled(json!("{mentions:{from=start,to=last,text=surface}}"), spans),
            json!([{"from": 4, "to": 7, "text": "Bern"}])
        );
        assert_eq!(
            filled(json!("{mentions:marked(\"[S] \", \" [E]\")}"), spans),
            json!("😀 \"[S] Bern [E]\"\n")
        );
        assert_eq!(filled(json!("{left}|{mention}|{right}"), spans), json!("😀 \"|Bern|\"\n"));
    }

    #[test]
    fn names_that_mean_nothing_are_refused() {
        let settings = BTreeMap::from([("k".to_owned(), "5".to_owned())]);
        assert_eq!(check("{text} {k}", &settings), Ok(false));
        assert_eq!(check("{mentions:start,end}", &settings), Ok(true));
        for bad in ["{txt}", "{text", "{mentions:from}", "{mentions:marked(x)}", "{}"] {
            assert!(check(bad, &settings).is_err(), "{bad}");
        }
    }
}

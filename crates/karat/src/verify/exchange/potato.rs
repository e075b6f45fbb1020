//! Judgements of Potato: a line for each answer, in the file of each person.
//!
//! Instances are called as items are. A scheme called `action` has the answer as the label that is set, one called `new_link`
//! the text that belongs to it, and `note` a note. What the items are comes from a file of judgements.

use super::{KnownItems, Numbered, items_needed};
use crate::verify::judgements::{JudgementFile, JudgementRow};
use karat_formats::{Kind, Problem, Source};
use serde::Deserialize;
use serde_json::{Map, Value};

/// What the files are called.
pub(super) const FILE: &str = "annotated_instances.jsonl";

#[derive(Debug, Deserialize)]
struct Answered {
    #[serde(alias = "id")]
    instance_id: Value,
    #[serde(default)]
    user_id: Option<String>,
    label_annotations: Map<String, Value>,
    #[serde(default)]
    behavioral_data: Value,
}

/// Whether a line is one of Potato's.
pub(super) fn is_line(line: &str) -> bool {
    serde_json::from_str::<Answered>(line).is_ok()
}

impl Answered {
    /// The label of a scheme that is set: labels are keys, and their values say whether they are.
    fn label(&self, scheme: &str) -> Option<&str> {
        let is_set = |value: &Value| match value {
            Value::Null => false,
            Value::Bool(set) => *set,
            Value::Number(number) => number.as_f64() != Some(0.0),
            Value::String(text) => !["", "0", "false"].contains(&text.as_str()),
            Value::Array(_) | Value::Object(_) => false,
        };
        match self.label_annotations.get(scheme)? {
            Value::String(label) => Some(label),
            Value::Object(labels) => {
                labels.iter().find(|(_, value)| is_set(value)).map(|(label, _)| label.as_str())
            }
            _ => None,
        }
    }

    /// The text of a scheme.
    fn text(&self, scheme: &str) -> Option<String> {
        match self.label_annotations.get(scheme)? {
            Value::String(text) => Some(text.clone()),
            Value::Object(boxes) => boxes.values().find_map(Value::as_str).map(str::to_owned),
            _ => None,
        }
    }

    /// How long it took, in milliseconds: a number of seconds, or words such as `0d 0h 1m 31s`.
    fn time(&self) -> Option<u64> {
        if let Some(seconds) = self.behavioral_data.get("time_spent").and_then(Value::as_f64) {
            return (seconds >= 0.0).then(|| (seconds * 1000.0).round() as u64);
        }
        let words = self.behavioral_data.get("time_string")?.as_str()?;
        let mut seconds = None;
        for word in words.split_whitespace() {
            let Some((at, unit)) = word.char_indices().next_back() else { continue };
            let worth = match unit {
                'd' => 86_400,
                'h' => 3600,
                'm' => 60,
                's' => 1,
                _ => continue,
            };
            if let Ok(number) = word[..at].parse::<u64>() {
                seconds = Some(seconds.unwrap_or(0) + number.saturating_mul(worth));
            }
        }
        seconds.map(|seconds: u64| seconds.saturating_mul(1000))
    }
}

pub(super) fn read<'s>(
    sources: impl IntoIterator<Item = &'s Source>,
    items: Option<&JudgementFile>,
) -> Result<JudgementFile, Problem> {
    let mut people = Numbered::default();
    let mut rows = Vec::new();
    let mut first = None;
    for source in sources {
        first = first.or(Some(source));
        let items = items.ok_or_else(|| items_needed(source))?;
        let text = source.text()?;
        for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
            let answered: Answered =
                serde_json::from_str(line).map_err(|error| text.json_problem(line, &error))?;
            let wrong = |message: String| text.problem_at(Kind::Format, line, message);
            let name = match &answered.instance_id {
                Value::String(name) => name.clone(),
                other => other.to_string(),
            };
            let place = KnownItems { file: items }.place(&name);
            let place = place.ok_or_else(|| wrong(format!("there is no item `{name}`")))?;
            let action = answered.label("action");
            let action = action
                .ok_or_else(|| wrong("no label of `action` is set".to_owned()))?
                .to_lowercase();
            let is_modified = action == "modify" || action == "edit";
            // Older versions name the person by the folder only.
            let person = answered.user_id.clone().unwrap_or_else(|| source.folder().to_owned());
            rows.push(JudgementRow {
                worker: people.name(&person),
                new_link: answered.text("new_link").filter(|_| is_modified).unwrap_or_default(),
                note: answered.text("note").unwrap_or_default(),
                active_ms: answered.time().map(|ms| ms.to_string()).unwrap_or_default(),
                action,
                ..items.unjudged(place)
            });
        }
    }
    match (first, items) {
        (Some(source), Some(items)) => {
            rows.extend((0..items.plan.items.len()).map(|at| items.unjudged(at)));
            JudgementFile::of_rows(rows, source)
        }
        _ => Err(Problem::new(Kind::Format, FILE, "there are no answers")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_verify::{LinkTarget, VerifyAction};

    fn items() -> JudgementFile {
        let items = "item,document,begin,end,link,sources,worker,action\n\
            x,d,0,5,Q1,gold,,\n7,d,8,9,Q3,one,,\ny,d,10,12,Q4,one,,\n";
        JudgementFile::read(&Source::memory("items.csv", items)).expect("items")
    }

    #[test]
    fn answers_of_both_generations_are_judgements() {
        let lines = r#"{"user_id":"5f1c","instance_id":"x","displayed_text":"...","label_annotations":{"action":{"verify":"1"}},"span_annotations":[],"behavioral_data":{"time_spent":12.5}}
{"id":7,"displayed_text":"...","label_annotations":{"action":{"verify":false,"modify":true},"new_link":{"text_box":"Q9"},"note":{"text_box":"hm"}},"behavioral_data":{"time_string":"Time spent: 0d 0h 1m 31s "}}
"#;
        assert!(lines.lines().all(is_line) && !is_line("{\"document\":\"d\"}"));
        let source = Source::memory("ann/annotated_instances.jsonl", lines);
        let file = read([&source], Some(&items())).expect("judgements");
        assert_eq!(file.plan.items.len(), 3, "what nobody judged is there as well");
        let [one, two] = &file.judgements[..] else { panic!("{:?}", file.judgements) };
        assert_eq!((one.action, one.active_ms), (VerifyAction::Verify, Some(12_500)));
        assert_eq!((two.action, two.active_ms), (VerifyAction::Modify, Some(91_000)));
        assert_eq!(two.link, Some(LinkTarget::Entity("Q9".into())));
        assert_eq!(two.note, "hm");
        assert_ne!(one.worker, two.worker);
        assert!(!file.csv().contains("5f1c"), "ids of people are not kept");

        let error = read([&source], None).expect_err("no items").to_string();
        assert!(error.contains("not what they are"), "{error}");
        let other = lines.replace("\"x\"", "\"z\"");
        let source = Source::memory("annotated_instances.jsonl", other);
        let error = read([&source], Some(&items())).expect_err("unknown").to_string();
        assert!(error.contains("jsonl:1") && error.contains("`z`"), "{error}");
    }
}

//! Judgements of Label Studio: an array of tasks with their annotations.
//!
//! The data of a task has the columns of a file of judgements (`document`, `begin`, `end`, `link`, `sources` and others), as they
//! are there when such a file was imported; or only `item`, and what it is comes from a file. A control called `action` with
//! choices has the answer, text areas called `new_link` and `note` what belongs to it. A cancelled annotation is a skip.

use super::{KnownItems, Numbered, items_needed};
use crate::verify::judgements::{JudgementFile, JudgementRow};
use karat_formats::{Kind, Problem, Source};
use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
struct StudioTask {
    id: Option<i64>,
    data: serde_json::Map<String, Value>,
    #[serde(default)]
    annotations: Vec<StudioAnnotation>,
}

#[derive(Debug, Deserialize)]
struct StudioAnnotation {
    #[serde(default)]
    completed_by: Value,
    #[serde(default)]
    result: Vec<StudioResult>,
    #[serde(default)]
    was_cancelled: bool,
    /// Seconds.
    #[serde(default)]
    lead_time: Option<f64>,
}

#[derive(Debug, Deserialize)]
struct StudioResult {
    #[serde(default)]
    from_name: String,
    #[serde(default)]
    value: Value,
}

impl StudioAnnotation {
    /// What a control of the page has: the first choice, or the text.
    fn said(&self, control: &str) -> Option<String> {
        let of = self.result.iter().find(|one| one.from_name == control)?;
        let list = of.value.get("choices").or_else(|| of.value.get("text"))?;
        let first = list.as_array().and_then(|list| list.first()).unwrap_or(list);
        first.as_str().map(str::to_owned)
    }

    /// Who it was: a number, or an object with one.
    fn person(&self) -> String {
        let of = self.completed_by.get("id").or_else(|| self.completed_by.get("email"));
        of.unwrap_or(&self.completed_by).to_string()
    }
}

pub(super) fn read(
    source: &Source,
    items: Option<&JudgementFile>,
) -> Result<JudgementFile, Problem> {
    let text = source.text()?;
    let tasks: Vec<StudioTask> = serde_json::from_str(text.as_str())
        .map_err(|error| text.json_problem(text.as_str(), &error))?;
    let mut people = Numbered::default();
    let mut rows = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let number = task.id.unwrap_or(at as i64 + 1);
        let wrong = |message: String| {
            Problem::new(Kind::Format, source.name(), format!("task {number}: {message}"))
        };
        let about =
            about(task, items, source).map_err(|problem| match problem.message.as_str() {
                message if problem.hint.is_none() => wrong(message.to_owned()),
                _ => problem,
            })?;
        let before = rows.len();
        for one in &task.annotations {
            let action = match one.said("action") {
                _ if one.was_cancelled => "skip".to_owned(),
                Some(action) => action.to_lowercase(),
                None => {
                    return Err(wrong("an annotation has no choice called `action`".to_owned()));
                }
            };
            let is_modified = action == "modify" || action == "edit";
            rows.push(JudgementRow {
                worker: people.name(&one.person()),
                new_link: one.said("new_link").filter(|_| is_modified).unwrap_or_default(),
                note: one.said("note").unwrap_or_default(),
                active_ms: one
                    .lead_time
                    .filter(|seconds| *seconds >= 0.0)
                    .map(|seconds| ((seconds * 1000.0).round() as u64).to_string())
                    .unwrap_or_default(),
                action,
                ..about.clone()
            });
        }
        if rows.len() == before {
            rows.push(about);
        }
    }
    JudgementFile::of_rows(rows, source)
}

/// What a task is about, as a row without an answer.
fn about(
    task: &StudioTask,
    items: Option<&JudgementFile>,
    source: &Source,
) -> Result<JudgementRow, Problem> {
    let cell = |value: &Value| match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    if let Some(items) = items {
        let name = task.data.get("item").or_else(|| task.data.get("id")).map(cell);
        let name = name.unwrap_or_default();
        let place = KnownItems { file: items }.place(&name);
        let wrong =
            || Problem::new(Kind::Format, source.name(), format!("there is no item `{name}`"));
        return Ok(items.unjudged(place.ok_or_else(wrong)?));
    }
    if !task.data.contains_key("document") {
        return Err(items_needed(source));
    }
    let mut row = JudgementRow::default();
    for (name, value) in &task.data {
        row.put(name, &cell(value))
            .map_err(|message| Problem::new(Kind::Format, source.name(), message))?;
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_verify::{LinkTarget, VerifyAction};

    const TASKS: &str = r#"[
        {"id": 4, "data": {"document": "d", "begin": 0, "end": 5, "link": "Q1", "sources": "gold|one", "shown": "Paris"},
         "annotations": [
            {"completed_by": 17, "lead_time": 4.25, "result": [{"from_name": "action", "type": "choices", "value": {"choices": ["Verify"]}}]},
            {"completed_by": {"id": 3, "email": "a@b.example"}, "result": [
                {"from_name": "action", "value": {"choices": ["modify"]}},
                {"from_name": "new_link", "value": {"text": ["Q2"]}},
                {"from_name": "note", "value": {"text": ["the state"]}}]}]},
        {"id": 5, "data": {"document": "d", "begin": 7, "end": 9, "link": "Q3", "sources": "one"},
         "annotations": [{"completed_by": 17, "was_cancelled": true, "result": []}]},
        {"id": 6, "data": {"document": "d", "begin": 8, "end": 9, "link": "Q3", "sources": "one"}, "annotations": []}
    ]"#;

    #[test]
    fn annotations_are_judgements() {
        let file = read(&Source::memory("ls.json", TASKS), None).expect("judgements");
        assert_eq!(file.plan.items.len(), 3);
        let [one, two, three] = &file.judgements[..] else { panic!("{:?}", file.judgements) };
        assert_eq!((one.worker.as_str(), one.action), ("person-1", VerifyAction::Verify));
        assert_eq!(one.active_ms, Some(4250));
        assert_eq!((two.worker.as_str(), two.action), ("person-2", VerifyAction::Modify));
        assert_eq!(two.link, Some(LinkTarget::Entity("Q2".into())));
        assert_eq!(two.note, "the state");
        assert_eq!((three.worker.as_str(), three.action), ("person-1", VerifyAction::Skip));
    }

    #[test]
    fn items_may_come_from_a_file() {
        let items = "item,document,begin,end,link,sources,worker,action\nx,d,0,5,Q1,gold,,\n";
        let items = JudgementFile::read(&Source::memory("items.csv", items)).expect("items");
        let tasks = |item: &str, name: &str| {
            format!(
                r#"[{{"data": {{"item": "{item}"}}, "annotations": [{{"completed_by": 1, "result": [{{"from_name": "{name}", "value": {{"choices": ["remove"]}}}}]}}]}}]"#
            )
        };
        let read = |text: String, items: Option<&JudgementFile>| {
            super::read(&Source::memory("ls.json", text), items)
        };
        let file = read(tasks("x", "action"), Some(&items)).expect("judgements");
        assert_eq!(file.judgements[0].action, VerifyAction::Remove);
        assert_eq!(file.plan.items, items.plan.items);
        for (text, items, why) in [
            (tasks("y", "action"), Some(&items), "task 1: there is no item `y`"),
            (tasks("x", "label"), Some(&items), "`action`"),
            (tasks("x", "action"), None, "not what they are"),
            ("[{\"data\": 3}]".to_owned(), None, "ls.json:1"),
        ] {
            let error = read(text, items).expect_err(why).to_string();
            assert!(error.contains(why), "{error}");
        }
    }
}

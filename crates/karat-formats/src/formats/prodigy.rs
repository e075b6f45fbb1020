//! Prodigy: annotation tasks as JSON lines, with spans and what the annotator answered.

use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{
    InRecord, Object, Outline, each_record, first_string, objects, offset, string, text,
};
use karat_model::{CorpusBuilder, Features, Link, Restriction, TextIndex};
use serde_json::Value;
use std::collections::HashMap;

/// The format.
#[derive(Debug)]
pub(crate) struct Prodigy;

const HINT: &str =
    "each line is a task with `text`, `spans` with `start` and `end`, and the `answer`";
/// What a task or a span may give its entity as.
const LINKS: [&str; 8] =
    ["kb_id", "link", "entity_id", "qid", "wikidata_id", "concept_id", "cui", "entity"];
/// What tasks are named by, in their `meta` or beside it.
const NAMES: [&str; 5] = ["doc_id", "id", "document_id", "source_id", "filename"];

static INFO: Info = Info {
    name: "prodigy",
    title: "Prodigy JSONL",
    about: "One task per line: `{\"text\", \"spans\": [{\"start\", \"end\", \"label\", \"kb_id\"}], \"answer\": \"accept\"}`. The entity is the \
            `kb_id` of a span (or `link`, `qid`, `entity_id`), or what was chosen among the options of a task with one span (`accept`), where \
            `NIL_otherLink` and the like are NIL; `label` is the type. Tasks that were rejected or ignored are no annotations: they are left out and counted. \
            Tasks of one text (by `_input_hash`) are one document; a document is named by `meta.doc_id` or `id`, or else numbered.",
    reference: "https://prodi.gy/docs/api-interfaces",
    extensions: &["jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &[],
        annotation_attributes: &["annotator"],
    },
};

impl Format for Prodigy {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let outline = Outline::of_first(sample);
        let is_task = outline.has(1, "text");
        let is_hashed = outline.has(1, "_input_hash") || outline.has(1, "_task_hash");
        let is_answered = outline.has_all(1, &["spans", "answer"]);
        match (is_task, is_hashed, is_answered) {
            (true, true, _) => 95,
            (true, false, true) => 80,
            _ => 0,
        }
    }

    fn lines_are_records(&self) -> bool {
        true
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let mut names = Names::default();
        for file in files {
            let content = file.text()?;
            each_record(&content, HINT, reading, |record, task, reading| {
                let name = names.of(&task);
                let read = read_task(&record, &task, &name, reading);
                reading.accept(read).map(|_| ())
            })?;
        }
        Ok(())
    }
}

/// The names of documents: their own, or the number of the first task of their text.
#[derive(Default)]
struct Names {
    number: usize,
    by_hash: HashMap<String, String>,
}

impl Names {
    fn of(&mut self, task: &Object) -> String {
        let number = self.number;
        self.number += 1;
        let meta = task.get("meta").and_then(Value::as_object);
        let named = meta.and_then(|meta| first_string(meta, &NAMES));
        if let Some(name) = named.or_else(|| first_string(task, &NAMES)) {
            return name;
        }
        match string(task, "_input_hash") {
            Some(hash) => self.by_hash.entry(hash).or_insert_with(|| number.to_string()).clone(),
            None => number.to_string(),
        }
    }
}

fn read_task(
    record: &InRecord<'_>,
    task: &Object,
    name: &str,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let answer = text(task, "answer").unwrap_or("accept");
    if answer != "accept" {
        let message = format!("a task whose answer is `{answer}`");
        reading.passed_over(record.here.problem(Kind::PassedOver, message));
        return Ok(());
    }
    let Some(content) = text(task, "text") else {
        let message = "expected a field `text` with a string";
        return Err(record.here.problem(Kind::Malformed, message).hint(HINT));
    };
    if !begin(record, name, content, reading)? {
        return Ok(());
    }
    let index = TextIndex::new(content);
    // What was chosen is about the task, so it is an entity only where there is one mention.
    let accepted = task.get("accept").and_then(Value::as_array).map(Vec::as_slice);
    let is_single = objects(task, "spans").count() == 1;
    let chosen = accepted.filter(|_| is_single).and_then(|accepted| match accepted {
        [Value::String(chosen)] => Some(chosen.as_str()),
        _ => None,
    });
    let annotator = first_string(task, &["_annotator_id", "_session_id"]);
    for (item, span) in objects(task, "spans").enumerate() {
        let added = add(record, item, span, chosen, annotator.as_deref(), &index, reading);
        reading.accept(added)?;
    }
    Ok(())
}

/// Starts the document of a task, or goes on with it: there may be a task for each mention of a text.
fn begin(
    record: &InRecord<'_>,
    name: &str,
    content: &str,
    reading: &mut Reading<'_>,
) -> Result<bool, Problem> {
    reading.names(name, |kind, message| record.here.problem(kind, message));
    let known = reading.corpus.len();
    reading.corpus.continue_document(name);
    if reading.corpus.len() > known {
        reading.corpus.set_text(content);
        return Ok(true);
    }
    if reading.corpus.text() == Some(content) {
        return Ok(true);
    }
    reading.begin_document(record.here, name, content)
}

fn add(
    record: &InRecord<'_>,
    item: usize,
    span: &Object,
    chosen: Option<&str>,
    annotator: Option<&str>,
    index: &TextIndex<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let located = |problem: Problem| record.locate("spans", item, problem);
    let (Some(start), Some(end)) = (offset(span, "start"), offset(span, "end")) else {
        let message = "expected a span with `start` and `end`, which are whole numbers";
        return Err(located(record.here.problem(Kind::Malformed, message).hint(HINT)));
    };
    let offsets = reading.offsets(INFO.offsets);
    let placed = record.here.place(index, offsets, start, end, text(span, "text"));
    let place = reading.placed(placed.map_err(located)?.located(located))?;
    let own = first_string(span, &LINKS).filter(|link| !link.is_empty());
    let link = link(own.as_deref().or(chosen), &mut reading.corpus);
    let kind = text(span, "label").filter(|label| !label.is_empty());
    let annotation = reading.corpus.annotate(place, link).types(kind);
    if let Some(annotator) = annotator {
        annotation.attribute("annotator", annotator);
    }
    Ok(())
}

fn link(id: Option<&str>, corpus: &mut CorpusBuilder) -> Link {
    match id {
        None => Link::NONE,
        Some(id) if id == "NIL" || id.starts_with("NIL_") => Link::NIL,
        Some(id) => Link::to(corpus.intern(id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};

    fn read(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
        testing::read(&Prodigy, &[("tasks.jsonl", content)], options)
    }

    const TASKS: &str = concat!(
        r#"{"text":"😀 e\u0301𝄞 Emerson won","_input_hash":-9,"_task_hash":1,"tokens":[],"spans":[{"start":6,"end":13,"text":"Emerson","label":"PERSON"}],"options":[{"id":"Q1"},{"id":"NIL_otherLink"}],"accept":["Q312545"],"answer":"accept","_annotator_id":"a1"}"#,
        "\n",
        r#"{"text":"😀 e\u0301𝄞 Emerson won","_input_hash":-9,"_task_hash":2,"spans":[{"start":14,"end":17,"label":"X","kb_id":"Q7"}],"answer":"accept"}"#,
        "\n",
        r#"{"text":"Rome","_input_hash":4,"_task_hash":3,"spans":[{"start":0,"end":4,"label":"GPE"}],"accept":["NIL_ambiguous"],"answer":"accept"}"#,
        "\n",
        r#"{"text":"Oslo","_input_hash":5,"_task_hash":4,"spans":[{"start":0,"end":4,"label":"GPE"}],"answer":"reject"}"#,
        "\n",
        r#"{"text":"Bonn","meta":{"doc_id":"d7"},"_input_hash":6,"_task_hash":5,"answer":"accept"}"#,
        "\n"
    );

    #[test]
    fn tasks_become_documents() {
        let outcome = read(TASKS, &ReadOptions::default()).unwrap();
        let names: Vec<_> = outcome.corpus.documents().map(|d| d.name().to_owned()).collect();
        assert_eq!(names, ["0", "2", "d7"]);
        let found: Vec<_> = outcome
            .corpus
            .documents()
            .flat_map(|document| document.mentions().collect::<Vec<_>>())
            .map(|m| (m.surface().unwrap(), m.entity(), m.link().is_nil(), m.types().next()))
            .collect();
        assert_eq!(
            found,
            [
                ("Emerson", Some("Q312545"), false, Some("PERSON")),
                ("won", Some("Q7"), false, Some("X")),
                ("Rome", None, true, Some("GPE")),
            ]
        );
        let first = outcome.corpus.document("0").unwrap().mentions().next().unwrap();
        assert_eq!(first.attribute("annotator"), Some("a1"));
        assert_eq!(outcome.findings.passed_over_count(), 1);
        assert!(outcome.findings.skipped().is_empty() && outcome.findings.repaired().is_empty());
    }

    #[test]
    fn bad_tasks_are_located() {
        for (task, message, column) in [
            (r#"{"_task_hash":1,"spans":[]}"#, "expected a field `text` with a string", 1),
            (
                r#"{"text":"a","_task_hash":1,"spans":[{"start":0}]}"#,
                "expected a span with `start` and `end`, which are whole numbers",
                37,
            ),
            (
                r#"{"text":"a","_task_hash":1,"spans":[{"start":0,"end":3}]}"#,
                "offset 0..3 lies outside the text, which has 1 code points",
                37,
            ),
        ] {
            let content = format!("{TASKS}{task}\n");
            let problem = read(&content, &ReadOptions::default()).unwrap_err();
            let place = problem.place.unwrap();
            assert_eq!((problem.message.as_str(), place.line, place.column), (message, 6, column));
            assert_eq!(read(&content, &testing::lenient()).unwrap().findings.skipped().len(), 1);
        }
    }
}

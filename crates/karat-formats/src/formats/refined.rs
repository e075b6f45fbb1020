//! ReFinED: spans with predicted entities, and the datasets it is trained on.

use crate::anchor::Here;
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::given_documents::{Given, span};
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{Object, Outline, first_string, objects, offset, string, text};
use crate::syntax::nil::NilWords;
use karat_model::{Features, Link, Restriction, TextIndex, attribute};
use serde_json::Value;

/// The format.
#[derive(Debug)]
pub(crate) struct Refined;

const HINT: &str =
    "each line is a document: an object with `spans` or `mentions`, or a list of spans";

static INFO: Info = Info {
    name: "refined",
    title: "ReFinED spans",
    about: "One document per line: an object with `text` and `spans`, or just the list of spans, with the fields of ReFinED's `Span` \
            (`text`, `start`, `ln`, `predicted_entity`, `entity_linking_model_confidence_score`, `top_k_predicted_entities`, `coarse_mention_type`); \
            also its datasets, with `mentions` of `start`, `length` and `wiki_name`. The link is the Wikidata id, else the Wikipedia title; \
            an entity without either (or Q-1, or the title NIL) is NIL, no entity at all a mention without an answer. \
            Without a text in the file the given documents provide it, by name or else by position.",
    reference: "amazon-science/ReFinED, refined/data_types/base_types.py",
    extensions: &["jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: false,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::CONFIDENCE)
            .union(Features::CANDIDATES)
            .union(Features::CANDIDATE_SCORES)
            .union(Features::TYPE)
            .union(Features::TYPES)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS)
            .union(Features::UNRANKED_CANDIDATES),
        document_attributes: &[],
        annotation_attributes: &["name", "surface"],
    },
};

impl Format for Refined {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links may be titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let outline = Outline::of(sample);
        let line = sample.first_line();
        let output = outline.has(1, "spans") && (outline.has(3, "ln") || outline.has(3, "uris"));
        let dataset = outline.has(1, "mentions") && outline.has_all(3, &["length", "wiki_name"]);
        let list = ["[{", "\"ln\":", "\"start\":"];
        if (output || dataset) && outline.has(3, "start") {
            90
        } else if line.starts_with(list[0]) && list.iter().all(|part| line.contains(part)) {
            85
        } else {
            0
        }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let given = Given::new(reading.options);
        let mut position = 0;
        for file in files {
            let text = file.text()?;
            for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
                let parsed = serde_json::from_str::<Value>(line);
                let parsed = parsed.map_err(|error| text.json_problem(line, &error).hint(HINT));
                if let Some(value) = reading.accept(parsed)? {
                    let here = Here { text: &text, at: text.offset_of(line), len: 1 };
                    read_document(&value, position, &given, here, reading)?;
                }
                position += 1;
            }
        }
        Ok(())
    }
}

fn read_document(
    value: &Value,
    position: usize,
    given: &Given<'_>,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let empty = Object::new();
    let record = value.as_object().unwrap_or(&empty);
    let spans = match value {
        Value::Object(record) => record.get("spans").or_else(|| record.get("mentions")),
        list => Some(list),
    };
    let Some(spans) = spans.and_then(Value::as_array) else {
        let message = "expected a list of spans, or an object with `spans` or `mentions`";
        return reading.report(here.problem(Kind::Malformed, message).hint(HINT));
    };
    let name = first_string(record, &["id", "doc_id", "docid", "document_id", "name"]);
    let name = name.unwrap_or_else(|| given.name_at(position));
    given.read_document(&name, text(record, "text"), spans, here, reading, add)
}

fn add(
    item: &Value,
    index: Option<&TextIndex<'_>>,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let fields = item.as_object().and_then(|fields| {
        let length = offset(fields, "ln").or_else(|| offset(fields, "length"))?;
        Some((fields, offset(fields, "start")?, length))
    });
    let Some((fields, start, length)) = fields else {
        let problem = here.problem(
            Kind::Malformed,
            "expected a span with whole numbers `start` and `ln` (or `length`)",
        );
        return Err(problem.hint(HINT));
    };
    let surface = text(fields, "text");
    let offsets = Offsets { unit: reading.unit(INFO.offsets).unit, ..INFO.offsets };
    let span = span(index, offsets, (start, start.saturating_add(length)), surface, here, reading)?;
    let answer = Answer::of(fields);
    let link = answer.link(reading);
    let candidates: Vec<(Link, f64)> = ranked(fields)
        .map(|(entity, score)| (Answer::entity(entity).link(reading), score.unwrap_or(f64::NAN)))
        .collect();
    let types = types(fields);
    let mut annotation =
        reading.corpus.annotate(span, link).types(types.iter().map(String::as_str));
    let confidence = ["entity_linking_model_confidence_score", "score", "confidence"];
    if let Some(score) = confidence.iter().find_map(|key| fields.get(*key)?.as_f64()) {
        annotation = annotation.confidence(score);
    }
    for (link, score) in candidates {
        annotation = annotation.candidate(link, score);
    }
    annotation = annotation.attribute(attribute::NAME, answer.name.as_deref().unwrap_or_default());
    if let (None, Some(surface)) = (index, surface) {
        annotation.attribute(attribute::SURFACE, surface);
    }
    Ok(())
}

/// The entity of a span.
struct Answer {
    /// `None` for no answer, an empty string for NIL.
    id: Option<String>,
    name: Option<String>,
}

impl Answer {
    fn of(fields: &Object) -> Answer {
        let entity = ["predicted_entity", "gold_entity"].iter().find_map(|key| fields.get(*key));
        if let Some(entity) = entity.filter(|entity| !entity.is_null()) {
            return Answer::entity(entity);
        }
        let wiki = "http://en.wikipedia.org/wiki/";
        let uris = fields.get("uris").and_then(Value::as_array);
        let page =
            |uri: &Value| uri.as_str().and_then(|uri| uri.strip_prefix(wiki)).map(str::to_owned);
        let id = match (fields.get("wiki_name"), uris) {
            (Some(name), _) => {
                Some(name.as_str().filter(|name| *name != "NIL").unwrap_or_default().to_owned())
            }
            (None, Some(uris)) => Some(uris.iter().find_map(page).unwrap_or_default()),
            (None, None) => None,
        };
        Answer { id, name: None }
    }

    fn entity(entity: &Value) -> Answer {
        let Some(fields) = entity.as_object() else {
            return Answer { id: entity.as_str().map(str::to_owned), name: None };
        };
        let present = |key| string(fields, key).filter(|value| !value.is_empty());
        let id = present("wikidata_entity_id").filter(|id| id != "Q-1");
        let title = present("wikipedia_entity_title");
        let name = title.clone().or_else(|| present("human_readable_name"));
        match id.or(title) {
            Some(id) => Answer { name: name.filter(|name| *name != id), id: Some(id) },
            None => Answer { id: Some(String::new()), name },
        }
    }

    fn link(&self, reading: &mut Reading<'_>) -> Link {
        match self.id.as_deref() {
            None => Link::NONE,
            Some("" | "Q-1" | "NIL") => Link::NIL,
            Some(id) => Link::to(reading.corpus.intern(id)),
        }
    }
}

/// The ranked answers: pairs of an entity and a score.
fn ranked(fields: &Object) -> impl Iterator<Item = (&Value, Option<f64>)> {
    let items = fields.get("top_k_predicted_entities").and_then(Value::as_array);
    items.into_iter().flatten().filter_map(|item| {
        let pair = item.as_array()?;
        Some((pair.first()?, pair.get(1).and_then(Value::as_f64)))
    })
}

/// The coarse type, then the ids of the fine ones.
fn types(fields: &Object) -> Vec<String> {
    let coarse = string(fields, "coarse_mention_type")
        .or_else(|| string(fields, "coarse_type").filter(|kind| kind != "MENTION"));
    let fine = fields.get("predicted_entity_types").and_then(Value::as_array);
    let ids = fine.into_iter().flatten().filter_map(|kind| match kind {
        Value::Array(parts) => parts.first()?.as_str(),
        kind => kind.as_str(),
    });
    let named = objects(fields, "predicted_entity_types").filter_map(|kind| text(kind, "id"));
    coarse.into_iter().chain(ids.chain(named).map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};
    use karat_model::{CorpusBuilder, Span};
    use std::sync::Arc;

    fn read_with(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
        testing::read(&Refined, &[("out.jsonl", content)], options)
    }

    fn read(content: &str) -> Result<ReadOutcome, Problem> {
        read_with(content, &ReadOptions::default())
    }

    #[test]
    fn spans_with_predictions() {
        let content = r#"{"id":"d1","text":"😀 𝄞 e\u0301 Berlin, May","spans":[{"text":"Berlin","start":7,"ln":6,"predicted_entity":{"wikidata_entity_id":"Q64","wikipedia_entity_title":"Berlin"},"entity_linking_model_confidence_score":0.9,"top_k_predicted_entities":[[{"wikidata_entity_id":"Q64"},0.9],[{"wikidata_entity_id":"Q-1"},0.1]],"coarse_type":"MENTION","coarse_mention_type":"GPE","predicted_entity_types":[["Q515","city",0.8]]},{"text":"May","start":15,"ln":3,"predicted_entity":null,"coarse_type":"DATE"}]}"#;
        let corpus = read(content).unwrap().corpus;
        let mentions: Vec<_> = corpus.document("d1").unwrap().mentions().collect();
        assert_eq!((mentions[0].span(), mentions[0].surface()), (Span::new(7, 13), Some("Berlin")));
        assert_eq!((mentions[0].entity(), mentions[0].confidence()), (Some("Q64"), Some(0.9)));
        assert_eq!(mentions[0].attribute("name"), Some("Berlin"));
        assert_eq!(mentions[0].types().collect::<Vec<_>>(), ["GPE", "Q515"]);
        let candidates: Vec<_> = mentions[0].candidates().map(|c| (c.entity, c.score)).collect();
        assert_eq!(candidates, [(Some("Q64"), Some(0.9)), (None, Some(0.1))]);
        assert!(mentions[1].link().is_none());
        assert_eq!(mentions[1].types().collect::<Vec<_>>(), ["DATE"]);
    }

    #[test]
    fn datasets() {
        let content = concat!(
            r#"{"text":"Rome and Bonn","mentions":[{"start":0,"length":4,"wiki_name":"Rome"},{"start":9,"length":4,"wiki_name":"NIL"},{"start":9,"length":4,"wiki_name":null}]}"#,
            "\n",
            r#"{"text":"Rome","spans":[{"start":0,"length":4,"uris":["http://rdf.x/a","http://en.wikipedia.org/wiki/Rome"]},{"start":0,"length":4,"uris":[]}]}"#,
        );
        let corpus = read(content).unwrap().corpus;
        let links = |name| {
            let mentions = corpus.document(name).unwrap().mentions();
            mentions
                .map(|m| m.entity().unwrap_or(if m.link().is_nil() { "NIL" } else { "-" }))
                .collect::<Vec<_>>()
        };
        assert_eq!(links("0"), ["Rome", "NIL", "NIL"]);
        assert_eq!(links("1"), ["Rome", "NIL"]);
    }

    #[test]
    fn lists_take_names_and_texts_from_the_given_documents() {
        let mut given = CorpusBuilder::new();
        given.begin_document("first").unwrap();
        given.set_text("in Rome");
        let documents = Some(Arc::new(given.finish()));
        let content = r#"[{"text":"Rome","start":3,"ln":4,"predicted_entity":{}}]"#;
        let options = ReadOptions { documents, ..ReadOptions::default() };
        let corpus = read_with(content, &options).unwrap().corpus;
        let mention = corpus.document("first").unwrap().mentions().next().unwrap();
        assert!(mention.link().is_nil() && mention.surface() == Some("Rome"));
        let corpus = read(content).unwrap().corpus;
        let mention = corpus.document("0").unwrap().mentions().next().unwrap();
        assert_eq!(mention.attribute("surface"), Some("Rome"));
        let problem =
            read_with(&content.replace("\"start\":3", "\"start\":2"), &options).unwrap_err();
        assert_eq!(problem.message, "the mention is “Rome” but the text at 2..6 is “ Rom”");
    }

    #[test]
    fn bad_lines_are_located() {
        let good = r#"{"id":"d","text":"Rome","spans":[{"start":0,"ln":4}]}"#;
        for (bad, message) in [
            ("{\"spans\":7}", "expected a list of spans, or an object with `spans` or `mentions`"),
            (
                "{\"spans\":[{\"start\":-1,\"ln\":2}]}",
                "expected a span with whole numbers `start` and `ln` (or `length`)",
            ),
            (
                "{\"text\":\"a\",\"spans\":[{\"start\":0,\"ln\":2}]}",
                "offset 0..2 lies outside the text, which has 1 code points",
            ),
            (
                "{\"spans\":[{\"start\":99999999999,\"ln\":2}]}",
                "99999999999..100000000001 cannot be the offsets of a mention",
            ),
            (good, "document `d` occurs twice"),
        ] {
            let content = format!("{good}\n{bad}\n");
            let problem = read(&content).unwrap_err();
            assert_eq!((problem.message.as_str(), problem.place.unwrap().line), (message, 2));
            assert!(problem.hint.is_some());
            let lenient = testing::lenient();
            assert_eq!(read_with(&content, &lenient).unwrap().findings.skipped().len(), 1);
        }
    }
}

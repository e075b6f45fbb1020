//! Mentions in the JSON of an answer, wherever in the answer it is.

use crate::formats::llm::answers::{Named, answer};
use crate::placing::in_context::Answer;
use crate::syntax::json::{Object, first_string, string_end};
use serde_json::Value;

/// What could be read of an answer.
#[derive(Debug, Default)]
pub(super) struct Extract {
    pub(super) mentions: Vec<Named>,
    /// Whether it is a complete JSON value.
    pub(super) is_whole: bool,
}

/// The keys of a surface form, a link, a type and a confidence, in order of trust.
const SURFACES: [&str; 9] = [
    "mention",
    "surface",
    "surface_form",
    "mention_text",
    "entity_mention",
    "span_text",
    "span",
    "text",
    "phrase",
];
const LINKS: [&str; 19] = [
    "entity_id",
    "qid",
    "wikidata_id",
    "wikidata_qid",
    "wikidata",
    "kb_id",
    "id",
    "link",
    "uri",
    "url",
    "iri",
    "wikipedia_title",
    "wikipedia",
    "wikipedia_url",
    "title",
    "entity",
    "linked_entity",
    "entity_name",
    "answer",
];
/// Keys that name the mention where there is another key for the link.
const EITHER: [&str; 3] = ["entity", "entity_name", "name"];
const KINDS: [&str; 4] = ["type", "entity_type", "label", "category"];
const CONFIDENCES: [&str; 3] = ["confidence", "score", "probability"];
/// How many places are tried as the beginning of the JSON.
const TRIES: usize = 50;
/// Mentions are small and flat; anything larger is not one.
const LARGEST: usize = 64 << 10;
const DEEPEST: usize = 8;

impl Extract {
    pub(super) fn read(output: &str) -> Extract {
        let starts = output.match_indices(['[', '{']).map(|(at, _)| at);
        let mut broken = false;
        for start in starts.take(TRIES) {
            let rest = &output[start..];
            match serde_json::Deserializer::from_str(rest).into_iter::<Value>().next() {
                // A single mention after something broken is a part of that.
                Some(Ok(Value::Object(object))) if broken && mention(&object).is_some() => break,
                Some(Ok(value)) => {
                    if let Some(mentions) = in_value(&value) {
                        return Extract { mentions, is_whole: true };
                    }
                }
                // It goes on to the end of the answer, so nothing after is whole.
                Some(Err(error)) if error.is_eof() => break,
                _ => broken = true,
            }
        }
        Extract { mentions: complete_objects(output), is_whole: false }
    }

    /// Whether some mention is linked, or said to be NIL.
    pub(super) fn has_links(&self) -> bool {
        self.mentions.iter().any(|mention| mention.answer != Answer::None)
    }
}

/// The mentions of a value, `None` if it is not a list of them.
fn in_value(value: &Value) -> Option<Vec<Named>> {
    match value {
        Value::Array(items) => {
            let mentions: Option<Vec<Named>> = items.iter().map(in_item).collect();
            mentions.filter(|mentions| !mentions.is_empty() || items.is_empty())
        }
        Value::Object(object) => in_object(object),
        _ => None,
    }
}

/// An object that is a mention, has a list of mentions, or maps surface forms to links.
fn in_object(object: &Object) -> Option<Vec<Named>> {
    if let Some(mention) = mention(object) {
        return Some(vec![mention]);
    }
    let mut lists = object.values().filter(|value| value.is_array());
    if let Some(list) = lists.find_map(in_value) {
        return Some(list);
    }
    let links: Option<Vec<Named>> = object
        .iter()
        .map(|(surface, link)| match link {
            Value::String(id) => Some(named(surface, answer(Some(id)))),
            Value::Null => Some(named(surface, Answer::Nil)),
            _ => None,
        })
        .collect();
    links.filter(|links| !links.is_empty())
}

/// A mention as an object, or as a pair of a surface form and a link.
fn in_item(item: &Value) -> Option<Named> {
    match item {
        Value::Object(object) => mention(object),
        Value::Array(pair) => match pair.as_slice() {
            [Value::String(surface), Value::String(id), ..] => {
                Some(named(surface, answer(Some(id))))
            }
            [Value::String(surface), Value::Null, ..] => Some(named(surface, Answer::Nil)),
            _ => None,
        },
        _ => None,
    }
}

fn mention(object: &Object) -> Option<Named> {
    let text = |keys: &[&'static str]| {
        keys.iter().find_map(|key| Some((*key, object.get(*key)?.as_str()?.to_owned())))
    };
    let surface = text(&SURFACES).or_else(|| {
        text(&EITHER)
            .filter(|(key, _)| LINKS.iter().any(|link| link != key && object.contains_key(*link)))
    });
    let (used, surface) = surface?;
    let link = LINKS.iter().filter(|key| **key != used && object.contains_key(**key));
    let answer = link.clone().find_map(|key| first_string(object, &[*key])).map_or_else(
        || if link.clone().next().is_some() { Answer::Nil } else { Answer::None },
        |id| answer(Some(&id)),
    );
    Some(Named {
        surface,
        answer,
        confidence: CONFIDENCES.iter().find_map(|key| object.get(*key)?.as_f64()),
        kind: text(&KINDS).map(|(_, kind)| kind),
    })
}

fn named(surface: &str, answer: Answer) -> Named {
    Named { surface: surface.to_owned(), answer, confidence: None, kind: None }
}

/// The mentions among the complete objects of broken JSON.
fn complete_objects(output: &str) -> Vec<Named> {
    let bytes = output.as_bytes();
    let mut open: Vec<usize> = Vec::new();
    // Where each begins; what is inside another stands after it, so these numbers only grow.
    let mut found: Vec<(usize, Named)> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => open.push(at),
            b'}' => {
                if let Some(start) = open.pop()
                    && open.len() < DEEPEST
                    && at - start < LARGEST
                    && let Ok(object) = serde_json::from_str::<Object>(&output[start..=at])
                    && let Some(mention) = mention(&object)
                {
                    // What lies inside a mention, candidates for instance, is part of it.
                    while found.last().is_some_and(|&(inside, _)| inside > start) {
                        found.pop();
                    }
                    found.push((start, mention));
                }
            }
            // Quotes in prose are not strings.
            b'"' if !open.is_empty() => match string_end(bytes, at) {
                Some(end) => {
                    at = end;
                    continue;
                }
                None => break,
            },
            _ => {}
        }
        at += 1;
    }
    found.into_iter().map(|(_, mention)| mention).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(output: &str) -> (Vec<String>, bool) {
        let extract = Extract::read(output);
        let shown = extract.mentions.iter().map(|m| format!("{}={:?}", m.surface, m.answer));
        (shown.collect(), extract.is_whole)
    }

    #[test]
    fn mentions_are_found_in_all_shapes() {
        let berlin = vec!["Berlin=Entity(\"Q64\")".to_owned()];
        for output in [
            r#"[{"mention":"Berlin","entity":"Q64"}]"#,
            r#"{"entities":[{"text":"Berlin","wikidata_id":"Q64"}]}"#,
            r#"{"entity":"Berlin","id":"Q64"}"#,
            r#"[{"name":"Berlin","qid":"Q64","start":3}]"#,
            r#"{"Berlin":"Q64"}"#,
            r#"[["Berlin","Q64"]]"#,
            "Of course [1]! ```json\n[{\"mention\": \"Berlin\", \"link\": \"Q64\"}]\n``` Anything else [2]?",
        ] {
            assert_eq!(read(output), (berlin.clone(), true), "{output}");
        }
        assert_eq!(read("[]"), (vec![], true));
        assert_eq!(read("no list"), (vec![], false));
        assert_eq!(read("[1, 2]"), (vec![], false));
        let links = [
            "[{\"mention\":\"a\",\"entity\":null},{\"mention\":\"b\"},{\"mention\":\"c\",\"id\":7},{\"mention\":\"d\",\"id\":\"NIL\"}]",
        ];
        assert_eq!(read(links[0]).0, ["a=Nil", "b=None", "c=Entity(\"7\")", "d=Nil"]);
    }

    #[test]
    fn broken_json_gives_its_complete_mentions() {
        for output in [
            r#"[{"mention":"Berlin","entity":"Q64"},{"mention":"Ro"#,
            r#"{"entities":[{"mention":"Berlin","entity":"Q64","candidates":[{"text":"x","id":"Q1"}]},{"#,
            r#"[{"mention":"Berlin","entity":"Q64"}, {"mention": oops}]"#,
        ] {
            assert_eq!(
                read(output),
                (vec!["Berlin=Entity(\"Q64\")".to_owned()], false),
                "{output}"
            );
        }
    }

    #[test]
    fn many_mentions_of_broken_json_take_no_longer_than_their_text() {
        let many = 100_000;
        let mention = "{\"mention\":\"x\",\"id\":\"Q1\"},";
        assert_eq!(complete_objects(&mention.repeat(many)).len(), many);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn nothing_panics(output in "([\\[\\]{}:,\"\\\\ ]|mention|\"id\":|é|😀){0,60}", any in any::<String>()) {
            Extract::read(&output);
            Extract::read(&any);
        }
    }
}

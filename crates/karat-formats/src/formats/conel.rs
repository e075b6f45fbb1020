//! ConEL: entity linking in conversations, one JSON object per dialogue.

use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{
    InRecord, Object, as_offset, each_record, first_string, objects, string, text,
};
use karat_model::{Features, Link, Restriction, Span, TextIndex};
use serde_json::Value;

/// The format.
#[derive(Debug)]
pub(crate) struct Conel;

const HINT: &str = "each dialogue has `dialogue_id` and `turns`, each turn `turn_number`, `utterance` and, if it was annotated, `el_annotations` with `mention`, `entity` and `span`";
const LINKS: &str = "el_annotations";
/// Annotations that have words and no offsets.
const PERSONAL: [&str; 2] =
    ["personal_entity_annotations", "personal_entity_annotations_without_eems"];

static INFO: Info = Info {
    name: "conel",
    title: "ConEL-22",
    about: "An array of dialogues: `{\"dialogue_id\", \"turns\": [{\"turn_number\", \"speaker\", \"utterance\", \"el_annotations\": \
            [{\"mention\", \"entity\", \"span\": [start, end]}]}]}`. Each turn that was annotated is a document, called `dialogue-turn`; those without \
            `el_annotations`, which are the answers of the system, are not. Personal entities (`my favorite animal`) have no \
            offsets; they are left out and counted. Where they are all that was annotated (files called PEMD), each turn is a document and they are its \
            mentions, without links, found by their words.",
    reference: "informagi/conversational-entity-linking-2022",
    extensions: &["json"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &["speaker"],
        annotation_attributes: &[],
    },
};

impl Format for Conel {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let text = sample.text.trim_start();
        let has = |part: &str| memchr::memmem::find(text.as_bytes(), part.as_bytes()).is_some();
        let is_json = text.starts_with(['[', '{']);
        let is_ours = is_json && has("\"dialogue_id\"") && has("\"turns\"") && has("\"utterance\"");
        if is_ours { 95 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            let content = file.text()?;
            each_record(&content, HINT, reading, |record, dialogue, reading| {
                let Some(id) = string(&dialogue, "dialogue_id") else {
                    let message = "expected a `dialogue_id`";
                    let problem = record.here.problem(Kind::Malformed, message);
                    return reading.report(problem.hint(HINT));
                };
                for (item, turn) in objects(&dialogue, "turns").enumerate() {
                    let read = read_turn(&record, &id, item, turn, reading);
                    reading.accept(read)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }
}

fn read_turn(
    record: &InRecord<'_>,
    dialogue: &str,
    item: usize,
    turn: &Object,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let has = |key: &str| turn.get(key).is_some_and(Value::is_array);
    let is_linked = has(LINKS);
    if !is_linked && !PERSONAL.into_iter().any(has) {
        return Ok(());
    }
    let located = |problem: Problem| record.locate("turns", item, problem);
    let Some(content) = text(turn, "utterance") else {
        let problem = record.here.problem(Kind::Malformed, "expected an `utterance`, a string");
        return Err(located(problem.hint(HINT)));
    };
    let number = first_string(turn, &["turn_number"]).unwrap_or_else(|| item.to_string());
    let name = format!("{dialogue}-{number}");
    let known = reading.corpus.len();
    if !reading.begin_document(record.here, &name, content)? {
        return Ok(());
    }
    // A turn that comes again was described before.
    if reading.corpus.len() > known {
        reading.corpus.document_attribute("speaker", text(turn, "speaker").unwrap_or_default());
    }
    let index = TextIndex::new(content);
    for mention in objects(turn, LINKS) {
        let added = add(record, mention, &index, reading).map_err(located);
        reading.accept(added)?;
    }
    for personal in PERSONAL.iter().flat_map(|key| objects(turn, key)) {
        let words = text(personal, "personal_entity_mention").unwrap_or_default();
        match only_place(&index, words).filter(|_| !is_linked) {
            Some(span) => drop(reading.corpus.annotate(span, Link::NONE)),
            None => {
                let message = format!("the personal entity `{words}` has no place in the text");
                reading.passed_over(record.here.problem(Kind::PassedOver, message));
            }
        }
    }
    Ok(())
}

/// Where words stand, if they stand in one place only.
fn only_place(index: &TextIndex<'_>, words: &str) -> Option<Span> {
    let mut places = index.text().match_indices(words).map(|(at, _)| at);
    let (Some(at), None, false) = (places.next(), places.next(), words.is_empty()) else {
        return None;
    };
    Some(Span::new(index.position_of_byte(at)?, index.position_of_byte(at + words.len())?))
}

fn add(
    record: &InRecord<'_>,
    mention: &Object,
    index: &TextIndex<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let span = mention.get("span").and_then(Value::as_array);
    let ends = span.and_then(|span| match span.as_slice() {
        [start, end] => Some((as_offset(start)?, as_offset(end)?)),
        _ => None,
    });
    let Some((start, end)) = ends else {
        let message = "expected a mention with `span`, two whole numbers";
        return Err(record.here.problem(Kind::Malformed, message).hint(HINT));
    };
    let offsets = reading.offsets(INFO.offsets);
    let placed = record.here.place(index, offsets, start, end, text(mention, "mention"))?;
    let span = reading.placed(placed)?;
    let link = match text(mention, "entity").filter(|entity| !entity.is_empty()) {
        Some(entity) => Link::to(reading.corpus.intern(entity)),
        None => Link::NONE,
    };
    reading.corpus.annotate(span, link);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, testing};

    fn dialogue(turns: &str) -> String {
        format!("[\n{{\"dialogue_id\": \"90\", \"turns\": [\n{turns}\n]}}\n]")
    }

    #[test]
    fn annotated_turns_are_documents() {
        let content = dialogue(
            r#"{"turn_number": 0, "speaker": "USER", "utterance": "😀 e\u0301𝄞 I love hockey!", "el_annotations": [{"mention": "hockey", "entity": "Ice_hockey", "span": [13, 19]}], "personal_entity_annotations": [{"personal_entity_mention": "my sport", "entity": "Ice_hockey"}]},
            {"turn_number": 1, "speaker": "SYSTEM", "utterance": "Which one?"},
            {"turn_number": 2, "speaker": "USER", "utterance": "None.", "el_annotations": []}"#,
        );
        let outcome =
            testing::read(&Conel, &[("v.json", &content)], &ReadOptions::default()).unwrap();
        let names: Vec<_> = outcome.corpus.documents().map(|d| d.name().to_owned()).collect();
        assert_eq!(names, ["90-0", "90-2"]);
        let document = outcome.corpus.document("90-0").unwrap();
        assert_eq!(document.attribute("speaker"), Some("USER"));
        let mention = document.mentions().next().unwrap();
        let found = (mention.span(), mention.surface(), mention.entity());
        assert_eq!(found, (Span::new(13, 19), Some("hockey"), Some("Ice_hockey")));
        assert_eq!(outcome.findings.passed_over_count(), 1);
    }

    #[test]
    fn personal_entities_alone_are_mentions() {
        let content = dialogue(
            r#"{"turn_number": 0, "speaker": "USER", "utterance": "é my diet is my own", "personal_entity_annotations": [{"personal_entity_mention": "my diet"}, {"personal_entity_mention": "my"}]},
            {"turn_number": 1, "speaker": "SYSTEM", "utterance": "Which one?", "personal_entity_annotations": []}"#,
        );
        let outcome =
            testing::read(&Conel, &[("p.json", &content)], &ReadOptions::default()).unwrap();
        assert_eq!(outcome.corpus.len(), 2);
        let document = outcome.corpus.document("90-0").unwrap();
        let found: Vec<_> = document.mentions().map(|m| (m.span(), m.link())).collect();
        assert_eq!(found, [(Span::new(2, 9), Link::NONE)]);
        // `my` stands there twice.
        assert_eq!(outcome.findings.passed_over_count(), 1);
    }

    #[test]
    fn bad_turns_are_located() {
        for (turn, message) in [
            (r#"{"turn_number": 0, "el_annotations": []}"#, "expected an `utterance`, a string"),
            (
                r#"{"turn_number": 0, "utterance": "x", "el_annotations": [{"span": [0]}]}"#,
                "expected a mention with `span`, two whole numbers",
            ),
            (
                r#"{"turn_number": 0, "utterance": "x", "el_annotations": [{"span": [0, 4]}]}"#,
                "offset 0..4 lies outside the text, which has 1 code points",
            ),
        ] {
            let content = dialogue(turn);
            let files = [("v.json", content.as_str())];
            let problem = testing::read_as(&Conel, &files, &ReadOptions::default()).unwrap_err();
            let place = problem.place.unwrap();
            assert_eq!((problem.message.as_str(), place.line, place.column), (message, 3, 1));
            assert_eq!(
                testing::read_as(&Conel, &files, &testing::lenient())
                    .unwrap()
                    .findings
                    .skipped()
                    .len(),
                1
            );
        }
        let problem =
            testing::read_as(&Conel, &[("v", "[{\"turns\": []}]")], &ReadOptions::default());
        assert_eq!(problem.unwrap_err().message, "expected a `dialogue_id`");
    }
}

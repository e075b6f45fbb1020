//! Language-model output: lists of mentions without offsets.

mod extract;

use crate::format::{Format, Info, Offsets, Sample};
use crate::formats::llm::answers::{each_answer, first_output};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use extract::Extract;
use karat_model::{Features, Restriction};

/// The format.
#[derive(Debug)]
pub(crate) struct LlmJson;

/// Keys without which a file that is just a list is not taken for an answer.
const MENTIONS: [&str; 4] = ["mention", "surface", "surface_form", "mention_text"];
/// Keys of formats that have offsets.
const OFFSETS: [&str; 9] = [
    "start",
    "begin",
    "start_char",
    "start_offset",
    "offset",
    "span",
    "position",
    "context_left",
    "document",
];

static INFO: Info = Info {
    name: "llm-json",
    title: "Language-model JSON",
    about: "Lists of mentions without offsets, `[{\"mention\": \"Berlin\", \"entity\": \"Q64\"}, ...]` under any of the usual keys, \
            possibly in a code fence or among prose, as `output` of JSONL lines with `id` and perhaps `text`, or as a file per document. \
            Each surface form is looked for from the last mention on, then in the whole text, then without regard to case; repeated forms are taken from left to right. \
            Mentions found by a different spelling are listed as repaired, mentions not found as skipped, in a strict reading too; \
            of an answer that breaks off, the complete mentions are read. Offsets that a model claims are not trusted and ids are kept as they are.",
    reference: "the custom of prompts for entity linking",
    extensions: &["jsonl", "json", "txt"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::CONFIDENCE)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &[],
    },
};

impl Format for LlmJson {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if let Some(output) = first_output(sample) {
            return if Extract::read(&output).has_links() { 75 } else { 0 };
        }
        let text = sample.text.trim();
        let plain = text.starts_with("```") || text.starts_with('[') || text.starts_with('{');
        let has = |keys: &[&str]| keys.iter().any(|key| text.contains(&format!("\"{key}\"")));
        let listed = plain && has(&MENTIONS) && !has(&OFFSETS);
        if listed && Extract::read(text).has_links() { 60 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        each_answer(files, reading, |output, document| {
            let extract = Extract::read(output);
            match (&extract.mentions[..], extract.is_whole) {
                (_, true) => {}
                ([], false) => document
                    .leave_out(Kind::Malformed, "the answer has no list of mentions".to_owned()),
                (some, false) => {
                    let message = format!(
                        "the answer is not whole JSON; {} of its mentions could be read",
                        some.len()
                    );
                    document.leave_out(Kind::Truncated, message);
                }
            }
            document.place_listed(&extract.mentions)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};
    use karat_model::Span;

    fn read_with(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
        testing::read(&LlmJson, &[("doc7.json", content)], options)
    }

    fn given(name: &str, text: &str) -> ReadOptions {
        testing::given(&[(name, text)])
    }

    #[test]
    fn mentions_are_found_in_order() {
        let record = serde_json::json!({
            "id": "d",
            "text": "😀 𝄞 e\u{301} Berlin, Rome, Berlin and rome",
            "output": "Sure!\n```json\n[{\"mention\":\"Berlin\",\"entity\":\"Q64\",\"confidence\":0.5,\"type\":\"LOC\"},{\"mention\":\"Berlin\",\"entity\":\"Q1\"},{\"mention\":\"Rome\",\"entity\":null},{\"mention\":\"Rome\"},{\"mention\":\"Oslo\",\"entity\":\"Q585\"}]\n```",
        });
        let outcome = read_with(&record.to_string(), &ReadOptions::default()).unwrap();
        let mentions: Vec<_> = outcome.corpus.document("d").unwrap().mentions().collect();
        let spans: Vec<_> = mentions.iter().map(|m| m.span().start).collect();
        assert_eq!(spans, [7, 21, 15, 32]);
        assert_eq!((mentions[0].entity(), mentions[0].confidence()), (Some("Q64"), Some(0.5)));
        assert_eq!(mentions[0].types().next(), Some("LOC"));
        assert!(mentions[2].link().is_nil() && mentions[3].link().is_none());
        let repaired = outcome.findings.repaired();
        assert_eq!(repaired[0].message, "“Rome” of document `d` was placed on “rome” at 32..36");
        assert_eq!(outcome.findings.skipped_counts().get(&Kind::Alignment), Some(&1));
    }

    #[test]
    fn texts_come_from_the_given_documents() {
        let plain = "[{\"surface_form\": \"Rome\", \"qid\": \"Q220\"}]";
        let corpus = read_with(plain, &given("doc7", "in Rome")).unwrap().corpus;
        let mention = corpus.document("doc7").unwrap().mentions().next().unwrap();
        assert_eq!((mention.span(), mention.entity()), (Span::new(3, 7), Some("Q220")));
        let named = "{\"id\": \"d1\", \"entities\": [{\"mention\": \"Rome\", \"id\": \"Q220\"}]}";
        let named = format!("{named}\n{}", named.replace("d1", "d2"));
        let options = testing::given(&[("d1", "in Rome"), ("d2", "Rome")]);
        let corpus = read_with(&named, &options).unwrap().corpus;
        let starts = |name| corpus.document(name).unwrap().mentions().next().unwrap().span().start;
        assert_eq!((starts("d1"), starts("d2")), (3, 0), "the list may stand beside the id");
        let by_position = "{\"output\": [{\"mention\": \"Rome\", \"id\": 220}]}";
        let corpus = read_with(by_position, &given("x", "in Rome")).unwrap().corpus;
        assert_eq!(corpus.document("x").unwrap().mentions().next().unwrap().entity(), Some("220"));
        let problem = read_with(plain, &ReadOptions::default()).unwrap_err();
        assert_eq!(problem.message, "there is no text of document `doc7` to find its mentions in");
    }

    #[test]
    fn broken_answers_do_not_stop_a_reading() {
        let line = |id: &str, output: &str| {
            serde_json::json!({"id": id, "text": "Rome and Bonn", "output": output}).to_string()
        };
        let content = [
            line("a", "[{\"mention\":\"Rome\",\"entity\":\"Q220\"},{\"mention\":\"Bonn\",\"ent"),
            line("b", "I cannot do that."),
            line("c", "[]"),
        ];
        let outcome = read_with(&content.join("\n"), &ReadOptions::default()).unwrap();
        assert_eq!((outcome.corpus.len(), outcome.corpus.annotations().len()), (3, 1));
        let found: Vec<_> = outcome
            .findings
            .skipped()
            .iter()
            .map(|p| (p.message.as_str(), p.place.as_ref().unwrap().line))
            .collect();
        assert_eq!(
            found,
            [
                ("the answer is not whole JSON; 1 of its mentions could be read", 1),
                ("the answer has no list of mentions", 2)
            ]
        );
    }
}

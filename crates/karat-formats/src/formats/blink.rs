//! BLINK: one mention per line with the text to its left and right.

use crate::anchor::Here;
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::in_context::{self, Answer, InContext, document_of, missing};
use crate::problem::Problem;
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{Object, Outline, first_string, string, text};
use crate::syntax::nil::NilWords;
use karat_model::{Features, Restriction};

/// The format.
#[derive(Debug)]
pub(crate) struct Blink;

const HINT: &str =
    "each line is a JSON object with `context_left`, `mention`, `context_right` and `label_id`";
/// How files call what stands before and after a mention: BLINK's own, and others after it.
const LEFT: [&str; 2] = ["context_left", "left_context"];
const RIGHT: [&str; 2] = ["context_right", "right_context"];
/// Where files keep the name of the entity, the most telling first.
const TITLES: [&str; 6] =
    ["label_title", "Wikipedia_title", "wikipedia_title", "entity_title", "title", "answer"];
/// The attribute that keeps the number of the entity.
const LABEL_ID: &str = "label_id";
const NUMBERS: [&str; 3] = ["label_id", "Wikipedia_ID", "wikipedia_id"];

static INFO: Info = Info {
    name: "blink",
    title: "BLINK JSONL",
    about: "One JSON object per mention: `context_left`, `mention`, `context_right`, and `label_id`, often with a title beside it. \
            The link is the title (`label_title`, `Wikipedia_title`) where there is one, else `label_id`; `label` is usually a \
            description of the entity, so it is the link only as a last resort. -1 and `unknown` mean no answer. \
            `left_context` and `right_context` with an `answer`, as NIL_EL has them, are the same. \
            Most files are in lower case and have no offsets; mentions whose ids name the same document (`doc:3`) are put \
            back into one text, all others are documents of their own, named by id or position.",
    reference: "facebookresearch/BLINK, blink/main_dense.py",
    extensions: &["jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &["id", LABEL_ID],
    },
};

impl Format for Blink {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links are titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let outline = Outline::of(sample);
        let has = |keys: &[&str; 2]| keys.iter().any(|key| outline.has(1, key));
        if outline.has(1, "mention") && has(&LEFT) && has(&RIGHT) { 95 } else { 0 }
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
        in_context::read(files, HINT, reading, mention)
    }
}

fn mention(record: &Object, here: Here<'_>) -> Result<InContext, Problem> {
    let part = |keys: &[&str]| {
        let found = keys.iter().find_map(|key| text(record, key));
        found.ok_or_else(|| missing(here, keys.first().unwrap_or(&""), HINT))
    };
    let (left, surface, right) = (part(&LEFT)?, part(&["mention"])?, part(&RIGHT)?);
    let (text, mention) = InContext::joined(left, surface, right);
    let id = first_string(record, &["query_id", "id", "mention_id", "q_id"]).unwrap_or_default();
    let number = first_string(record, &NUMBERS).filter(|n| !n.is_empty() && n != "-1");
    Ok(InContext {
        document: document_of(&id).map(str::to_owned),
        text,
        mention,
        answer: answer(record, number.as_deref()),
        equivalents: Vec::new(),
        attributes: vec![("id", id.clone()), (LABEL_ID, number.unwrap_or_default())],
        id,
    })
}

fn answer(record: &Object, number: Option<&str>) -> Answer {
    let title = first_string(record, &TITLES).filter(|title| !title.is_empty());
    let label = string(record, "label").filter(|label| label != "unknown" && !label.is_empty());
    match title.or_else(|| number.map(str::to_owned)).or(label) {
        None => Answer::None,
        Some(nil) if nil.eq_ignore_ascii_case("nil") => Answer::Nil,
        Some(entity) => Answer::Entity(entity),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};
    use karat_model::Span;

    fn read(content: &str, lenient: bool) -> Result<ReadOutcome, Problem> {
        let options = ReadOptions { lenient, ..ReadOptions::default() };
        testing::read(&Blink, &[("test.jsonl", content)], &options)
    }

    #[test]
    fn the_rows_of_nil_el() {
        let content = concat!(
            r#"{"left_context": "starring ", "right_context": ". It", "mention": "bagavathi", "answer": "Bagavathi", "candidate_title": ["Devi"]}"#,
            "\n",
            r#"{"left_context": "the ", "right_context": " applied", "mention": "state of siege", "answer": "NIL"}"#,
        );
        let corpus = read(content, false).unwrap().corpus;
        let found: Vec<_> = corpus
            .documents()
            .flat_map(|document| document.mentions().collect::<Vec<_>>())
            .map(|m| (m.surface().unwrap(), m.entity(), m.link().is_nil()))
            .collect();
        assert_eq!(
            found,
            [("bagavathi", Some("Bagavathi"), false), ("state of siege", None, true)]
        );
    }

    #[test]
    fn each_line_is_a_mention() {
        let content = concat!(
            r#"{"id":0,"label":"unknown","label_id":-1,"context_left":"","mention":"berlin","context_right":"is large."}"#,
            "\n",
            r#"{"query_id":"d:0","label":"A city in Italy","label_id":25458,"label_title":"Rome","context_left":"𝄞 e\u0301 😀 in ","mention":"rome","context_right":" and ohio"}"#,
            "\n",
            r#"{"query_id":"d:1","label_id":"NIL","context_left":"𝄞 e\u0301 😀 in rome and","mention":"ohio","context_right":""}"#,
            "\n",
            r#"{"label":"Texas","context_left":"","mention":"texas","context_right":""}"#,
            "\n",
        );
        let corpus = read(content, false).unwrap().corpus;
        let names: Vec<_> = corpus.documents().map(|d| d.name()).collect();
        assert_eq!(names, ["0", "d", "3"]);
        let first = corpus.document("0").unwrap();
        assert_eq!(first.text(), Some("berlin is large."));
        assert!(first.mentions().next().unwrap().link().is_none());
        let mentions: Vec<_> = corpus.document("d").unwrap().mentions().collect();
        assert_eq!((mentions[0].span(), mentions[0].entity()), (Span::new(10, 14), Some("Rome")));
        assert_eq!(mentions[0].attribute("label_id"), Some("25458"));
        assert!(mentions[1].link().is_nil());
        assert_eq!(mentions[1].surface(), Some("ohio"));
        let texas = corpus.document("3").unwrap().mentions().next().unwrap();
        assert_eq!(texas.entity(), Some("Texas"));
    }

    #[test]
    fn bad_lines_are_located() {
        let good = r#"{"id":7,"label_id":1,"context_left":"","mention":"a","context_right":""}"#;
        let content = format!("{good}\n{{\"mention\":\"b\"}}\n{good}\n");
        let problem = read(&content, false).unwrap_err();
        assert_eq!(problem.message, "expected a field `context_left` with a string");
        assert_eq!(problem.place.unwrap().line, 2);
        let outcome = read(&content, true).unwrap();
        assert_eq!(outcome.corpus.len(), 1);
        let messages: Vec<_> =
            outcome.findings.skipped().iter().map(|p| p.message.as_str()).collect();
        assert_eq!(messages[1], "document `7` occurs twice");
    }
}

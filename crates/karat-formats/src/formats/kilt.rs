//! KILT: one entity-linking question per line, the mention marked in its context.

use crate::anchor::Here;
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::in_context::{self, Answer, InContext, document_of, missing};
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{Object, Outline, objects, string, text};
use crate::syntax::nil::NilWords;
use karat_model::{Features, Restriction};

/// The format.
#[derive(Debug)]
pub(crate) struct Kilt;

/// The attribute that keeps the page number of the answer.
const WIKIPEDIA_ID: &str = "wikipedia_id";
const START: &str = "[START_ENT]";
const END: &str = "[END_ENT]";
const HINT: &str = "each line is a JSON object with `id`, `input`, `output` and `meta`";

static INFO: Info = Info {
    name: "kilt",
    title: "KILT JSONL",
    about: "One JSON object per mention: `input` has it between [START_ENT] and [END_ENT], `meta` has its whole left and \
            right context, `output[].answer` is the Wikipedia title and `provenance[].wikipedia_id` the page number, kept as an attribute. \
            Mentions whose ids name the same document (`947testa CRICKET:0`) are put back into one text; the contexts are \
            tokens joined by spaces, so this is not the original text, and offsets are counted in it. \
            Several answers are equally right names of the entity; no answer is a mention without one.",
    reference: "facebookresearch/KILT",
    extensions: &["jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::UNLINKED)
            .union(Features::EQUIVALENTS)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &["id", WIKIPEDIA_ID],
    },
};

impl Format for Kilt {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links are titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let outline = Outline::of(sample);
        let linking = outline.has(2, "left_context") || sample.first_line().contains(START);
        match outline.has_all(1, &["id", "input"]) && linking {
            true if outline.has(1, "output") || outline.has(1, "meta") => 95,
            true => 70,
            false => 0,
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
        in_context::read(files, HINT, reading, mention)
    }
}

fn mention(record: &Object, here: Here<'_>) -> Result<InContext, Problem> {
    let id = string(record, "id").ok_or_else(|| missing(here, "id", HINT))?;
    let (left, surface, right) = context(record, here)?;
    let (text, mention) = InContext::joined(left, surface, right);
    let mut answers = objects(record, "output").filter_map(|output| string(output, "answer"));
    let answer = answers.next().map_or(Answer::None, Answer::Entity);
    let mut equivalents: Vec<String> = Vec::new();
    for other in answers {
        if answer != Answer::Entity(other.clone()) && !equivalents.contains(&other) {
            equivalents.push(other);
        }
    }
    let mut provenance = objects(record, "output").flat_map(|output| objects(output, "provenance"));
    let page = provenance.find_map(|page| string(page, WIKIPEDIA_ID)).unwrap_or_default();
    Ok(InContext {
        document: document_of(&id).map(str::to_owned),
        text,
        mention,
        answer,
        equivalents,
        attributes: vec![("id", id.clone()), (WIKIPEDIA_ID, page)],
        id,
    })
}

/// The whole context of `meta`, or the shortened one of `input`.
fn context<'r>(record: &'r Object, here: Here<'_>) -> Result<(&'r str, &'r str, &'r str), Problem> {
    let meta = record.get("meta").and_then(serde_json::Value::as_object);
    if let Some(meta) = meta
        && let (Some(left), Some(mention), Some(right)) =
            (text(meta, "left_context"), text(meta, "mention"), text(meta, "right_context"))
    {
        return Ok((left, mention, right));
    }
    let input = text(record, "input").ok_or_else(|| missing(here, "input", HINT))?;
    let marked = input.split_once(START).and_then(|(left, rest)| {
        let (mention, right) = rest.split_once(END)?;
        Some((left.trim(), mention.trim(), right.trim()))
    });
    marked.ok_or_else(|| {
        let message = format!("expected `{START} mention {END}` in `input`");
        here.problem(Kind::Malformed, message)
            .hint("of the tasks of KILT, karat reads entity linking: AIDA, WNED and their like")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};
    use karat_model::Span;

    fn read(content: &str, lenient: bool) -> Result<ReadOutcome, Problem> {
        let options = ReadOptions { lenient, ..ReadOptions::default() };
        testing::read(&Kilt, &[("dev.jsonl", content)], &options)
    }

    fn line(id: &str, left: &str, mention: &str, right: &str, title: &str) -> String {
        serde_json::json!({
            "id": id,
            "input": format!("{left} {START} {mention} {END} {right}"),
            "output": [{"answer": title, "provenance": [{"wikipedia_id": "3354", "title": title}]}],
            "meta": {"left_context": left, "mention": mention, "right_context": right},
        })
        .to_string()
            + "\n"
    }

    #[test]
    fn mentions_of_a_document_share_its_text() {
        let content = line("1 EU:0", "", "Berlin 😀", "met e\u{301} 𝄞 Rome .", "Berlin")
            + &line("2 US:0", "in", "Ohio", "", "Ohio")
            + &line("1 EU:1", "Berlin 😀 met e\u{301} 𝄞", "Rome", ".", "Rome");
        let corpus = read(&content, false).unwrap().corpus;
        assert_eq!(corpus.len(), 2);
        let document = corpus.document("1 EU").unwrap();
        assert_eq!(document.text(), Some("Berlin 😀 met e\u{301} 𝄞 Rome ."));
        let mentions: Vec<_> = document.mentions().collect();
        assert_eq!((mentions[0].span(), mentions[0].entity()), (Span::new(0, 8), Some("Berlin")));
        assert_eq!((mentions[1].span(), mentions[1].surface()), (Span::new(18, 22), Some("Rome")));
        assert_eq!(mentions[1].attribute("wikipedia_id"), Some("3354"));
        assert_eq!(mentions[1].attribute("id"), Some("1 EU:1"));
    }

    #[test]
    fn contexts_that_were_cut_are_placed_or_stand_alone() {
        let content = line("d:0", "a b c", "Rome", "d e f", "Rome")
            + &line("d:1", "c Rome", "d", "e", "D")
            + &line("d:2", "other", "words", "", "W")
            + &line("d:3", "", "x", "x", "X");
        let corpus = read(&content, false).unwrap().corpus;
        let names: Vec<_> = corpus.documents().map(|d| d.name()).collect();
        assert_eq!(names, ["d", "d:2", "d:3"]);
        let spans: Vec<_> = corpus.document("d").unwrap().mentions().map(|m| m.span()).collect();
        assert_eq!(spans, [Span::new(6, 10), Span::new(11, 12)]);
        assert_eq!(corpus.document("d:2").unwrap().text(), Some("other words"));
    }

    #[test]
    fn without_answers_and_without_meta() {
        let content = format!("{{\"id\":\"t:0\",\"input\":\"in {START} Bonn {END} now\"}}\n");
        let corpus = read(&content, false).unwrap().corpus;
        let mention = corpus.document("t").unwrap().mentions().next().unwrap();
        assert_eq!(mention.surface(), Some("Bonn"));
        assert!(mention.link().is_none());
    }

    #[test]
    fn several_answers_are_equally_right() {
        let content = r#"{"id":"t:0","input":"","output":[{"answer":"A"},{"answer":"B"},{"answer":"A"}],"meta":{"left_context":"","mention":"m","right_context":""}}"#;
        let corpus = read(content, false).unwrap().corpus;
        let mention = corpus.document("t").unwrap().mentions().next().unwrap();
        assert_eq!(
            (mention.entity(), mention.equivalents().collect::<Vec<_>>()),
            (Some("A"), vec!["B"])
        );
    }

    #[test]
    fn bad_lines_are_located() {
        let good = line("d:0", "", "Rome", "", "Rome");
        for (bad, message) in [
            (
                "{\"id\":\"d:1\",\"input\":\"who?\"}\n",
                "expected `[START_ENT] mention [END_ENT]` in `input`",
            ),
            ("{\"input\":\"\"}\n", "expected a field `id` with a string"),
            ("[]\n", "bad JSON: invalid type: sequence, expected a map"),
        ] {
            let content = format!("{good}{bad}");
            let problem = read(&content, false).unwrap_err();
            assert_eq!((problem.message.as_str(), problem.place.unwrap().line), (message, 2));
            assert!(problem.hint.is_some());
            let outcome = read(&content, true).unwrap();
            assert_eq!(
                (outcome.corpus.annotations().len(), outcome.findings.skipped().len()),
                (1, 1)
            );
        }
    }
}

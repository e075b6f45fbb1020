//! Language-model output: the text with its mentions marked in it.

mod parse;

use crate::format::{Format, Info, Offsets, Sample};
use crate::formats::llm::answers::{each_answer, first_output};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use karat_model::{Features, Restriction};
use parse::Marked;

/// The format.
#[derive(Debug)]
pub(crate) struct LlmMarkup;

static INFO: Info = Info {
    name: "llm-markup",
    title: "Language-model markup",
    about: "Text in which a model marked the mentions: `[Berlin](Q64)` or `<e id=\"Q64\">Berlin</e>` (also `entity`, `uri` and the like), \
            as `output` of JSONL lines with `id` and perhaps `text`, or as a file per document. With the true text at hand the \
            marked text is compared with it word by word, so that what the model dropped or changed does not shift the rest. \
            Mentions that are placed on other words are listed as repaired, mentions that cannot be placed as skipped, in a strict reading too. \
            Ids are kept as they are, real or not; a model's NIL, null or unknown is NIL.",
    reference: "the custom of prompts for entity linking",
    extensions: &["jsonl", "txt", "md"],
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
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &[],
    },
};

impl Format for LlmMarkup {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if let Some(output) = first_output(sample) {
            return if Marked::read(&output).has_entities() { 75 } else { 0 };
        }
        let text = sample.text.trim_start();
        let has_marks = text.contains("](") || text.contains("</");
        if !has_marks || text.starts_with('{') || text.starts_with("[{") {
            return 0;
        }
        let marked = Marked::read(text);
        let is_xml = text.starts_with("<?") || text.starts_with("<!") || marked.text.contains("</");
        if marked.has_knowledge_base_ids() && !is_xml { 55 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        each_answer(files, reading, |output, document| {
            let marked = Marked::read(output);
            let marks =
                |count| if count == 1 { "1 mark is".into() } else { format!("{count} marks are") };
            if marked.unclosed > 0 {
                let message =
                    format!("{} not closed; the answer may be cut off", marks(marked.unclosed));
                document.leave_out(Kind::Truncated, message);
            }
            if marked.empty > 0 {
                let message =
                    format!("{} empty and say nothing about the text", marks(marked.empty));
                document.leave_out(Kind::Malformed, message);
            }
            document.place_marked(&marked.text, &marked.mentions);
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};
    use karat_model::Span;

    fn read(name: &str, content: &str) -> Result<ReadOutcome, Problem> {
        testing::read(&LlmMarkup, &[(name, content)], &ReadOptions::default())
    }

    fn record(text: &str, output: &str) -> String {
        serde_json::json!({"id": "d", "text": text, "output": output}).to_string()
    }

    /// The surface forms and links of a record, and how many were repaired and skipped.
    fn aligned(text: &str, output: &str) -> (Vec<String>, usize, usize) {
        let outcome = read("a.jsonl", &record(text, output)).unwrap();
        let document = outcome.corpus.document("d").unwrap();
        assert_eq!(document.text(), Some(text));
        let mentions = document.mentions();
        let shown = mentions.map(|m| {
            format!("{}@{}={}", m.surface().unwrap(), m.span().start, m.entity().unwrap_or("NIL"))
        });
        (shown.collect(), outcome.findings.repaired().len(), outcome.findings.skipped().len())
    }

    #[test]
    fn a_faithful_copy() {
        let text = "😀 𝄞 e\u{301} Berlin and Rome (city)";
        let output = "😀 𝄞 e\u{301} [Berlin](Q64) and <entity uri='Rome_(x)'>Rome</entity> (city)";
        assert_eq!(
            aligned(text, output),
            (vec!["Berlin@7=Q64".into(), "Rome@18=Rome_(x)".into()], 0, 0)
        );
    }

    #[test]
    fn edits_do_not_shift_offsets() {
        let text = "In the  old “town” of Bejing, Ann met Bob. Later, in Berlin, Ann left; Berlin was cold.";
        let output = "Here you go:\n```\nIn the old \"town\" of [Beijing](Q956), [Ann](Q1) met Bob. In Berlin, Ann left; [berlin](Q64) was cold.\n```";
        let (mentions, repaired, skipped) = aligned(text, output);
        let second_berlin = text.rfind("Berlin").unwrap() - 4;
        assert_eq!(
            mentions,
            [
                "Bejing@22=Q956".to_owned(),
                "Ann@30=Q1".into(),
                format!("Berlin@{second_berlin}=Q64")
            ]
        );
        assert_eq!((repaired, skipped), (2, 0));
    }

    #[test]
    fn what_is_not_in_the_text_is_listed_even_in_a_strict_reading() {
        let outcome = read(
            "a.jsonl",
            &record("Rome is old.", "[Rome](Q220) is old, says [Zorro](Q7) of [Rome](Q220)."),
        )
        .unwrap();
        assert_eq!(outcome.corpus.annotations().len(), 1);
        let counts = outcome.findings.skipped_counts();
        assert_eq!(counts.get(&Kind::Alignment), Some(&2));
        let first = &outcome.findings.skipped()[0];
        assert_eq!(
            first.message,
            "“Zorro” is not in the text of document `d`, or not as often as the answer has it"
        );
        assert_eq!(first.place.as_ref().unwrap().line, 1);
    }

    #[test]
    fn a_cut_answer_gives_what_it_has() {
        let (mentions, _, skipped) =
            aligned("Rome, Bonn and Kiel", "[Rome](Q220), <e id=\"Q586\">Bonn</e> and <e id=\"Q17");
        assert_eq!((mentions.len(), skipped), (2, 1));
        let (mentions, _, skipped) =
            aligned("Rome, Bonn and Kiel", "[Rome](Q220), <e id=\"Q586\">Bonn and");
        assert_eq!((mentions.len(), skipped), (1, 1));
    }

    #[test]
    fn a_plain_file_is_its_own_text() {
        let outcome =
            read("dir/doc7.txt", "Ann went to [New York](Q60) and <e id=\"NIL\">Zog</e>.").unwrap();
        let document = outcome.corpus.document("doc7").unwrap();
        assert_eq!(document.text(), Some("Ann went to New York and Zog."));
        let mentions: Vec<_> = document.mentions().collect();
        assert_eq!((mentions[0].span(), mentions[0].entity()), (Span::new(12, 20), Some("Q60")));
        assert!(mentions[1].link().is_nil());
    }

    #[test]
    fn bad_lines_are_located() {
        let good = record("Rome", "[Rome](Q220)");
        for (bad, message) in [
            ("{\"id\":\"e\"}", "expected a field `output` with the answer of the model"),
            ("{\"id\":", "the JSON ends too early, inside a value"),
            (good.as_str(), "document `d` occurs twice"),
        ] {
            let problem = read("a.jsonl", &format!("{good}\n{bad}\n")).unwrap_err();
            assert_eq!((problem.message.as_str(), problem.place.unwrap().line), (message, 2));
        }
    }
}

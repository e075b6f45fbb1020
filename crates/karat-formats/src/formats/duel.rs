//! DuEL and the entity linking tasks of CCKS: short Chinese texts with `mention_data`.

use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{
    InRecord, Object, Outline, each_record, first_string, objects, offset, string, text,
};
use karat_model::{Features, Link, Restriction, TextIndex};

/// The format.
#[derive(Debug)]
pub(crate) struct Duel;

const MENTIONS: &str = "mention_data";
const HINT: &str =
    "each line has `text_id`, `text` and `mention_data` with `mention`, `offset` and `kb_id`";
/// What stands before the type of an entity that is not in the knowledge base.
const TYPED_NIL: &str = "NIL_";

static INFO: Info = Info {
    name: "duel",
    title: "DuEL and CCKS",
    about: "One JSON object per text: `{\"text_id\", \"text\", \"mention_data\": [{\"kb_id\", \"mention\", \"offset\"}]}`, where `offset` is the \
            first character, usually as a string, and the end follows from the mention. `NIL` is NIL, and `NIL_Person` of \
            DuEL 2.0 is NIL with the type `Person`; without a `kb_id`, as in its test files, a mention has no answer.",
    reference: "CCKS 2019 and 2020, entity linking for Chinese short texts; Baidu DuEL 2.0",
    extensions: &["json", "jsonl"],
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

impl Format for Duel {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let outline = Outline::of_first(sample);
        if outline.has_all(1, &["text", MENTIONS]) { 95 } else { 0 }
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
        let mut number = 0;
        for file in files {
            let content = file.text()?;
            each_record(&content, HINT, reading, |record, object, reading| {
                number += 1;
                let read = read_document(&record, &object, number - 1, reading);
                reading.accept(read).map(|_| ())
            })?;
        }
        Ok(())
    }
}

fn read_document(
    record: &InRecord<'_>,
    object: &Object,
    number: usize,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let Some(content) = text(object, "text") else {
        let message = "expected a field `text` with a string";
        return Err(record.here.problem(Kind::Malformed, message).hint(HINT));
    };
    let name = first_string(object, &["text_id", "id"]).unwrap_or_else(|| number.to_string());
    if !reading.begin_document(record.here, &name, content)? {
        return Ok(());
    }
    let index = TextIndex::new(content);
    for (item, mention) in objects(object, MENTIONS).enumerate() {
        let added = add(record, mention, item, &index, reading);
        reading.accept(added)?;
    }
    Ok(())
}

fn add(
    record: &InRecord<'_>,
    mention: &Object,
    item: usize,
    index: &TextIndex<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let located = |problem: Problem| record.locate(MENTIONS, item, problem);
    let missing = |what: &str| {
        let message = format!("expected a mention with {what}");
        located(record.here.problem(Kind::Malformed, message).hint(HINT))
    };
    let surface = text(mention, "mention").ok_or_else(|| missing("`mention`, a string"))?;
    let start = offset(mention, "offset").ok_or_else(|| missing("`offset`, a whole number"))?;
    let offsets = Offsets { end: INFO.offsets.end, ..reading.unit(INFO.offsets) };
    let end = start.saturating_add(offsets.length_of(surface));
    let placed = record.here.place(index, offsets, start, end, Some(surface)).map_err(located)?;
    let span = reading.placed(placed.located(located))?;
    let id = string(mention, "kb_id");
    let (link, kind) = match id.as_deref() {
        None | Some("") => (Link::NONE, None),
        Some("NIL") => (Link::NIL, None),
        Some(id) => match id.strip_prefix(TYPED_NIL) {
            Some(kind) => (Link::NIL, Some(kind)),
            None => (Link::to(reading.corpus.intern(id)), None),
        },
    };
    reading.corpus.annotate(span, link).types(kind.filter(|kind| !kind.is_empty()));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, testing};

    const SAMPLE: &str = concat!(
        r#"{"text_id": "7", "text": "😀 在北京看𝄞海军e\u0301展", "mention_data": [{"kb_id": "311223", "mention": "北京", "offset": "3"}, {"kb_id": "NIL_Work", "mention": "海军", "offset": "7"}, {"mention": "e\u0301", "offset": 9}, {"kb_id": "NIL", "mention": "看", "offset": "5"}]}"#,
        "\n",
        r#"{"text_id": "8", "text": "无", "mention_data": []}"#,
        "\n"
    );

    #[test]
    fn ends_follow_from_the_words() {
        let outcome = testing::read(&Duel, &[("train.json", SAMPLE)], &ReadOptions::default());
        let corpus = outcome.unwrap().corpus;
        let found: Vec<_> = corpus
            .document("7")
            .unwrap()
            .mentions()
            .map(|m| {
                let link = m.entity().unwrap_or(if m.link().is_nil() { "NIL" } else { "-" });
                (m.span().start, m.surface().unwrap(), link, m.types().next())
            })
            .collect();
        let expected = [
            (3, "北京", "311223", None),
            (7, "海军", "NIL", Some("Work")),
            (9, "e\u{301}", "-", None),
            (5, "看", "NIL", None),
        ];
        assert_eq!(found, expected);
        assert_eq!(corpus.document("8").unwrap().mentions().len(), 0);
    }

    #[test]
    fn bad_mentions_are_located() {
        for (record, message, column) in [
            (r#"{"text": 3, "mention_data": []}"#, "expected a field `text` with a string", 1),
            (
                r#"{"text": "北京", "mention_data": [{"mention": "北京"}]}"#,
                "expected a mention with `offset`, a whole number",
                33,
            ),
            (
                r#"{"text": "北京", "mention_data": [{"offset": "x", "mention": "北"}]}"#,
                "expected a mention with `offset`, a whole number",
                33,
            ),
            (
                r#"{"text": "北京", "mention_data": [{"offset": "7", "mention": "北"}]}"#,
                "offset 7..8 lies outside the text, which has 2 code points",
                33,
            ),
        ] {
            let content = format!("{SAMPLE}{record}\n");
            let files = [("train.json", content.as_str())];
            let problem = testing::read(&Duel, &files, &ReadOptions::default()).unwrap_err();
            let place = problem.place.unwrap();
            let found = (problem.message.as_str(), place.line, place.column);
            assert_eq!(found, (message, 3, column));
            assert!(problem.hint.is_some());
            let lenient = testing::read(&Duel, &files, &testing::lenient()).unwrap();
            assert_eq!(lenient.findings.skipped().len(), 1);
        }
    }
}

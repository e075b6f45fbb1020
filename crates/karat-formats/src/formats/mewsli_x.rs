//! Mewsli-X: the mentions of a text, or one of them, as JSON lines.

use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::given_documents::{Given, span};
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{
    InRecord, Object, Outline, as_offset, each_record, objects, offset, string, text,
};
use karat_model::{Features, Link, MarkKind, Restriction, Span, TextIndex, attribute};

/// The format.
#[derive(Debug)]
pub(crate) struct MewsliX;

const HINT: &str = "each line has `context` with `document_id` and `text`, and `mentions` (or one `mention`) with `mention_span` and `entity_id`";
/// Fields of a context that are kept, and under which name.
const FACTS: [(&str, &str); 4] = [
    ("document_title", attribute::TITLE),
    ("document_url", attribute::URL),
    ("language", attribute::LANGUAGE),
    ("section_title", "section"),
];

static INFO: Info = Info {
    name: "mewsli-x",
    title: "Mewsli-X",
    about: "One JSON object per line: `{\"context\": {\"document_id\", \"text\", \"language\", \"sentence_spans\"}, \"mentions\": \
            [{\"example_id\", \"mention_span\": {\"start\", \"end\", \"text\"}, \"entity_id\"}]}`, or one `mention` of its context. Offsets are \
            code points. Files as they are distributed have empty texts, which a script restores: without it, or `documents`, mentions keep \
            their surface form. Of the metadata, the frequency bin (`bin_name`) is kept.",
    reference: "google-research/google-research, dense_representations_for_entity_retrieval/mel/mewsli-x.md",
    extensions: &["jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: false,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::SENTENCES)
            .union(Features::UNLINKED)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &["title", "url", "language", "section"],
        annotation_attributes: &["id", "bin_name", "surface"],
    },
};

impl Format for MewsliX {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let outline = Outline::of_first(sample);
        let has_mentions = outline.has(1, "mentions") || outline.has(1, "mention");
        // Of a long text nothing may be in the sample but its beginning.
        let is_context = outline.has(1, "context") && outline.has_all(2, &["document_id"]);
        match (is_context, has_mentions) {
            (true, true) => 95,
            (true, false) if !sample.complete => 80,
            (false, true) if outline.has(1, "context") && outline.has_any("mention_span") => 60,
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
        let given = Given::new(reading.options);
        for file in files {
            let content = file.text()?;
            each_record(&content, HINT, reading, |record, object, reading| {
                let read = read_context(&record, &object, &given, reading);
                reading.accept(read).map(|_| ())
            })?;
        }
        Ok(())
    }
}

fn read_context(
    record: &InRecord<'_>,
    object: &Object,
    given: &Given<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let context = object.get("context").and_then(|value| value.as_object());
    let name = context.and_then(|context| string(context, "document_id"));
    let (Some(context), Some(name)) = (context, name) else {
        let message = "expected `context` with a `document_id`";
        return Err(record.here.problem(Kind::Malformed, message).hint(HINT));
    };
    let own = text(context, "text").filter(|text| !text.is_empty());
    if !begin(record, context, &name, own, given, reading)? {
        return Ok(());
    }
    // Copied out, because annotations are added to the corpus while the text is looked at.
    let content = reading.corpus.text().map(str::to_owned);
    let index = content.as_deref().map(TextIndex::new);
    let single = object.get("mention").and_then(|mention| mention.as_object());
    if let Some(mention) = single {
        let added = add(record, mention, None, index.as_ref(), reading);
        reading.accept(added)?;
    }
    for (item, mention) in objects(object, "mentions").enumerate() {
        let added = add(record, mention, Some(item), index.as_ref(), reading);
        reading.accept(added)?;
    }
    Ok(())
}

/// Starts a document, or goes on with it: one mention per line means many lines per document.
fn begin(
    record: &InRecord<'_>,
    context: &Object,
    name: &str,
    own: Option<&str>,
    given: &Given<'_>,
    reading: &mut Reading<'_>,
) -> Result<bool, Problem> {
    reading.names(name, |kind, message| record.here.problem(kind, message));
    let known = reading.corpus.len();
    reading.corpus.continue_document(name);
    if reading.corpus.len() == known {
        if own.is_some() && reading.corpus.text() != own {
            return reading.begin_document(record.here, name, own.unwrap_or_default());
        }
        return Ok(true);
    }
    let content = own.or_else(|| given.text_of(name));
    if let Some(content) = content {
        reading.corpus.set_text(content);
    }
    for (key, name) in FACTS {
        if let Some(value) = text(context, key).filter(|value| !value.is_empty()) {
            reading.corpus.document_attribute(name, value);
        }
    }
    if let Some(index) = content.map(TextIndex::new) {
        for sentence in objects(context, "sentence_spans") {
            if let (Some(start), Some(end)) = (offset(sentence, "start"), offset(sentence, "end"))
                && let Ok(span) = record.here.anchor(&index, Offsets::CODE_POINTS, start, end, None)
            {
                reading.corpus.mark(MarkKind::Sentence, span, "");
            }
        }
    }
    Ok(true)
}

fn add(
    record: &InRecord<'_>,
    mention: &Object,
    item: Option<usize>,
    index: Option<&TextIndex<'_>>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let located = |problem: Problem| match item {
        Some(item) => record.locate("mentions", item, problem),
        None => problem,
    };
    let place = mention.get("mention_span").and_then(|span| span.as_object());
    let number = |key: &str| place.and_then(|place| place.get(key)).and_then(as_offset);
    let (Some(start), Some(end)) = (number("start"), number("end")) else {
        let message = "expected a `mention_span` with `start` and `end`, which are whole numbers";
        return Err(located(record.here.problem(Kind::Malformed, message).hint(HINT)));
    };
    let surface = place.and_then(|place| text(place, "text")).filter(|text| !text.is_empty());
    let offsets = reading.offsets(INFO.offsets);
    let span: Result<Span, Problem> =
        span(index, offsets, (start, end), surface, record.here, reading);
    let span = span.map_err(located)?;
    let link = match string(mention, "entity_id").filter(|id| !id.is_empty()) {
        Some(entity) => Link::to(reading.corpus.intern(&entity)),
        None => Link::NONE,
    };
    let metadata = mention.get("metadata").and_then(|metadata| metadata.as_object());
    let bin = metadata.and_then(|metadata| text(metadata, "bin_name"));
    let mut annotation = reading.corpus.annotate(span, link);
    let id = text(mention, "example_id");
    // Without a text, this is all that is known of the words.
    let surface = surface.filter(|_| index.is_none());
    for (key, value) in [(attribute::ID, id), ("bin_name", bin), (attribute::SURFACE, surface)] {
        if let Some(value) = value {
            annotation = annotation.attribute(key, value);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};

    fn context(id: &str, text: &str, mentions: &str) -> String {
        format!(
            r#"{{"context": {{"document_title": "T", "document_url": "https://x", "document_id": "{id}", "language": "en", "text": "{text}", "sentence_spans": [{{"start": 0, "end": 6}}]}}, {mentions}}}"#
        )
    }

    fn mention(start: u32, end: u32, words: &str) -> String {
        format!(
            r#"{{"example_id": "c7", "mention_span": {{"start": {start}, "end": {end}, "text": "{words}"}}, "entity_id": "Q220", "metadata": {{"curid": "3", "bin_name": "bin04"}}}}"#
        )
    }

    fn read(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
        testing::read(&MewsliX, &[("m.jsonl", content)], options)
    }

    #[test]
    fn a_context_has_mentions_or_is_repeated_for_each() {
        let text = "😀 e\\u0301𝄞. Rome, Rome";
        let lines = [
            context("en-1", text, &format!(r#""mentions": [{}]"#, mention(7, 11, "Rome"))),
            context("en-2", text, &format!(r#""mention": {}"#, mention(7, 11, "Rome"))),
            context("en-2", text, &format!(r#""mention": {}"#, mention(13, 17, "Rome"))),
        ];
        let outcome = read(&lines.join("\n"), &ReadOptions::default()).unwrap();
        assert!(outcome.findings.is_empty());
        let document = outcome.corpus.document("en-1").unwrap();
        assert_eq!((document.attribute("title"), document.language()), (Some("T"), Some("en")));
        assert_eq!(document.marks_of(MarkKind::Sentence).count(), 1);
        let first = document.mentions().next().unwrap();
        assert_eq!((first.surface(), first.entity()), (Some("Rome"), Some("Q220")));
        assert_eq!(
            (first.attribute("id"), first.attribute("bin_name")),
            (Some("c7"), Some("bin04"))
        );
        let spans: Vec<_> =
            outcome.corpus.document("en-2").unwrap().mentions().map(|m| m.span().start).collect();
        assert_eq!(spans, [7, 13]);
    }

    #[test]
    fn texts_may_be_empty() {
        let line = context("en-1", "", &format!(r#""mentions": [{}]"#, mention(3, 7, "Rome")));
        let outcome = read(&line, &ReadOptions::default()).unwrap();
        let found = outcome.corpus.document("en-1").unwrap().mentions().next().unwrap();
        assert_eq!((found.span(), found.surface()), (Span::new(3, 7), Some("Rome")));
        let outcome = read(&line, &testing::given(&[("en-1", "in Rome")])).unwrap();
        assert_eq!(outcome.corpus.document("en-1").unwrap().text(), Some("in Rome"));
    }

    #[test]
    fn bad_lines_are_located() {
        let good = context("en-1", "Rome", r#""mentions": []"#);
        for (line, message, column) in [
            (r#"{"context": {}, "mentions": []}"#.to_owned(), "expected `context` with a `document_id`", 1),
            (
                r#"{"context": {"document_id": "b", "text": "x"}, "mentions": [{"mention_span": {"start": 0}}]}"#.to_owned(),
                "expected a `mention_span` with `start` and `end`, which are whole numbers",
                61,
            ),
            (
                r#"{"context": {"document_id": "b", "text": "x"}, "mentions": [{"mention_span": {"start": 0, "end": 9}}]}"#.to_owned(),
                "offset 0..9 lies outside the text, which has 1 code points",
                61,
            ),
        ] {
            let content = format!("{good}\n{line}\n");
            let problem = read(&content, &ReadOptions::default()).unwrap_err();
            let place = problem.place.unwrap();
            assert_eq!((problem.message.as_str(), place.line, place.column), (message, 2, column));
            assert_eq!(read(&content, &testing::lenient()).unwrap().findings.skipped().len(), 1);
        }
    }
}

//! ELEVANT's simple JSONL: one line per document, gold with text or predictions without.

use crate::anchor::Here;
use crate::block::{at_line_ends, in_blocks};
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::source::{Source, Text};
use crate::syntax::json::{Borrowed, Scalar, write_line};
use crate::syntax::numbered::RecordNumbers;
use karat_model::{
    Corpus, CorpusBuilder, Document, End, Features, Flags, Link, Mention, Repeated, Restriction,
    Span, TextIndex, attribute,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The format.
#[derive(Debug)]
pub(crate) struct SimpleJsonl;

static INFO: Info = Info {
    name: "simple-jsonl",
    title: "ELEVANT simple JSONL",
    about: "One JSON object per document: `{\"text\", \"title\", \"labels\": [{\"entity_reference\", \"start_char\", \"end_char\", \
            \"coref\"}]}` for gold and `{\"predictions\": [{\"entity_reference\", \"start_char\", \"end_char\", \"candidates\"}]}` for \
            a system. Documents have no names: line by line they are those of the benchmark, so give it as `documents`, or \
            they are called 0, 1, 2 and so on; an `id`, which karat writes for any other name, is taken first. \
            References are kept as they are; an empty one, `NIL`, `<NIL>`, `<unk>` and `.../notInWiki/...` are NIL.",
    reference: "github.com/ad-freiburg/elevant, docs/benchmark_format.md and docs/predictions_format.md",
    extensions: &["simple.jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::NIL)
            .union(Features::CANDIDATES)
            .union(Features::UNRANKED_CANDIDATES)
            .union(Features::COREFERENCE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &[attribute::TITLE],
        annotation_attributes: &[],
    },
};

/// References that mean NIL.
const NIL: [&str; 5] = ["", "NIL", "<NIL>", "<unk>", "<NO_MAPPING>"];

#[derive(Debug, Deserialize)]
struct Line<'t> {
    #[serde(borrow, default)]
    id: Scalar<'t>,
    #[serde(borrow, default)]
    title: Option<Borrowed<'t>>,
    #[serde(borrow, default)]
    text: Option<Borrowed<'t>>,
    #[serde(borrow, default)]
    labels: Option<Vec<Item<'t>>>,
    #[serde(borrow, default)]
    predictions: Option<Vec<Item<'t>>>,
}

#[derive(Debug, Deserialize)]
struct Item<'t> {
    #[serde(borrow)]
    entity_reference: Scalar<'t>,
    start_char: u64,
    end_char: u64,
    #[serde(default)]
    coref: Option<bool>,
    #[serde(borrow, default)]
    candidates: Option<Vec<Scalar<'t>>>,
}

impl Format for SimpleJsonl {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let first = sample.first_line().trim_start();
        let ours = |line: &str| {
            line.contains("\"entity_reference\"")
                && line.contains("\"start_char\"")
                && (line.contains("\"labels\"") || line.contains("\"predictions\""))
        };
        match first.starts_with('{') {
            false => 0,
            true if ours(first) => 95,
            // The first documents may have no annotations.
            true if sample.text.lines().take(50).any(ours) => 80,
            true if first.replace(' ', "").starts_with("{\"predictions\":[]") => 50,
            true => 0,
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
        let known = Known::new(reading.options);
        // Several files are counted through, as ELEVANT does.
        let mut numbers = RecordNumbers::default();
        for file in files {
            numbers.begin_file();
            in_blocks(file, at_line_ends, Repeated::Refuse, reading, |text, reading| {
                for (number, line) in numbers.lines(text) {
                    let document = read_line(text, line, number, &known, reading);
                    reading.accept(document)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            for document in corpus.documents() {
                write_line(out, &written_line(&document)?)?;
            }
            Ok(())
        })
    }
}

/// The documents that the user gave, if there are any.
struct Known<'d>(Option<&'d Corpus>);

impl<'d> Known<'d> {
    fn new(options: &'d ReadOptions) -> Known<'d> {
        Known(options.documents.as_deref())
    }

    /// The name of a line's document, and its text where it is known.
    fn find<'l>(
        &'l self,
        line: &'l Line<'_>,
        number: u64,
    ) -> Option<(Cow<'l, str>, Option<&'l str>)> {
        let name = match &line.id {
            Scalar::Text(id) => Cow::Borrowed(&**id),
            Scalar::Number(id) => Cow::Owned(id.to_string()),
            Scalar::Absent | Scalar::Null => match self.0 {
                Some(given) => {
                    Cow::Borrowed(given.document_at(usize::try_from(number).ok()?)?.name())
                }
                None => Cow::Owned(number.to_string()),
            },
        };
        // The text of the benchmark is there to check offsets. It is not taken over: the file
        // itself has none.
        let text = match (line.text.as_deref(), self.0) {
            (Some(text), _) => Some(text),
            (None, Some(given)) => given.document(&name)?.text(),
            (None, None) => None,
        };
        Some((name, text))
    }
}

fn read_line(
    text: &Text<'_>,
    line: &str,
    number: u64,
    known: &Known<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let parsed: Line<'_> = serde_json::from_str(line).map_err(|error| {
        text.json_problem(line, &error).hint(
            "each annotation has `entity_reference`, `start_char` and `end_char`, which are whole numbers",
        )
    })?;
    let here = Here { text, at: text.offset_of(line), len: 1 };
    // Either list may be empty, but a line with neither is of another format or damaged.
    if parsed.labels.is_none() && parsed.predictions.is_none() {
        let message = "expected `labels` with `text`, or `predictions`";
        return Err(here
            .problem(Kind::Malformed, message)
            .hint("a document without annotations has an empty list"));
    }
    let Some((name, content)) = known.find(&parsed, number) else {
        let message = format!("line {} belongs to no document of the benchmark", number + 1);
        let hint = format!(
            "the benchmark has {} documents; line by line they must be the same",
            known.0.map_or(0, Corpus::len)
        );
        return Err(here.problem(Kind::UnknownDocument, message).hint(hint));
    };
    here.begin_document(&name, &mut reading.corpus)?;
    if let Some(text) = &parsed.text {
        reading.corpus.set_text(text);
    }
    reading
        .corpus
        .document_attribute(attribute::TITLE, parsed.title.as_deref().unwrap_or_default());
    let index = content.map(TextIndex::new);
    for item in parsed.labels.iter().chain(&parsed.predictions).flatten() {
        let span = item.span(here, index.as_ref(), reading.offsets(INFO.offsets));
        if let Some(span) = reading.accept(span)? {
            item.add(span, &mut reading.corpus);
        }
    }
    Ok(())
}

impl Item<'_> {
    fn span(
        &self,
        line: Here<'_>,
        index: Option<&TextIndex<'_>>,
        offsets: Offsets,
    ) -> Result<Span, Problem> {
        let here = match &self.entity_reference {
            // A reference that borrows from the line has a place in it, which makes for a better
            // message.
            Scalar::Text(Cow::Borrowed(reference)) => Here::of(line.text, reference),
            _ => line,
        };
        let (start, end) = (self.start_char, self.end_char);
        if let Some(index) = index {
            return here.anchor(index, offsets, start, end, None);
        }
        let exclusive = end.saturating_add(u64::from(offsets.end == End::Inclusive));
        match (u32::try_from(start), u32::try_from(exclusive)) {
            (Ok(start), Ok(end)) if start <= end => Ok(Span::new(start, end)),
            _ => {
                let message = format!("a mention cannot reach from {start} to {end}");
                Err(here
                    .problem(Kind::Offset, message)
                    .hint("`end_char` is one past the last character"))
            }
        }
    }

    fn add(&self, span: Span, corpus: &mut CorpusBuilder) {
        let link = link(&self.entity_reference, corpus);
        let candidates: Vec<Link> = self
            .candidates
            .iter()
            .flatten()
            .map(|candidate| self::link(candidate, corpus))
            .collect();
        let mut flags = Flags::empty();
        flags.set(Flags::COREFERENCE, self.coref == Some(true));
        // `false` is kept as well: it says that somebody looked, which an absent key does not.
        flags.set(Flags::NOT_COREFERENCE, self.coref == Some(false));
        let mut annotation = corpus.annotate(span, link).flags(flags);
        for candidate in candidates {
            annotation = annotation.candidate(candidate, f64::NAN);
        }
    }
}

fn link(reference: &Scalar<'_>, corpus: &mut CorpusBuilder) -> Link {
    match reference {
        Scalar::Absent | Scalar::Null => Link::NIL,
        Scalar::Number(number) => Link::to(corpus.intern(&number.to_string())),
        Scalar::Text(reference) if means_nil(reference) => Link::NIL,
        Scalar::Text(reference) => Link::to(corpus.intern(reference)),
    }
}

fn means_nil(reference: &str) -> bool {
    NIL.contains(&reference) || reference.contains("/notInWiki/")
}

#[derive(Debug, Serialize)]
struct WrittenLine<'c> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<WrittenItem<'c>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    predictions: Option<Vec<WrittenItem<'c>>>,
}

#[derive(Debug, Serialize)]
struct WrittenItem<'c> {
    entity_reference: &'c str,
    start_char: u32,
    end_char: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    coref: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<&'c str>,
}

fn written_line<'c>(document: &Document<'c>) -> Result<WrittenLine<'c>, WriteError> {
    let name = document.name();
    let items: Result<Vec<_>, _> = document.mentions().map(|m| written_item(&m)).collect();
    let text = document.text();
    let (labels, predictions) =
        if text.is_some() { (Some(items?), None) } else { (None, Some(items?)) };
    Ok(WrittenLine {
        // ELEVANT has no ids; the number of the line is the name unless it is another one.
        id: (name != document.index().to_string()).then_some(name),
        title: document.attribute(attribute::TITLE),
        text,
        labels,
        predictions,
    })
}

fn written_item<'c>(mention: &Mention<'c>) -> Result<WrittenItem<'c>, WriteError> {
    let document = mention.document();
    let reference = |entity: Option<&'c str>| match entity {
        None => Ok("<NIL>"),
        Some(entity) if means_nil(entity) => {
            let message = format!("the entity `{entity}` would be read as NIL");
            Err(WriteError::unrepresentable(document.name(), message))
        }
        Some(entity) => Ok(entity),
    };
    let flags = mention.flags();
    let coref = flags.intersects(Flags::COREFERENCE | Flags::NOT_COREFERENCE);
    if flags.contains(Flags::COREFERENCE | Flags::NOT_COREFERENCE) {
        let message = "an annotation is said to be a coreference and not to be one";
        return Err(WriteError::unrepresentable(document.name(), message));
    }
    Ok(WrittenItem {
        entity_reference: reference(mention.entity())?,
        start_char: mention.span().start,
        end_char: mention.span().end,
        coref: coref.then_some(flags.contains(Flags::COREFERENCE)),
        candidates: mention.candidates().map(|c| reference(c.entity)).collect::<Result<_, _>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    const GOLD: &str = r#"{"title": "T", "text": "a 😀 e\u0301𝔄 Bonn", "labels": [{"entity_reference": "Q586", "start_char": 8, "end_char": 12, "coref": false}, {"entity_reference": "http://dbpedia.org/resource/A", "start_char": 4, "end_char": 7, "coref": true}]}
{"text": "x", "labels": []}
"#;
    const SYSTEM: &str = r#"{"predictions": [{"entity_reference": "Bonn", "start_char": 8, "end_char": 12, "candidates": ["Bonn", null, "Q1"]}]}
{"predictions": [{"entity_reference": "<NIL>", "start_char": 0, "end_char": 1}]}
"#;

    fn read(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
        let outcome = testing::read(&SimpleJsonl, &[("m.jsonl", content)], options)?;
        Ok(outcome.corpus)
    }

    #[test]
    fn gold_has_text_and_labels() {
        let corpus = read(GOLD, &ReadOptions::default()).unwrap();
        let document = corpus.document("0").unwrap();
        assert_eq!(document.attribute(attribute::TITLE), Some("T"));
        let mentions: Vec<_> =
            document.mentions().map(|m| (m.surface().unwrap(), m.entity(), m.flags())).collect();
        assert_eq!(
            mentions,
            [
                ("Bonn", Some("Q586"), Flags::NOT_COREFERENCE),
                ("e\u{301}𝔄", Some("http://dbpedia.org/resource/A"), Flags::COREFERENCE),
            ]
        );
        assert_eq!(corpus.document("1").unwrap().mentions().len(), 0);
    }

    #[test]
    fn predictions_are_counted_through() {
        let corpus = read(SYSTEM, &ReadOptions::default()).unwrap();
        let mention = corpus.document("0").unwrap().mentions().next().unwrap();
        assert_eq!((mention.span(), mention.entity()), (Span::new(8, 12), Some("Bonn")));
        let candidates: Vec<_> = mention.candidates().map(|c| c.entity).collect();
        assert_eq!(candidates, [Some("Bonn"), None, Some("Q1")]);
        let second = corpus.document("1").unwrap().mentions().next().unwrap();
        assert_eq!(second.link(), Link::NIL);
    }

    #[test]
    fn predictions_take_the_names_and_texts_of_the_benchmark() {
        let options = testing::given(&[("first", "a 😀 e\u{301}𝔄 Bonn"), ("second", "x")]);
        let corpus = read(SYSTEM, &options).unwrap();
        let names: Vec<_> = corpus.documents().map(|d| (d.name(), d.text())).collect();
        assert_eq!(names, [("first", Some("a 😀 e\u{301}𝔄 Bonn")), ("second", Some("x"))]);
        let named = r#"{"id": "second", "predictions": [{"entity_reference": "Q1", "start_char": 0, "end_char": 1}]}"#;
        assert_eq!(read(named, &options).unwrap().documents().next().unwrap().name(), "second");
    }

    #[test]
    fn files_are_counted_through_where_lines_are_skipped() {
        let bad = "{\"predictions\": 1}\n";
        let (one, two) = SYSTEM.split_once('\n').unwrap();
        let first = format!("{bad}\n{one}\n\n");
        let files = [("1.jsonl", first.as_str()), ("2.jsonl", two)];
        let outcome = testing::read(&SimpleJsonl, &files, &testing::lenient()).unwrap();
        let names: Vec<_> = outcome.corpus.documents().map(|d| d.name().to_owned()).collect();
        assert_eq!(names, ["2", "3"]);
        assert_eq!(outcome.findings.skipped().len(), 1);
    }

    #[test]
    fn what_means_nil() {
        for reference in
            ["\"\"", "\"NIL\"", "\"<NIL>\"", "\"<unk>\"", "null", "\"http://aksw.org/notInWiki/X\""]
        {
            let line = format!(
                "{{\"predictions\": [{{\"entity_reference\": {reference}, \"start_char\": 0, \"end_char\": 1}}]}}"
            );
            let corpus = read(&line, &ReadOptions::default()).unwrap();
            assert_eq!(corpus.annotations()[0].link, Link::NIL, "{reference}");
        }
    }

    #[test]
    fn bad_lines_are_located() {
        let mention = |start, end| {
            format!(
                "{{\"predictions\": [{{\"entity_reference\": \"Q1\", \"start_char\": {start}, \"end_char\": {end}}}]}}\n"
            )
        };
        let known = testing::given(&[("a", "x")]);
        let unknown = ReadOptions::default();
        let cases = [
            (mention(5, 3), &unknown, (1, 40), Kind::Offset, "a mention cannot reach from 5 to 3"),
            (
                mention(0, 3),
                &known,
                (1, 40),
                Kind::Offset,
                "offset 0..3 lies outside the text, which has 1 code points",
            ),
            (
                mention(0, 1).repeat(2),
                &known,
                (2, 1),
                Kind::UnknownDocument,
                "line 2 belongs to no document of the benchmark",
            ),
            (
                mention(0, 1).replace("0", "-1"),
                &unknown,
                (1, 60),
                Kind::Malformed,
                "bad JSON: invalid value: integer `-1`, expected u64",
            ),
            (
                mention(0, 1) + "{\"predictions\": [",
                &unknown,
                (2, 17),
                Kind::Truncated,
                "the JSON ends too early, inside a list",
            ),
            (
                mention(0, 1) + "{\"text\": \"x\"}",
                &unknown,
                (2, 1),
                Kind::Malformed,
                "expected `labels` with `text`, or `predictions`",
            ),
        ];
        for (content, options, (line, column), kind, message) in cases {
            let problem = read(&content, options).unwrap_err();
            let place = problem.place.unwrap();
            assert_eq!((problem.message.as_str(), problem.kind), (message, kind));
            assert_eq!((place.line, place.column), (line, column), "{message}");
            assert!(problem.hint.is_some());
            let lenient = ReadOptions { lenient: true, ..options.clone() };
            assert!(read(&content, &lenient).is_ok());
        }
    }
}

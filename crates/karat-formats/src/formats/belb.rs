//! BELB: biomedical documents with passages and annotations, one per line.

use crate::anchor::Here;
use crate::block::{at_line_ends, in_blocks};
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{Object, Outline, each_line, objects, offset, string, text};
use karat_model::{Features, Link, MarkKind, Repeated, Restriction, Span, TextIndex};
use serde_json::Value;

/// The format.
#[derive(Debug)]
pub(crate) struct Belb;

const HINT: &str =
    "each line is an object with `id`, `text` and `annotations`, or `id` and `passages`";

static INFO: Info = Info {
    name: "belb",
    title: "BELB JSONL",
    about: "One JSON object per document: `id`, `text`, `annotations` of `type`, `text`, `start`, `end` and `ids`, and `metadata.passages`; \
            or `passages` that each have a text, an offset and annotations counted from the start of the document. \
            Several ids are one composite mention (“breast and ovarian cancer”), not alternatives: they are kept as one id, \
            joined by `|` in the order of the file. No id, `NIL`, `-` and `-1` are NIL.",
    reference: "sg-wbi/belb",
    extensions: &["jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::PASSAGES)
            .union(Features::NIL)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &[],
        annotation_attributes: &[],
    },
};

impl Format for Belb {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let outline = Outline::of(sample);
        let ids = |depth| outline.has(depth, "ids") || outline.has(depth, "identifiers");
        let whole = outline.has_all(1, &["id", "text", "annotations"]);
        if whole && outline.has_all(3, &["start", "end", "type"]) && ids(3) {
            90
        } else if whole && outline.has(2, "passages") && !outline.has(3, "labels") {
            80
        } else if outline.has_all(1, &["id", "passages"])
            && outline.has_all(5, &["start", "end"])
            && ids(5)
        {
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
        for file in files {
            in_blocks(file, at_line_ends, Repeated::Refuse, reading, |text, reading| {
                each_line(text, HINT, reading, |record, here, reading| {
                    read_document(&record, here, reading)
                })
            })?;
        }
        Ok(())
    }
}

fn read_document(
    record: &Object,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let opened = string(record, "id")
        .ok_or_else(|| here.problem(Kind::Malformed, "expected a field `id`").hint(HINT))
        .and_then(|id| Ok((id, Content::of(record, here)?)));
    let Some((id, content)) = reading.accept(opened)? else { return Ok(()) };
    if let Err(duplicate) = here.begin_document(&id, &mut reading.corpus) {
        return reading.report(duplicate);
    }
    reading.corpus.set_text(&content.text);
    let index = TextIndex::new(&content.text);
    for (span, kind) in content.passage_spans(&index) {
        reading.corpus.mark(MarkKind::Passage, span, kind);
    }
    for annotation in content.annotations {
        if let Err(problem) = add(annotation, &index, here, reading) {
            reading.report(problem)?;
        }
    }
    Ok(())
}

/// A document, however its line is laid out.
struct Content<'r> {
    text: String,
    /// Where each passage starts, in code points, and its kind.
    passages: Vec<(u64, &'r str)>,
    annotations: Vec<&'r Value>,
}

/// Passages are separated by a few spaces at most; a wider gap is a damaged offset.
const WIDEST_GAP: u64 = 10_000;

impl<'r> Content<'r> {
    fn of(record: &'r Object, here: Here<'_>) -> Result<Content<'r>, Problem> {
        let items = |object: &'r Object| {
            object.get("annotations").and_then(Value::as_array).into_iter().flatten()
        };
        let kind = |passage: &'r Object| text(passage, "type").unwrap_or_default();
        if let Some(whole) = text(record, "text") {
            let metadata = record.get("metadata").and_then(Value::as_object);
            let passages = metadata.into_iter().flat_map(|metadata| objects(metadata, "passages"));
            let passages = passages.filter_map(|p| Some((offset(p, "offset")?, kind(p))));
            return Ok(Content {
                text: whole.to_owned(),
                passages: passages.collect(),
                annotations: items(record).collect(),
            });
        }
        if !record.contains_key("passages") {
            return Err(here
                .problem(Kind::Malformed, "expected a field `text` or `passages`")
                .hint(HINT));
        }
        let mut content =
            Content { text: String::new(), passages: Vec::new(), annotations: Vec::new() };
        let mut length = 0;
        for passage in objects(record, "passages") {
            let start =
                // Without offsets passages are joined by one space.
                offset(passage, "offset").unwrap_or(if length == 0 { 0 } else { length + 1 });
            let Some(gap) = start.checked_sub(length).filter(|&gap| gap <= WIDEST_GAP) else {
                let message =
                    format!("a passage at {start} does not follow the one that ends at {length}");
                return Err(here.problem(Kind::Offset, message).hint(
                    "the offsets of passages count from the start of the document, in code points",
                ));
            };
            // Filled up to the offset, so that offsets of the file stay true.
            content.text.extend((0..gap).map(|_| ' '));
            let words = text(passage, "text").unwrap_or_default();
            content.text.push_str(words);
            content.passages.push((start, kind(passage)));
            content.annotations.extend(items(passage));
            length = start + words.chars().count() as u64;
        }
        Ok(content)
    }

    /// The passages up to the next one, without the spaces between them.
    fn passage_spans(&self, index: &TextIndex<'_>) -> Vec<(Span, &'r str)> {
        let starts = self.passages.iter().map(|&(start, _)| start.min(index.len().into()) as u32);
        let ends = starts.clone().skip(1).chain([index.len()]);
        let spans = starts.zip(ends).zip(&self.passages).filter(|((start, end), _)| start <= end);
        spans
            .map(|((start, end), &(_, kind))| {
                let words = index.slice(Span::new(start, end)).unwrap_or_default();
                // A passage ends before the white space that separates it from the next.
                let length = words.trim_end().chars().count() as u32;
                (Span::new(start, start + length), kind)
            })
            .collect()
    }
}

fn add(
    annotation: &Value,
    index: &TextIndex<'_>,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let fields = annotation
        .as_object()
        .and_then(|fields| Some((fields, offset(fields, "start")?, offset(fields, "end")?)));
    let Some((fields, start, end)) = fields else {
        let message = "expected an annotation with whole numbers `start` and `end`";
        return Err(here.problem(Kind::Malformed, message).hint(HINT));
    };
    let offsets = reading.offsets(INFO.offsets);
    let placed = here.place(index, offsets, start, end, text(fields, "text"))?;
    let span = reading.placed(placed)?;
    let ids = ids(fields.get("ids").or_else(|| fields.get("identifiers")));
    let link = match ids.is_empty() {
        true => Link::NIL,
        false => Link::to(reading.corpus.intern(&ids.join("|"))),
    };
    let kind = text(fields, "type").or_else(|| text(fields, "entity_type"));
    reading.corpus.annotate(span, link).types(kind);
    Ok(())
}

fn ids(value: Option<&Value>) -> Vec<String> {
    let one = |value: &Value| match value {
        Value::String(id) => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    };
    let known = |id: &String| !matches!(id.as_str(), "" | "NIL" | "-" | "-1");
    match value {
        Some(Value::Array(items)) => items.iter().filter_map(one).filter(known).collect(),
        Some(value) => one(value).filter(known).into_iter().collect(),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};

    fn read(content: &str, lenient: bool) -> Result<ReadOutcome, Problem> {
        let options = ReadOptions { lenient, ..ReadOptions::default() };
        testing::read(&Belb, &[("test.jsonl", content)], &options)
    }

    #[test]
    fn a_document_with_passages_and_composite_mentions() {
        let content = r#"{"id":"12","text":"😀 𝄞 e\u0301. Breast and ovarian cancer","annotations":[{"type":"disease","text":"Breast and ovarian cancer","start":8,"end":33,"ids":["D001943","D010051"]},{"type":"disease","text":"cancer","start":27,"end":33,"ids":[]},{"type":"x","text":"Breast","start":8,"end":14,"ids":["NIL"]}],"metadata":{"passages":[{"offset":0,"type":"title"},{"offset":8,"type":"abstract"}]}}"#;
        let corpus = read(content, false).unwrap().corpus;
        let document = corpus.document("12").unwrap();
        let mentions: Vec<_> = document.mentions().collect();
        assert_eq!(
            (mentions[0].span(), mentions[0].entity()),
            (Span::new(8, 33), Some("D001943|D010051"))
        );
        assert_eq!(mentions[0].types().next(), Some("disease"));
        assert!(mentions[1].link().is_nil() && mentions[2].link().is_nil());
        let passages: Vec<_> = document.marks_of(MarkKind::Passage).collect();
        assert_eq!(passages, [(Span::new(0, 7), "title"), (Span::new(8, 33), "abstract")]);
    }

    #[test]
    fn a_document_of_passages() {
        let content = r#"{"id":3,"passages":[{"offset":0,"type":"title","text":"On é","annotations":[]},{"offset":6,"type":"abstract","text":"Rats","annotations":[{"start":6,"end":10,"text":"Rats","entity_type":"species","identifiers":"10116"}]}]}"#;
        let corpus = read(content, false).unwrap().corpus;
        let document = corpus.document("3").unwrap();
        assert_eq!(document.text(), Some("On é  Rats"));
        let mention = document.mentions().next().unwrap();
        assert_eq!(
            (mention.surface(), mention.entity(), mention.types().next()),
            (Some("Rats"), Some("10116"), Some("species"))
        );
        assert_eq!(document.marks_of(MarkKind::Passage).count(), 2);
    }

    #[test]
    fn bad_lines_are_located() {
        let good = r#"{"id":"a","text":"Rats","annotations":[{"type":"s","text":"Rats","start":0,"end":4,"ids":["1"]}]}"#;
        for (bad, message) in [
            (good, "document `a` occurs twice"),
            ("{\"text\":\"\"}", "expected a field `id`"),
            ("{\"id\":\"b\"}", "expected a field `text` or `passages`"),
            (
                "{\"id\":\"b\",\"text\":\"Rats\",\"annotations\":[{\"start\":1,\"end\":5,\"text\":\"Rats\"}]}",
                "offset 1..5 lies outside the text, which has 4 code points",
            ),
            (
                "{\"id\":\"b\",\"text\":\"Rats\",\"annotations\":[{\"start\":0,\"end\":3,\"text\":\"Rat\\u0301\"}]}",
                "the mention is “Rat\u{301}” but the text at 0..3 is “Rat”",
            ),
            (
                "{\"id\":\"b\",\"text\":\"Rats\",\"annotations\":[7]}",
                "expected an annotation with whole numbers `start` and `end`",
            ),
            (
                "{\"id\":\"b\",\"passages\":[{\"offset\":4000000000,\"text\":\"x\"}]}",
                "a passage at 4000000000 does not follow the one that ends at 0",
            ),
        ] {
            let content = format!("{good}\n{bad}\n");
            let problem = read(&content, false).unwrap_err();
            assert_eq!(
                (
                    problem.message.replace("\\u{301}", "\u{301}").as_str(),
                    problem.place.unwrap().line
                ),
                (message, 2)
            );
            let outcome = read(&content, true).unwrap();
            assert_eq!(outcome.findings.skipped().len(), 1);
        }
    }
}

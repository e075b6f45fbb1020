//! REL: lists of `[start, length, mention, title, ...]`.

use crate::anchor::Here;
use crate::format::{Format, Info, Offsets, Sample};
use crate::input::Input;
use crate::placing::given_documents::{Given, span};
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::json::as_offset;
use crate::syntax::nil::NilWords;
use karat_model::{Features, Link, Restriction, TextIndex, attribute};
use serde::Deserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The format.
#[derive(Debug)]
pub(crate) struct Rel;

/// The attribute that keeps how sure the recogniser is of the mention.
const RECOGNITION: &str = "recognition_confidence";
const HINT: &str =
    "a mention is `[start, length, mention, title, confidence, recognition confidence, type]`";

static INFO: Info = Info {
    name: "rel",
    title: "REL output",
    about: "Mentions as `[start, length, mention, title, conf_ed, conf_md, tag]`: a JSON object with the mentions of each document by name, \
            or a list for one document (named after the file), or one list per line (the given documents in their order). \
            The texts come from the given documents; without them a mention keeps its surface form as an attribute. \
            REL leaves out what it takes for NIL, so there are no NIL mentions, and the tag NULL is no type.",
    reference: "informagi/REL, REL/utils.py",
    extensions: &["json", "jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: None,
    needs_text: false,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::NIL)
            .union(Features::CONFIDENCE)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS)
            .union(Features::EMPTY_SPANS),
        document_attributes: &[],
        annotation_attributes: &["surface", RECOGNITION],
    },
};

impl Format for Rel {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links are titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        if !sample.text.trim_start().starts_with(['{', '[']) {
            return 0;
        }
        let compact: String =
            // Compared without white space, up to a limit: `json.dump` with and without indentation
            // gives the same structure.
            sample.text.chars().filter(|c| !c.is_whitespace()).take(20_000).collect();
        let list = match compact.strip_prefix('{') {
            Some(object) => object.split_once(":[[").map(|(_, list)| list),
            None => compact.strip_prefix("[["),
        };
        if list.is_some_and(begins_with_a_mention) { 85 } else { 0 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let given = Given::new(reading.options);
        let mut position = 0;
        for file in files {
            let text = file.text()?;
            let whole = text.as_str().trim();
            let here = Here::of(&text, whole.get(..1).unwrap_or_default());
            match serde_json::from_str::<Value>(whole) {
                Ok(Value::Array(mentions)) => {
                    document(file.stem(), &mentions, &given, here, reading)?;
                }
                Ok(value) => documents(&value, &given, here, reading)?,
                Err(_) if is_by_line(whole) => {
                    read_lines(&text, whole, &given, &mut position, reading)?;
                }
                Err(error) => {
                    // Damaged JSON: what was complete before the damage is read in a lenient
                    // reading.
                    reading.report(text.json_problem(whole, &error).hint(HINT))?;
                    let complete = Complete::of(whole);
                    for (name, mentions) in &complete.documents {
                        document_by_name(name, mentions, &given, here, reading)?;
                    }
                    if !complete.mentions.is_empty() {
                        document(file.stem(), &complete.mentions, &given, here, reading)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Whether a file that is not one value has one per line, to judge by its first lines.
fn is_by_line(whole: &str) -> bool {
    const JUDGED: usize = 20;
    // The last list of an indented file may stand alone on its line too, but not two lists.
    let begins = |line: &&str| ["[[", "[]", "{"].iter().any(|start| line.starts_with(start));
    let mut lines = whole.lines().take(JUDGED).map(str::trim).filter(begins);
    whole.contains('\n') && lines.any(|line| serde_json::from_str::<Value>(line).is_ok())
}

/// What stands before the place at which a file breaks off or apart.
#[derive(Default)]
struct Complete {
    documents: Vec<(String, Value)>,
    mentions: Vec<Value>,
}

impl Complete {
    fn of(whole: &str) -> Complete {
        let mut complete = Complete::default();
        let mut parser = serde_json::Deserializer::from_str(whole);
        // The error was reported; what came before it counts.
        let _broken = parser.deserialize_any(&mut complete);
        complete
    }
}

impl<'de> Visitor<'de> for &mut Complete {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a list of mentions, or an object of such lists")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(entry) = map.next_entry()? {
            self.documents.push(entry);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(mention) = list.next_element()? {
            self.mentions.push(mention);
        }
        Ok(())
    }
}

/// Reads a file with one list, or one object of lists, per line.
fn read_lines(
    text: &Text<'_>,
    whole: &str,
    given: &Given<'_>,
    position: &mut usize,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    for line in whole.lines().filter(|line| !line.trim().is_empty()) {
        let here = Here { text, at: text.offset_of(line), len: 1 };
        let parsed = serde_json::from_str::<Value>(line);
        let parsed = parsed.map_err(|error| text.json_problem(line, &error).hint(HINT));
        match reading.accept(parsed)? {
            Some(Value::Array(mentions)) => {
                document(&given.name_at(*position), &mentions, given, here, reading)?;
            }
            Some(value) => documents(&value, given, here, reading)?,
            None => {}
        }
        // Also for a line that cannot be read: the next list belongs to the next document.
        *position += 1;
    }
    Ok(())
}

/// Whether a list, without its spaces and brackets, begins like a mention: two
/// numbers, then two strings.
fn begins_with_a_mention(list: &str) -> bool {
    let mut fields = list.splitn(3, ',');
    let number = |field: Option<&str>| field.is_some_and(|field| field.parse::<u32>().is_ok());
    number(fields.next())
        && number(fields.next())
        && fields.next().is_some_and(|rest| {
            let bytes = rest.as_bytes();
            let end = bytes
                .first()
                .filter(|&&b| b == b'"')
                .and_then(|_| crate::syntax::json::string_end(bytes, 0));
            end.is_some_and(|end| rest[end..].starts_with(",\""))
        })
}

/// The documents of an object, by name.
fn documents(
    value: &Value,
    given: &Given<'_>,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let Some(object) = value.as_object() else {
        return reading.report(
            here.problem(
                Kind::Malformed,
                "expected a list of mentions, or an object of such lists",
            )
            .hint(HINT),
        );
    };
    for (name, mentions) in object {
        document_by_name(name, mentions, given, here, reading)?;
    }
    Ok(())
}

fn document_by_name(
    name: &str,
    mentions: &Value,
    given: &Given<'_>,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let Some(mentions) = mentions.as_array() else {
        let message = format!("expected a list of mentions for document `{name}`");
        return reading.report(here.problem(Kind::Malformed, message).hint(HINT));
    };
    document(name, mentions, given, here, reading)
}

fn document(
    name: &str,
    mentions: &[Value],
    given: &Given<'_>,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    given.read_document(name, None, mentions, here, reading, add)
}

fn add(
    mention: &Value,
    index: Option<&TextIndex<'_>>,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let fields = mention.as_array().map(Vec::as_slice).unwrap_or_default();
    let [start, length, surface, title, rest @ ..] = fields else {
        return Err(here
            .problem(Kind::Malformed, "expected a mention with four to seven fields")
            .hint(HINT));
    };
    let numbers = as_offset(start).zip(as_offset(length));
    let (Some((start, length)), Some(surface), Some(title)) =
        (numbers, surface.as_str(), title.as_str())
    else {
        let message = "expected a start, a length, a mention and a title";
        return Err(here.problem(Kind::Malformed, message).hint(HINT));
    };
    let offsets = Offsets { unit: reading.unit(INFO.offsets).unit, ..INFO.offsets };
    let span =
        span(index, offsets, (start, start.saturating_add(length)), Some(surface), here, reading)?;
    let link = match title {
        "NIL" => Link::NIL,
        title => Link::to(reading.corpus.intern(title)),
    };
    let kind = rest.get(2).and_then(Value::as_str).filter(|kind| *kind != "NULL");
    let mut annotation = reading.corpus.annotate(span, link).types(kind);
    if let Some(confidence) = rest.first().and_then(Value::as_f64) {
        annotation = annotation.confidence(confidence);
    }
    if let Some(recognition) = rest.get(1).filter(|value| value.is_number()) {
        annotation = annotation.attribute(RECOGNITION, &recognition.to_string());
    }
    if index.is_none() {
        annotation.attribute(attribute::SURFACE, surface);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, ReadOutcome, testing};
    use karat_model::Span;

    fn read_with(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
        testing::read(&Rel, &[("dir/answer.json", content)], options)
    }

    fn given() -> ReadOptions {
        testing::given(&[("a", "😀 𝄞 e\u{301} Rome"), ("b", "Bonn")])
    }

    #[test]
    fn an_object_of_documents() {
        let content = r#"{"a": [[7, 4, "Rome", "Rome", 0.8, 0.99, "LOC"]], "b": []}"#;
        let corpus = read_with(content, &given()).unwrap().corpus;
        assert_eq!(corpus.len(), 2);
        let mention = corpus.document("a").unwrap().mentions().next().unwrap();
        assert_eq!(
            (mention.span(), mention.entity(), mention.confidence()),
            (Span::new(7, 11), Some("Rome"), Some(0.8))
        );
        assert_eq!(
            (mention.types().next(), mention.attribute(RECOGNITION)),
            (Some("LOC"), Some("0.99"))
        );
        let unknown = r#"{"c": [[0, 2, "NY", "New_York", 0.5, 0.0, "NULL"]]}"#;
        let problem = read_with(unknown, &given()).unwrap_err();
        assert_eq!(problem.message, "document `c` is not among the given documents");
        let corpus = read_with(unknown, &ReadOptions::default()).unwrap().corpus;
        let mention = corpus.document("c").unwrap().mentions().next().unwrap();
        assert_eq!((mention.surface(), mention.types().next()), (Some("NY"), None));
    }

    #[test]
    fn a_list_and_lists_by_line() {
        let one = "[[0, 4, \"Bonn\", \"Bonn\", 1]]";
        let corpus = read_with(one, &ReadOptions::default()).unwrap().corpus;
        assert!(corpus.document("answer").is_some());
        let corpus =
            read_with(&format!("[[7, 4, \"Rome\", \"Rome\"]]\n{one}\n"), &given()).unwrap().corpus;
        assert_eq!(corpus.document("b").unwrap().mentions().next().unwrap().entity(), Some("Bonn"));
    }

    #[test]
    fn a_lenient_reading_takes_what_is_complete() {
        let lenient = testing::lenient();
        let bonn = "[0, 4, \"Bonn\", \"Bonn\"]";
        for (content, documents, mentions) in [
            (format!("{{\"a\": [{bonn}],\n \"b\": [{bonn}, [0,"), 1, 1),
            (format!("[{bonn},\n {bonn}, oops]"), 1, 2),
            (format!("[[0, oops]]\n[{bonn}]\n"), 1, 1),
            ("oops".to_owned(), 0, 0),
        ] {
            let files = [("answer.json", content.as_str())];
            assert!(testing::read_as(&Rel, &files, &ReadOptions::default()).is_err());
            let outcome = testing::read_as(&Rel, &files, &lenient).unwrap();
            let found = (outcome.corpus.len(), outcome.corpus.annotations().len());
            assert_eq!(found, (documents, mentions), "{content}");
            assert_eq!(outcome.findings.skipped().len(), 1, "{content}");
        }
    }

    #[test]
    fn bad_mentions_are_located() {
        for (bad, message) in [
            ("[[1,2]]", "expected a mention with four to seven fields"),
            ("[[0,-4,\"Bonn\",\"Bonn\"]]", "expected a start, a length, a mention and a title"),
            ("[[0,3,\"Bonn\",\"Bonn\"]]", "the mention is “Bonn” but the text at 0..3 is “Bon”"),
            ("{\"b\":1}", "expected a list of mentions for document `b`"),
            ("7", "expected a list of mentions, or an object of such lists"),
            ("[[", "the JSON ends too early, inside a list"),
        ] {
            let content = format!("[[7,4,\"Rome\",\"Rome\"]]\n{bad}\n");
            let problem = read_with(&content, &given()).unwrap_err();
            assert_eq!((problem.message.as_str(), problem.place.unwrap().line), (message, 2));
            let lenient = ReadOptions { lenient: true, ..given() };
            assert_eq!(read_with(&content, &lenient).unwrap().findings.skipped().len(), 1, "{bad}");
        }
    }
}

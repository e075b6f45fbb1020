//! Answers of language models: files of them, and their mentions in the text.

use crate::anchor::{Here, quoted};
use crate::format::Sample;
use crate::placing::align::{Aligner, Correspondence, Found, are_alike};
use crate::placing::given_documents::Given;
use crate::placing::in_context::Answer;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Source;
use crate::syntax::json::{Object, Outline, first_string, text};
use karat_model::{Hint, Link, Span, TextIndex};
use serde_json::Value;
use std::cell::OnceCell;
use std::ops::Range;

/// Where records keep what the model said.
const OUTPUTS: [&str; 7] =
    ["output", "response", "completion", "model_output", "answer", "prediction", "generated_text"];
const NAMES: [&str; 6] = ["id", "doc_id", "document_id", "document", "custom_id", "name"];
const HINT: &str =
    "each line is an object with `output` and, if the documents are not given, `id` and `text`";

/// A mention in an answer.
#[derive(Debug)]
pub(super) struct Named {
    /// How the model writes it.
    pub(super) surface: String,
    /// What it is linked to.
    pub(super) answer: Answer,
    /// How sure the model says it is.
    pub(super) confidence: Option<f64>,
    /// Its type.
    pub(super) kind: Option<String>,
}

/// Calls `handle` with what the model said about each document: the `output` of
/// each line of a JSONL file, or the whole of a file that is named after its document.
pub(super) fn each_answer(
    files: &[Source],
    reading: &mut Reading<'_>,
    mut handle: impl FnMut(&str, &mut InDocument<'_, '_, '_>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let given = Given::new(reading.options);
    let mut position = 0;
    for file in files {
        let content = file.text()?;
        let whole = content.as_str();
        if !has_records(whole) {
            let here = Here { text: &content, at: 0, len: 1 };
            if let Some(own) = given.begin(file.stem(), None, here, reading)? {
                let name = file.stem().to_owned();
                handle(whole.trim(), &mut InDocument::new(name, own, here, reading))?;
            }
            continue;
        }
        for line in whole.lines().filter(|line| !line.trim().is_empty()) {
            let here = Here { text: &content, at: content.offset_of(line), len: 1 };
            let parsed = serde_json::from_str::<Object>(line)
                .map_err(|error| content.json_problem(line, &error).hint(HINT))
                .and_then(|record| {
                    let listed = || is_named_list(&record).then(|| line.to_owned());
                    let output = output_of(&record).or_else(listed);
                    Ok((output.ok_or_else(|| no_output(here))?, record))
                });
            if let Some((output, record)) = reading.accept(parsed)? {
                let name = first_string(&record, &NAMES);
                let name = name.unwrap_or_else(|| given.name_at(position));
                if let Some(own) = given.begin(&name, text(&record, "text"), here, reading)? {
                    handle(output.trim(), &mut InDocument::new(name, own, here, reading))?;
                }
            }
            // Counted for lines without an answer too: the given documents go line by line.
            position += 1;
        }
    }
    Ok(())
}

/// What the first record of a sample says, to recognise a format by.
pub(super) fn first_output(sample: &Sample<'_>) -> Option<String> {
    let line = sample.first_line();
    match serde_json::from_str::<Object>(line) {
        Ok(record) => output_of(&record),
        // A long line is cut by the sample.
        Err(_) => {
            let outline = Outline::of(sample);
            let cut = OUTPUTS.iter().any(|key| outline.has(1, key));
            cut.then(|| line.replace("\\\"", "\"").replace("\\n", "\n"))
        }
    }
}

/// Whether a file has a record per line, to judge by the first.
fn has_records(content: &str) -> bool {
    let line = content.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    serde_json::from_str::<Object>(line).is_ok_and(|record| {
        output_of(&record).is_some()
            || record.contains_key("text") && is_named(&record)
            || is_named_list(&record)
    })
}

fn is_named(record: &Object) -> bool {
    NAMES.iter().any(|key| record.contains_key(*key))
}

/// Whether a record is an answer itself, with its document beside the list.
fn is_named_list(record: &Object) -> bool {
    is_named(record) && record.values().any(Value::is_array)
}

/// What the model said; JSON that was parsed already is written out again.
fn output_of(record: &Object) -> Option<String> {
    OUTPUTS.iter().find_map(|key| match record.get(*key)? {
        Value::String(output) => Some(output.clone()),
        value @ (Value::Array(_) | Value::Object(_)) => Some(value.to_string()),
        _ => None,
    })
}

fn no_output(here: Here<'_>) -> Problem {
    here.problem(Kind::Malformed, "expected a field `output` with the answer of the model")
        .hint(HINT)
}

/// A document that was begun, to put mentions in.
pub(super) struct InDocument<'d, 'r, 'o> {
    name: String,
    /// Its true text, if known.
    pub(super) text: Option<String>,
    here: Here<'d>,
    /// A problem at its place, made once: to find a place in a long file takes time.
    problem: OnceCell<Problem>,
    reading: &'r mut Reading<'o>,
}

/// How far from where it is expected a mention may be found, in bytes: a sentence or two.
const NEAR: usize = 200;

impl<'d, 'r, 'o> InDocument<'d, 'r, 'o> {
    fn new(
        name: String,
        text: Option<&str>,
        here: Here<'d>,
        reading: &'r mut Reading<'o>,
    ) -> InDocument<'d, 'r, 'o> {
        let text = text.map(str::to_owned);
        InDocument { name, text, here, problem: OnceCell::new(), reading }
    }

    fn problem(&self, kind: Kind, message: String) -> Problem {
        let here = self.problem.get_or_init(|| self.here.problem(kind, ""));
        Problem { kind, message, ..here.clone() }
    }

    /// Places mentions that come as a list, in its order.
    pub(super) fn place_listed(&mut self, mentions: &[Named]) -> Result<(), Problem> {
        let Some(text) = self.text.take() else {
            let message =
                format!("there is no text of document `{}` to find its mentions in", self.name);
            return self.reading.report(self.here.problem(Kind::UnknownDocument, message).hint(
                Hint::template(
                    "give the documents with {documents}, or a field `text` in each line",
                ),
            ));
        };
        // Mentions are looked for from left to right, each after the one before it, as models list
        // them in the order of the text.
        let mut aligner = Aligner::new(&text);
        let index = TextIndex::new(&text);
        for mention in mentions {
            let found = aligner.next(&mention.surface);
            self.add(mention, found, &index);
        }
        Ok(())
    }

    /// Places mentions that stand in a copy of the text which the model wrote.
    pub(super) fn place_marked(&mut self, copy: &str, mentions: &[(Range<usize>, Named)]) {
        let Some(text) = self.text.take() else {
            self.reading.corpus.set_text(copy);
            return self.place_same(copy, mentions);
        };
        if text == copy {
            return self.place_same(copy, mentions);
        }
        // Models change what they repeat; the copy is aligned with the text before places are taken
        // from it.
        let pairs = Correspondence::between(copy, &text);
        let mut aligner = Aligner::new(&text);
        let index = TextIndex::new(&text);
        for (range, mention) in mentions {
            // Near the place where the copy has it first: the same words may occur often.
            let near = aligner.near(&mention.surface, pairs.position(range.start), NEAR);
            let found = near.or_else(|| {
                let range = pairs.replaced(range.clone())?;
                let alike = are_alike(&mention.surface, text.get(range.clone())?);
                alike.then_some(Found { range, exact: false })
            });
            // Far from where it should be, even the same words are a guess.
            let guess = |found: Found| Found { exact: false, ..found };
            let found = found.or_else(|| aligner.next(&mention.surface).map(guess));
            self.add(mention, found, &index);
        }
    }

    fn place_same(&mut self, text: &str, mentions: &[(Range<usize>, Named)]) {
        let index = TextIndex::new(text);
        for (range, mention) in mentions {
            self.add(mention, Some(Found { range: range.clone(), exact: true }), &index);
        }
    }

    fn add(&mut self, mention: &Named, found: Option<Found>, index: &TextIndex<'_>) {
        let span = found.as_ref().and_then(|found| {
            let start = index.position_of_byte(found.range.start)?;
            Some(Span::new(start, index.position_of_byte(found.range.end)?))
        });
        let (Some(found), Some(span)) = (found, span) else {
            let message = format!(
                "{} is not in the text of document `{}`, or not as often as the answer has it",
                quoted(&mention.surface),
                self.name
            );
            return self.leave_out(Kind::Alignment, message);
        };
        if !found.exact {
            let words = index.slice(span).unwrap_or_default();
            let message = format!(
                "{} of document `{}` was placed on {} at {span}",
                quoted(&mention.surface),
                self.name,
                quoted(words)
            );
            let problem = self.problem(Kind::Alignment, message);
            self.reading.repaired(problem.hint("the answer does not repeat the text exactly"));
        }
        let corpus = &mut self.reading.corpus;
        let link = match &mention.answer {
            Answer::Entity(entity) => Link::to(corpus.intern(entity)),
            Answer::Nil => Link::NIL,
            Answer::None => Link::NONE,
        };
        let annotation = corpus.annotate(span, link).types(mention.kind.as_deref());
        if let Some(confidence) = mention.confidence {
            annotation.confidence(confidence);
        }
    }

    /// Notes something of the answer that is left out.
    pub(super) fn leave_out(&mut self, kind: Kind, message: String) {
        let problem = self.problem(kind, message);
        self.reading.left_out(
            problem
                .hint("the answer of the model is at fault, not the file; the rest of it is read"),
        );
    }
}

/// The answer behind an id that a model gives.
pub(super) fn answer(id: Option<&str>) -> Answer {
    match id.map(str::trim) {
        None => Answer::None,
        Some("" | "-" | "?") => Answer::None,
        Some(id)
            if ["nil", "null", "none", "unknown", "n/a"]
                .iter()
                .any(|nil| id.eq_ignore_ascii_case(nil)) =>
        {
            Answer::Nil
        }
        Some(id) => Answer::Entity(id.to_owned()),
    }
}

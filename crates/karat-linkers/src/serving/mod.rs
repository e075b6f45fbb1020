//! Linkers as a service: texts come in as others send them, and answers go out as others expect them.
//!
//! Nothing here knows of sockets: a [`ServedRequest`] becomes a [`ServedReply`], whoever carries them. Each shape is one file
//! with a `Shape`: which paths are its, how a request is read, how an answer is written.

mod entity_fishing;
mod forms;
mod lines;
mod nif;
mod rel;
mod spotlight;
mod tagme;

use crate::failure::{FailureKind, LinkFailure};
use crate::info::AnswerUnit;
use crate::linker::Linker;
use crate::runner::{DocumentStatus, RunSettings, Runner};
use crate::texts::UnitIndex;
use karat_model::{Corpus, CorpusBuilder, Document, Mention, Span, Watch, attribute};

/// A request as it came.
#[derive(Debug, Clone, Default)]
pub struct ServedRequest {
    /// `POST` or `GET`.
    pub method: String,
    /// The path, without what follows a question mark.
    pub path: String,
    /// What follows the question mark.
    pub query: String,
    /// The type of what was sent, where it is told.
    pub content_type: String,
    /// What was sent.
    pub body: String,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedReply {
    /// The status.
    pub status: u16,
    /// The type of the body.
    pub content_type: &'static str,
    /// The body.
    pub body: String,
}

const JSON: &str = "application/json; charset=utf-8";
const TURTLE: &str = "application/x-turtle; charset=utf-8";

impl ServedReply {
    fn json(value: &serde_json::Value) -> ServedReply {
        ServedReply { status: 200, content_type: JSON, body: value.to_string() }
    }

    fn failed(status: u16, message: &str) -> ServedReply {
        let value = serde_json::json!({ "error": message });
        ServedReply { status, ..ServedReply::json(&value) }
    }
}

/// What somebody asks: a text, and which mentions in it are to be linked where that is given.
#[derive(Debug, Clone, Default)]
struct Question {
    name: String,
    text: String,
    language: Option<String>,
    mentions: Option<Vec<Span>>,
}

/// How somebody speaks.
struct Shape {
    name: &'static str,
    /// The paths at which it is spoken.
    paths: &'static [&'static str],
    /// What a GET without a text says, where that is not refused.
    hello: Option<fn(&dyn Linker) -> ServedReply>,
    read: fn(&ServedRequest) -> Result<Question, LinkFailure>,
    write: fn(&Question, &Answered<'_>) -> Result<ServedReply, LinkFailure>,
}

/// All shapes, in the order in which they are listed.
static SHAPES: [&Shape; 6] = [
    &nif::NIF,
    &spotlight::SPOTLIGHT,
    &rel::REL,
    &tagme::TAGME,
    &entity_fishing::ENTITY_FISHING,
    &lines::LINES,
];

/// What the linker says of a text.
struct Answered<'a> {
    document: Document<'a>,
    index: UnitIndex<'a>,
}

impl<'a> Answered<'a> {
    /// Mentions that have an entity: most shapes have no NIL.
    fn linked(&self) -> impl Iterator<Item = (Mention<'a>, &'a str)> {
        self.document.mentions().filter_map(|mention| Some((mention, mention.entity()?)))
    }

    /// Where a mention is in UTF-16, which is what services in Java count.
    fn utf16(&self, mention: &Mention<'_>) -> (u64, u64) {
        let offset = |position| self.index.offset(position, AnswerUnit::Utf16).unwrap_or_default();
        (offset(mention.span().start), offset(mention.span().end))
    }

    fn surface(&self, mention: &Mention<'_>) -> &'a str {
        self.index.code_points().slice(mention.span()).unwrap_or_default()
    }
}

/// A linker that answers in all shapes.
pub struct Annotator {
    linker: Box<dyn Linker>,
}

impl Annotator {
    /// Serves this linker.
    pub fn new(linker: Box<dyn Linker>) -> Annotator {
        Annotator { linker }
    }

    /// The name of the linker.
    pub fn name(&self) -> &str {
        &self.linker.info().name
    }

    /// The shapes in which it answers, with their paths.
    pub fn shapes() -> impl Iterator<Item = (&'static str, &'static [&'static str])> {
        SHAPES.iter().map(|shape| (shape.name, shape.paths))
    }

    /// Answers a request. A failure never has status 200.
    pub fn answer(&self, request: &ServedRequest) -> ServedReply {
        let path = match request.path.trim_end_matches('/') {
            "" => "/",
            path => path,
        };
        let Some(shape) = SHAPES.iter().find(|shape| shape.paths.contains(&path)) else {
            return ServedReply::failed(404, "there is nothing at this path");
        };
        let asks_nothing = request.method == "GET" && request.query.is_empty();
        if let (true, Some(hello)) = (asks_nothing, shape.hello) {
            return hello(self.linker.as_ref());
        }
        let question = match (shape.read)(request) {
            Ok(question) => question,
            Err(failure) => return ServedReply::failed(400, &failure.message),
        };
        let answered = self.linked(&question).and_then(|corpus| {
            let gone = || LinkFailure::new(FailureKind::Malformed, "the linker lost the text");
            let document = corpus.documents().next().ok_or_else(gone)?;
            let index = UnitIndex::new(document.text().unwrap_or_default());
            (shape.write)(&question, &Answered { document, index })
        });
        answered.unwrap_or_else(|failure| {
            let status = match failure.kind {
                FailureKind::Refused(status @ 400..=599) => status,
                FailureKind::TooLong => 413,
                FailureKind::TimeOut => 504,
                _ => 502,
            };
            ServedReply::failed(status, &failure.message)
        })
    }

    /// Asks the linker, as the runner does: long texts are cut, offsets put back.
    fn linked(&self, question: &Question) -> Result<Corpus, LinkFailure> {
        let mut builder = CorpusBuilder::new();
        builder.continue_document(&question.name);
        builder.set_text(&question.text);
        builder.document_attribute(
            attribute::LANGUAGE,
            question.language.as_deref().unwrap_or_default(),
        );
        let corpus = builder.finish();
        let given = question.mentions.clone().map(|mentions| vec![mentions]);
        let settings = RunSettings { attempts: 2, ..RunSettings::default() };
        let run = Runner::new(self.linker.as_ref(), settings).run(
            &corpus,
            given.as_deref(),
            &Watch::default(),
        );
        let outcome =
            run.map_err(|error| LinkFailure::new(FailureKind::Refused(400), error.to_string()))?;
        let failed = outcome.documents.into_iter().find(|document| !document.status.is_answered());
        match failed {
            None => Ok(outcome.corpus),
            Some(document) => {
                let unknown =
                    || LinkFailure::new(FailureKind::Malformed, DocumentStatus::Failed.name());
                Err(document.failure.unwrap_or_else(unknown))
            }
        }
    }
}

/// The title of an article for shapes that name entities by these; what has none is written as an address.
fn titled(id: &str) -> String {
    karat_kb::title_of(id).unwrap_or_else(|| addressed(id))
}

/// An address for shapes that name entities by these.
fn addressed(id: &str) -> String {
    let is_item = id.strip_prefix('Q').is_some_and(|digits| {
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    });
    match is_item {
        true => format!("http://www.wikidata.org/entity/{id}"),
        false => id.to_owned(),
    }
}

fn malformed(message: impl Into<String>) -> LinkFailure {
    LinkFailure::new(FailureKind::Malformed, message)
}

#[cfg(test)]
mod tests;

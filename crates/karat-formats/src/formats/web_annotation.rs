//! W3C Web Annotations as JSON-LD.

mod selector;
#[cfg(test)]
mod tests;

use crate::anchor::Here;
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::json::JsonRecords;
use karat_model::{
    Corpus, CorpusBuilder, Document, Features, Link, Mention, Restriction, TextIndex, attribute,
};
use selector::{Target, list, text_of};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// The format.
#[derive(Debug)]
pub(crate) struct WebAnnotation;

static INFO: Info = Info {
    name: "web-annotation",
    title: "W3C Web Annotation",
    about: "JSON-LD with one object per mention: `target` names the document and the span (TextPositionSelector in code points, \
            TextQuoteSelector), and a `body` with the purpose `identifying` or `linking` the entity, `classifying` or `tagging` a type, \
            `commenting` a comment. Single annotations, arrays, collections, pages and one object per line are read. \
            The text is usually not in the file; karat writes it once per document, as the value of a source that nothing is said about. \
            NIL is an identifying text `NIL` or `NIL:cluster`; confidence is a property of karat's own.",
    reference: "https://www.w3.org/TR/annotation-model/",
    extensions: &["jsonld"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::NIL_CLUSTERS)
            .union(Features::CONFIDENCE)
            .union(Features::TYPE)
            .union(Features::TYPES)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[attribute::LANGUAGE, attribute::TITLE, attribute::TOPIC],
        annotation_attributes: &[attribute::COMMENT, attribute::ID, attribute::SURFACE],
    },
};

const CONTEXT: &str = "http://www.w3.org/ns/anno.jsonld";
/// The ids that the writer makes up, because every annotation must have one.
const MADE_UP: &str = "urn:karat:";
/// Properties of a source, and what they are for us.
const FACTS: [(&str, &str); 3] = [
    ("language", attribute::LANGUAGE),
    ("dc:title", attribute::TITLE),
    ("dc:subject", attribute::TOPIC),
];
/// How much text a quote has on each side.
const CONTEXT_LENGTH: u32 = 32;

impl Format for WebAnnotation {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let text = sample.text.trim_start();
        let has = |part: &str| text.contains(part);
        if !text.starts_with(['{', '[']) {
            return 0;
        }
        match () {
            () if has("\"http://www.w3.org/ns/anno.jsonld\"") => 95,
            () if !has("\"target\"") => 0,
            () if has("\"TextPositionSelector\"") || has("\"TextQuoteSelector\"") => 90,
            _ => 0,
        }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            let text = file.text()?;
            let mut annotations = Vec::new();
            for record in JsonRecords::of(&text) {
                let Some(record) = reading.accept(record)? else { continue };
                let parsed = serde_json::from_str(record).map_err(|error| {
                    text.json_problem(record, &error)
                        .hint("expected annotations, or a collection or page of them, as JSON-LD")
                });
                let Some(value) = reading.accept::<Value>(parsed)? else { continue };
                let mut found = Vec::new();
                unfold(value, &mut found);
                annotations.extend(found.into_iter().map(|annotation| (record, annotation)));
            }
            read_annotations(&text, &annotations, reading)?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            write!(out, r#"{{"@context":"{CONTEXT}","type":"AnnotationPage","items":["#)?;
            let mut number = 0;
            for document in corpus.documents() {
                let separator = if number > 0 { "," } else { "" };
                write!(out, "{separator}\n{}", declaration(&document, number)?)?;
                number += 1;
                let index = document.text_index();
                for mention in document.mentions() {
                    write!(out, ",\n{}", annotation(&mention, index.as_ref(), number)?)?;
                    number += 1;
                }
            }
            Ok(out.write_all(b"\n]}\n")?)
        })
    }
}

/// The annotations in a record: itself, or the items of a collection or page.
fn unfold(value: Value, found: &mut Vec<Value>) {
    // A stack instead of recursion: a file that nests deeply must not overflow the call stack.
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        match value {
            // Reversed, so that they come off the stack in the order of the file.
            Value::Array(items) => waiting.extend(items.into_iter().rev()),
            Value::Object(mut object) if !object.contains_key("target") => {
                let inner = ["items", "first", "@graph"].map(|key| object.remove(key));
                let inner: Vec<Value> = inner.into_iter().flatten().collect();
                // An address of the first page leads elsewhere.
                waiting.extend(inner.into_iter().filter(|value| !value.is_string()).rev());
            }
            other => found.push(other),
        }
    }
}

/// An annotation and the record it was found in.
type Found<'r> = (&'r str, Value);

fn read_annotations(
    text: &Text<'_>,
    annotations: &[Found<'_>],
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let documents = reading.options.documents.clone();
    // All texts before the first annotation, as a source may carry its text only in its last one.
    let mut texts = texts_of(text, annotations, reading)?;
    let mut described = HashSet::new();
    for (record, annotation) in annotations {
        let here = Here { text, at: text.offset_of(record), len: 1 };
        let located = |problem| located(problem, text, record, annotation);
        if annotation.get("target").is_none() {
            let problem = here.problem(Kind::Malformed, "expected an annotation with a `target`");
            reading.report(problem.hint("the target names the document and the place in it"))?;
        }
        for target in list(annotation.get("target")) {
            let parsed = Target::parse(target).map_err(|message| {
                located(here.problem(Kind::Malformed, message))
                    .hint("expected `source` and a TextPositionSelector with `start` and `end`")
            });
            let Some(target) = reading.accept(parsed)? else { continue };
            if !texts.contains_key(&target.document)
                && let Some(known) = documents.as_deref().and_then(|c| c.document(&target.document))
                // Indexed once per document and kept: the index is linear in the text, and
                // documents have many annotations.
                && let Some(index) = known.text_index()
            {
                texts.insert(target.document.clone(), index);
            }
            let index = texts.get(&target.document);
            reading.names(&target.document, |kind, message| located(here.problem(kind, message)));
            begin(&target, index, &mut described, &mut reading.corpus);
            if target.is_whole() {
                continue;
            }
            let span = target.span(here, index, reading.offsets(INFO.offsets)).map_err(located);
            if let Some(span) = reading.accept(span)? {
                // With a text, the words of a mention are known from its span.
                let surface = target.quote.as_deref().filter(|_| index.is_none());
                add(&mut reading.corpus, span, annotation, surface);
            }
        }
    }
    Ok(())
}

/// The texts that sources carry, by the names of their documents.
fn texts_of<'a>(
    text: &Text<'_>,
    annotations: &'a [Found<'_>],
    reading: &mut Reading<'_>,
) -> Result<HashMap<String, TextIndex<'a>>, Problem> {
    let mut texts = HashMap::new();
    for (record, annotation) in annotations {
        for source in list(annotation.get("target")).filter_map(|target| target.get("source")) {
            let content = source.get("value").and_then(Value::as_str);
            let (Some(name), Some(content)) = (text_of(source), content) else { continue };
            let before = texts.insert(name.to_owned(), TextIndex::new(content));
            if before.is_some_and(|before: TextIndex<'_>| before.text() != content) {
                let message = format!("document `{name}` has two different texts");
                let here = Here { text, at: text.offset_of(record), len: 1 };
                let problem = here.problem(Kind::DuplicateDocument, message);
                let problem = problem.hint("document names must be unique in one input");
                reading.report(located(problem, text, record, annotation))?;
            }
        }
    }
    Ok(texts)
}

/// Moves a problem to the id of its annotation. Looking for it takes time, which
/// only those that are wrong should cost.
fn located(problem: Problem, text: &Text<'_>, record: &str, annotation: &Value) -> Problem {
    let id = annotation.get("id").filter(|id| id.is_string()).map(Value::to_string);
    let Some((at, id)) = id.and_then(|id| Some((record.find(&id)?, id))) else { return problem };
    let here = Here { text, at: text.offset_of(record) + at, len: id.len() };
    Problem { place: here.problem(problem.kind, "").place, ..problem }
}

/// Goes on with the document of a target.
fn begin(
    target: &Target<'_>,
    index: Option<&TextIndex<'_>>,
    described: &mut HashSet<String>,
    corpus: &mut CorpusBuilder,
) {
    corpus.continue_document(&target.document);
    if let Some(index) = index.filter(|_| corpus.text().is_none()) {
        corpus.set_text(index.text());
    }
    let Some(source) = target.source.filter(|source| source.is_object()) else { return };
    // The first source that describes the document decides; later ones often only name it.
    if described.insert(target.document.clone()) {
        for (property, key) in FACTS {
            let value = source.get(property).and_then(Value::as_str);
            corpus.document_attribute(key, value.unwrap_or_default());
        }
    }
}

/// What the bodies of an annotation say.
#[derive(Default)]
struct Bodies<'a> {
    links: Vec<Link>,
    others: Vec<&'a str>,
    types: Vec<&'a str>,
    comments: Vec<&'a str>,
}

impl<'a> Bodies<'a> {
    fn of(annotation: &'a Value, corpus: &mut CorpusBuilder) -> Bodies<'a> {
        let mut bodies = Bodies::default();
        let motivation = list(annotation.get("motivation")).find_map(Value::as_str);
        for body in list(annotation.get("body")) {
            let purpose = list(body.get("purpose")).find_map(Value::as_str).or(motivation);
            let value = body.get("value").and_then(Value::as_str);
            let resource = body.get("source").and_then(text_of).or_else(|| text_of(body));
            // The address of a textual body is only its own.
            let said = value.or(resource);
            match (purpose, said) {
                (Some("classifying" | "tagging"), Some(name)) => bodies.types.push(name),
                (Some("identifying" | "linking"), Some(name)) => {
                    bodies.link(name, value.is_some(), corpus);
                }
                (_, Some(text)) if value.is_some() => bodies.comments.push(text),
                (_, Some(entity)) => bodies.link(entity, false, corpus),
                (_, None) => {}
            }
        }
        bodies.comments.extend(annotation.get("bodyValue").and_then(Value::as_str));
        bodies
    }

    /// The first is the answer; more of them are just as right.
    fn link(&mut self, name: &'a str, is_text: bool, corpus: &mut CorpusBuilder) {
        if !self.links.is_empty() {
            self.others.push(name);
            return;
        }
        // Only a textual body can say NIL; an IRI that begins with these letters is an entity.
        self.links.push(match name.strip_prefix("NIL").filter(|_| is_text) {
            Some("") => Link::NIL,
            Some(rest) if rest.len() > 1 && rest.starts_with(':') => {
                Link::nil_cluster(corpus.intern(&rest[1..]))
            }
            _ => Link::to(corpus.intern(name)),
        });
    }
}

fn add(
    corpus: &mut CorpusBuilder,
    span: karat_model::Span,
    annotation: &Value,
    surface: Option<&str>,
) {
    let bodies = Bodies::of(annotation, corpus);
    let link = bodies.links.first().copied().unwrap_or(Link::NONE);
    let mut added = corpus.annotate(span, link).types(bodies.types);
    if let Some(confidence) = annotation.get("confidence").and_then(Value::as_f64) {
        added = added.confidence(confidence);
    }
    for other in bodies.others.into_iter().filter(|other| !other.is_empty()) {
        added = added.equivalent(other);
    }
    for comment in bodies.comments {
        added = added.attribute(attribute::COMMENT, comment);
    }
    let id = annotation.get("id").and_then(Value::as_str);
    // An id that the writer made up says nothing, and keeping it would make each round trip differ.
    if let Some(id) = id.filter(|id| !id.starts_with(MADE_UP)) {
        added = added.attribute(attribute::ID, id);
    }
    if let Some(surface) = surface {
        added.attribute(attribute::SURFACE, surface);
    }
}

/// An annotation that says nothing about a document but that it is there.
fn declaration(document: &Document<'_>, number: usize) -> Result<Value, WriteError> {
    let mut source = json!({"id": document.name(), "type": "Text"});
    for (property, key) in FACTS {
        let mut values = document.attributes().filter(|&(known, _)| known == key);
        if let Some((_, value)) = values.next() {
            source[property] = value.into();
        }
        if values.next().is_some() {
            let message = format!("there is room for one `{key}` only");
            return Err(WriteError::unrepresentable(document.name(), message));
        }
    }
    if let Some(text) = document.text() {
        source["format"] = "text/plain".into();
        source["value"] = text.into();
    }
    // Without an id the annotations could not say which document they are about.
    if document.name().is_empty() {
        return Err(WriteError::unrepresentable("", "a source needs a name"));
    }
    let id = format!("{MADE_UP}{number}");
    Ok(json!({"id": id, "type": "Annotation", "target": {"source": source}}))
}

fn annotation(
    mention: &Mention<'_>,
    index: Option<&TextIndex<'_>>,
    number: usize,
) -> Result<Value, WriteError> {
    let document = mention.document().name();
    let refuse = |message: String| Err(WriteError::unrepresentable(document, message));
    let mut id = None;
    let mut bodies = Vec::new();
    match (mention.entity(), mention.nil_cluster()) {
        (Some(""), _) => return refuse("an entity without a name has no address".to_owned()),
        (Some(entity), _) => bodies
            .push(json!({"type": "SpecificResource", "purpose": "identifying", "source": entity})),
        (None, Some(cluster)) => bodies.push(textual("identifying", &format!("NIL:{cluster}"))),
        (None, None) if mention.link().is_nil() => bodies.push(textual("identifying", "NIL")),
        (None, None) => {}
    }
    bodies.extend(mention.types().map(|kind| textual("classifying", kind)));
    let mut surface = index.and_then(|index| index.slice(mention.span()));
    for (key, value) in mention.attributes() {
        match key {
            attribute::COMMENT => bodies.push(textual("commenting", value)),
            attribute::ID if id.is_none() && !value.starts_with(MADE_UP) => id = Some(value),
            attribute::SURFACE if surface.is_none() => surface = Some(value),
            _ => {
                return refuse(format!("the attribute `{key}` of {} has no place", mention.span()));
            }
        }
    }
    let id = id.map_or_else(|| format!("{MADE_UP}{number}"), str::to_owned);
    let span = mention.span();
    let mut selectors =
        vec![json!({"type": "TextPositionSelector", "start": span.start, "end": span.end})];
    if let Some(surface) = surface {
        let mut quote = json!({"type": "TextQuoteSelector", "exact": surface});
        if let Some(index) = index {
            let around = |start: u32, end: u32| {
                index.slice(karat_model::Span::new(start, end.min(index.len())))
            };
            quote["prefix"] = around(span.start.saturating_sub(CONTEXT_LENGTH), span.start).into();
            quote["suffix"] = around(span.end, span.end.saturating_add(CONTEXT_LENGTH)).into();
        }
        selectors.push(quote);
    }
    let mut annotation = json!({
        "id": id, "type": "Annotation", "motivation": "identifying", "body": bodies,
        "target": {"source": document, "selector": selectors},
    });
    match mention.confidence() {
        Some(score) if !score.is_finite() => {
            return refuse(format!("the confidence {score} of {span} has no form in JSON"));
        }
        Some(score) => annotation["confidence"] = score.into(),
        None => {}
    }
    Ok(annotation)
}

fn textual(purpose: &str, value: &str) -> Value {
    json!({"type": "TextualBody", "purpose": purpose, "value": value})
}

//! Writing NIF that every Turtle parser accepts.

use super::spelling::{self, NO_ANSWER};
use crate::format::WriteError;
use crate::formats::nif::answer::nil_iri;
use crate::formats::nif::tags::{DERIVED, category_iri};
use karat_model::{Corpus, Document, MarkKind, Mention, Span, TextIndex, Vocabulary, attribute};
use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write;

const HEADER: &str = "\
@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .
@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
";

/// Writes a corpus.
pub(super) fn write(
    corpus: &Corpus,
    vocabulary: Option<Vocabulary>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    out.write_all(HEADER.as_bytes())?;
    for document in corpus.documents() {
        write_document(&document, vocabulary.unwrap_or(Vocabulary::Fel), out)?;
    }
    Ok(())
}

fn write_document(
    document: &Document<'_>,
    vocabulary: Vocabulary,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    let Some(index) = document.text_index() else { return Ok(()) };
    let base = spelling::document_iri(document.name());
    let context = format!("{base}#char=0,{}", index.len());
    write!(
        out,
        "\n<{context}>\n  a nif:Context , nif:String , nif:RFC5147String ;\n  \
         nif:beginIndex \"0\"^^xsd:nonNegativeInteger ;\n  \
         nif:endIndex \"{}\"^^xsd:nonNegativeInteger ;\n  \
         nif:isString {} .\n",
        index.len(),
        literal(index.text()),
    )?;
    let place = Place { document, base: &base, context: &context, index: &index, vocabulary };
    let mut sentences = HashSet::new();
    for (span, value) in document.marks_of(MarkKind::Sentence) {
        if !sentences.insert(span) || !value.is_empty() {
            let message = format!("the sentence at {span} occurs twice or has a value");
            return Err(WriteError::unrepresentable(document.name(), message));
        }
        place.write(out, span, "nif:Sentence")?;
        out.write_all(b" .\n")?;
    }
    document.mentions().try_for_each(|mention| write_mention(&mention, &place, out))
}

/// Where mentions and sentences are.
struct Place<'p, 'c> {
    document: &'p Document<'c>,
    base: &'p str,
    context: &'p str,
    index: &'p TextIndex<'c>,
    vocabulary: Vocabulary,
}

impl Place<'_, '_> {
    /// The beginning of a statement about a span.
    fn write(&self, out: &mut dyn Write, span: Span, kind: &str) -> Result<(), WriteError> {
        let Some(anchor) = self.index.slice(span) else {
            let message = format!("{span} is outside the text");
            return Err(WriteError::unrepresentable(self.document.name(), message));
        };
        let Place { base, context, .. } = self;
        let Span { start, end } = span;
        let anchor = literal(anchor);
        write!(
            out,
            "\n<{base}#char={start},{end}>\n  a {kind} , nif:String , nif:RFC5147String ;\n  \
             nif:anchorOf {anchor} ;\n  \
             nif:beginIndex \"{start}\"^^xsd:nonNegativeInteger ;\n  \
             nif:endIndex \"{end}\"^^xsd:nonNegativeInteger ;\n  \
             nif:referenceContext <{context}>"
        )?;
        Ok(())
    }
}

fn write_mention(
    mention: &Mention<'_>,
    place: &Place<'_, '_>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    place.write(out, mention.span(), "nif:Phrase")?;
    let links = links(mention);
    let tags = mention.tags().map(|name| tag(name, place.vocabulary).into());
    let classes = mention.types().map(spelling::type_iri).chain(tags);
    write_iris(out, "itsrdf:taIdentRef", &links)?;
    write_iris(out, "itsrdf:taClassRef", &classes.collect::<Vec<_>>())?;
    if let Some(confidence) = mention.confidence() {
        let confidence = confidence.to_string().replace("inf", "INF");
        write!(out, " ;\n  itsrdf:taConfidence \"{confidence}\"^^xsd:double")?;
    }
    if let Some(comment) = mention.attribute(attribute::COMMENT) {
        write!(out, " ;\n  rdfs:comment {}", literal(comment))?;
    }
    if let Some(derived) = mention.attribute(attribute::DERIVED) {
        write!(out, " ;\n  <{DERIVED}> {}", literal(derived))?;
    }
    Ok(out.write_all(b" .\n")?)
}

/// The answer and, after it, what is just as right.
fn links<'c>(mention: &Mention<'c>) -> Vec<Cow<'c, str>> {
    let mut links: Vec<Cow<'c, str>> = Vec::new();
    match mention.entity() {
        Some(entity) => links.push(spelling::iri(entity)),
        None if mention.link().is_nil() => links.push(nil_iri(mention.nil_cluster()).into()),
        None if mention.equivalents().len() > 0 => links.push(NO_ANSWER.into()),
        None => {}
    }
    links.extend(mention.equivalents().map(spelling::iri));
    links
}

fn tag(name: &str, vocabulary: Vocabulary) -> String {
    category_iri(name, vocabulary).unwrap_or_else(|| spelling::tag_iri(name))
}

fn write_iris(
    out: &mut dyn Write,
    property: &str,
    iris: &[Cow<'_, str>],
) -> Result<(), WriteError> {
    for (number, iri) in iris.iter().enumerate() {
        match number {
            0 => write!(out, " ;\n  {property} <{iri}>")?,
            _ => write!(out, " , <{iri}>")?,
        }
    }
    Ok(())
}

/// A string with everything escaped that Turtle wants escaped.
fn literal(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for character in text.chars() {
        match character {
            '"' => literal.push_str("\\\""),
            '\\' => literal.push_str("\\\\"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '\t' => literal.push_str("\\t"),
            _ => literal.push(character),
        }
    }
    literal.push('"');
    literal
}

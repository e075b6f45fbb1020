//! Writing the dialect.

use super::assemble::tag;
use crate::format::WriteError;
use crate::formats::nif::answer::{Answer, NOT_IN_LEXICO, nil_iri};
use crate::formats::nif::fragment::Located;
use crate::formats::nif::tags::DERIVED;
use crate::problem::Flaw;
use karat_model::{Corpus, Document, MarkKind, Mention, Span, TextIndex, Vocabulary, attribute};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::io::Write;

const HEADER: &str = "\
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .
@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .
@prefix dbo: <http://dbpedia.org/ontology/> .
";

/// Writes a corpus.
pub(super) fn write(
    corpus: &Corpus,
    vocabulary: Option<Vocabulary>,
    out: &mut dyn Write,
) -> Result<(), WriteError> {
    out.write_all(HEADER.as_bytes())?;
    let mut writer = Writer {
        out,
        vocabulary: vocabulary.unwrap_or(Vocabulary::El),
        types: shared_types(corpus),
        stated: HashSet::new(),
        sentences: 0,
    };
    for document in corpus.documents() {
        writer.document(&document)?;
    }
    Ok(())
}

/// The types of each entity, if all its mentions agree on them.
fn shared_types(corpus: &Corpus) -> HashMap<&str, Option<Vec<&str>>> {
    let mut shared: HashMap<&str, Option<Vec<&str>>> = HashMap::new();
    for mention in corpus.documents().flat_map(|document| document.mentions()) {
        let Some(entity) = mention.entity() else { continue };
        let types: Vec<&str> = mention.types().collect();
        let known = shared.entry(entity).or_insert_with(|| Some(types.clone()));
        if known.as_ref() != Some(&types) {
            *known = None;
        }
    }
    shared
}

struct Writer<'w, 'c> {
    out: &'w mut dyn Write,
    vocabulary: Vocabulary,
    types: HashMap<&'c str, Option<Vec<&'c str>>>,
    /// The entities whose types were written.
    stated: HashSet<&'c str>,
    /// How many sentences were written; their numbers go through the whole file.
    sentences: usize,
}

/// A sentence of the document being written.
struct Sentence<'c> {
    span: Span,
    text: &'c str,
    subject: String,
}

impl<'c> Writer<'_, 'c> {
    fn document(&mut self, document: &Document<'c>) -> Result<(), WriteError> {
        let name = document.name();
        let no_room = |flaw: Flaw| WriteError::unrepresentable(name, flaw);
        let Some(index) = document.text_index() else { return Ok(()) };
        check_iri(name).map_err(no_room)?;
        let subject = format!("{name}#char=0,{}", index.len());
        // A name that looks like offsets keeps them if real ones follow.
        let source = if Located::of(name).document == name { name } else { &subject };
        let text = escaped(index.text());
        let end = index.len();
        write!(
            self.out,
            "\n<{subject}>\n        a nif:String , nif:Context , nif:RFC5147String ;\n        \
             nif:isString \"\"\"{text}\"\"\"^^xsd:string ;\n        \
             nif:beginIndex \"0\"^^xsd:nonNegativeInteger ;\n        \
             nif:endIndex \"{end}\"^^xsd:nonNegativeInteger ;\n        \
             nif:sourceUrl <{source}> .\n"
        )?;
        let sentences = self.sentences_of(document, &index)?;
        let places = document.mentions().filter_map(|mention| mention.place());
        let parents: HashSet<u32> = places.map(|place| place.parent).collect();
        let mut written = 0;
        for (number, mention) in document.mentions().enumerate() {
            let before = sentences.partition_point(|s| s.span.start <= mention.span().start);
            let home =
                before.checked_sub(1).filter(|&s| sentences[s].span.contains(mention.span()));
            let due = home.map_or(written, |home| written.max(home + 1));
            for sentence in &sentences[written..due] {
                self.sentence(sentence, &subject)?;
            }
            written = due;
            let home = home.map(|home| &sentences[home]);
            let alternative = alternative(&mention, number, &parents).map_err(no_room)?;
            self.mention(&mention, &index, &subject, home, alternative)?;
        }
        sentences[written..].iter().try_for_each(|sentence| self.sentence(sentence, &subject))
    }

    fn sentences_of(
        &mut self,
        document: &Document<'c>,
        index: &TextIndex<'c>,
    ) -> Result<Vec<Sentence<'c>>, WriteError> {
        let name = document.name();
        let mut sentences = Vec::new();
        for (span, value) in document.marks_of(MarkKind::Sentence) {
            let (Some(text), "") = (index.slice(span), value) else {
                let message = format!("the sentence at {span} is outside the text or has a value");
                return Err(WriteError::unrepresentable(name, message));
            };
            let number = self.sentences;
            let subject = format!("{name}_sentence{number}#{},{}", span.start, span.end);
            sentences.push(Sentence { span, text, subject });
            self.sentences += 1;
        }
        sentences.sort_by_key(|sentence| sentence.span.start);
        Ok(sentences)
    }

    fn sentence(&mut self, sentence: &Sentence<'_>, document: &str) -> Result<(), WriteError> {
        let Sentence { span, text, subject } = sentence;
        write!(
            self.out,
            "\n<{subject}>\n        a nif:String , nif:Context , nif:RFC5147String ;\n        \
             nif:isString \"\"\"{text}\"\"\"^^xsd:string ;\n        \
             nif:beginIndex \"{begin}\"^^xsd:nonNegativeInteger ;\n        \
             nif:endIndex \"{end}\"^^xsd:nonNegativeInteger ;\n        \
             nif:broaderContext <{document}> .\n",
            text = escaped(text),
            begin = span.start,
            end = span.end,
        )?;
        Ok(())
    }

    fn mention(
        &mut self,
        mention: &Mention<'c>,
        index: &TextIndex<'c>,
        document: &str,
        home: Option<&Sentence<'_>>,
        alternative: Option<u32>,
    ) -> Result<(), WriteError> {
        let no_room =
            |message: String| WriteError::unrepresentable(mention.document().name(), message);
        let span = mention.span();
        let Some(anchor) = index.slice(span) else {
            return Err(no_room(format!("the mention at {span} is outside the text")));
        };
        let start = home.map_or(0, |sentence| sentence.span.start);
        let (begin, end) = (span.start - start, span.end - start);
        let context = home.map_or(document, |sentence| sentence.subject.as_str());
        let base = context.rsplit_once('#').map_or(context, |(base, _)| base);
        let suffix = alternative.map_or(String::new(), |number| format!(";{number}"));
        write!(
            self.out,
            "\n<{base}#char={begin},{end}{suffix}>\n        \
             a nif:String , nif:Context , nif:Phrase , nif:RFC5147String ;\n        \
             nif:referenceContext <{context}> ;\n        \
             nif:context <{document}> ;\n        \
             nif:anchorOf \"\"\"{anchor}\"\"\"^^xsd:string ;\n        \
             nif:beginIndex \"{begin}\"^^xsd:nonNegativeInteger ;\n        \
             nif:endIndex \"{end}\"^^xsd:nonNegativeInteger",
            anchor = escaped(anchor),
        )?;
        if let Some(comment) = mention.attribute(attribute::COMMENT) {
            write!(
                self.out,
                " ;\n        rdfs:comment \"\"\"{}\"\"\"^^xsd:string",
                escaped(comment)
            )?;
        }
        if let Some(derived) = mention.attribute(attribute::DERIVED) {
            let derived = escaped(derived);
            write!(self.out, " ;\n        <{DERIVED}> \"\"\"{derived}\"\"\"^^xsd:string")?;
        }
        let tags: Result<Vec<_>, _> =
            mention.tags().map(|tag| written_tag(tag, self.vocabulary)).collect();
        let tags = tags.map_err(|flaw| no_room(flaw.into()))?.join(", ");
        if !tags.is_empty() {
            write!(self.out, " ;\n        itsrdf:taClassRef {tags}")?;
        }
        if let Some(confidence) = mention.confidence() {
            write!(self.out, " ;\n        itsrdf:taConfidence \"{confidence}\"^^xsd:double")?;
        }
        self.answer(mention).map_err(|error| match error {
            WriteError::Unrepresentable { message, .. } => no_room(message),
            other => other,
        })
    }

    /// The link with its types, and the end of the statement.
    fn answer(&mut self, mention: &Mention<'c>) -> Result<(), WriteError> {
        let no_room = |message: String| WriteError::unrepresentable("", message);
        let types: Result<Vec<_>, _> = mention.types().map(written_type).collect();
        let types = types.map_err(|flaw| no_room(flaw.into()))?.join(", ");
        let typed = !types.is_empty();
        if let Some(entity) = mention.entity() {
            check_iri(entity).map_err(|flaw| no_room(flaw.into()))?;
            if Answer::of(entity) != Answer::Entity(entity) {
                return Err(no_room(format!("`{entity}` would be read as NIL")));
            }
            let shared = self.types.get(entity).is_some_and(Option::is_some);
            if typed && !shared {
                write!(self.out, " ;\n        mnt:entityType {types}")?;
            }
            write!(self.out, " ;\n        itsrdf:taIdentRef <{entity}> .\n")?;
            if typed && shared && self.stated.insert(entity) {
                write!(self.out, "\n<{entity}> mnt:entityType {types} .\n")?;
            }
            return Ok(());
        }
        if mention.link().is_none() {
            let own =
                if typed { format!(" ;\n        mnt:entityType {types}") } else { String::new() };
            return Ok(writeln!(self.out, "{own} .")?);
        }
        if typed {
            write!(self.out, " ;\n        itsrdf:taIdentRef [mnt:entityType {types}]")?;
        }
        let nil = match mention.nil_cluster() {
            None => Cow::Borrowed(NOT_IN_LEXICO),
            cluster => Cow::Owned(nil_iri(cluster)),
        };
        Ok(write!(self.out, " ;\n        itsrdf:taIdentRef <{nil}> .\n")?)
    }
}

/// The number of a mention among the alternatives on its span, if it has any.
fn alternative(
    mention: &Mention<'_>,
    number: usize,
    parents: &HashSet<u32>,
) -> Result<Option<u32>, Flaw> {
    match mention.place() {
        Some(place) if place.parent as usize >= number => {
            Err(format!("the alternative at {} stands before what it is one of", mention.span())
                .into())
        }
        Some(place) => Ok(Some(place.reading.saturating_add(1))),
        None => Ok(parents.contains(&(number as u32)).then_some(1)),
    }
}

/// The dialect has no escapes in IRIs.
fn check_iri(iri: &str) -> Result<(), Flaw> {
    if iri.contains(['>', '\n']) || iri.starts_with(char::is_whitespace) {
        return Err(format!("{} has no form as an IRI", crate::anchor::quoted(iri)).into());
    }
    Ok(())
}

fn is_name(local: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !local.is_empty() && local.bytes().all(plain)
}

fn written_type(name: &str) -> Result<String, Flaw> {
    if is_name(name) {
        return Ok(format!("mnt:{name}"));
    }
    check_iri(name)?;
    Ok(format!("<{name}>"))
}

/// How a tag is written. Tags of the three vocabularies are one when they are read again.
fn written_tag(name: &str, vocabulary: Vocabulary) -> Result<String, Flaw> {
    if let Some(category) = Vocabulary::El.tagged(name) {
        return Ok(category.tag(vocabulary));
    }
    let known = |prefix: &str| matches!(prefix, "el" | "fel" | "mnt" | "tax");
    let short = name.split_once(':').is_some_and(|(prefix, local)| known(prefix) && is_name(local));
    let read = if short { tag(name) } else { tag(&format!("<{name}")) };
    check_iri(name)?;
    if read != name {
        return Err(format!("the tag `{name}` would be read as `{read}`").into());
    }
    Ok(if short { name.to_owned() } else { format!("<{name}>") })
}

/// A text for a long string. Single quotes stand as they are, as in the
/// published files; what would end the string or be an escape is escaped.
fn escaped(text: &str) -> Cow<'_, str> {
    let ends_badly = text.ends_with('"') || text.contains("\"\"");
    if !ends_badly && !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek();
        if character == '\\' || (character == '"' && next.is_none_or(|&next| next == '"')) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    Cow::Owned(escaped)
}

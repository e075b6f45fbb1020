//! What the statements say, one record each.

use crate::formats::nif::fragment::Located;
use crate::formats::nif::slips::{PROPERTIES_COUNT, offsets_differ};
use crate::formats::nif::tags::DERIVED;
use crate::problem::Kind;
use crate::syntax::turtle::{Fault, Iri, Namespace, Term, Triple, Turtle};
use karat_model::{Interner, StrId};
use std::borrow::Cow;

/// Separates the items of a list of names; no IRI holds one.
pub(super) const SEPARATOR: char = '\n';

/// The records of a stretch of a file, each kind in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Records<'t> {
    pub(super) documents: Vec<DocumentRecord<'t>>,
    pub(super) sentences: Vec<SentenceRecord<'t>>,
    pub(super) mentions: Vec<MentionRecord<'t>>,
    /// The types of links.
    pub(super) entity_types: Vec<(Cow<'t, str>, StrId)>,
    /// Lists of tags and types as written, which repeat all the time.
    pub(super) lists: Interner,
    pub(super) faults: Vec<Fault>,
    /// What was wrong with a record and can be told from the rest.
    pub(super) slips: Vec<Slip>,
}

/// Something that was wrong with a record and is mended.
#[derive(Debug)]
pub(super) struct Slip {
    /// Where the record starts.
    pub(super) at: usize,
    pub(super) kind: Kind,
    pub(super) message: String,
    pub(super) hint: &'static str,
}

#[derive(Debug)]
pub(super) struct DocumentRecord<'t> {
    pub(super) at: usize,
    pub(super) subject: Cow<'t, str>,
    pub(super) source: Option<Cow<'t, str>>,
    pub(super) text: Option<Cow<'t, str>>,
    pub(super) end: Option<u64>,
}

#[derive(Debug)]
pub(super) struct SentenceRecord<'t> {
    pub(super) at: usize,
    pub(super) subject: Cow<'t, str>,
    pub(super) document: Cow<'t, str>,
    pub(super) text: Cow<'t, str>,
    pub(super) begin: u64,
    pub(super) end: u64,
}

#[derive(Debug)]
pub(super) struct MentionRecord<'t> {
    pub(super) at: usize,
    /// The sentence, or the document itself.
    pub(super) context: Cow<'t, str>,
    /// The document, where it is named beside the sentence.
    pub(super) document: Option<Cow<'t, str>>,
    pub(super) begin: u32,
    pub(super) end: u32,
    pub(super) anchor: Option<Cow<'t, str>>,
    pub(super) answer: Ident<'t>,
    pub(super) tags: StrId,
    pub(super) types: StrId,
    pub(super) alternative: u32,
    pub(super) confidence: f64,
    pub(super) comment: Option<Box<str>>,
    pub(super) derived: Option<Box<str>>,
}

impl<'t> MentionRecord<'t> {
    /// The same mention with another link.
    fn with(&self, link: Cow<'t, str>) -> MentionRecord<'t> {
        MentionRecord {
            context: self.context.clone(),
            document: self.document.clone(),
            anchor: self.anchor.clone(),
            answer: Ident::Iri(link),
            comment: self.comment.clone(),
            derived: self.derived.clone(),
            ..*self
        }
    }
}

/// What a mention is linked to, as written.
#[derive(Debug, Clone)]
pub(super) enum Ident<'t> {
    None,
    /// A blank node and nothing else.
    Unnamed,
    Iri(Cow<'t, str>),
}

impl<'t> Records<'t> {
    /// Reads all statements of a stretch.
    pub(super) fn read(turtle: &mut Turtle<'t>) -> Records<'t> {
        let mut records = Records::default();
        let mut triples = Vec::new();
        let mut draft = Draft::default();
        while let Some(statement) = turtle.read(&mut triples) {
            let added = statement.and_then(|at| {
                draft.clear(at);
                draft.fill(turtle, &mut triples)?;
                records.add(turtle, &mut draft)
            });
            if let Err(fault) = added {
                records.faults.push(fault);
            }
            turtle.reserve(&mut records.mentions);
        }
        records
    }

    fn add(&mut self, turtle: &Turtle<'t>, draft: &mut Draft<'t>) -> Result<(), Fault> {
        // Nothing can refer to a blank node, but what it says of itself is as good.
        let subject = match draft.subject.take() {
            Some(Term::Iri(subject)) => turtle.expand(&subject),
            Some(Term::Blank(_)) => Cow::Borrowed(""),
            Some(Term::Literal { .. }) | None => return Ok(()),
        };
        if let Some(document) = draft.broader.take() {
            return self.add_sentence(draft, subject, document);
        }
        if let Some(context) = draft.reference.take().or_else(|| draft.context.take()) {
            return self.add_mention(draft, &subject, context);
        }
        if draft.source.is_some() || draft.text.is_some() {
            if subject.is_empty() && draft.source.is_none() {
                return Err(draft.fault("this document has neither an IRI nor a nif:sourceUrl"));
            }
            self.check_offsets(draft, &subject);
            let (source, text) = (draft.source.take(), draft.text.take());
            self.documents.push(DocumentRecord {
                at: draft.at,
                subject,
                source,
                text,
                end: draft.end,
            });
        } else if !draft.types.is_empty() && !subject.is_empty() {
            self.entity_types.push((trimmed(subject), self.lists.intern(&draft.types)));
        } else if draft.anchor.is_some() {
            return Err(draft.fault("this mention has no nif:referenceContext"));
        }
        Ok(())
    }

    /// The properties count; an IRI that says something else is worth a remark.
    fn check_offsets(&mut self, draft: &Draft<'t>, subject: &str) {
        if let (Some(begin), Some(end)) = (draft.begin, draft.end)
            && let Some(message) = offsets_differ(subject, (begin, end))
        {
            let hint = PROPERTIES_COUNT;
            self.slips.push(Slip { at: draft.at, kind: Kind::Offset, message, hint });
        }
    }

    fn add_sentence(
        &mut self,
        draft: &mut Draft<'t>,
        subject: Cow<'t, str>,
        document: Cow<'t, str>,
    ) -> Result<(), Fault> {
        let Some(text) = draft.text.take() else {
            return Err(draft.fault("this sentence has no nif:isString"));
        };
        let (begin, end) = draft.offsets(&subject)?;
        self.check_offsets(draft, &subject);
        self.sentences.push(SentenceRecord { at: draft.at, subject, document, text, begin, end });
        Ok(())
    }

    fn add_mention(
        &mut self,
        draft: &mut Draft<'t>,
        subject: &str,
        context: Cow<'t, str>,
    ) -> Result<(), Fault> {
        let (begin, end) = draft.offsets(subject)?;
        self.check_offsets(draft, subject);
        if let Some(link) = draft.padded.take() {
            let message = format!("the link `{link}` has white space at its edges");
            let hint = "it was read without";
            self.slips.push(Slip { at: draft.at, kind: Kind::LinkShape, message, hint });
        }
        let too_far = |_| draft.fault("this offset is beyond any text");
        let begin = u32::try_from(begin).map_err(too_far)?;
        let end = u32::try_from(end).map_err(too_far)?;
        let answer = match (draft.links.is_empty(), draft.unnamed) {
            (false, _) => Ident::Iri(draft.links.remove(0)),
            (true, true) => Ident::Unnamed,
            (true, false) => Ident::None,
        };
        let first = MentionRecord {
            at: draft.at,
            context,
            document: draft.context.take(),
            begin,
            end,
            anchor: draft.anchor.take(),
            answer,
            tags: self.lists.intern(&draft.tags),
            types: self.lists.intern(&draft.types),
            alternative: Located::of(subject).alternative.unwrap_or_default(),
            confidence: draft.confidence,
            comment: draft.comment.take(),
            derived: draft.derived.take(),
        };
        // A second link says that another reading is just as right.
        let others: Vec<_> = draft.links.drain(..).map(|link| first.with(link)).collect();
        self.mentions.push(first);
        self.mentions.extend(others);
        Ok(())
    }
}

/// One statement while it is read.
#[derive(Debug, Default)]
struct Draft<'t> {
    at: usize,
    subject: Option<Term<'t>>,
    text: Option<Cow<'t, str>>,
    begin: Option<u64>,
    end: Option<u64>,
    source: Option<Cow<'t, str>>,
    broader: Option<Cow<'t, str>>,
    reference: Option<Cow<'t, str>>,
    context: Option<Cow<'t, str>>,
    anchor: Option<Cow<'t, str>>,
    links: Vec<Cow<'t, str>>,
    /// A link that starts with white space, as written.
    padded: Option<Cow<'t, str>>,
    unnamed: bool,
    tags: String,
    types: String,
    confidence: f64,
    comment: Option<Box<str>>,
    derived: Option<Box<str>>,
}

impl<'t> Draft<'t> {
    fn clear(&mut self, at: usize) {
        let (mut links, mut tags, mut types) = (
            std::mem::take(&mut self.links),
            std::mem::take(&mut self.tags),
            std::mem::take(&mut self.types),
        );
        links.clear();
        tags.clear();
        types.clear();
        *self = Draft { at, links, tags, types, confidence: f64::NAN, ..Draft::default() };
    }

    fn fault(&self, message: &str) -> Fault {
        Fault { at: self.at, len: 1, message: message.to_owned(), truncated: false }
    }

    /// The offsets, which may stand in the IRI only.
    fn offsets(&self, subject: &str) -> Result<(u64, u64), Fault> {
        match (self.begin, self.end) {
            (Some(begin), Some(end)) => Ok((begin, end)),
            _ => Located::of(subject).offsets.ok_or_else(|| {
                self.fault("expected nif:beginIndex and nif:endIndex, or offsets in the IRI")
            }),
        }
    }

    fn add_link(&mut self, link: Option<Cow<'t, str>>) {
        let Some(link) = link else { return };
        if link.starts_with(char::is_whitespace) {
            self.padded = Some(link.clone());
        }
        self.links.push(trimmed(link));
    }

    fn fill(&mut self, turtle: &Turtle<'t>, triples: &mut Vec<Triple<'t>>) -> Result<(), Fault> {
        self.subject = triples.first().map(|triple| triple.subject.clone());
        for Triple { predicate, object, at, .. } in triples.drain(..) {
            let (namespace, property) = predicate.split();
            match (namespace, property) {
                (Namespace::NIF, "isString") => self.text = object.into_value(),
                (Namespace::NIF, "beginIndex") => self.begin = Some(offset(object, at)?),
                (Namespace::NIF, "endIndex") => self.end = Some(offset(object, at)?),
                (Namespace::NIF, "anchorOf") => self.anchor = object.into_value(),
                (Namespace::NIF, "sourceUrl") => self.source = iri(turtle, object),
                (Namespace::NIF, "broaderContext") => self.broader = iri(turtle, object),
                (Namespace::NIF, "referenceContext") => {
                    self.reference = iri(turtle, object);
                }
                (Namespace::NIF, "context") => self.context = iri(turtle, object),
                (Namespace::ITSRDF, "taClassRef") => add(&mut self.tags, turtle, &object),
                (Namespace::ITSRDF, "taIdentRef") => match object {
                    Term::Blank(_) => self.unnamed = true,
                    object => self.add_link(iri(turtle, object)),
                },
                (Namespace::ITSRDF, "taConfidence") => self.confidence = number(object, at)?,
                (Namespace::MNT | Namespace::FEL, "entityType") => {
                    add(&mut self.types, turtle, &object);
                }
                (Namespace::RDFS, "comment") => {
                    self.comment = object.into_value().map(Into::into);
                }
                (Namespace::WHOLE, DERIVED) => {
                    self.derived = object.into_value().map(Into::into);
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn iri<'t>(turtle: &Turtle<'t>, term: Term<'t>) -> Option<Cow<'t, str>> {
    match term {
        Term::Iri(iri) => Some(turtle.expand(&iri)),
        Term::Literal { value, .. } => Some(value),
        Term::Blank(_) => None,
    }
}

/// A published link starts with a space. No name does; a space at the end is kept.
fn trimmed(iri: Cow<'_, str>) -> Cow<'_, str> {
    match iri {
        Cow::Borrowed(iri) => Cow::Borrowed(iri.trim_start()),
        Cow::Owned(iri) => Cow::Owned(iri.trim_start().to_owned()),
    }
}

/// Adds a name to a list: `el:Mnt-Full` if it was written so, `<...` otherwise.
fn add<'t>(list: &mut String, turtle: &Turtle<'t>, term: &Term<'t>) {
    if !list.is_empty() {
        list.push(SEPARATOR);
    }
    match term {
        Term::Iri(name) if is_local(name) => {
            list.push_str(name.prefix);
            list.push(':');
            list.push_str(&name.local);
        }
        Term::Iri(name) => {
            list.push('<');
            list.push_str(&turtle.expand(name));
        }
        Term::Literal { value, .. } => {
            list.push('<');
            list.extend(value.chars().filter(|&c| c != SEPARATOR));
        }
        Term::Blank(_) => {}
    }
}

/// Whether a name is of the vocabularies that go by their prefix.
fn is_local(name: &Iri<'_>) -> bool {
    matches!(name.prefix, "el" | "fel" | "mnt" | "tax")
}

fn offset(object: Term<'_>, at: usize) -> Result<u64, Fault> {
    let value = object.into_value().unwrap_or_default();
    value.trim().parse().map_err(|_| not_a(at, "an offset", &value))
}

fn number(object: Term<'_>, at: usize) -> Result<f64, Fault> {
    let value = object.into_value().unwrap_or_default();
    value.trim().parse().map_err(|_| not_a(at, "a number", &value))
}

fn not_a(at: usize, what: &str, value: &str) -> Fault {
    let message = format!("expected {what}, found {}", crate::anchor::quoted(value));
    Fault { at, len: value.len() + 2, message, truncated: false }
}

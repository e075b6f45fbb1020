//! What statements say about one subject.

use super::spelling;
use crate::formats::nif::tags::{DERIVED, tag_of};
use crate::syntax::turtle::{Fault, Namespace, Term, Triple, Turtle};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// What the statements of a stretch of a file say, and what is wrong with them.
#[derive(Debug, Default)]
pub(super) struct Nodes<'t> {
    pub(super) nodes: Vec<Node<'t>>,
    pub(super) faults: Vec<Fault>,
}

/// What one statement, or several put together, say about a subject. There is
/// one for each mention, so it is small; what is rare stands apart.
#[derive(Debug)]
pub(super) struct Node<'t> {
    pub(super) at: usize,
    /// Where the statement is that makes it a mention.
    pub(super) mention_at: usize,
    /// An IRI, or a blank node as `_:name`.
    pub(super) subject: Cow<'t, str>,
    pub(super) kinds: Kinds,
    pub(super) anchor: Option<Cow<'t, str>>,
    pub(super) begin: Option<u32>,
    pub(super) end: Option<u32>,
    pub(super) context: Option<Cow<'t, str>>,
    pub(super) link: Option<Cow<'t, str>>,
    /// NaN for none.
    pub(super) confidence: f64,
    /// Types and tags as one string; the same lists come again and again.
    pub(super) classes: Option<Arc<str>>,
    pub(super) rare: Option<Box<Rare<'t>>>,
}

/// What few nodes say.
#[derive(Debug, Default)]
pub(super) struct Rare<'t> {
    pub(super) text: Option<Cow<'t, str>>,
    pub(super) comment: Option<Cow<'t, str>>,
    /// Which of its tags and types were derived.
    pub(super) derived: Option<Cow<'t, str>>,
    /// Links after the first.
    pub(super) links: Vec<Cow<'t, str>>,
    /// Annotation units of NIF 2.1, which say the rest.
    pub(super) units: Vec<Cow<'t, str>>,
    /// What an entity of the file is elsewhere.
    pub(super) same_as: Vec<Cow<'t, str>>,
}

bitflags::bitflags! {
    /// What a subject was said to be.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Kinds: u8 {
        const CONTEXT = 1;
        const SENTENCE = 1 << 1;
        /// A phrase or entity: surely a mention.
        const PHRASE = 1 << 2;
        /// A word or string: a mention unless it is part of the structure.
        const STRING = 1 << 3;
        /// A token of a tokeniser, a paragraph or a title.
        const STRUCTURE = 1 << 4;
        /// An annotation unit, which belongs to a mention.
        const UNIT = 1 << 5;
        /// An entity that the file describes: it has a label, or is the same as another.
        const ENTITY = 1 << 6;
    }
}

/// Reads all statements of a stretch of a file.
pub(super) fn read<'t>(turtle: &mut Turtle<'t>) -> Nodes<'t> {
    let mut found = Nodes::default();
    let mut triples = Vec::new();
    let mut lists = Lists::default();
    while let Some(statement) = turtle.read(&mut triples) {
        let before = found.nodes.len();
        let nodes = &mut found.nodes;
        let added = statement.and_then(|at| add(turtle, at, &mut triples, nodes, &mut lists));
        if let Err(fault) = added {
            // A statement counts as a whole or not at all: half of one would be a mention without
            // its link.
            found.nodes.truncate(before);
            found.faults.push(fault);
        }
        turtle.reserve(&mut found.nodes);
    }
    found
}

fn add<'t>(
    turtle: &Turtle<'t>,
    at: usize,
    triples: &mut Vec<Triple<'t>>,
    nodes: &mut Vec<Node<'t>>,
    lists: &mut Lists,
) -> Result<(), Fault> {
    lists.current.clear();
    let mut current: Option<(Term<'t>, Node<'t>)> = None;
    for Triple { subject, predicate, object, at: object_at } in triples.drain(..) {
        // Triples of one subject mostly follow each other, so that a comparison with the last one
        // is enough.
        if current.as_ref().is_none_or(|(known, _)| *known != subject) {
            let node = Node::new(at, name(turtle, &subject));
            if let Some((_, done)) = &mut current {
                done.classes = lists.take();
            }
            // What brackets interrupted goes on as another node of the same subject.
            let done = current.replace((subject, node));
            nodes.extend(done.map(|(_, node)| node).filter(Node::says_something));
        }
        if let Some((_, node)) = &mut current {
            node.learn(turtle, predicate.split(), object, object_at, &mut lists.current)?;
        }
    }
    if let Some((_, done)) = &mut current {
        done.classes = lists.take();
    }
    nodes.extend(current.map(|(_, node)| node).filter(Node::says_something));
    Ok(())
}

/// The lists of classes so far, each kept once.
#[derive(Default)]
struct Lists {
    known: HashSet<Arc<str>>,
    current: String,
}

impl Lists {
    /// The list that was being made, shared with all that are the same.
    fn take(&mut self) -> Option<Arc<str>> {
        if self.current.is_empty() {
            return None;
        }
        let list = match self.known.get(self.current.as_str()) {
            Some(list) => Arc::clone(list),
            None => {
                let list: Arc<str> = self.current.as_str().into();
                self.known.insert(Arc::clone(&list));
                list
            }
        };
        self.current.clear();
        Some(list)
    }
}

fn name<'t>(turtle: &Turtle<'t>, subject: &Term<'t>) -> Cow<'t, str> {
    match subject {
        Term::Iri(iri) => turtle.expand(iri),
        Term::Blank(blank) => format!("_:{blank:?}").into(),
        Term::Literal { value, .. } => value.clone(),
    }
}

impl<'t> Node<'t> {
    fn new(at: usize, subject: Cow<'t, str>) -> Node<'t> {
        Node {
            at,
            mention_at: at,
            subject,
            kinds: Kinds::empty(),
            anchor: None,
            begin: None,
            end: None,
            context: None,
            link: None,
            confidence: f64::NAN,
            classes: None,
            rare: None,
        }
    }

    /// A node that says nothing.
    pub(super) fn empty() -> Node<'t> {
        Node::new(0, Cow::Borrowed(""))
    }

    fn rare(&mut self) -> &mut Rare<'t> {
        self.rare.get_or_insert_default()
    }

    fn learn(
        &mut self,
        turtle: &Turtle<'t>,
        property: (Namespace, &str),
        object: Term<'t>,
        at: usize,
        classes: &mut String,
    ) -> Result<(), Fault> {
        match property {
            (Namespace::RDF, "type") => self.kinds |= kind(&object),
            (Namespace::NIF, "isString") => self.rare().text = object.into_value(),
            (Namespace::NIF, "anchorOf") => self.anchor = object.into_value(),
            (Namespace::NIF, "beginIndex") => self.begin = Some(number(object, at, "an offset")?),
            (Namespace::NIF, "endIndex") => self.end = Some(number(object, at, "an offset")?),
            (Namespace::NIF, "referenceContext") => self.context = Some(name(turtle, &object)),
            (Namespace::NIF, "annotationUnit") => self.rare().units.push(name(turtle, &object)),
            (Namespace::NIF, "posTag" | "lemma" | "stem" | "nextWord" | "previousWord") => {
                self.kinds |= Kinds::STRUCTURE;
            }
            (Namespace::ITSRDF, "taIdentRef") => match object {
                // A blank node names nothing: it stands for NIL, unless there is an answer already.
                Term::Blank(_) if self.link.is_some() => {}
                Term::Blank(_) => self.add_link(Cow::Borrowed("*null*")),
                object => self.add_link(name(turtle, &object)),
            },
            (Namespace::ITSRDF, "taClassRef") => add_class(classes, turtle, &object),
            (Namespace::ITSRDF, "taConfidence") | (Namespace::NIF, "confidence") => {
                self.confidence = number(object, at, "a number")?;
            }
            (Namespace::OWL, "sameAs") => {
                self.kinds |= Kinds::ENTITY;
                self.rare().same_as.push(name(turtle, &object));
            }
            (Namespace::RDFS, "label") => self.kinds |= Kinds::ENTITY,
            (Namespace::RDFS, "comment") => self.rare().comment = object.into_value(),
            (Namespace::WHOLE, DERIVED) => self.rare().derived = object.into_value(),
            _ => {}
        }
        Ok(())
    }

    fn add_link(&mut self, link: Cow<'t, str>) {
        if self.link.is_none() {
            self.link = Some(link);
        } else {
            self.rare().links.push(link);
        }
    }

    /// Its types and tags, as written in [`Node::classes`].
    pub(super) fn types_and_tags(&self) -> (Vec<&str>, Vec<&str>) {
        let classes = self.classes.as_deref().unwrap_or_default();
        let items = classes.split(SEPARATOR).filter(|class| !class.is_empty());
        let (tags, types): (Vec<&str>, Vec<&str>) = items.partition(|item| item.starts_with(TAG));
        (
            types.iter().map(|item| &item[1..]).collect(),
            tags.iter().map(|item| &item[1..]).collect(),
        )
    }

    /// Whether it is more than a statement about something else.
    fn says_something(&self) -> bool {
        !self.kinds.is_empty()
            || self.anchor.is_some()
            || self.context.is_some()
            || self.link.is_some()
            || self.classes.is_some()
            || self.rare.is_some()
            || self.begin.is_some()
            || self.end.is_some()
            || !self.confidence.is_nan()
    }

    /// Its text, if it is the context of a document.
    pub(super) fn document_text(&self) -> Option<&str> {
        let text = self.rare.as_ref()?.text.as_deref()?;
        // A context without `nif:Context` is one if it refers to no other.
        (self.kinds.contains(Kinds::CONTEXT) || self.context.is_none()).then_some(text)
    }

    /// Whether it is a mention, rather than a context or a part of the structure.
    pub(super) fn is_mention(&self) -> bool {
        if self.kinds.contains(Kinds::UNIT) {
            return false;
        }
        let units = self.rare.as_ref().is_some_and(|rare| !rare.units.is_empty());
        let classes = self.classes.is_some();
        if self.kinds.contains(Kinds::PHRASE) || self.link.is_some() || classes || units {
            return true;
        }
        // Files with words, lemmas and sentences mark all of them as strings; only what is nothing
        // else is a mention.
        let structure = Kinds::CONTEXT | Kinds::SENTENCE | Kinds::STRUCTURE;
        self.kinds.contains(Kinds::STRING)
            && !self.kinds.intersects(structure)
            && (self.anchor.is_some() || self.begin.is_some())
            && self.document_text().is_none()
    }

    /// Adds what a later statement says about the same subject.
    pub(super) fn merge(&mut self, other: Node<'t>) {
        // Messages and the order of mentions go by where the mention is described, which may be
        // after its subject first occurs.
        if !self.is_mention() {
            self.mention_at = other.mention_at;
        }
        self.kinds |= other.kinds;
        self.anchor = self.anchor.take().or(other.anchor);
        self.begin = self.begin.or(other.begin);
        self.end = self.end.or(other.end);
        self.context = self.context.take().or(other.context);
        if self.confidence.is_nan() {
            self.confidence = other.confidence;
        }
        let rare = other.rare.map(|rare| *rare).unwrap_or_default();
        // Only what was said before is not said again; one statement may repeat itself.
        let said_before = self.link.is_some();
        for link in other.link.into_iter().chain(rare.links) {
            let known = self.link.as_ref() == Some(&link)
                || self.rare.as_ref().is_some_and(|rare| rare.links.contains(&link));
            if !said_before || !known {
                self.add_link(link);
            }
        }
        self.classes = match (self.classes.take(), other.classes) {
            (Some(mine), Some(other)) => Some(format!("{mine}{SEPARATOR}{other}").into()),
            (mine, other) => mine.or(other),
        };
        let says_more = rare.text.is_some() || rare.comment.is_some() || rare.derived.is_some();
        if !says_more && rare.units.is_empty() && rare.same_as.is_empty() {
            return;
        }
        let mine = self.rare();
        mine.text = mine.text.take().or(rare.text);
        mine.comment = mine.comment.take().or(rare.comment);
        mine.derived = mine.derived.take().or(rare.derived);
        mine.units.extend(rare.units);
        mine.same_as.extend(rare.same_as);
    }
}

/// Stands between the classes of a list; no name holds it.
const SEPARATOR: char = '\u{1f}';
/// Marks an item of [`Node::classes`] as a tag or a type.
const TAG: char = '#';
const TYPE: char = '<';

fn add_class<'t>(classes: &mut String, turtle: &Turtle<'t>, object: &Term<'t>) {
    let known = if let Term::Iri(iri) = object { tag_of(iri) } else { None };
    let class = name(turtle, object);
    let tag = known.or_else(|| spelling::tag(&class).map(Cow::into_owned));
    let (mark, class) = tag.as_deref().map_or((TYPE, &*class), |tag| (TAG, tag));
    if !classes.is_empty() {
        classes.push(SEPARATOR);
    }
    classes.push(mark);
    classes.push_str(class);
}

fn kind(object: &Term<'_>) -> Kinds {
    let Term::Iri(iri) = object else { return Kinds::empty() };
    match iri.split() {
        (Namespace::NIF, "Context") => Kinds::CONTEXT,
        (Namespace::NIF, "Sentence") => Kinds::SENTENCE,
        (Namespace::NIF, "Phrase" | "EntityOccurrence") => Kinds::PHRASE,
        (Namespace::NIF, "Paragraph" | "Title" | "Section" | "Structure") => Kinds::STRUCTURE,
        (Namespace::NIF, "Word" | "String" | "RFC5147String" | "OffsetBasedString") => {
            Kinds::STRING
        }
        (Namespace::NIF, "AnnotationUnit") => Kinds::UNIT,
        (Namespace::OWL, "Individual" | "NamedIndividual") => Kinds::ENTITY,
        _ => Kinds::empty(),
    }
}

fn number<T: std::str::FromStr>(object: Term<'_>, at: usize, what: &str) -> Result<T, Fault> {
    let value = object.into_value().unwrap_or_default();
    value.trim().parse().map_err(|_| {
        let message = format!("expected {what}, found {}", crate::anchor::quoted(&value));
        Fault { at, len: value.len() + 2, message, truncated: false }
    })
}

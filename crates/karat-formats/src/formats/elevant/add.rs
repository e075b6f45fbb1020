//! From labels and mentions to annotations.

use super::article::{Article, Object};
use super::read::Anchor;
use super::reference::{LITERALS, Reference};
use super::{CONTAINED, NIL_REASON, NO_MAPPING, NO_MAPPING_CANDIDATES, REFERENCED_SPAN, Side};
use crate::problem::Problem;
use crate::syntax::json::{Borrowed, Scalar};
use karat_model::{CorpusBuilder, Flags, Key, Link, Span, StrId, attribute};
use std::ops::Range;

/// Adds an annotation with what it is linked to and its types and flags.
pub(super) fn add(
    corpus: &mut CorpusBuilder,
    span: Span,
    side: Side,
    (reference, object): (&Scalar<'_>, &Object<'_>),
    words: &mut Words,
    keys: Range<usize>,
) {
    let types = object.types.as_deref().unwrap_or_default();
    let mut answers = words.answers[keys].iter().copied();
    let (link, no_mapping) = link(corpus, reference, answers.next().unwrap_or_default(), types);
    let mut no_mapping_candidates = String::new();
    for (at, (candidate, answer)) in object.candidates.0.iter().zip(answers).enumerate() {
        let (link, no_mapping) = match candidate {
            // In the files of 2023 a candidate that is NIL is null.
            Scalar::Null => (Link::NIL, false),
            candidate => self::link(corpus, candidate, answer, ""),
        };
        words.candidates.push(link);
        if no_mapping {
            let blank = if no_mapping_candidates.is_empty() { "" } else { " " };
            no_mapping_candidates.push_str(&format!("{blank}{at}"));
        }
    }
    let mut flags = side.flags();
    flags.set(Flags::OPTIONAL, object.optional == Some(true));
    flags.set(Flags::DESCRIPTIVE, object.desc == Some(true));
    flags.set(Flags::COREFERENCE, object.coref == Some(true));
    flags.set(Flags::NOT_COREFERENCE, object.coref == Some(false));
    let types = words.types(corpus, types);
    let recognized_by = words.recognized_by.id(corpus, &object.recognized_by);
    let linked_by = words.linked_by.id(corpus, &object.linked_by);
    let name = object.name.as_deref().map_or(StrId::EMPTY, |name| corpus.intern(name));
    let mut annotation = corpus
        .annotate(span, link)
        .flags(flags)
        .types_id(types)
        .attribute_id(words.keys[0], name)
        .attribute_id(words.keys[1], recognized_by)
        .attribute_id(words.keys[2], linked_by);
    if let Some(score) = object.score {
        annotation = annotation.confidence(score);
    }
    annotation = annotation.candidates(words.candidates.drain(..));
    if no_mapping {
        annotation = annotation.attribute(NIL_REASON, NO_MAPPING);
    }
    if !no_mapping_candidates.is_empty() {
        annotation = annotation.attribute(NO_MAPPING_CANDIDATES, &no_mapping_candidates);
    }
    if let Some(key) = &object.key {
        annotation.attribute(attribute::ID, key);
    }
}

/// Strings that come again and again in a block, interned once, and room that is used
/// again for every article.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// Of the name, the recogniser and the linker.
    keys: [StrId; 3],
    recognized_by: Word,
    linked_by: Word,
    /// The latest few lists of types.
    types: [(Key, Word); 8],
    next_types: usize,
    /// How the entities and NIL clusters of an article are looked up: for each label, then
    /// for each mention, what it is linked to and its candidates.
    answers: Vec<Key>,
    /// Room for the candidates of one mention.
    candidates: Vec<Link>,
}

/// A string and its id.
#[derive(Debug, Default)]
struct Word {
    text: String,
    id: StrId,
}

impl Word {
    fn remember(&mut self, text: &str, id: StrId) {
        self.text.clear();
        self.text.push_str(text);
        self.id = id;
    }

    /// The id of a value, which mostly is the one before it.
    fn id(&mut self, corpus: &mut CorpusBuilder, value: &Option<Borrowed<'_>>) -> StrId {
        // Nothing is not compared with nothing: an empty string points nowhere, and with
        // AVX-512 the comparison of no bytes there was measured to take about 75 ns.
        let Some(value) = value.as_deref().filter(|value| !value.is_empty()) else {
            return StrId::EMPTY;
        };
        if value != self.text {
            self.remember(value, corpus.intern(value));
        }
        self.id
    }
}

/// Goes through the keys of the labels or of the mentions of an article.
pub(super) struct Keys {
    next: usize,
}

impl Keys {
    /// Where the keys of the next object are.
    pub(super) fn next_of(&mut self, object: &Object<'_>) -> Range<usize> {
        let start = self.next;
        self.next += 1 + object.candidates.0.len();
        start..self.next
    }
}

impl Words {
    /// Interns what every article needs. Not before there is one: strings are numbered as they
    /// appear in the file.
    pub(super) fn begin(&mut self, corpus: &mut CorpusBuilder) {
        if self.keys[0] == StrId::EMPTY {
            self.keys = [attribute::NAME, attribute::RECOGNIZED_BY, attribute::LINKED_BY]
                .map(|key| corpus.intern(key));
        }
    }

    /// Says which entities are looked up next, so that the look-ups overlap; gives the keys
    /// of labels and those of mentions.
    pub(super) fn announce(
        &mut self,
        article: &Article<'_>,
        corpus: &CorpusBuilder,
    ) -> (Keys, Keys) {
        fn name<'a>(answer: &'a Scalar<'_>) -> &'a str {
            match answer {
                Scalar::Text(id) => match Reference::parse(id) {
                    Reference::Entity(id) | Reference::Cluster(id) => id,
                    Reference::Nil | Reference::NoMapping => "",
                },
                _ => "",
            }
        }
        let mut names = Vec::with_capacity(self.answers.len());
        for label in &*article.labels {
            names.push(name(&label.entity_id));
            names.extend(label.candidates.0.iter().map(name));
        }
        let labels = names.len();
        for mention in &*article.entity_mentions {
            names.push(name(&mention.id));
            names.extend(mention.candidates.0.iter().map(name));
        }
        self.answers.clear();
        self.answers.extend(names.iter().map(|name| corpus.strings().key(name)));
        corpus.strings().expect(self.answers.iter().copied());
        (Keys { next: 0 }, Keys { next: labels })
    }

    fn types(&mut self, corpus: &mut CorpusBuilder, types: &str) -> StrId {
        if types.is_empty() {
            return StrId::EMPTY;
        }
        let key = corpus.strings().key(types);
        let mut known = self.types.iter();
        if let Some((_, known)) = known.find(|known| known.0 == key && known.1.text == types) {
            return known.id;
        }
        let id = corpus.intern_list(types.split('|'));
        // They are replaced in turn.
        let place = &mut self.types[self.next_types];
        place.0 = key;
        place.1.remember(types, id);
        self.next_types = (self.next_types + 1) % self.types.len();
        id
    }
}

/// The link, and whether it is NIL for want of a mapping.
#[inline]
fn link(corpus: &mut CorpusBuilder, reference: &Scalar<'_>, key: Key, types: &str) -> (Link, bool) {
    let mut intern = |name| corpus.intern_for_row(key, || name);
    let id = match reference {
        Scalar::Absent => return (Link::NIL, false),
        Scalar::Null => return (Link::NONE, false),
        Scalar::Number(number) => return (Link::to(corpus.intern(&number.to_string())), false),
        Scalar::Text(id) => id,
    };
    match Reference::parse(id) {
        Reference::Nil => (Link::NIL, false),
        Reference::NoMapping => (Link::NIL, true),
        Reference::Cluster(cluster) => (Link::nil_cluster(intern(cluster)), false),
        Reference::Entity(id)
            if !types.is_empty()
                && LITERALS.contains(&id)
                && types.split('|').any(|name| name == id) =>
        {
            (Link::NONE, false)
        }
        Reference::Entity(id) => (Link::to(intern(id)), false),
    }
}

/// Adds to the last annotation what only the mentions of some systems have.
pub(super) fn note(
    corpus: &mut CorpusBuilder,
    anchor: &Anchor<'_>,
    object: &Object<'_>,
) -> Result<(), Problem> {
    let last = corpus.next_index().saturating_sub(1);
    if let Some(contained) = object.contained
        && let Some(annotation) = corpus.annotation_mut(last)
    {
        annotation.attribute(CONTAINED, if contained { "true" } else { "false" });
    }
    if let Some(range) = object.referenced_span {
        let span = anchor.span_beside(object, "referenced_span", range)?;
        if let Some(annotation) = corpus.annotation_mut(last) {
            annotation.attribute(REFERENCED_SPAN, &format!("{} {}", span.start, span.end));
        }
    }
    Ok(())
}

/// Keeps the number of a label where its position does not tell it.
pub(super) fn number(corpus: &mut CorpusBuilder, label: &Object<'_>, position: usize) {
    let id = match &label.id {
        Scalar::Number(id) if usize::try_from(*id) != Ok(position) => id.to_string(),
        Scalar::Text(id) => id.to_string(),
        _ => return,
    };
    let last = corpus.next_index().saturating_sub(1);
    if let Some(annotation) = corpus.annotation_mut(last) {
        annotation.attribute(attribute::ID, &id);
    }
}

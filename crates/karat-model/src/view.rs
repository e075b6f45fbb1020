//! Reading a corpus: documents and mentions with their strings in place.

use crate::annotation::{Extra, StoredPlace};
use crate::corpus::{DocumentRow, split_list};
use crate::{
    Annotation, Corpus, Flags, Link, Mark, MarkKind, Place, Span, StrId, TextIndex, attribute,
};

/// A document of a corpus.
#[derive(Debug, Clone, Copy)]
pub struct Document<'a> {
    corpus: &'a Corpus,
    index: usize,
}

impl<'a> Document<'a> {
    pub(crate) fn new(corpus: &'a Corpus, index: usize) -> Document<'a> {
        Document { corpus, index }
    }

    fn row(&self) -> &'a DocumentRow {
        &self.corpus.documents[self.index]
    }

    /// Position in the corpus.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its name, unique in the corpus.
    pub fn name(&self) -> &'a str {
        self.corpus.strings.get(self.row().name)
    }

    pub(crate) fn corpus(&self) -> &'a Corpus {
        self.corpus
    }

    /// Its text, if the file had one.
    pub fn text(&self) -> Option<&'a str> {
        self.row().text.map(|range| &self.corpus.texts[range.start..range.end])
    }

    /// An index of its text, to look up many spans.
    pub fn text_index(&self) -> Option<TextIndex<'a>> {
        self.text().map(TextIndex::new)
    }

    /// The part of the text that is annotated, if the file says so.
    pub fn evaluation_span(&self) -> Option<Span> {
        self.row().evaluation_span
    }

    /// Its language.
    pub fn language(&self) -> Option<&'a str> {
        self.attribute(attribute::LANGUAGE)
    }

    /// Its topic.
    pub fn topic(&self) -> Option<&'a str> {
        self.attribute(attribute::TOPIC)
    }

    /// A fact about it.
    pub fn attribute(&self, key: &str) -> Option<&'a str> {
        self.attributes().find(|&(name, _)| name == key).map(|(_, value)| value)
    }

    /// All facts about it.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        pairs(self.corpus, self.row().attributes.range())
    }

    /// The items of an interned list.
    pub fn list(&self, id: StrId) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        split_list(self.corpus.strings.get(id))
    }

    /// All marks of it.
    pub fn marks(&self) -> &'a [Mark] {
        &self.corpus.marks[self.row().marks.range()]
    }

    /// The marks of one kind, with what they say.
    pub fn marks_of(&self, kind: MarkKind) -> impl Iterator<Item = (Span, &'a str)> + use<'a> {
        let strings = &self.corpus.strings;
        let of_kind = self.marks().iter().filter(move |mark| mark.kind == kind);
        of_kind.map(move |mark| (mark.span, strings.get(mark.value)))
    }

    /// Its annotations as they are stored.
    pub fn annotations(&self) -> &'a [Annotation] {
        &self.corpus.annotations[self.row().annotations.range()]
    }

    /// Its annotations, in the order of the file.
    pub fn mentions(&self) -> impl ExactSizeIterator<Item = Mention<'a>> + use<'a> {
        let document = *self;
        self.annotations().iter().map(move |annotation| Mention { document, annotation })
    }

    /// Whether a mention goes over the end of a sentence.
    pub fn cuts_mentions(&self) -> bool {
        let ends = self.marks_of(MarkKind::Sentence).map(|(span, _)| span.end);
        let mut ends: Vec<u32> = ends.collect();
        ends.sort_unstable();
        !ends.is_empty() && self.mentions().any(|mention| cut(&ends, mention.span()).is_some())
    }

    /// The sentences, where those that a mention goes over the end of are one.
    pub(crate) fn whole_sentences(&self) -> Vec<Span> {
        let mut sentences: Vec<Span> =
            self.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect();
        sentences.sort_unstable();
        let ends: Vec<u32> = sentences.iter().map(|span| span.end).collect();
        // For each end the furthest that a mention over it goes on.
        let mut joined = vec![0; ends.len()];
        for mention in self.mentions() {
            if let Some(at) = cut(&ends, mention.span()) {
                joined[at] = mention.span().end.max(joined[at]);
            }
        }
        let mut whole: Vec<Span> = Vec::with_capacity(sentences.len());
        let mut reach = 0;
        for (sentence, reaches) in sentences.into_iter().zip(joined) {
            match whole.last_mut() {
                Some(last) if sentence.start < reach => last.end = sentence.end.max(last.end),
                _ => whole.push(sentence),
            }
            reach = reaches.max(reach);
        }
        whole
    }

    /// The annotation at this index of the document.
    pub fn mention(&self, index: usize) -> Option<Mention<'a>> {
        let annotation = self.annotations().get(index)?;
        Some(Mention { document: *self, annotation })
    }
}

/// The first of these ends, which are in order, that is inside a span.
fn cut(ends: &[u32], span: Span) -> Option<usize> {
    let at = ends.partition_point(|&end| end <= span.start);
    ends.get(at).is_some_and(|&end| end < span.end).then_some(at)
}

/// An annotation of a document.
#[derive(Debug, Clone, Copy)]
pub struct Mention<'a> {
    document: Document<'a>,
    annotation: &'a Annotation,
}

impl<'a> Mention<'a> {
    fn corpus(&self) -> &'a Corpus {
        self.document.corpus
    }

    fn extra(&self) -> Option<&'a Extra> {
        let index = (self.annotation.extra as usize).checked_sub(1)?;
        self.corpus().extras.get(index)
    }

    /// The document it is in.
    pub fn document(&self) -> Document<'a> {
        self.document
    }

    /// Where it is.
    pub fn span(&self) -> Span {
        self.annotation.span
    }

    /// Its text. Looks the span up from the start of the text; for many mentions
    /// of one document use [`Document::text_index`].
    pub fn surface(&self) -> Option<&'a str> {
        match self.document.text_index() {
            Some(index) => index.slice(self.span()),
            None => self.attribute(attribute::SURFACE),
        }
    }

    /// What it is linked to.
    pub fn link(&self) -> Link {
        self.annotation.link
    }

    /// The entity it is linked to; `None` for NIL and for no answer.
    pub fn entity(&self) -> Option<&'a str> {
        entity(self.corpus(), self.link())
    }

    /// The NIL cluster it belongs to.
    pub fn nil_cluster(&self) -> Option<&'a str> {
        cluster(self.corpus(), self.link())
    }

    /// The confidence of the system.
    pub fn confidence(&self) -> Option<f64> {
        present(self.annotation.confidence)
    }

    /// Its types.
    pub fn types(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        split_list(self.corpus().strings.get(self.annotation.types))
    }

    /// Its types, as an interned list.
    pub fn types_id(&self) -> StrId {
        self.annotation.types
    }

    /// Its yes-or-no facts.
    pub fn flags(&self) -> Flags {
        self.annotation.flags
    }

    /// Its category tags.
    pub fn tags(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        split_list(self.tags_text())
    }

    /// Its category tags, as they are interned.
    pub(crate) fn tags_text(&self) -> &'a str {
        let tags = self.extra().map(|extra| extra.tags).unwrap_or_default();
        self.corpus().strings.get(tags)
    }

    /// Whether it has candidates, equivalents, tags or attributes.
    pub(crate) fn has_details(&self) -> bool {
        self.extra().is_some_and(|extra| {
            let stretches = [extra.candidates, extra.equivalents, extra.attributes];
            extra.tags != StrId::EMPTY || stretches.iter().any(|stretch| stretch.len > 0)
        })
    }

    /// The ranked answers of the system.
    pub fn candidates(&self) -> impl ExactSizeIterator<Item = CandidateView<'a>> + use<'a> {
        let corpus = self.corpus();
        let range = self.extra().map_or(0..0, |extra| extra.candidates.range());
        corpus.candidates[range].iter().map(move |candidate| CandidateView {
            link: candidate.link,
            entity: entity(corpus, candidate.link),
            nil_cluster: cluster(corpus, candidate.link),
            score: present(candidate.score),
            types: corpus.strings.get(candidate.types),
        })
    }

    /// Other names of the linked entity that are just as right.
    pub fn equivalents(&self) -> impl ExactSizeIterator<Item = &'a str> + use<'a> {
        let corpus = self.corpus();
        let range = self.extra().map_or(0..0, |extra| extra.equivalents.range());
        corpus.candidates[range]
            .iter()
            .map(move |candidate| entity(corpus, candidate.link).unwrap_or_default())
    }

    /// The links to these other names.
    pub fn equivalent_links(&self) -> impl ExactSizeIterator<Item = Link> + use<'a> {
        let range = self.extra().map_or(0..0, |extra| extra.equivalents.range());
        self.corpus().candidates[range].iter().map(|candidate| candidate.link)
    }

    /// A further fact.
    pub fn attribute(&self, key: &str) -> Option<&'a str> {
        self.attributes().find(|&(name, _)| name == key).map(|(_, value)| value)
    }

    /// All further facts.
    pub fn attributes(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        pairs(self.corpus(), self.extra().map_or(0..0, |extra| extra.attributes.range()))
    }

    /// The places of its candidates that are NIL because they have no id in the knowledge base.
    pub fn no_mapping_candidates(&self) -> impl Iterator<Item = usize> + use<'a> {
        let listed = self.attribute(attribute::NO_MAPPING_CANDIDATES).unwrap_or_default();
        listed.split(' ').filter_map(|place| place.parse().ok())
    }

    /// Its place in a tree of alternatives; `None` for a root.
    pub fn place(&self) -> Option<Place> {
        self.extra()?.place.map(StoredPlace::place)
    }
}

/// One ranked answer of a system.
#[derive(Debug, Clone, Copy)]
pub struct CandidateView<'a> {
    /// What it links to.
    pub link: Link,
    /// The entity, if it is a link.
    pub entity: Option<&'a str>,
    /// The NIL cluster, if it has one.
    pub nil_cluster: Option<&'a str>,
    /// Its score.
    pub score: Option<f64>,
    types: &'a str,
}

impl<'a> CandidateView<'a> {
    /// The types given with it.
    pub fn types(&self) -> impl Iterator<Item = &'a str> + Clone + use<'a> {
        split_list(self.types)
    }

    /// The same, as they are interned.
    pub(crate) fn types_text(&self) -> &'a str {
        self.types
    }
}

fn entity(corpus: &Corpus, link: Link) -> Option<&str> {
    link.entity().map(|id| corpus.strings.get(id))
}

fn cluster(corpus: &Corpus, link: Link) -> Option<&str> {
    link.cluster().map(|id| corpus.strings.get(id))
}

fn present(number: f64) -> Option<f64> {
    (!number.is_nan()).then_some(number)
}

fn pairs(
    corpus: &Corpus,
    range: std::ops::Range<usize>,
) -> impl Iterator<Item = (&str, &str)> + use<'_> {
    let strings = &corpus.strings;
    corpus.attributes[range].iter().map(move |&(key, value)| (strings.get(key), strings.get(value)))
}

//! Whether two corpora say the same.

use crate::{Corpus, Document, Mention};
use std::fmt::Debug;

impl PartialEq for Corpus {
    fn eq(&self, other: &Corpus) -> bool {
        self.difference(other).is_none()
    }
}

impl Corpus {
    /// The first thing in which two corpora differ, in words. Internal numbers
    /// and the order of attributes with different keys do not matter.
    pub fn difference(&self, other: &Corpus) -> Option<String> {
        if self.len() != other.len() {
            return Some(format!("{} documents against {}", self.len(), other.len()));
        }
        self.documents().zip(other.documents()).find_map(|(a, b)| {
            let found = document_difference(&a, &b)?;
            Some(format!("document `{}`: {found}", a.name()))
        })
    }
}

fn document_difference(a: &Document<'_>, b: &Document<'_>) -> Option<String> {
    differ("name", a.name(), b.name())
        .or_else(|| differ("text", a.text(), b.text()))
        .or_else(|| differ("evaluation span", a.evaluation_span(), b.evaluation_span()))
        .or_else(|| differ("attributes", sorted(a.attributes()), sorted(b.attributes())))
        .or_else(|| differ("marks", marks(a), marks(b)))
        .or_else(|| differ("number of annotations", a.mentions().len(), b.mentions().len()))
        .or_else(|| {
            a.mentions().zip(b.mentions()).enumerate().find_map(|(index, (a, b))| {
                let found = mention_difference(&a, &b)?;
                Some(format!("annotation {index} at {}: {found}", a.span()))
            })
        })
}

fn mention_difference(a: &Mention<'_>, b: &Mention<'_>) -> Option<String> {
    differ("span", a.span(), b.span())
        .or_else(|| differ("link", answer(a), answer(b)))
        .or_else(|| differ("confidence", a.confidence(), b.confidence()))
        .or_else(|| differ("types", list(a.types()), list(b.types())))
        .or_else(|| differ("flags", a.flags(), b.flags()))
        .or_else(|| differ("tags", list(a.tags()), list(b.tags())))
        .or_else(|| differ("candidates", candidates(a), candidates(b)))
        .or_else(|| differ("equivalents", list(a.equivalents()), list(b.equivalents())))
        .or_else(|| differ("attributes", sorted(a.attributes()), sorted(b.attributes())))
        .or_else(|| differ("place", a.place(), b.place()))
}

fn differ<T: PartialEq + Debug>(what: &str, a: T, b: T) -> Option<String> {
    // The words are made only when there is a difference: equality is tested on whole corpora.
    (a != b).then(|| format!("{what} {a:?} against {b:?}"))
}

fn answer<'a>(mention: &Mention<'a>) -> (Option<&'a str>, bool, Option<&'a str>) {
    (mention.entity(), mention.link().is_nil(), mention.nil_cluster())
}

fn list<'a>(items: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    items.collect()
}

fn sorted<'a>(facts: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(&'a str, &'a str)> {
    let mut facts: Vec<_> = facts.collect();
    // The sort is stable: of several values of a key the first is the one that is asked for.
    facts.sort_by_key(|(key, _)| *key);
    facts
}

fn marks<'a>(document: &Document<'a>) -> Vec<(crate::MarkKind, crate::Span, &'a str)> {
    let mut marks: Vec<_> = crate::MarkKind::ALL
        .into_iter()
        .flat_map(|kind| document.marks_of(kind).map(move |(span, value)| (kind, span, value)))
        .collect();
    marks.sort_unstable();
    marks
}

type CandidateFacts<'a> = (Option<&'a str>, bool, Option<&'a str>, Option<f64>, Vec<&'a str>);

fn candidates<'a>(mention: &Mention<'a>) -> Vec<CandidateFacts<'a>> {
    mention
        .candidates()
        .map(|candidate| {
            (
                candidate.entity,
                candidate.link.is_nil(),
                candidate.nil_cluster,
                candidate.score,
                candidate.types().collect(),
            )
        })
        .collect()
}

//! Saying more about an annotation.

use super::{CorpusBuilder, append};
use crate::annotation::{Annotation, Candidate, Extra, Flags, Place, StoredPlace};
use crate::{Link, StrId};

/// The annotation that was just added, to say more about it.
#[derive(Debug)]
pub struct AnnotationMut<'a> {
    pub(super) builder: &'a mut CorpusBuilder,
    pub(super) index: usize,
}

impl AnnotationMut<'_> {
    fn annotation(&mut self) -> &mut Annotation {
        &mut self.builder.corpus.annotations[self.index]
    }

    fn extra(&mut self) -> usize {
        let extras = &mut self.builder.corpus.extras;
        let annotation = &mut self.builder.corpus.annotations[self.index];
        if annotation.extra == 0 {
            extras.push(Extra::default());
            // The number is one more than the index, so that 0 can mean "none"; see
            // `Annotation::extra`.
            annotation.extra = extras.len() as u32;
        }
        annotation.extra as usize - 1
    }

    /// Its index in the document, for [`AnnotationMut::part_of`].
    pub fn index(&self) -> u32 {
        self.index as u32 - self.builder.runs.last().map_or(0, |run| run.start)
    }

    /// Sets the confidence of the system; a number that is not finite says nothing.
    pub fn confidence(mut self, confidence: f64) -> Self {
        self.annotation().confidence = finite(confidence);
        self
    }

    /// Sets its types.
    pub fn types<'s>(mut self, types: impl IntoIterator<Item = &'s str>) -> Self {
        let types = self.builder.intern_list(types);
        self.annotation().types = types;
        self
    }

    /// Sets its types, as a list interned before.
    pub fn types_id(mut self, types: StrId) -> Self {
        self.annotation().types = types;
        self
    }

    /// Adds yes-or-no facts.
    pub fn flags(mut self, flags: Flags) -> Self {
        self.annotation().flags |= flags;
        self
    }

    /// Sets its category tags.
    pub fn tags<'s>(self, tags: impl IntoIterator<Item = &'s str>) -> Self {
        let tags = self.builder.intern_list(tags);
        self.tags_id(tags)
    }

    /// Sets its category tags, as a list interned before.
    pub fn tags_id(mut self, tags: StrId) -> Self {
        // Setting nothing must not create an `Extra`: a plain annotation stays 32 bytes.
        if tags != StrId::EMPTY {
            let extra = self.extra();
            self.builder.corpus.extras[extra].tags = tags;
        }
        self
    }

    /// Adds a ranked answer; NaN for no score.
    pub fn candidate(self, link: Link, score: f64) -> Self {
        self.candidate_with_types(link, score, StrId::EMPTY)
    }

    /// Adds a ranked answer with types of its own.
    pub fn candidate_with_types(mut self, link: Link, score: f64, types: StrId) -> Self {
        let extra = self.extra();
        let corpus = &mut self.builder.corpus;
        let stretch = &mut corpus.extras[extra].candidates;
        let score = finite(score);
        append(&mut corpus.candidates, stretch, Candidate { link, types, score });
        self
    }

    /// Adds ranked answers.
    pub fn ranked(mut self, candidates: &[Candidate]) -> Self {
        if !candidates.is_empty() {
            let extra = self.extra();
            let corpus = &mut self.builder.corpus;
            let stretch = &mut corpus.extras[extra].candidates;
            for &Candidate { link, types, score } in candidates {
                let candidate = Candidate { link, types, score: finite(score) };
                append(&mut corpus.candidates, stretch, candidate);
            }
        }
        self
    }

    /// Adds ranked answers without scores.
    pub fn candidates(mut self, links: impl ExactSizeIterator<Item = Link>) -> Self {
        if links.len() > 0 {
            let extra = self.extra();
            let corpus = &mut self.builder.corpus;
            let stretch = &mut corpus.extras[extra].candidates;
            let unscored = |link| Candidate { link, types: StrId::EMPTY, score: f64::NAN };
            links.for_each(|link| append(&mut corpus.candidates, stretch, unscored(link)));
        }
        self
    }

    /// Adds another name of the linked entity that is just as right.
    pub fn equivalent(mut self, entity: &str) -> Self {
        let link = Link::to(self.builder.intern(entity));
        let extra = self.extra();
        let corpus = &mut self.builder.corpus;
        let stretch = &mut corpus.extras[extra].equivalents;
        append(
            &mut corpus.candidates,
            stretch,
            Candidate { link, types: StrId::EMPTY, score: f64::NAN },
        );
        self
    }

    /// States a further fact. An empty value says nothing and is left out.
    pub fn attribute(self, key: &str, value: &str) -> Self {
        if value.is_empty() {
            return self;
        }
        let (key, value) = (self.builder.intern(key), self.builder.intern(value));
        self.attribute_id(key, value)
    }

    /// States a further fact, as strings interned before.
    #[inline]
    pub fn attribute_id(mut self, key: StrId, value: StrId) -> Self {
        if value == StrId::EMPTY {
            return self;
        }
        let extra = self.extra();
        let corpus = &mut self.builder.corpus;
        append(&mut corpus.attributes, &mut corpus.extras[extra].attributes, (key, value));
        self
    }

    /// Makes it a part of a reading of another annotation of the document.
    pub fn part_of(mut self, parent: u32, reading: u32) -> Self {
        let extra = self.extra();
        self.builder.corpus.extras[extra].place = Some(StoredPlace::new(Place { parent, reading }));
        self
    }
}

/// The number, or NaN for "no value": infinities cannot be written in JSON and most other formats.
fn finite(number: f64) -> f64 {
    if number.is_finite() { number } else { f64::NAN }
}

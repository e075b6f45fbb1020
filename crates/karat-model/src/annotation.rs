//! The packed annotation and what hangs off it.

use crate::{Link, Span, StrId};
use std::num::NonZeroU32;

bitflags::bitflags! {
    /// Yes-or-no facts about an annotation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub struct Flags: u32 {
        /// Finding it is neither required nor punished.
        const OPTIONAL = 1;
        /// A pronoun or nominal that refers to an entity named elsewhere.
        const COREFERENCE = 1 << 1;
        /// Known not to be a coreference, where the file says so explicitly.
        const NOT_COREFERENCE = 1 << 2;
        /// Describes an entity rather than names it.
        const DESCRIPTIVE = 1 << 3;
        /// Comes from a file's gold standard.
        const GOLD = 1 << 4;
        /// Comes from a file's system output.
        const PREDICTED = 1 << 5;
    }
}

/// What a corpus is to a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// What should be found.
    Gold,
    /// What was found.
    System,
}

impl Role {
    /// Whether an annotation with these flags belongs to it. A file may hold both; annotations
    /// without a mark belong to whichever is asked for.
    pub fn plays(self, flags: Flags) -> bool {
        let other = match self {
            Role::Gold => Flags::PREDICTED,
            Role::System => Flags::GOLD,
        };
        // Both marks set means a file in which gold and system share the annotation: it belongs to
        // both sides, so only "the other mark alone" excludes it.
        flags & (Flags::GOLD | Flags::PREDICTED) != other
    }
}

/// One annotation, 32 bytes. Its strings are ids into the corpus.
#[derive(Debug, Clone, Copy)]
pub struct Annotation {
    /// Where the mention is.
    pub span: Span,
    /// What it is linked to.
    pub link: Link,
    /// Its types, as a list made by [`crate::CorpusBuilder::intern_list`].
    pub types: StrId,
    /// The confidence of the system; NaN for none.
    pub confidence: f64,
    /// Yes-or-no facts.
    pub flags: Flags,
    /// One more than the index of its [`Extra`]; 0 for a plain annotation.
    pub(crate) extra: u32,
}

impl Annotation {
    /// An annotation with a span and a link and nothing else.
    #[inline]
    pub fn plain(span: Span, link: Link) -> Annotation {
        Annotation {
            span,
            link,
            types: StrId::EMPTY,
            confidence: f64::NAN,
            flags: Flags::empty(),
            extra: 0,
        }
    }

    /// Whether there is more to it: candidates, tags, attributes, a place in a tree.
    pub fn has_more(&self) -> bool {
        self.extra != 0
    }
}

/// A stretch of one of the side arrays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stretch {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Stretch {
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.len) as usize
    }
}

/// What only some annotations have.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Extra {
    /// Ranked answers of a system, the first normally the link itself.
    pub(crate) candidates: Stretch,
    /// Other names of the linked entity that are just as right.
    pub(crate) equivalents: Stretch,
    /// Category tags, as an interned list.
    pub(crate) tags: StrId,
    /// Further key-value facts.
    pub(crate) attributes: Stretch,
    /// Place in the tree of alternatives; `None` for a root.
    pub(crate) place: Option<StoredPlace>,
}

impl Default for StrId {
    fn default() -> Self {
        StrId::EMPTY
    }
}

/// Where an annotation stands in a tree of gold alternatives.
///
/// A root mention can be read in several ways: as itself, or as one of its
/// *readings*. A reading is the set of children that carry the same number, and
/// it is found when all of them are. ELEVANT's children are one reading of
/// several parts; the alternatives of the categorised NIF dialect are several
/// readings of one part each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Place {
    /// Index of the parent among the annotations of the document.
    pub parent: u32,
    /// Which reading of the parent this annotation is a part of, from 1.
    pub reading: u32,
}

/// A place as it is stored. One more than the index of the parent is never 0, so the compiler can use 0 for "no
/// place" and the option takes no extra space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoredPlace {
    behind_parent: NonZeroU32,
    reading: u32,
}

impl StoredPlace {
    pub(crate) fn new(Place { parent, reading }: Place) -> StoredPlace {
        // There are fewer annotations than numbers, so none is the last of these.
        StoredPlace { behind_parent: NonZeroU32::MIN.saturating_add(parent), reading }
    }

    pub(crate) fn place(self) -> Place {
        Place { parent: self.behind_parent.get() - 1, reading: self.reading }
    }

    /// Adds to the index of the parent, when more annotations of the document come to stand before it.
    pub(crate) fn shift_parent(&mut self, by: u32) {
        self.behind_parent = self.behind_parent.saturating_add(by);
    }
}

/// One ranked answer of a system.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// What it links to.
    pub link: Link,
    /// The types given with it, as an interned list.
    pub types: StrId,
    /// Its score; NaN for none.
    pub score: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_annotation_is_small() {
        assert_eq!(size_of::<Annotation>(), 32);
        assert_eq!(size_of::<Candidate>(), 16);
        assert_eq!(size_of::<Extra>(), 36);
    }

    #[test]
    fn a_place_is_kept() {
        for parent in [0, 7, u32::MAX - 1] {
            let place = Place { parent, reading: 3 };
            assert_eq!(StoredPlace::new(place).place(), place);
        }
    }
}

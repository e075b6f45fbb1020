//! What a mention is linked to.

use crate::intern::StrId;

/// The answer of an annotation or a candidate, in four bytes: an entity, NIL
/// (with or without a cluster), or no answer at all.
///
/// "No answer" is a mention that was found but not linked, as a pure recogniser
/// gives it. Most conventions count it as NIL, but files tell the two apart, so
/// the model does too.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Link(u32);

/// The highest bit tells NIL from an entity. [`crate::intern`] gives out ids below 2^30 only, so
/// neither the bit nor the two special values below can be an id.
const NIL_BIT: u32 = 0x8000_0000;
const UNCLUSTERED: u32 = 0xffff_fffe;
const NONE: u32 = 0xffff_ffff;

impl Link {
    /// No answer.
    pub const NONE: Link = Link(NONE);
    /// Not in the knowledge base, without a cluster.
    pub const NIL: Link = Link(UNCLUSTERED);

    /// A link to an entity.
    pub fn to(entity: StrId) -> Link {
        Link(entity.0)
    }

    /// Not in the knowledge base; mentions of one cluster are the same unknown entity.
    pub fn nil_cluster(cluster: StrId) -> Link {
        Link(cluster.0 | NIL_BIT)
    }

    /// The entity, if this is a link.
    #[inline]
    pub fn entity(self) -> Option<StrId> {
        (self.0 & NIL_BIT == 0).then_some(StrId(self.0))
    }

    /// The NIL cluster, if there is one.
    #[inline]
    pub fn cluster(self) -> Option<StrId> {
        (self.is_nil() && self.0 != UNCLUSTERED).then_some(StrId(self.0 & !NIL_BIT))
    }

    /// Whether this is NIL, clustered or not.
    #[inline]
    pub fn is_nil(self) -> bool {
        self.0 & NIL_BIT != 0 && self.0 != NONE
    }

    /// Whether there is no answer.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == NONE
    }

    /// A number that is the same for the same answer.
    #[inline]
    pub fn code(self) -> u32 {
        self.0
    }

    /// The same link, its string renamed.
    #[inline]
    pub fn map(self, rename: impl FnOnce(StrId) -> StrId) -> Link {
        match self.0 {
            NONE | UNCLUSTERED => self,
            code => Link(rename(StrId(code & !NIL_BIT)).0 | code & NIL_BIT),
        }
    }
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.entity(), self.cluster()) {
            (Some(entity), _) => write!(f, "Entity({})", entity.0),
            (None, Some(cluster)) => write!(f, "Nil({})", cluster.0),
            (None, None) if self.is_nil() => f.write_str("Nil"),
            (None, None) => f.write_str("None"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_kinds_are_told_apart() {
        let id = StrId(7);
        assert_eq!(Link::to(id).entity(), Some(id));
        assert_eq!(Link::nil_cluster(id).cluster(), Some(id));
        assert!(Link::nil_cluster(id).is_nil() && Link::NIL.is_nil());
        assert!(!Link::NONE.is_nil() && Link::NONE.is_none() && !Link::NIL.is_none());
        assert_eq!(Link::NIL.cluster(), None);
        assert_eq!(Link::NONE.entity(), None);
        let later = |link: Link| link.map(|id| StrId(id.0 + 10));
        assert_eq!(later(Link::to(id)).entity(), Some(StrId(17)));
        assert_eq!(later(Link::nil_cluster(id)).cluster(), Some(StrId(17)));
        assert_eq!((later(Link::NIL), later(Link::NONE)), (Link::NIL, Link::NONE));
        let top = StrId(crate::intern::MAX_ID);
        assert_eq!(Link::nil_cluster(top).cluster(), Some(top));
    }
}

//! Entities that a file describes itself, as those of the OKE challenges do.
//!
//! There a mention is linked to an entity in the namespace of the documents, and a statement beside it says with
//! `owl:sameAs` which entity of DBpedia that is. Where there is none, the entity is not in DBpedia: it is NIL, as GERBIL
//! and ELEVANT count it.

use super::node::{Kinds, Node};
use std::borrow::Cow;
use std::collections::HashMap;

/// The entities that a file describes, by IRI, with what they are elsewhere.
pub(super) struct Described<'n> {
    entities: HashMap<&'n str, &'n [Cow<'n, str>]>,
}

/// What a link to an entity means.
pub(super) enum DescribedAnswer<'n> {
    /// This IRI, and just as well the others.
    Same(&'n str, &'n [Cow<'n, str>]),
    /// An entity that only this file knows.
    Nil(&'n str),
}

impl<'n> Described<'n> {
    pub(super) fn new(nodes: &'n [Node<'_>]) -> Described<'n> {
        let is_entity =
            |node: &&'n Node<'_>| node.kinds.contains(Kinds::ENTITY) && !node.is_mention();
        let same_as =
            |node: &'n Node<'_>| node.rare.as_deref().map_or(&[][..], |rare| &rare.same_as);
        let entities = nodes.iter().filter(is_entity).map(|node| (&*node.subject, same_as(node)));
        Described { entities: entities.collect() }
    }

    /// What a link in a document means.
    pub(super) fn answer(&self, iri: &'n str, document: &str) -> DescribedAnswer<'n> {
        let Some(&same) = self.entities.get(iri) else { return DescribedAnswer::Same(iri, &[]) };
        match (same.split_first(), local_name(iri, document)) {
            (None, Some(name)) => DescribedAnswer::Nil(name),
            (None, None) => DescribedAnswer::Same(iri, &[]),
            // Nobody else knows the name of an entity of the file.
            (Some((first, others)), Some(_)) => DescribedAnswer::Same(first, others),
            (Some(_), None) => DescribedAnswer::Same(iri, same),
        }
    }

    /// Whether a link may be described in another stretch of a large file.
    pub(super) fn may_be_elsewhere(&self, node: &Node<'_>, document: &str) -> bool {
        let Some(iri) = node.link.as_deref() else { return false };
        !self.entities.is_empty() || local_name(iri, document).is_some()
    }
}

/// The name of an entity in the namespace of a document: what is behind the last slash or hash of the address of the document.
fn local_name<'n>(iri: &'n str, document: &str) -> Option<&'n str> {
    let end = document.rfind(['/', '#'])? + 1;
    let name = iri.strip_prefix(&document[..end])?;
    // A whole host is no namespace.
    let has_path = document[..end].matches('/').count() > 3;
    (has_path && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_local_in_the_folder_of_their_document() {
        for (iri, document, expected) in [
            ("http://x/task/Anna", "http://x/task/sentence-1", Some("Anna")),
            ("http://x/task/", "http://x/task/sentence-1", None),
            ("http://x/other/Anna", "http://x/task/sentence-1", None),
            ("http://y", "http://x", None),
            ("http://x/Anna", "http://x/sentence-1", None),
            ("Anna", "sentence", None),
        ] {
            assert_eq!(local_name(iri, document), expected, "{iri} {document}");
        }
    }
}

//! The tags of fine-grained entity linking, in the three vocabularies in use.

use crate::syntax::turtle::{Iri, Namespace};
use karat_model::{DimensionCategory, Vocabulary};

/// The property that says which tags and types of a mention were derived. No vocabulary has one.
pub(super) const DERIVED: &str = "urn:karat:derived";

/// The prefix of the vocabulary that an IRI is of, and its name there.
fn named<'i>(iri: &'i Iri<'_>) -> Option<(&'static str, &'i str)> {
    let (namespace, local) = iri.split();
    let vocabulary = match (iri.prefix, namespace) {
        ("el", _) | (_, Namespace::EL) => "el",
        ("fel", _) | (_, Namespace::FEL) => "fel",
        ("mnt", _) | (_, Namespace::MNT) => "mnt",
        ("tax", _) | (_, Namespace::TAX) => "tax",
        _ => return None,
    };
    Some((vocabulary, local))
}

/// The vocabularies of the tags of one mention, where they are not all of one. What that has no
/// name for may be of another.
pub(super) fn mixture<'t>(tags: impl Iterator<Item = Iri<'t>>) -> Option<String> {
    let known = |iri: Iri<'t>| {
        let (prefix, local) = named(&iri)?;
        let vocabulary = Vocabulary::ALL.into_iter().find(|other| other.prefix() == prefix)?;
        Some((vocabulary, vocabulary.category(local)?))
    };
    let known: Vec<(Vocabulary, DimensionCategory)> = tags.filter_map(known).collect();
    let is_whole = |whole: Vocabulary| {
        known.iter().all(|&(one, category)| one == whole || category.name(whole).is_none())
    };
    if Vocabulary::ALL.into_iter().any(is_whole) {
        return None;
    }
    let used = |vocabulary: &Vocabulary| known.iter().any(|(one, _)| one == vocabulary);
    let names: Vec<&str> =
        Vocabulary::ALL.into_iter().filter(used).map(Vocabulary::prefix).collect();
    Some(names.join(", "))
}

/// The tag that an IRI of one of the vocabularies stands for, under its `el:`
/// name if it has one; `None` for any other IRI.
pub(super) fn tag_of(iri: &Iri<'_>) -> Option<String> {
    let (vocabulary, local) = named(iri)?;
    let same = match vocabulary {
        "fel" => Vocabulary::Fel.category(local),
        "mnt" => Vocabulary::Mnt.category(local),
        _ => None,
    };
    Some(match same {
        Some(category) => category.tag(Vocabulary::El),
        None => format!("{vocabulary}:{local}"),
    })
}

/// The IRI of a category tag in a vocabulary; in the published one where that has no name for it.
pub(super) fn category_iri(tag: &str, vocabulary: Vocabulary) -> Option<String> {
    let category = Vocabulary::El.tagged(tag)?;
    match (vocabulary, category.name(vocabulary)) {
        // These two never had an address; a name with its prefix is its own.
        (Vocabulary::El | Vocabulary::Mnt, Some(_)) => Some(category.tag(vocabulary)),
        _ => Some(format!("{}{}", Vocabulary::FEL_NAMESPACE, category.name(Vocabulary::Fel)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_vocabularies_one_tag() {
        let name =
            |prefix, namespace, local: &'static str| Iri { namespace, prefix, local: local.into() };
        for (iri, expected) in [
            (name("el", Namespace::EL, "Mnt-Full"), Some("el:Mnt-Full")),
            (name("el", Namespace(99), "Mnt-Full"), Some("el:Mnt-Full")),
            (name("fel", Namespace::FEL, "FullProperForm"), Some("el:Mnt-Full")),
            (Iri::whole("http://w3id.org/vcb/fel#NoOverlap"), Some("el:Olp-None")),
            (Iri::whole("https://w3id.org/vcb/fel#NoOverlap"), Some("el:Olp-None")),
            (name("mnt", Namespace::MNT, "Pro-formPN"), Some("el:Mnt-ProForm")),
            (name("mnt", Namespace::MNT, "LiteralRh"), Some("mnt:LiteralRh")),
            (name("fel", Namespace::FEL, "ProperForm"), Some("fel:ProperForm")),
            (name("tax", Namespace::TAX, "Ambiguous"), Some("tax:Ambiguous")),
            (Iri::whole("http://dbpedia.org/ontology/Place"), None),
        ] {
            assert_eq!(tag_of(&iri).as_deref(), expected);
        }
        for category in DimensionCategory::ALL {
            let name = category.tag(Vocabulary::El);
            for vocabulary in Vocabulary::ALL {
                let iri = category_iri(&name, vocabulary).unwrap();
                assert_eq!(tag_of(&Iri::whole(&iri)).as_deref(), Some(name.as_str()));
            }
        }
    }
}

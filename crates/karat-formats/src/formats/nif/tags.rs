//! The tags of fine-grained entity linking, in the three vocabularies in use.

use crate::syntax::turtle::{Iri, Namespace};

/// The names of one tag: `el:`, `fel:` and, where there is one, the older `mnt:`.
const TAGS: [(&str, &str, &str); 22] = [
    ("Mnt-Full", "FullProperForm", "FullMentionPN"),
    ("Mnt-Short", "ShortProperForm", "ShortMentionPN"),
    ("Mnt-Extended", "ExtendedProperForm", "ExtendedMentionPN"),
    ("Mnt-Alias", "AliasProperForm", "AliasPN"),
    ("Mnt-NumericTemporal", "NumericTemporalForm", "NumericTemporalPN"),
    ("Mnt-CommonForm", "CommonForm", "CommonFormPN"),
    ("Mnt-ProForm", "ProForm", "Pro-formPN"),
    ("PoS-NounSingular", "SingularNounPhrasePoS", "SingularNounPoS"),
    ("PoS-NounPlural", "PluralNounPhrasePoS", "PluralNounPoS"),
    ("PoS-Adjective", "AdjectivePoS", "AdjectivePoS"),
    ("PoS-Verb", "VerbPoS", "VerbPoS"),
    ("PoS-Adverb", "AdverbPoS", "AdverbPoS"),
    ("Olp-None", "NoOverlap", "NonOverlapping"),
    ("Olp-Maximal", "MaximalOverlap", "MaximalOverlap"),
    ("Olp-Intermediate", "IntermediateOverlap", "IntermediateOverlap"),
    ("Olp-Minimal", "MinimalOverlap", "MinimalOverlap"),
    ("Ref-Direct", "DirectReference", ""),
    ("Ref-Anaphoric", "AnaphoricReference", ""),
    ("Ref-Metaphoric", "MetaphoricReference", ""),
    ("Ref-Metonymic", "MetonymicReference", ""),
    ("Ref-Related", "RelatedReference", ""),
    ("Ref-Descriptive", "DescriptiveReference", ""),
];

/// Where the published vocabulary lives.
pub(super) const FEL: &str = "http://w3id.org/vcb/fel#";

/// The tag that an IRI of one of the vocabularies stands for, under its `el:`
/// name if it has one; `None` for any other IRI.
pub(super) fn tag_of(iri: &Iri<'_>) -> Option<String> {
    let (namespace, local) = iri.split();
    let vocabulary = match (iri.prefix, namespace) {
        ("el", _) | (_, Namespace::EL) => "el",
        ("fel", _) | (_, Namespace::FEL) => "fel",
        ("mnt", _) | (_, Namespace::MNT) => "mnt",
        ("tax", _) | (_, Namespace::TAX) => "tax",
        _ => return None,
    };
    let same = TAGS.iter().find(|(_, fel, mnt)| match vocabulary {
        "fel" => *fel == local,
        "mnt" => *mnt == local,
        _ => false,
    });
    Some(match same {
        Some((el, ..)) => format!("el:{el}"),
        None => format!("{vocabulary}:{local}"),
    })
}

/// The IRI of a tag in the published vocabulary.
pub(super) fn fel_iri(tag: &str) -> Option<String> {
    let local = tag.strip_prefix("el:")?;
    let (_, fel, _) = TAGS.iter().find(|(el, ..)| *el == local)?;
    Some(format!("{FEL}{fel}"))
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
            (name("mnt", Namespace::MNT, "Pro-formPN"), Some("el:Mnt-ProForm")),
            (name("mnt", Namespace::MNT, "LiteralRh"), Some("mnt:LiteralRh")),
            (name("fel", Namespace::FEL, "ProperForm"), Some("fel:ProperForm")),
            (name("tax", Namespace::TAX, "Ambiguous"), Some("tax:Ambiguous")),
            (Iri::whole("http://dbpedia.org/ontology/Place"), None),
        ] {
            assert_eq!(tag_of(&iri).as_deref(), expected);
        }
        for (el, fel, _) in TAGS {
            assert_eq!(fel_iri(&format!("el:{el}")), Some(format!("{FEL}{fel}")));
        }
    }
}

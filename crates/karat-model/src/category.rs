//! The categories of fine-grained entity linking, in the three vocabularies in use.
//!
//! A corpus holds them as tags. Readers that know the vocabularies give every tag its `el:` name,
//! which the published datasets use; [`DimensionCategory::of`] understands all three wherever a tag comes
//! from.

/// What a category speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dimension {
    /// Full name, short name, alias, common noun, ...
    BaseForm,
    /// Noun, adjective, verb, adverb.
    PartOfSpeech,
    /// How the mention lies among the others.
    Overlap,
    /// Direct, anaphoric, metonymic, ...
    Reference,
}

impl Dimension {
    /// All dimensions.
    pub const ALL: [Dimension; 4] =
        [Dimension::BaseForm, Dimension::PartOfSpeech, Dimension::Overlap, Dimension::Reference];

    /// What it is called in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::BaseForm => "base form",
            Dimension::PartOfSpeech => "part of speech",
            Dimension::Overlap => "overlap",
            Dimension::Reference => "reference",
        }
    }

    /// What it is called in a command.
    pub fn key(self) -> &'static str {
        match self {
            Dimension::BaseForm => "base-form",
            Dimension::PartOfSpeech => "pos",
            Dimension::Overlap => "overlap",
            Dimension::Reference => "reference",
        }
    }

    /// The dimension that a tag speaks of; `None` for a tag of none. Any tag that is written like those
    /// of `el:` is of the dimension that its beginning says, known or not.
    pub fn of(tag: &str) -> Option<Dimension> {
        let written = tag.strip_prefix("el:").and_then(|name| name.split_once('-'));
        match written {
            Some(("Mnt", _)) => Some(Dimension::BaseForm),
            Some(("PoS", _)) => Some(Dimension::PartOfSpeech),
            Some(("Olp", _)) => Some(Dimension::Overlap),
            Some(("Ref", _)) => Some(Dimension::Reference),
            _ => DimensionCategory::of(tag).map(DimensionCategory::dimension),
        }
    }

    /// Its categories, in the order of the literature.
    pub fn categories(self) -> impl Iterator<Item = DimensionCategory> {
        DimensionCategory::ALL.into_iter().filter(move |category| category.dimension() == self)
    }
}

/// A vocabulary of tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Vocabulary {
    /// `el:`, of the published datasets.
    El,
    /// `fel:`, published as a vocabulary of its own.
    Fel,
    /// `mnt:`, the older one of the annotation tool NIFify; it has no names for references.
    Mnt,
}

impl Vocabulary {
    /// All vocabularies.
    pub const ALL: [Vocabulary; 3] = [Vocabulary::El, Vocabulary::Fel, Vocabulary::Mnt];

    /// Where the vocabulary `fel` is published; the others never had an address.
    pub const FEL_NAMESPACE: &'static str = "http://w3id.org/vcb/fel#";

    /// The same address as it is also written.
    pub const FEL_NAMESPACE_SECURE: &'static str = "https://w3id.org/vcb/fel#";

    /// The name in an address of the vocabulary `fel`, which answers under both schemes.
    pub fn fel_name(iri: &str) -> Option<&str> {
        let plain = iri.strip_prefix(Vocabulary::FEL_NAMESPACE);
        plain.or_else(|| iri.strip_prefix(Vocabulary::FEL_NAMESPACE_SECURE))
    }

    /// Its prefix, without the colon.
    pub fn prefix(self) -> &'static str {
        match self {
            Vocabulary::El => "el",
            Vocabulary::Fel => "fel",
            Vocabulary::Mnt => "mnt",
        }
    }

    /// The category that a tag of this vocabulary stands for.
    pub fn tagged(self, tag: &str) -> Option<DimensionCategory> {
        self.category(tag.strip_prefix(self.prefix())?.strip_prefix(':')?)
    }

    /// The category that a name without prefix stands for.
    pub fn category(self, name: &str) -> Option<DimensionCategory> {
        DimensionCategory::ALL.into_iter().find(|category| category.name(self) == Some(name))
    }
}

/// A category of one of the four dimensions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DimensionCategory {
    /// The full name of an entity.
    Full,
    /// A part of the name.
    Short,
    /// The name and more.
    Extended,
    /// Another name.
    Alias,
    /// A number or a time.
    NumericTemporal,
    /// A common noun or another word that is no name.
    CommonForm,
    /// A pronoun or the like.
    ProForm,
    /// A noun, or a phrase around one, in the singular.
    NounSingular,
    /// A noun, or a phrase around one, in the plural.
    NounPlural,
    /// An adjective.
    Adjective,
    /// A verb.
    Verb,
    /// An adverb.
    Adverb,
    /// Neither contains a mention nor is contained in one.
    NoOverlap,
    /// Contains a mention.
    MaximalOverlap,
    /// Contains a mention and is contained in one.
    IntermediateOverlap,
    /// Is contained in a mention.
    MinimalOverlap,
    /// Names the entity itself.
    Direct,
    /// Refers to what was named elsewhere.
    Anaphoric,
    /// Names the entity by likeness.
    Metaphoric,
    /// Names something that stands for the entity.
    Metonymic,
    /// Names something related.
    Related,
    /// Describes the entity.
    Descriptive,
}

/// The names of one category: `el`, `fel` and, where there is one, `mnt`.
type Names = (DimensionCategory, &'static str, &'static str, Option<&'static str>);

const NAMES: [Names; 22] = [
    (DimensionCategory::Full, "Mnt-Full", "FullProperForm", Some("FullMentionPN")),
    (DimensionCategory::Short, "Mnt-Short", "ShortProperForm", Some("ShortMentionPN")),
    (DimensionCategory::Extended, "Mnt-Extended", "ExtendedProperForm", Some("ExtendedMentionPN")),
    (DimensionCategory::Alias, "Mnt-Alias", "AliasProperForm", Some("AliasPN")),
    (
        DimensionCategory::NumericTemporal,
        "Mnt-NumericTemporal",
        "NumericTemporalForm",
        Some("NumericTemporalPN"),
    ),
    (DimensionCategory::CommonForm, "Mnt-CommonForm", "CommonForm", Some("CommonFormPN")),
    (DimensionCategory::ProForm, "Mnt-ProForm", "ProForm", Some("Pro-formPN")),
    (
        DimensionCategory::NounSingular,
        "PoS-NounSingular",
        "SingularNounPhrasePoS",
        Some("SingularNounPoS"),
    ),
    (DimensionCategory::NounPlural, "PoS-NounPlural", "PluralNounPhrasePoS", Some("PluralNounPoS")),
    (DimensionCategory::Adjective, "PoS-Adjective", "AdjectivePoS", Some("AdjectivePoS")),
    (DimensionCategory::Verb, "PoS-Verb", "VerbPoS", Some("VerbPoS")),
    (DimensionCategory::Adverb, "PoS-Adverb", "AdverbPoS", Some("AdverbPoS")),
    (DimensionCategory::NoOverlap, "Olp-None", "NoOverlap", Some("NonOverlapping")),
    (DimensionCategory::MaximalOverlap, "Olp-Maximal", "MaximalOverlap", Some("MaximalOverlap")),
    (
        DimensionCategory::IntermediateOverlap,
        "Olp-Intermediate",
        "IntermediateOverlap",
        Some("IntermediateOverlap"),
    ),
    (DimensionCategory::MinimalOverlap, "Olp-Minimal", "MinimalOverlap", Some("MinimalOverlap")),
    (DimensionCategory::Direct, "Ref-Direct", "DirectReference", None),
    (DimensionCategory::Anaphoric, "Ref-Anaphoric", "AnaphoricReference", None),
    (DimensionCategory::Metaphoric, "Ref-Metaphoric", "MetaphoricReference", None),
    (DimensionCategory::Metonymic, "Ref-Metonymic", "MetonymicReference", None),
    (DimensionCategory::Related, "Ref-Related", "RelatedReference", None),
    (DimensionCategory::Descriptive, "Ref-Descriptive", "DescriptiveReference", None),
];

impl DimensionCategory {
    /// All categories, dimension by dimension, in the order of the literature.
    pub const ALL: [DimensionCategory; 22] = {
        let mut all = [DimensionCategory::Full; 22];
        let mut index = 0;
        while index < all.len() {
            all[index] = NAMES[index].0;
            index += 1;
        }
        all
    };

    /// The category that a tag of any of the vocabularies stands for: `el:Mnt-Full`,
    /// `fel:FullProperForm` with its prefix or its whole address, `mnt:FullMentionPN`.
    pub fn of(tag: &str) -> Option<DimensionCategory> {
        if let Some(name) = Vocabulary::fel_name(tag) {
            return Vocabulary::Fel.category(name);
        }
        Vocabulary::ALL.into_iter().find_map(|vocabulary| vocabulary.tagged(tag))
    }

    /// What it speaks of.
    pub fn dimension(self) -> Dimension {
        match self {
            DimensionCategory::Full
            | DimensionCategory::Short
            | DimensionCategory::Extended
            | DimensionCategory::Alias
            | DimensionCategory::NumericTemporal
            | DimensionCategory::CommonForm
            | DimensionCategory::ProForm => Dimension::BaseForm,
            DimensionCategory::NounSingular
            | DimensionCategory::NounPlural
            | DimensionCategory::Adjective
            | DimensionCategory::Verb
            | DimensionCategory::Adverb => Dimension::PartOfSpeech,
            DimensionCategory::NoOverlap
            | DimensionCategory::MaximalOverlap
            | DimensionCategory::IntermediateOverlap
            | DimensionCategory::MinimalOverlap => Dimension::Overlap,
            DimensionCategory::Direct
            | DimensionCategory::Anaphoric
            | DimensionCategory::Metaphoric
            | DimensionCategory::Metonymic
            | DimensionCategory::Related
            | DimensionCategory::Descriptive => Dimension::Reference,
        }
    }

    /// Its name in the vocabulary of the published datasets, without prefix.
    pub fn el(self) -> &'static str {
        NAMES[self as usize].1
    }

    /// Its name in a vocabulary, without prefix; `None` where the vocabulary has none.
    pub fn name(self, vocabulary: Vocabulary) -> Option<&'static str> {
        let (_, el, fel, mnt) = NAMES[self as usize];
        match vocabulary {
            Vocabulary::El => Some(el),
            Vocabulary::Fel => Some(fel),
            Vocabulary::Mnt => mnt,
        }
    }

    /// Its tag in a vocabulary, such as `fel:CommonForm`; the `el:` tag where the vocabulary
    /// has no name for it.
    pub fn tag(self, vocabulary: Vocabulary) -> String {
        match self.name(vocabulary) {
            Some(name) => format!("{}:{name}", vocabulary.prefix()),
            None => self.tag(Vocabulary::El),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tag_is_read_back_as_its_category() {
        for (index, category) in DimensionCategory::ALL.into_iter().enumerate() {
            assert_eq!(category as usize, index, "the names are in the order of the categories");
            for vocabulary in Vocabulary::ALL {
                assert_eq!(DimensionCategory::of(&category.tag(vocabulary)), Some(category));
            }
        }
        let sizes = Dimension::ALL.map(|dimension| dimension.categories().count());
        assert_eq!(sizes, [7, 5, 4, 6]);
    }

    #[test]
    fn other_tags_are_no_categories() {
        for tag in ["", "el:", "el:Mnt", "Mnt-Full", "mnt:LiteralRh", "fel:ProperForm", "x:y"] {
            assert_eq!(DimensionCategory::of(tag), None, "{tag}");
        }
        assert_eq!(
            DimensionCategory::of("http://w3id.org/vcb/fel#NoOverlap"),
            Some(DimensionCategory::NoOverlap)
        );
        assert_eq!(
            DimensionCategory::of("https://w3id.org/vcb/fel#NoOverlap"),
            Some(DimensionCategory::NoOverlap)
        );
        assert_eq!(DimensionCategory::Direct.tag(Vocabulary::Mnt), "el:Ref-Direct");
        assert_eq!(Dimension::of("el:Mnt-Nickname"), Some(Dimension::BaseForm));
        assert_eq!(Dimension::of("fel:AdverbPoS"), Some(Dimension::PartOfSpeech));
        assert_eq!(Dimension::of("el:Colour-Red"), None);
    }
}

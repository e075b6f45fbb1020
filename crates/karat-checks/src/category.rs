//! The four dimensions of fine-grained category tags.

/// What a category tag speaks of.
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

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Dimension::BaseForm => "base form",
            Dimension::PartOfSpeech => "part of speech",
            Dimension::Overlap => "overlap",
            Dimension::Reference => "reference",
        }
    }
}

/// The dimension a tag of the `el:` vocabulary belongs to; `None` for any other tag.
pub fn dimension(tag: &str) -> Option<Dimension> {
    let name = tag.strip_prefix("el:")?;
    let (prefix, _) = name.split_once('-')?;
    match prefix {
        "Mnt" => Some(Dimension::BaseForm),
        "PoS" => Some(Dimension::PartOfSpeech),
        "Olp" => Some(Dimension::Overlap),
        "Ref" => Some(Dimension::Reference),
        _ => None,
    }
}

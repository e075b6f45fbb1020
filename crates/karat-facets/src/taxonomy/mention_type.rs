//! What kind of mention it is: named or not, unknown, or a coreference.

use super::Taxonomy;
use super::language::{is_capitalised, is_nominal, is_pronoun};
use karat_model::Flags;

/// The kind of a mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MentionType {
    /// A named entity.
    Named,
    /// An entity whose name is an ordinary word.
    NonNamed,
    /// An entity that the knowledge base does not have.
    Unknown,
    /// A noun that refers back.
    Nominal,
    /// A pronoun.
    Pronominal,
}

impl MentionType {
    /// All of them.
    pub const ALL: [MentionType; 5] = [
        MentionType::Named,
        MentionType::NonNamed,
        MentionType::Unknown,
        MentionType::Nominal,
        MentionType::Pronominal,
    ];

    /// Its name, as ELEVANT writes it in its results.
    pub fn name(self) -> &'static str {
        match self {
            MentionType::Named => "entity_named",
            MentionType::NonNamed => "entity_non_named",
            MentionType::Unknown => "entity_unknown",
            MentionType::Nominal => "coref_nominal",
            MentionType::Pronominal => "coref_pronominal",
        }
    }

    /// Whether it refers back to another mention.
    pub fn is_coreference(self) -> bool {
        matches!(self, MentionType::Nominal | MentionType::Pronominal)
    }
}

/// What is known of an entity.
pub(super) enum Subject<'a> {
    /// The knowledge base does not have it.
    Nil,
    /// It is called this; `None` if the knowledge base does not say.
    Called(Option<&'a str>),
}

/// The kind of a mention; `None` if only the knowledge base could tell, or the text where there is none.
pub(super) fn mention_type(
    taxonomy: &Taxonomy,
    text: Option<&str>,
    flags: Flags,
    subject: &Subject<'_>,
) -> Option<MentionType> {
    let is_pronoun = |text: &str| is_pronoun(text, taxonomy.no_pronouns);
    // What the benchmark says comes before what the text looks like: only the newer files of
    // ELEVANT have these flags.
    if flags.contains(Flags::COREFERENCE) {
        let pronoun = is_pronoun(text?);
        return Some(if pronoun { MentionType::Pronominal } else { MentionType::Nominal });
    }
    if !flags.contains(Flags::NOT_COREFERENCE) {
        let text = text?;
        if is_pronoun(text) {
            return Some(MentionType::Pronominal);
        }
        if is_nominal(text) {
            return Some(MentionType::Nominal);
        }
    }
    match subject {
        Subject::Nil if taxonomy.unknown_mentions => Some(MentionType::Unknown),
        Subject::Nil => Some(MentionType::NonNamed),
        Subject::Called(name) => name.map(|name| match is_capitalised(name) {
            true => MentionType::Named,
            false => MentionType::NonNamed,
        }),
    }
}

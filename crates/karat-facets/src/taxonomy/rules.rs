//! What a convention says about categories.

use karat_kb::{FICTIONAL_LOCATION, GEOGRAPHIC_ENTITY};

/// What decides the labels of a case. A convention of the literature is one value of this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taxonomy {
    /// Its name, as a signature writes it.
    pub name: &'static str,
    /// Mentions of unknown entities are a kind of their own; otherwise they are not named.
    pub unknown_mentions: bool,
    /// Words that are not taken for pronouns, though they are.
    pub no_pronouns: &'static [&'static str],
    /// When an extra mention is lowercased.
    pub lowercase: Lowercase,
    /// An extra mention on a quantity or a date is one on gold that is unknown.
    pub literals_are_unknown: bool,
    /// Types that count as another: an entity of the first has the second.
    pub merged_types: &'static [(&'static str, &'static str)],
    /// Types that another rules out: an entity that has the second does not have the first.
    pub outranked_types: &'static [(&'static str, &'static str)],
    /// The types that a demonym may stand for.
    pub demonym_types: &'static [&'static str],
    /// Some errors are in a category only if the prediction fits it too: an error of metonymy is one
    /// only if a place was predicted, of rarity only if the usual meaning was. Denominators then
    /// depend on the system.
    pub by_prediction: bool,
    /// A coreference is falsely detected only if it is one of a few words.
    pub false_detection_words: bool,
    /// Extra mentions, and wrong links for no reason that is known, are counted without a
    /// denominator.
    pub plain_counts: bool,
}

/// When an extra mention is lowercased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lowercase {
    /// Its first letter is no capital.
    FirstLetter,
    /// None of its words starts with a capital.
    EveryWord,
}

const HUMAN_POPULATION: &str = "Q33829";
const ETHNIC_GROUP: &str = "Q41710";
const LANGUOID: &str = "Q17376908";
const PERSON: &str = "Q215627";
const FICTIONAL_CHARACTER: &str = "Q95074";
const ANIMAL: &str = "Q729";

impl Taxonomy {
    /// The types that ELEVANT lists, in the order of its results; the last two count as others there.
    pub const TYPES: [&'static str; 31] = [
        PERSON,
        GEOGRAPHIC_ENTITY,
        "Q43229",
        "Q17537576",
        "Q2424752",
        "Q1656682",
        "Q431289",
        "Q483394",
        LANGUOID,
        "Q43460564",
        "Q16521",
        "Q9174",
        "Q7257",
        "Q4164871",
        "Q12737077",
        "Q11862829",
        "Q21070598",
        "Q618779",
        "Q12136",
        "Q4392985",
        "Q373899",
        "Q22222786",
        HUMAN_POPULATION,
        "Q1075",
        "Q179661",
        "Q169872",
        "Q4936952",
        "Q349",
        ANIMAL,
        FICTIONAL_CHARACTER,
        FICTIONAL_LOCATION,
    ];

    /// What is not called by the name of a place other than its own: places themselves, and people.
    pub const NO_METONYMY: &'static [&'static str] =
        &[GEOGRAPHIC_ENTITY, PERSON, HUMAN_POPULATION, FICTIONAL_CHARACTER];

    /// All of them.
    pub const ALL: [&'static Taxonomy; 4] = [&KARAT, &ELEVANT, &ELEVANT_2025, &ELEVANT_2023];

    /// The taxonomy with this name.
    pub fn named(name: &str) -> Option<&'static Taxonomy> {
        Taxonomy::ALL.into_iter().find(|taxonomy| taxonomy.name == name)
    }

    /// Whether a type counts as another one.
    pub fn is_merged(&self, name: &str) -> bool {
        self.merged_types.iter().any(|(from, _)| *from == name)
    }

    /// The type that a type counts as: mostly itself.
    pub fn merged<'t>(&self, name: &'t str) -> &'t str {
        self.merged_types.iter().find(|(from, _)| *from == name).map_or(name, |(_, to)| to)
    }

    /// The types of one entity as they count, in their order.
    pub fn adjusted<'t>(&self, types: impl IntoIterator<Item = &'t str>) -> Vec<&'t str> {
        let mut adjusted: Vec<&str> = Vec::new();
        for name in types.into_iter().map(|name| self.merged(name)) {
            if !adjusted.contains(&name) {
                adjusted.push(name);
            }
        }
        // After merging: a fictional character that counts as a person is no animal either.
        for (outranked, by) in self.outranked_types {
            if adjusted.contains(by) {
                adjusted.retain(|name| name != outranked);
            }
        }
        adjusted
    }
}

/// Our own: categories by gold alone, so that denominators are the same for every system, and
/// types as they are given.
pub static KARAT: Taxonomy = Taxonomy {
    name: "karat",
    merged_types: &[],
    outranked_types: &[],
    by_prediction: false,
    false_detection_words: false,
    ..ELEVANT
};

/// That of the results that ELEVANT publishes.
pub static ELEVANT: Taxonomy = Taxonomy {
    name: "elevant",
    unknown_mentions: true,
    no_pronouns: &[],
    lowercase: Lowercase::FirstLetter,
    literals_are_unknown: false,
    merged_types: &[(FICTIONAL_CHARACTER, PERSON), (FICTIONAL_LOCATION, GEOGRAPHIC_ENTITY)],
    outranked_types: &[(ANIMAL, PERSON)],
    demonym_types: &[GEOGRAPHIC_ENTITY, HUMAN_POPULATION, LANGUOID],
    by_prediction: true,
    false_detection_words: true,
    plain_counts: false,
};

/// That of ELEVANT's code since January 2025, which has another idea of falsely detected coreferences.
pub static ELEVANT_2025: Taxonomy =
    Taxonomy { name: "elevant-2025", false_detection_words: false, ..ELEVANT };

/// That of the paper of 2023.
pub static ELEVANT_2023: Taxonomy = Taxonomy {
    name: "elevant-2023",
    unknown_mentions: false,
    no_pronouns: &["we"],
    lowercase: Lowercase::EveryWord,
    literals_are_unknown: true,
    demonym_types: &[GEOGRAPHIC_ENTITY, ETHNIC_GROUP, LANGUOID],
    plain_counts: true,
    ..ELEVANT
};

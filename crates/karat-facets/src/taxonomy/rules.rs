//! What a convention says about categories.

use karat_kb::GEOGRAPHIC_ENTITY;

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
const FICTIONAL_LOCATION: &str = "Q3895768";

impl Taxonomy {
    /// The types that ELEVANT gives entities, in the order of its results; it tells the last two apart
    /// and does not report them.
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
        "Q729",
        FICTIONAL_CHARACTER,
        FICTIONAL_LOCATION,
    ];

    /// Those of the types that are not reported.
    pub const UNREPORTED: [&'static str; 2] = [FICTIONAL_CHARACTER, FICTIONAL_LOCATION];

    /// What is not called by the name of a place other than its own: places themselves, and people.
    pub const NO_METONYMY: &'static [&'static str] =
        &[GEOGRAPHIC_ENTITY, PERSON, HUMAN_POPULATION, FICTIONAL_CHARACTER];

    /// All of them.
    pub const ALL: [&'static Taxonomy; 4] = [&KARAT, &ELEVANT, &ELEVANT_2025, &ELEVANT_2023];

    /// The taxonomy with this name.
    pub fn named(name: &str) -> Option<&'static Taxonomy> {
        Taxonomy::ALL.into_iter().find(|taxonomy| taxonomy.name == name)
    }
}

/// Our own: categories by gold alone, so that denominators are the same for every system.
pub static KARAT: Taxonomy =
    Taxonomy { name: "karat", by_prediction: false, false_detection_words: false, ..ELEVANT };

/// That of the results that ELEVANT publishes.
pub static ELEVANT: Taxonomy = Taxonomy {
    name: "elevant",
    unknown_mentions: true,
    no_pronouns: &[],
    lowercase: Lowercase::FirstLetter,
    literals_are_unknown: false,
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
    by_prediction: true,
    false_detection_words: true,
    plain_counts: true,
};

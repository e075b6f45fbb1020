//! GERBIL 1.2.9.
//!
//! Gold, in the order of its file, takes the first prediction that fits. Only ids of known
//! knowledge bases are in the knowledge base; any two that are not agree. Without gold and
//! predictions all scores are 1, with nothing right all are 0. The entities of a document are
//! counted as often as they are mentioned. The threshold on confidence that gives the best micro
//! F1 is chosen on the data that is scored: such numbers are marked *oracle*.
//!
//! Its tasks are measures, strong as they stand and weak with `match=overlap`:
//!
//! | GERBIL | karat |
//! | --- | --- |
//! | A2KB, with InKB and EE | `a2kb`, `inkb`, `ee` |
//! | D2KB, with InKB, EE and GSInKB | `d2kb`, `d2kb(items=linked)`, `d2kb(items=nil)`, `d2kb(items=linked-gold)` |
//! | C2KB, with InKB and EE | `c2kb`, `c2kb(items=linked)`, `c2kb(items=nil)` |
//! | ERec | `erec` |
//! | RT2KB, ETyping | `rt2kb`, `etyping` |
//!
//! The quirks of its threshold are kept: a confidence of nought loses the prediction, and so does
//! the lowest of negative ones; links of typed mentions have no confidence, and nothing has one in
//! C2KB; a class of items takes the next threshold of its own after that of the whole. What GERBIL asks the network about
//! (sameAs, redirects, whether an entity still exists) must be in the files. A class without gold
//! and predictions, which GERBIL leaves out, scores 1.

use crate::name::Average;
use crate::preset::{Convention, Grouping, Preset, SpellingRule};
use crate::score::Zero;
use crate::threshold::{Classes, Grid, Keeps, Search};
use karat_kb::Knowledge;
use karat_match::{Assignment, Settings};

/// The namespaces that GERBIL takes for knowledge bases.
pub(crate) const KNOWN: Knowledge = Knowledge::Prefixes(&[
    "http://dbpedia.org/resource/",
    "http://dbpedia.org/ontology/",
    "http://www.ontologydesignpatterns.org/ont/dul/",
    "http://ontologydesignpatterns.org/ont/dul/",
    "http://www.ontologydesignpatterns.org/ont/d0.owl",
    "http://www.wikidata.org/entity/",
    "http://d-nb.info/",
]);

/// See the head of this file.
pub static GERBIL: Preset = Preset {
    name: "gerbil",
    file: include_str!("gerbil.rs"),
    convention: || Convention {
        preset: &GERBIL,
        settings: Settings {
            assignment: Assignment::Greedy,
            honour_optional: false,
            honour_alternatives: false,
            trim: false,
            evaluation_span: false,
            repeated_tags: true,
            // A marking without a URI is a bare span: only recognition sees it.
            answers_only: true,
            // GERBIL classifies entities before it looks at scores, and on the way only those
            // of untyped mentions survive.
            untyped_scores: true,
            ..Settings::default()
        },
        zero: Zero::Gerbil,
        spellings: SpellingRule::AsWritten,
        knowledge: KNOWN,
        grouping: Grouping::Sides,
        oracle: true,
        search: Search {
            // A confidence must be above the threshold, and the lowest that is tried is nought or
            // less: what has a confidence of nought, or the lowest below it, is lost.
            keeps: Keeps::Above,
            grid: Grid::ScoresAndNought,
            by: Average::Micro,
            // Rows for InKB, EE and GSInKB look for the threshold of the whole in a list of their
            // own, and take the next higher where it is not there.
            classes: Classes::NextToWhole,
        },
        intervals: false,
        ..Convention::default()
    },
    measures: &[
        "a2kb",
        "a2kb@macro",
        "inkb",
        "inkb@macro",
        "ee",
        "ee@macro",
        "erec",
        "erec@macro",
        "d2kb",
        "d2kb@macro",
        "d2kb(items=linked)",
        "d2kb(items=nil)",
        "d2kb(items=linked-gold)",
        "c2kb",
        "c2kb@macro",
    ],
    with_nil_clusters: &[],
};

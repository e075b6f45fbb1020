//! GERBIL 1.2.9.
//!
//! Gold, in the order of its file, takes the first prediction that fits. Only ids of known
//! knowledge bases are in the knowledge base; any two that are not agree. Without gold and
//! predictions all scores are 1, with nothing right all are 0. The entities of a document are
//! counted as often as they are mentioned. The threshold on confidence that gives the best micro
//! F1 is chosen on the data that is scored: such numbers are marked *oracle*.

use crate::preset::{Convention, Grouping, Preset};
use crate::score::Zero;
use karat_kb::Knowledge;
use karat_match::{Assignment, Settings};

/// The namespaces that GERBIL takes for knowledge bases.
const KNOWN: &[&str] = &[
    "http://dbpedia.org/resource/",
    "http://dbpedia.org/ontology/",
    "http://www.ontologydesignpatterns.org/ont/dul/DUL.owl",
    "http://www.ontologydesignpatterns.org/ont/wikipedia/d0.owl",
    "http://www.ontologydesignpatterns.org/ont/d0.owl",
    "http://www.wikidata.org/entity/",
    "http://d-nb.info/",
];

/// See the head of this file.
pub(crate) static GERBIL: Preset = Preset {
    name: "gerbil",
    file: include_str!("gerbil.rs"),
    convention: || Convention {
        preset: "gerbil",
        settings: Settings {
            assignment: Assignment::Greedy,
            honour_optional: false,
            honour_alternatives: false,
            trim: false,
            evaluation_span: false,
            repeated_tags: true,
            ..Settings::default()
        },
        zero: Zero::Gerbil,
        knowledge: Knowledge::Prefixes(KNOWN),
        grouping: Grouping::Sides,
        oracle: true,
        intervals: false,
    },
    measures: &[
        "all",
        "all@macro",
        "link",
        "link@macro",
        "nil",
        "nil@macro",
        "mention",
        "mention@macro",
        "tag",
        "tag@macro",
    ],
};

//! Fine-grained evaluation of Rosales-Méndez, Hogan and Poblete (2019), as their code counts.
//!
//! All annotations of a span are one mention, and it is right if the system links it to one of their
//! entities. A wrong link is missed and extra at once. Predictions on other spans are left out. A mention
//! that is NIL stays in the denominator and cannot be found. Of a link only what follows the last `/`
//! is compared, byte by byte. A part of the corpus is a gold standard of its own: the annotations that carry its
//! label, each alternative by its own tags, so that a link which is right by an annotation of another category is
//! wrong there. Fuzzy recall weighs a mention by the least of all tags of all its annotations, rounded to
//! three decimals; names that contain others are strict too.

use crate::membership::{Decimals, HitEarns, Membership, OverAlternatives};
use crate::preset::{Convention, Grouping, Preset, SpellingRule};
use crate::score::Zero;
use karat_kb::Naming;
use karat_match::{Assignment, Given, Settings};

/// See the head of this file.
pub static ROSALES_2019: Preset = Preset {
    name: "rosales-2019",
    file: include_str!("rosales_2019.rs"),
    convention: || Convention {
        preset: &ROSALES_2019,
        settings: Settings {
            assignment: Assignment::BySpan,
            honour_optional: false,
            trim: false,
            evaluation_span: false,
            given: Given::Mentions,
            nil_agrees: false,
            ..Settings::default()
        },
        zero: Zero::Nought,
        naming: Naming::LastSegment,
        spellings: SpellingRule::AsWritten,
        grouping: Grouping::Annotations,
        intervals: false,
        membership: Membership {
            over_alternatives: OverAlternatives::Min,
            hit_earns: HitEarns::Mention,
            decimals: Decimals::THREE,
            ..Membership::strict()
        },
        ..Convention::default()
    },
    measures: &["all"],
    with_nil_clusters: &[],
};

//! Mertens et al. (2014), on the test collections of entity linking.
//!
//! Each gold mention is a query, given to the system, and its answer is an entity or NIL; no answer
//! is NIL. Of several answers on one span the last of the file counts. Predictions elsewhere are
//! left out, and nothing is optional. The total is weighted by gold links and gold NIL.
//! Differences are tested in the observed direction only, as the paper does.
//! `karat collection` asks what these numbers are worth when queries are removed or added.

use crate::preset::{Convention, Preset, Sides, SpellingRule};
use karat_match::{Assignment, Given, Settings};

/// See the head of this file.
pub static MERTENS_2014: Preset = Preset {
    name: "mertens-2014",
    file: include_str!("mertens_2014.rs"),
    convention: || Convention {
        preset: &MERTENS_2014,
        settings: Settings {
            assignment: Assignment::LastWins,
            honour_optional: false,
            honour_alternatives: false,
            trim: false,
            evaluation_span: false,
            given: Given::Mentions,
            ..Settings::default()
        },
        spellings: SpellingRule::AsWritten,
        sides: Sides::One,
        ..Convention::default()
    },
    measures: &["query-link", "query-nil", "query"],
    with_nil_clusters: &[],
};

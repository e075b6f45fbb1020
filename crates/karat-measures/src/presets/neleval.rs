//! neleval 3.1 and the paper it grew from, Hachey, Nothman and Radford (2014).
//!
//! Annotations are sets of keys: equal ones collapse, and what both sides have is right. Nothing
//! is optional, and only the first candidate counts. What would divide by nothing is 0. Results
//! are grouped by dividing each side by its own labels. NIL without a cluster id is one cluster. `all`
//! is neleval's group of that name; its measure of links and NIL is `strong_all_match`. Where redirects are
//! followed, titles are known behind plain addresses of Wikipedia only, as in the scripts that made the
//! files of the paper.
//!
//! karat differs from neleval where that is plainly in error: a mention without any candidate is
//! NIL; groups that only the system has are counted (not with `--format neleval`, which prints what
//! neleval prints); filters apply to denominators of overlap measures; nested mentions are not lost;
//! CEAF never gives up.

use crate::preset::{Convention, Grouping, Preset, Sides, SpellingRule};
use crate::score::Zero;
use karat_kb::Titles;
use karat_match::{Assignment, Settings};

/// See the head of this file.
pub static NELEVAL: Preset = Preset {
    name: "neleval",
    file: include_str!("neleval.rs"),
    convention: || Convention {
        preset: &NELEVAL,
        settings: Settings {
            assignment: Assignment::Sets,
            honour_optional: false,
            honour_alternatives: false,
            trim: false,
            evaluation_span: false,
            one_nil_cluster: true,
            ..Settings::default()
        },
        zero: Zero::Nought,
        spellings: SpellingRule::AsWritten,
        titles: Titles::PlainAddresses,
        grouping: Grouping::Sides,
        intervals: false,
        sides: Sides::One,
        all_is_a_group: true,
        ..Convention::default()
    },
    measures: &["neleval"],
    with_nil_clusters: &[],
};

//! The BAT framework 1.3.6 (Cornolti, Ferragina and Ciaramita, 2013).
//!
//! A prediction is right if it is the first that fits some gold, and wrong if it fits none; the
//! same prediction may serve several. Both sides are sets. Precision is 1 without predictions,
//! recall 1 without missed gold. There is no NIL.
//!
//! Its matchings are measures:
//!
//! | BAT | karat |
//! | --- | --- |
//! | strong annotation match, SAM | `link` |
//! | weak annotation match, WAM | `link(match=overlap,overlaps=longest)` |
//! | mention annotation match, MAM | `mention(match=overlap,overlaps=longest)` |
//! | mention match | `mention` |
//! | weak mention match | `mention(match=overlap)` |
//! | strong mention annotation match | `mention(match=length)`: it means to compare spans, but compares only their lengths |
//! | concept annotation match, CAM; strong tag match, STM | `tag` |
//! | multi-entity match | `link(candidates=any)` |
//!
//! With `threshold=oracle` the best of 129 thresholds from 0 to 1 is taken, by macro F1, for each
//! measure by itself. BAT keeps its sets in no particular order; where that decides (two mentions
//! of one length that overlap, two predictions that fit the same gold) karat goes by the text and the file.

use crate::name::Average;
use crate::preset::{Convention, Grouping, Preset, SpellingRule};
use crate::score::Zero;
use crate::threshold::{Classes, Grid, Keeps, Search};
use karat_match::{Assignment, Settings};

/// See the head of this file.
pub static BAT: Preset = Preset {
    name: "bat",
    file: include_str!("bat.rs"),
    convention: || Convention {
        preset: &BAT,
        settings: Settings {
            assignment: Assignment::Existential,
            honour_optional: false,
            honour_alternatives: false,
            trim: false,
            evaluation_span: false,
            ..Settings::default()
        },
        zero: Zero::Bat,
        spellings: SpellingRule::AsWritten,
        grouping: Grouping::Sides,
        search: Search {
            keeps: Keeps::AtLeast,
            grid: Grid::Steps(128),
            by: Average::Macro,
            classes: Classes::Own,
        },
        intervals: false,
        ..Convention::default()
    },
    measures: &[
        "link",
        "link@macro",
        "link(match=overlap,overlaps=longest)",
        "link(match=overlap,overlaps=longest)@macro",
        "mention(match=overlap,overlaps=longest)",
        "mention(match=overlap,overlaps=longest)@macro",
        "mention",
        "mention@macro",
        "mention(match=overlap)",
        "mention(match=overlap)@macro",
        "tag",
        "tag@macro",
    ],
    with_nil_clusters: &[],
};

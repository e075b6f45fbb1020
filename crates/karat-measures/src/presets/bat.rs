//! The BAT framework 1.3.6 (Cornolti, Ferragina and Ciaramita, 2013).
//!
//! A prediction is right if it is the first that fits some gold, and wrong if it fits none; the
//! same prediction may serve several. Precision is 1 without predictions, recall 1 without missed
//! gold. There is no NIL.

use crate::name::Average;
use crate::preset::{Convention, Grouping, Preset};
use crate::score::Zero;
use crate::threshold::{Classes, Grid, Keeps, Search};
use karat_kb::Knowledge;
use karat_match::{Assignment, Settings};

/// See the head of this file.
pub(crate) static BAT: Preset = Preset {
    name: "bat",
    file: include_str!("bat.rs"),
    convention: || Convention {
        preset: "bat",
        settings: Settings {
            assignment: Assignment::Existential,
            honour_optional: false,
            honour_alternatives: false,
            trim: false,
            evaluation_span: false,
            ..Settings::default()
        },
        zero: Zero::Bat,
        knowledge: Knowledge::Everything,
        grouping: Grouping::Sides,
        oracle: false,
        search: Search {
            keeps: Keeps::AtLeast,
            grid: Grid::Steps(128),
            by: Average::Macro,
            classes: Classes::Own,
        },
        intervals: false,
    },
    measures: &["link", "link@macro", "mention", "mention@macro", "tag", "tag@macro"],
};

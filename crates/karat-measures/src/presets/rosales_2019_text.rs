//! Fine-grained evaluation of Rosales-Méndez, Hogan and Poblete (2019), as the paper has it.
//!
//! As `rosales-2019`, but fuzzy recall weighs a mention by its best annotation, a hit earns the weight of the
//! annotation that it hits, and names that contain others are not strict.

use super::rosales_2019::ROSALES_2019;
use crate::membership::Membership;
use crate::preset::{Convention, Preset};

/// See the head of this file.
pub static ROSALES_2019_TEXT: Preset = Preset {
    name: "rosales-2019-text",
    file: include_str!("rosales_2019_text.rs"),
    convention: || Convention {
        preset: &ROSALES_2019_TEXT,
        membership: Membership::default(),
        ..(ROSALES_2019.convention)()
    },
    measures: ROSALES_2019.measures,
    with_nil_clusters: &[],
};

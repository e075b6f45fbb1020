//! ELEVANT as it was for Bast, Hertel and Prange (2023), *A Fair and In-Depth Evaluation of Existing
//! End-to-End Entity Linking Systems*.
//!
//! As `elevant`, but a prediction of NIL where gold has nothing is none, nor is it an answer when it is
//! decided whether a mention is judged by its parts; an optional mention cannot be missed, whatever its parts are; mentions of unknown entities
//! are not named; `we` is no pronoun; an extra mention is lowercased if none of its words starts with a
//! capital; gold that is a quantity or a date is unknown gold; ethnic groups, not populations, have
//! demonyms; extra mentions are counted without a denominator.

use super::elevant::ELEVANT;
use crate::preset::{Convention, Preset};
use karat_facets::taxonomy;
use karat_match::{Judging, Settings};

/// See the head of this file.
pub static ELEVANT_2023: Preset = Preset {
    name: "elevant-2023",
    file: include_str!("elevant_2023.rs"),
    convention: || {
        let current = (ELEVANT.convention)();
        Convention {
            preset: &ELEVANT_2023,
            settings: Settings {
                judging: Judging { nil_answers: false, required_parts: false },
                ..current.settings
            },
            taxonomy: &taxonomy::ELEVANT_2023,
            ..current
        }
    },
    measures: ELEVANT.measures,
    with_nil_clusters: &[],
};

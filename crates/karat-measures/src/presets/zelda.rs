//! ZELDA (Milich and Akbik, 2023): nine corpora for disambiguation, by the mean of their accuracies.
//!
//! Mentions are given. `accuracy(over=all)` is the share of gold mentions with the right entity, on each of the nine splits; with all of them as gold
//! (`-g NAME=FILE`, nine times) the section "Means over benchmarks" has the macro average that papers report, in which each split counts the same.
//! Titles are compared as they are written.

use crate::preset::{Convention, Preset, SpellingRule};
use karat_match::{Given, Settings};

/// See the head of this file.
pub static ZELDA: Preset = Preset {
    name: "zelda",
    file: include_str!("zelda.rs"),
    convention: || Convention {
        preset: &ZELDA,
        settings: Settings {
            given: Given::Mentions,
            honour_optional: false,
            honour_alternatives: false,
            trim: false,
            ..Settings::default()
        },
        spellings: SpellingRule::AsWritten,
        over_benchmarks: true,
        ..Convention::default()
    },
    measures: &["accuracy(over=all)"],
    with_nil_clusters: &[],
};

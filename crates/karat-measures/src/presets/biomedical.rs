//! Normalisation of biomedical names, as HunFlair2 and the BioCreative tasks count it.
//!
//! A prediction is right if gold has a mention there, one start or one end off by one position at most, and if any of its identifiers is any
//! of those of gold. Gold without an identifier (NIL, `-1`, `-`) is taken off both sides. `link` is the mention-level score and `tag` the
//! document-level one: the identifiers of a document as a set. `link@macro` and `tag@macro` are means over documents.
//!
//! `--set gold-types=Gene --set predicted-types=gene` scores one type of names. BioCreative asks for equal spans: `--set match=exact`.
//! Source: `evaluate.py` of hunflair2-experiments (Sänger et al., 2024), which takes the first of the mentions that are near.

use crate::preset::{Convention, Preset, SpellingRule};
use karat_match::{Assignment, Settings, Spans};

/// See the head of this file.
pub static BIOMEDICAL: Preset = Preset {
    name: "biomedical",
    file: include_str!("biomedical.rs"),
    convention: || Convention {
        preset: &BIOMEDICAL,
        settings: Settings {
            spans: Spans::Near(1),
            assignment: Assignment::Existential,
            linkable: true,
            any_candidate: true,
            trim: false,
            ..Settings::default()
        },
        spellings: SpellingRule::ByName,
        ..Convention::default()
    },
    measures: &["link", "tag", "link@macro", "tag@macro"],
    with_nil_clusters: &[],
};

//! ELEVANT (Bast, Hertel and Prange, 2022), as its published results are computed.
//!
//! Of several predictions on one span the last of the file counts. Gold takes the prediction on its
//! span, or else on its span widened to words, apostrophes and quotes; a prediction may serve several.
//! A mention with parts is judged by itself if it is right or nothing below it was found, and by its
//! parts otherwise: it is right if all of them are. Wrong links on parts are false positives as
//! everywhere. Optional mentions, descriptions, quantities and dates need not be found; a wrong link on
//! one is a false positive. A prediction on any annotated span is no false positive by itself, and none
//! counts outside the evaluated part of a document, which the linked article says. What would divide by
//! nothing is 0.
//!
//! `karat eval --format elevant` gives all of ELEVANT's numbers, unknown entities ignored and required:
//! linking by kind of mention and by type of entity, recognition, and all error categories, which need
//! a knowledge base (`--kb`). `linking` and `recognition` are its two measures; `linking(unknowns=required)`
//! asks for unknown entities too.
//!
//! Types count as ELEVANT loads them, in gold and in the knowledge base: fictional characters are persons,
//! fictional locations geographic entities, and who is a person is no animal. The two switches of types below
//! compare types as they are given.
//!
//! ELEVANT's own switches are settings: `no-unknowns=yes` (`--no-unknowns`: the benchmark does not label what
//! is unknown), `gold-types=Q215627,...` (`-flw`: labels of these types, unknown entities and their parts) and
//! `predicted-types=Q215627,...` (`-fpw`: predictions of these types, as the knowledge base has them).
//!
//! Known flaws, which are kept here and mended in karat's own preset: what is to be found differs from
//! system to system where mentions have parts; denominators of categories do; wrong links on parts and on
//! optional mentions are in no category. `taxonomy=elevant-2025` takes the rule for falsely detected
//! coreferences of ELEVANT's code since January 2025; the published results, but for those of one
//! system, are older.

use crate::preset::{Convention, Preset, SpellingRule};
use crate::score::Zero;
use karat_facets::taxonomy;
use karat_match::{Assignment, Settings, WindowOf};

/// See the head of this file.
pub static ELEVANT: Preset = Preset {
    name: "elevant",
    file: include_str!("elevant.rs"),
    convention: || Convention {
        preset: &ELEVANT,
        settings: Settings {
            assignment: Assignment::LastWins,
            trim: false,
            // Gold is never left out for standing outside; predictions are, when they are judged.
            evaluation_span: false,
            window_of: WindowOf::System,
            ..Settings::default()
        },
        zero: Zero::Nought,
        spellings: SpellingRule::AsWritten,
        intervals: false,
        taxonomy: &taxonomy::ELEVANT,
        ..Convention::default()
    },
    measures: &[
        "linking",
        "linking(unknowns=required)",
        "recognition",
        "recognition(unknowns=required)",
    ],
    with_nil_clusters: &[],
};

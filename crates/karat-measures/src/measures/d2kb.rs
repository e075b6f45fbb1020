//! Right entity or NIL on the mentions that were given.
//!
//! What it is: disambiguation alone. Predictions that are not exactly on a gold mention are dropped
//! before anything is counted, so that they are not wrong; gold without an answer is missed.
//! `items=linked` and `items=nil` look at one class on both sides (GERBIL's InKB and EE rows),
//! `items=linked-gold` at all predictions on gold mentions that are in the knowledge base (GSInKB).
//! Formula: as `all`, over predictions on gold spans.
//! Example: gold [0,4) Q1, [10,14) Q2 and [20,24) NIL, predicted [0,4) Q1, [10,14) Q3, [20,24) Q4 and
//! [30,34) Q5: tp 1, fp 2, fn 2; linked P 1/3 and R 1/2; linked-gold 1/2 and 1/2.
//! Source: D2KB of GERBIL.
//! Pitfalls: two answers on one mention are one right and one wrong at worst, so a system can hedge.
//! `disambiguation` asks only about mentions that the system found, this one about all.

use crate::items::items;
use crate::measure::Definition;
use crate::parameter::{Otherwise, ParameterOf};
use crate::values::{Values, named};
use karat_match::{Agreement, Criteria, Given, Keep};

/// See the head of this file.
pub(super) static D2KB: Definition = Definition {
    name: "d2kb",
    aliases: &[],
    groups: &[],
    file: include_str!("d2kb.rs"),
    parameters: &[&ITEMS],
    compute: |context| {
        let (keep, given) = context.value(&ITEMS);
        items(Criteria::new(keep, Agreement::SPAN.union(Agreement::ENTITY)).given(given))
    },
};

static ITEMS: ParameterOf<(Keep, Given)> = ParameterOf {
    name: "items",
    about: "Which mentions are looked at, on both sides.",
    values: &Values::only(&[
        named("all", (Keep::All, Given::Mentions), "All mentions."),
        named("linked", (Keep::Linked, Given::Mentions), "Those with an entity: GERBIL's InKB."),
        named("nil", (Keep::Nil, Given::Mentions), "Those without one: GERBIL's EE."),
        named(
            "linked-gold",
            (Keep::All, Given::LinkedMentions),
            "Those on a gold mention with an entity: GERBIL's GSInKB.",
        ),
    ]),
    otherwise: Otherwise::Is((Keep::All, Given::Mentions)),
};

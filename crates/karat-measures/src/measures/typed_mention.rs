//! Mentions found with the right type.
//!
//! What it is: named entity recognition as CoNLL scores it.
//! Formula: as `mention`, span and type must agree.
//! Example: gold [0,6) LOC, predicted [0,6) ORG: fp 1, fn 1.
//! Source: strong typed mention match of neleval.
//! Pitfalls: types are compared as they are spelled; a mention with several types agrees with the same
//! list only, unless weights for pairs of types are given. GERBIL's RT2KB gives credit for a part
//! of the types: `hierarchical-type`.

use crate::items::items;
use crate::measure::Definition;
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static TYPED_MENTION: Definition = Definition {
    name: "typed-mention",
    aliases: &["strong_typed_mention_match"],
    groups: &["neleval", "all-tagging", "tac14"],
    file: include_str!("typed_mention.rs"),
    parameters: &[],
    compute: |_| items(Criteria::new(Keep::All, Agreement::SPAN.union(Agreement::TYPE))),
};

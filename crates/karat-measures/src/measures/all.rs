//! Right entity or NIL on the right span.
//!
//! What it is: linking and NIL detection in one number.
//! Formula: as `link`, over everything; NIL agrees with NIL.
//! Example: gold [0,6) Q64 and [10,15) NIL, predicted [0,6) Q64 and [10,15) NIL: tp 2, F1 1.
//! Source: strong all match of neleval; overall accuracy of TAC when mentions are given; GERBIL's A2KB.
//! Pitfalls: on a corpus with many NIL a system that links nothing scores well.

use crate::items::items;
use crate::measure::Definition;
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static ALL: Definition = Definition {
    name: "all",
    aliases: &["strong_all_match", "a2kb"],
    groups: &["neleval", "all-tagging", "tac09", "tac11", "tac14"],
    file: include_str!("all.rs"),
    parameters: &[],
    compute: |_| items(Criteria::new(Keep::All, Agreement::SPAN.union(Agreement::ENTITY))),
};

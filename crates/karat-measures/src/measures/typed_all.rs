//! Right entity or NIL and right type on the right span.
//!
//! What it is: `all`, with the type as well; an official measure of TAC 2014.
//! Formula: as `all`; span, type and entity must agree.
//! Example: gold [0,6) Q64 LOC, predicted [0,6) Q64 LOC: tp 1.
//! Source: strong typed all match of neleval.
//! Pitfalls: as for `typed-mention`.

use crate::items::items;
use crate::measure::Definition;
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static TYPED_ALL: Definition = Definition {
    name: "typed-all",
    aliases: &["strong_typed_all_match"],
    groups: &["neleval", "all-tagging", "tac14"],
    file: include_str!("typed_all.rs"),
    parameters: &[],
    compute: |_| {
        items(Criteria::new(
            Keep::All,
            Agreement::SPAN.union(Agreement::TYPE).union(Agreement::ENTITY),
        ))
    },
};

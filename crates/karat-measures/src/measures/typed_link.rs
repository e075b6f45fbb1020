//! Right entity and right type on the right span.
//!
//! What it is: `link`, with the type as well.
//! Formula: as `link`; span, type and entity must agree.
//! Example: gold [0,6) Q64 LOC, predicted [0,6) Q64 ORG: fp 1, fn 1.
//! Source: strong typed link match of neleval.
//! Pitfalls: as for `typed-mention`.

use crate::items::items;
use crate::measure::Definition;
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static TYPED_LINK: Definition = Definition {
    name: "typed-link",
    aliases: &["strong_typed_link_match"],
    groups: &["neleval", "all-tagging"],
    file: include_str!("typed_link.rs"),
    parameters: &[],
    compute: |_| {
        items(Criteria::new(
            Keep::Linked,
            Agreement::SPAN.union(Agreement::TYPE).union(Agreement::ENTITY),
        ))
    },
};

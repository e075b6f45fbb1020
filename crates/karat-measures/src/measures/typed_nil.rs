//! NIL mentions recognised with the right type.
//!
//! What it is: `nil`, with the type as well.
//! Formula: as `nil`; span and type must agree.
//! Example: gold [0,6) NIL PER, predicted [0,6) NIL ORG: fp 1, fn 1.
//! Source: strong typed NIL match of neleval.
//! Pitfalls: as for `typed-mention`.

use crate::items::items;
use crate::measure::Definition;
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static TYPED_NIL: Definition = Definition {
    name: "typed-nil",
    aliases: &["strong_typed_nil_match"],
    groups: &["neleval", "all-tagging"],
    file: include_str!("typed_nil.rs"),
    parameters: &[],
    compute: |_| items(Criteria::new(Keep::Nil, Agreement::SPAN.union(Agreement::TYPE))),
};

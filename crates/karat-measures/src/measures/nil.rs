//! NIL mentions recognised as such.
//!
//! What it is: how well a system knows what is not in the knowledge base.
//! Formula: as `mention`, over gold and predictions without an entity.
//! Example: gold [0,6) NIL and [10,15) Q90, predicted [0,6) NIL and [10,15) NIL: tp 1, fp 1, fn 0.
//! Source: strong NIL match of neleval; NIL accuracy of TAC is its recall; GERBIL's EE.
//! Pitfalls: all NIL are equal here; whether they are grouped rightly is what the clustering measures
//! tell. A mention without any answer counts as NIL (neleval leaves it out).

use crate::items::items;
use crate::measure::Definition;
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static NIL: Definition = Definition {
    name: "nil",
    aliases: &["strong_nil_match", "ee"],
    groups: &["neleval", "all-tagging", "tac09", "tac11", "tac14"],
    file: include_str!("nil.rs"),
    parameters: &[],
    compute: |_| items(Criteria::new(Keep::Nil, Agreement::SPAN)),
};

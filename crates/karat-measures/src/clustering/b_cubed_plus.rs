//! B-cubed, with the entity as well.
//!
//! As `b-cubed`, but an item is shared by both sides only if span and entity agree. All NIL have the same
//! entity, none.
//!
//! Formula: that of `b-cubed`.
//!
//! Example: gold {a b} linked to Q64, system {a b} linked to Q90: nothing is shared, all scores are 0.
//!
//! Source: TAC Knowledge Base Population, as scored by neleval.
//!
//! Pitfalls: a cluster that is right but linked wrongly scores nothing.

use super::b_cubed::COUNTING;
use super::cluster_measure::clusters;
use crate::measure::Definition;
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "b-cubed-plus",
    aliases: &["b_cubed_plus"],
    groups: &["neleval", "all-coref", "tac11", "tac14"],
    file: include_str!("b_cubed_plus.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN.union(Agreement::ENTITY), COUNTING),
};

//! Mention CEAF, with the entity as well.
//!
//! As `mention-ceaf`, but an item is shared by both sides only if span and entity agree. All NIL have the same
//! entity, none.
//!
//! Formula: that of `mention-ceaf`.
//!
//! Example: gold {a b} linked to Q64, system {a b} linked to Q90: nothing is shared, all scores are 0.
//!
//! Source: TAC Knowledge Base Population, as scored by neleval.
//!
//! Pitfalls: a cluster that is right but linked wrongly scores nothing.

use super::cluster_measure::clusters;
use super::mention_ceaf::COUNTING;
use crate::measure::Definition;
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "mention-ceaf-plus",
    aliases: &["mention_ceaf_plus"],
    groups: &["neleval", "all-coref"],
    file: include_str!("mention_ceaf_plus.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN.union(Agreement::ENTITY), COUNTING),
};

//! Mention CEAF, with the type as well.
//!
//! As `mention-ceaf`, but an item is shared by both sides only if span and type agree. The entity plays no part
//! beyond making the clusters.
//!
//! Formula: that of `mention-ceaf`.
//!
//! Example: gold {a b}, both `LOC`, system {a b} with `a` as `LOC` and `b` as `ORG`: one of two items is shared, all scores are 1/2.
//!
//! Source: TAC Knowledge Base Population, as scored by neleval.
//!
//! Pitfalls: a cluster that is right but has the wrong types scores nothing; one that is linked wrongly loses nothing.

use super::cluster_measure::clusters;
use super::mention_ceaf::COUNTING;
use crate::measure::Definition;
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "typed-mention-ceaf",
    aliases: &["typed_mention_ceaf"],
    groups: &["neleval", "all-coref", "tac14"],
    file: include_str!("typed_mention_ceaf.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN.union(Agreement::TYPE), COUNTING),
};

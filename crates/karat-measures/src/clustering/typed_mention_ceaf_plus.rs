//! Mention CEAF, with type and entity as well.
//!
//! As `mention-ceaf`, but an item is shared by both sides only if span, type and entity agree. All NIL have the same
//! entity, none.
//!
//! Formula: that of `mention-ceaf`.
//!
//! Example: gold {a b} linked to Q64, both `LOC`; system {a b} linked to Q64, `a` as `LOC` and `b` as `ORG`: one of two items is
//! shared, all scores are 1/2. Linked to Q90, nothing would be shared.
//!
//! Source: TAC Knowledge Base Population, as scored by neleval.
//!
//! Pitfalls: a cluster that is right but linked wrongly, or of the wrong type, scores nothing.

use super::cluster_measure::clusters;
use super::mention_ceaf::COUNTING;
use crate::measure::Definition;
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "typed-mention-ceaf-plus",
    aliases: &["typed_mention_ceaf_plus"],
    groups: &["neleval", "all-coref"],
    file: include_str!("typed_mention_ceaf_plus.rs"),
    parameters: &[],
    compute: |_| {
        clusters(Agreement::SPAN.union(Agreement::TYPE).union(Agreement::ENTITY), COUNTING)
    },
};

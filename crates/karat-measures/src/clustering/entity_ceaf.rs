//! CEAF by entities: how similar the clusters of the best alignment are.
//!
//! Gold and system clusters are aligned one to one so that aligned clusters are as
//! similar as possible, where similar means the Dice coefficient of their items
//! (similarity phi 4 of the paper, with the factor 2). Every cluster weighs the same.
//!
//! Formula: P = largest sum of 2 |g and s| / (|g| + |s|) over one-to-one alignments, divided by the number of system clusters; R by that of gold clusters.
//!
//! Example: gold {a b c} {d e}, system {a b} {c d e}: both aligned pairs share 2 items and have 5 together, 4/5 each, P = R = 8/5 / 2 = 0.8.
//!
//! Source: Luo (2005), "On coreference resolution performance metrics", HLT-EMNLP.
//!
//! Pitfalls: a cluster of one item weighs as much as one of a thousand; with many system clusters precision falls whatever they hold.

use super::alignment::align;
use super::cluster_measure::{Counting, clusters};
use super::quotients::Quotients;
use super::{ClusterPair, Contingency, Credit};
use crate::measure::{Definition, Numbers};
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "entity-ceaf",
    aliases: &["entity_ceaf", "ceafe"],
    groups: &["neleval", "all-coref", "luo", "tmp"],
    file: include_str!("entity_ceaf.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN, COUNTING),
};

/// How it counts.
pub(crate) const COUNTING: Counting = Counting { count, numbers: Numbers::Aligned };

/// The counts of this measure.
pub fn count(table: &Contingency) -> Credit {
    let both = |cell: &ClusterPair| table.gold_size(cell) + table.system_size(cell);
    // The alignment weighs with rounded floats; the score is summed from whole numbers, so that
    // alignments of equal worth give the same digits.
    let similarity: Quotients = align(table, |cell| 2.0 * cell.items as f64 / both(cell) as f64)
        .map(|cell| (2 * u128::from(cell.items), both(cell)))
        .collect();
    let (gold, system) = (table.gold_sizes().len(), table.system_sizes().len());
    Credit::shared(similarity.sum(), system as f64, gold as f64)
}

//! CEAF by mentions: how many items the best alignment of clusters puts together.
//!
//! Gold and system clusters are aligned one to one so that aligned clusters share as
//! many items as possible (similarity phi 3 of the paper). Items outside the overlap of
//! an aligned pair are lost to both sides.
//!
//! Formula: P = largest sum of |g and s| over one-to-one alignments, divided by the items of the system; R with the items of gold.
//!
//! Example: gold {a b c} {d e}, system {a b} {c d e}: aligning the first with the first and the second with the second shares 2 + 2 items, P = R = 4/5.
//!
//! Source: Luo (2005), "On coreference resolution performance metrics", HLT-EMNLP.
//!
//! Pitfalls: a cluster that is not aligned earns nothing, however good it is; large clusters decide.

use super::alignment::align;
use super::cluster_measure::{Counting, clusters};
use super::{Contingency, Credit};
use crate::measure::{Definition, Numbers};
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "mention-ceaf",
    aliases: &["mention_ceaf", "ceafm"],
    groups: &["neleval", "all-coref", "luo", "tac14", "tmp"],
    file: include_str!("mention_ceaf.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN, COUNTING),
};

/// How it counts.
pub(crate) const COUNTING: Counting = Counting { count, numbers: Numbers::Whole };

/// The counts of this measure.
pub fn count(table: &Contingency) -> Credit {
    // Weights are whole numbers, for which the assignment is exact.
    let aligned: u64 = align(table, |cell| cell.items as f64).map(|cell| cell.items).sum();
    Credit::shared(aligned as f64, table.system_items() as f64, table.gold_items() as f64)
}

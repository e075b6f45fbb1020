//! MUC: how many links hold the clusters together.
//!
//! A cluster of n items is held together by n - 1 links. The other side cuts it into
//! parts, and each cut is a link that is missing there. An item that the other side does
//! not have is a part of its own. With one table the links that both sides have are
//! the shared items less the pairs of clusters that meet.
//!
//! Formula: R = sum over gold clusters g of (|g| - parts(g)) / sum of (|g| - 1); P with the sides exchanged.
//!
//! Example: gold {a b c d}, system {a b} {c d}: gold has 3 links and is cut once, R = 2/3; the system has 2 links and is cut nowhere, P = 2/2.
//!
//! Source: Vilain, Burger, Aberdeen, Connolly and Hirschman (1995), "A model-theoretic coreference scoring scheme", MUC-6.
//!
//! Pitfalls: clusters of one item do not count at all, so that a perfect answer of only such clusters scores 0; putting everything into one cluster scores high.

use super::cluster_measure::{Counting, clusters};
use super::{Contingency, Credit};
use crate::measure::{Definition, Numbers};
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "muc",
    aliases: &[],
    groups: &["neleval", "all-coref", "luo"],
    file: include_str!("muc.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN, COUNTING),
};

/// How it counts.
pub(crate) const COUNTING: Counting = Counting { count, numbers: Numbers::Whole };

/// The counts of this measure.
pub fn count(table: &Contingency) -> Credit {
    let links = |items: u64, clusters: usize| (items - clusters as u64) as f64;
    Credit::shared(
        links(table.shared_items(), table.cells().len()),
        links(table.system_items(), table.system_sizes().len()),
        links(table.gold_items(), table.gold_sizes().len()),
    )
}

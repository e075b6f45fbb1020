//! Pairs put together: which pairs of items share a cluster on both sides.
//!
//! Every pair of items in one cluster is a claim that the two are the same. Precision
//! is the share of the system's claims that gold makes too, recall the share of gold's
//! that the system makes.
//!
//! Formula: pairs(n) = n (n - 1) / 2; P = sum of pairs(|g and s|) over pairs of clusters / sum of pairs(|s|); R with pairs(|g|).
//!
//! Example: gold {a b c}, system {a b} {c}: gold has 3 pairs, the system 1, and that one is right: P = 1, R = 1/3.
//!
//! Source: the pair counts behind the Rand index: Rand (1971), "Objective criteria for the evaluation of clustering methods", JASA 66.
//!
//! Pitfalls: a cluster counts with the square of its size; clusters of one item do not count.

use super::cluster_measure::{Counting, clusters};
use super::{Contingency, Credit};
use crate::measure::{Definition, Numbers};
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "pairwise",
    aliases: &[],
    groups: &["neleval", "all-coref", "tmp"],
    file: include_str!("pairwise.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN, COUNTING),
};

/// How it counts.
pub(crate) const COUNTING: Counting = Counting { count, numbers: Numbers::Whole };

/// The counts of this measure.
pub fn count(table: &Contingency) -> Credit {
    // 128 bits: pairs grow with the square of the items, and a million mentions in one cluster are
    // already 5e11 pairs.
    let together: u128 = table.cells().iter().map(|cell| pairs(cell.items)).sum();
    let system: u128 = pairs_within(table.system_sizes());
    let gold: u128 = pairs_within(table.gold_sizes());
    Credit {
        ptp: together as f64,
        fp: (system - together) as f64,
        rtp: together as f64,
        fn_: (gold - together) as f64,
    }
}

/// How many pairs so many items make.
pub(super) fn pairs(items: u64) -> u128 {
    let items = u128::from(items);
    items * items.saturating_sub(1) / 2
}

/// How many pairs lie within clusters of these sizes.
pub(super) fn pairs_within(sizes: &[u64]) -> u128 {
    sizes.iter().map(|&size| pairs(size)).sum()
}

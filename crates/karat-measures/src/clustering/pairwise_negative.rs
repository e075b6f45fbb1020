//! Pairs kept apart: which pairs of items are in different clusters on both sides.
//!
//! The counterpart of pairwise: every pair of items in different clusters is a claim
//! that the two differ.
//!
//! Formula: with n items, apart = pairs(n) - sum of pairs(size of cluster); P = pairs of shared items apart on both sides / pairs apart in the system; R with those apart in gold.
//!
//! Example: gold {a b} {c}, system {a} {b} {c}: the system keeps 3 pairs apart, gold 2, both agree on those 2: P = 2/3, R = 1.
//!
//! Source: the pair counts behind the Rand index: Rand (1971), "Objective criteria for the evaluation of clustering methods", JASA 66; one half of BLANC.
//!
//! Pitfalls: nearly all pairs are apart in any real clustering, so that the score is close to the square of the share of items found, whatever the clusters.

use super::cluster_measure::{Counting, clusters};
use super::pairwise::{pairs, pairs_within};
use super::{Contingency, Credit};
use crate::measure::{Definition, Numbers};
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "pairwise-negative",
    aliases: &["pairwise_negative"],
    groups: &[],
    file: include_str!("pairwise_negative.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN, COUNTING),
};

/// How it counts.
pub(crate) const COUNTING: Counting = Counting { count, numbers: Numbers::Whole };

/// The counts of this measure.
pub fn count(table: &Contingency) -> Credit {
    let together: u128 = table.cells().iter().map(|cell| pairs(cell.items)).sum();
    // Pairs together on both sides are subtracted with each side, once too often.
    let apart = pairs(table.shared_items()) + together
        - pairs_within(&table.shared_gold_sizes())
        - pairs_within(&table.shared_system_sizes());
    let system = pairs(table.system_items()) - pairs_within(table.system_sizes());
    let gold = pairs(table.gold_items()) - pairs_within(table.gold_sizes());
    Credit {
        ptp: apart as f64,
        fp: (system - apart) as f64,
        rtp: apart as f64,
        fn_: (gold - apart) as f64,
    }
}

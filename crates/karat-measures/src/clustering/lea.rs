//! LEA: how much of each cluster is resolved, weighted by its size.
//!
//! A gold cluster is resolved to the share of its pairs that the system puts together,
//! and counts with its number of items. A cluster of one item has one link, to itself:
//! it is resolved if the other side has the item as a cluster of one, too.
//!
//! Formula: R = sum over gold clusters g of |g| * (sum over s of pairs(|g and s|)) / pairs(|g|), divided by the items of gold; P with the sides exchanged.
//!
//! Example: gold {a b c} {d e f g}, system {a b} {c d} {f g h i}: R = (3 * 1/3 + 4 * 1/6) / 7 = 0.238, P = (2 * 1 + 2 * 0 + 4 * 1/6) / 8 = 0.333.
//!
//! Source: Moosavi and Strube (2016), "Which coreference evaluation metric do you trust? A proposal for a link-based entity aware metric", ACL.
//!
//! Pitfalls: a cluster of one item earns all or nothing; large clusters decide, as the paper intends.

use super::cluster_measure::{Counting, clusters};
use super::counts::Fraction;
use super::quotients::Quotients;
use super::{ClusterPair, Contingency, Credit};
use crate::measure::{Definition, Numbers};
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "lea",
    aliases: &[],
    groups: &[],
    file: include_str!("lea.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN, COUNTING),
};

/// How it counts.
pub(crate) const COUNTING: Counting = Counting { count, numbers: Numbers::Fractions };

/// The counts of this measure.
pub fn count(table: &Contingency) -> Credit {
    let (gold, system) =
        (|cell: &ClusterPair| table.gold_size(cell), |cell: &ClusterPair| table.system_size(cell));
    Credit::new(
        Fraction {
            numerator: resolved(table, system, gold),
            denominator: table.system_items() as f64,
        },
        Fraction {
            numerator: resolved(table, gold, system),
            denominator: table.gold_items() as f64,
        },
    )
}

/// n items of a cluster of size k add k * pairs(n) / pairs(k) = n (n - 1) / (k - 1).
fn resolved(
    table: &Contingency,
    own: impl Fn(&ClusterPair) -> u64,
    other: impl Fn(&ClusterPair) -> u64,
) -> f64 {
    let mut sum = Quotients::default();
    for cell in table.cells() {
        let items = u128::from(cell.items);
        match own(cell) {
            1 => sum.add(u128::from(other(cell) == 1), 1),
            size => sum.add(items * (items - 1), size - 1),
        }
    }
    sum.sum()
}

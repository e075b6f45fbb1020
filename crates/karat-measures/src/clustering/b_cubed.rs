//! B-cubed: how pure the cluster of an average item is.
//!
//! Each item of the system asks which share of its cluster lies in its gold cluster;
//! the mean of the answers is precision. Recall asks each item of gold. An item that
//! the other side does not have scores 0.
//!
//! Formula: P = sum over pairs of clusters of |g and s|^2 / |s|, divided by the items of the system; R with |g| and the items of gold.
//!
//! Example: gold {a b c}, system {a b} {c}: every system cluster is pure, P = 1; a and b find 2/3 of their cluster, c finds 1/3, R = 5/9.
//!
//! Source: Bagga and Baldwin (1998), "Algorithms for scoring coreference chains", LREC workshop on linguistic coreference.
//!
//! Pitfalls: many clusters of one item raise both scores; items found only by one side are treated differently by the variants of this measure (cs_b_cubed is one).

use super::cluster_measure::{Counting, clusters};
use super::counts::Fraction;
use super::quotients::Quotients;
use super::{ClusterPair, Contingency, Credit};
use crate::measure::{Definition, Numbers};
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "b-cubed",
    aliases: &["b_cubed", "b3"],
    groups: &["neleval", "all-coref", "luo", "tac11", "tac14"],
    file: include_str!("b_cubed.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN, COUNTING),
};

/// How it counts.
pub(crate) const COUNTING: Counting = Counting { count, numbers: Numbers::Fractions };

/// The counts of this measure.
pub fn count(table: &Contingency) -> Credit {
    Credit::new(precision(table), recall(table))
}

pub(super) fn precision(table: &Contingency) -> Fraction {
    Fraction {
        numerator: purity(table, |cell| table.system_size(cell)),
        denominator: table.system_items() as f64,
    }
}

pub(super) fn recall(table: &Contingency) -> Fraction {
    Fraction {
        numerator: purity(table, |cell| table.gold_size(cell)),
        denominator: table.gold_items() as f64,
    }
}

fn purity(table: &Contingency, size: impl Fn(&ClusterPair) -> u64) -> f64 {
    let square = |items: u64| u128::from(items) * u128::from(items);
    let parts = table.cells().iter().map(|cell| (square(cell.items), size(cell)));
    parts.collect::<Quotients>().sum()
}

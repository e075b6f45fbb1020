//! CEAF by mentions for system mentions, after Cai and Strube.
//!
//! CEAF by mentions on clusterings that were first given the same items: gold items that
//! the system misses become clusters of one in the system. Items that only the system
//! has are dropped for recall; for precision they become clusters of one in gold, or
//! are dropped if they are a cluster of one in the system.
//!
//! Formula: as mention_ceaf, with P and R each from their own alignment of altered clusterings.
//!
//! Example: gold {a b c}, system {a b} {i j}: for P compare {a b c} {i} {j} with {a b} {i j} {c}: 2 + 1 of 5 items align, P = 0.6; for R {a b c} with {a b} {c}: R = 2/3.
//!
//! Source: Cai and Strube (2010), "Evaluation metrics for end-to-end coreference resolution systems", SIGDIAL.
//!
//! Pitfalls: the two alignments differ, so that the numerators of P and R do, too; invented clusters of one cost nothing.

use super::cluster_measure::{Counting, clusters};
use super::twinless::{for_precision, for_recall};
use super::{Contingency, Credit, mention_ceaf};
use crate::measure::{Definition, Numbers};
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "mention-cs-ceaf",
    aliases: &["mention_cs_ceaf"],
    groups: &["cai"],
    file: include_str!("mention_cs_ceaf.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN, COUNTING),
};

/// How it counts.
pub(crate) const COUNTING: Counting = Counting { count, numbers: Numbers::Whole };

/// The counts of this measure.
pub fn count(table: &Contingency) -> Credit {
    Credit::joined(
        mention_ceaf::count(&for_precision(table)),
        mention_ceaf::count(&for_recall(table)),
    )
}

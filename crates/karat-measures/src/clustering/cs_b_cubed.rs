//! B-cubed for system mentions, after Cai and Strube.
//!
//! B-cubed on clusterings that were first given the same items: gold items that the
//! system misses become clusters of one in the system. Items that only the system has
//! are dropped for recall; for precision they become clusters of one in gold, or are
//! dropped if they are a cluster of one in the system.
//!
//! Formula: as b_cubed, with P and R each from their own pair of altered clusterings.
//!
//! Example: gold {a b c}, system {a b} {i j}: for P compare {a b c} {i} {j} with {a b} {i j} {c}: (2 + 1 + 1) / 5 = 0.8; for R {a b c} with {a b} {c}: 5/9.
//!
//! Source: Cai and Strube (2010), "Evaluation metrics for end-to-end coreference resolution systems", SIGDIAL.
//!
//! Pitfalls: a missed item still earns some recall, and invented clusters of one cost nothing; the reference scorer of CoNLL does not use this variant.

use super::cluster_measure::{Counting, clusters};
use super::twinless::{for_precision, for_recall};
use super::{Contingency, Credit, b_cubed};
use crate::measure::{Definition, Numbers};
use karat_match::Agreement;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "cs-b-cubed",
    aliases: &["cs_b_cubed"],
    groups: &["cai"],
    file: include_str!("cs_b_cubed.rs"),
    parameters: &[],
    compute: |_| clusters(Agreement::SPAN, COUNTING),
};

/// How it counts.
pub(crate) const COUNTING: Counting = Counting { count, numbers: Numbers::Fractions };

/// The counts of this measure.
pub fn count(table: &Contingency) -> Credit {
    Credit::new(b_cubed::precision(&for_precision(table)), b_cubed::recall(&for_recall(table)))
}

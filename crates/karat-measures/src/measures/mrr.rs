//! Mean reciprocal rank of the gold entity.
//!
//! What it is: how far down the ranked answers one must read, on average, to find the right one.
//! Formula: mean of 1 / rank of the first gold entity, 0 if it is absent, over spans of linked gold that
//! were predicted; with `over=all`, over all of them.
//! Example: gold [0,5) Q64 and [10,15) Q90, predicted [0,5) with Q64 and [10,15) with Q84, Q90:
//! (1 + 1/2) / 2 = 0.75.
//! Source: Voorhees (1999), TREC-8 question answering track.
//! Pitfalls: a wrong second answer costs nothing, a right one after a wrong first costs half: near the
//! top it is as coarse as accuracy.

use crate::measure::Definition;
use crate::ranks::{Credit, OVER, mean_credit};

/// See the head of this file.
pub(super) static MRR: Definition = Definition {
    name: "mrr",
    aliases: &["mean-reciprocal-rank"],
    groups: &["ranks"],
    file: include_str!("mrr.rs"),
    parameters: &[&OVER],
    compute: |context| mean_credit("mrr", context, Credit::Reciprocal),
};

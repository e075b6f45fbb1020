//! Mean average precision of ranked candidates.
//!
//! What it is: how well the right entities are ranked where gold has several on one span.
//! Formula: mean over spans of (the sum of the precisions at the ranks of the gold entities / how many
//! gold entities the span has).
//! Example: gold [0,5) Q64 and [0,5) Q90, predicted [0,5) with Q64, Q1, Q90: (1/1 + 2/3) / 2 = 0.833.
//! Source: Manning, Raghavan and Schütze (2008), 8.4.
//! Pitfalls: with one gold entity on each span, the usual case, it is the same as `mrr`. What Hoffart et
//! al. (2011) call MAP ranks mentions by confidence: see `average-precision`; their MAP@1 is
//! `accuracy`.

use crate::measure::Definition;
use crate::ranks::{Credit, OVER, mean_credit};

/// See the head of this file.
pub(super) static MAP: Definition = Definition {
    name: "map",
    aliases: &["mean-average-precision"],
    groups: &["ranks"],
    file: include_str!("map.rs"),
    parameters: &[&OVER],
    compute: |context| mean_credit("map", context, Credit::AveragePrecision),
};

//! Precision among as many candidates as there are gold entities.
//!
//! What it is: the share of right entities among the first R answers, where R is how many entities gold
//! has on the span.
//! Formula: mean over spans of (gold entities at rank R or above / R).
//! Example: gold [0,5) Q64 and [0,5) Q90, predicted [0,5) with Q64, Q1, Q90: 1 of 2.
//! Source: KILT (Petroni et al. 2021), which ranks systems by it.
//! Pitfalls: with one gold entity on each span it is `accuracy`.

use crate::measure::Definition;
use crate::ranks::{Credit, OVER, mean_credit};

/// See the head of this file.
pub(super) static R_PRECISION: Definition = Definition {
    name: "r-precision",
    aliases: &[],
    groups: &["ranks"],
    file: include_str!("r_precision.rs"),
    parameters: &[&OVER],
    compute: |context| mean_credit("r-precision", context, Credit::RPrecision),
};

//! Entity linking as ELEVANT counts it.
//!
//! What it is: right entities on the right mentions, with parts of alternatives judged as the
//! convention says. With `unknowns=required` unknown entities are to be found as well, and NIL is an
//! answer; by default they are left out.
//! Formula: P = right / (right + extra), R = right / (right + missed).
//! Example: gold [0,6) Q64 and [10,15) Q90, predicted [0,6) Q64 and [10,15) Q84: tp 1, fp 1, fn 1, F1
//! 0.5.
//! Source: Bast, Hertel and Prange (2022), ELEVANT.
//! Pitfalls: under the presets of ELEVANT what is to be found depends on the system where mentions
//! have parts. A knowledge base (`--kb`) is needed to see that a link to a date is right on a date.

use crate::judged::{Aspect, UNKNOWNS, judged};
use crate::measure::Definition;

/// See the head of this file.
pub(super) static LINKING: Definition = Definition {
    name: "linking",
    aliases: &[],
    groups: &[],
    file: include_str!("linking.rs"),
    parameters: &[&UNKNOWNS],
    compute: |context| judged(Aspect::Linking, context),
};

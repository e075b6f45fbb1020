//! Entity recognition as ELEVANT counts it.
//!
//! What it is: mentions that were found, whatever they were linked to; pronouns and nouns that refer
//! back are left out. With `unknowns=required` mentions of unknown entities are to be found as well, and NIL
//! is an answer; by default they are left out.
//! Formula: P = found / (found + extra), R = found / (found + missed).
//! Example: gold [0,6) Q64 and [10,15) Q90, predicted [0,6) Q64 and [10,15) Q84: tp 2, fp 0, fn 0, F1 1.
//! Source: Bast, Hertel and Prange (2022), ELEVANT.
//! Pitfalls: a known mention that is predicted as NIL is missed unless unknown entities are required.

use crate::judged::{Aspect, UNKNOWNS, judged};
use crate::measure::Definition;

/// See the head of this file.
pub(super) static RECOGNITION: Definition = Definition {
    name: "recognition",
    aliases: &[],
    groups: &[],
    file: include_str!("recognition.rs"),
    parameters: &[&UNKNOWNS],
    compute: |context| judged(Aspect::Recognition, context),
};

//! Right types of mentions that are given.
//!
//! What it is: `hierarchical-type` where a system is told where the mentions are: what it says elsewhere
//! is left out.
//! Formula: that of `hierarchical-type`, over gold mentions with types and the predictions on their spans.
//! Example: gold [0,4) PER and [5,9) LOC, predicted [0,4) PER and [20,24) ORG: P and R are 1/2.
//! Source: ETyping of GERBIL, which gets the gold spans; RT2KB, which has to find them, is
//! `hierarchical-type`.
//! Pitfalls: those of `hierarchical-type`.

use crate::measure::Definition;
use crate::measures::hierarchical_type::HierarchicalType;
use karat_match::Given;

/// See the head of this file.
pub(super) static ETYPING: Definition = Definition {
    name: "etyping",
    aliases: &[],
    groups: &[],
    file: include_str!("etyping.rs"),
    parameters: &[],
    compute: |context| HierarchicalType::compute(Given::Mentions, context),
};

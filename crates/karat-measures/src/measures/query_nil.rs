//! Right NIL to given mentions.
//!
//! What it is: each gold mention is a query that a system answers with an entity or NIL; no answer is
//! the answer NIL. Of what it calls NIL, how much is, and of what is NIL, how much does it call so.
//! Formula: P = right NIL / (right NIL + gold links that were called NIL), R = right NIL / gold NIL.
//! Example: gold [0,4) Q1, [10,14) NIL and [20,24) NIL, predicted [20,24) Q4: tp 1, fp 1, fn 1.
//! Source: NIL precision and recall of Mertens et al. (2014).
//! Pitfalls: unlike `nil`, a mention without an answer is called NIL: a system that says nothing has
//! recall 1.

use crate::measure::Definition;
use crate::queries::{Answers, queries};

/// See the head of this file.
pub(super) static QUERY_NIL: Definition = Definition {
    name: "query-nil",
    aliases: &[],
    groups: &["queries"],
    file: include_str!("query_nil.rs"),
    parameters: &[],
    compute: |_| queries(Answers::Nils),
};

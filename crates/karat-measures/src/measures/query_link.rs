//! Right links to given mentions.
//!
//! What it is: each gold mention is a query that a system answers with an entity or NIL. Of the
//! entities that it gives, how many are right, and of the gold entities, how many does it give.
//! Formula: P = right links / links given, to gold links and gold NIL alike; R = right links / gold links.
//! Example: gold [0,4) Q1, [10,14) Q2 and [20,24) NIL, predicted [0,4) Q1, [10,14) Q3 and [20,24) Q4: tp 1,
//! fp 2, fn 1.
//! Source: link precision and recall of Mertens et al. (2014).
//! Pitfalls: as `link` where predictions off the gold mentions are left out; two answers to one query
//! are what the convention takes them for, in its own preset the last.

use crate::measure::Definition;
use crate::queries::{Answers, queries};

/// See the head of this file.
pub(super) static QUERY_LINK: Definition = Definition {
    name: "query-link",
    aliases: &[],
    groups: &["queries"],
    file: include_str!("query_link.rs"),
    parameters: &[],
    compute: |_| queries(Answers::Links),
};

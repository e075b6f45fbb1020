//! Right answers to given mentions, links and NIL together.
//!
//! What it is: each gold mention is a query that a system answers with an entity or NIL; no answer is
//! the answer NIL, and what a system says elsewhere is left out. Recall is the share of right answers.
//! Formula: R = (L R_link + M R_nil) / (L + M), P = (L P_link + M P_nil) / (L + M), for L gold links and
//! M gold NIL, with the precision and recall of `query-link` and `query-nil`.
//! Example: gold [0,4) Q1, [10,14) Q2, [20,24) Q3 and [30,34) NIL, predicted [0,4) Q1 and the others NIL:
//! R = 2/4; P_link 1, P_nil 1/3, so P = (3 + 1/3) / 4 = .833 and F1 = .625.
//! Source: total precision and recall of Mertens et al. (2014).
//! Pitfalls: precision is weighted by how many links and NIL there are in gold, not by how many were
//! given, so that it is not the share of right answers, and a kind that was never given counts as 0. The total
//! precision that the paper prints for two of its three sets is not what its definition gives.

use crate::measure::Definition;
use crate::queries::{Answers, queries};

/// See the head of this file.
pub static QUERY: Definition = Definition {
    name: "query",
    aliases: &["query-total"],
    groups: &["queries"],
    file: include_str!("query.rs"),
    parameters: &[],
    compute: |_| queries(Answers::All),
};

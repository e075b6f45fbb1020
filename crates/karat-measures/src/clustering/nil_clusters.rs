//! NIL mentions put together rightly.
//!
//! What it is: B-cubed over the mentions that are NIL: whether mentions of one unknown entity, and no
//! others, have one cluster id. NIL without an id is a cluster of its own.
//! Formula: as `b-cubed`, over gold mentions that are NIL and predictions that are NIL.
//! Example: gold NIL {a b} {c}, predicted NIL {a b c}: P = (2/3 + 2/3 + 1/3) / 3 = .556, R = 1.
//! Source: NIL clustering of TAC KBP since 2011 (Ji, Grishman and Dang), with the measure of Bagga and
//! Baldwin (1998); `b_cubed:is_nil:span` in neleval's notation.
//! Pitfalls: a NIL mention that was linked counts against recall, a linked one called NIL against
//! precision: it is NIL detection as well. karat's own report has it where gold has cluster ids.

use super::b_cubed;
use super::cluster_measure::Clusters;
use crate::measure::{Compute, Definition};
use karat_match::{Agreement, Criteria, Keep};
use std::sync::Arc;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "nil-clusters",
    aliases: &[],
    groups: &[],
    file: include_str!("nil_clusters.rs"),
    parameters: &[],
    compute: |_| {
        let criteria = Criteria::new(Keep::Nil, Agreement::SPAN);
        Compute::Corpus(Arc::new(Clusters::new(criteria, b_cubed::COUNTING)))
    },
};

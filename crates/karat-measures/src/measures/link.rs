//! Right entity on the right span.
//!
//! What it is: the headline of entity linking. Gold and predictions without a link are left out; a
//! wrong link is one false positive and one false negative.
//! Formula: P = right links / predicted links, R = right links / gold links.
//! Example: gold [0,6) Q64 and [10,15) Q90, predicted [0,6) Q64 and [10,15) Q84: tp 1, fp 1, fn 1, F1
//! 0.5.
//! Source: strong link match of Hachey, Nothman and Radford (2014); strong annotation match of Cornolti
//! et al. (2013); GERBIL's InKB micro F1.
//! Pitfalls: the convention decides what an optional mention, a duplicate and a redirect are worth:
//! compare signatures before scores.

use crate::items::items;
use crate::measure::Definition;
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static LINK: Definition = Definition {
    name: "link",
    aliases: &["strong_link_match", "f_L", "inkb", "sam"],
    groups: &["neleval", "all-tagging", "cornolti", "hachey", "tac09", "tac11", "tac14"],
    file: include_str!("link.rs"),
    parameters: &[],
    compute: |_| items(Criteria::new(Keep::Linked, Agreement::SPAN.union(Agreement::ENTITY))),
};

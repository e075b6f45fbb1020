//! Linked mentions found, right link or not.
//!
//! What it is: how well a system finds the mentions that are in the knowledge base, looking only at
//! spans.
//! Formula: as `mention`, over gold and predictions that carry a link.
//! Example: gold [0,6) Q64 and [10,15) NIL, predicted [0,6) Q90 and [10,15) Q1: tp 1, fp 1, fn 0.
//! Source: strong linked mention match of Hachey, Nothman and Radford (2014).
//! Pitfalls: a link on a mention that is NIL in gold is wrong here even though its span is right.

use crate::items::items;
use crate::measure::Definition;
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static LINKED_MENTION: Definition = Definition {
    name: "linked-mention",
    aliases: &["strong_linked_mention_match", "f_M_KB"],
    groups: &["neleval", "all-tagging", "cornolti", "hachey"],
    file: include_str!("linked_mention.rs"),
    parameters: &[],
    compute: |_| items(Criteria::new(Keep::Linked, Agreement::SPAN)),
};

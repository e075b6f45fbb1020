//! Mentions found, whatever they are linked to.
//!
//! What it is: how well a system finds the mentions, linked or not.
//! Formula: P = right spans / predicted spans, R = right spans / gold spans.
//! Example: gold [0,6) and [10,15), predicted [0,6) and [20,25): tp 1, fp 1, fn 1, F1 0.5.
//! Source: strong mention match of Hachey, Nothman and Radford (2014); GERBIL's ERec; BAT's mention
//! matching.
//! Pitfalls: gold without links counts as well; a system that only returns what it can link is compared
//! on `linked-mention`.

use crate::items::items;
use crate::measure::Definition;
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static MENTION: Definition = Definition {
    name: "mention",
    aliases: &["strong_mention_match", "f_M", "erec"],
    groups: &["neleval", "all-tagging", "hachey", "tac14"],
    file: include_str!("mention.rs"),
    parameters: &[],
    compute: |_| items(Criteria::new(Keep::All, Agreement::SPAN)),
};

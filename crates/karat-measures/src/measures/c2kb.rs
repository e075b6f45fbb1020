//! Entities of a document, those outside the knowledge base included.
//!
//! What it is: GERBIL's concept task. Unlike `tag` it also counts what is not in the knowledge base;
//! any two such answers of a document agree. `items=linked` and `items=nil` look at one class on both
//! sides: GERBIL's InKB and EE rows of the task.
//! Formula: P = right answers / answers, R = right answers / gold entities, without spans.
//! Example: under the preset `gerbil`, gold Q64 twice, predicted Q64 once: tp 1, fn 1, R 0.5.
//! Source: C2KB of GERBIL.
//! Pitfalls: GERBIL counts an entity as often as it is mentioned, so a correct set of tags loses recall
//! on a corpus of mentions; `tags=once` counts each once, as BAT does.

use crate::items::{ITEMS, asked_items, items};
use crate::measure::Definition;
use karat_match::{Agreement, Criteria};

/// See the head of this file.
pub(super) static C2KB: Definition = Definition {
    name: "c2kb",
    aliases: &[],
    groups: &[],
    file: include_str!("c2kb.rs"),
    parameters: &[ITEMS],
    compute: |parameters| Ok(items(Criteria::new(asked_items(parameters)?, Agreement::ENTITY))),
};

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

use crate::items::items;
use crate::measure::Definition;
use crate::parameter::{Otherwise, ParameterOf};
use crate::values::{Values, named};
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static C2KB: Definition = Definition {
    name: "c2kb",
    aliases: &[],
    groups: &[],
    file: include_str!("c2kb.rs"),
    parameters: &[&ITEMS],
    compute: |context| items(Criteria::new(context.value(&ITEMS), Agreement::ENTITY)),
};

static ITEMS: ParameterOf<Keep> = ParameterOf {
    name: "items",
    about: "Which entities of a document are looked at.",
    values: &Values::only(&[
        named(
            "all",
            Keep::All,
            "All of them; those that are not in the knowledge base count as one entity.",
        ),
        named("linked", Keep::Linked, "Those in the knowledge base."),
        named("nil", Keep::Nil, "Those that are not."),
    ]),
    otherwise: Otherwise::Is(Keep::All),
};

//! Entities of a document, wherever they are.
//!
//! What it is: the set of entities that a document is about, without spans.
//! Formula: P and R over pairs of document and entity; each counts once.
//! Example: gold Q64 twice and Q90 once, predicted Q64 and Q84: tp 1, fp 1, fn 1.
//! Source: entity match of Hachey, Nothman and Radford (2014); concept annotation match and strong tag
//! match of Cornolti et al. (2013).
//! Pitfalls: GERBIL counts an entity as often as it is mentioned (`tags=repeated`), and what is not in
//! the knowledge base as well (`c2kb`); BAT and neleval do neither.

use crate::items::items;
use crate::measure::Definition;
use karat_match::{Agreement, Criteria, Keep};

/// See the head of this file.
pub(super) static TAG: Definition = Definition {
    name: "tag",
    aliases: &["entity_match", "f_T", "cam", "stm"],
    groups: &["neleval", "all-tagging", "cornolti", "hachey"],
    file: include_str!("tag.rs"),
    parameters: &[],
    compute: |_| items(Criteria::new(Keep::Linked, Agreement::ENTITY)),
};

//! The types that stand where an entity would, and the type of what has none, as ELEVANT writes them.

/// The type of a number, with or without a unit.
pub const QUANTITY: &str = "QUANTITY";
/// The type of a point or a stretch of time.
pub const DATETIME: &str = "DATETIME";
/// The type of what has none of the types that are told apart.
pub const OTHER: &str = "OTHER";
/// The name of what has none, because the knowledge base does not have it.
pub const UNKNOWN: &str = "Unknown";

/// Whether a type says that a mention is a quantity or a date, which no knowledge base has.
pub fn is_literal(name: &str) -> bool {
    matches!(name, QUANTITY | DATETIME)
}

//! What a mention is said to mean.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An entity by its id, or NIL. In files it is a string, and NIL is `NIL`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum LinkTarget {
    /// An entity of the knowledge base.
    Entity(String),
    /// Something that is in no knowledge base.
    Nil,
}

impl From<String> for LinkTarget {
    fn from(text: String) -> LinkTarget {
        if text == "NIL" { LinkTarget::Nil } else { LinkTarget::Entity(text) }
    }
}

impl From<LinkTarget> for String {
    fn from(target: LinkTarget) -> String {
        target.to_string()
    }
}

impl fmt::Display for LinkTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkTarget::Entity(id) => f.write_str(id),
            LinkTarget::Nil => f.write_str("NIL"),
        }
    }
}

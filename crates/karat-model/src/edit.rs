//! What becomes of annotations in a copy.

use crate::Span;

/// What becomes of an annotation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Edit {
    /// It stays as it is.
    #[default]
    Keep,
    /// It goes, and what is below it in a tree of alternatives too.
    Remove,
    /// It changes.
    Change(Change),
    /// The candidate at this index becomes its only answer. Without such a candidate it stays.
    Answer(usize),
}

/// What changes of an annotation; what is `None` stays.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Change {
    /// Another place.
    pub span: Option<Span>,
    /// Another entity.
    pub entity: Option<String>,
    /// Other category tags.
    pub tags: Option<Vec<String>>,
    /// Other types.
    pub types: Option<Vec<String>>,
    /// Attributes that get another value, or none.
    pub attributes: Vec<(String, Option<String>)>,
}

impl Change {
    /// Another place and nothing else.
    pub fn span(span: Span) -> Change {
        Change { span: Some(span), ..Change::default() }
    }

    /// Another entity and nothing else.
    pub fn entity(entity: impl Into<String>) -> Change {
        Change { entity: Some(entity.into()), ..Change::default() }
    }

    /// Other category tags and nothing else.
    pub fn tags(tags: impl IntoIterator<Item = impl Into<String>>) -> Change {
        let tags = tags.into_iter().map(Into::into).collect();
        Change { tags: Some(tags), ..Change::default() }
    }
}

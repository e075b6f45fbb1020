//! The value of one column in one row.

use std::borrow::Cow;

/// What a row says in a column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Cell<'a> {
    /// Nothing.
    #[default]
    Empty,
    /// A text or a number.
    Text(Cow<'a, str>),
    /// Several.
    List(Vec<Cow<'a, str>>),
}

impl<'a> Cell<'a> {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Cell::Text(text) => Some(AsRef::as_ref(text)).filter(|text: &&str| !text.is_empty()),
            Cell::List(items) => items.first().map(AsRef::as_ref),
            Cell::Empty => None,
        }
    }

    /// The items of a list; of a text, what stands between separators.
    pub(crate) fn items(&self, separator: char) -> Vec<&str> {
        match self {
            Cell::Empty => Vec::new(),
            Cell::Text(text) => {
                text.split(separator).map(str::trim).filter(|item| !item.is_empty()).collect()
            }
            Cell::List(items) => items.iter().map(AsRef::as_ref).collect(),
        }
    }

    /// The cell behind a value of JSON. Objects have no place in a table.
    pub(crate) fn from_json(value: serde_json::Value) -> Option<Cell<'a>> {
        let text = |value: serde_json::Value| match value {
            serde_json::Value::String(text) => Some(Cow::Owned(text)),
            serde_json::Value::Number(number) => Some(Cow::Owned(number.to_string())),
            // As a number, because tables of other formats write flags as 1 and 0.
            serde_json::Value::Bool(flag) => Some(Cow::Owned(u8::from(flag).to_string())),
            _ => None,
        };
        match value {
            serde_json::Value::Null => Some(Cell::Empty),
            serde_json::Value::Array(items) => {
                items.into_iter().map(text).collect::<Option<_>>().map(Cell::List)
            }
            value => text(value).map(Cell::Text),
        }
    }
}

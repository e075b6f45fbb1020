//! One line of ELEVANT's JSONL, as serde reads it.

use crate::syntax::json::{Borrowed, Scalar};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A document.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Article<'t> {
    #[serde(borrow, default)]
    pub(super) id: Scalar<'t>,
    /// Ours, for documents whose name is neither a number nor the title.
    #[serde(borrow, default)]
    pub(super) name: Option<Borrowed<'t>>,
    #[serde(borrow, default)]
    pub(super) title: Option<Borrowed<'t>>,
    #[serde(borrow)]
    pub(super) text: Borrowed<'t>,
    #[serde(default)]
    pub(super) evaluation_span: Option<Range>,
    #[serde(borrow, default)]
    pub(super) url: Option<Borrowed<'t>>,
    #[serde(borrow, default)]
    pub(super) hyperlinks: Option<Vec<(Range, Borrowed<'t>)>>,
    #[serde(default)]
    pub(super) title_synonyms: Option<Vec<Range>>,
    #[serde(borrow, default)]
    pub(super) sections: Option<Vec<(Range, Borrowed<'t>)>>,
    #[serde(borrow, default)]
    pub(super) labels: Option<Vec<Object<'t>>>,
    #[serde(borrow, default)]
    pub(super) entity_mentions: Option<Vec<Object<'t>>>,
    /// Ours, where labels and mentions are not simply gold, then predicted: see [`super::Side`].
    #[serde(borrow, default)]
    pub(super) sides: Option<Borrowed<'t>>,
}

/// Start and end.
pub(super) type Range = (u64, u64);

/// A label or a mention. ELEVANT gives each some of these keys; karat reads and
/// writes any of them in both, so that nothing is lost on the way.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Object<'t> {
    /// The number of a label, the entity of a mention.
    #[serde(borrow, default)]
    pub(super) id: Scalar<'t>,
    pub(super) span: Range,
    #[serde(borrow, default)]
    pub(super) entity_id: Scalar<'t>,
    #[serde(borrow, default)]
    pub(super) name: Option<Borrowed<'t>>,
    #[serde(borrow, default, rename = "type")]
    pub(super) types: Option<Borrowed<'t>>,
    #[serde(default)]
    pub(super) parent: Option<i64>,
    #[serde(default)]
    pub(super) children: Option<Vec<i64>>,
    #[serde(default)]
    pub(super) optional: Option<bool>,
    #[serde(default)]
    pub(super) desc: Option<bool>,
    #[serde(default)]
    pub(super) coref: Option<bool>,
    #[serde(borrow, default)]
    pub(super) recognized_by: Option<Borrowed<'t>>,
    #[serde(borrow, default)]
    pub(super) linked_by: Option<Borrowed<'t>>,
    #[serde(borrow, default)]
    pub(super) candidates: Candidates<'t>,
    #[serde(default)]
    pub(super) referenced_span: Option<Range>,
    #[serde(default)]
    pub(super) contained: Option<bool>,
    #[serde(default)]
    pub(super) score: Option<f64>,
    /// Ours: the identifier of another format, where it cannot be the number of a label.
    #[serde(borrow, default)]
    pub(super) key: Option<Borrowed<'t>>,
}

/// Ranked answers. Most systems give one, which then needs no list of its own.
#[derive(Debug, Default)]
pub(super) struct Candidates<'t> {
    first: Option<Scalar<'t>>,
    others: Vec<Scalar<'t>>,
}

impl<'t> Candidates<'t> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &Scalar<'t>> {
        self.first.iter().chain(&self.others)
    }
}

impl<'de: 't, 't> Deserialize<'de> for Candidates<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;
        impl<'de> Visitor<'de> for List {
            type Value = Candidates<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a sequence")
            }

            fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
                Ok(Candidates::default())
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let first = list.next_element()?;
                let mut others = Vec::new();
                while let Some(other) = list.next_element()? {
                    others.push(other);
                }
                Ok(Candidates { first, others })
            }
        }
        deserializer.deserialize_any(List)
    }
}

impl<'t> Article<'t> {
    /// The name of the document: its id, or without one its title, or without
    /// that its position in the file. Some files say `-1` for no id.
    pub(super) fn document_name(&self, position: u64) -> Cow<'_, str> {
        match (&self.name, &self.id) {
            (Some(name), _) => Cow::Borrowed(name),
            (None, Scalar::Number(id)) if *id >= 0 => Cow::Owned(id.to_string()),
            (None, Scalar::Text(id)) => Cow::Borrowed(id),
            _ => match self.title.as_deref() {
                None | Some("") => Cow::Owned(position.to_string()),
                Some(title) => Cow::Borrowed(title),
            },
        }
    }
}

impl Object<'_> {
    /// A piece of the object in the file, to locate what is wrong with it.
    pub(super) fn slice(&self) -> Option<&str> {
        [&self.entity_id, &self.id].into_iter().find_map(|scalar| match scalar {
            Scalar::Text(Cow::Borrowed(text)) => Some(*text),
            _ => None,
        })
    }
}

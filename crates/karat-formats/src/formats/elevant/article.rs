//! One line of ELEVANT's JSONL, as serde reads it.

use crate::syntax::json::{Borrowed, Scalar};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// A document.
#[derive(Debug, Default, PartialEq, serde::Deserialize)]
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
    pub(super) labels: Objects<'t>,
    #[serde(borrow, default)]
    pub(super) entity_mentions: Objects<'t>,
    /// Ours, where labels and mentions are not simply gold, then predicted: see [`super::Side`].
    #[serde(borrow, default)]
    pub(super) sides: Option<Borrowed<'t>>,
}

/// Start and end.
pub(super) type Range = (u64, u64);

/// A label or a mention. ELEVANT gives each some of these keys; karat reads and
/// writes any of them in both, so that nothing is lost on the way.
#[derive(Debug, Default, PartialEq, serde::Deserialize)]
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

/// Labels or mentions; those of an article before it leave their memory to the next.
#[derive(Debug, Default)]
pub(super) struct Objects<'t> {
    list: Vec<Object<'t>>,
    /// How many of the list there are in this article.
    len: usize,
}

impl<'t> Objects<'t> {
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// One more, to be filled.
    #[inline]
    pub(super) fn add(&mut self) -> &mut Object<'t> {
        let at = self.len;
        self.len += 1;
        if at == self.list.len() {
            self.list.push(Object::default());
        } else {
            // Cleared when it is used again, not when it is put away: most lines need fewer objects
            // than the longest so far.
            self.list[at].clear();
        }
        &mut self.list[at]
    }
}

impl<'t> Deref for Objects<'t> {
    type Target = [Object<'t>];

    fn deref(&self) -> &[Object<'t>] {
        &self.list[..self.len]
    }
}

impl PartialEq for Objects<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<'de: 't, 't> Deserialize<'de> for Objects<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list: Option<Vec<Object<'t>>> = Deserialize::deserialize(deserializer)?;
        let list = list.unwrap_or_default();
        Ok(Objects { len: list.len(), list })
    }
}

/// Ranked answers.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Candidates<'t>(pub(super) Vec<Scalar<'t>>);

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
                let mut candidates = Vec::new();
                while let Some(candidate) = list.next_element()? {
                    candidates.push(candidate);
                }
                Ok(Candidates(candidates))
            }
        }
        deserializer.deserialize_any(List)
    }
}

impl<'t> Article<'t> {
    /// Forgets what it says, and keeps the memory of its lists of objects.
    pub(super) fn clear(&mut self) {
        // The two lists keep their memory from line to line; everything else is small.
        let [mut labels, mut entity_mentions] =
            [&mut self.labels, &mut self.entity_mentions].map(std::mem::take);
        labels.clear();
        entity_mentions.clear();
        *self = Article { labels, entity_mentions, ..Article::default() };
    }

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
    /// Forgets what it says, and keeps the memory of its candidates. Field by field: there
    /// are millions of objects, and moving a new one into place costs more.
    #[inline]
    fn clear(&mut self) {
        // Taken apart by name, so that a field that is added later must be cleared here too, or
        // does not compile.
        let Object {
            id,
            span,
            entity_id,
            name,
            types,
            parent,
            children,
            optional,
            desc,
            coref,
            recognized_by,
            linked_by,
            candidates,
            referenced_span,
            contained,
            score,
            key,
        } = self;
        *span = (0, 0);
        for scalar in [id, entity_id] {
            *scalar = Scalar::Absent;
        }
        for string in [name, types, recognized_by, linked_by, key] {
            *string = None;
        }
        for flag in [optional, desc, coref, contained] {
            *flag = None;
        }
        *parent = None;
        *children = None;
        *referenced_span = None;
        *score = None;
        candidates.0.clear();
    }

    /// A piece of the object in the file, to locate what is wrong with it.
    pub(super) fn slice(&self) -> Option<&str> {
        [&self.entity_id, &self.id].into_iter().find_map(|scalar| match scalar {
            Scalar::Text(Cow::Borrowed(text)) => Some(*text),
            _ => None,
        })
    }
}

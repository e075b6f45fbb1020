//! The part of an item that a knowledge base keeps. The rest is passed over as it is read:
//! an item has labels in hundreds of languages.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// An item, in one language.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) id: String,
    pub(super) label: Option<String>,
    pub(super) description: Option<String>,
    pub(super) aliases: Vec<String>,
    pub(super) instance_of: Vec<String>,
    pub(super) subclass_of: Vec<String>,
    pub(super) demonyms: Vec<String>,
    pub(super) freebase: Vec<String>,
    /// The title of its article in the Wikipedia of the language.
    pub(super) title: Option<String>,
    pub(super) sitelinks: u64,
}

/// Reads an item in a language.
#[derive(Clone, Copy)]
pub(super) struct ItemSeed<'l> {
    pub(super) language: &'l str,
}

impl<'de> DeserializeSeed<'de> for ItemSeed<'_> {
    type Value = Item;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Item, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for ItemSeed<'_> {
    type Value = Item;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with an `id`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Item, A::Error> {
        let mut item = Item::default();
        let language = self.language;
        let wiki = format!("{}wiki", language.replace('-', "_"));
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => item.id = map.next_value()?,
                "labels" => {
                    item.label = map.next_value_seed(one::<Said>(language))?.0.map(Said::text);
                }
                "descriptions" => {
                    item.description =
                        map.next_value_seed(one::<Said>(language))?.0.map(Said::text);
                }
                "aliases" => {
                    let aliases = map.next_value_seed(one::<Vec<Said>>(language))?.0;
                    item.aliases = aliases.into_iter().flatten().map(Said::text).collect();
                }
                "sitelinks" => {
                    let (link, count) = map.next_value_seed(one::<Sitelink>(&wiki))?;
                    item.title = link.map(|link| link.title);
                    item.sitelinks = count;
                }
                "claims" => item.claim(map.next_value::<Claims>()?.0, language),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        match item.id.is_empty() {
            true => Err(serde::de::Error::missing_field("id")),
            false => Ok(item),
        }
    }
}

impl Item {
    fn claim(&mut self, statements: Statements, language: &str) {
        let items = |all: Vec<Statement>| all.into_iter().filter_map(Statement::item).collect();
        self.instance_of = items(statements.p31);
        self.subclass_of = items(statements.p279);
        let said = statements.p1549.into_iter().filter_map(|one| one.said(language));
        self.demonyms = said.collect();
        self.freebase = statements.p646.into_iter().filter_map(Statement::string).collect();
    }
}

#[derive(Deserialize)]
struct Said {
    value: String,
}

impl Said {
    fn text(self) -> String {
        self.value
    }
}

#[derive(Deserialize)]
struct Sitelink {
    title: String,
}

/// Picks the value of one key, and counts all. An empty object may be written as `[]`.
struct One<'k, T> {
    key: &'k str,
    picked: PhantomData<T>,
}

fn one<T>(key: &str) -> One<'_, T> {
    One { key, picked: PhantomData }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for One<'_, T> {
    type Value = (Option<T>, u64);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for One<'_, T> {
    type Value = (Option<T>, u64);

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with a key for each language or site")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut picked, mut count) = (None, 0);
        while let Some(is_wanted) = map.next_key_seed(Is(self.key))? {
            count += 1;
            match is_wanted {
                true => picked = Some(map.next_value()?),
                false => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok((picked, count))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok((None, 0))
    }
}

/// Whether a key is the one that is wanted.
struct Is<'k>(&'k str);

impl<'de> DeserializeSeed<'de> for Is<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Is<'_> {
    type Value = bool;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<bool, E> {
        Ok(key == self.0)
    }
}

/// The statements of an item, or `[]` if it has none.
struct Claims(Statements);

impl<'de> Deserialize<'de> for Claims {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Claims, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = Claims;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object with a key for each property")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Claims, A::Error> {
                let map = serde::de::value::MapAccessDeserializer::new(map);
                Statements::deserialize(map).map(Claims)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Claims, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Claims(Statements::default()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// Those that are kept: instance of, subclass of, demonym, Freebase.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "UPPERCASE")]
struct Statements {
    p31: Vec<Statement>,
    p279: Vec<Statement>,
    p1549: Vec<Statement>,
    p646: Vec<Statement>,
}

#[derive(Deserialize)]
struct Statement {
    mainsnak: Snak,
    #[serde(default)]
    rank: String,
}

#[derive(Deserialize)]
struct Snak {
    datavalue: Option<Value>,
}

#[derive(Deserialize)]
struct Value {
    value: Content,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Item { id: String },
    Said { text: String, language: String },
    String(String),
    Other(IgnoredAny),
}

impl Statement {
    /// What is said, unless it was said to be wrong.
    fn content(self) -> Option<Content> {
        self.mainsnak.datavalue.filter(|_| self.rank != "deprecated").map(|value| value.value)
    }

    fn item(self) -> Option<String> {
        match self.content()? {
            Content::Item { id } => Some(id),
            _ => None,
        }
    }

    fn said(self, wanted: &str) -> Option<String> {
        match self.content()? {
            Content::Said { text, language } if language == wanted => Some(text),
            _ => None,
        }
    }

    fn string(self) -> Option<String> {
        match self.content()? {
            Content::String(text) => Some(text),
            _ => None,
        }
    }
}

//! The part of an item that a knowledge base keeps. The rest is passed over as it is read:
//! an item has labels in hundreds of languages.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// The language of names that are the same in most languages. Wikidata writes such a name only once.
const EVERY: &str = "mul";

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
    /// The titles of its articles, each with the place of its language among those asked for.
    pub(super) titles: Vec<(usize, String)>,
    pub(super) sitelinks: u64,
}

/// Reads an item in a language, with the titles of some Wikipedias.
#[derive(Clone, Copy)]
pub(super) struct ItemSeed<'l> {
    pub(super) language: &'l str,
    /// What a dump calls these Wikipedias, as `enwiki`.
    pub(super) wikis: &'l [String],
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
        let names = [language, EVERY];
        let wikis: Vec<&str> = self.wikis.iter().map(String::as_str).collect();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => item.id = map.next_value()?,
                "labels" => {
                    // In the order of preference: the name in the language, or else the one for
                    // every language.
                    let labels = map.next_value_seed(some::<Said>(&names))?.0;
                    item.label = labels.into_iter().flatten().map(Said::text).next();
                }
                "descriptions" => {
                    let found = map.next_value_seed(some::<Said>(&[language]))?.0;
                    item.description = found.into_iter().flatten().map(Said::text).next();
                }
                "aliases" => {
                    let aliases = map.next_value_seed(some::<Vec<Said>>(&names))?.0;
                    item.aliases =
                        aliases.into_iter().flatten().flatten().map(Said::text).collect();
                }
                "sitelinks" => {
                    let (links, count) = map.next_value_seed(some::<Sitelink>(&wikis))?;
                    let titles = links.into_iter().enumerate();
                    item.titles = titles.filter_map(|(at, link)| Some((at, link?.title))).collect();
                    item.sitelinks = count;
                }
                "claims" => item.claim(map.next_value::<Claims>()?.0, language),
                // Passed over without being built: claims and labels are most of the 100 GB of a
                // dump.
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

/// Picks the values of some keys, in the order in which these are wanted, and counts all. An empty
/// object may be written as `[]`.
struct Wanted<'k, T> {
    keys: &'k [&'k str],
    picked: PhantomData<T>,
}

fn some<'k, T>(keys: &'k [&'k str]) -> Wanted<'k, T> {
    Wanted { keys, picked: PhantomData }
}

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for Wanted<'_, T> {
    type Value = (Vec<Option<T>>, u64);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for Wanted<'_, T> {
    type Value = (Vec<Option<T>>, u64);

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with a key for each language or site")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut picked: Vec<Option<T>> = self.keys.iter().map(|_| None).collect();
        let mut count = 0;
        while let Some(place) = map.next_key_seed(Among(self.keys))? {
            count += 1;
            match place.and_then(|at| picked.get_mut(at)) {
                Some(wanted) => *wanted = Some(map.next_value()?),
                None => drop(map.next_value::<IgnoredAny>()?),
            }
        }
        Ok((picked, count))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        // PHP writes an empty object as `[]`, and so do dumps of Wikidata.
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok((Vec::new(), 0))
    }
}

/// Which of the keys that are wanted a key is.
struct Among<'k>(&'k [&'k str]);

impl<'de> DeserializeSeed<'de> for Among<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Among<'_> {
    type Value = Option<usize>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|wanted| *wanted == key))
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
    Item {
        id: String,
    },
    /// Old dumps have the number alone.
    Numbered {
        #[serde(rename = "numeric-id")]
        number: u64,
        #[serde(rename = "entity-type")]
        kind: String,
    },
    Said {
        text: String,
        language: String,
    },
    String(String),
    Other(IgnoredAny),
}

impl Statement {
    /// What is said, unless it was said to be wrong.
    fn content(self) -> Option<Content> {
        // Deprecated statements are kept by Wikidata as wrong and must not become facts.
        self.mainsnak.datavalue.filter(|_| self.rank != "deprecated").map(|value| value.value)
    }

    fn item(self) -> Option<String> {
        match self.content()? {
            Content::Item { id } => Some(id),
            Content::Numbered { number, kind } if kind == "item" => Some(format!("Q{number}")),
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

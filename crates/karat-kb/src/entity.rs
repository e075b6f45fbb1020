//! What is known of one entity.

use crate::encoding::{Fields, Strings, put_bytes, put_number, put_strings};
use crate::known::Known;
use karat_model::literal;
use std::collections::HashSet;

/// Wikidata's class of places, which ELEVANT calls Geographic Entity.
pub const GEOGRAPHIC_ENTITY: &str = "Q27096213";

/// The type of places that somebody invented, in Wikidata.
pub const FICTIONAL_LOCATION: &str = "Q3895768";

/// What sort of thing an id names. ELEVANT treats numbers and dates apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EntityKind {
    /// Anything that is neither a quantity nor a point in time.
    #[default]
    Thing,
    /// A number, with or without a unit.
    Quantity,
    /// A point or a stretch of time.
    DateTime,
}

impl EntityKind {
    /// The type that ELEVANT gives a mention of this kind; things have types of their own.
    pub fn literal(self) -> Option<&'static str> {
        match self {
            EntityKind::Thing => None,
            EntityKind::Quantity => Some(literal::QUANTITY),
            EntityKind::DateTime => Some(literal::DATETIME),
        }
    }

    /// The kind that such a type names.
    pub fn of_literal(name: &str) -> Option<EntityKind> {
        [EntityKind::Quantity, EntityKind::DateTime]
            .into_iter()
            .find(|kind| kind.literal() == Some(name))
    }
}

/// An entity of a knowledge base.
#[derive(Debug, Clone, Copy)]
pub struct Entity<'a> {
    id: &'a str,
    name: Option<&'a str>,
    description: Option<&'a str>,
    popularity: Option<u64>,
    kind: EntityKind,
    location: Option<bool>,
    types: Option<Strings<'a>>,
    aliases: Strings<'a>,
    parents: Strings<'a>,
}

impl<'a> Entity<'a> {
    /// Its id in the knowledge base.
    pub fn id(&self) -> &'a str {
        self.id
    }

    /// What it is called.
    pub fn name(&self) -> Option<&'a str> {
        self.name
    }

    /// What else it is called.
    pub fn aliases(&self) -> Strings<'a> {
        self.aliases
    }

    /// What it is, in a few words.
    pub fn description(&self) -> Option<&'a str> {
        self.description
    }

    /// The ids of its types. An entity that is known to have none has an empty list.
    pub fn types(&self) -> Known<Strings<'a>> {
        self.types.into()
    }

    /// The ids of the types above it, for an entity that is a type itself.
    pub fn parents(&self) -> Strings<'a> {
        self.parents
    }

    /// How well known it is: sitelinks, page views, links, whatever the base was built from.
    pub fn popularity(&self) -> Option<u64> {
        self.popularity
    }

    /// Whether the base was told that it is a quantity or a time. A thing may be one that nobody
    /// spoke of: see [`KnowledgeBase::kind`](crate::KnowledgeBase::kind).
    pub fn kind(&self) -> EntityKind {
        self.kind
    }

    /// Whether the base was told that it is a place, or none.
    pub(crate) fn told_location(&self) -> Option<bool> {
        self.location
    }

    pub(crate) fn decode(id: &'a str, record: &'a [u8]) -> Option<Entity<'a>> {
        let mut fields = Fields::new(record);
        let flags = fields.byte()?;
        let has = |flag: u8| flags & flag != 0;
        Some(Entity {
            id,
            name: if has(NAME) { Some(fields.text()?) } else { None },
            description: if has(DESCRIPTION) { Some(fields.text()?) } else { None },
            popularity: if has(POPULARITY) { Some(fields.number()?) } else { None },
            kind: match (has(QUANTITY), has(DATE_TIME)) {
                (true, _) => EntityKind::Quantity,
                (false, true) => EntityKind::DateTime,
                (false, false) => EntityKind::Thing,
            },
            location: if has(LOCATION) { Some(fields.byte()? != 0) } else { None },
            types: if has(TYPES) { Some(fields.strings()?) } else { None },
            aliases: if has(MORE) { fields.strings()? } else { Strings::default() },
            parents: if has(MORE) { fields.strings()? } else { Strings::default() },
        })
    }
}

const NAME: u8 = 1;
const DESCRIPTION: u8 = 2;
const POPULARITY: u8 = 4;
const QUANTITY: u8 = 8;
const DATE_TIME: u8 = 16;
const LOCATION: u8 = 32;
const TYPES: u8 = 64;
const MORE: u8 = 128;

/// What an input says of one entity. Of several inputs the first that says something is believed;
/// types, aliases and parents add up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts<'a> {
    /// What it is called.
    pub name: Option<&'a str>,
    /// What it is, in a few words.
    pub description: Option<&'a str>,
    /// How well known it is.
    pub popularity: Option<u64>,
    /// Whether it is a quantity or a time.
    pub kind: EntityKind,
    /// Whether it is a place, where that is known without types.
    pub location: Option<bool>,
    /// Its types; an empty list says that it has none.
    pub types: Option<Vec<&'a str>>,
    /// What else it is called.
    pub aliases: Vec<&'a str>,
    /// The types above it.
    pub parents: Vec<&'a str>,
}

impl<'a> Facts<'a> {
    /// What all inputs together say of one entity.
    pub(crate) fn together(all: impl IntoIterator<Item = Facts<'a>>) -> Facts<'a> {
        let mut facts = Facts::default();
        let mut types: Option<Distinct<'a>> = None;
        let (mut aliases, mut parents) = (Distinct::default(), Distinct::default());
        for one in all {
            // A second name is as good as an alias.
            aliases.add(facts.name.and(one.name));
            aliases.add(one.aliases);
            parents.add(one.parents);
            if let Some(more) = one.types {
                types.get_or_insert_default().add(more);
            }
            facts.name = facts.name.or(one.name);
            facts.description = facts.description.or(one.description);
            facts.popularity = facts.popularity.or(one.popularity);
            facts.location = facts.location.or(one.location);
            // The first input that says more than "a thing" is believed.
            if facts.kind == EntityKind::Thing {
                facts.kind = one.kind;
            }
        }
        aliases.texts.retain(|alias| Some(*alias) != facts.name);
        Facts {
            types: types.map(|types| types.texts),
            aliases: aliases.texts,
            parents: parents.texts,
            ..facts
        }
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let more = !self.aliases.is_empty() || !self.parents.is_empty();
        let flags = [
            (self.name.is_some(), NAME),
            (self.description.is_some(), DESCRIPTION),
            (self.popularity.is_some(), POPULARITY),
            (self.kind == EntityKind::Quantity, QUANTITY),
            (self.kind == EntityKind::DateTime, DATE_TIME),
            (self.location.is_some(), LOCATION),
            (self.types.is_some(), TYPES),
            (more, MORE),
        ];
        // Changing the order of flags or fields is a new layout (`LAYOUT` in the header).
        out.push(flags.iter().filter(|(set, _)| *set).fold(0, |all, (_, flag)| all | flag));
        for text in [self.name, self.description].into_iter().flatten() {
            put_bytes(out, text.as_bytes());
        }
        if let Some(popularity) = self.popularity {
            put_number(out, popularity);
        }
        if let Some(location) = self.location {
            out.push(u8::from(location));
        }
        if let Some(types) = &self.types {
            put_strings(out, types);
        }
        if more {
            put_strings(out, &self.aliases);
            put_strings(out, &self.parents);
        }
    }

    pub(crate) fn decode(record: &'a [u8]) -> Option<Facts<'a>> {
        let entity = Entity::decode("", record)?;
        Some(Facts {
            name: entity.name,
            description: entity.description,
            popularity: entity.popularity,
            kind: entity.kind,
            location: entity.location,
            types: entity.types.map(Iterator::collect),
            aliases: entity.aliases.collect(),
            parents: entity.parents.collect(),
        })
    }
}

/// Texts in the order in which they were first said.
#[derive(Default)]
struct Distinct<'a> {
    texts: Vec<&'a str>,
    seen: HashSet<&'a str>,
}

impl<'a> Distinct<'a> {
    fn add(&mut self, texts: impl IntoIterator<Item = &'a str>) {
        self.texts.extend(texts.into_iter().filter(|text| self.seen.insert(text)));
    }
}

//! What is known of one entity.

use crate::encoding::{Fields, Strings, put_bytes, put_number, put_strings};
use crate::known::Known;

/// Wikidata's class of places, which ELEVANT calls Geographic Entity.
pub const GEOGRAPHIC_ENTITY: &str = "Q27096213";

/// What sort of thing an id names. ELEVANT treats numbers and dates apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Kind {
    /// Anything that is neither a quantity nor a point in time.
    #[default]
    Thing,
    /// A number, with or without a unit.
    Quantity,
    /// A point or a stretch of time.
    DateTime,
}

/// An entity of a knowledge base.
#[derive(Debug, Clone, Copy)]
pub struct Entity<'a> {
    id: &'a str,
    name: Option<&'a str>,
    description: Option<&'a str>,
    popularity: Option<u64>,
    kind: Kind,
    location: Option<bool>,
    types: Option<Strings<'a>>,
    aliases: Strings<'a>,
    parents: Strings<'a>,
    /// Whether its types are among those that the base lists, so that an absent one is denied.
    has_listed_types: bool,
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

    /// Whether it is a quantity or a time.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether it is a place: as the base was told, or by its types. `None` if neither says.
    /// Types deny it only in a base that lists the types it reports; elsewhere a city is an
    /// instance of city, and what that is below is not looked up.
    pub fn is_location(&self) -> Option<bool> {
        let by_type = || self.types.map(|mut types| types.any(|id| id == GEOGRAPHIC_ENTITY));
        self.location.or_else(|| by_type().filter(|is_one| *is_one || self.has_listed_types))
    }

    pub(crate) fn with_listed_types(self, has_listed_types: bool) -> Entity<'a> {
        Entity { has_listed_types, ..self }
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
                (true, _) => Kind::Quantity,
                (false, true) => Kind::DateTime,
                (false, false) => Kind::Thing,
            },
            location: if has(LOCATION) { Some(fields.byte()? != 0) } else { None },
            types: if has(TYPES) { Some(fields.strings()?) } else { None },
            aliases: if has(MORE) { fields.strings()? } else { Strings::default() },
            parents: if has(MORE) { fields.strings()? } else { Strings::default() },
            has_listed_types: false,
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
    pub kind: Kind,
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
    /// Adds what another input says of the same entity.
    pub(crate) fn add(&mut self, later: Facts<'a>) {
        self.name = self.name.or(later.name);
        self.description = self.description.or(later.description);
        self.popularity = self.popularity.or(later.popularity);
        self.location = self.location.or(later.location);
        if self.kind == Kind::Thing {
            self.kind = later.kind;
        }
        if let Some(types) = later.types {
            add_new(self.types.get_or_insert_default(), types);
        }
        // A second name is as good as an alias.
        add_new(&mut self.aliases, later.name.into_iter().collect());
        add_new(&mut self.aliases, later.aliases);
        add_new(&mut self.parents, later.parents);
        self.aliases.retain(|alias| Some(*alias) != self.name);
    }

    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        let more = !self.aliases.is_empty() || !self.parents.is_empty();
        let flags = [
            (self.name.is_some(), NAME),
            (self.description.is_some(), DESCRIPTION),
            (self.popularity.is_some(), POPULARITY),
            (self.kind == Kind::Quantity, QUANTITY),
            (self.kind == Kind::DateTime, DATE_TIME),
            (self.location.is_some(), LOCATION),
            (self.types.is_some(), TYPES),
            (more, MORE),
        ];
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

fn add_new<'a>(all: &mut Vec<&'a str>, new: Vec<&'a str>) {
    for text in new {
        if !all.contains(&text) {
            all.push(text);
        }
    }
}

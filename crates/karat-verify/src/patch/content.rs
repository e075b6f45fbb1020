//! What gold says of a mention, as a value that can be compared and written down.

use super::shape::ShapeError;
use karat_model::{Flags, Link, Mention, Span, attribute};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// What a mention is said to mean.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GoldAnswer {
    /// Nothing is said.
    #[default]
    Open,
    /// Something that is not in the knowledge base, with its cluster if it has one.
    Nil(Option<String>),
    /// An entity.
    Entity(String),
}

impl GoldAnswer {
    /// What a mention of a corpus is linked to.
    pub fn of(mention: &Mention<'_>) -> GoldAnswer {
        match (mention.entity(), mention.link()) {
            (Some(entity), _) => GoldAnswer::Entity(entity.to_owned()),
            (None, link) if link.is_nil() => {
                GoldAnswer::Nil(mention.nil_cluster().map(str::to_owned))
            }
            _ => GoldAnswer::Open,
        }
    }

    /// As people write it.
    pub fn written(&self) -> String {
        match self {
            GoldAnswer::Open => "no link".to_owned(),
            GoldAnswer::Nil(None) => "NIL".to_owned(),
            GoldAnswer::Nil(Some(cluster)) => format!("NIL {cluster}"),
            GoldAnswer::Entity(entity) => entity.clone(),
        }
    }

    /// Its keys in JSON: `link`, `nil`, or none.
    pub(super) fn entries(&self) -> Vec<(&'static str, Value)> {
        match self {
            GoldAnswer::Open => Vec::new(),
            GoldAnswer::Nil(None) => vec![("nil", Value::Bool(true))],
            GoldAnswer::Nil(Some(cluster)) => vec![("nil", json!(cluster))],
            GoldAnswer::Entity(entity) => vec![("link", json!(entity))],
        }
    }

    pub(super) fn link(&self, intern: impl FnOnce(&str) -> karat_model::StrId) -> Link {
        match self {
            GoldAnswer::Open => Link::NONE,
            GoldAnswer::Nil(None) => Link::NIL,
            GoldAnswer::Nil(Some(cluster)) => Link::nil_cluster(intern(cluster)),
            GoldAnswer::Entity(entity) => Link::to(intern(entity)),
        }
    }
}

/// What can be changed of a mention, in the order in which it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GoldField {
    /// Where it is.
    Span,
    /// The entity.
    Link,
    /// Whether it is NIL, and its cluster.
    Nil,
    /// Its types.
    Types,
    /// Its category tags.
    Tags,
    /// Yes-or-no facts: optional, descriptive, coreference.
    Flags,
    /// Other names of the entity that are just as right.
    Equivalents,
    /// Further facts.
    Attributes,
}

impl GoldField {
    /// All fields.
    pub const ALL: [GoldField; 8] = [
        GoldField::Span,
        GoldField::Link,
        GoldField::Nil,
        GoldField::Types,
        GoldField::Tags,
        GoldField::Flags,
        GoldField::Equivalents,
        GoldField::Attributes,
    ];

    /// Its key in a patch.
    pub fn name(self) -> &'static str {
        match self {
            GoldField::Span => "span",
            GoldField::Link => "link",
            GoldField::Nil => "nil",
            GoldField::Types => "types",
            GoldField::Tags => "tags",
            GoldField::Flags => "flags",
            GoldField::Equivalents => "equivalents",
            GoldField::Attributes => "attributes",
        }
    }

    pub(super) fn named(name: &str) -> Option<GoldField> {
        GoldField::ALL.into_iter().find(|field| field.name() == name)
    }

    /// What changes contradict each other: the link and NIL are one answer.
    pub(super) fn slot(self) -> GoldField {
        if self == GoldField::Nil { GoldField::Link } else { self }
    }
}

/// What gold says of one mention: all that a patch can change. Confidences and candidates are those of systems, and
/// the number that a file gives an annotation says nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoldContent {
    /// Where it is.
    pub span: Span,
    /// What it means.
    pub answer: GoldAnswer,
    /// Its types.
    pub types: Vec<String>,
    /// Its category tags.
    pub tags: Vec<String>,
    /// The names of its flags, sorted.
    pub flags: Vec<String>,
    /// Other names of the entity that are just as right.
    pub equivalents: Vec<String>,
    /// Further facts, sorted by key; values of one key keep their order.
    pub attributes: Vec<(String, String)>,
    /// Its alternative readings, sorted, and the parts of each, sorted.
    pub readings: Vec<Vec<GoldContent>>,
}

/// The flags that a patch can change, by name.
pub(super) const FLAGS: [(&str, Flags); 4] = [
    ("coreference", Flags::COREFERENCE),
    ("descriptive", Flags::DESCRIPTIVE),
    ("not-coreference", Flags::NOT_COREFERENCE),
    ("optional", Flags::OPTIONAL),
];

/// Attributes that belong to a file and not to what gold says.
pub(super) fn is_of_the_file(key: &str) -> bool {
    [attribute::ID, attribute::SURFACE].contains(&key)
}

/// So deep may readings lie in readings; nobody writes more than two.
pub(super) const DEPTH: usize = 16;

impl GoldContent {
    /// What is said of a mention itself, without its readings.
    pub(super) fn of(mention: &Mention<'_>) -> GoldContent {
        let owned = |items: &mut dyn Iterator<Item = &str>| items.map(str::to_owned).collect();
        let flags = FLAGS.iter().filter(|(_, flag)| mention.flags().contains(*flag));
        let facts = mention.attributes().filter(|(key, _)| !is_of_the_file(key));
        let mut attributes: Vec<(String, String)> =
            facts.map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        attributes.sort_by(|a, b| a.0.cmp(&b.0));
        GoldContent {
            span: mention.span(),
            answer: GoldAnswer::of(mention),
            types: owned(&mut mention.types()),
            tags: owned(&mut mention.tags()),
            flags: flags.map(|&(name, _)| name.to_owned()).collect(),
            equivalents: owned(&mut mention.equivalents()),
            attributes,
            readings: Vec::new(),
        }
    }

    /// Its flags as the model has them.
    pub(super) fn model_flags(&self) -> Flags {
        let named = |name: &String| FLAGS.iter().find(|(known, _)| known == name);
        self.flags.iter().filter_map(named).fold(Flags::empty(), |all, &(_, flag)| all | flag)
    }

    /// A field as JSON.
    pub fn value(&self, field: GoldField) -> Value {
        match field {
            GoldField::Span => json!([self.span.start, self.span.end]),
            GoldField::Link => match &self.answer {
                GoldAnswer::Entity(entity) => json!(entity),
                _ => Value::Null,
            },
            GoldField::Nil => match &self.answer {
                GoldAnswer::Nil(None) => Value::Bool(true),
                GoldAnswer::Nil(Some(cluster)) => json!(cluster),
                _ => Value::Null,
            },
            GoldField::Types => json!(self.types),
            GoldField::Tags => json!(self.tags),
            GoldField::Flags => json!(self.flags),
            GoldField::Equivalents => json!(self.equivalents),
            GoldField::Attributes => {
                let mut keys: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
                for (key, value) in &self.attributes {
                    keys.entry(key).or_default().push(value);
                }
                let one_or_all = |values: Vec<&str>| match values.as_slice() {
                    [one] => json!(one),
                    all => json!(all),
                };
                keys.into_iter().map(|(key, values)| (key.to_owned(), one_or_all(values))).collect()
            }
        }
    }

    /// Gives a field the value that JSON says. What the value of another field settles already (a mention with a link is
    /// not NIL) stays when this one is only taken away.
    pub(super) fn put(&mut self, field: GoldField, value: &Value) -> Result<(), ShapeError> {
        match field {
            GoldField::Span => self.span = span_of(value)?,
            GoldField::Link => match value {
                Value::String(entity) if !entity.is_empty() => {
                    self.answer = GoldAnswer::Entity(entity.clone());
                }
                Value::Null => {
                    if matches!(self.answer, GoldAnswer::Entity(_)) {
                        self.answer = GoldAnswer::Open;
                    }
                }
                _ => return Err(ShapeError::Link),
            },
            GoldField::Nil => match value {
                Value::Bool(true) => self.answer = GoldAnswer::Nil(None),
                Value::String(cluster) if !cluster.is_empty() => {
                    self.answer = GoldAnswer::Nil(Some(cluster.clone()));
                }
                Value::Null => {
                    if matches!(self.answer, GoldAnswer::Nil(_)) {
                        self.answer = GoldAnswer::Open;
                    }
                }
                _ => return Err(ShapeError::Nil),
            },
            GoldField::Types => self.types = strings_of(field, value)?,
            GoldField::Tags => self.tags = strings_of(field, value)?,
            GoldField::Equivalents => self.equivalents = strings_of(field, value)?,
            GoldField::Flags => {
                let mut flags = strings_of(field, value)?;
                flags.sort_unstable();
                flags.dedup();
                let known = |name: &String| FLAGS.iter().any(|(flag, _)| flag == name);
                if let Some(unknown) = flags.iter().find(|name| !known(name)) {
                    return Err(ShapeError::Flag(unknown.clone()));
                }
                self.flags = flags;
            }
            GoldField::Attributes => self.attributes = attributes_of(value)?,
        }
        Ok(())
    }

    /// Whether a field says nothing.
    fn is_empty(&self, field: GoldField) -> bool {
        match self.value(field) {
            Value::Null => true,
            Value::Array(items) => items.is_empty(),
            Value::Object(items) => items.is_empty(),
            _ => false,
        }
    }

    /// Everything but the span, as the keys of an object.
    pub(super) fn entries(&self) -> Map<String, Value> {
        let fields = GoldField::ALL.into_iter().filter(|&field| field != GoldField::Span);
        let said = fields.filter(|&field| !self.is_empty(field));
        let mut entries: Map<String, Value> =
            said.map(|field| (field.name().to_owned(), self.value(field))).collect();
        if !self.readings.is_empty() {
            let reading =
                |parts: &Vec<GoldContent>| parts.iter().map(GoldContent::object).collect::<Value>();
            entries.insert("readings".to_owned(), self.readings.iter().map(reading).collect());
        }
        entries
    }

    /// The same with the span.
    pub(super) fn object(&self) -> Value {
        let mut object = Map::new();
        object.insert("span".to_owned(), self.value(GoldField::Span));
        object.extend(self.entries());
        Value::Object(object)
    }

    /// What [`GoldContent::entries`] wrote, at a span.
    pub(super) fn of_entries(
        span: Span,
        entries: &Map<String, Value>,
        depth: usize,
    ) -> Result<GoldContent, ShapeError> {
        let mut content = GoldContent { span, ..GoldContent::default() };
        for (key, value) in entries {
            match (GoldField::named(key), key.as_str()) {
                (Some(GoldField::Span), _) | (None, "part_of" | "with" | "copy") => {}
                (Some(field), _) => content.put(field, value)?,
                (None, "readings") => content.readings = readings_of(value, depth)?,
                _ => return Err(ShapeError::Key(key.clone())),
            }
        }
        if entries.contains_key("link") && entries.contains_key("nil") {
            return Err(ShapeError::LinkAndNil);
        }
        Ok(content)
    }

    /// A part: an object with its span.
    pub(super) fn of_object(value: &Value, depth: usize) -> Result<GoldContent, ShapeError> {
        let object = value.as_object().ok_or(ShapeError::Part)?;
        let span = span_of(object.get("span").unwrap_or(&Value::Null))?;
        GoldContent::of_entries(span, object, depth)
    }

    /// Moves it and all its parts.
    pub(super) fn shift(&mut self, by: i64) -> Option<()> {
        self.span = shifted(self.span, by)?;
        self.readings.iter_mut().flatten().try_for_each(|part| part.shift(by))
    }
}

/// A span that is moved, unless it would leave the numbers.
pub(super) fn shifted(span: Span, by: i64) -> Option<Span> {
    let moved = |offset: u32| u32::try_from(i64::from(offset) + by).ok();
    Some(Span::new(moved(span.start)?, moved(span.end)?))
}

pub(super) fn span_of(value: &Value) -> Result<Span, ShapeError> {
    let offset = |value: &Value| value.as_u64().and_then(|offset| u32::try_from(offset).ok());
    match value.as_array().map(Vec::as_slice) {
        Some([start, end]) => match (offset(start), offset(end)) {
            (Some(start), Some(end)) if start <= end => Ok(Span::new(start, end)),
            _ => Err(ShapeError::SpanOffsets(value.to_string())),
        },
        _ => Err(ShapeError::Span),
    }
}

fn strings_of(field: GoldField, value: &Value) -> Result<Vec<String>, ShapeError> {
    let wrong = || ShapeError::Strings(field.name());
    let items = value.as_array().ok_or_else(wrong)?;
    let item = |item: &Value| item.as_str().filter(|it| !it.is_empty()).map(str::to_owned);
    items.iter().map(item).collect::<Option<_>>().ok_or_else(wrong)
}

fn attributes_of(value: &Value) -> Result<Vec<(String, String)>, ShapeError> {
    let wrong = || ShapeError::Attributes;
    let text = |value: &Value| value.as_str().filter(|it| !it.is_empty()).map(str::to_owned);
    let mut attributes = Vec::new();
    for (key, value) in value.as_object().ok_or_else(wrong)? {
        let values = match value {
            Value::Array(values) => values.iter().map(text).collect::<Option<Vec<_>>>(),
            one => text(one).map(|one| vec![one]),
        };
        if is_of_the_file(key) {
            return Err(ShapeError::AttributeOfFile(key.clone()));
        }
        attributes.extend(values.ok_or_else(wrong)?.into_iter().map(|value| (key.clone(), value)));
    }
    attributes.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(attributes)
}

pub(super) fn readings_of(
    value: &Value,
    depth: usize,
) -> Result<Vec<Vec<GoldContent>>, ShapeError> {
    let wrong = || ShapeError::Readings;
    if depth >= DEPTH {
        return Err(ShapeError::Depth);
    }
    let mut readings = Vec::new();
    for reading in value.as_array().ok_or_else(wrong)? {
        let parts = reading.as_array().filter(|parts| !parts.is_empty()).ok_or_else(wrong)?;
        let part = |part: &Value| GoldContent::of_object(part, depth + 1);
        let mut parts = parts.iter().map(part).collect::<Result<Vec<_>, ShapeError>>()?;
        parts.sort_unstable();
        readings.push(parts);
    }
    readings.sort_unstable();
    Ok(readings)
}

//! Which key of a document or of a mention says what.

use crate::problem::{Flaw, Problem};
use crate::reading::{ReadOptions, Reading};
use crate::source::{Source, Text};
use crate::syntax::json::{JsonRecords, Object};
use crate::syntax::table::{Field, Mapping};
use serde_json::Value;
use std::collections::BTreeMap;

/// Usual names of the list of mentions.
pub(super) const LISTS: [&str; 8] = [
    "entities",
    "mentions",
    "annotations",
    "spans",
    "ents",
    "entity_mentions",
    "labels",
    "predictions",
];

/// What a document may be named by, beside the names of the column `doc`.
const NAMES: [&str; 6] = ["id", "_id", "name", "filename", "file", "title"];

/// Keys that may have both offsets, as `[start, end]`.
pub(super) const PAIRS: [&str; 4] = ["span", "offsets", "char_span", "position"];

/// In a mention, this is not the text of the document.
const WORDS: &str = "text";

/// How much of a file is looked at to find its keys. Lines are whole documents, and may be long.
pub(super) const HEAD: u64 = 4 << 20;

/// Which key is which field, in the documents of a file and in their mentions.
#[derive(Debug)]
pub(super) struct Keys {
    columns: BTreeMap<String, String>,
    /// What documents are named by, if they are.
    name: Option<String>,
    document: Vec<(String, Field)>,
    mention: BTreeMap<String, Field>,
}

impl Keys {
    /// Finds the keys in the first lines of a file.
    pub(super) fn of(file: &Source, reading: &mut Reading<'_>) -> Result<Keys, Problem> {
        let head = file.head(HEAD)?;
        let head = String::from_utf8_lossy(&head);
        let columns = reading.options.columns.clone();
        let (mut outer, mut inner): (Vec<String>, Vec<String>) = Default::default();
        let text = Text::new(file.name(), head.strip_prefix('\u{feff}').unwrap_or(&head));
        for record in JsonRecords::of(&text).map_while(Result::ok) {
            let Ok(object) = serde_json::from_str::<Object>(record) else { continue };
            add_new(&mut outer, object.keys());
            if let Ok(Some((_, mentions))) = mention_list(&object, &columns) {
                mentions
                    .iter()
                    .filter_map(Value::as_object)
                    .for_each(|it| add_new(&mut inner, it.keys()));
            }
        }
        let names: Vec<&str> = outer.iter().map(String::as_str).collect();
        let of_document =
            Mapping::of_fields(file.name(), &names, reading.options, Field::is_of_document)?;
        let name = of_document.column(Field::Document).map(|(_, key)| key.to_owned());
        let name = name.or_else(|| {
            let known = NAMES.iter().find(|name| outer.iter().any(|key| key == *name));
            known.map(|name| (*name).to_owned())
        });
        let document = Field::all()
            .filter(|field| field.is_of_document() && *field != Field::Document)
            .filter_map(|field| Some((of_document.column(field)?.1.to_owned(), field)));
        Ok(Keys {
            name,
            document: document.collect(),
            mention: mention_keys(file.name(), &inner, reading)?,
            columns,
        })
    }

    /// The name of a document; `None` where documents of this file have none.
    pub(super) fn name(&self, object: &Object) -> Result<Option<String>, Flaw> {
        let Some(key) = &self.name else { return Ok(None) };
        match object.get(key) {
            Some(Value::String(name)) if !name.is_empty() => Ok(Some(name.clone())),
            Some(Value::Number(number)) => Ok(Some(number.to_string())),
            Some(other) if !other.is_null() => {
                Err(format!("expected the name of a document as `{key}`, found `{other}`").into())
            }
            _ => Err(format!("expected the name of a document as `{key}`, found nothing").into()),
        }
    }

    /// The mentions of a document, under their key.
    pub(super) fn list<'o>(
        &self,
        object: &'o Object,
    ) -> Result<Option<(&'o str, &'o [Value])>, Flaw> {
        mention_list(object, &self.columns)
    }

    /// What is said of a document itself.
    pub(super) fn of_document<'o>(
        &'o self,
        object: &'o Object,
    ) -> impl Iterator<Item = (Field, &'o str)> {
        let fields = self.document.iter();
        fields.filter_map(|(key, field)| Some((*field, object.get(key)?.as_str()?)))
    }

    /// The field of a key of a mention.
    pub(super) fn field(&self, key: &str) -> Option<Field> {
        self.mention.get(key).copied()
    }

    /// The keys of a field.
    pub(super) fn keys(&self, field: Field) -> impl Iterator<Item = &str> {
        let of_field = self.mention.iter().filter(move |&(_, &found)| found == field);
        of_field.map(|(key, _)| key.as_str())
    }
}

fn add_new<'k>(names: &mut Vec<String>, keys: impl Iterator<Item = &'k String>) {
    for key in keys {
        if !names.contains(key) {
            names.push(key.clone());
        }
    }
}

/// The keys of mentions. Mentions leave keys out, so the usual names of fields that were not among the first stay
/// open.
fn mention_keys(
    source_name: &str,
    names: &[String],
    reading: &mut Reading<'_>,
) -> Result<BTreeMap<String, Field>, Problem> {
    let names: Vec<&str> =
        names.iter().map(String::as_str).filter(|name| !PAIRS.contains(name)).collect();
    let options = reading.options;
    let mapping = match names.is_empty() {
        true => None,
        false => Some(Mapping::of_fields(source_name, &names, options, is_of_mention)?),
    };
    let mut keys = BTreeMap::new();
    let found = |field| mapping.as_ref().and_then(|mapping: &Mapping| mapping.column(field));
    for field in Field::all().filter(|field| is_of_mention(*field)) {
        match (found(field), options.columns.get(field.name())) {
            (Some((_, key)), _) => drop(keys.insert(key.to_owned(), field)),
            (None, Some(key)) if key.is_empty() => {}
            (None, Some(key)) => drop(keys.insert(key.clone(), field)),
            (None, None) => {
                for name in field.names() {
                    keys.entry(name.to_owned()).or_insert(field);
                }
            }
        }
    }
    if found(Field::Surface).is_none() {
        keys.entry(WORDS.to_owned()).or_insert(Field::Surface);
    }
    if let Some(mapping) = mapping {
        reading.note_columns(&mapping.leaving_out(keys.contains_key(WORDS).then_some(WORDS)));
    }
    Ok(keys)
}

fn is_of_mention(field: Field) -> bool {
    !field.is_of_document()
}

/// Whether documents of this kind are named.
pub(super) fn is_named(object: &Object, columns: &BTreeMap<String, String>) -> bool {
    let own = columns.get(Field::Document.name()).is_some_and(|key| object.contains_key(key));
    let mut usual = Field::Document.names().chain(NAMES).chain([WORDS]);
    own || usual.any(|name| object.contains_key(name))
}

/// Whether all keys that the user named are in a document or in one of its mentions.
pub(super) fn are_there(
    object: &Object,
    mentions: &[Value],
    columns: &BTreeMap<String, String>,
) -> bool {
    let in_mention =
        |key: &str| mentions.iter().any(|it| it.as_object().is_some_and(|it| it.contains_key(key)));
    let mut keys = columns.values().filter(|key| !key.is_empty());
    keys.all(|key| object.contains_key(key) || in_mention(key))
}

/// Whether these are the keys of a mention: they say where it starts and where it ends.
pub(super) fn are_mentions(keys: &[&str], columns: &BTreeMap<String, String>) -> bool {
    let options = ReadOptions { columns: columns.clone(), ..ReadOptions::default() };
    let has = |mapping: &Mapping| {
        mapping.has(Field::Start) && (mapping.has(Field::End) || mapping.has(Field::Length))
    };
    Mapping::of_fields("", keys, &options, is_of_mention).is_ok_and(|mapping| has(&mapping))
}

/// Whether objects of a list say where mentions are.
pub(super) fn hold(list: &[Value], columns: &BTreeMap<String, String>) -> bool {
    list.iter().any(|item| {
        let Some(item) = item.as_object() else { return false };
        let keys: Vec<&str> = item.keys().map(String::as_str).collect();
        PAIRS.iter().any(|key| super::items::pair(item, key).is_some())
            || are_mentions(&keys, columns)
    })
}

/// Whether these are the labels or mentions of ELEVANT, whose format knows more of them. Its first articles may have
/// none, so that it is less sure of a file than whoever looks further.
pub(super) fn are_of_elevant(key: &str, list: &[Value]) -> bool {
    let is_label = |item: &Value| {
        let has = |key: &str| item.get(key).is_some();
        has("span") && (has("entity_id") || has("recognized_by"))
    };
    ["labels", "entity_mentions"].contains(&key) && list.iter().any(is_label)
}

/// The list whose objects say where mentions are, with its key. A usual name with nothing in it is an empty list of
/// them; of several lists with mentions nobody can tell which is meant.
pub(super) fn mention_list<'o>(
    object: &'o Object,
    columns: &BTreeMap<String, String>,
) -> Result<Option<(&'o str, &'o [Value])>, Flaw> {
    let lists = || {
        object.iter().filter_map(|(key, value)| Some((key.as_str(), value.as_array()?.as_slice())))
    };
    // A list of any name is one of mentions in what is a document otherwise; an object with a list for each document
    // is something else.
    let is_document = is_named(object, columns);
    let is_meant = |key: &str| is_document || LISTS.contains(&key);
    let mut found = lists().filter(|(key, list)| is_meant(key) && hold(list, columns));
    match (found.next(), found.next()) {
        (Some((first, _)), Some((second, _))) => Err(format!(
            "`{first}` and `{second}` are both lists of mentions; which is meant cannot be told"
        )
        .into()),
        (Some(only), None) => Ok(Some(only)),
        // What is in a list of a usual name is said to be no mention by its reader.
        (None, _) => Ok(lists().find(|(key, list)| LISTS.contains(key) && !list.is_empty())),
    }
}

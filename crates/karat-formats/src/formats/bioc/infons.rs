//! The key-value pairs of BioC and what they mean for entity linking.

use karat_model::{CorpusBuilder, Link};
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;

/// A string, number or truth value of a file, as a string.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(super) struct Scalar<'t>(pub(super) Cow<'t, str>);

impl Scalar<'_> {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<String> for Scalar<'_> {
    fn from(text: String) -> Self {
        Scalar(Cow::Owned(text))
    }
}

impl<'t> From<&'t str> for Scalar<'t> {
    fn from(text: &'t str) -> Self {
        Scalar(Cow::Borrowed(text))
    }
}

impl<'de: 't, 't> Deserialize<'de> for Scalar<'t> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a number")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(text.into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(text.to_owned().into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Self::Value, E> {
        Ok(value.to_string().into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Self::Value, E> {
        Ok(value.to_string().into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Self::Value, E> {
        Ok(value.to_string().into())
    }

    fn visit_bool<E>(self, value: bool) -> Result<Self::Value, E> {
        Ok(value.to_string().into())
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Scalar::default())
    }

    // PubTator repeats parts of an identifier as lists; the identifier itself is enough.
    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Scalar::default())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::default())
    }
}

/// Writes a scalar that is a number as one.
pub(super) fn as_number<S: Serializer>(
    value: &Option<Scalar<'_>>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let number = value.as_ref().map_or("", Scalar::as_str).parse::<u64>();
    to.serialize_u64(number.map_err(S::Error::custom)?)
}

/// Key-value pairs in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Infons<'t>(pub(super) Vec<(Scalar<'t>, Scalar<'t>)>);

impl Infons<'_> {
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.iter().find(|(name, _)| name.as_str() == key).map(|(_, value)| value.as_str())
    }
}

impl Serialize for Infons<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de: 't, 't> Deserialize<'de> for Infons<'t> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InfonsVisitor;
        impl<'de> Visitor<'de> for InfonsVisitor {
            type Value = Infons<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of infons")
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Infons::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Infons(pairs))
            }
        }
        from.deserialize_any(InfonsVisitor)
    }
}

pub(super) const TYPE: &str = "type";
pub(super) const IDENTIFIER: &str = "identifier";
pub(super) const CONFIDENCE: &str = "confidence";
/// The annotation attribute that keeps the database of a link.
pub(super) const DATABASE: &str = "database";

/// Other keys of the link, in order of preference.
const OTHER_IDENTIFIERS: &[&str] =
    &["Identifier", "normalized id", "normalized_id", "concept_id", "conceptid", "cui", "CUI"];

/// Keys that name the database the link is in, whatever their case and what joins their words.
const DATABASES: &[&str] = &[
    "mesh",
    "omim",
    "ncbigene",
    "entrez",
    "entrezgene",
    "hgnc",
    "ncbitaxonomy",
    "ncbitaxon",
    "ncbispecies",
    "taxonomy",
    "chebi",
    "drugbank",
    "umls",
    "umlscui",
    "rxnorm",
    "snomed",
    "snomedct",
    "loinc",
    "dbsnp",
    "rsid",
    "uniprot",
    "go",
    "hpo",
    "mondo",
    "uberon",
    "cellontology",
    "cellosaurus",
    "cvcl",
    "wikidata",
    "wikipedia",
    "dbpedia",
];

pub(super) fn is_database(key: &str) -> bool {
    let plain = key.bytes().filter(u8::is_ascii_alphanumeric).map(|b| b.to_ascii_lowercase());
    DATABASES.iter().any(|name| name.bytes().eq(plain.clone()))
}

/// Whether a key would be read as the link of an annotation.
pub(super) fn names_a_link(key: &str) -> bool {
    key == IDENTIFIER || OTHER_IDENTIFIERS.contains(&key) || is_database(key)
}

pub(super) fn is_nil(identifier: &str) -> bool {
    matches!(identifier, "-" | "-1")
}

/// What the infons of an annotation say.
pub(super) struct Said<'i> {
    pub(super) link: Link,
    pub(super) kind: &'i str,
    /// NaN for none.
    pub(super) confidence: f64,
    pub(super) attributes: Vec<(&'i str, &'i str)>,
}

pub(super) fn said<'i>(infons: &'i Infons<'_>, corpus: &mut CorpusBuilder) -> Said<'i> {
    let mut rest: Vec<(&str, &str)> =
        infons.0.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let kind = take(&mut rest, |key, _| key == TYPE).map_or("", |(_, kind)| kind);
    let confidence = take(&mut rest, |key, value| key == CONFIDENCE && is_number(value));
    let confidence = confidence.and_then(|(_, value)| value.parse().ok()).unwrap_or(f64::NAN);
    let says = |value: &str| !value.trim().is_empty();
    // In the order of trust: the name that karat writes, then other usual names, then any database.
    // What is not taken stays an attribute.
    let mut linked = take(&mut rest, |key, value| key == IDENTIFIER && says(value));
    for &name in OTHER_IDENTIFIERS {
        linked = linked.or_else(|| take(&mut rest, |key, value| key == name && says(value)));
    }
    linked = linked.or_else(|| take(&mut rest, |key, value| is_database(key) && says(value)));
    let link = match linked.map(|(_, value)| value.trim()) {
        None => Link::NONE,
        Some(value) if is_nil(value) => Link::NIL,
        Some(value) => Link::to(corpus.intern(value)),
    };
    if let Some((key, _)) = linked.filter(|(key, _)| is_database(key)) {
        rest.push((DATABASE, key));
    }
    // Made from the locations again when it is written; kept as an attribute it would be there
    // twice.
    rest.retain(|(key, _)| *key != super::FRAGMENTS);
    Said { link, kind, confidence, attributes: rest }
}

pub(super) fn is_number(value: &str) -> bool {
    value.parse::<f64>().is_ok_and(|number| !number.is_nan())
}

/// The first pair that fits, taken out.
fn take<'i>(
    pairs: &mut Vec<(&'i str, &'i str)>,
    fits: impl Fn(&str, &str) -> bool,
) -> Option<(&'i str, &'i str)> {
    let position = pairs.iter().position(|(key, value)| fits(key, value))?;
    Some(pairs.remove(position))
}

//! The convention of a request: a preset and what is changed of it.

use crate::error::Error;
use crate::inputs::plain_text;
use crate::notices;
use karat_facets::{Facet, FacetContext, facet};
use karat_kb::{Identity, KnowledgeBase};
use karat_match::Unknowns;
use karat_measures::{Convention, PRESETS, Preset};
use karat_model::{Hint, Notice};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A convention by name, with what is changed of it, and what is known of entities.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ConventionRequest {
    /// The preset that everything starts from.
    pub preset: String,
    /// Settings that differ from the preset, in the order in which they are made.
    pub settings: ChangedSettings,
    /// A file of redirects of the knowledge base.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redirects: Option<String>,
    /// A knowledge base that `karat kb build` made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kb: Option<String>,
}

impl Default for ConventionRequest {
    fn default() -> ConventionRequest {
        ConventionRequest {
            preset: "karat".to_owned(),
            settings: ChangedSettings::default(),
            redirects: None,
            kb: None,
        }
    }
}

/// Settings by name, in the order in which they are made; an object in JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangedSettings(pub Vec<(String, String)>);

impl ChangedSettings {
    /// Changes one more.
    pub fn push(&mut self, name: impl Into<String>, value: impl Into<String>) {
        self.0.push((name.into(), value.into()));
    }

    /// What a setting is changed to, if it is.
    pub fn get(&self, name: &str) -> Option<&str> {
        // The last one wins, as it does when all are applied in order.
        self.0.iter().rev().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

impl Serialize for ChangedSettings {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for ChangedSettings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ChangedSettings, D::Error> {
        struct Pairs;
        // By hand, because the maps that serde knows lose the order of the keys.
        impl<'de> Visitor<'de> for Pairs {
            type Value = ChangedSettings;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("settings with their values, such as {\"match\": \"overlap\"}")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ChangedSettings, A::Error> {
                let mut settings = ChangedSettings::default();
                while let Some((name, value)) = map.next_entry::<String, String>()? {
                    settings.push(name, value);
                }
                Ok(settings)
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// The preset and its changes as one text, `preset;setting=value;...`: for addresses, and where a convention is
/// kept by name. Files of redirects and knowledge bases are no part of it, because they are not settings.
impl fmt::Display for ConventionRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.preset)?;
        self.settings.0.iter().try_for_each(|(name, value)| write!(f, ";{name}={value}"))
    }
}

/// Reads what [`ConventionRequest`] displays. Without a preset the default one is meant. Presets, settings and
/// values that do not exist are refused here, and not where the convention is first used.
impl FromStr for ConventionRequest {
    type Err = Error;

    fn from_str(text: &str) -> Result<ConventionRequest, Error> {
        let mut request = ConventionRequest::default();
        for (place, part) in text.split(';').enumerate() {
            match part.split_once('=') {
                Some((name, value)) => request.settings.push(name, value),
                None if part.is_empty() => {}
                None if place == 0 => request.preset = part.to_owned(),
                None => {
                    return Err(Error::bad_request(
                        format!("{part} changes no setting"),
                        "write a preset and its changes as karat;match=overlap",
                    ));
                }
            }
        }
        request.convention()?;
        Ok(request)
    }
}

impl ConventionRequest {
    /// The preset.
    pub fn preset(&self) -> Result<&'static Preset, Error> {
        Preset::named(&self.preset).ok_or_else(|| {
            Error::unknown("preset", &self.preset, PRESETS.iter().map(|preset| preset.name))
        })
    }

    /// The convention that is meant.
    pub fn convention(&self) -> Result<Convention, Error> {
        let mut convention = (self.preset()?.convention)();
        self.change(&mut convention)?;
        Ok(convention)
    }

    /// Makes the changes in a convention.
    pub(crate) fn change(&self, convention: &mut Convention) -> Result<(), Error> {
        for (name, value) in &self.settings.0 {
            convention.set(name, value)?;
        }
        Ok(())
    }

    /// Which spellings are one entity.
    pub fn identity(
        &self,
        convention: &Convention,
        told: &mut Vec<Notice>,
    ) -> Result<Identity, Error> {
        let mut identity = convention.identity();
        if let Some(path) = &self.redirects {
            identity = identity.with_redirects_of(&plain_text(path)?.0, convention.titles);
        }
        let Some(path) = &self.kb else {
            if !convention.settings.predicted_types.are_all() {
                told.push(notices::TYPES_OF_SYSTEMS.notice(
                    "without a knowledge base predictions have the types that systems give them",
                ).hint(Hint::template("{kb} gives one")));
            }
            return Ok(identity);
        };
        Ok(identity.with_base(Arc::new(KnowledgeBase::open(path.as_ref())?)))
    }
}

/// The facets behind one name, several joined by `+`.
pub fn facets(
    names: &str,
    convention: &Convention,
    unknowns: Unknowns,
    identity: &Identity,
) -> Result<Vec<Arc<dyn Facet>>, Error> {
    let context = FacetContext {
        settings: convention.settings.clone(),
        taxonomy: convention.taxonomy,
        unknowns,
        base: identity.base().cloned(),
    };
    names.split('+').map(|name| Ok(facet(name, &context)?)).collect()
}

/// One facet of documents, which needs no convention.
pub fn facet_of_documents(name: &str) -> Result<Arc<dyn Facet>, Error> {
    let mut found = facets(name, &Convention::default(), Unknowns::Ignored, &Identity::new())?;
    match (found.pop(), found.is_empty()) {
        (Some(only), true) => Ok(only),
        _ => Err(Error::bad_request(
            format!("`{name}` are several facets"),
            "documents are drawn by one facet of documents, as topic or language",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_convention_is_written_and_read() {
        for text in ["karat", "gerbil", "karat;match=overlap", "karat;match=overlap;nil=missed"] {
            let Ok(read) = text.parse::<ConventionRequest>() else { panic!("{text} is not read") };
            assert_eq!(read.to_string(), text);
        }
        let default = ConventionRequest::default();
        for text in ["", ";", "karat;"] {
            assert_eq!(text.parse::<ConventionRequest>().ok(), Some(default.clone()), "{text}");
        }
        let changed = ";match=overlap".parse::<ConventionRequest>().map(|it| it.to_string());
        assert_eq!(changed.ok().as_deref(), Some("karat;match=overlap"));
    }

    #[test]
    fn what_is_no_convention_is_refused() {
        for text in
            ["gerbl", "karat;overlap", "karat;mtch=overlap", "karat;match=over", "karat;gerbil"]
        {
            assert!(text.parse::<ConventionRequest>().is_err(), "{text}");
        }
    }
}

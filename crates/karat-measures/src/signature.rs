//! The line that reproduces a number.

use crate::preset::{Convention, Preset};
use crate::presets::KARAT;
use crate::settings::{SETTINGS, SettingError, Signed};
use std::fmt;
use std::str::FromStr;

/// Everything a number depends on, as text: `karat:0.1.0|preset:neleval|...`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signature {
    parts: Vec<(String, String)>,
}

/// Parts that are no settings: where numbers come from, and how often something was drawn.
const PROVENANCE: [&str; 28] = [
    "karat",
    "preset",
    "kb",
    "gold",
    "boot",
    "weights",
    "fuzzy",
    "alpha",
    "hierarchy",
    "tuned",
    "stream",
    "cells",
    "mix",
    "draws",
    "orders",
    "test",
    "unknowns",
    "names",
    "counts",
    "sentences",
    "documents",
    "columns",
    "unit",
    "end",
    "shift",
    "lenient",
    "curve",
    "shards",
];

/// In place of a threshold: there is one for each system.
const TUNED: &str = "tuned";

/// A signature that names no convention of this karat.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignatureError {
    /// A part has no name.
    #[error("`{0}` is no part of a signature: expected name:value")]
    Part(String),
    /// There is no such preset.
    #[error("there is no preset `{0}`")]
    Preset(String),
    /// There is no such setting, or it has no such value.
    #[error(transparent)]
    Setting(#[from] SettingError),
}

impl Signature {
    /// The signature of numbers that no convention changes: the version alone.
    pub fn without_convention() -> Signature {
        let mut signature = Signature { parts: Vec::new() };
        signature.push("karat", env!("CARGO_PKG_VERSION"));
        signature
    }

    /// The signature of a convention: its preset, what everybody asks about, and
    /// whatever else is not as the preset has it.
    pub fn new(convention: &Convention) -> Signature {
        let usual = (convention.preset.convention)();
        let mut signature = Signature::without_convention();
        signature.push("preset", convention.preset.name);
        for setting in SETTINGS {
            let value = setting.get(convention);
            if let Some(value) = &value
                && (setting.signed() == Signed::Always
                    || setting.get(&usual).as_ref() != Some(value))
            {
                signature.push(setting.name(), value);
            }
        }
        signature
    }

    /// Adds what else a number depends on. Separators in a value are replaced.
    pub fn push(&mut self, name: &str, value: &str) {
        let value = value.replace(['|', '\n', '\r'], "_");
        self.parts.push((name.to_owned(), value));
    }

    /// Says that each system has a threshold of its own, chosen on this development set.
    pub fn tune(&mut self, development: &str) {
        if let Some(part) = self.parts.iter_mut().find(|(name, _)| name == "threshold") {
            part.1 = TUNED.to_owned();
        }
        self.push("tuned", development);
    }

    /// The signature of numbers that have these together: a part in which they differ, as the gold
    /// standard, is there once for each value.
    pub fn together(all: &[Signature]) -> Signature {
        let mut parts: Vec<(String, String)> = Vec::new();
        for part in all.iter().flat_map(|signature| &signature.parts) {
            if parts.contains(part) {
                continue;
            }
            // Beside the others of its name; what is new comes last.
            let beside = parts.iter().rposition(|(name, _)| *name == part.0);
            parts.insert(beside.map_or(parts.len(), |at| at + 1), part.clone());
        }
        Signature { parts }
    }

    /// All its parts, each with its name.
    pub fn parts(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parts.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// One of its parts; of several with the name, the first.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// The values of all parts with a name.
    pub fn all<'s>(&'s self, name: &str) -> impl Iterator<Item = &'s str> {
        let named = self.parts.iter().filter(move |(known, _)| known == name);
        named.map(|(_, value)| value.as_str())
    }

    /// The convention it names.
    pub fn convention(&self) -> Result<Convention, SignatureError> {
        let preset = match self.get("preset") {
            None => &KARAT,
            Some(name) => {
                Preset::named(name).ok_or_else(|| SignatureError::Preset(name.to_owned()))?
            }
        };
        let mut convention = (preset.convention)();
        // An old signature without a threshold means none. Presets that search for one sign it.
        convention.oracle = false;
        for (name, value) in &self.parts {
            // The thresholds themselves follow from the development set.
            let is_tuned = name == "threshold" && value == TUNED;
            if !is_tuned && !PROVENANCE.contains(&name.as_str()) {
                convention.set(name, value)?;
            }
        }
        Ok(convention)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.parts.iter().enumerate() {
            let separator = if index == 0 { "" } else { "|" };
            write!(f, "{separator}{name}:{value}")?;
        }
        Ok(())
    }
}

impl FromStr for Signature {
    type Err = SignatureError;

    fn from_str(text: &str) -> Result<Signature, SignatureError> {
        let parts = text.split('|').map(|part| match part.split_once(':') {
            Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
            None => Err(SignatureError::Part(part.to_owned())),
        });
        Ok(Signature { parts: parts.collect::<Result<_, _>>()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PRESETS;

    #[test]
    fn every_preset_parses_back_from_its_signature() {
        for preset in PRESETS {
            let convention = (preset.convention)();
            let text = Signature::new(&convention).to_string();
            let read: Signature = text.parse().expect("a signature");
            assert_eq!(read.convention().as_ref(), Ok(&convention), "{text}");
        }
    }

    #[test]
    fn several_gold_standards_are_all_named() {
        let of = |gold: &str| {
            let mut signature = Signature::new(&Convention::default());
            signature.push("gold", gold);
            signature
        };
        let mut last = of("c, d@3");
        last.push("kb", "base@4");
        let together = Signature::together(&[of("a@1"), of("b@2"), of("a@1"), last]);
        let text = together.to_string();
        assert!(text.ends_with("|gold:a@1|gold:b@2|gold:c, d@3|kb:base@4"), "{text}");
        let read: Signature = text.parse().expect("a signature");
        assert_eq!(read, together);
        assert_eq!(read.all("gold").collect::<Vec<_>>(), ["a@1", "b@2", "c, d@3"]);
        assert_eq!(read.all("preset").collect::<Vec<_>>(), ["karat"]);
        assert_eq!(read.convention(), of("a@1").convention());
        assert_eq!(Signature::together(&[of("a@1")]), of("a@1"));
    }

    #[test]
    fn a_tuned_threshold_parses_back_as_none() {
        let convention = Convention::default();
        let mut signature = Signature::new(&convention);
        signature.tune("dev@1234");
        let text = signature.to_string();
        assert!(text.contains("|threshold:tuned") && text.ends_with("|tuned:dev@1234"), "{text}");
        let read: Signature = text.parse().expect("a signature");
        assert_eq!(read.convention(), Ok(convention));
    }

    #[test]
    fn how_files_were_read_parses_back() {
        let mut signature = Signature::new(&Convention::default());
        for (name, value) in [
            ("columns", "mine=doc=article+link=qid"),
            ("unit", "mine=bytes"),
            ("end", "inclusive,gold=exclusive"),
            ("shift", "mine=-1"),
            ("lenient", "yes"),
            ("shards", "1/2"),
        ] {
            signature.push(name, value);
        }
        let read: Signature = signature.to_string().parse().expect("a signature");
        assert_eq!(read, signature);
        assert_eq!(read.get("end"), Some("inclusive,gold=exclusive"));
        assert_eq!(read.convention(), Ok(Convention::default()));
    }

    #[test]
    fn what_differs_from_the_preset_is_said() {
        let mut convention = Convention::default();
        convention.set("optional", "no").expect("a setting");
        let text = Signature::new(&convention).to_string();
        assert!(text.contains("|optional:no") && !text.contains("|trim:"), "{text}");
        let read: Signature = text.parse().expect("a signature");
        assert_eq!(read.convention(), Ok(convention));
    }

    #[test]
    fn every_value_of_every_setting_parses_back() {
        for preset in PRESETS {
            for setting in SETTINGS {
                for value in setting.values() {
                    let mut convention = (preset.convention)();
                    setting.set(&mut convention, value.name).expect("its own value");
                    let text = Signature::new(&convention).to_string();
                    let read: Signature = text.parse().expect("a signature");
                    assert_eq!(read.convention(), Ok(convention), "{text}");
                }
            }
        }
    }

    #[test]
    fn signatures_of_another_karat_are_refused() {
        let read = |text: &str| text.parse::<Signature>().and_then(|read| read.convention());
        assert_eq!(read("karat"), Err(SignatureError::Part("karat".to_owned())));
        assert_eq!(read("preset:kart"), Err(SignatureError::Preset("kart".to_owned())));
        assert!(matches!(read("colour:red"), Err(SignatureError::Setting(_))));
        assert!(matches!(read("match:close"), Err(SignatureError::Setting(_))));
    }
}

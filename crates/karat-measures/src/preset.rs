//! Conventions: every setting that changes a number, under one name.

use crate::presets::PRESETS;
use crate::score::Zero;
use crate::threshold::Search;
use karat_facets::taxonomy::Taxonomy;
use karat_kb::Knowledge;
use karat_match::Settings;

/// A convention of the literature, or our own: one file each.
#[derive(Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// The text of the file that defines it; its head is what users read.
    pub file: &'static str,
    /// Its settings.
    pub convention: fn() -> Convention,
    /// The measures it reports when none are asked for.
    pub measures: &'static [&'static str],
}

/// Everything that decides a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Convention {
    /// The preset it started from.
    pub preset: &'static str,
    /// What decides who meets whom.
    pub settings: Settings,
    /// What a score is where it would divide by nothing.
    pub zero: Zero,
    /// What is in the knowledge base.
    pub knowledge: Knowledge,
    /// How results are sliced.
    pub grouping: Grouping,
    /// Whether a threshold is chosen on the data that is scored.
    pub oracle: bool,
    /// How it is chosen, if it is.
    pub search: Search,
    /// Whether headline numbers come with intervals.
    pub intervals: bool,
    /// Which differences count against a system when two are compared.
    pub sides: Sides,
    /// Which kinds of errors there are.
    pub taxonomy: &'static Taxonomy,
}

/// Which differences are as surprising as the real one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sides {
    /// Those in the observed direction.
    One,
    /// Those in either direction.
    #[default]
    Two,
}

/// How a result is sliced by a facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grouping {
    /// Cases are labelled: what is right or missed by the gold mention, what is extra by the prediction.
    Cases,
    /// Each side is divided by its own labels, then each part is scored.
    Sides,
}

impl Preset {
    /// The preset with this name.
    pub fn named(name: &str) -> Option<&'static Preset> {
        PRESETS.iter().copied().find(|preset| preset.name == name)
    }

    /// What users read about it.
    pub fn documentation(&self) -> String {
        crate::measure::documentation(self.file)
    }
}

impl Default for Convention {
    fn default() -> Convention {
        (crate::presets::karat::KARAT.convention)()
    }
}

impl Convention {
    /// Its settings by name, as a signature writes them.
    pub fn parts(&self) -> Vec<(&'static str, String)> {
        let mut parts = vec![("preset", self.preset.to_owned())];
        parts.extend(self.settings.parts());
        parts.push(("zero", self.zero.to_string()));
        let grouping = match self.grouping {
            Grouping::Cases => "cases",
            Grouping::Sides => "sides",
        };
        parts.push(("group", grouping.to_owned()));
        let sides = match self.sides {
            Sides::One => "one",
            Sides::Two => "two",
        };
        parts.push(("sides", sides.to_owned()));
        parts.push(("taxonomy", self.taxonomy.name.to_owned()));
        if let (true, Some(threshold)) =
            (self.oracle, parts.iter_mut().find(|(name, _)| *name == "threshold"))
        {
            threshold.1 = "oracle".to_owned();
        }
        parts
    }

    /// Changes one setting by name.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        match (name, value) {
            ("zero", value) => self.zero = value.parse()?,
            ("group", "cases") => self.grouping = Grouping::Cases,
            ("group", "sides") => self.grouping = Grouping::Sides,
            ("sides", "one") => self.sides = Sides::One,
            ("sides", "two") => self.sides = Sides::Two,
            ("sides", other) => {
                return Err(format!("`{other}` is no value of `sides`: expected one or two"));
            }
            ("taxonomy", name) => {
                self.taxonomy = Taxonomy::named(name).ok_or_else(|| {
                    let names = Taxonomy::ALL.map(|taxonomy| taxonomy.name).join(", ");
                    format!("`{name}` is no value of `taxonomy`: expected one of {names}")
                })?;
            }
            ("threshold", "oracle") => self.oracle = true,
            ("threshold", value) => {
                self.oracle = false;
                self.settings.set("threshold", value).map_err(|error| error.to_string())?;
            }
            _ => self.settings.set(name, value).map_err(|error| error.to_string())?,
        }
        Ok(())
    }
}

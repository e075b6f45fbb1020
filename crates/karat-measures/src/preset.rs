//! Conventions: every setting that changes a number, under one name.

use crate::membership::{MEMBERSHIPS, Membership};
use crate::presets::{PRESETS, gerbil};
use crate::score::Zero;
use crate::threshold::Search;
use karat_facets::FacetContext;
use karat_facets::taxonomy::Taxonomy;
use karat_kb::{Identity, Knowledge, KnowledgeBase, Naming, Titles};
use karat_match::{Settings, Unknowns};
use std::sync::Arc;

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
    /// What it reports besides where gold has clusters of NIL.
    pub with_nil_clusters: &'static [&'static str],
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
    /// What of an id is compared.
    pub naming: Naming,
    /// Which spellings of a title are one where redirects are followed.
    pub titles: Titles,
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
    /// Whether `all` is neleval's group of measures, and not the measure of links and NIL.
    pub all_is_a_group: bool,
    /// Which kinds of errors there are.
    pub taxonomy: &'static Taxonomy,
    /// How much mentions weigh in fuzzy recall.
    pub membership: Membership,
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
    /// Each label is a gold standard of its own: the gold annotations that carry it, each alternative
    /// by its own labels, against the predictions on their spans.
    Annotations,
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

impl Grouping {
    const NAMES: [(&str, Grouping); 3] = [
        ("cases", Grouping::Cases),
        ("sides", Grouping::Sides),
        ("annotations", Grouping::Annotations),
    ];
}

impl Convention {
    /// What facets may ask under it.
    pub fn facet_context(
        &self,
        unknowns: Unknowns,
        base: Option<&Arc<KnowledgeBase>>,
    ) -> FacetContext {
        FacetContext {
            settings: self.settings.clone(),
            taxonomy: self.taxonomy,
            unknowns,
            base: base.cloned(),
        }
    }

    /// Which spellings are one entity, without redirects or a knowledge base.
    pub fn identity(&self) -> Identity {
        Identity::new().with_naming(self.naming).with_knowledge(self.knowledge)
    }

    /// Its settings by name, as a signature writes them.
    pub fn parts(&self) -> Vec<(&'static str, String)> {
        let mut parts = vec![("preset", self.preset.to_owned())];
        parts.extend(self.settings.parts());
        parts.push(("zero", self.zero.to_string()));
        let grouping = Grouping::NAMES.iter().find(|(_, grouping)| *grouping == self.grouping);
        parts.push(("group", grouping.map_or("", |(name, _)| name).to_owned()));
        let sides = match self.sides {
            Sides::One => "one",
            Sides::Two => "two",
        };
        parts.push(("sides", sides.to_owned()));
        parts.push(("taxonomy", self.taxonomy.name.to_owned()));
        let naming = match self.naming {
            Naming::AsWritten => "as-written",
            Naming::LastSegment => "last-segment",
        };
        parts.push(("ids", naming.to_owned()));
        let titles = match self.titles {
            Titles::EverySpelling => "every-spelling",
            Titles::PlainAddresses => "plain-addresses",
        };
        parts.push(("titles", titles.to_owned()));
        let known = match self.knowledge {
            Knowledge::Everything => "every-id",
            Knowledge::Prefixes(_) => "known-addresses",
        };
        parts.push(("in-kb", known.to_owned()));
        // A membership function of a file has no name by which it could be set again.
        parts.extend(self.membership.name().map(|name| ("membership", name.to_owned())));
        parts.push(("over-tags", self.membership.over_tags.to_string()));
        parts.push(("over-alternatives", self.membership.over_alternatives.to_string()));
        parts.push(("hit-earns", self.membership.hit_earns.to_string()));
        parts.push(("weight-decimals", self.membership.decimals.to_string()));
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
            ("group", value) => {
                let named = Grouping::NAMES.iter().find(|(name, _)| *name == value);
                self.grouping = named.map(|&(_, grouping)| grouping).ok_or_else(|| {
                    format!(
                        "`{value}` is no value of `group`: expected cases, sides or annotations"
                    )
                })?;
            }
            ("ids", "as-written") => self.naming = Naming::AsWritten,
            ("ids", "last-segment") => self.naming = Naming::LastSegment,
            ("ids", other) => {
                return Err(format!(
                    "`{other}` is no value of `ids`: expected as-written or last-segment"
                ));
            }
            ("titles", "every-spelling") => self.titles = Titles::EverySpelling,
            ("titles", "plain-addresses") => self.titles = Titles::PlainAddresses,
            ("titles", other) => {
                return Err(format!(
                    "`{other}` is no value of `titles`: expected every-spelling or plain-addresses"
                ));
            }
            ("in-kb", "every-id") => self.knowledge = Knowledge::Everything,
            ("in-kb", "known-addresses") => self.knowledge = gerbil::KNOWN,
            ("in-kb", other) => {
                return Err(format!(
                    "`{other}` is no value of `in-kb`: expected every-id or known-addresses"
                ));
            }
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
            ("membership", name) => {
                let named = Membership::named(name).ok_or_else(|| {
                    let names = MEMBERSHIPS.join(", ");
                    format!(
                        "`{name}` is no value of `membership`: expected one of {names}, or attribute:KEY"
                    )
                })?;
                self.membership = named.put_together_like(&self.membership);
            }
            ("over-tags", value) => self.membership.over_tags = value.parse()?,
            ("over-alternatives", value) => self.membership.over_alternatives = value.parse()?,
            ("hit-earns", value) => self.membership.hit_earns = value.parse()?,
            ("weight-decimals", value) => self.membership.decimals = value.parse()?,
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

//! Conventions: every setting that changes a number, under one name.

use crate::membership::Membership;
use crate::presets::{KARAT, PRESETS};
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
    pub preset: &'static Preset,
    /// What decides who meets whom.
    pub settings: Settings,
    /// What a score is where it would divide by nothing.
    pub zero: Zero,
    /// What of an id is compared.
    pub naming: Naming,
    /// Whether ids are compared as they are written, or by what they name.
    pub spellings: SpellingRule,
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
    /// Whether scores on several benchmarks are averaged as well.
    pub over_benchmarks: bool,
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

/// Whether ids are compared as they are written, or by what they name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SpellingRule {
    /// As they are written.
    #[default]
    AsWritten,
    /// As they are written, unless gold and system spell the ids of one knowledge base differently.
    Adapt,
    /// By what they name: addresses of Wikidata, Wikipedia, DBpedia and YAGO stand for items and titles.
    ByName,
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

    /// What it is, on one line: the first paragraph of what users read, without marks of emphasis.
    pub fn summary(&self) -> String {
        let documentation = self.documentation();
        let lines = documentation.lines().take_while(|line| !line.trim().is_empty());
        let line = lines.collect::<Vec<_>>().join(" ").replace('*', "");
        line.trim_end_matches('.').to_owned()
    }
}

/// Presets are told apart by their names: there is one static of each.
impl PartialEq for Preset {
    // By name: there is one static of each preset, and functions do not compare.
    fn eq(&self, other: &Preset) -> bool {
        self.name == other.name
    }
}

impl Default for Convention {
    fn default() -> Convention {
        (KARAT.convention)()
    }
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
        let identity = Identity::new().with_naming(self.naming).with_knowledge(self.knowledge);
        match self.spellings {
            SpellingRule::ByName => identity.with_every_spelling(),
            // `Adapt` compares as written until the ids of an experiment were looked at; whoever
            // has them decides.
            SpellingRule::AsWritten | SpellingRule::Adapt => identity,
        }
    }
}

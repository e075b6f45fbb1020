//! What the annotations of a benchmark are by themselves, as ELEVANT's statistics of benchmarks have it:
//! named or not, whole or part, unknown for which reason, and what makes them hard.

use super::profile::{LOWER_CASE, Shares, case as how_it_begins};
use karat_facets::taxonomy::{Category, Labelled, MentionType, hardships};
use karat_kb::{Identity, KnowledgeBase};
use karat_match::{CaseStanding, Pairing, Scene};
use karat_measures::Convention;
use karat_measures::presets::ELEVANT;
use karat_model::{Corpus, Watch, attribute};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How many annotations are of each kind.
#[derive(Default)]
pub(super) struct Kinds {
    all: u64,
    roots: u64,
    optional: u64,
    nil: u64,
    without_mapping: u64,
    mention_types: BTreeMap<MentionType, u64>,
    lowercased_not_named: u64,
    /// Whether there are annotations of which that cannot be told.
    is_case_unsure: bool,
    hardships: BTreeMap<Category, u64>,
    /// Annotations of which nobody can tell the mention type, and what makes them hard.
    untold: (u64, u64),
    has_base: bool,
}

/// What cannot be told is a label of its own.
const UNTOLD: &str = "cannot be told";

impl Kinds {
    /// The kinds of a corpus, with what a knowledge base knows if there is one.
    pub(super) fn new(gold: &Corpus, base: Option<&KnowledgeBase>, watch: &Watch) -> Kinds {
        // Whatever preset is asked for: these are ELEVANT's statistics and must be counted by its
        // rules.
        let Convention { settings, taxonomy, .. } = (ELEVANT.convention)();
        let nobody = Corpus::default();
        // Compared with an empty output, judgements tell what gold is by itself.
        let identity = Identity::new();
        let pairing = Pairing::new(gold, &nobody, &identity).watched(watch);
        let parts = (0..pairing.len()).into_par_iter().fold(
            || (Kinds::default(), Scene::default()),
            |(mut kinds, mut scene), index| {
                pairing.stage(index, &settings, &mut scene);
                for (case, hard) in hardships(&settings, taxonomy, &scene, base) {
                    kinds.add(&case, &hard);
                }
                (kinds, scene)
            },
        );
        let kinds = parts.map(|(kinds, _)| kinds).reduce(Kinds::default, Kinds::and);
        Kinds { has_base: base.is_some(), ..kinds }
    }

    /// Those of two parts of a corpus together.
    fn and(mut self, other: Kinds) -> Kinds {
        self.all += other.all;
        self.roots += other.roots;
        self.optional += other.optional;
        self.nil += other.nil;
        self.without_mapping += other.without_mapping;
        self.lowercased_not_named += other.lowercased_not_named;
        self.is_case_unsure |= other.is_case_unsure;
        self.untold = (self.untold.0 + other.untold.0, self.untold.1 + other.untold.1);
        for (kind, count) in other.mention_types {
            *self.mention_types.entry(kind).or_default() += count;
        }
        for (category, count) in other.hardships {
            *self.hardships.entry(category).or_default() += count;
        }
        self
    }

    fn add(&mut self, case: &Labelled<'_>, hard: &[Category]) {
        let Some(gold) = case.gold else { return };
        self.all += 1;
        self.roots += u64::from(case.judgement.standing == CaseStanding::Root);
        self.optional += u64::from(case.judgement.is_optional());
        if gold.link().is_nil() {
            let reason = gold.attribute(attribute::NIL_REASON);
            match reason == Some(attribute::NO_MAPPING) {
                true => self.without_mapping += 1,
                false => self.nil += 1,
            }
        }
        match case.mention_type {
            Some(kind) => *self.mention_types.entry(kind).or_default() += 1,
            None => self.untold.0 += 1,
        }
        let lowercased = case.text.map(|text| how_it_begins(text) == Some(LOWER_CASE));
        match (lowercased, case.mention_type) {
            (Some(false), _) => {}
            (Some(true), Some(kind)) => {
                self.lowercased_not_named += u64::from(kind == MentionType::NonNamed);
            }
            _ => self.is_case_unsure = true,
        }
        // Several possible difficulties mean that facts are missing; the mention is in none of the
        // counts.
        match hard {
            [] => {}
            [only] => *self.hardships.entry(*only).or_default() += 1,
            _ => self.untold.1 += 1,
        }
    }

    pub(super) fn lowercased_not_named(&self) -> Option<u64> {
        (self.all > 0 && !self.is_case_unsure).then_some(self.lowercased_not_named)
    }

    /// How annotations divide by what they are. A property of which nothing can be told is left out.
    pub(super) fn shares(&self) -> Vec<Shares> {
        let mut shares = vec![
            self.of("level", &[("root", self.roots), ("child", self.all - self.roots)]),
            self.of("optional", &[("optional", self.optional)]),
            self.of("unknown", &[("NIL", self.nil), ("no mapping", self.without_mapping)]),
        ];
        if !self.mention_types.is_empty() {
            let count = |kind: MentionType| self.mention_types.get(&kind).copied().unwrap_or(0);
            let kinds = MentionType::ALL.map(|kind| (kind.name(), count(kind)));
            shares.push(self.told("mention type", &kinds, self.untold.0));
        }
        // Without a knowledge base only a part of a name could be told, and only if nothing comes before it.
        let nothing_told = self.hardships.is_empty() && self.untold.1 > 0;
        if self.has_base && !nothing_told {
            let count = |category| self.hardships.get(&category).copied().unwrap_or(0);
            let named =
                [Category::Demonym, Category::Metonymy, Category::PartialName, Category::Rare];
            let mut hard = named.map(|category| (category.name(), count(category))).to_vec();
            hard.push(("none of these", count(Category::DisambiguationOther)));
            shares.push(self.told("difficulty", &hard, self.untold.1));
        }
        shares
    }

    fn told(&self, property: &str, counts: &[(&str, u64)], untold: u64) -> Shares {
        let untold = (untold > 0).then_some((UNTOLD, untold));
        let counts: Vec<(&str, u64)> = counts.iter().copied().chain(untold).collect();
        self.of(property, &counts)
    }

    fn of(&self, property: &str, counts: &[(&str, u64)]) -> Shares {
        let counts = counts.iter().map(|&(label, count)| (label.to_owned(), count)).collect();
        Shares::new(property, self.all, counts)
    }
}

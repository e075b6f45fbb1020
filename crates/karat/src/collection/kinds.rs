//! What the annotations of a benchmark are by themselves, as ELEVANT's statistics of benchmarks have it:
//! named or not, whole or part, unknown for which reason, and what makes them hard.

use super::profile::{CASE, LOWER_CASE, NOT_NAMED, Shares, case as how_it_begins};
use karat_facets::taxonomy::{Category, Labelled, MentionType, hardships};
use karat_kb::{Identity, KnowledgeBase};
use karat_match::{CaseStanding, Pairing, Scene};
use karat_measures::Convention;
use karat_measures::presets::ELEVANT;
use karat_model::{Corpus, Mention, Watch, attribute};
use rayon::prelude::*;
use std::collections::BTreeMap;

/// How many annotations are of each kind.
#[derive(Default)]
pub(super) struct Kinds {
    all: u64,
    /// How many have each label, by property and label.
    counts: BTreeMap<(&'static str, &'static str), u64>,
    /// Whether there are annotations of which it cannot be told whether they are lower case and not named.
    is_case_unsure: bool,
    has_base: bool,
}

/// What cannot be told is a label of its own.
const UNTOLD: &str = "cannot be told";

const NOT_HARD: &str = "none of these";
const LEVEL: &str = "level";
const OPTIONAL: &str = "optional";
const UNKNOWN: &str = "unknown";
const MENTION_TYPE: &str = "mention type";
const DIFFICULTY: &str = "difficulty";

/// The properties of annotations that are told here.
pub(super) const PROPERTIES: [&str; 5] = [LEVEL, OPTIONAL, UNKNOWN, MENTION_TYPE, DIFFICULTY];

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
        self.is_case_unsure |= other.is_case_unsure;
        for (label, count) in other.counts {
            *self.counts.entry(label).or_default() += count;
        }
        self
    }

    fn add(&mut self, case: &Labelled<'_>, hard: &[Category]) {
        if case.gold.is_none() {
            return;
        }
        self.all += 1;
        for label in labels(case, hard) {
            *self.counts.entry(label).or_default() += 1;
        }
        let is_upper = case.text.is_some_and(|text| how_it_begins(text) != Some(LOWER_CASE));
        self.is_case_unsure |= !is_upper && (case.text.is_none() || case.mention_type.is_none());
    }

    fn count(&self, property: &'static str, label: &'static str) -> u64 {
        self.counts.get(&(property, label)).copied().unwrap_or_default()
    }

    /// Whether any annotation has a label of a property that says something.
    fn tells(&self, property: &str) -> bool {
        self.counts.keys().any(|(known, label)| *known == property && *label != UNTOLD)
    }

    pub(super) fn lowercased_not_named(&self) -> Option<u64> {
        (self.all > 0 && !self.is_case_unsure).then(|| self.count(CASE, NOT_NAMED))
    }

    /// How annotations divide by what they are. A property of which nothing can be told is left out.
    pub(super) fn shares(&self) -> Vec<Shares> {
        let of = |property: &'static str, labels: &[&'static str]| {
            let counts = labels.iter().map(|label| (*label, self.count(property, label)));
            self.of(property, &counts.collect::<Vec<_>>())
        };
        let mut shares = vec![
            of(LEVEL, &["root", "child"]),
            of(OPTIONAL, &[OPTIONAL]),
            of(UNKNOWN, &["NIL", "no mapping"]),
        ];
        if self.tells(MENTION_TYPE) {
            shares.push(self.told(MENTION_TYPE, &MentionType::ALL.map(MentionType::name)));
        }
        // Without a knowledge base only a part of a name could be told, and only if nothing comes before it.
        let nothing_told = !self.tells(DIFFICULTY) && self.count(DIFFICULTY, UNTOLD) > 0;
        if self.has_base && !nothing_told {
            let named =
                [Category::Demonym, Category::Metonymy, Category::PartialName, Category::Rare];
            let mut hard = named.map(Category::name).to_vec();
            hard.push(NOT_HARD);
            shares.push(self.told(DIFFICULTY, &hard));
        }
        shares
    }

    fn told(&self, property: &'static str, labels: &[&'static str]) -> Shares {
        let untold = self.count(property, UNTOLD);
        let untold = (untold > 0).then_some((UNTOLD, untold));
        let counts = labels.iter().map(|label| (*label, self.count(property, label)));
        self.of(property, &counts.chain(untold).collect::<Vec<_>>())
    }

    fn of(&self, property: &str, counts: &[(&str, u64)]) -> Shares {
        let counts = counts.iter().map(|&(label, count)| (label.to_owned(), count)).collect();
        Shares::new(property, self.all, counts)
    }
}

/// The labels of one annotation, with their properties: what is counted here, and listed one by one where somebody
/// asks which annotations a count is of.
fn labels(case: &Labelled<'_>, hard: &[Category]) -> Vec<(&'static str, &'static str)> {
    let Some(gold) = case.gold else { return Vec::new() };
    let is_root = case.judgement.standing == CaseStanding::Root;
    let mut labels = vec![(LEVEL, if is_root { "root" } else { "child" })];
    if case.judgement.is_optional() {
        labels.push((OPTIONAL, OPTIONAL));
    }
    if gold.link().is_nil() {
        let has_reason = gold.attribute(attribute::NIL_REASON) == Some(attribute::NO_MAPPING);
        labels.push((UNKNOWN, if has_reason { "no mapping" } else { "NIL" }));
    }
    labels.push((MENTION_TYPE, case.mention_type.map_or(UNTOLD, MentionType::name)));
    let is_lower = case.text.and_then(how_it_begins) == Some(LOWER_CASE);
    if is_lower && case.mention_type == Some(MentionType::NonNamed) {
        labels.push((CASE, NOT_NAMED));
    }
    match hard {
        [] => {}
        [Category::DisambiguationOther] => labels.push((DIFFICULTY, NOT_HARD)),
        [only] => labels.push((DIFFICULTY, only.name())),
        // Several possible difficulties mean that facts are missing.
        _ => labels.push((DIFFICULTY, UNTOLD)),
    }
    labels
}

/// Visits the annotations that have a label, each with the place of its document.
pub(super) fn each_with(
    gold: &Corpus,
    (property, label): (&str, &str),
    mut visit: impl FnMut(usize, &Mention<'_>),
) {
    let Convention { settings, taxonomy, .. } = (ELEVANT.convention)();
    let (nobody, identity) = (Corpus::default(), Identity::new());
    let pairing = Pairing::new(gold, &nobody, &identity);
    let mut scene = Scene::default();
    for index in 0..pairing.len() {
        pairing.stage(index, &settings, &mut scene);
        for (case, hard) in hardships(&settings, taxonomy, &scene, None) {
            let has = labels(&case, &hard).into_iter().any(|its| its == (property, label));
            if let Some(mention) = case.gold.as_ref().filter(|_| has) {
                visit(index, mention);
            }
        }
    }
}

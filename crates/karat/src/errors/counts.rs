//! Counting labelled cases.

use karat_facets::taxonomy::{Category, Label, Labelled, MentionType};
use karat_kb::{KnowledgeBase, Strings, Words};
use karat_match::{Standing, Unknowns, Verdicts};
use std::collections::BTreeMap;

/// Everything that is counted of one system, unknown entities ignored and required.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ErrorCounts {
    /// With unknown entities ignored, and required.
    pub modes: [Counts; 2],
    /// Whether any prediction had more than one candidate.
    pub has_choice: bool,
    /// The words of all documents, and the lowercased ones; `None` if those of some are not known.
    pub words: Option<(u64, u64)>,
}

/// What is counted in one mode.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Counts {
    /// Linking, by kind of mention.
    pub mention_types: [Hits; MentionType::ALL.len()],
    /// Linking of mentions that are named or not, where only the knowledge base could tell.
    pub named_or_not: Hits,
    /// Recognition; coreferences are left out.
    pub recognition: Hits,
    /// Errors that were made and avoided.
    pub categories: [[u64; 2]; Category::COUNT],
    /// Errors that may be of a category, as far as is known.
    pub possible: [[u64; 2]; Category::COUNT],
    /// Gold mentions in which an error of a category could be made, whatever the system does.
    pub of_gold: [u64; Category::COUNT],
    /// Those that may be of a category, as far as is known.
    pub of_gold_possible: [u64; Category::COUNT],
    /// Errors whose category is known only if the knowledge base knows all that was predicted: that
    /// category, and those it may have otherwise.
    in_closed_world: Vec<(Label, Vec<Label>)>,
    /// Linking by type: what is right and missed by the type of gold, what is extra by that of the
    /// predicted entity; coreferences are left out.
    pub types: BTreeMap<String, Hits>,
    /// Extra links to entities of which the knowledge base does not know the type.
    pub untyped: u64,
}

/// Right, extra and missed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hits {
    /// True positives.
    pub hits: u64,
    /// False positives.
    pub extra: u64,
    /// False negatives.
    pub missed: u64,
}

impl Hits {
    /// What was to be found.
    pub fn gold(self) -> u64 {
        self.hits + self.missed
    }
}

impl std::ops::AddAssign for Hits {
    fn add_assign(&mut self, other: Hits) {
        self.hits += other.hits;
        self.extra += other.extra;
        self.missed += other.missed;
    }
}

impl std::iter::Sum for Hits {
    fn sum<I: Iterator<Item = Hits>>(all: I) -> Hits {
        all.fold(Hits::default(), |mut sum, hits| {
            sum += hits;
            sum
        })
    }
}

impl ErrorCounts {
    /// Nothing counted yet.
    pub fn new() -> ErrorCounts {
        ErrorCounts { words: Some((0, 0)), ..ErrorCounts::default() }
    }

    /// Counts the cases of a document.
    pub fn add(&mut self, cases: &[Labelled<'_>], base: Option<&KnowledgeBase>) {
        for case in cases {
            self.has_choice |= case.has_choice();
            for unknowns in Unknowns::BOTH {
                self.modes[unknowns.index()].add(case, unknowns, base);
            }
        }
    }

    /// Nothing more is to be counted.
    pub fn finish(mut self) -> ErrorCounts {
        for mode in &mut self.modes {
            mode.settle();
        }
        self
    }

    /// Counts the words of a document.
    pub fn add_words(&mut self, words: Option<Words>) {
        let both = self.words.zip(words);
        self.words = both.map(|(sum, more)| (sum.0 + more.all, sum.1 + more.lowercased));
    }
}

impl Counts {
    /// Linking of all mentions.
    pub fn all(&self) -> Hits {
        let kinds: Hits = self.mention_types.iter().copied().sum();
        [kinds, self.named_or_not].into_iter().sum()
    }

    fn add(&mut self, case: &Labelled<'_>, unknowns: Unknowns, base: Option<&KnowledgeBase>) {
        let counts = case.judgement.counts;
        let linking = counted(case, case.linking(unknowns));
        let place = case.mention_type.map(|kind| &mut self.mention_types[kind as usize]);
        *place.unwrap_or(&mut self.named_or_not) += linking;
        if !case.is_coreference() {
            self.recognition += counted(case, case.recognition(unknowns));
            self.add_types(case, linking, base);
        }
        let labels = &case.labels[unknowns.index()];
        for category in &labels.of_gold {
            self.of_gold[*category as usize] += 1;
        }
        for category in &labels.of_gold_possible {
            self.of_gold_possible[*category as usize] += 1;
        }
        if counts {
            labels.certain.iter().for_each(|label| count(&mut self.categories, label));
            match labels.in_closed_world {
                Some(label) => self.in_closed_world.push((label, labels.possible.clone())),
                None => labels.possible.iter().for_each(|label| count(&mut self.possible, label)),
            }
        }
    }

    /// How often an error of a category was made; `None` if it is not known.
    pub fn errors(&self, category: Category) -> Option<u64> {
        let at = category as usize;
        (self.possible[at][0] == 0).then_some(self.categories[at][0])
    }

    /// How often it could have been made: for a taxonomy that goes by gold alone the same for every
    /// system. `None` if it is not known, or if there is no such number.
    pub fn total(
        &self,
        category: Category,
        words: Option<(u64, u64)>,
        by_gold: bool,
    ) -> Option<u64> {
        let at = category as usize;
        let [wrong, avoided] = self.categories[at];
        let coreferences: Hits = [MentionType::Nominal, MentionType::Pronominal]
            .map(|kind| self.mention_types[kind as usize])
            .into_iter()
            .sum();
        let made = |category: Category| self.categories[category as usize][0];
        match category {
            Category::Extra => words.map(|(words, _)| words),
            Category::ExtraLowercased => words.map(|(_, lowercased)| lowercased),
            Category::ExtraOther => words.map(|(words, lowercased)| words - lowercased),
            Category::CoreferenceUndetected | Category::CoreferenceOther => {
                Some(coreferences.gold())
            }
            Category::CoreferenceWrongMention | Category::CoreferenceWrongLink if by_gold => {
                Some(coreferences.gold())
            }
            Category::CoreferenceWrongMention => {
                Some(coreferences.gold() - made(Category::CoreferenceUndetected))
            }
            Category::CoreferenceWrongLink => {
                let before = [Category::CoreferenceUndetected, Category::CoreferenceWrongMention];
                Some(coreferences.gold() - before.map(made).iter().sum::<u64>())
            }
            Category::CoreferenceFalseDetection
            | Category::OptionalMention
            | Category::AlternativePart => None,
            Category::WrongCandidates | Category::MultipleCandidates | Category::Hyperlink => {
                Some(wrong + avoided)
            }
            _ if by_gold => (self.of_gold_possible[at] == 0).then_some(self.of_gold[at]),
            _ => (self.possible[at] == [0, 0]).then_some(wrong + avoided),
        }
    }

    /// Decides what was left open until all predictions were seen.
    fn settle(&mut self) {
        for (label, possible) in std::mem::take(&mut self.in_closed_world) {
            match self.untyped {
                0 => count(&mut self.categories, &label),
                _ => possible.iter().for_each(|label| count(&mut self.possible, label)),
            }
        }
    }

    fn add_types(&mut self, case: &Labelled<'_>, linking: Hits, base: Option<&KnowledgeBase>) {
        let found = Hits { extra: 0, ..linking };
        if found != Hits::default() {
            let types = case.gold.into_iter().flat_map(|gold| gold.types());
            self.add_to_types(types, found);
        }
        if linking.extra == 0 {
            return;
        }
        let types = match case.predicted() {
            Some(entity) => base.and_then(|base| base.entity(entity)?.types().known()),
            None => Some(Strings::default()),
        };
        match types {
            Some(types) => {
                self.add_to_types(types, Hits { extra: linking.extra, ..Hits::default() });
            }
            None => self.untyped += linking.extra,
        }
    }

    fn add_to_types<'t>(&mut self, types: impl Iterator<Item = &'t str>, hits: Hits) {
        let mut any = false;
        for name in types.filter(|name| !matches!(*name, "QUANTITY" | "DATETIME" | "OTHER")) {
            *self.types.entry(name.to_owned()).or_default() += hits;
            any = true;
        }
        if !any {
            *self.types.entry("OTHER".to_owned()).or_default() += hits;
        }
    }
}

fn count(into: &mut [[u64; 2]; Category::COUNT], label: &Label) {
    into[label.category as usize][usize::from(!label.wrong)] += 1;
}

/// What a case adds: parts of alternatives only what is extra.
fn counted(case: &Labelled<'_>, verdicts: Verdicts) -> Hits {
    let is_part = case.judgement.standing == Standing::Part;
    let has = |verdict| u64::from(verdicts.contains(verdict));
    Hits {
        hits: if is_part { 0 } else { has(Verdicts::HIT) },
        extra: if case.judgement.counts { has(Verdicts::EXTRA) } else { 0 },
        missed: if is_part { 0 } else { has(Verdicts::MISSED) },
    }
}

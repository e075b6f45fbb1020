//! Counting labelled cases.

use karat_facets::taxonomy::{Category, Label, Labelled, MentionType, ReportedTypes};
use karat_kb::Words;
use karat_match::{CaseStanding, Settings, Unknowns, Verdicts};
use karat_model::literal;
use std::collections::BTreeMap;

/// Everything that is counted of one system, unknown entities ignored and required.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ErrorCounts {
    /// With unknown entities ignored, and required.
    pub modes: [ModeCounts; 2],
    /// Whether any prediction had more than one candidate.
    pub has_choice: bool,
    /// The words of all documents, and the lowercased ones; `None` if those of some are not known.
    pub words: Option<Words>,
    /// The types by which linking is told apart, in their order.
    pub types: Vec<String>,
}

/// What is counted in one mode.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ModeCounts {
    /// Linking, by kind of mention.
    pub mention_types: [Hits; MentionType::ALL.len()],
    /// Linking of mentions that are named or not, where only the knowledge base could tell.
    pub named_or_not: Hits,
    /// Linking of mentions of any kind, where only a text could tell and there is none.
    pub textless: Hits,
    /// Linking, by kind of mention, of what counts as extra and may be right: links on quantities and
    /// dates, where the knowledge base cannot tell what was predicted. It is counted above as well.
    pub unsure: [Hits; MentionType::ALL.len()],
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
    /// Gold does not label entities that are unknown, so that nobody knows how many there are.
    no_unknowns: bool,
    /// Linking by type: what is right and missed by the type of gold, what is extra by that of the
    /// predicted entity; coreferences are left out.
    pub types: BTreeMap<String, Hits>,
    /// Linking of mentions whose type is not known: extra where the knowledge base does not know that
    /// of the predicted entity.
    pub untyped: Hits,
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
    pub(super) fn none(settings: &Settings, types: &ReportedTypes<'_>) -> ErrorCounts {
        let mode = || ModeCounts { no_unknowns: settings.no_unknowns, ..ModeCounts::default() };
        let types = types.names().to_vec();
        ErrorCounts { modes: [mode(), mode()], types, ..ErrorCounts::default() }
    }

    /// Counts the cases of a document.
    pub(super) fn add(&mut self, cases: &[Labelled<'_>], types: &ReportedTypes<'_>) {
        for case in cases {
            self.has_choice |= case.has_choice();
            for unknowns in Unknowns::BOTH {
                self.modes[unknowns.index()].add(case, unknowns, types);
            }
        }
    }

    /// Nothing more is to be counted.
    pub fn finish(self) -> ErrorCounts {
        let closed = self.closed();
        self.finish_if(closed)
    }

    /// The same for a part of a run, of which it is known whether the knowledge base knows every
    /// entity that was predicted.
    pub(super) fn finish_if(mut self, closed: [bool; 2]) -> ErrorCounts {
        for (mode, closed) in self.modes.iter_mut().zip(closed) {
            mode.settle(closed);
        }
        self
    }

    /// How many links on quantities and dates nobody can judge, unknown entities ignored.
    pub fn unsure(&self) -> u64 {
        self.modes[Unknowns::Ignored.index()].unsure().extra
    }

    /// Whether something is not known because mentions have no text.
    pub fn has_mentions_without_text(&self) -> bool {
        self.modes.iter().any(|mode| mode.textless != Hits::default())
    }

    /// Whether the knowledge base knows every entity that was predicted, unknown entities ignored and
    /// required.
    pub fn closed(&self) -> [bool; 2] {
        [0, 1].map(|mode| self.modes[mode].untyped.extra == 0)
    }
}

impl ModeCounts {
    /// Linking of all mentions.
    pub fn all(&self) -> Hits {
        let kinds: Hits = self.mention_types.iter().copied().sum();
        [kinds, self.named_or_not, self.textless].into_iter().sum()
    }

    /// What counts as extra and may be right.
    pub fn unsure(&self) -> Hits {
        self.unsure.iter().copied().sum()
    }

    fn add(&mut self, case: &Labelled<'_>, unknowns: Unknowns, types: &ReportedTypes<'_>) {
        let counts = case.judgement.counts;
        let linking = counted(case, case.linking(unknowns));
        let place = match case.mention_type {
            Some(kind) => &mut self.mention_types[kind as usize],
            None if case.text.is_none() => &mut self.textless,
            None => &mut self.named_or_not,
        };
        *place += linking;
        if case.judgement.unsure {
            // Where the kind of the mention is not known either, no kind is.
            let kind = case.mention_type.unwrap_or(MentionType::Named);
            self.unsure[kind as usize] += Hits { extra: linking.extra, ..Hits::default() };
        }
        if !case.is_coreference() {
            self.recognition += counted(case, case.recognition(unknowns));
            self.add_types(case, linking, types);
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
            // What the category is depends on all predictions of the run, which are not known
            // before its end.
            match labels.in_closed_world {
                Some(label) => self.in_closed_world.push((label, labels.possible.clone())),
                None => labels.possible.iter().for_each(|label| count(&mut self.possible, label)),
            }
        }
    }

    /// How often an error of a category was made; `None` if it is not known.
    pub fn errors(&self, category: Category) -> Option<u64> {
        let at = category as usize;
        // One case that may be of the category makes the number unknown: a number that is too small
        // would look like a fact.
        (self.possible[at][0] == 0).then_some(self.categories[at][0])
    }

    /// How often it could have been made: for a taxonomy that goes by gold alone the same for every
    /// system. `None` if it is not known, or if there is no such number.
    pub fn total(&self, category: Category, words: Option<Words>, by_gold: bool) -> Option<u64> {
        let at = category as usize;
        let [wrong, avoided] = self.categories[at];
        let coreferences: Hits = [MentionType::Nominal, MentionType::Pronominal]
            .map(|kind| self.mention_types[kind as usize])
            .into_iter()
            .sum();
        let made = |category: Category| self.categories[category as usize][0];
        match category {
            // Any word could be linked by mistake, so that rates of extra links are over the words
            // of the text.
            Category::Extra => words.map(|words| words.all),
            Category::ExtraLowercased => words.map(|words| words.lowercased),
            Category::ExtraOther => words.and_then(|words| words.all.checked_sub(words.lowercased)),
            Category::ExtraGroundtruthUnknown if by_gold && self.no_unknowns => None,
            category if category.is_coreference() && self.textless != Hits::default() => None,
            Category::CoreferenceUndetected | Category::CoreferenceOther => {
                Some(coreferences.gold())
            }
            Category::CoreferenceWrongMention | Category::CoreferenceWrongLink if by_gold => {
                Some(coreferences.gold())
            }
            // Each step of coreference can go wrong only where the steps before it went right.
            Category::CoreferenceWrongMention => {
                Some(coreferences.gold() - made(Category::CoreferenceUndetected))
            }
            Category::CoreferenceWrongLink => {
                let before = [Category::CoreferenceUndetected, Category::CoreferenceWrongMention];
                Some(coreferences.gold() - before.map(made).iter().sum::<u64>())
            }
            Category::CoreferenceFalseDetection
            | Category::OptionalMention
            | Category::AlternativePart
            | Category::WrongSpanOther
            | Category::HyperlinkOther => None,
            _ if by_gold => (self.of_gold_possible[at] == 0).then_some(self.of_gold[at]),
            _ => (self.possible[at] == [0, 0]).then_some(wrong + avoided),
        }
    }

    /// Decides what was left open until all predictions were seen.
    fn settle(&mut self, closed: bool) {
        for (label, possible) in std::mem::take(&mut self.in_closed_world) {
            match closed {
                true => count(&mut self.categories, &label),
                false => possible.iter().for_each(|label| count(&mut self.possible, label)),
            }
        }
    }

    fn add_types(&mut self, case: &Labelled<'_>, linking: Hits, types: &ReportedTypes<'_>) {
        let found = Hits { extra: 0, ..linking };
        if found != Hits::default() {
            self.add_to_types(case.gold.and_then(|gold| types.of_gold(&gold)), found);
        }
        let extra = Hits { extra: linking.extra, ..Hits::default() };
        if extra != Hits::default() {
            let predicted = case.predicted();
            // A prediction of NIL has no entity and no type: it counts as other.
            self.add_to_types(predicted.map_or(Some(Vec::new()), |id| types.of_entity(id)), extra);
        }
    }

    fn add_to_types(&mut self, types: Option<Vec<&str>>, hits: Hits) {
        // A type that is unknown is no `OTHER`: it could be any of them.
        let Some(mut types) = types else { return self.untyped += hits };
        if types.is_empty() {
            types.push(literal::OTHER);
        }
        for name in types {
            *self.types.entry(name.to_owned()).or_default() += hits;
        }
    }
}

fn count(into: &mut [[u64; 2]; Category::COUNT], label: &Label) {
    into[label.category as usize][usize::from(!label.wrong)] += 1;
}

/// What a case adds: parts of alternatives only what is extra.
fn counted(case: &Labelled<'_>, verdicts: Verdicts) -> Hits {
    let is_part = case.judgement.standing == CaseStanding::Part;
    let has = |verdict| u64::from(verdicts.contains(verdict));
    Hits {
        hits: if is_part { 0 } else { has(Verdicts::HIT) },
        extra: if case.judgement.counts { has(Verdicts::EXTRA) } else { 0 },
        missed: if is_part { 0 } else { has(Verdicts::MISSED) },
    }
}

//! Pronouns and nouns that refer back.

use super::{CaseLabels, Category, Label, Labelled, MentionType, Stage};
use karat_match::{CaseStanding, Verdicts};
use karat_model::StrId;
use std::collections::HashMap;

/// What ELEVANT took for a falsely detected coreference until January 2025.
const WORDS: [&str; 4] = ["it", "this", "that", "its"];

impl<'a> Stage<'_, 'a> {
    pub(super) fn coreference(&self, cases: &[Labelled<'a>], at: usize, labels: &mut CaseLabels) {
        let case = &cases[at];
        let recognition = case.recognition(self.unknowns);
        if recognition.contains(Verdicts::EXTRA) {
            let label = Label::wrong(Category::CoreferenceFalseDetection);
            match self.is_back_reference(case) {
                Some(true) => labels.add(label),
                Some(false) => {}
                None => labels.possible.push(label),
            }
        }
        if case.may_be_coreference() {
            labels.possible.extend(self.possible_errors(case).map(Label::wrong));
        } else if case.is_coreference() {
            self.errors(cases, at).map(Label::wrong).for_each(|label| labels.add(label));
        }
    }

    /// Whether a prediction where nothing was to be recognised is taken for a coreference.
    fn is_back_reference(&self, case: &Labelled<'a>) -> Option<bool> {
        // The older rule looks at four words only, and capitals at the start do not matter to it.
        match self.taxonomy.false_detection_words {
            true => Some(WORDS.contains(&uncapitalised(case.text?).as_str())),
            false if case.may_be_coreference() => None,
            false => Some(case.is_coreference()),
        }
    }

    /// What may be wrong with what may be a coreference. Without texts nobody knows what names its
    /// entity before it.
    fn possible_errors(&self, case: &Labelled<'a>) -> impl Iterator<Item = Category> {
        let undetected = case.recognition(self.unknowns).contains(Verdicts::MISSED);
        let wrong = case.is_wrong_link(self.unknowns).then_some([
            Category::CoreferenceWrongMention,
            Category::CoreferenceWrongLink,
            Category::CoreferenceOther,
        ]);
        let undetected = undetected.then_some(Category::CoreferenceUndetected);
        undetected.into_iter().chain(wrong.into_iter().flatten())
    }

    /// What is wrong with a coreference.
    fn errors(&self, cases: &[Labelled<'a>], at: usize) -> impl Iterator<Item = Category> {
        let case = &cases[at];
        let undetected = case.recognition(self.unknowns).contains(Verdicts::MISSED);
        let wrong = case.is_wrong_link(self.unknowns).then(|| {
            match self.antecedents[at].map(|at| &cases[at]) {
                Some(named) if names_the_same(named, case) => Category::CoreferenceWrongLink,
                Some(_) => Category::CoreferenceWrongMention,
                None => Category::CoreferenceOther,
            }
        });
        undetected.then_some(Category::CoreferenceUndetected).into_iter().chain(wrong)
    }
}

/// Whether two predictions are one entity.
fn names_the_same(one: &Labelled<'_>, other: &Labelled<'_>) -> bool {
    let link = |case: &Labelled<'_>| {
        let item = case.judgement.system.filter(|_| case.predicted().is_some())?;
        Some(item.link)
    };
    link(one).is_some_and(|entity| link(other) == Some(entity))
}

/// For each case the nearest mention before it that names the entity of its gold mention. What is
/// linked to nothing has no entity that something before it could name.
pub(super) fn antecedents(cases: &[Labelled<'_>]) -> Vec<Option<usize>> {
    let mut last: HashMap<StrId, usize> = HashMap::new();
    let mut all = Vec::with_capacity(cases.len());
    for (at, case) in cases.iter().enumerate() {
        let entity = case.judgement.gold.and_then(|gold| gold.link.entity());
        all.push(entity.and_then(|entity| last.get(&entity).copied()));
        // Only names: a pronoun is no antecedent, and a part of an alternative is not in the text
        // by itself.
        let names = case.mention_type == Some(MentionType::Named)
            && case.judgement.standing == CaseStanding::Root;
        if let Some(entity) = entity.filter(|_| names) {
            last.insert(entity, at);
        }
    }
    all
}

/// The text with its first letter in lower case.
fn uncapitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(characters).collect()
}

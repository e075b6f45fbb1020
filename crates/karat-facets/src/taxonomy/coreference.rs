//! Pronouns and nouns that refer back.

use super::{Category, Label, Labelled, Labels, MentionType, Stage};
use karat_match::{Standing, Verdicts};

/// What ELEVANT took for a falsely detected coreference until January 2025.
const WORDS: [&str; 4] = ["it", "this", "that", "its"];

impl<'a> Stage<'_, 'a> {
    pub(super) fn coreference(&self, cases: &[Labelled<'a>], at: usize, labels: &mut Labels) {
        let case = &cases[at];
        let recognition = case.recognition(self.unknowns);
        let detected_falsely = recognition.contains(Verdicts::EXTRA)
            && match self.taxonomy.false_detection_words {
                true => WORDS.contains(&uncapitalised(case.text).as_str()),
                false => case.is_coreference(),
            };
        if detected_falsely {
            labels.add(Label::wrong(Category::CoreferenceFalseDetection));
        }
        if !case.is_coreference() {
            return;
        }
        if recognition.contains(Verdicts::MISSED) {
            labels.add(Label::wrong(Category::CoreferenceUndetected));
        }
        if case.is_wrong_link(self.unknowns) {
            labels.add(Label::wrong(match antecedent(cases, at) {
                Some(named) if named.predicted().is_some_and(|id| case.predicted() == Some(id)) => {
                    Category::CoreferenceWrongLink
                }
                Some(_) => Category::CoreferenceWrongMention,
                None => Category::CoreferenceOther,
            }));
        }
    }
}

/// The nearest mention before that names the same entity.
fn antecedent<'c, 'a>(cases: &'c [Labelled<'a>], at: usize) -> Option<&'c Labelled<'a>> {
    let entity = cases.get(at)?.gold?.entity();
    cases[..at].iter().rev().find(|case| {
        case.mention_type == Some(MentionType::Named)
            && case.judgement.standing == Standing::Root
            && case.gold.is_some_and(|gold| gold.entity() == entity)
    })
}

/// The text with its first letter in lower case.
fn uncapitalised(text: &str) -> String {
    let mut characters = text.chars();
    let first = characters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(characters).collect()
}

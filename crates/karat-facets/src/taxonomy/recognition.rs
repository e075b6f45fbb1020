//! Mentions that were not recognised, and predictions where nothing was to be recognised.

use super::answers::{self, Said};
use super::language::{has_no_capital_word, is_lowercased};
use super::{Category, Label, Labelled, Labels, Lowercase, Stage};
use karat_match::{Meaning, Verdicts};

/// The reasons for which mentions are missed.
pub(super) const REASONS: [Category; 4] = [
    Category::MissedLowercased,
    Category::MissedPartiallyIncluded,
    Category::MissedPartialOverlap,
    Category::MissedOther,
];

/// Whether gold has an entity of the knowledge base.
pub(super) fn is_known(case: &Labelled<'_>) -> bool {
    case.judgement.meaning == Some(Meaning::Known)
}

impl<'a> Stage<'_, 'a> {
    /// Gold that was not recognised, and gold that was.
    pub(super) fn missed(&self, case: &Labelled<'a>, labels: &mut Labels) {
        let recognition = case.recognition(self.unknowns);
        let missed = recognition.contains(Verdicts::MISSED);
        if !missed && !recognition.contains(Verdicts::HIT) {
            return;
        }
        labels.add(Label { category: Category::Missed, wrong: missed });
        let Some(text) = case.text else {
            let label = |category| Label { category, wrong: missed };
            labels.possible.extend(REASONS.map(label));
            return;
        };
        if is_lowercased(text) {
            labels.add(Label { category: Category::MissedLowercased, wrong: missed });
            return;
        }
        let reason = missed.then(|| self.reason(case));
        if text.contains(' ') || reason == Some(Category::MissedPartiallyIncluded) {
            labels.add(Label {
                category: Category::MissedPartiallyIncluded,
                wrong: reason == Some(Category::MissedPartiallyIncluded),
            });
        }
        for category in [Category::MissedPartialOverlap, Category::MissedOther] {
            labels.add(Label { category, wrong: reason == Some(category) });
        }
    }

    /// Why a mention with a capital was missed.
    fn reason(&self, case: &Labelled<'a>) -> Category {
        let span = case.judgement.span();
        if self.extra.lie_inside(span) {
            return Category::MissedPartiallyIncluded;
        }
        match self.extra.overlap(span) {
            true => Category::MissedPartialOverlap,
            false => Category::MissedOther,
        }
    }

    /// Predictions where nothing was to be recognised.
    pub(super) fn extra(&self, case: &Labelled<'a>, labels: &mut Labels) {
        let extra = case.recognition(self.unknowns).contains(Verdicts::EXTRA);
        let gold_unknown = match case.judgement.meaning {
            // What goes by gold alone does not see an optional mention that nothing was predicted for.
            Some(Meaning::Nil) => self.taxonomy.by_prediction || !case.judgement.is_optional(),
            Some(Meaning::Literal) => self.taxonomy.literals_are_unknown,
            Some(Meaning::Known) | None => false,
        };
        let lowercased = case.text.map(|text| match self.taxonomy.lowercase {
            Lowercase::FirstLetter => is_lowercased(text),
            Lowercase::EveryWord => has_no_capital_word(text),
        });
        if !extra {
            let avoided = Label::avoided(Category::ExtraGroundtruthUnknown);
            match lowercased {
                Some(false) if gold_unknown => labels.add(avoided),
                None if gold_unknown => labels.possible.push(avoided),
                _ => {}
            }
            return;
        }
        let overlaps = self.relevant.overlap(case.judgement.span());
        let category = |lowercased: bool| match (lowercased, gold_unknown) {
            (true, _) if !overlaps => Category::ExtraLowercased,
            (false, true) => Category::ExtraGroundtruthUnknown,
            _ => Category::ExtraOther,
        };
        labels.add(Label::wrong(Category::Extra));
        match (lowercased, category(true), category(false)) {
            (Some(lowercased), ..) => labels.add(Label::wrong(category(lowercased))),
            (None, one, other) if one == other => labels.add(Label::wrong(one)),
            (None, one, other) => labels.possible.extend([one, other].map(Label::wrong)),
        }
    }

    /// The right entity on a wrong span.
    pub(super) fn wrong_span(&self, case: &Labelled<'a>, labels: &mut Labels) {
        let recognition = case.recognition(self.unknowns);
        let wrong = match recognition.contains(Verdicts::EXTRA) {
            true => self.is_near_its_entity(case),
            false => Some(false),
        };
        let considered = recognition.intersects(Verdicts::EXTRA | Verdicts::HIT);
        let is_counted = considered && !case.is_coreference();
        let label = |wrong| Label { category: Category::WrongSpan, wrong };
        match wrong {
            Some(wrong) if wrong || is_counted => labels.add(label(wrong)),
            Some(_) => {}
            None => labels.possible.extend([true, false].map(label)),
        }
    }

    /// Whether a gold mention nearby says what the prediction says; `None` if nobody knows whether it
    /// says a quantity or a date.
    fn is_near_its_entity(&self, case: &Labelled<'a>) -> Option<bool> {
        let pair = case.judgement.system.zip(case.system);
        let Some((item, system)) = pair else { return Some(false) };
        let (said, possible) = answers::of_system(&self.scene.system, &item, &system, self.base);
        let are_near = |said: &[Said<'a>]| {
            let mut spans = said.iter().filter_map(|said| self.by_answer.get(said));
            spans.any(|spans| spans.others_overlap(case.judgement.span()))
        };
        match are_near(&said) {
            true => Some(true),
            false => (!are_near(&possible)).then_some(false),
        }
    }
}

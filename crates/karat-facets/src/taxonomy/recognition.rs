//! Mentions that were not recognised, and predictions where nothing was to be recognised.

use super::language::{has_no_capital_word, is_lowercased};
use super::{CaseLabels, Category, Label, Labelled, Lowercase, Stage};
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
    pub(super) fn missed(&self, case: &Labelled<'a>, labels: &mut CaseLabels) {
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
        let reason = missed.then(|| self.reason(case, text));
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

    /// Why a mention with a capital was missed. What goes by gold alone knows that only mentions of
    /// several words have parts.
    fn reason(&self, case: &Labelled<'a>, text: &str) -> Category {
        let span = case.judgement.span();
        let has_parts = self.taxonomy.by_prediction || text.contains(' ');
        if has_parts && self.extra.lie_inside(span) {
            return Category::MissedPartiallyIncluded;
        }
        match self.extra.overlap(span) {
            true => Category::MissedPartialOverlap,
            false => Category::MissedOther,
        }
    }

    /// Predictions where nothing was to be recognised.
    pub(super) fn extra(&self, case: &Labelled<'a>, labels: &mut CaseLabels) {
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
        let gold_unknown = gold_unknown || self.no_unknowns && !overlaps;
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
}

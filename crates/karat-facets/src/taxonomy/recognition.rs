//! Mentions that were not recognised, and predictions where nothing was to be recognised.

use super::language::{has_no_capital_word, is_lowercased};
use super::{Category, Label, Labelled, Labels, Lowercase, Stage, spelling};
use karat_match::{Meaning, Verdicts, is_same_literal};

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
        if is_lowercased(case.text) {
            labels.add(Label { category: Category::MissedLowercased, wrong: missed });
            return;
        }
        let reason = missed.then(|| self.reason(case));
        if case.text.contains(' ') || reason == Some(Category::MissedPartiallyIncluded) {
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
        let inside = |other: &karat_model::Span| span.contains(*other) && *other != span;
        if self.extra.iter().any(inside) {
            return Category::MissedPartiallyIncluded;
        }
        match self.extra.iter().any(|other| span.overlaps(*other)) {
            true => Category::MissedPartialOverlap,
            false => Category::MissedOther,
        }
    }

    /// Predictions where nothing was to be recognised.
    pub(super) fn extra(&self, case: &Labelled<'a>, labels: &mut Labels) {
        let extra = case.recognition(self.unknowns).contains(Verdicts::EXTRA);
        let gold_unknown = match case.judgement.meaning {
            Some(Meaning::Nil) => true,
            Some(Meaning::Literal) => self.taxonomy.literals_are_unknown,
            Some(Meaning::Known) | None => false,
        };
        let lowercased = match self.taxonomy.lowercase {
            Lowercase::FirstLetter => is_lowercased(case.text),
            Lowercase::EveryWord => has_no_capital_word(case.text),
        };
        if !extra {
            if gold_unknown && !lowercased {
                labels.add(Label::avoided(Category::ExtraGroundtruthUnknown));
            }
            return;
        }
        let span = case.judgement.span();
        let overlaps = self.relevant.iter().any(|(gold, _)| gold.overlaps(span));
        labels.add(Label::wrong(Category::Extra));
        labels.add(Label::wrong(match (lowercased, gold_unknown) {
            (true, _) if !overlaps => Category::ExtraLowercased,
            (false, true) => Category::ExtraGroundtruthUnknown,
            _ => Category::ExtraOther,
        }));
    }

    /// The right entity on a wrong span.
    pub(super) fn wrong_span(&self, case: &Labelled<'a>, labels: &mut Labels) {
        let recognition = case.recognition(self.unknowns);
        let wrong = recognition.contains(Verdicts::EXTRA) && self.is_near_its_entity(case);
        let considered = recognition.intersects(Verdicts::EXTRA | Verdicts::HIT);
        if wrong || (considered && !case.is_coreference()) {
            labels.add(Label { category: Category::WrongSpan, wrong });
        }
    }

    fn is_near_its_entity(&self, case: &Labelled<'a>) -> bool {
        let (span, Some(system)) = (case.judgement.span(), case.system) else { return false };
        self.relevant.iter().any(|(other, gold)| {
            *other != span
                && other.overlaps(span)
                && (spelling(gold).is_some() && spelling(gold) == spelling(&system)
                    || is_same_literal(gold, &system, self.base))
        })
    }
}

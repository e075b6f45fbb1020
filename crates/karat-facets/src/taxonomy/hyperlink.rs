//! Answers on the hyperlinks of an article.

use super::{CaseLabels, Category, Label, Labelled, Stage};
use karat_match::{Scene, Verdicts};
use karat_model::{MarkKind, Span};

/// The hyperlinks of a document, sorted.
pub(super) fn spans(scene: &Scene<'_>) -> Vec<Span> {
    // As in ELEVANT, the article that was linked says what it links to; not every system has articles.
    let linked = scene.system.document.filter(|document| document.text().is_some());
    let document = linked.or(scene.gold.document).into_iter();
    let mut spans: Vec<Span> = document
        .flat_map(|document| document.marks_of(MarkKind::Hyperlink).map(|(span, _)| span))
        .collect();
    spans.sort_unstable();
    spans
}

impl<'a> Stage<'_, 'a> {
    pub(super) fn is_on_hyperlink(&self, case: &Labelled<'a>) -> bool {
        self.hyperlinks.binary_search(&case.judgement.span()).is_ok()
    }

    pub(super) fn hyperlink(&self, case: &Labelled<'a>, labels: &mut CaseLabels) {
        let linking = case.linking(self.unknowns);
        if linking.is_empty() || !self.is_on_hyperlink(case) {
            return;
        }
        let wrong = linking.intersects(Verdicts::MISSED | Verdicts::EXTRA);
        let is_counted = self.taxonomy.by_prediction || self.is_relevant(case);
        let category = if is_counted { Category::Hyperlink } else { Category::HyperlinkOther };
        let label = Label { category, wrong };
        match case.judgement.unsure {
            true => labels.possible.push(label),
            false => labels.add(label),
        }
    }
}

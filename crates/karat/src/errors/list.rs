//! One case, with all that a reader wants to see of it.

use super::Inspection;
use karat_facets::Facet;
use karat_facets::taxonomy::{Category, Labelled};
use karat_match::{Case, Outcome, Scene, Standing, Unknowns, Verdicts};
use karat_model::{Mention, Span, TextIndex, attribute};
use std::sync::Arc;

/// How much of the text is shown before and after a mention, in characters.
const CONTEXT: u32 = 40;
/// How many candidates are shown.
const CANDIDATES: usize = 5;

/// A case of one system.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorCase {
    /// The document.
    pub document: String,
    /// Where it is.
    pub span: Span,
    /// The text of the mention.
    pub mention: String,
    /// What stands before it.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// What gold says; `None` if gold has nothing here.
    pub gold: Option<Answer>,
    /// What the system says.
    pub prediction: Option<Answer>,
    /// The first candidates of the system.
    pub candidates: Vec<String>,
    /// The categories of errors that were made.
    pub categories: Vec<Category>,
    /// Whether a category is unknown for want of facts.
    pub is_open: bool,
    /// Whether it counts as right.
    pub is_right: bool,
    /// Whether it counts against the system.
    pub is_wrong: bool,
    /// Whether it is a gold mention of its own, not a part of one.
    pub is_root: bool,
}

/// An entity with its name, or NIL.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Answer {
    /// The entity; `None` for NIL, and for a quantity or a date.
    pub entity: Option<String>,
    /// What it is called, if that is known.
    pub name: Option<String>,
}

/// Which cases are listed: those with this label of a facet.
#[derive(Debug, Clone)]
pub struct Filter {
    /// The facet.
    pub facet: Arc<dyn Facet>,
    /// The label.
    pub label: String,
}

impl std::fmt::Display for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.entity, &self.name) {
            (Some(entity), Some(name)) => write!(f, "{entity} {name}"),
            (Some(entity), None) => f.write_str(entity),
            (None, _) => f.write_str("NIL"),
        }
    }
}

impl Filter {
    /// Which of these cases have the label.
    pub(super) fn passes(&self, scene: &Scene<'_>, cases: &[Labelled<'_>]) -> Vec<bool> {
        let case = |labelled: &Labelled<'_>| {
            let (gold, system) = labelled.positions(scene);
            let outcome = match (labelled.linking(Unknowns::Ignored), gold) {
                (Verdicts::HIT, _) => Outcome::Match,
                (_, Some(_)) => Outcome::Missed,
                (_, None) => Outcome::Extra,
            };
            Case { gold, system, outcome }
        };
        let cases: Vec<Case> = cases.iter().map(case).collect();
        let labels = self.facet.labels_of_cases(scene, &cases);
        labels.iter().map(|labels| labels.contains(&self.label)).collect()
    }
}

impl ErrorCase {
    pub(super) fn new(
        inspection: &Inspection<'_>,
        document: &str,
        scene: &Scene<'_>,
        case: &Labelled<'_>,
        unknowns: Unknowns,
        closed: bool,
    ) -> ErrorCase {
        let labels = &case.labels[unknowns.index()];
        let settled = labels.in_closed_world.filter(|_| closed);
        let wrong = labels.certain.iter().chain(&settled).filter(|label| label.wrong);
        let linking = case.linking(unknowns);
        let span = case.judgement.span();
        let (before, after) = context(scene.text(), span);
        let answer = |mention: Mention<'_>| answer(inspection, &mention);
        let candidates = case.system.into_iter().flat_map(|system| system.candidates());
        let is_root = case.judgement.standing != Standing::Part;
        ErrorCase {
            document: document.to_owned(),
            span,
            mention: case.text.to_owned(),
            before,
            after,
            gold: case.gold.map(answer),
            prediction: case.system.map(answer),
            candidates: candidates
                .filter_map(|candidate| candidate.entity.map(str::to_owned))
                .take(CANDIDATES)
                .collect(),
            categories: wrong.map(|label| label.category).collect(),
            is_open: settled.is_none() && labels.possible.iter().any(|label| label.wrong),
            is_right: linking == Verdicts::HIT && is_root,
            is_wrong: linking.intersects(Verdicts::EXTRA | Verdicts::MISSED)
                && (is_root || case.judgement.counts),
            is_root,
        }
    }

    /// The category that excludes others; `None` if it is right or not known.
    pub fn category(&self) -> Option<Category> {
        let exclusive = |category: &&Category| !category.is_total() && !category.is_further();
        self.categories.iter().find(exclusive).copied()
    }

    /// The mention with what stands around it, in brackets.
    pub fn context(&self) -> String {
        // As much as is shown at most: there is more.
        let is_cut = |text: &str| text.chars().count() == CONTEXT as usize;
        let ellipsis = |text: &str| if is_cut(text) { "..." } else { "" };
        let line = format!(
            "{}{}[{}]{}{}",
            ellipsis(&self.before),
            self.before,
            self.mention,
            self.after,
            ellipsis(&self.after)
        );
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn answer(inspection: &Inspection<'_>, mention: &Mention<'_>) -> Answer {
    let named = mention.attribute(attribute::NAME);
    let known = || inspection.base?.entity(mention.entity()?)?.name();
    Answer {
        entity: mention.entity().map(str::to_owned),
        name: named.or_else(known).map(str::to_owned),
    }
}

/// What stands before and after a span.
fn context(text: Option<&str>, span: Span) -> (String, String) {
    let Some(text) = text.map(TextIndex::new) else { return Default::default() };
    let before = Span::new(span.start.saturating_sub(CONTEXT), span.start);
    let after = Span::new(span.end, span.end.saturating_add(CONTEXT).min(text.len()));
    let slice = |span: Span| text.slice(span).unwrap_or_default().to_owned();
    (slice(before), slice(after))
}

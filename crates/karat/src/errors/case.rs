//! One case, with all that a reader wants to see of it.

use super::Inspection;
use karat_facets::Finding;
use karat_facets::taxonomy::{Category, Labelled, Positions};
use karat_match::{Case, CaseStanding, Nearby, Outcome, Scene, Settings, Unknowns, Verdicts};
use karat_model::{Mention, Span, TextIndex, attribute, literal};
use serde::{Deserialize, Serialize};

/// How much of the text is shown before and after a mention, in characters.
const CONTEXT: u32 = 40;

/// A case of one system.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ErrorCase {
    /// The document.
    pub document: String,
    /// Where it is.
    pub span: Span,
    /// The text of the mention, if there is any.
    pub mention: Option<String>,
    /// What stands before it.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// Whether there is more text before and after.
    pub is_cut: [bool; 2],
    /// What gold says; `None` if gold has nothing here.
    pub gold: Option<MentionAnswer>,
    /// What the system says.
    pub prediction: Option<MentionAnswer>,
    /// Where nothing was predicted on the span of gold, and it was asked how spans lie to each other: what
    /// was predicted on one that overlaps.
    pub overlapping: Option<(Span, MentionAnswer)>,
    /// The candidates of the system.
    pub candidates: Vec<String>,
    /// Where the right answer is among them, from 1; `None` if it is not, or if there are none.
    pub candidate_rank: Option<usize>,
    /// How sure the system is.
    pub confidence: Option<f64>,
    /// Which kind of error it is, or of what is right; `None` for what counts for nothing by itself.
    pub kind: Option<Finding>,
    /// The categories of errors that were made.
    pub categories: Vec<Category>,
    /// Whether a category is unknown for want of facts.
    pub is_open: bool,
    /// The category that it has if the knowledge base knows all that was predicted.
    pub(crate) in_closed_world: Option<Category>,
    /// Whether it counts as right.
    pub is_right: bool,
    /// Whether it counts against the system.
    pub is_wrong: bool,
    /// Whether it is a gold mention of its own, not a part of one.
    pub is_root: bool,
}

/// An entity with its name, a quantity or a date, or NIL.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MentionAnswer {
    /// The entity; `None` for NIL, and for a quantity or a date.
    pub entity: Option<String>,
    /// What it is called, if that is known.
    pub name: Option<String>,
    /// QUANTITY or DATETIME, of what is linked to nothing for that reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub literal: Option<String>,
}

impl std::fmt::Display for MentionAnswer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.entity, &self.name) {
            (Some(entity), Some(name)) => write!(f, "{entity} {name}"),
            (Some(entity), None) => f.write_str(entity),
            (None, _) => f.write_str(self.literal.as_deref().unwrap_or("NIL")),
        }
    }
}

/// Labelled cases as a matcher has them, for facets. What is judged by its span and counts for nothing by
/// itself is ignored.
pub(super) fn as_matched(
    settings: &Settings,
    scene: &Scene<'_>,
    cases: &[Labelled<'_>],
    unknowns: Unknowns,
) -> Vec<Case> {
    let positions = Positions::in_scene(scene);
    let is_told = |labelled: &Labelled<'_>| {
        !settings.judges_by_span() || Finding::of_judgement(&labelled.judgement).is_some()
    };
    let case = |labelled: &Labelled<'_>| {
        let (gold, system) = positions.of(&labelled.judgement);
        let outcome = match (labelled.linking(unknowns), gold) {
            // What facets see must agree with what is counted: a case judged by its span that is no
            // finding would otherwise be in a group, but in no count.
            _ if !is_told(labelled) => Outcome::Ignored,
            (Verdicts::HIT, _) => Outcome::Match,
            (_, Some(_)) => Outcome::Missed,
            (_, None) => Outcome::Extra,
        };
        Case { gold, system, outcome }
    };
    cases.iter().map(case).collect()
}

impl ErrorCase {
    pub(super) fn new(
        inspection: &Inspection<'_>,
        around: &Around<'_>,
        case: &Labelled<'_>,
        kind: Option<Finding>,
        unknowns: Unknowns,
    ) -> ErrorCase {
        let labels = &case.labels[unknowns.index()];
        let wrong = labels.certain.iter().filter(|label| label.wrong);
        let in_closed_world = labels.in_closed_world.filter(|label| label.wrong);
        let span = case.judgement.span();
        let (before, after) = around.context(span);
        let answer = |mention: Mention<'_>| answer(inspection, &mention);
        let candidates = case.system.into_iter().flat_map(|system| system.candidates());
        let is_root = case.judgement.standing != CaseStanding::Part;
        ErrorCase {
            document: around.document.to_owned(),
            span,
            mention: case.text.map(shortened),
            before,
            after,
            is_cut: around.is_cut(span),
            gold: case.gold.map(answer),
            prediction: case.system.map(answer),
            overlapping: None,
            candidates: candidates
                .filter_map(|candidate| candidate.entity.map(str::to_owned))
                .collect(),
            candidate_rank: None,
            confidence: case.system.and_then(|system| system.confidence()),
            kind,
            categories: wrong.map(|label| label.category).collect(),
            is_open: labels.possible.iter().any(|label| label.wrong),
            in_closed_world: in_closed_world.map(|label| label.category),
            is_right: is_right(case, unknowns),
            is_wrong: is_wrong(case, unknowns),
            is_root,
        }
    }

    /// Notes what the system has on a span that overlaps, if it has nothing on this one; `near` has its
    /// predictions.
    pub(super) fn set_overlapping(
        &mut self,
        inspection: &Inspection<'_>,
        scene: &Scene<'_>,
        near: &Nearby,
        case: &Labelled<'_>,
    ) {
        let (Some(gold), None) = (case.judgement.gold, case.system) else { return };
        self.overlapping = scene.overlapping(&gold, near).and_then(|item| {
            let mention = scene.system.mention(item)?;
            Some((item.span, answer(inspection, &mention)))
        });
    }

    /// Decides what was left open until all predictions were seen: whether the knowledge base knows
    /// them all, and whether the system ever had a choice of candidates.
    pub(super) fn settle(&mut self, closed: bool, has_choice: bool) {
        if let Some(category) = self.in_closed_world.filter(|_| closed) {
            self.categories.push(category);
            self.is_open = false;
        }
        // Without more than one candidate anywhere, "wrong candidate chosen" and its like cannot
        // happen, and rates of them would be over nothing.
        self.categories.retain(|category| has_choice || !category.needs_candidates());
    }

    /// The category that excludes others; `None` if it is right or not known.
    pub fn category(&self) -> Option<Category> {
        let exclusive = |category: &&Category| !category.is_total() && !category.is_further();
        self.categories.iter().find(exclusive).copied()
    }

    /// The text of the mention; empty if there is none.
    pub fn text(&self) -> &str {
        self.mention.as_deref().unwrap_or_default()
    }

    /// The mention, in brackets, with what stands around it; `None` without a text.
    pub fn context(&self) -> Option<String> {
        let (before, mention, after) = (&self.before, self.text(), &self.after);
        if [before, mention, after].iter().all(|text| text.is_empty()) {
            return None;
        }
        let [start, end] = self.is_cut.map(|is_cut| if is_cut { "..." } else { "" });
        let line = format!("{start}{before}[{mention}]{after}{end}");
        // On one line, whatever the text: a table has no room for line breaks.
        Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
    }
}

/// How many code points of a mention are told. Longer ones are no names; a hundred thousand of them, each within the
/// next, would be more than any memory holds.
const LONGEST: usize = 1000;

/// The text of a mention; of a very long one its beginning.
pub(crate) fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

/// Whether a case counts as right.
fn is_right(case: &Labelled<'_>, unknowns: Unknowns) -> bool {
    case.linking(unknowns) == Verdicts::HIT && case.judgement.standing != CaseStanding::Part
}

/// Whether it counts against the system.
fn is_wrong(case: &Labelled<'_>, unknowns: Unknowns) -> bool {
    let is_root = case.judgement.standing != CaseStanding::Part;
    case.linking(unknowns).intersects(Verdicts::EXTRA | Verdicts::MISSED)
        && (is_root || case.judgement.counts)
}

/// What a mention says.
pub(crate) fn answer(inspection: &Inspection<'_>, mention: &Mention<'_>) -> MentionAnswer {
    let named = mention.attribute(attribute::NAME);
    let known = || inspection.base?.entity(mention.entity()?)?.name();
    let literal = mention.types().find(|name| literal::is_literal(name));
    MentionAnswer {
        entity: mention.entity().map(str::to_owned),
        // A literal type of a linked mention is only a type; what it is linked to says more.
        literal: literal.filter(|_| mention.link().is_none()).map(str::to_owned),
        name: named.or_else(known).map(str::to_owned),
    }
}

/// The document that a case is in.
pub(super) struct Around<'d> {
    document: &'d str,
    text: Option<TextIndex<'d>>,
}

impl<'d> Around<'d> {
    pub(super) fn new(document: &'d str, text: Option<&'d str>) -> Around<'d> {
        Around { document, text: text.map(TextIndex::new) }
    }

    /// What stands before and after a span.
    fn context(&self, span: Span) -> (String, String) {
        let Some(text) = &self.text else { return Default::default() };
        let before = Span::new(span.start.saturating_sub(CONTEXT), span.start);
        let after = Span::new(span.end, span.end.saturating_add(CONTEXT).min(text.len()));
        let slice = |span: Span| text.slice(span).unwrap_or_default().to_owned();
        (slice(before), slice(after))
    }

    /// Whether there is more than that.
    fn is_cut(&self, span: Span) -> [bool; 2] {
        let length = self.text.as_ref().map(TextIndex::len);
        length.map_or([false; 2], |length| {
            // A text that ends here is not cut, which dots would suggest.
            [span.start > CONTEXT, span.end.saturating_add(CONTEXT) < length]
        })
    }
}

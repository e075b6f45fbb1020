//! What went wrong, and what could have gone wrong and did not: the error categories of Bast, Hertel
//! and Prange (2023), *A Fair and In-Depth Evaluation of Existing End-to-End Entity Linking Systems*.
//!
//! Each case gets labels: a category, and whether the error was made or avoided. What only a
//! knowledge base could tell, and none does, is possible and not certain.

mod candidates;
mod category;
mod coreference;
mod disambiguation;
mod hyperlink;
mod language;
mod mention_type;
mod recognition;
mod rules;

pub use category::{Category, Label};
pub use language::is_lowercased;
pub use mention_type::MentionType;
pub use rules::{ELEVANT, ELEVANT_2023, ELEVANT_2025, KARAT, Lowercase, Taxonomy};

use crate::{Finding, findings};
use karat_kb::KnowledgeBase;
use karat_match::{
    Case, Item, Judgement, Meaning, Outcome, Scene, Settings, Side, Standing, Unknowns, Verdicts,
    judge,
};
use karat_model::{Flags, Mention, Span, TextIndex, attribute};
use mention_type::Subject;

/// A gold mention, a prediction, or both, with everything that is said of them.
#[derive(Debug, Clone)]
pub struct Labelled<'a> {
    /// What they count as.
    pub judgement: Judgement,
    /// The gold mention.
    pub gold: Option<Mention<'a>>,
    /// The prediction.
    pub system: Option<Mention<'a>>,
    /// The text of the mention; empty where there is none.
    pub text: &'a str,
    /// The kind of the mention; `None` if only the knowledge base could tell.
    pub mention_type: Option<MentionType>,
    /// Its labels, unknown entities ignored and required.
    pub labels: [Labels; 2],
}

/// The labels of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Labels {
    /// Those that it has.
    pub certain: Vec<Label>,
    /// Those that it may have, as far as is known.
    pub possible: Vec<Label>,
    /// The one of these that it has if the knowledge base knows every entity that the system
    /// predicts: facts that were taken from results cannot name what nobody predicted.
    pub in_closed_world: Option<Label>,
    /// The categories in which the gold mention could go wrong, whatever the system does. Only
    /// taxonomies that go by gold alone have them.
    pub of_gold: Vec<Category>,
    /// Those that it may have, as far as is known.
    pub of_gold_possible: Vec<Category>,
}

impl Labels {
    fn add(&mut self, label: Label) {
        self.certain.push(label);
    }

    /// Whether the case has a label.
    pub fn has(&self, label: Label) -> bool {
        self.certain.contains(&label)
    }
}

impl<'a> Labelled<'a> {
    /// Whether it refers back to another mention.
    pub fn is_coreference(&self) -> bool {
        self.mention_type.is_some_and(MentionType::is_coreference)
    }

    /// What it counts as in linking.
    pub fn linking(&self, unknowns: Unknowns) -> Verdicts {
        self.judgement.linking[unknowns.index()]
    }

    /// What it counts as in recognition.
    pub fn recognition(&self, unknowns: Unknowns) -> Verdicts {
        self.judgement.recognition[unknowns.index()]
    }

    /// Where gold and prediction are in their scene.
    pub fn positions(&self, scene: &Scene<'_>) -> (Option<u32>, Option<u32>) {
        let place = |items: &[Item], item: Option<Item>| {
            let index = item?.index;
            items.iter().position(|item| item.index == index).map(|at| at as u32)
        };
        let Judgement { gold, system, .. } = self.judgement;
        (place(&scene.gold.items, gold), place(&scene.system.items, system))
    }

    fn is_wrong_link(&self, unknowns: Unknowns) -> bool {
        self.linking(unknowns) == Verdicts::MISSED | Verdicts::EXTRA
    }

    /// The entity that was predicted.
    pub fn predicted(&self) -> Option<&'a str> {
        self.system.and_then(|system| system.entity())
    }
}

/// What a mention is linked to, as files spell it; `None` for a quantity or a date.
fn spelling<'a>(mention: &Mention<'a>) -> Option<(Option<&'a str>, Option<&'a str>)> {
    let reason = || mention.nil_cluster().or(mention.attribute("nil_reason"));
    match mention.entity() {
        Some(entity) => Some((Some(entity), None)),
        None => mention.link().is_nil().then(|| (None, reason())),
    }
}

/// A document in which cases are labelled.
struct Stage<'s, 'a> {
    taxonomy: &'s Taxonomy,
    base: Option<&'s KnowledgeBase>,
    unknowns: Unknowns,
    /// The gold mentions that count, by span; of several on one span the last.
    relevant: Vec<(Span, Mention<'a>)>,
    /// Where something was predicted that was not to be recognised.
    extra: Vec<Span>,
    hyperlinks: &'s [Span],
}

/// Every gold mention and every prediction of a document with its labels, in the order of spans.
pub fn label<'a>(
    settings: &Settings,
    taxonomy: &Taxonomy,
    scene: &Scene<'a>,
    base: Option<&KnowledgeBase>,
) -> Vec<Labelled<'a>> {
    let pairs = || findings(settings, scene).into_iter().map(paired).collect();
    let judged = judge(settings, scene, base, pairs);
    let text = scene.text().map(TextIndex::new);
    let mut cases: Vec<Labelled<'a>> = judged
        .into_iter()
        .map(|judgement| describe(judgement, scene, taxonomy, text.as_ref(), base))
        .collect();
    let hyperlinks = hyperlink::spans(scene);
    for unknowns in Unknowns::BOTH {
        let stage = Stage::new(&cases, taxonomy, base, unknowns, &hyperlinks);
        let labels: Vec<Labels> = (0..cases.len()).map(|at| stage.labels(&cases, at)).collect();
        for (case, labels) in cases.iter_mut().zip(labels) {
            case.labels[unknowns.index()] = labels;
        }
    }
    cases
}

/// Who met whom: what met and is wrong is no match.
fn paired((case, finding): (Case, Finding)) -> Case {
    match (finding.is_right(), case.outcome) {
        (false, Outcome::Match) => Case { outcome: Outcome::Missed, ..case },
        _ => case,
    }
}

fn describe<'a>(
    judgement: Judgement,
    scene: &Scene<'a>,
    taxonomy: &Taxonomy,
    text: Option<&TextIndex<'a>>,
    base: Option<&KnowledgeBase>,
) -> Labelled<'a> {
    let mention = |side: &Side<'a>, item: Option<Item>| item.and_then(|item| side.mention(&item));
    let gold = mention(&scene.gold, judgement.gold);
    let system = mention(&scene.system, judgement.system);
    let text = match text {
        Some(text) => text.slice(judgement.span()),
        None => gold.or(system).and_then(|mention| mention.attribute(attribute::SURFACE)),
    };
    let text = text.unwrap_or_default();
    let subject = match (&gold, &system) {
        (Some(gold), _) if gold.link().is_nil() => Subject::Nil,
        (Some(gold), _) => Subject::Called(gold.attribute(attribute::NAME).or_else(|| {
            let entity = gold.entity()?;
            base?.entity(entity)?.name()
        })),
        (None, Some(system)) => match system.entity() {
            Some(entity) => Subject::Called(base.and_then(|base| base.entity(entity)?.name())),
            None => Subject::Nil,
        },
        (None, None) => Subject::Nil,
    };
    let flags = gold.map_or(Flags::empty(), |gold| gold.flags());
    let mention_type = mention_type::mention_type(taxonomy, text, flags, &subject);
    Labelled { judgement, gold, system, text, mention_type, labels: Default::default() }
}

impl<'s, 'a> Stage<'s, 'a> {
    fn new(
        cases: &[Labelled<'a>],
        taxonomy: &'s Taxonomy,
        base: Option<&'s KnowledgeBase>,
        unknowns: Unknowns,
        hyperlinks: &'s [Span],
    ) -> Stage<'s, 'a> {
        let whole = || cases.iter().filter(|case| case.judgement.standing != Standing::Part);
        let mut relevant: Vec<(Span, Mention<'a>)> = Vec::new();
        for case in whole() {
            let Some(gold) = case.gold else { continue };
            let counts = unknowns == Unknowns::Required
                || recognition::is_known(case) && !case.judgement.is_optional();
            let span = case.judgement.span();
            if counts {
                // Cases are in the order of their spans: the same span comes right before.
                relevant.pop_if(|(last, _)| *last == span);
                relevant.push((span, gold));
            }
        }
        let is_extra = |case: &&Labelled<'a>| case.recognition(unknowns).contains(Verdicts::EXTRA);
        let extra = whole().filter(is_extra).map(|case| case.judgement.span()).collect();
        Stage { taxonomy, base, unknowns, relevant, extra, hyperlinks }
    }

    fn labels(&self, cases: &[Labelled<'a>], at: usize) -> Labels {
        let mut labels = Labels::default();
        let case = &cases[at];
        if !self.taxonomy.by_prediction {
            self.of_gold(case, &mut labels);
        }
        if case.judgement.standing == Standing::Part {
            self.alternative_part(case, &mut labels);
            return labels;
        }
        if !case.is_coreference() {
            self.missed(case, &mut labels);
            self.extra(case, &mut labels);
            self.disambiguation(case, &mut labels);
            self.candidates(case, &mut labels);
        }
        self.wrong_span(case, &mut labels);
        self.hyperlink(case, &mut labels);
        self.coreference(cases, at, &mut labels);
        self.optional_mention(case, &mut labels);
        labels
    }

    /// What could go wrong with a gold mention.
    fn of_gold(&self, case: &Labelled<'a>, labels: &mut Labels) {
        if case.gold.is_none() || case.judgement.standing == Standing::Part {
            return;
        }
        if case.is_coreference() {
            return;
        }
        let lowercased = is_lowercased(case.text);
        let optional = case.judgement.is_optional();
        if case.judgement.meaning == Some(Meaning::Nil) && !lowercased && !optional {
            labels.of_gold.push(Category::ExtraGroundtruthUnknown);
        }
        if !self.is_relevant(case) {
            return;
        }
        labels.of_gold.extend([Category::Missed, Category::Disambiguation, Category::WrongSpan]);
        if lowercased {
            labels.of_gold.push(Category::MissedLowercased);
        } else {
            labels.of_gold.extend([Category::MissedPartialOverlap, Category::MissedOther]);
            if case.text.contains(' ') {
                labels.of_gold.push(Category::MissedPartiallyIncluded);
            }
        }
        let hardships = self.hardships(case, false, false);
        match hardships.as_slice() {
            [only] => labels.of_gold.push(*only),
            _ => labels.of_gold_possible = hardships,
        }
    }

    /// Whether a gold mention is to be found.
    fn is_relevant(&self, case: &Labelled<'a>) -> bool {
        let known = case.judgement.meaning == Some(Meaning::Known);
        !case.judgement.is_optional() && (known || self.unknowns == Unknowns::Required)
    }

    /// A wrong link on a part of an alternative, which belongs to no family.
    fn alternative_part(&self, case: &Labelled<'a>, labels: &mut Labels) {
        if case.judgement.counts && case.linking(self.unknowns).contains(Verdicts::EXTRA) {
            labels.add(Label::wrong(Category::AlternativePart));
        }
    }

    /// A wrong link on an optional mention, which no family has either.
    fn optional_mention(&self, case: &Labelled<'a>, labels: &mut Labels) {
        if case.judgement.is_optional()
            && case.linking(self.unknowns) == Verdicts::EXTRA
            && !case.recognition(self.unknowns).contains(Verdicts::EXTRA)
        {
            labels.add(Label::wrong(Category::OptionalMention));
        }
    }
}

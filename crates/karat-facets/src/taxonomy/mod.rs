//! What went wrong, and what could have gone wrong and did not: the error categories of Bast, Hertel
//! and Prange (2023), *A Fair and In-Depth Evaluation of Existing End-to-End Entity Linking Systems*.
//!
//! Each case gets labels: a category, and whether the error was made or avoided. What only a
//! knowledge base could tell, and none does, is possible and not certain.

mod answers;
mod candidates;
mod category;
mod coreference;
mod disambiguation;
mod hyperlink;
mod language;
mod mention_type;
mod recognition;
mod rules;
mod spans;
mod types;
mod wrong_span;

pub use category::{Category, Label};
pub use language::is_lowercased;
pub use mention_type::MentionType;
pub use rules::{ELEVANT, ELEVANT_2023, ELEVANT_2025, KARAT, Lowercase, Taxonomy};
pub use types::ReportedTypes;

use crate::{Finding, findings};
use answers::Said;
use karat_kb::KnowledgeBase;
use karat_match::{
    Case, CaseStanding, Item, Judgement, Meaning, Outcome, Scene, Settings, Side, Unknowns,
    Verdicts, judge,
};
use karat_model::{Flags, Mention, Span, TextIndex, attribute, literal};
use mention_type::Subject;
use spans::Spans;
use std::collections::{HashMap, HashSet};

/// A gold mention, a prediction, or both, with everything that is said of them.
#[derive(Debug, Clone)]
pub struct Labelled<'a> {
    /// What they count as.
    pub judgement: Judgement,
    /// The gold mention.
    pub gold: Option<Mention<'a>>,
    /// The prediction.
    pub system: Option<Mention<'a>>,
    /// The text of the mention, if there is any.
    pub text: Option<&'a str>,
    /// The kind of the mention; `None` if only the knowledge base could tell, or a text.
    pub mention_type: Option<MentionType>,
    /// How many different candidates the prediction has.
    pub candidates: usize,
    /// Its labels, unknown entities ignored and required.
    pub labels: [CaseLabels; 2],
}

/// The labels of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CaseLabels {
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

impl CaseLabels {
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
        match self.mention_type {
            Some(kind) => kind.is_coreference(),
            None => self.flags().contains(Flags::COREFERENCE),
        }
    }

    /// Whether only its text could tell if it refers back, and there is none. It is then counted
    /// among those that do not.
    pub fn may_be_coreference(&self) -> bool {
        let told = Flags::COREFERENCE | Flags::NOT_COREFERENCE;
        self.text.is_none() && !self.flags().intersects(told)
    }

    fn flags(&self) -> Flags {
        self.gold.map_or(Flags::empty(), |gold| gold.flags())
    }

    /// What it counts as in linking.
    pub fn linking(&self, unknowns: Unknowns) -> Verdicts {
        self.judgement.linking[unknowns.index()]
    }

    /// What it counts as in recognition.
    pub fn recognition(&self, unknowns: Unknowns) -> Verdicts {
        self.judgement.recognition[unknowns.index()]
    }

    fn is_wrong_link(&self, unknowns: Unknowns) -> bool {
        self.linking(unknowns) == Verdicts::MISSED | Verdicts::EXTRA
    }

    /// Whether it is a link of which the types are not known: extra, and no coreference.
    pub fn is_untyped(&self, unknowns: Unknowns, types: &ReportedTypes<'_>) -> bool {
        let is_extra = self.judgement.counts && self.linking(unknowns).contains(Verdicts::EXTRA);
        let entity = self.predicted().filter(|_| is_extra && !self.is_coreference());
        entity.is_some_and(|id| types.of_entity(id).is_none())
    }

    /// The entity that was predicted.
    pub fn predicted(&self) -> Option<&'a str> {
        self.system.and_then(|system| system.entity())
    }
}

/// Where the mentions of cases are among the items of their scene.
#[derive(Debug)]
pub struct Positions {
    gold: HashMap<u32, u32>,
    system: HashMap<u32, u32>,
}

impl Positions {
    /// Those of a scene.
    pub fn in_scene(scene: &Scene<'_>) -> Positions {
        let places = |side: &Side<'_>| -> HashMap<u32, u32> {
            (0..).zip(&side.items).map(|(at, item)| (item.index, at)).collect()
        };
        Positions { gold: places(&scene.gold), system: places(&scene.system) }
    }

    /// Where gold and prediction are; parts of alternatives are nowhere.
    pub fn of(&self, judgement: &Judgement) -> (Option<u32>, Option<u32>) {
        let place =
            |places: &HashMap<u32, u32>, item: Option<Item>| places.get(&item?.index).copied();
        (place(&self.gold, judgement.gold), place(&self.system, judgement.system))
    }
}

/// A document in which cases are labelled.
struct Stage<'s, 'a> {
    taxonomy: &'s Taxonomy,
    base: Option<&'s KnowledgeBase>,
    scene: &'s Scene<'a>,
    unknowns: Unknowns,
    /// Where gold mentions are that count.
    relevant: Spans,
    /// The same by what they say; of several on one span the last.
    by_answer: HashMap<Said<'a>, Spans>,
    /// Where something was predicted that was not to be recognised.
    extra: Spans,
    hyperlinks: &'s [Span],
    antecedents: &'s [Option<usize>],
    /// Which cases are the one prediction on a wrong span that counts of a gold mention; only
    /// taxonomies that go by gold alone ask.
    claims: HashSet<usize>,
    /// Gold does not label entities that are unknown.
    no_unknowns: bool,
}

/// Every gold mention and every prediction of a document with its labels, in the order of spans.
pub fn label<'a>(
    settings: &Settings,
    taxonomy: &Taxonomy,
    scene: &Scene<'a>,
    base: Option<&KnowledgeBase>,
) -> Vec<Labelled<'a>> {
    let mut cases = judged(settings, taxonomy, scene, base);
    let hyperlinks = hyperlink::spans(scene);
    let antecedents = coreference::antecedents(&cases);
    for unknowns in Unknowns::BOTH {
        let mut stage = Stage {
            hyperlinks: &hyperlinks,
            antecedents: &antecedents,
            no_unknowns: settings.no_unknowns,
            ..Stage::new(scene, &cases, taxonomy, base, unknowns)
        };
        if !taxonomy.by_prediction {
            stage.claims = stage.claims(&cases);
        }
        let labels: Vec<CaseLabels> = (0..cases.len()).map(|at| stage.labels(&cases, at)).collect();
        for (case, labels) in cases.iter_mut().zip(labels) {
            case.labels[unknowns.index()] = labels;
        }
    }
    cases
}

/// The same without labels, for those who only count what cases were judged to be.
pub fn judged<'a>(
    settings: &Settings,
    taxonomy: &Taxonomy,
    scene: &Scene<'a>,
    base: Option<&KnowledgeBase>,
) -> Vec<Labelled<'a>> {
    let pairs = || findings(settings, scene).into_iter().map(paired).collect();
    let text = scene.text().map(TextIndex::new);
    let describe = |judgement| describe(judgement, scene, taxonomy, text.as_ref(), base);
    judge(settings, scene, base, pairs).into_iter().map(describe).collect()
}

/// Every gold mention of a document, parts of alternatives too, with what makes it hard whatever a
/// system says: the first category that applies, or all that may where it cannot be told. What is
/// no entity has none, nor has anything without a knowledge base, which hardly tells any.
pub fn hardships<'a>(
    settings: &Settings,
    taxonomy: &Taxonomy,
    scene: &Scene<'a>,
    base: Option<&KnowledgeBase>,
) -> Vec<(Labelled<'a>, Vec<Category>)> {
    let cases = judged(settings, taxonomy, scene, base);
    let stage = base.map(|_| Stage::new(scene, &cases, taxonomy, base, Unknowns::Ignored));
    let hard = |case: &Labelled<'a>| match &stage {
        Some(stage) if recognition::is_known(case) => stage.hardships(case, false, false),
        _ => Vec::new(),
    };
    let hard: Vec<Vec<Category>> = cases.iter().map(hard).collect();
    cases.into_iter().zip(hard).filter(|(case, _)| case.gold.is_some()).collect()
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
        None => surface(&judgement, gold, system),
    };
    let subject = match (&gold, &system) {
        (Some(gold), _) if gold.link().is_nil() || is_nameless(gold) => Subject::Nil,
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
    let candidates = system.map_or(0, |system| candidates::number(&scene.system, &system));
    let labels = Default::default();
    Labelled { judgement, gold, system, text, mention_type, candidates, labels }
}

/// Whether a mention is linked to an entity without an id, whose name ELEVANT does not know either.
fn is_nameless(mention: &Mention<'_>) -> bool {
    let name = mention.attribute(attribute::NAME);
    mention.entity() == Some("") && name.is_none_or(|name| name == literal::UNKNOWN)
}

/// What a file says of the text of a mention where it has no texts. A prediction tells the text of
/// gold where it is on the same span.
fn surface<'a>(
    judgement: &Judgement,
    gold: Option<Mention<'a>>,
    system: Option<Mention<'a>>,
) -> Option<&'a str> {
    let span = judgement.span();
    let on_span = system.filter(|_| judgement.system.is_some_and(|item| item.span == span));
    gold.into_iter().chain(on_span).find_map(|mention| mention.attribute(attribute::SURFACE))
}

impl<'s, 'a> Stage<'s, 'a> {
    fn new(
        scene: &'s Scene<'a>,
        cases: &[Labelled<'a>],
        taxonomy: &'s Taxonomy,
        base: Option<&'s KnowledgeBase>,
        unknowns: Unknowns,
    ) -> Stage<'s, 'a> {
        // Parts of alternatives are in no category of ELEVANT (its labels are of roots and of
        // predictions that stand alone).
        let whole = || cases.iter().filter(|case| case.judgement.standing != CaseStanding::Part);
        let mut relevant: Vec<(Span, Item, Mention<'a>)> = Vec::new();
        for case in whole() {
            let Some((item, gold)) = case.judgement.gold.zip(case.gold) else { continue };
            let counts = unknowns == Unknowns::Required
                || recognition::is_known(case) && !case.judgement.is_optional();
            let span = case.judgement.span();
            if counts {
                // Cases are in the order of their spans: the same span comes right before.
                relevant.pop_if(|(last, ..)| *last == span);
                relevant.push((span, item, gold));
            }
        }
        let is_extra = |case: &&Labelled<'a>| case.recognition(unknowns).contains(Verdicts::EXTRA);
        let extra = whole().filter(is_extra).map(|case| case.judgement.span()).collect();
        let mut by_answer: HashMap<Said<'a>, Vec<Span>> = HashMap::new();
        for (span, item, gold) in &relevant {
            for said in answers::of_gold(&scene.gold, item, gold) {
                by_answer.entry(said).or_default().push(*span);
            }
        }
        let by_answer = by_answer.into_iter().map(|(said, spans)| (said, Spans::new(spans)));
        Stage {
            taxonomy,
            base,
            scene,
            unknowns,
            relevant: Spans::new(relevant.iter().map(|(span, ..)| *span).collect()),
            by_answer: by_answer.collect(),
            extra: Spans::new(extra),
            hyperlinks: &[],
            antecedents: &[],
            claims: HashSet::new(),
            no_unknowns: false,
        }
    }

    fn labels(&self, cases: &[Labelled<'a>], at: usize) -> CaseLabels {
        let mut labels = CaseLabels::default();
        let case = &cases[at];
        if !self.taxonomy.by_prediction {
            self.of_gold(case, &mut labels);
        }
        // In ELEVANT such errors are counted and in no category; karat gives them one of their own.
        if case.judgement.standing == CaseStanding::Part {
            self.alternative_part(case, &mut labels);
            return labels;
        }
        // Coreferences have categories of their own; the others are about names.
        if !case.is_coreference() {
            self.missed(case, &mut labels);
            self.extra(case, &mut labels);
            self.disambiguation(case, &mut labels);
            self.candidates(case, &mut labels);
        }
        self.wrong_span(cases, at, &mut labels);
        self.hyperlink(case, &mut labels);
        self.coreference(cases, at, &mut labels);
        self.optional_mention(case, &mut labels);
        labels
    }

    /// What could go wrong with a gold mention.
    fn of_gold(&self, case: &Labelled<'a>, labels: &mut CaseLabels) {
        if case.gold.is_none() || case.judgement.standing == CaseStanding::Part {
            return;
        }
        if self.is_relevant(case) && self.is_on_hyperlink(case) {
            labels.of_gold.push(Category::Hyperlink);
        }
        if case.is_coreference() {
            return;
        }
        if case.judgement.meaning == Some(Meaning::Nil) && !case.judgement.is_optional() {
            match case.text.map(is_lowercased) {
                Some(true) => {}
                Some(false) => labels.of_gold.push(Category::ExtraGroundtruthUnknown),
                None => labels.of_gold_possible.push(Category::ExtraGroundtruthUnknown),
            }
        }
        if !self.is_relevant(case) {
            return;
        }
        labels.of_gold.extend([
            Category::Missed,
            Category::Disambiguation,
            Category::WrongSpan,
            Category::WrongCandidates,
            Category::MultipleCandidates,
        ]);
        match case.text {
            None => labels.of_gold_possible.extend(recognition::REASONS),
            Some(text) if is_lowercased(text) => labels.of_gold.push(Category::MissedLowercased),
            Some(text) => {
                labels.of_gold.extend([Category::MissedPartialOverlap, Category::MissedOther]);
                if text.contains(' ') {
                    labels.of_gold.push(Category::MissedPartiallyIncluded);
                }
            }
        }
        let hardships = self.hardships(case, false, false);
        match hardships.as_slice() {
            [only] => labels.of_gold.push(*only),
            _ => labels.of_gold_possible.extend(hardships),
        }
    }

    /// Whether a gold mention is to be found.
    fn is_relevant(&self, case: &Labelled<'a>) -> bool {
        let known = case.judgement.meaning == Some(Meaning::Known);
        let asked_for = known || self.unknowns == Unknowns::Required;
        case.gold.is_some() && !case.judgement.is_optional() && asked_for
    }

    /// A wrong link on a part of an alternative, which belongs to no family.
    fn alternative_part(&self, case: &Labelled<'a>, labels: &mut CaseLabels) {
        if case.judgement.counts && case.linking(self.unknowns).contains(Verdicts::EXTRA) {
            labels.add(Label::wrong(Category::AlternativePart));
        }
    }

    /// A wrong link on an optional mention, which no family has either.
    fn optional_mention(&self, case: &Labelled<'a>, labels: &mut CaseLabels) {
        if case.judgement.is_optional()
            && case.linking(self.unknowns) == Verdicts::EXTRA
            && !case.recognition(self.unknowns).contains(Verdicts::EXTRA)
        {
            let label = Label::wrong(Category::OptionalMention);
            match case.judgement.unsure {
                true => labels.possible.push(label),
                false => labels.add(label),
            }
        }
    }
}

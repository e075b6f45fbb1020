//! What every mention of a document counts as, parts of alternatives included.
//!
//! A [`Matcher`](crate::Matcher) says for one measure which items met. Here each case says at once
//! what it counts as in linking and in recognition, with unknown entities ignored and required, so
//! that what went wrong can be told from all four.

mod alternatives;
mod lookup;
mod verdict;

pub use verdict::{Meaning, Unknowns, Verdicts};

use crate::cases::{Case, Outcome};
use crate::letters::Words;
use crate::scene::{Item, Scene, Side};
use crate::settings::Settings;
use alternatives::{Family, Found};
use karat_kb::{EntityKind, KnowledgeBase};
use karat_model::literal::is_literal;
use karat_model::{Mention, Span};
use lookup::Lookup;
use std::collections::HashMap;
use verdict::Pair;

/// A gold mention, a prediction, or both, and what they count as.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// The gold mention.
    pub gold: Option<Item>,
    /// The prediction.
    pub system: Option<Item>,
    /// What the gold mention stands for.
    pub meaning: Option<Meaning>,
    /// Where they stand.
    pub standing: CaseStanding,
    /// Whether it is judged by itself: a mention that is judged by its parts is not, nor are parts
    /// of a mention that is judged by itself.
    pub counts: bool,
    /// What it counts as in linking, unknown entities ignored and required.
    pub linking: [Verdicts; 2],
    /// What it counts as in recognition.
    pub recognition: [Verdicts; 2],
    /// What the parts count as, of a mention that is judged by them: linking and recognition.
    pub below: Option<[[Verdicts; 2]; 2]>,
    /// Whether it may be right after all: gold is a quantity or a date, and nobody says whether the
    /// predicted entity is one. In linking it counts as extra until somebody does.
    pub unsure: bool,
}

/// Where a case stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CaseStanding {
    /// A gold mention that is part of no other.
    Root,
    /// A part of an alternative.
    Part,
    /// A prediction where gold has nothing.
    Alone,
}

impl Judgement {
    /// Where it is: where gold has it, or else the system.
    pub fn span(&self) -> karat_model::Span {
        self.gold.or(self.system).map(|item| item.span).unwrap_or_default()
    }

    /// Whether the gold mention need not be found.
    pub fn is_optional(&self) -> bool {
        self.gold.is_some_and(|gold| gold.optional)
    }

    /// A pair that says the same, or does not; `same` is `None` if nobody knows.
    fn new(
        scene: &Scene<'_>,
        (gold, system): (Option<Item>, Option<Item>),
        same: Option<bool>,
    ) -> Judgement {
        let meaning = gold.map(|gold| meaning(&scene.gold, &gold));
        let verdict = Pair {
            gold: gold.zip(meaning).map(|(gold, meaning)| (meaning, gold.optional)),
            system: system.map(|system| system.link.entity().is_some()),
            same: same == Some(true),
            required_parts: false,
        };
        let standing = if gold.is_some() { CaseStanding::Root } else { CaseStanding::Alone };
        Judgement {
            gold,
            system,
            meaning,
            standing,
            counts: true,
            linking: Unknowns::BOTH.map(|unknowns| verdict.linking(unknowns)),
            recognition: Unknowns::BOTH.map(|unknowns| verdict.recognition(unknowns)),
            below: None,
            unsure: same.is_none(),
        }
    }

    /// The same where parts of an optional mention are not optional.
    fn with_required_parts(&mut self) {
        let (Some(meaning), None) = (self.meaning, self.system) else { return };
        let gold = Some((meaning, true));
        let pair = Pair { gold, system: None, same: false, required_parts: true };
        self.linking = Unknowns::BOTH.map(|unknowns| pair.linking(unknowns));
        self.recognition = Unknowns::BOTH.map(|unknowns| pair.recognition(unknowns));
    }

    /// The same, counting for nothing.
    fn without_verdicts(&mut self) {
        self.linking = [Verdicts::empty(); 2];
        self.recognition = [Verdicts::empty(); 2];
        self.unsure = false;
    }
}

fn meaning(side: &Side<'_>, gold: &Item) -> Meaning {
    let mention = side.mention(gold);
    match gold.link.entity() {
        _ if mention.is_some_and(|mention| mention.types().any(is_literal)) => Meaning::Literal,
        Some(_) => Meaning::Known,
        None => Meaning::Nil,
    }
}

/// Whether gold and the prediction on its span say the same; `None` if only a knowledge base could tell.
fn is_same(
    scene: &Scene<'_>,
    gold: &Item,
    system: Option<&Item>,
    base: Option<&KnowledgeBase>,
) -> Option<bool> {
    let Some(system) = system else { return Some(false) };
    if meaning(&scene.gold, gold) != Meaning::Literal {
        return Some(scene.same_entity(gold, system));
    }
    let pair = scene.gold.mention(gold).zip(scene.system.mention(system));
    pair.map_or(Some(false), |(gold, system)| is_same_literal(&gold, &system, base))
}

/// Whether gold is a quantity and a prediction too, or gold is a date and the prediction too; `None`
/// if nobody says what the prediction is.
fn is_same_literal(
    gold: &Mention<'_>,
    system: &Mention<'_>,
    base: Option<&KnowledgeBase>,
) -> Option<bool> {
    let mut types = gold.types();
    // ELEVANT compares the whole type string of a label, so a label with a second type equals no
    // kind of literal.
    let (Some(only), None) = (types.next(), types.next()) else { return Some(false) };
    let (Some(asked), Some(id)) = (EntityKind::of_literal(only), system.entity()) else {
        return Some(false);
    };
    base?.kind(id).map(|kind| kind == asked)
}

/// Every gold mention and every prediction of a scene with what it counts as, in the order of
/// their spans.
///
/// Where mentions are judged by their spans, gold takes the prediction on its span, or else on its
/// span widened to words; a prediction may serve several. Otherwise `pairs` says who met whom.
pub fn judge(
    settings: &Settings,
    scene: &Scene<'_>,
    base: Option<&KnowledgeBase>,
    pairs: impl FnOnce() -> Vec<Case>,
) -> Vec<Judgement> {
    let mut judged = match settings.judges_by_span() {
        true => by_span(settings, scene, base),
        false => by_pair(scene, &pairs()),
    };
    // Stable: on one span gold stays before predictions that stand alone.
    judged.sort_by_key(Judgement::span);
    judged
}

fn by_span(settings: &Settings, scene: &Scene<'_>, base: Option<&KnowledgeBase>) -> Vec<Judgement> {
    let words = scene.text().map(Words::of);
    let lookup = Lookup::new(&scene.system, words.as_ref());
    let family = Family::of(&scene.gold);
    let met = |gold: &Item| lookup.on(gold.span);
    let mut judged: Vec<Judgement> = Vec::new();
    let counting = family.counting(|gold| {
        let system = met(gold);
        let system =
            system.filter(|system| settings.judging.nil_answers || system.link.entity().is_some());
        // A quantity or a date has no entity by design. That does not make it NIL, so a prediction of NIL is not right.
        let has_answer = meaning(&scene.gold, gold) != Meaning::Literal || !gold.link.is_none();
        let right = system.is_some_and(|system| has_answer && scene.same_entity(gold, &system));
        Found { predicted: system.is_some(), right, wide: lookup.widened(gold.span) }
    });
    for (at, gold) in family.members() {
        let system = met(gold);
        let same = is_same(scene, gold, system.as_ref(), base);
        let mut judgement = Judgement::new(scene, (Some(*gold), system), same);
        judgement.counts = counting[at];
        if family.is_part(at) {
            judgement.standing = CaseStanding::Part;
        }
        judged.push(judgement);
    }
    family.settle(settings, &mut judged);
    let window = scene.window(settings);
    let outside = |item: &Item| window.is_some_and(|window| !window.contains(item.span));
    let annotated = lookup.around(family.members().map(|(_, gold)| gold.span));
    for system in lookup.predictions() {
        let answers = settings.judging.nil_answers || system.link.entity().is_some();
        if answers && !annotated.has(system.span) && !outside(system) {
            judged.push(Judgement::new(scene, (None, Some(*system)), Some(false)));
        }
    }
    judged
}

/// Cases of a matcher, which alone says what is right: who shares a span through a part of an
/// alternative may say the same as the whole and be wrong there. A prediction that met nothing may still
/// lie on an optional mention or on a part of an alternative, and is then told apart.
fn by_pair(scene: &Scene<'_>, pairs: &[Case]) -> Vec<Judgement> {
    let mut judged = Vec::with_capacity(pairs.len());
    let (mut optional, mut parts): (HashMap<Span, &Item>, HashMap<Span, &Item>) =
        Default::default();
    for item in scene.gold.items.iter().filter(|item| item.optional) {
        optional.entry(item.span).or_insert(item);
    }
    for part in scene.gold.below() {
        parts.entry(part.span).or_insert(part);
    }
    for case in pairs.iter().filter(|case| case.outcome != Outcome::Ignored) {
        let gold = case.gold.and_then(|at| scene.gold.items.get(at as usize)).copied();
        let system = case.system.and_then(|at| scene.system.items.get(at as usize)).copied();
        let mut judgement = Judgement::new(scene, (gold, system), Some(false));
        if case.outcome == Outcome::Match && gold.is_some() {
            judgement.found();
        } else if let (None, Some(system)) = (gold, system) {
            if let Some(&&optional) = optional.get(&system.span) {
                judgement = Judgement::new(scene, (Some(optional), Some(system)), Some(false));
            } else if let Some(&&part) = parts.get(&system.span) {
                judgement.gold = Some(part);
                judgement.meaning = Some(meaning(&scene.gold, &part));
                judgement.standing = CaseStanding::Part;
            }
        }
        judged.push(judgement);
    }
    judged
}

impl Judgement {
    /// What was found through another reading counts as found all the same.
    fn found(&mut self) {
        let known = self.meaning == Some(Meaning::Known);
        let found = |unknowns| match known || unknowns == Unknowns::Required {
            true => Verdicts::HIT,
            false => Verdicts::empty(),
        };
        self.linking = Unknowns::BOTH.map(found);
        self.recognition = self.linking;
    }
}

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
use crate::scene::{Item, Scene, Side};
use crate::settings::{Assignment, Settings};
use alternatives::Family;
use karat_kb::{Kind, KnowledgeBase};
use karat_model::{Mention, TextIndex};
use lookup::Lookup;
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
    pub standing: Standing,
    /// Whether it is judged by itself: a mention that is judged by its parts is not, nor are parts
    /// of a mention that is judged by itself.
    pub counts: bool,
    /// What it counts as in linking, unknown entities ignored and required.
    pub linking: [Verdicts; 2],
    /// What it counts as in recognition.
    pub recognition: [Verdicts; 2],
    /// What the parts count as, of a mention that is judged by them: linking and recognition.
    pub below: Option<[[Verdicts; 2]; 2]>,
}

/// Where a case stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Standing {
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

    fn new(scene: &Scene<'_>, pair: (Option<Item>, Option<Item>), asked: &Asked<'_>) -> Judgement {
        let (gold, system) = pair;
        let meaning = gold.map(|gold| asked.meaning(&scene.gold, &gold));
        let verdict = Pair {
            gold: gold.zip(meaning).map(|(gold, meaning)| (meaning, gold.optional)),
            system: system.map(|system| system.link.entity().is_some()),
            same: asked.same(scene, gold, meaning, system),
            required_parts: false,
        };
        let standing = if gold.is_some() { Standing::Root } else { Standing::Alone };
        Judgement {
            gold,
            system,
            meaning,
            standing,
            counts: true,
            linking: Unknowns::BOTH.map(|unknowns| verdict.linking(unknowns)),
            recognition: Unknowns::BOTH.map(|unknowns| verdict.recognition(unknowns)),
            below: None,
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
    }
}

/// What the judge asks a knowledge base.
struct Asked<'k> {
    base: Option<&'k KnowledgeBase>,
}

impl Asked<'_> {
    fn meaning(&self, side: &Side<'_>, gold: &Item) -> Meaning {
        let is_literal = side.mention(gold).is_some_and(|mention| {
            mention.types().any(|name| matches!(name, "QUANTITY" | "DATETIME"))
        });
        match gold.link.entity() {
            _ if is_literal => Meaning::Literal,
            Some(_) => Meaning::Known,
            None => Meaning::Nil,
        }
    }

    fn same(
        &self,
        scene: &Scene<'_>,
        gold: Option<Item>,
        meaning: Option<Meaning>,
        system: Option<Item>,
    ) -> bool {
        let (Some(gold), Some(system)) = (gold, system) else { return false };
        match meaning {
            Some(Meaning::Literal) => self.same_literal(scene, &gold, &system),
            _ => scene.same_entity(&gold, &system),
        }
    }

    /// Whether the entity of a prediction is a quantity where gold has one, or a date likewise. What
    /// the knowledge base does not know is neither.
    fn same_literal(&self, scene: &Scene<'_>, gold: &Item, system: &Item) -> bool {
        let pair = scene.gold.mention(gold).zip(scene.system.mention(system));
        pair.is_some_and(|(gold, system)| is_same_literal(&gold, &system, self.base))
    }
}

/// Whether gold is a quantity and a prediction too, or gold is a date and the prediction too.
pub fn is_same_literal(
    gold: &Mention<'_>,
    system: &Mention<'_>,
    base: Option<&KnowledgeBase>,
) -> bool {
    let entity = system.entity().and_then(|id| base?.entity(id));
    let predicted = match entity.map(|entity| entity.kind()) {
        Some(Kind::Quantity) => "QUANTITY",
        Some(Kind::DateTime) => "DATETIME",
        Some(Kind::Thing) | None => return false,
    };
    gold.types().eq([predicted])
}

/// Every gold mention and every prediction of a scene with what it counts as, in the order of
/// their spans.
///
/// Where the last prediction of a span wins, gold takes the prediction on its span, or else on its
/// span widened to words; a prediction may serve several. Otherwise `pairs` says who met whom.
pub fn judge(
    settings: &Settings,
    scene: &Scene<'_>,
    base: Option<&KnowledgeBase>,
    pairs: impl FnOnce() -> Vec<Case>,
) -> Vec<Judgement> {
    let asked = Asked { base };
    let mut judged = match settings.assignment {
        Assignment::LastWins => by_span(settings, scene, &asked),
        // A matcher asks no knowledge base, and what it calls extra stays so.
        _ => by_pair(scene, &pairs(), &Asked { base: None }),
    };
    judged.sort_by_key(Judgement::span);
    judged
}

fn by_span(settings: &Settings, scene: &Scene<'_>, asked: &Asked<'_>) -> Vec<Judgement> {
    let text = scene.text().map(TextIndex::new);
    let lookup = Lookup::new(&scene.system, text.as_ref());
    let family = Family::of(&scene.gold);
    let met = |gold: &Item| lookup.on(gold.span);
    let mut judged: Vec<Judgement> = Vec::new();
    let counting = family.counting(|gold| {
        let system = met(gold);
        let system =
            system.filter(|system| settings.judging.nil_answers || system.link.entity().is_some());
        let meaning = asked.meaning(&scene.gold, gold);
        let right = system
            .is_some_and(|system| meaning != Meaning::Literal && scene.same_entity(gold, &system));
        (system.is_some(), right, lookup.widened(gold.span))
    });
    for (at, gold) in family.members() {
        let mut judgement = Judgement::new(scene, (Some(*gold), met(gold)), asked);
        judgement.counts = counting[at];
        if family.is_part(at) {
            judgement.standing = Standing::Part;
        }
        judged.push(judgement);
    }
    family.settle(settings, &mut judged);
    let window = scene.gold.document.and_then(|document| document.evaluation_span());
    let outside = |item: &Item| window.is_some_and(|window| !window.contains(item.span));
    let annotated = lookup.around(family.members().map(|(_, gold)| gold.span));
    for system in lookup.predictions() {
        let answers = settings.judging.nil_answers || system.link.entity().is_some();
        if answers && !annotated.has(system.span) && !outside(system) {
            judged.push(Judgement::new(scene, (None, Some(*system)), asked));
        }
    }
    judged
}

/// Cases of a matcher. A prediction that met nothing may still lie on an optional mention or on a
/// part of an alternative, and is then told apart.
fn by_pair(scene: &Scene<'_>, pairs: &[Case], asked: &Asked<'_>) -> Vec<Judgement> {
    let mut judged = Vec::with_capacity(pairs.len());
    for case in pairs.iter().filter(|case| case.outcome != Outcome::Ignored) {
        let gold = case.gold.and_then(|at| scene.gold.items.get(at as usize)).copied();
        let system = case.system.and_then(|at| scene.system.items.get(at as usize)).copied();
        let mut judgement = Judgement::new(scene, (gold, system), asked);
        if case.outcome == Outcome::Match && gold.is_some() {
            judgement.found();
        } else if let (None, Some(system)) = (gold, system) {
            let on_span = |item: &&Item| item.span == system.span;
            if let Some(optional) = scene.gold.items.iter().filter(on_span).find(|i| i.optional) {
                judgement = Judgement::new(scene, (Some(*optional), Some(system)), asked);
            } else if let Some(part) = scene.gold.below().iter().find(on_span) {
                judgement.gold = Some(*part);
                judgement.meaning = Some(asked.meaning(&scene.gold, part));
                judgement.standing = Standing::Part;
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

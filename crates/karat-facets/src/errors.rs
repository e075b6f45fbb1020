//! What went wrong with a mention, in the terms of Hachey, Nothman and Radford (2014).

use crate::taxonomy::Positions;
use karat_kb::KnowledgeBase;
use karat_match::{
    Agreement, Assignment, Case, CaseStanding, Criteria, Item, Judgement, Keep, Matcher, Outcome,
    Scene, Settings, Side, Unknowns, Verdicts, judge,
};

/// What became of a gold mention and the prediction on its span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Finding {
    /// The right entity.
    CorrectLink,
    /// NIL on both sides.
    CorrectNil,
    /// Another entity than gold.
    WrongLink,
    /// Gold has an entity, the system says NIL.
    LinkAsNil,
    /// Gold says NIL, the system has an entity.
    NilAsLink,
    /// Gold that the system does not have.
    Missing,
    /// A prediction where gold has nothing.
    Extra,
}

impl Finding {
    /// All of them, the right ones first.
    pub const ALL: [Finding; 7] = [
        Finding::CorrectLink,
        Finding::CorrectNil,
        Finding::WrongLink,
        Finding::LinkAsNil,
        Finding::NilAsLink,
        Finding::Missing,
        Finding::Extra,
    ];

    /// Its name, as neleval prints it.
    pub fn name(self) -> &'static str {
        match self {
            Finding::CorrectLink => "correct link",
            Finding::CorrectNil => "correct nil",
            Finding::WrongLink => "wrong-link",
            Finding::LinkAsNil => "link-as-nil",
            Finding::NilAsLink => "nil-as-link",
            Finding::Missing => "missing",
            Finding::Extra => "extra",
        }
    }

    /// Whether nothing is wrong.
    pub fn is_right(self) -> bool {
        matches!(self, Finding::CorrectLink | Finding::CorrectNil)
    }

    /// What became of a mention that is judged by its span, entities that nobody knows included. A mention
    /// that is judged by its parts is right or missing as a whole; of these parts only what is predicted
    /// and wrong is told, as extra. `None` of what counts for nothing.
    pub fn of_judgement(judgement: &Judgement) -> Option<Finding> {
        let verdicts = judgement.linking[Unknowns::Required.index()];
        let is_whole = judgement.standing != CaseStanding::Part;
        let linked = |item: Option<Item>| item.is_some_and(|item| item.link.entity().is_some());
        let (gold, system) = (linked(judgement.gold), linked(judgement.system));
        let has = |verdict: Verdicts| verdicts.contains(verdict);
        match (is_whole && has(Verdicts::MISSED), judgement.counts && has(Verdicts::EXTRA)) {
            (true, true) => Some(Finding::unlike(gold, system)),
            (true, false) => Some(Finding::Missing),
            (false, true) => Some(Finding::Extra),
            (false, false) => (is_whole && has(Verdicts::HIT)).then(|| Finding::alike(gold)),
        }
    }

    /// The same answer as gold, which is linked or not.
    fn alike(gold: bool) -> Finding {
        if gold { Finding::CorrectLink } else { Finding::CorrectNil }
    }

    /// Another answer than gold, each linked or not. Two NIL that do not agree count as a missing mention here;
    /// the prediction is reported separately as extra.
    fn unlike(gold: bool, system: bool) -> Finding {
        match (gold, system) {
            (true, true) => Finding::WrongLink,
            (true, false) => Finding::LinkAsNil,
            (false, true) => Finding::NilAsLink,
            (false, false) => Finding::Missing,
        }
    }
}

/// What `karat errors` counts and lists: every gold mention and every prediction with what became of it, in
/// the order of their spans. Where mentions are judged by their spans these are the judgements that
/// `linking` counts, and otherwise the [`findings`] of a matcher.
pub fn told(
    settings: &Settings,
    scene: &Scene<'_>,
    base: Option<&KnowledgeBase>,
) -> Vec<(Case, Finding)> {
    if !settings.judges_by_span() {
        return findings(settings, scene);
    }
    let positions = Positions::in_scene(scene);
    let told = |judgement: &Judgement| {
        let finding = Finding::of_judgement(judgement)?;
        let (gold, system) = positions.of(judgement);
        let case = match finding {
            Finding::CorrectLink | Finding::CorrectNil => {
                Case { gold, system, outcome: Outcome::Match }
            }
            Finding::Missing => Case { gold, system: None, outcome: Outcome::Missed },
            Finding::Extra => Case { gold: None, system, outcome: Outcome::Extra },
            _ => Case { gold, system, outcome: Outcome::Missed },
        };
        Some((case, finding))
    };
    judge(settings, scene, base, Vec::new).iter().filter_map(told).collect()
}

/// Every gold mention and every prediction of a scene with what became of it, in
/// the order of their spans. Right answers are paired first, then what is left
/// on a span.
pub fn findings(settings: &Settings, scene: &Scene<'_>) -> Vec<(Case, Finding)> {
    let settings = Settings {
        // A report of errors compares one pair on each span. Under these two conventions one mention could be in several pairs, or in none.
        assignment: match settings.assignment {
            Assignment::Sets | Assignment::Existential => Assignment::LastWins,
            other => other,
        },
        ..settings.clone()
    };
    let Pairs { right, wrong } = Pairs::of(&settings, scene);
    let right = right.into_iter().map(|case| (case, correct(scene, &case)));
    let wrong = wrong.into_iter().flat_map(|case| match (is_nil_twice(scene, &case), case) {
        // NIL that did not agree lies on a part of an alternative, or the convention lets NIL agree
        // with nothing. Then gold is missed and the prediction is extra: "NIL for NIL" would be no
        // error that a reader could act on.
        (true, Case { gold: Some(_), system: Some(_), .. }) => {
            let missed = Case { system: None, outcome: Outcome::Missed, ..case };
            vec![missed, Case { gold: None, outcome: Outcome::Extra, ..case }]
        }
        _ => vec![case],
    });
    let mut all: Vec<(Case, Finding)> =
        right.chain(wrong.map(|case| (case, wrong_in(scene, &case)))).collect();
    all.sort_by_key(|(case, _)| position(scene, case));
    all
}

/// What is right is right as gold has it, whichever of its readings was found.
fn correct(scene: &Scene<'_>, case: &Case) -> Finding {
    Finding::alike(is_linked(&scene.gold, case.gold) == Some(true))
}

fn is_nil_twice(scene: &Scene<'_>, case: &Case) -> bool {
    is_linked(&scene.gold, case.gold) == Some(false)
        && is_linked(&scene.system, case.system) == Some(false)
}

fn is_linked(side: &Side<'_>, at: Option<u32>) -> Option<bool> {
    at.map(|at| side.items[at as usize].link.entity().is_some())
}

/// Who met whom in a scene, right or wrong.
#[derive(Debug, Clone, Default)]
pub struct Pairs {
    /// The pairs that say the same.
    pub right: Vec<Case>,
    /// What is left, paired by span alone, and what met nobody.
    pub wrong: Vec<Case>,
}

impl Pairs {
    /// Those of a scene: what is right is paired first, so that nothing wrong takes the place of it.
    pub fn of(settings: &Settings, scene: &Scene<'_>) -> Pairs {
        let agree = Agreement::SPAN.union(Agreement::ENTITY);
        let cases = Matcher::new(settings, Criteria::new(Keep::All, agree)).cases(scene);
        let (right, mut left): (Vec<Case>, Vec<Case>) =
            cases.into_iter().partition(|case| case.outcome == Outcome::Match);
        left.retain(|case| case.outcome != Outcome::Ignored);
        Pairs { right, wrong: pair_up(settings, scene, &left) }
    }
}

/// Pairs what is left over by span alone.
fn pair_up(settings: &Settings, scene: &Scene<'_>, left: &[Case]) -> Vec<Case> {
    let gold: Vec<u32> = left.iter().filter_map(|case| case.gold).collect();
    let system: Vec<u32> = left.iter().filter_map(|case| case.system).collect();
    let (mut gold_sorted, mut system_sorted) = (gold, system);
    gold_sorted.sort_unstable();
    system_sorted.sort_unstable();
    // Positions come from cases, which are in the order of spans with gold first; sorted, they can
    // be searched, and positions in the rest translate back by index.
    let among = |positions: &[u32], at: usize| positions.binary_search(&(at as u32)).is_ok();
    let rest = scene.keeping(|at| among(&gold_sorted, at), |at| among(&system_sorted, at));
    let back = |positions: &[u32], at: Option<u32>| at.map(|at| positions[at as usize]);
    Matcher::new(settings, Criteria::MENTION)
        .cases(&rest)
        .into_iter()
        .filter_map(|case| match (case.outcome, case.system) {
            // A further part of a reading that was found by its spans alone: its link is wrong.
            (Outcome::Ignored, Some(_)) => {
                Some(Case { gold: None, outcome: Outcome::Extra, ..case })
            }
            (Outcome::Ignored, None) => None,
            _ => Some(case),
        })
        .map(|case| Case {
            gold: back(&gold_sorted, case.gold),
            system: back(&system_sorted, case.system),
            outcome: case.outcome,
        })
        .collect()
}

fn position(scene: &Scene<'_>, case: &Case) -> (karat_model::Span, bool, u32) {
    let gold = case.gold.map(|at| scene.gold.items[at as usize].span);
    let system = case.system.map(|at| scene.system.items[at as usize].span);
    let span = gold.or(system).unwrap_or_default();
    (span, case.gold.is_none(), case.gold.or(case.system).unwrap_or_default())
}

fn wrong_in(scene: &Scene<'_>, case: &Case) -> Finding {
    match (is_linked(&scene.gold, case.gold), is_linked(&scene.system, case.system)) {
        (Some(gold), Some(system)) => Finding::unlike(gold, system),
        (Some(_), None) => Finding::Missing,
        (None, _) => Finding::Extra,
    }
}

//! What went wrong with a mention, in the terms of Hachey, Nothman and Radford (2014).

use karat_match::{
    Agreement, Assignment, Case, Criteria, Keep, Matcher, Outcome, Scene, Settings, Side,
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
}

/// Every gold mention and every prediction of a scene with what became of it, in
/// the order of their spans. Right answers are paired first, then what is left
/// on a span.
pub fn findings(settings: &Settings, scene: &Scene<'_>) -> Vec<(Case, Finding)> {
    let settings = Settings {
        // On one span only one pair is compared.
        assignment: match settings.assignment {
            Assignment::Sets | Assignment::Existential => Assignment::LastWins,
            other => other,
        },
        ..settings.clone()
    };
    let agree = Agreement::SPAN.union(Agreement::ENTITY);
    let cases = Matcher::new(&settings, Criteria::new(Keep::All, agree)).cases(scene);
    let (right, mut left): (Vec<Case>, Vec<Case>) =
        cases.into_iter().partition(|case| case.outcome == Outcome::Match);
    left.retain(|case| case.outcome != Outcome::Ignored);
    let right = right.into_iter().map(|case| (case, correct(scene, &case)));
    let wrong = pair_up(&settings, scene, &left).into_iter();
    let wrong = wrong.flat_map(|case| match (is_nil_twice(scene, &case), case) {
        // NIL that did not agree is on a part of an alternative, or agrees with nothing: one is missed
        // and the other one too many.
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
    match is_linked(&scene.gold, case.gold) {
        Some(true) => Finding::CorrectLink,
        _ => Finding::CorrectNil,
    }
}

fn is_nil_twice(scene: &Scene<'_>, case: &Case) -> bool {
    is_linked(&scene.gold, case.gold) == Some(false)
        && is_linked(&scene.system, case.system) == Some(false)
}

fn is_linked(side: &Side<'_>, at: Option<u32>) -> Option<bool> {
    at.map(|at| side.items[at as usize].link.entity().is_some())
}

/// Pairs what is left over by span alone.
fn pair_up(settings: &Settings, scene: &Scene<'_>, left: &[Case]) -> Vec<Case> {
    let gold: Vec<u32> = left.iter().filter_map(|case| case.gold).collect();
    let system: Vec<u32> = left.iter().filter_map(|case| case.system).collect();
    let (mut gold_sorted, mut system_sorted) = (gold, system);
    gold_sorted.sort_unstable();
    system_sorted.sort_unstable();
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
        (Some(true), Some(true)) => Finding::WrongLink,
        (Some(true), Some(false)) => Finding::LinkAsNil,
        (Some(false), Some(true)) => Finding::NilAsLink,
        // Two NIL were told apart before.
        (Some(false), Some(false)) | (Some(_), None) => Finding::Missing,
        (None, _) => Finding::Extra,
    }
}

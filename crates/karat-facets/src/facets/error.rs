//! What went wrong with a mention: missing, extra, wrong-link, link-as-nil, nil-as-link, or correct.

use crate::errors::Finding;
use crate::facet::{Facet, Labels};
use karat_match::{Case, Item, Outcome, Scene, Side};

/// See the head of this file.
#[derive(Debug)]
pub(super) struct ByError;

impl Facet for ByError {
    fn name(&self) -> &str {
        "error"
    }

    fn summary(&self) -> &str {
        "What went wrong: missing, extra, wrong-link, link-as-nil, nil-as-link, or correct"
    }

    fn is_of_cases(&self) -> bool {
        true
    }

    /// A mention alone is neither right nor wrong.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_case(&self, scene: &Scene<'_>, case: &Case) -> Labels {
        let gold = case.gold.map(|at| &scene.gold.items[at as usize]);
        let system = case.system.map(|at| &scene.system.items[at as usize]);
        let linked = |item: &Item| item.link.entity().is_some();
        // What was not paired by the measure may still share its span with the other side.
        let on = |side: &Side<'_>, item: &Item| side.on_span(item.span).map(linked);
        let finding = match (gold, system, case.outcome) {
            (Some(gold), _, Outcome::Match) if linked(gold) => Finding::CorrectLink,
            (_, _, Outcome::Match) => Finding::CorrectNil,
            (Some(gold), _, _) => match (linked(gold), on(&scene.system, gold)) {
                (_, None) => Finding::Missing,
                (true, Some(true)) => Finding::WrongLink,
                (true, Some(false)) => Finding::LinkAsNil,
                (false, Some(true)) => Finding::NilAsLink,
                (false, Some(false)) => Finding::Missing,
            },
            (None, Some(system), _) => match (on(&scene.gold, system), linked(system)) {
                (None, _) => Finding::Extra,
                (Some(true), true) => Finding::WrongLink,
                (Some(true), false) => Finding::LinkAsNil,
                (Some(false), true) => Finding::NilAsLink,
                (Some(false), false) => Finding::Extra,
            },
            (None, None, _) => return Labels::new(),
        };
        vec![finding.name().to_owned()]
    }
}

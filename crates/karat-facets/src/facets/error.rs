//! What went wrong with a mention: missing, extra, wrong-link, link-as-nil, nil-as-link, or correct.

use crate::errors::{Finding, told};
use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_kb::KnowledgeBase;
use karat_match::{Case, Item, Outcome, Scene, Settings, Side};
use std::collections::HashMap;
use std::sync::Arc;

/// See the head of this file.
pub(super) static ERROR: FacetDefinition = FacetDefinition {
    name: "error",
    about: "What went wrong: missing, extra, wrong-link, link-as-nil, nil-as-link, or correct.",
    needs: FacetNeeds::Context,
    make: |context, _| {
        Ok(Arc::new(ByError { settings: context.settings.clone(), base: context.base.clone() }))
    },
};

/// What `karat errors` counts and lists.
#[derive(Debug)]
struct ByError {
    settings: Settings,
    base: Option<Arc<KnowledgeBase>>,
}

impl Facet for ByError {
    fn name(&self) -> &str {
        ERROR.name
    }

    fn is_of_cases(&self) -> bool {
        true
    }

    /// A mention alone is neither right nor wrong.
    fn labels(&self, _: &Side<'_>, _: &Item) -> Labels {
        Labels::new()
    }

    fn labels_of_cases(&self, scene: &Scene<'_>, cases: &[Case]) -> Vec<Labels> {
        let found = Finding::of_cases(&self.settings, scene, self.base.as_deref(), cases);
        let found = found.into_iter();
        found.map(|finding| finding.map(|it| it.name().to_owned()).into_iter().collect()).collect()
    }
}

impl Finding {
    /// What became of each case, and nothing of those that are ignored. A case is found again by its gold
    /// mention, or, where that is optional, by its prediction. A prediction may be judged on several
    /// spans: without gold it is what is extra there. What a convention takes for the same mention said
    /// again is in no finding, and is told by its span.
    pub fn of_cases(
        settings: &Settings,
        scene: &Scene<'_>,
        base: Option<&KnowledgeBase>,
        cases: &[Case],
    ) -> Vec<Option<Finding>> {
        let mut of_gold: HashMap<u32, Finding> = HashMap::new();
        let mut of_system: HashMap<u32, Finding> = HashMap::new();
        for (case, finding) in told(settings, scene, base) {
            of_gold.extend(case.gold.map(|at| (at, finding)));
            if let Some(at) = case.system {
                let known = of_system.entry(at).or_insert(finding);
                // The last is the greatest: what is extra.
                *known = finding.max(*known);
            }
        }
        let find = |case: &Case| {
            if case.outcome == Outcome::Ignored {
                return None;
            }
            let found = case.gold.and_then(|at| of_gold.get(&at));
            let found = found.or_else(|| of_system.get(&case.system?)).copied();
            found.or_else(|| by_span(scene, case))
        };
        cases.iter().map(find).collect()
    }
}

/// What became of a case by what else is on its span.
fn by_span(scene: &Scene<'_>, case: &Case) -> Option<Finding> {
    let gold = case.gold.map(|at| &scene.gold.items[at as usize]);
    let system = case.system.map(|at| &scene.system.items[at as usize]);
    let linked = |item: &Item| item.link.entity().is_some();
    // What was not paired by the measure may still share its span with the other side.
    let on = |side: &Side<'_>, item: &Item| side.on_span(item.span).map(linked);
    match (gold, system, case.outcome) {
        (Some(gold), _, Outcome::Match) if linked(gold) => Some(Finding::CorrectLink),
        (_, _, Outcome::Match) => Some(Finding::CorrectNil),
        (Some(gold), _, _) => Some(match (linked(gold), on(&scene.system, gold)) {
            (_, None) => Finding::Missing,
            (true, Some(true)) => Finding::WrongLink,
            (true, Some(false)) => Finding::LinkAsNil,
            (false, Some(true)) => Finding::NilAsLink,
            (false, Some(false)) => Finding::Missing,
        }),
        (None, Some(system), _) => Some(match (on(&scene.gold, system), linked(system)) {
            (None, _) => Finding::Extra,
            (Some(true), true) => Finding::WrongLink,
            (Some(true), false) => Finding::LinkAsNil,
            (Some(false), true) => Finding::NilAsLink,
            (Some(false), false) => Finding::Extra,
        }),
        (None, None, _) => None,
    }
}

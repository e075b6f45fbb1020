//! Measures that count what cases were judged to be.

use crate::measure::{Compute, DocumentMeasure, Scores, credit_scores};
use crate::parameter::{MeasureContext, Otherwise, ParameterOf};
use crate::score::{Credit, Zero};
use crate::values::{Values, named};
use karat_facets::taxonomy::{self, Labelled, Positions, Taxonomy};
use karat_kb::KnowledgeBase;
use karat_match::{Case, CaseStanding, Outcome, Scene, Settings, Unknowns, Verdicts};
use std::sync::Arc;

/// The parameter that says what is done about unknown entities.
pub(crate) static UNKNOWNS: ParameterOf<Unknowns> = ParameterOf {
    name: "unknowns",
    about: "Whether mentions of entities that the knowledge base does not have must be found.",
    values: &Values::only(&[
        named("ignored", Unknowns::Ignored, "They count neither for nor against."),
        named("required", Unknowns::Required, "They must be found like any other."),
    ]),
    otherwise: Otherwise::Is(Unknowns::Ignored),
};

/// What is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aspect {
    /// The entity.
    Linking,
    /// The mention; coreferences are left out.
    Recognition,
}

/// Counts judgements.
#[derive(Debug, Clone)]
struct Judged {
    aspect: Aspect,
    unknowns: Unknowns,
    taxonomy: &'static Taxonomy,
    base: Option<Arc<KnowledgeBase>>,
}

/// A measure of judgements.
pub(crate) fn judged(aspect: Aspect, context: &MeasureContext<'_>) -> Compute {
    Compute::Documents(Arc::new(Judged {
        aspect,
        unknowns: context.value(&UNKNOWNS),
        taxonomy: context.convention().taxonomy,
        base: None,
    }))
}

impl Judged {
    fn verdicts(&self, case: &Labelled<'_>) -> Verdicts {
        match self.aspect {
            Aspect::Linking => case.linking(self.unknowns),
            Aspect::Recognition if case.is_coreference() => Verdicts::empty(),
            Aspect::Recognition => case.recognition(self.unknowns),
        }
    }

    /// What a judgement counts as: a wrong link is two cases.
    fn cases_of(&self, positions: &Positions, case: &Labelled<'_>) -> Vec<Case> {
        let verdicts = self.verdicts(case);
        // Parts of alternatives are right or missed through their root. Only a wrong prediction on
        // a part counts by itself.
        let is_part = case.judgement.standing == CaseStanding::Part;
        let (gold, system) = positions.of(&case.judgement);
        let mut cases = Vec::new();
        if verdicts.contains(Verdicts::HIT) && !is_part {
            cases.push(Case { gold, system, outcome: Outcome::Match });
        }
        if verdicts.contains(Verdicts::MISSED) && !is_part {
            cases.push(Case { gold, system: None, outcome: Outcome::Missed });
        }
        if verdicts.contains(Verdicts::EXTRA) && case.judgement.counts {
            cases.push(Case { gold: None, system, outcome: Outcome::Extra });
        }
        cases
    }
}

impl DocumentMeasure for Judged {
    fn columns(&self) -> &'static [&'static str] {
        &Credit::COLUMNS
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        for case in self.cases(settings, scene).unwrap_or_default() {
            self.add(scene, &case, counts);
        }
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        credit_scores(counts, zero)
    }

    fn cases(&self, settings: &Settings, scene: &Scene<'_>) -> Option<Vec<Case>> {
        let judged = taxonomy::judged(settings, self.taxonomy, scene, self.base.as_deref());
        let positions = Positions::in_scene(scene);
        Some(judged.iter().flat_map(|case| self.cases_of(&positions, case)).collect())
    }

    fn add(&self, _: &Scene<'_>, case: &Case, counts: &mut [f64]) {
        crate::items::add(case, counts);
    }

    fn with_base(&self, base: &Arc<KnowledgeBase>) -> Option<Arc<dyn DocumentMeasure>> {
        Some(Arc::new(Judged { base: Some(Arc::clone(base)), ..self.clone() }))
    }
}

//! What items turn out to be: from judgements, or from a decision about them.

use crate::plan::{CampaignPlan, ControlKind, ItemKind};
use crate::{ItemJudgement, LinkTarget, VerifyAction};
use karat_stats::workers::{
    ControlAnswers, ModelRefused, PersonFit, Vote, Votes, WorkerFit, model,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A decision about an item: a layer of its own above the judgements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ItemDecision {
    /// The item.
    pub item: usize,
    /// What it is.
    pub action: VerifyAction,
    /// The right link of a modification.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkTarget>,
}

/// How outcomes are made of judgements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeRule {
    /// The first judgement that counts, as in the paper.
    First,
    /// A decision, else the consensus of all judgements.
    Consensus,
}

/// What an item turned out to be.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ItemOutcome {
    /// The answer; `None` while it is open: nobody judged it, or answers tie.
    pub action: Option<VerifyAction>,
    /// The chances of verify, modify and remove; `None` if nobody judged it.
    pub chances: Option<[f64; 3]>,
    /// Links that people would rather have, the best first, with how many people named each.
    pub links: Vec<(LinkTarget, usize)>,
    /// Judgements that counted.
    pub judgements: usize,
    /// The first of them.
    pub first: Option<VerifyAction>,
    /// Whether somebody decided it.
    pub is_decided: bool,
}

impl ItemOutcome {
    /// Whether it is open.
    pub fn is_open(&self) -> bool {
        self.action.is_none()
    }

    /// The link that is left after judging; `None` if nothing is.
    pub fn left<'o>(&'o self, proposed: &'o LinkTarget) -> Option<&'o LinkTarget> {
        match self.action? {
            VerifyAction::Verify => Some(proposed),
            VerifyAction::Modify => self.links.first().map(|(link, _)| link),
            VerifyAction::Remove | VerifyAction::Skip => None,
        }
    }
}

/// The outcomes of all items, and what the model of people says.
#[derive(Debug, Clone, PartialEq)]
pub struct CampaignOutcomes {
    /// One for each item.
    pub items: Vec<ItemOutcome>,
    /// The people, in the order of the model.
    pub people: Vec<String>,
    /// What the model says of them; empty where none was asked.
    pub fits: Vec<PersonFit>,
    /// The model that was used.
    pub model: String,
    /// Why the model that was wanted was not used.
    pub refused: Option<ModelRefused>,
}

impl CampaignOutcomes {
    /// How much a vote of somebody tells, by the model; 0 where it does not know them.
    pub fn weight_of(&self, person: &str) -> f64 {
        let place = self.people.binary_search_by(|one| one.as_str().cmp(person)).ok();
        place.and_then(|at| self.fits.get(at)).map_or(0.0, |fit| fit.weight)
    }
}

/// Who has judged, by pseudonym, and their answers on controls.
#[derive(Debug, Clone, PartialEq)]
pub struct CampaignPeople {
    /// Pseudonyms, in order.
    pub names: Vec<String>,
    /// Of each: answers by right answer.
    pub controls: Vec<ControlAnswers>,
    /// Of each: controls answered rightly, and all that were answered.
    pub right: Vec<(usize, usize)>,
}

impl CampaignPeople {
    /// The people behind some judgements.
    pub fn of(plan: &CampaignPlan, judgements: &[ItemJudgement]) -> CampaignPeople {
        let names: BTreeSet<&str> = judgements.iter().map(|one| one.worker.as_str()).collect();
        let names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        let mut controls = vec![vec![vec![0.0; 3]; 3]; names.len()];
        let mut right = vec![(0, 0); names.len()];
        // A control that was taken out tells nothing about people.
        let keys: BTreeMap<usize, _> =
            plan.keys.iter().filter(|key| key.confirmed).map(|key| (key.item, key)).collect();
        let is_control =
            |item: usize| plan.items.get(item).is_some_and(|item| item.kind == ItemKind::Control);
        for one in judgements.iter().filter(|one| is_control(one.item)) {
            let Ok(person) = names.binary_search(&one.worker) else { continue };
            let Some(key) = keys.get(&one.item) else { continue };
            if let Some(is_right) = key.accepts(one.action) {
                right[person].0 += usize::from(is_right);
                right[person].1 += 1;
            }
            if let (Some(kind), Some(given)) = (ControlKind::of(key), one.action.index()) {
                controls[person][kind as usize][given] += 1.0;
            }
        }
        CampaignPeople { names, controls, right }
    }

    /// The place of somebody.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.names.binary_search_by(|one| one.as_str().cmp(name)).ok()
    }
}

/// The judgements of real items that count, without skips.
pub fn counted<'j>(
    plan: &'j CampaignPlan,
    judgements: &'j [ItemJudgement],
) -> impl Iterator<Item = &'j ItemJudgement> {
    judgements.iter().filter(|one| {
        let is_real = plan.items.get(one.item).is_some_and(|item| item.kind == ItemKind::Real);
        one.counted && is_real && one.action != VerifyAction::Skip
    })
}

/// What all items turned out to be. Judgements must be in the order in which they came.
pub fn outcomes(
    plan: &CampaignPlan,
    judgements: &[ItemJudgement],
    decisions: &[ItemDecision],
    rule: OutcomeRule,
    wanted: &str,
) -> CampaignOutcomes {
    let mut found = match rule {
        OutcomeRule::First => first(plan, judgements),
        OutcomeRule::Consensus => consensus(plan, judgements, wanted),
    };
    if rule == OutcomeRule::Consensus {
        for decision in decisions {
            if let Some(outcome) = found.items.get_mut(decision.item) {
                outcome.action = Some(decision.action);
                let chance = |one: VerifyAction| f64::from(u8::from(one == decision.action));
                outcome.chances = Some(VerifyAction::JUDGEMENTS.map(chance));
                outcome.links =
                    decision.link.iter().map(|link| (link.clone(), usize::MAX)).collect();
                outcome.is_decided = true;
            }
        }
    }
    found
}

/// The first judgement of an item decides.
fn first(plan: &CampaignPlan, judgements: &[ItemJudgement]) -> CampaignOutcomes {
    let mut items = vec![ItemOutcome::default(); plan.items.len()];
    for one in counted(plan, judgements) {
        let outcome = &mut items[one.item];
        outcome.judgements += 1;
        if outcome.action.is_none() {
            outcome.action = Some(one.action);
            outcome.first = Some(one.action);
            let chance = |action: VerifyAction| f64::from(u8::from(action == one.action));
            outcome.chances = Some(VerifyAction::JUDGEMENTS.map(chance));
            outcome.links = one.link.iter().map(|link| (link.clone(), 1)).collect();
        }
    }
    CampaignOutcomes {
        items,
        people: Vec::new(),
        fits: Vec::new(),
        model: "first".to_owned(),
        refused: None,
    }
}

/// All judgements decide together, by a model of people.
fn consensus(plan: &CampaignPlan, judgements: &[ItemJudgement], wanted: &str) -> CampaignOutcomes {
    let people = CampaignPeople::of(plan, judgements);
    let mut items = vec![Vec::new(); plan.items.len()];
    for one in counted(plan, judgements) {
        if let (Some(person), Some(answer)) = (people.place(&one.worker), one.action.index()) {
            items[one.item].push(Vote { person, answer });
        }
    }
    let votes = Votes::new(VerifyAction::JUDGEMENTS.len(), people.names.len(), items);
    let (name, fit, refused) = fitted(&votes, &people.controls, wanted);
    let weights: Vec<f64> = fit.people.iter().map(|person| person.weight).collect();
    let mut links: Vec<BTreeMap<&LinkTarget, (usize, f64)>> =
        vec![BTreeMap::new(); plan.items.len()];
    for one in counted(plan, judgements).filter(|one| one.action == VerifyAction::Modify) {
        if let (Some(link), Some(person)) = (&one.link, people.place(&one.worker)) {
            let named = links[one.item].entry(link).or_default();
            named.0 += 1;
            named.1 += weights.get(person).copied().unwrap_or(0.0);
        }
    }
    let outcome = |(at, chances): (usize, &Vec<f64>)| ItemOutcome {
        action: best(chances).map(|answer| VerifyAction::JUDGEMENTS[answer]),
        chances: <[f64; 3]>::try_from(chances.as_slice()).ok(),
        links: ranked(&links[at]),
        judgements: votes.items()[at].len(),
        first: votes.items()[at].first().map(|vote| VerifyAction::JUDGEMENTS[vote.answer]),
        is_decided: false,
    };
    let items = if fit.posteriors.is_empty() {
        vec![ItemOutcome::default(); plan.items.len()]
    } else {
        fit.posteriors.iter().enumerate().map(outcome).collect()
    };
    CampaignOutcomes { items, people: people.names, fits: fit.people, model: name, refused }
}

/// What a model says, or majority where it refuses.
fn fitted(
    votes: &Votes,
    controls: &[ControlAnswers],
    wanted: &str,
) -> (String, WorkerFit, Option<ModelRefused>) {
    let nothing = || WorkerFit {
        posteriors: Vec::new(),
        shares: Vec::new(),
        people: Vec::new(),
        objective: 0.0,
        rounds: 0,
    };
    let of = |name: &str| model(name).map(|model| model.fit(votes, controls));
    match of(wanted) {
        Some(Ok(fit)) => (wanted.to_owned(), fit, None),
        other => {
            let refused = other.and_then(Result::err);
            let fit = of("majority").and_then(Result::ok).unwrap_or_else(nothing);
            ("majority".to_owned(), fit, refused)
        }
    }
}

/// The answer that is at least as likely as all others together; `None` for a tie.
fn best(chances: &[f64]) -> Option<usize> {
    let least = 0.5 - 1e-9;
    let mut likely = (0..chances.len()).filter(|&at| chances[at] >= least);
    let first = likely.next()?;
    likely.next().is_none().then_some(first)
}

/// Links by the weight of who named them, then by how many, then by name.
fn ranked(links: &BTreeMap<&LinkTarget, (usize, f64)>) -> Vec<(LinkTarget, usize)> {
    let mut ranked: Vec<_> = links.iter().collect();
    ranked.sort_by(|(_, one), (_, other)| other.1.total_cmp(&one.1).then(other.0.cmp(&one.0)));
    ranked.into_iter().map(|(link, (people, _))| ((*link).clone(), *people)).collect()
}

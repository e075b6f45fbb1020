//! Simulated co-annotators for a demonstration: they know gold, and err as people do. Whatever shows their answers has to say
//! that they are simulated.

use super::create::GOLD_SOURCE;
use karat_stats::Random;
use karat_verify::plan::CampaignPlan;
use karat_verify::simulation::SimulatedPeople;
use karat_verify::{LinkTarget, VerifyAction};
use std::collections::BTreeSet;

/// What gold says of each item of a plan: the answer of somebody who never errs.
pub fn answers_of_gold(plan: &CampaignPlan) -> Vec<(VerifyAction, Option<LinkTarget>)> {
    let of_gold: BTreeSet<usize> =
        plan.proposals.iter().filter(|one| one.source == GOLD_SOURCE).map(|one| one.item).collect();
    let answer = |at: usize| {
        let item = &plan.items[at];
        let twin = |other: &&usize| {
            let other = &plan.items[**other];
            plan.texts[other.text].document == plan.texts[item.text].document
                && other.span() == item.span()
        };
        let twins: Vec<&LinkTarget> =
            of_gold.iter().filter(twin).map(|other| &plan.items[*other].link).collect();
        match twins.first() {
            _ if twins.contains(&&item.link) => (VerifyAction::Verify, None),
            Some(link) => (VerifyAction::Modify, Some((*link).clone())),
            None => (VerifyAction::Remove, None),
        }
    };
    (0..plan.items.len()).map(answer).collect()
}

/// Somebody who errs, with a seed of their own.
#[derive(Debug)]
pub struct SimulatedPerson {
    rows: [[f64; 3]; 3],
    random: Random,
}

impl SimulatedPerson {
    /// One of some people.
    pub fn of(people: &SimulatedPeople, seed: u64, number: u64) -> SimulatedPerson {
        SimulatedPerson { rows: people.rows, random: Random::new(seed, number) }
    }

    /// What they answer where this is right. Somebody who wrongly modifies names no better link.
    pub fn answer(
        &mut self,
        right: &(VerifyAction, Option<LinkTarget>),
    ) -> (VerifyAction, Option<LinkTarget>) {
        let row = self.rows[right.0.index().unwrap_or(0)];
        let draw = self.random.below(1_000_000) as f64 / 1e6;
        let action = match draw {
            draw if draw < row[0] => VerifyAction::Verify,
            draw if draw < row[0] + row[1] => VerifyAction::Modify,
            _ => VerifyAction::Remove,
        };
        let link = right.1.clone().filter(|_| action == VerifyAction::Modify);
        (action, link)
    }

    /// How long they take for it, in milliseconds.
    pub fn takes(&mut self) -> u32 {
        4000 + self.random.below(9000) as u32
    }
}

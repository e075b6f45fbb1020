//! Disputes: items about which people disagree, and rules that settle many of them at once.
//!
//! A decision is a layer of its own. A rule makes decisions too, by `rule:NAME`, and never touches those of a person.

use crate::outcome::{CampaignOutcomes, ItemDecision, ItemOutcome, counted};
use crate::plan::CampaignPlan;
use crate::{ItemJudgement, VerifyAction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An item that somebody should decide.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Dispute {
    /// The item.
    pub item: usize,
    /// How unsure its outcome is, in bits; from 0 to log2(3).
    pub entropy: f64,
    /// How many sources hang on it.
    pub sources: usize,
}

/// A rule that decides items.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "rule")]
pub enum MergeRule {
    /// Everybody gave the same answer, and so many did.
    Unanimous {
        /// At least so many judgements.
        least: usize,
    },
    /// More than half gave the same answer, of so many judgements.
    Majority {
        /// At least so many judgements.
        least: usize,
    },
    /// The model is this sure.
    Chance {
        /// At least this chance.
        least: f64,
    },
    /// The answer of the person whose votes tell most, of so many judgements.
    BestPerson {
        /// At least so many judgements.
        least: usize,
    },
}

impl MergeRule {
    /// Who decides, as the history has it.
    pub fn name(self) -> &'static str {
        match self {
            MergeRule::Unanimous { .. } => "rule:unanimous",
            MergeRule::Majority { .. } => "rule:majority",
            MergeRule::Chance { .. } => "rule:chance",
            MergeRule::BestPerson { .. } => "rule:best-person",
        }
    }

    /// What the rule decides, of items that nobody has decided.
    pub fn decisions(
        self,
        plan: &CampaignPlan,
        judgements: &[ItemJudgement],
        outcomes: &CampaignOutcomes,
    ) -> Vec<ItemDecision> {
        let mut votes: BTreeMap<usize, [usize; 3]> = BTreeMap::new();
        let mut best: BTreeMap<usize, (f64, &ItemJudgement)> = BTreeMap::new();
        for one in counted(plan, judgements) {
            if let Some(answer) = one.action.index() {
                votes.entry(one.item).or_default()[answer] += 1;
                let weight = outcomes.weight_of(&one.worker);
                let known = best.entry(one.item).or_insert((weight, one));
                // Of two who tell as much, the one who came first.
                if weight > known.0 {
                    *known = (weight, one);
                }
            }
        }
        let decide = |(&item, votes): (&usize, &[usize; 3])| {
            let outcome = outcomes.items.get(item).filter(|outcome| !outcome.is_decided)?;
            if let MergeRule::BestPerson { least } = self {
                let (_, best) = best.get(&item).filter(|_| votes.iter().sum::<usize>() >= least)?;
                return Some(ItemDecision { item, action: best.action, link: best.link.clone() });
            }
            let action = self.action(votes, outcome)?;
            let link = match action {
                VerifyAction::Modify => outcome.links.first().map(|(link, _)| link.clone()),
                _ => None,
            };
            Some(ItemDecision { item, action, link })
        };
        votes.iter().filter_map(decide).collect()
    }

    fn action(self, votes: &[usize; 3], outcome: &ItemOutcome) -> Option<VerifyAction> {
        let all: usize = votes.iter().sum();
        let (answer, most) =
            votes.iter().copied().enumerate().max_by_key(|&(at, votes)| (votes, 3 - at))?;
        let is_settled = match self {
            MergeRule::Unanimous { least } => most == all && all >= least,
            MergeRule::Majority { least } => 2 * most > all && all >= least,
            MergeRule::BestPerson { .. } => return None,
            MergeRule::Chance { least } => {
                let chances = outcome.chances?;
                let at = (0..3).max_by(|&one, &other| {
                    chances[one].total_cmp(&chances[other]).then(other.cmp(&one))
                })?;
                return (chances[at] >= least).then_some(VerifyAction::JUDGEMENTS[at]);
            }
        };
        is_settled.then_some(VerifyAction::JUDGEMENTS[answer])
    }
}

/// Items that should be decided: those whose outcome is open, and those that are less sure than this. The most unsure
/// come first, then those on which most sources hang.
pub fn disputes(plan: &CampaignPlan, outcomes: &CampaignOutcomes, sure: f64) -> Vec<Dispute> {
    let mut sources = vec![0; plan.items.len()];
    for proposal in &plan.proposals {
        sources[proposal.item] += 1;
    }
    let mut disputes = Vec::new();
    for (item, outcome) in outcomes.items.iter().enumerate().filter(|(_, one)| !one.is_decided) {
        let Some(chances) = outcome.chances else { continue };
        let best = chances.into_iter().fold(0.0, f64::max);
        if outcome.is_open() || best < sure {
            let bits = |chance: f64| if chance > 0.0 { -chance * chance.log2() } else { 0.0 };
            let entropy = chances.into_iter().map(bits).sum();
            disputes.push(Dispute { item, entropy, sources: sources[item] });
        }
    }
    disputes.sort_by(|one, other| {
        other
            .entropy
            .total_cmp(&one.entropy)
            .then(other.sources.cmp(&one.sources))
            .then(one.item.cmp(&other.item))
    });
    disputes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{OutcomeRule, outcomes};
    use crate::plan::Redundancy;
    use crate::simulation::SimulationDesign;

    #[test]
    fn rules_settle_what_they_say_and_nothing_that_is_decided() {
        let redundancy = Redundancy::Fixed { judgements: 3 };
        let simulated =
            SimulationDesign { items: 200, redundancy, ..SimulationDesign::default() }.campaign(3);
        let (plan, judgements) = (&simulated.plan, &simulated.judgements);
        let of = |decisions: &[ItemDecision]| {
            outcomes(plan, judgements, decisions, OutcomeRule::Consensus, "dawid-skene-crowd")
        };
        let open = of(&[]);
        let unanimous = MergeRule::Unanimous { least: 2 }.decisions(plan, judgements, &open);
        let majority = MergeRule::Majority { least: 2 }.decisions(plan, judgements, &open);
        assert!(!unanimous.is_empty() && unanimous.len() < majority.len());
        let before = disputes(plan, &open, 0.95);
        assert!(before.windows(2).all(|pair| pair[0].entropy >= pair[1].entropy));
        let decided = of(&majority);
        assert!(disputes(plan, &decided, 0.95).len() < before.len());
        let best = MergeRule::BestPerson { least: 2 }.decisions(plan, judgements, &open);
        assert_eq!(
            best.len(),
            plan.items.iter().filter(|item| item.weight > 0.0).count() - simulated.plan.keys.len()
        );
        let weight = |one: &ItemJudgement| open.weight_of(&one.worker);
        for decision in &best {
            let own = || judgements.iter().filter(|one| one.item == decision.item && one.counted);
            let most = own().map(weight).fold(0.0, f64::max);
            let of_best = own().any(|one| weight(one) == most && one.action == decision.action);
            assert!(of_best, "{decision:?}");
        }
        let again = MergeRule::Chance { least: 0.0 }.decisions(plan, judgements, &decided);
        assert!(again.iter().all(|one| !majority.iter().any(|other| other.item == one.item)));
    }

    #[test]
    fn the_likeliest_answer_is_taken_and_not_the_first_that_is_likely_enough() {
        let outcome = ItemOutcome { chances: Some([0.35, 0.6, 0.05]), ..ItemOutcome::default() };
        let taken = |least: f64| MergeRule::Chance { least }.action(&[1, 2, 0], &outcome);
        assert_eq!(taken(0.3), Some(VerifyAction::Modify));
        assert_eq!(taken(0.7), None);
    }
}

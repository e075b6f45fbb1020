//! Campaigns with simulated people: what a design costs and how sure its rates will be, before anybody is paid.
//!
//! People have a confusion matrix each. They answer controls first; then items go to people who have not seen them, until
//! the redundancy of the design is reached. Outcomes and rates are computed by the code that computes real ones.

use crate::outcome::{CampaignOutcomes, OutcomeRule, outcomes};
use crate::plan::{
    CampaignPlan, CampaignText, ControlKind, ItemKey, ItemKind, Proposal, Redundancy, VerifyItem,
};
use crate::results::{Estimate, KARAT, results};
use crate::{ItemJudgement, LinkTarget, VerifyAction};
use karat_stats::{Bootstrap, Random};
use serde::{Deserialize, Serialize};

/// What is simulated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SimulationDesign {
    /// Items of one campaign.
    pub items: usize,
    /// Items of one document.
    pub per_document: usize,
    /// True shares of verify, modify and remove.
    pub shares: [f64; 3],
    /// Who judges.
    pub people: Vec<SimulatedPeople>,
    /// Controls that everybody answers.
    pub controls: usize,
    /// Who gets a smaller share of controls right is left out; `None` leaves nobody out.
    pub leave_out_below: Option<f64>,
    /// How often items are judged.
    pub redundancy: Redundancy,
    /// What the random numbers depend on.
    pub seed: u64,
}

/// People of one kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulatedPeople {
    /// What they are called.
    pub name: String,
    /// How many there are.
    pub number: usize,
    /// For each right answer, the chances of verify, modify and remove.
    pub rows: [[f64; 3]; 3],
}

impl SimulatedPeople {
    /// Careful people.
    pub fn good(number: usize) -> SimulatedPeople {
        let rows = [[0.96, 0.03, 0.01], [0.15, 0.80, 0.05], [0.15, 0.10, 0.75]];
        SimulatedPeople { name: "good".to_owned(), number, rows }
    }

    /// People who verify too much.
    pub fn sloppy(number: usize) -> SimulatedPeople {
        let rows = [[0.92, 0.06, 0.02], [0.35, 0.58, 0.07], [0.35, 0.15, 0.50]];
        SimulatedPeople { name: "sloppy".to_owned(), number, rows }
    }

    /// People who always verify.
    pub fn nodding(number: usize) -> SimulatedPeople {
        SimulatedPeople { name: "always verify".to_owned(), number, rows: [[1.0, 0.0, 0.0]; 3] }
    }

    /// People who guess.
    pub fn guessing(number: usize) -> SimulatedPeople {
        SimulatedPeople { name: "guess".to_owned(), number, rows: [[1.0 / 3.0; 3]; 3] }
    }
}

impl Default for SimulationDesign {
    /// 600 items, 86 percent right, fifty people of whom five are no good.
    fn default() -> SimulationDesign {
        SimulationDesign {
            items: 600,
            per_document: 5,
            shares: [0.86, 0.10, 0.04],
            people: vec![
                SimulatedPeople::good(30),
                SimulatedPeople::sloppy(15),
                SimulatedPeople::nodding(4),
                SimulatedPeople::guessing(1),
            ],
            controls: 12,
            leave_out_below: Some(0.6),
            redundancy: Redundancy::ADAPTIVE,
            seed: 1,
        }
    }
}

/// A campaign that was simulated, as a real one would be kept, and what was true.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedCampaign {
    /// Items and controls.
    pub plan: CampaignPlan,
    /// The answers, those of people who were left out too; these do not count.
    pub judgements: Vec<ItemJudgement>,
    /// The right answer of each real item.
    pub truth: Vec<VerifyAction>,
    /// People who were left out, by name.
    pub left_out: Vec<String>,
    /// Controls right and answered, by kind of people in the order of the design.
    pub controls: Vec<(usize, usize)>,
}

/// What came out of one campaign.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SimulationOutcome {
    /// Judgements that count, by item.
    pub per_item: f64,
    /// The share of items whose outcome is the right answer; open ones are wrong.
    pub accuracy: f64,
    /// The verification rate.
    pub rate: Option<Estimate>,
    /// The rate corrected by controls.
    pub corrected: Option<Estimate>,
    /// People who were left out.
    pub left_out: usize,
}

impl SimulationOutcome {
    /// Whether the interval of the rate has the true share.
    pub fn covers(&self, share: f64) -> bool {
        let interval = self.rate.and_then(|rate| rate.interval);
        interval.is_some_and(|[low, high]| low <= share && share <= high)
    }
}

/// The model that tells whether an item needs another judgement.
const MODEL: &str = "dawid-skene-crowd";

impl SimulationDesign {
    /// Simulates one campaign of a series.
    pub fn campaign(&self, number: u64) -> SimulatedCampaign {
        let mut random = Random::new(self.seed, number);
        let people: Vec<usize> =
            self.people.iter().enumerate().flat_map(|(kind, one)| vec![kind; one.number]).collect();
        let mut simulated = self.draw(&mut random);
        let answers = self.ask_controls(&people, &mut simulated, &mut random);
        let passes = |person: usize| {
            let (right, all) = answers[person];
            let least = self.leave_out_below.unwrap_or(0.0);
            all == 0 || right as f64 / all as f64 >= least
        };
        let accepted: Vec<usize> = (0..people.len()).filter(|&person| passes(person)).collect();
        let left_out = (0..people.len()).filter(|person| !accepted.contains(person));
        simulated.left_out = left_out.map(name).collect();
        if accepted.is_empty() {
            return simulated;
        }
        let mut seen: Vec<Vec<usize>> = vec![Vec::new(); self.items];
        loop {
            let asked = self.ask(&seen, &simulated);
            let before = simulated.judgements.len();
            for item in asked {
                if seen[item].len() == accepted.len() {
                    continue;
                }
                let mut person = accepted[random.below(accepted.len())];
                while seen[item].contains(&person) {
                    person = accepted[random.below(accepted.len())];
                }
                seen[item].push(person);
                let answer =
                    drawn(&self.rows(people[person])[index(simulated.truth[item])], &mut random);
                simulated.judgements.push(judgement(item, person, answer, simulated.truth[item]));
            }
            if simulated.judgements.len() == before {
                return simulated;
            }
        }
    }

    /// Simulates a campaign and computes what it says.
    pub fn run(&self, number: u64) -> SimulationOutcome {
        let simulated = self.campaign(number);
        let SimulatedCampaign { plan, judgements, truth, left_out, .. } = &simulated;
        let bootstrap = Bootstrap { seed: self.seed ^ number, ..Bootstrap::default() };
        let found = results(plan, judgements, &[], None, &KARAT, &bootstrap);
        let outcomes = outcomes(plan, judgements, &[], OutcomeRule::Consensus, MODEL);
        let right =
            |(item, truth): (usize, &VerifyAction)| outcomes.items[item].action == Some(*truth);
        let right = truth.iter().enumerate().filter(|one| right(*one)).count();
        let source = found.all.sources.first();
        SimulationOutcome {
            per_item: found.judgements as f64 / self.items.max(1) as f64,
            accuracy: right as f64 / self.items.max(1) as f64,
            rate: source.and_then(|source| source.rate),
            corrected: source.and_then(|source| source.corrected),
            left_out: left_out.len(),
        }
    }

    fn rows(&self, kind: usize) -> &[[f64; 3]; 3] {
        &self.people[kind].rows
    }

    /// Items with their right answers.
    fn draw(&self, random: &mut Random) -> SimulatedCampaign {
        let mut plan = CampaignPlan::default();
        let mut truth = Vec::new();
        for item in 0..self.items {
            if item % self.per_document.max(1) == 0 {
                plan.texts.push(text(plan.texts.len()));
            }
            truth.push(VerifyAction::JUDGEMENTS[drawn(&self.shares, random)]);
            plan.items.push(made_up(plan.texts.len() - 1, item, ItemKind::Real));
            plan.proposals.push(Proposal {
                item,
                source: "system".to_owned(),
                spelled: None,
                confidence: None,
            });
        }
        let controls = vec![(0, 0); self.people.len()];
        SimulatedCampaign { plan, judgements: Vec::new(), truth, left_out: Vec::new(), controls }
    }

    /// Everybody answers the same controls, one of each kind in turn. Gives right and all answers of each person.
    fn ask_controls(
        &self,
        people: &[usize],
        simulated: &mut SimulatedCampaign,
        random: &mut Random,
    ) -> Vec<(usize, usize)> {
        let plan = &mut simulated.plan;
        plan.texts.push(text(plan.texts.len()));
        for control in 0..self.controls {
            let kind = ControlKind::ALL[control % 3];
            plan.keys.push(ItemKey {
                item: plan.items.len(),
                actions: kind.actions().to_vec(),
                links: Vec::new(),
                explanation: String::new(),
                origin: "expert".to_owned(),
                confirmed: true,
            });
            plan.items.push(made_up(plan.texts.len() - 1, plan.items.len(), ItemKind::Control));
        }
        let mut answers = vec![(0, 0); people.len()];
        for (person, &kind) in people.iter().enumerate() {
            for (at, key) in simulated.plan.keys.iter().enumerate() {
                let truth = VerifyAction::JUDGEMENTS[at % 3];
                let answer = drawn(&self.people[kind].rows[at % 3], random);
                let is_right = key.actions.contains(&VerifyAction::JUDGEMENTS[answer]);
                answers[person].0 += usize::from(is_right);
                answers[person].1 += 1;
                simulated.judgements.push(judgement(key.item, person, answer, truth));
            }
            simulated.controls[kind].0 += answers[person].0;
            simulated.controls[kind].1 += answers[person].1;
        }
        answers
    }

    /// The items that need another judgement.
    fn ask(&self, seen: &[Vec<usize>], simulated: &SimulatedCampaign) -> Vec<usize> {
        let first = self.redundancy.first();
        let short: Vec<usize> = (0..seen.len()).filter(|&item| seen[item].len() < first).collect();
        if !short.is_empty() || matches!(self.redundancy, Redundancy::Fixed { .. }) {
            return short;
        }
        let CampaignOutcomes { items, .. } =
            outcomes(&simulated.plan, &simulated.judgements, &[], OutcomeRule::Consensus, MODEL);
        let best = |item: usize| {
            items[item].chances.map_or(0.0, |chances| chances.into_iter().fold(0.0, f64::max))
        };
        let needs = |item: &usize| self.redundancy.needs_more(seen[*item].len(), best(*item));
        (0..seen.len()).filter(needs).collect()
    }
}

fn index(action: VerifyAction) -> usize {
    action.index().unwrap_or(0)
}

fn name(person: usize) -> String {
    format!("p{person:03}")
}

fn text(number: usize) -> CampaignText {
    CampaignText {
        document: format!("d{number:05}"),
        dataset: String::new(),
        begin: 0,
        end: 1000,
        words: String::new(),
    }
}

fn made_up(text: usize, item: usize, kind: ItemKind) -> VerifyItem {
    VerifyItem {
        text,
        begin: item as u32 % 50 * 10,
        end: item as u32 % 50 * 10 + 5,
        link: LinkTarget::Entity(format!("E{item}")),
        kind,
        stratum: String::new(),
        probability: 1.0,
        weight: 1.0,
    }
}

fn judgement(item: usize, person: usize, answer: usize, truth: VerifyAction) -> ItemJudgement {
    let action = VerifyAction::JUDGEMENTS[answer];
    let link = match action {
        // Who rightly corrects finds the same entity; who does not finds one of their own.
        VerifyAction::Modify if truth == VerifyAction::Modify => Some(format!("R{item}")),
        VerifyAction::Modify => Some(format!("W{item}-{person}")),
        _ => None,
    };
    ItemJudgement {
        link: link.map(LinkTarget::Entity),
        ..ItemJudgement::new(item, name(person), action)
    }
}

/// One of several things with these chances.
fn drawn(chances: &[f64; 3], random: &mut Random) -> usize {
    let mut left = random.unit();
    for (at, chance) in chances.iter().enumerate() {
        if left < *chance {
            return at;
        }
        left -= chance;
    }
    chances.len() - 1
}

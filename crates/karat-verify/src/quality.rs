//! What is to be known of the people who judge. Flags are for an organiser to look at; nobody is excluded by a rule.

use crate::outcome::{CampaignOutcomes, CampaignPeople, counted};
use crate::plan::{CampaignPlan, ItemKind};
use crate::{ItemJudgement, VerifyAction};
use karat_stats::{percentile, wilson};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is known of one person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PersonQuality {
    /// The pseudonym.
    pub person: String,
    /// Judgements of real items that count.
    pub judgements: usize,
    /// Controls answered rightly.
    pub controls_right: usize,
    /// Controls answered.
    pub controls: usize,
    /// The interval of the accuracy on controls.
    #[serde(default)]
    pub control_interval: Option<[f64; 2]>,
    /// The accuracy on real items, by the model.
    #[serde(default)]
    pub accuracy: Option<f64>,
    /// How much a vote tells, from 0 to 1, by the model.
    #[serde(default)]
    pub weight: Option<f64>,
    /// Shares of verify, modify and remove.
    pub shares: [f64; 3],
    /// The longest run of one answer.
    pub longest_run: usize,
    /// The median of the time on an item, in milliseconds.
    #[serde(default)]
    pub median_ms: Option<f64>,
    /// What an organiser should look at.
    pub flags: Vec<PersonFlag>,
}

/// Something that an organiser should look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonFlag {
    /// Faster than nearly everybody who passes, and wrong on more than one control in five.
    Fast,
    /// A run of one answer that own shares would give once in a thousand.
    StraightLine,
    /// No other answer in thirty, where three or more were to be expected.
    AlwaysVerifies,
    /// Right on fewer than seven controls in ten, as sure as eight or more controls can be.
    Guessing,
}

impl PersonFlag {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            PersonFlag::Fast => "fast",
            PersonFlag::StraightLine => "straight line",
            PersonFlag::AlwaysVerifies => "always verifies",
            PersonFlag::Guessing => "guessing",
        }
    }
}

/// Whether somebody with so many of so many controls right looks like guessing: the upper end of the interval is under .7, with
/// eight controls or more.
pub fn is_guessing(right: usize, controls: usize) -> bool {
    let high = wilson(right as f64, controls as f64, 95.0).map(|found| found.high);
    controls >= 8 && high.is_some_and(|high| high < 0.7)
}

/// What is known of everybody. Judgements must be in the order in which they came.
pub fn people(
    plan: &CampaignPlan,
    judgements: &[ItemJudgement],
    outcomes: &CampaignOutcomes,
) -> Vec<PersonQuality> {
    let known = CampaignPeople::of(plan, judgements);
    let mut answers: BTreeMap<&str, Vec<&ItemJudgement>> = BTreeMap::new();
    for one in counted(plan, judgements) {
        answers.entry(&one.worker).or_default().push(one);
    }
    let passed = |at: usize| {
        let (right, all) = known.right[at];
        all == 0 || right as f64 / all as f64 >= 0.8
    };
    let mut times: Vec<f64> = Vec::new();
    for (_, name) in known.names.iter().enumerate().filter(|(at, _)| passed(*at)) {
        let own = answers.get(name.as_str()).into_iter().flatten();
        times.extend(own.filter_map(|one| one.active_ms).map(|ms| ms as f64));
    }
    times.sort_unstable_by(f64::total_cmp);
    let quick = percentile(&times, 1.0);
    let all: Vec<VerifyAction> = answers.values().flatten().map(|one| one.action).collect();
    let of = |(at, name): (usize, &String)| {
        let own = answers.get(name.as_str()).map_or(&[][..], Vec::as_slice);
        let mut person = measured(name, own, known.right[at]);
        let fit =
            outcomes.people.binary_search(name).ok().and_then(|place| outcomes.fits.get(place));
        person.accuracy = fit.map(|fit| fit.accuracy);
        person.weight = fit.map(|fit| fit.weight);
        person.flags = flags(&person, own, &all, quick);
        person
    };
    known.names.iter().enumerate().map(of).collect()
}

/// What is known of one control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlQuality {
    /// The item.
    pub item: usize,
    /// Answers that are judgements.
    pub answers: usize,
    /// How many of them were right.
    pub right: usize,
    /// Answers of people who are right on at least four in five of the other controls.
    pub good_answers: usize,
    /// How many of these were right.
    pub good_right: usize,
    /// Whether it looks like a mistake of its own: half or more of at least four good people fail it.
    pub is_bad: bool,
}

/// What is known of controls, in the order of the plan; those that were taken out too.
pub fn controls(plan: &CampaignPlan, judgements: &[ItemJudgement]) -> Vec<ControlQuality> {
    let mut of_item: BTreeMap<usize, Vec<(&str, bool)>> = BTreeMap::new();
    let mut of_person: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let keys: BTreeMap<usize, _> = plan.keys.iter().map(|key| (key.item, key)).collect();
    for one in judgements {
        let is_control = plan.items.get(one.item).is_some_and(|it| it.kind == ItemKind::Control);
        let Some(key) = keys.get(&one.item).filter(|_| is_control) else { continue };
        let Some(is_right) = key.accepts(one.action) else { continue };
        of_item.entry(one.item).or_default().push((&one.worker, is_right));
        if key.confirmed {
            let known = of_person.entry(&one.worker).or_default();
            *known = (known.0 + usize::from(is_right), known.1 + 1);
        }
    }
    let quality = |(&item, answers): (&usize, &Vec<(&str, bool)>)| {
        let is_used = keys.get(&item).is_some_and(|key| key.confirmed);
        let is_good = |person: &str, is_right: bool| {
            let (right, all) = of_person.get(person).copied().unwrap_or_default();
            // What somebody said of this control says nothing about it.
            let own = usize::from(is_used);
            let (right, all) = (right - own * usize::from(is_right), all - own);
            all >= 3 && 5 * right >= 4 * all
        };
        let good: Vec<bool> =
            answers.iter().filter(|(who, right)| is_good(who, *right)).map(|one| one.1).collect();
        let good_right = good.iter().filter(|right| **right).count();
        ControlQuality {
            item,
            answers: answers.len(),
            right: answers.iter().filter(|(_, right)| *right).count(),
            good_answers: good.len(),
            good_right,
            is_bad: good.len() >= 4 && 2 * good_right <= good.len(),
        }
    };
    of_item.iter().map(quality).collect()
}

fn measured(
    name: &str,
    own: &[&ItemJudgement],
    (right, controls): (usize, usize),
) -> PersonQuality {
    let share = |action| {
        own.iter().filter(|one| one.action == action).count() as f64 / own.len().max(1) as f64
    };
    let runs = own.chunk_by(|one, other| one.action == other.action).map(<[_]>::len);
    let mut times: Vec<f64> =
        own.iter().filter_map(|one| one.active_ms).map(|ms| ms as f64).collect();
    times.sort_unstable_by(f64::total_cmp);
    let interval = wilson(right as f64, controls as f64, 95.0);
    PersonQuality {
        person: name.to_owned(),
        judgements: own.len(),
        controls_right: right,
        controls,
        control_interval: interval.map(|found| [found.low, found.high]),
        accuracy: None,
        weight: None,
        shares: VerifyAction::JUDGEMENTS.map(share),
        longest_run: runs.max().unwrap_or(0),
        median_ms: percentile(&times, 50.0),
        flags: Vec::new(),
    }
}

fn flags(
    person: &PersonQuality,
    own: &[&ItemJudgement],
    all: &[VerifyAction],
    quick: Option<f64>,
) -> Vec<PersonFlag> {
    let mut flags = Vec::new();
    let accuracy = person.controls_right as f64 / person.controls.max(1) as f64;
    let is_quick = person.median_ms.zip(quick).is_some_and(|(own, quick)| own < quick);
    if is_quick && person.controls > 0 && accuracy < 0.8 {
        flags.push(PersonFlag::Fast);
    }
    if is_straight(person) {
        flags.push(PersonFlag::StraightLine);
    }
    let others = all.len() - own.len();
    let corrected = |actions: &mut dyn Iterator<Item = VerifyAction>| {
        actions.filter(|&action| action != VerifyAction::Verify).count()
    };
    let mine = corrected(&mut own.iter().map(|one| one.action));
    let theirs = corrected(&mut all.iter().copied()) - mine;
    let expected = own.len() as f64 * theirs as f64 / others.max(1) as f64;
    if own.len() >= 30 && mine == 0 && expected >= 3.0 {
        flags.push(PersonFlag::AlwaysVerifies);
    }
    if is_guessing(person.controls_right, person.controls) {
        flags.push(PersonFlag::Guessing);
    }
    flags
}

/// Whether the longest run of one answer is longer than own shares would give in 999 of 1000 cases. The chance of a run
/// of length L among n answers is about `n (1 - p) p^L`, where p is the share of the most frequent answer.
fn is_straight(person: &PersonQuality) -> bool {
    let share = person.shares.iter().copied().fold(0.0, f64::max);
    if share <= 0.0 || share >= 1.0 {
        return false;
    }
    let chance = person.judgements as f64 * (1.0 - share) * share.powi(person.longest_run as i32);
    chance < 0.001
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::SimulationDesign;

    #[test]
    fn a_control_that_good_people_fail_is_bad_and_counts_for_nobody_once_it_is_taken_out() {
        let mut campaign = SimulationDesign { items: 0, ..SimulationDesign::default() }.campaign(2);
        let found = controls(&campaign.plan, &campaign.judgements);
        assert_eq!(found.len(), 12);
        assert!(found.iter().all(|one| !one.is_bad && one.answers == 50), "{found:?}");
        // Its key is wrong: what was right is not.
        let key = &mut campaign.plan.keys[3];
        key.actions = vec![VerifyAction::Remove];
        let item = key.item;
        let found = controls(&campaign.plan, &campaign.judgements);
        let bad: Vec<usize> = found.iter().filter(|one| one.is_bad).map(|one| one.item).collect();
        assert_eq!(bad, [item]);
        let right = |campaign: &crate::simulation::SimulatedCampaign| -> usize {
            let people = CampaignPeople::of(&campaign.plan, &campaign.judgements);
            people.right.iter().map(|(_, all)| all).sum()
        };
        let before = right(&campaign);
        campaign.plan.keys[3].confirmed = false;
        assert_eq!(right(&campaign), before - 50);
    }
}

//! The numbers of a campaign.

use super::counting::{Counting, DocumentTally, SourceTally};
use super::{Acceptance, IntervalKind, Relations, ResultPreset, UnionOf, VerifiedGold, VerifyBias};
use crate::ItemJudgement;
use crate::outcome::{CampaignPeople, ItemDecision, OutcomeRule, outcomes};
use crate::plan::{CampaignPlan, ItemKind};
use karat_stats::{Bootstrap, Counts, Sampling, unwatched};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A number with the interval in which it may lie.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// From and to; `None` where drawing again says nothing.
    #[serde(default)]
    pub interval: Option<[f64; 2]>,
}

impl Estimate {
    /// The same, as wide as it is when what items are is not certain. Chances of items are drawn again as they are, but with
    /// other documents the model would have found other chances: it would have moved further by `1 / (1 - m)`, where m
    /// is the share of what is to be known that the judgements leave open (Louis 1982; Dempster, Laird and Rubin 1977). Of
    /// certain items nothing changes.
    fn with_doubt(self, doubt: f64, all: f64) -> Estimate {
        let known = 1.0 - doubt / (all * self.value * (1.0 - self.value)).max(f64::MIN_POSITIVE);
        // With hardly anything known the formula says nothing; four times as wide is wide enough to be seen.
        let factor = 1.0 / known.clamp(0.25, 1.0);
        let wider = |[low, high]: [f64; 2]| {
            let end = |at: f64| (self.value + factor * (at - self.value)).clamp(0.0, 1.0);
            [end(low), end(high)]
        };
        Estimate { interval: self.interval.map(wider), ..self }
    }
}

/// What a campaign says of its sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CampaignResults {
    /// The preset.
    pub preset: String,
    /// The model that made outcomes, and why not another.
    pub model: String,
    /// Why the model that was wanted was not used.
    #[serde(default)]
    pub refused: Option<String>,
    /// People who judged, and those whose judgements count.
    pub people: usize,
    /// Those whose judgements count.
    pub accepted: usize,
    /// Items, judged or not.
    pub items: usize,
    /// Judgements that count.
    pub judgements: usize,
    /// How much people verify of what is right and of what is wrong, if there are controls.
    #[serde(default)]
    pub bias: Option<VerifyBias>,
    /// All datasets together.
    pub all: GroupResults,
    /// Each dataset, if there are several.
    pub datasets: Vec<GroupResults>,
}

/// What some documents say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GroupResults {
    /// The dataset; empty for all.
    pub dataset: String,
    /// Documents with proposals.
    pub documents: usize,
    /// The sources, by name.
    pub sources: Vec<SourceResults>,
    /// Different units of the union; spans, where it is the verified gold.
    pub union: f64,
    /// Units of the union without overlaps.
    pub union_without_overlaps: f64,
    /// The union against gold: same, other entity, other span, overlap, missing. `None` without a gold source.
    #[serde(default)]
    pub union_to_gold: Option<Relations>,
    /// Gold against the union.
    #[serde(default)]
    pub gold_to_union: Option<Relations>,
    /// The share of the union of which gold has nothing.
    #[serde(default)]
    pub missing: Option<Estimate>,
    /// What no source found, by Chao's estimate: units that one source found, squared, over twice those that two found.
    #[serde(default)]
    pub unseen: Option<f64>,
}

/// What they say of one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceResults {
    /// The source.
    pub source: String,
    /// Proposals with an outcome or without.
    pub proposals: f64,
    /// Verified, modified and removed.
    pub outcomes: [f64; 3],
    /// Proposals without an outcome.
    pub open: f64,
    /// The verification rate.
    #[serde(default)]
    pub rate: Option<Estimate>,
    /// The rate with open proposals as wrong, and as verified.
    #[serde(default)]
    pub rate_if_open: Option<[f64; 2]>,
    /// The rate of first judgements, corrected by how people answered controls. It does not ask the model, which
    /// knows controls as well, so that the two check each other.
    #[serde(default)]
    pub corrected: Option<Estimate>,
    /// Precision after verifying.
    #[serde(default)]
    pub precision: Option<Estimate>,
    /// Recall after verifying: of the union as the preset counts it.
    #[serde(default)]
    pub recall: Option<Estimate>,
    /// Recall of the union without overlaps.
    #[serde(default)]
    pub recall_without_overlaps: Option<Estimate>,
    /// Units that the source has verified.
    pub verified: f64,
    /// Proposals that are right as the preset has it.
    pub hits: f64,
    /// Proposals whose span and link are in the union.
    pub exact_hits: f64,
}

/// The results of a campaign. Judgements must be in the order in which they came; `gold` is the source that is the gold
/// standard, if one is.
pub fn results(
    plan: &CampaignPlan,
    judgements: &[ItemJudgement],
    decisions: &[ItemDecision],
    gold: Option<&str>,
    preset: &ResultPreset,
    bootstrap: &Bootstrap,
) -> CampaignResults {
    let people = CampaignPeople::of(plan, judgements);
    let accepted = accepted(&people, preset.accepted);
    let kept: Vec<ItemJudgement> =
        judgements.iter().filter(|one| accepted.contains(one.worker.as_str())).cloned().collect();
    let found = outcomes(plan, &kept, decisions, preset.outcome, MODEL);
    let verified = VerifiedGold::of(plan, &kept, &found);
    let sources: BTreeSet<&String> = plan.proposals.iter().map(|one| &one.source).collect();
    let sources: Vec<String> = sources.into_iter().cloned().collect();
    let gold = gold.filter(|gold| sources.iter().any(|source| source == gold));
    let counting =
        Counting { plan, outcomes: &found, preset, sources: &sources, gold, verified: &verified };
    let documents = counting.documents();
    let bias = VerifyBias::of(plan, &kept);
    let group = |dataset: &str| {
        let tallies: Vec<&DocumentTally> =
            documents.values().filter(|one| dataset.is_empty() || one.dataset == dataset).collect();
        let summary = Summary { preset, bootstrap, tallies, bias, has_gold: gold.is_some() };
        summary.group(dataset, &sources)
    };
    let datasets: BTreeSet<&str> = documents.values().map(|one| one.dataset.as_str()).collect();
    let is_real = |item: usize| plan.items[item].kind == ItemKind::Real;
    CampaignResults {
        preset: preset.name.to_owned(),
        model: found.model.clone(),
        refused: match preset.outcome {
            OutcomeRule::First => None,
            OutcomeRule::Consensus => found.refused.map(|refused| refused.to_string()),
        },
        people: people.names.len(),
        accepted: accepted.len(),
        items: (0..plan.items.len()).filter(|&item| is_real(item)).count(),
        judgements: found.items.iter().map(|one| one.judgements).sum(),
        bias,
        all: group(""),
        datasets: match datasets.len() {
            0 | 1 => Vec::new(),
            _ => datasets.into_iter().filter(|name| !name.is_empty()).map(group).collect(),
        },
    }
}

/// The model of people behind consensus.
const MODEL: &str = "dawid-skene-crowd";

/// People whose judgements count.
fn accepted(people: &CampaignPeople, rule: Acceptance) -> BTreeSet<&str> {
    let has_controls = people.right.iter().any(|&(_, all)| all > 0);
    let passes = |&(right, all): &(usize, usize)| match rule {
        Acceptance::OfThreeControls(needed) if has_controls => {
            all > 0 && 3 * right >= usize::from(needed) * all
        }
        _ => true,
    };
    let names = people.names.iter().zip(&people.right);
    names.filter(|(_, right)| passes(right)).map(|(name, _)| name.as_str()).collect()
}

/// Documents that are summed up.
struct Summary<'s> {
    preset: &'s ResultPreset,
    bootstrap: &'s Bootstrap,
    tallies: Vec<&'s DocumentTally>,
    bias: Option<VerifyBias>,
    has_gold: bool,
}

impl Summary<'_> {
    fn group(&self, dataset: &str, sources: &[String]) -> GroupResults {
        let sum =
            |of: fn(&DocumentTally) -> f64| self.tallies.iter().map(|one| of(one)).sum::<f64>();
        let relations = |at: usize| {
            let all = self.tallies.iter().map(|one| one.relations[at]);
            self.has_gold.then(|| all.fold(Relations::default(), Relations::and))
        };
        let missing = |one: &DocumentTally| {
            let counts = one.relations[0].counts;
            [counts[4] as f64, counts.iter().sum::<u64>() as f64]
        };
        let (once, twice) = (sum(|one| one.found_by[0]), sum(|one| one.found_by[1]));
        GroupResults {
            dataset: dataset.to_owned(),
            documents: self.tallies.len(),
            sources: sources.iter().enumerate().map(|(at, name)| self.source(at, name)).collect(),
            union: sum(|one| one.union[0]),
            union_without_overlaps: sum(|one| one.union[1]),
            union_to_gold: relations(0),
            gold_to_union: relations(1),
            missing: self.has_gold.then(|| self.share(missing)).flatten(),
            unseen: (twice > 0.0).then(|| once * once / (2.0 * twice)),
        }
    }

    fn source(&self, at: usize, name: &str) -> SourceResults {
        let tally = |one: &DocumentTally| one.sources[at];
        let sum = |of: fn(&SourceTally) -> f64| -> f64 {
            self.tallies.iter().map(|one| of(&one.sources[at])).sum()
        };
        let outcomes =
            [sum(|one| one.outcomes[0]), sum(|one| one.outcomes[1]), sum(|one| one.outcomes[2])];
        let (open, judged): (f64, f64) = (sum(|one| one.open), outcomes.iter().sum());
        let all = open + judged;
        let rate = self.share(|one| tally(one).chance);
        let rate = rate.map(|rate| rate.with_doubt(sum(|one| one.doubt), sum(|one| one.chance[1])));
        let no_overlaps = |one: &DocumentTally| [tally(one).verified, one.union[1]];
        let recall = |one: &DocumentTally| match self.preset.union {
            UnionOf::TextsOfAll => no_overlaps(one),
            _ => [tally(one).verified, one.union[0]],
        };
        SourceResults {
            source: name.to_owned(),
            proposals: all,
            outcomes,
            open,
            rate,
            rate_if_open: (open > 0.0 && all > 0.0)
                .then(|| [outcomes[0] / all, (outcomes[0] + open) / all]),
            corrected: self
                .share(|one| tally(one).first)
                .and_then(|rate| self.bias?.corrected(&rate)),
            precision: self.share(|one| tally(one).hits),
            recall: self.share(recall),
            recall_without_overlaps: self.share(no_overlaps),
            verified: sum(|one| one.verified),
            hits: sum(|one| one.hits[0]),
            exact_hits: sum(|one| one.exact),
        }
    }

    /// A share with its interval, from its two parts in each document.
    fn share(&self, parts: impl Fn(&DocumentTally) -> [f64; 2]) -> Option<Estimate> {
        let rows: Vec<f64> = self.tallies.iter().flat_map(|one| parts(one)).collect();
        let (yes, all) =
            rows.chunks_exact(2).fold((0.0, 0.0), |(yes, all), row| (yes + row[0], all + row[1]));
        if all <= 0.0 {
            return None;
        }
        let interval = match self.preset.interval {
            IntervalKind::Documents => {
                let ratio = |sums: &[f64]| (sums[1] > 0.0).then(|| sums[0] / sums[1]);
                let counts = Counts::new(2, rows);
                let found = self.bootstrap.intervals(&counts, &Sampling::Documents, &[&ratio]);
                found.first().copied().flatten().map(|found| [found.low, found.high])
            }
            IntervalKind::SingleOutcomes => single_outcomes(yes, all, self.bootstrap.seed),
        };
        Some(Estimate { value: yes / all, interval })
    }
}

/// The interval of the original's code: single outcomes are drawn again a thousand times, and the values at 50 and 950
/// among a thousand are taken. It is called one of 95 percent there, and is one of 90.
pub fn single_outcomes(yes: f64, all: f64, seed: u64) -> Option<[f64; 2]> {
    let (yes, all) = (yes.round() as usize, all.round() as usize);
    if all == 0 || yes > all {
        return None;
    }
    let rows = (0..all).map(|at| f64::from(u8::from(at < yes))).collect();
    let draws = Bootstrap { trials: 1000, seed, ..Bootstrap::default() };
    let sums = draws.trial_sums(&Counts::new(1, rows), &Sampling::Documents, &unwatched);
    let mut values: Vec<f64> = sums.rows().map(|row| row[0] / all as f64).collect();
    values.sort_unstable_by(f64::total_cmp);
    Some([*values.get(50)?, *values.get(950)?])
}

//! Judging a part of the items.

use super::CampaignPlan;
use karat_stats::Random;
use std::collections::BTreeMap;

/// Draws so many items of each stratum. What is not drawn keeps its row with chance and weight 0, so that numbers of
/// items stay; what is drawn stands for as many as its stratum has for each drawn.
pub(super) fn sampled(plan: &mut CampaignPlan, size: usize, seed: u64) {
    let mut strata: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, item) in plan.items.iter().enumerate() {
        strata.entry(item.stratum.clone()).or_default().push(at);
    }
    for (number, items) in strata.into_values().enumerate() {
        let mut random = Random::new(seed ^ SAMPLE, number as u64);
        let mut drawn: Vec<(u64, usize)> = items.iter().map(|&at| (random.next(), at)).collect();
        drawn.sort_unstable();
        let taken = size.min(drawn.len());
        let probability = taken as f64 / drawn.len() as f64;
        for (place, (_, at)) in drawn.into_iter().enumerate() {
            let item = &mut plan.items[at];
            let is_taken = place < taken;
            item.probability = if is_taken { probability } else { 0.0 };
            item.weight = if is_taken { 1.0 / probability } else { 0.0 };
        }
    }
}

/// Keeps the draws of samples apart from all others of a seed.
const SAMPLE: u64 = 0x7361_6d70_6c65_6421;

//! Tasks that are made while a campaign runs: follow-ups, practice, repeats.

use super::layers::layers;
use super::{CampaignPlan, CampaignTask, ItemKind, Redundancy, TaskPurpose};
use crate::outcome::CampaignOutcomes;
use karat_stats::Random;
use std::collections::BTreeMap;

/// After so many skips an item is decided by an adjudicator.
pub const MOST_SKIPS: usize = 3;

/// How far the judging of an item has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ItemProgress {
    /// Judgements that count, skips not included.
    pub judgements: usize,
    /// Slots that may still bring one: open or leased.
    pub coming: usize,
    /// People who could not tell.
    pub skips: usize,
}

impl CampaignPlan {
    /// Follow-up tasks: one for each text and layer, with the items that need one more judgement and have none coming. Items
    /// that were skipped too often are left to adjudication.
    pub fn follow_ups(
        &self,
        progress: &[ItemProgress],
        outcomes: &CampaignOutcomes,
        redundancy: Redundancy,
        seed: u64,
    ) -> Vec<CampaignTask> {
        let needs = |at: usize| {
            let is_real = self.items[at].kind == ItemKind::Real && self.items[at].probability > 0.0;
            let one = progress.get(at).copied().unwrap_or_default();
            let chances = outcomes.items.get(at).and_then(|outcome| outcome.chances);
            let best = chances.map_or(0.0, |chances| chances.into_iter().fold(0.0, f64::max));
            is_real
                && one.coming == 0
                && one.skips < MOST_SKIPS
                && redundancy.needs_more(one.judgements, best)
        };
        let mut by_text: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in (0..self.items.len()).filter(|&at| needs(at)) {
            by_text.entry(self.items[at].text).or_default().push(at);
        }
        let mut tasks = Vec::new();
        for (text, items) in by_text {
            let mut random = Random::new(seed ^ FOLLOW_UPS, text as u64);
            for layer in layers(&items, |item| self.items[item].span(), &mut random) {
                tasks.push(task(text, TaskPurpose::More, layer, random.next()));
            }
        }
        tasks
    }

    /// Adds tasks of the items of some texts: those of a text that overlap are in different ones.
    pub fn add_tasks(
        &mut self,
        by_text: &BTreeMap<usize, Vec<usize>>,
        purpose: TaskPurpose,
        seed: u64,
    ) {
        for (&text, items) in by_text {
            let mut random = Random::new(seed ^ ADDED, text as u64);
            let layers = layers(items, |item| self.items[item].span(), &mut random);
            for layer in layers {
                self.tasks.push(task(text, purpose, layer, random.next()));
            }
        }
    }

    /// The same task again, for the person who had it. Its answers tell about the person and do not count.
    pub fn repeat(&self, of: &CampaignTask, shuffle: u64) -> CampaignTask {
        task(of.text, TaskPurpose::Repeat, of.items.clone(), shuffle)
    }

    /// Practice: up to so many confirmed keys with an explanation, a task for each text.
    pub fn practice(&self, most: usize) -> Vec<CampaignTask> {
        let mut by_text: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let known = self.keys.iter().filter(|key| key.confirmed && !key.explanation.is_empty());
        for key in known.take(most) {
            if let Some(item) = self.items.get(key.item) {
                by_text.entry(item.text).or_default().push(key.item);
            }
        }
        let practice = |(text, items)| task(text, TaskPurpose::Practice, items, 0);
        by_text.into_iter().map(practice).collect()
    }
}

/// Keeps the draws of follow-ups apart from all others of a seed.
const FOLLOW_UPS: u64 = 0x6d6f_7265_0000_0001;

/// Keeps the draws of tasks that are added apart from all others of a seed.
const ADDED: u64 = 0x6164_6465_6400_0001;

fn task(text: usize, purpose: TaskPurpose, items: Vec<usize>, shuffle: u64) -> CampaignTask {
    CampaignTask { text, purpose, priority: purpose.priority(), shuffle, items, source: None }
}

//! What organisers look at, put together from what is stored: the same for pages and the API.

use super::judged::judged_file;
use super::steps::DISPUTED_UNDER;
use karat::campaigns::VerifyAction;
use karat::campaigns::adjudication::{Dispute, disputes};
use karat::campaigns::outcome::{CampaignOutcomes, ItemDecision, OutcomeRule, outcomes};
use karat::campaigns::plan::ItemKey;
use karat::campaigns::quality;
use karat::verify::JudgementFile;
use karat_store::{CampaignRow, ItemRow, KeyRow, Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};

/// A campaign with everything that was said about it.
#[derive(Debug)]
pub struct JudgedCampaign {
    /// The campaign.
    pub campaign: CampaignRow,
    /// What is judged, in the order of the plan.
    pub items: Vec<ItemRow>,
    /// The plan and the judgements.
    pub file: JudgementFile,
    /// The decisions that hold.
    pub decisions: Vec<ItemDecision>,
}

impl JudgedCampaign {
    /// Reads all of it.
    pub async fn read(store: &Store, campaign: &CampaignRow) -> Result<JudgedCampaign, StoreError> {
        let items = store.campaign_items(campaign.id).await?;
        let (file, decisions) = judged_file(store, campaign).await?;
        Ok(JudgedCampaign { campaign: campaign.clone(), items, file, decisions })
    }

    /// What items turn out to be.
    pub fn outcomes(&self) -> CampaignOutcomes {
        let JudgementFile { plan, judgements, .. } = &self.file;
        let model = &self.campaign.settings.model;
        outcomes(plan, judgements, &self.decisions, OutcomeRule::Consensus, model)
    }

    /// What should be decided, the most unsure first.
    pub fn disputes(&self, found: &CampaignOutcomes) -> Vec<Dispute> {
        disputes(&self.file.plan, found, DISPUTED_UNDER)
    }

    /// The place of an item in the plan, by its number.
    pub fn place(&self, item: i64) -> Option<usize> {
        self.items.iter().position(|row| row.id == item)
    }

    /// Who proposed an item.
    pub fn sources(&self, place: usize) -> impl Iterator<Item = &str> {
        let all = self.file.plan.proposals.iter().filter(move |one| one.item == place);
        all.map(|one| one.source.as_str())
    }

    /// The counted answers on an item: verified, modified, removed and skipped.
    pub fn votes(&self) -> Vec<[usize; 4]> {
        let mut votes = vec![[0; 4]; self.items.len()];
        for one in self.file.judgements.iter().filter(|one| one.counted) {
            if let Some(own) = votes.get_mut(one.item) {
                own[one.action.index().unwrap_or(3)] += 1;
            }
        }
        votes
    }

    /// How people did on controls, and on what is practised.
    pub fn controls(&self, keys: Vec<KeyRow>) -> Vec<ControlAnswered> {
        let JudgementFile { plan, judgements, .. } = &self.file;
        let bad: BTreeSet<usize> = { quality::controls(plan, judgements).into_iter() }
            .filter(|control| control.is_bad)
            .map(|control| control.item)
            .collect();
        let known: BTreeMap<usize, ItemKey> =
            keys.iter().map(KeyRow::key).map(|key| (key.item, key)).collect();
        let mut answers: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for one in judgements {
            if let Some(is_right) = known.get(&one.item).and_then(|key| key.accepts(one.action)) {
                let (right, all) = answers.entry(one.item).or_default();
                *right += usize::from(is_right);
                *all += 1;
            }
        }
        let of = |key: KeyRow| {
            let place = key.key().item;
            let (right, all) = answers.get(&place).copied().unwrap_or_default();
            ControlAnswered { answers: all, right, is_bad: bad.contains(&place), place, key }
        };
        keys.into_iter().map(of).collect()
    }
}

/// A control, and how people did on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ControlAnswered {
    /// The control.
    pub key: KeyRow,
    /// Its place in the plan.
    pub place: usize,
    /// How many answered it.
    pub answers: usize,
    /// How many of them rightly.
    pub right: usize,
    /// Whether it looks like a mistake of its own, as [`quality::controls`] tells.
    pub is_bad: bool,
}

/// What the action of an answer is called on pages.
pub fn action_words(action: VerifyAction) -> &'static str {
    match action {
        VerifyAction::Verify => "right",
        VerifyAction::Modify => "wrong link",
        VerifyAction::Remove => "not an entity",
        VerifyAction::Skip => "cannot tell",
    }
}

//! A campaign with everything that may be taken away, from what is stored.

use super::judged_file;
use karat::verify::{CampaignRecords, DecisionRecord, PersonRecord};
use karat_store::{CampaignRow, Store, StoreError};
use std::collections::BTreeMap;

/// What is known of a campaign. Notes, which may be personal, are left out unless they are wanted.
pub async fn campaign_records(
    store: &Store,
    campaign: &CampaignRow,
    notes: bool,
) -> Result<CampaignRecords, StoreError> {
    let (file, _) = judged_file(store, campaign).await?;
    let items = store.campaign_items(campaign.id).await?;
    let places: BTreeMap<i64, usize> =
        items.iter().enumerate().map(|(at, item)| (item.id, at)).collect();
    let decisions = store.all_decisions(campaign.id).await?.into_iter();
    let decisions = decisions.filter_map(|row| {
        Some(DecisionRecord {
            id: row.id,
            item: *places.get(&row.item)?,
            who: row.who,
            action: row.action,
            link: row.link,
            reason: row.reason,
            note: row.note,
            supersedes: row.supersedes,
            at: row.at,
        })
    });
    let people = store.campaign_workers(campaign.id).await?.into_iter();
    let people = people.map(|row| PersonRecord {
        pseudonym: row.pseudonym,
        platform: row.platform,
        state: row.state.word().to_owned(),
        device: row.device,
        consent: row.consent_version,
    });
    let records = CampaignRecords {
        name: campaign.name.clone(),
        gold: campaign.settings.gold.clone(),
        model: campaign.settings.model.clone(),
        file,
        decisions: decisions.collect(),
        people: people.collect(),
    };
    Ok(if notes { records } else { records.without_notes() })
}

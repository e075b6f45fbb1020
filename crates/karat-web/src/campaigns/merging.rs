//! Rules that decide many items at once: first a preview with counts, then decisions of their own layer.

use super::judged::judged_file;
use super::steps::{DISPUTED_UNDER, StepError};
use karat::campaigns::adjudication::{MergeRule, disputes};
use karat::campaigns::outcome::{ItemDecision, OutcomeRule, outcomes};
use karat_store::{By, CampaignRow, NewDecision, Store, StoreError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a rule decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct MergePreview {
    /// Who decides, as the history has it: `rule:NAME`.
    pub rule: String,
    /// How many items are verified, modified and removed.
    pub decisions: [usize; 3],
    /// How many of them had another outcome before.
    pub changes: usize,
    /// Disputes before.
    pub disputes_before: usize,
    /// Disputes that are left.
    pub disputes_after: usize,
}

/// What a rule would decide, of the items that no person has decided. What rules decided before is decided anew.
pub async fn preview_merge(
    store: &Store,
    campaign: &CampaignRow,
    rule: MergeRule,
) -> Result<MergePreview, StepError> {
    Ok(merged(store, campaign, rule).await?.0)
}

/// Makes the decisions of a rule.
pub async fn apply_merge(
    store: &Store,
    by: &By,
    campaign: &CampaignRow,
    rule: MergeRule,
) -> Result<MergePreview, StepError> {
    let (preview, decisions) = merged(store, campaign, rule).await?;
    let items = store.campaign_items(campaign.id).await?;
    let decision = |one: ItemDecision| {
        let item = items.get(one.item)?.id;
        let (reason, note) = (String::new(), String::new());
        Some(NewDecision { item, action: Some(one.action), link: one.link, reason, note })
    };
    let decisions: Vec<NewDecision> = decisions.into_iter().filter_map(decision).collect();
    store.decide(by, campaign.id, rule.name(), &decisions).await?;
    Ok(preview)
}

async fn merged(
    store: &Store,
    campaign: &CampaignRow,
    rule: MergeRule,
) -> Result<(MergePreview, Vec<ItemDecision>), StepError> {
    let (file, held) = judged_file(store, campaign).await?;
    let items = store.campaign_items(campaign.id).await?;
    let places: BTreeMap<i64, usize> =
        items.iter().enumerate().map(|(at, item)| (item.id, at)).collect();
    let rows = store.decisions(campaign.id).await?;
    let of_people: Vec<usize> = { rows.iter() }
        .filter(|row| !row.is_by_rule())
        .filter_map(|row| places.get(&row.item).copied())
        .collect();
    let model = campaign.settings.model.clone();
    let work = move || {
        let of = |decisions: &[ItemDecision]| {
            let rule = OutcomeRule::Consensus;
            outcomes(&file.plan, &file.judgements, decisions, rule, &model)
        };
        let by_people: Vec<ItemDecision> =
            held.iter().filter(|one| of_people.contains(&one.item)).cloned().collect();
        let open = of(&by_people);
        let decisions = rule.decisions(&file.plan, &file.judgements, &open);
        let before = of(&held);
        let all: Vec<ItemDecision> = by_people.into_iter().chain(decisions.clone()).collect();
        let left = |found| disputes(&file.plan, found, DISPUTED_UNDER).len();
        let mut counts = [0; 3];
        for at in decisions.iter().filter_map(|one| one.action.index()) {
            counts[at] += 1;
        }
        let is_other =
            |one: &&ItemDecision| before.items[one.item].action.is_some_and(|it| it != one.action);
        let preview = MergePreview {
            rule: rule.name().to_owned(),
            decisions: counts,
            changes: decisions.iter().filter(is_other).count(),
            disputes_before: left(&before),
            disputes_after: left(&of(&all)),
        };
        (preview, decisions)
    };
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| StoreError::Unfit(error.to_string()))?)
}

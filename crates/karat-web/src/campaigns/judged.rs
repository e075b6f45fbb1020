//! Results from what is stored: the same computation as of a file.

use karat::campaigns::outcome::ItemDecision;
use karat::campaigns::plan::CampaignPlan;
use karat::error::Error;
use karat::verify::{JudgementFile, VerifyReportAnswer, VerifyReportRequest};
use karat::work::Work;
use karat_store::{CampaignRow, DecisionRow, Store, StoreError, StoredJudgement};
use std::collections::BTreeMap;

/// A campaign as files have it, and the decisions that hold. Earlier revisions are left out; answers that do not count are
/// marked.
pub async fn judged_file(
    store: &Store,
    campaign: &CampaignRow,
) -> Result<(JudgementFile, Vec<ItemDecision>), StoreError> {
    let plan = store.campaign_plan(campaign.id).await?;
    let rows = store.campaign_judgements(campaign.id).await?;
    let places: BTreeMap<i64, usize> = {
        let items = store.campaign_items(campaign.id).await?;
        items.iter().enumerate().map(|(at, item)| (item.id, at)).collect()
    };
    let decision = |row: &DecisionRow| {
        let item = *places.get(&row.item)?;
        Some(ItemDecision { item, action: row.action?, link: row.link.clone() })
    };
    let decisions = store.decisions(campaign.id).await?.iter().filter_map(decision).collect();
    let judgements = newest(&rows).map(StoredJudgement::judgement).collect::<Result<_, _>>()?;
    let names = names(&plan);
    Ok((JudgementFile { plan, judgements, names }, decisions))
}

/// Of each task the answers of the last revision, in the order in which they came. What does not count is left only where
/// nothing of the same person on the same item counts.
fn newest(rows: &[StoredJudgement]) -> impl Iterator<Item = &StoredJudgement> {
    let mut last: BTreeMap<(i64, i64, i64), (bool, i64)> = BTreeMap::new();
    for row in rows {
        let best = last.entry((row.slot, row.item, row.worker)).or_insert((row.counted, row.id));
        if (row.counted, row.id) > *best {
            *best = (row.counted, row.id);
        }
    }
    rows.iter().filter(move |row| {
        last.get(&(row.slot, row.item, row.worker)) == Some(&(row.counted, row.id))
    })
}

/// Names of items in files: their places in the plan.
fn names(plan: &CampaignPlan) -> Vec<String> {
    (0..plan.items.len()).map(|at| at.to_string()).collect()
}

/// What a campaign says. The request names the preset, the draws and the seed; its file is not looked at.
pub fn report(
    (file, decisions): (&JudgementFile, &[ItemDecision]),
    campaign: &CampaignRow,
    request: &VerifyReportRequest,
    work: &Work,
) -> Result<VerifyReportAnswer, Error> {
    let gold = request.gold.clone().or_else(|| campaign.settings.gold.clone());
    let has = |name: &String| file.plan.proposals.iter().any(|one| one.source == *name);
    let request = VerifyReportRequest { gold: gold.filter(has), ..request.clone() };
    request.answer_of(file, decisions, work)
}

/// The results that are frozen when a campaign is closed.
pub fn results_json(answer: &VerifyReportAnswer) -> Result<String, Error> {
    serde_json::to_string(&answer.results)
        .map_err(|error| Error::bad_request(error.to_string(), "this is a mistake of karat"))
}

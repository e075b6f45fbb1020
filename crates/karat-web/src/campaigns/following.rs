//! What a campaign needs while nobody looks: leases end, items get more judgements, a campaign pauses or forgets by itself.

use karat::campaigns::life::{CampaignEvent, CampaignState, PauseReason};
use karat::campaigns::outcome::{OutcomeRule, outcomes};
use karat_store::{By, CampaignRow, Store, StoreError};

/// What was done for a campaign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watched {
    /// Leases that ended.
    pub ended: u64,
    /// Tasks that were added.
    pub follow_ups: usize,
    /// Whether it was paused.
    pub paused: bool,
    /// People who were forgotten.
    pub forgotten: usize,
}

const DAY: i64 = 24 * 3600 * 1000;
/// So many assignments decide whether a campaign pauses by itself.
const LOOKED_AT: i64 = 50;

/// Adds tasks for items that need another judgement and have none coming: skipped ones, and with adaptive redundancy those that
/// are not sure.
pub async fn follow_up(store: &Store, campaign: &CampaignRow) -> Result<usize, StoreError> {
    let progress = store.item_progress(campaign.id).await?;
    let redundancy = campaign.settings.design.redundancy;
    // Most of the time nothing can be missing: every item has something coming, or enough.
    let may_need = |one: &karat::campaigns::plan::ItemProgress| one.coming == 0;
    if !progress.iter().any(may_need) {
        return Ok(0);
    }
    let plan = store.campaign_plan(campaign.id).await?;
    let judgements = store.judged_items(campaign.id).await?;
    let model = campaign.settings.model.clone();
    let seed = campaign.settings.design.seed ^ plan.tasks.len() as u64;
    let computed = tokio::task::spawn_blocking(move || {
        let found = outcomes(&plan, &judgements, &[], OutcomeRule::Consensus, &model);
        plan.follow_ups(&progress, &found, redundancy, seed)
    });
    let tasks = computed.await.map_err(|error| StoreError::Unfit(error.to_string()))?;
    store.add_follow_ups(campaign.id, &tasks).await
}

/// Does what time brings, for one campaign.
pub async fn watch(store: &Store, campaign: &CampaignRow) -> Result<Watched, StoreError> {
    let mut done = Watched::default();
    let by = By::server();
    if campaign.state.takes_answers() {
        done.ended = store.expire_leases(campaign.id).await?;
    }
    if campaign.state.leases() {
        done.follow_ups = follow_up(store, campaign).await?;
    }
    if campaign.state == CampaignState::Open
        && let Some(why) = must_pause(store, campaign).await?
    {
        let event = CampaignEvent::Pause(why);
        done.paused = store.step_campaign(&by, campaign.id, event, None).await.is_ok();
    }
    if let (Some(days), Some(_)) = (campaign.settings.retention_days, campaign.closed) {
        let before = store.now() - i64::from(days) * DAY;
        done.forgotten = store.forget_after_retention(&by, campaign.id, before).await?;
    }
    Ok(done)
}

async fn must_pause(
    store: &Store,
    campaign: &CampaignRow,
) -> Result<Option<PauseReason>, StoreError> {
    let progress = store.campaign_progress(campaign.id).await?;
    let pay = campaign.settings.pay.as_ref().map_or(0.0, |pay| pay.amount);
    let passed = store.passed_assignments(campaign.id, LOOKED_AT).await?;
    Ok(PauseReason::by_itself(progress.paid as f64 * pay, campaign.settings.budget, &passed))
}

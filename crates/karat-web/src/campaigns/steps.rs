//! The life of a campaign, with the facts that decide each step.

use super::judged::{judged_file, report, results_json};
use karat::campaigns::adjudication::disputes;
use karat::campaigns::life::{CampaignEvent, CampaignState, PauseReason};
use karat::campaigns::outcome::{OutcomeRule, outcomes};
use karat::error::Error;
use karat::verify::{VerifyReportAnswer, VerifyReportRequest};
use karat::work::Work;
use karat_store::{By, CampaignRow, Store, StoreError, StoredJudgement};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// An item whose likeliest answer is less likely than this is disputed.
pub const DISPUTED_UNDER: f64 = 0.9;

/// A step that an organiser wants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StepWanted {
    /// `calibrating`, `open`, `paused`, `resumed`, `closing`, `adjudicating`, `closed` or `archived`.
    pub to: String,
    /// Why, for a pause.
    #[serde(default)]
    pub reason: String,
    /// Opens without calibration.
    #[serde(default)]
    pub skip_calibration: bool,
    /// Goes on without three controls of each kind, said aloud.
    #[serde(default)]
    pub no_controls: bool,
    /// Closes although not everything is judged.
    #[serde(default)]
    pub unfinished: bool,
    /// Accepts disputes that nobody decided as unresolved.
    #[serde(default)]
    pub accept_rest: bool,
}

impl StepWanted {
    /// The same on the way to another state.
    #[must_use]
    pub fn going(self, to: &str) -> StepWanted {
        StepWanted { to: to.to_owned(), ..self }
    }
}

/// Why a step was not taken.
#[derive(Debug, thiserror::Error)]
pub enum StepError {
    /// There is no such state.
    #[error(
        "`{0}` is no step: calibrating, open, paused, resumed, closing, adjudicating, closed or archived"
    )]
    Unknown(String),
    /// Results cannot be computed.
    #[error(transparent)]
    Results(#[from] Error),
    /// The store did not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Takes a step. Computing results takes a while; it is done on a thread that may take long.
pub async fn step(
    store: &Store,
    by: &By,
    campaign: &CampaignRow,
    wanted: &StepWanted,
) -> Result<CampaignRow, StepError> {
    let id = campaign.id;
    let mut frozen = None;
    let event = match wanted.to.as_str() {
        "calibrating" => calibrate(store, campaign, wanted).await?,
        "open" => {
            let (people, items) = calibrated(&store.campaign_judgements(id).await?);
            CampaignEvent::Open { people, items, skip: wanted.skip_calibration }
        }
        "paused" => CampaignEvent::Pause(PauseReason::Organiser(wanted.reason.clone())),
        "resumed" => {
            let paused_in = campaign.paused_in.unwrap_or(CampaignState::Open);
            CampaignEvent::Resume { paused_in }
        }
        "closing" => {
            super::follow_up(store, campaign).await?;
            let all_done = store.campaign_progress(id).await?.slots.all_done();
            CampaignEvent::Close { all_done, said: wanted.unfinished }
        }
        "adjudicating" => {
            store.expire_leases(id).await?;
            let live = store.campaign_progress(id).await?.live_leases;
            CampaignEvent::Adjudicate { live_leases: usize::try_from(live).unwrap_or(usize::MAX) }
        }
        "closed" => {
            let (answer, left) = computed(store, campaign).await?;
            frozen = Some(results_json(&answer)?);
            CampaignEvent::Settle { disputes: left, accept_rest: wanted.accept_rest }
        }
        "archived" => CampaignEvent::Archive,
        other => return Err(StepError::Unknown(other.to_owned())),
    };
    let (row, _) = store.step_campaign(by, id, event, frozen.as_deref()).await?;
    Ok(row)
}

/// Begins a campaign. A draft goes to calibration, and no further unless that is skipped; from there, and from then on, it
/// is opened for all.
pub async fn begin(
    store: &Store,
    by: &By,
    campaign: &CampaignRow,
    wanted: &StepWanted,
) -> Result<CampaignRow, StepError> {
    let mut campaign = campaign.clone();
    if campaign.state == CampaignState::Draft {
        campaign = step(store, by, &campaign, &wanted.clone().going("calibrating")).await?;
        if !wanted.skip_calibration {
            return Ok(campaign);
        }
    }
    step(store, by, &campaign, &wanted.clone().going("open")).await
}

/// Ends a campaign: judging, then adjudication, then its results are frozen. It goes as far as it can.
pub async fn end(
    store: &Store,
    by: &By,
    campaign: &CampaignRow,
    wanted: &StepWanted,
) -> Result<CampaignRow, StepError> {
    let mut campaign = campaign.clone();
    if matches!(campaign.state, CampaignState::Open | CampaignState::Paused) {
        campaign = step(store, by, &campaign, &wanted.clone().going("closing")).await?;
    }
    if campaign.state == CampaignState::Closing {
        campaign = step(store, by, &campaign, &wanted.clone().going("adjudicating")).await?;
    }
    step(store, by, &campaign, &wanted.clone().going("closed")).await
}

async fn calibrate(
    store: &Store,
    campaign: &CampaignRow,
    wanted: &StepWanted,
) -> Result<CampaignEvent, StoreError> {
    let id = campaign.id;
    let guidelines = store.campaign_page(id, "guidelines").await?;
    let consent = store.campaign_page(id, "consent").await?;
    Ok(CampaignEvent::Calibrate {
        texts: store.campaign_texts(id).await?.len(),
        has_texts_for_people: guidelines.is_some() && consent.is_some(),
        controls: store.control_pool(id).await?,
        no_controls: wanted.no_controls || campaign.settings.no_controls,
    })
}

/// People who judged in the calibration, and items that all of them judged.
fn calibrated(rows: &[StoredJudgement]) -> (usize, usize) {
    let mut judged: BTreeMap<i64, BTreeSet<i64>> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.counted) {
        judged.entry(row.item).or_default().insert(row.worker);
    }
    let people: BTreeSet<i64> = judged.values().flatten().copied().collect();
    (people.len(), judged.values().filter(|by| by.len() == people.len()).count())
}

/// The results of now, and how many disputes nobody has decided.
async fn computed(
    store: &Store,
    campaign: &CampaignRow,
) -> Result<(VerifyReportAnswer, usize), StepError> {
    let judged = judged_file(store, campaign).await?;
    let campaign = campaign.clone();
    let work = move || -> Result<(VerifyReportAnswer, usize), Error> {
        let (file, decisions) = &judged;
        let rule = OutcomeRule::Consensus;
        let model = &campaign.settings.model;
        let found = outcomes(&file.plan, &file.judgements, decisions, rule, model);
        let left = disputes(&file.plan, &found, DISPUTED_UNDER).len();
        let request = VerifyReportRequest::default();
        Ok((report((file, decisions), &campaign, &request, &Work::default())?, left))
    };
    let done = tokio::task::spawn_blocking(work).await;
    Ok(done.map_err(|error| StoreError::Unfit(error.to_string()))??)
}

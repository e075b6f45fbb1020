//! Campaigns as a whole: making them, changing them, their states, and what people read.

use super::plan;
use super::rows::{CampaignRow, as_json, campaign_columns, ordered};
use crate::audit::{self, By};
use crate::ids::{checked_name, sha256};
use crate::sql::{Access, Columns, Stored, args, locking};
use crate::{Result, Store, StoreError};
use karat_verify::CampaignSettings;
use karat_verify::life::{CampaignEffect, CampaignEvent, CampaignState, PauseReason};
use karat_verify::plan::CampaignPlan;
use serde::{Deserialize, Serialize};

/// A campaign to be made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewCampaign {
    /// Its name in addresses and commands.
    pub name: String,
    /// Its title.
    pub title: String,
    /// What its organiser decides.
    pub settings: CampaignSettings,
    /// A digest of the gold it is about.
    pub base_digest: String,
    /// A digest of the knowledge base behind its links; empty if there is none.
    pub kb_digest: String,
    /// What is judged.
    pub plan: CampaignPlan,
    /// What people read before the work.
    pub guidelines: String,
    /// What people agree to.
    pub consent: String,
}

/// What of a campaign is changed. `None` leaves a field as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CampaignChange {
    /// Its title.
    pub title: Option<String>,
    /// Its settings. After the opening only those that are not frozen may differ.
    pub settings: Option<CampaignSettings>,
}

/// A text that people read, in one version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignPageRow {
    /// `guidelines` or `consent`.
    pub kind: String,
    /// From 1.
    pub version: i64,
    /// The text.
    pub body: String,
    /// The SHA-256 of the text.
    pub digest: String,
    /// When it was written.
    pub made: i64,
}

impl Stored for CampaignPageRow {
    fn read(columns: &mut Columns) -> Result<CampaignPageRow> {
        Ok(CampaignPageRow {
            kind: columns.take()?,
            version: columns.take()?,
            body: columns.take()?,
            digest: columns.take()?,
            made: columns.take()?,
        })
    }
}

/// The object of a campaign in the audit.
pub(crate) fn object(campaign: i64) -> String {
    format!("campaign {campaign}")
}

impl Store {
    /// Makes a campaign with all its texts, items, tasks and slots. It is a draft.
    pub async fn add_campaign(&self, by: &By, new: &NewCampaign) -> Result<CampaignRow> {
        checked_name(&new.name)?;
        fitting(&new.settings)?;
        let mut act = self.write().await?;
        let id = crate::numbers::numbers_within(&mut act, 1).await?.start;
        let now = self.now();
        let left_out = as_json(&(&new.plan.left_out, &new.plan.vanished))?;
        let settings = as_json(&new.settings)?;
        let sql = "INSERT INTO campaign (id, name, title, kind, state, settings, seed, base_digest, \
                   kb_digest, left_out, assignments, created, version) \
                   VALUES ($1, $2, $3, 'verify', 'draft', $4, $5, $6, $7, $8, 0, $9, 1)";
        let NewCampaign { name, title, base_digest, kb_digest, .. } = new;
        let seed = ordered(new.settings.design.seed);
        let args = args![id, name, title, &settings, seed, base_digest, kb_digest, &left_out, now];
        act.run(sql, args).await.map_err(|error| error.named("campaign", name))?;
        plan::write(&mut act, id, &new.plan, new.settings.design.redundancy.first()).await?;
        for (kind, body) in [("guidelines", &new.guidelines), ("consent", &new.consent)] {
            if !body.trim().is_empty() {
                write_page(&mut act, id, kind, body, now).await?;
            }
        }
        let row = by_id(&mut act, id).await?;
        let detail = audit::change(None, Some(&row))?;
        audit::append(&mut act, by, "campaign.add", &object(id), &detail, now).await?;
        act.commit().await?;
        Ok(row)
    }

    /// All campaigns, the newest first.
    pub async fn campaigns(&self) -> Result<Vec<CampaignRow>> {
        let sql = campaign_columns!("ORDER BY id DESC LIMIT 1000");
        self.read().await?.all(sql, args![]).await
    }

    /// A campaign by its name.
    pub async fn campaign(&self, name: &str) -> Result<CampaignRow> {
        let row = self.read().await?.one(campaign_columns!("WHERE name = $1"), args![name]).await?;
        row.ok_or_else(|| StoreError::not_found("campaign", name))
    }

    /// A campaign by its number.
    pub async fn campaign_by_id(&self, id: i64) -> Result<CampaignRow> {
        by_id(&mut self.read().await?, id).await
    }

    /// Changes a campaign that has this version.
    pub async fn change_campaign(
        &self,
        by: &By,
        id: i64,
        version: i64,
        change: &CampaignChange,
    ) -> Result<CampaignRow> {
        change.settings.as_ref().map_or(Ok(()), fitting)?;
        let mut act = self.write().await?;
        let before = locked(&mut act, id).await?;
        if before.version != version {
            return Err(StoreError::Stale { what: "campaign", id: before.name });
        }
        let settings = change.settings.as_ref().unwrap_or(&before.settings);
        if let (Some(_), Some(why)) = (&before.frozen, before.settings.frozen_difference(settings))
        {
            return Err(StoreError::NotNow { what: "campaign", id: before.name, why });
        }
        if before.state != CampaignState::Draft && (before.settings.design != settings.design) {
            let why = "was built already: texts, tasks and redundancy stay as they are";
            return Err(StoreError::NotNow { what: "campaign", id: before.name, why });
        }
        let title = change.title.as_ref().unwrap_or(&before.title);
        let sql =
            "UPDATE campaign SET title = $2, settings = $3, version = version + 1 WHERE id = $1";
        act.run(sql, args![id, title, &as_json(settings)?]).await?;
        let after = by_id(&mut act, id).await?;
        let detail = audit::change(Some(&before), Some(&after))?;
        audit::append(&mut act, by, "campaign.change", &object(id), &detail, self.now()).await?;
        act.commit().await?;
        Ok(after)
    }

    /// Steps a campaign. The facts that decide whether it may are in the event; [`Store::campaign_progress`] and
    /// [`Store::control_pool`] have them. `frozen` is what `FreezeResults` keeps: the results as JSON.
    ///
    /// The effects were done, but for `ComputeOutcomes`, which is the caller's.
    pub async fn step_campaign(
        &self,
        by: &By,
        id: i64,
        event: CampaignEvent,
        frozen: Option<&str>,
    ) -> Result<(CampaignRow, Vec<CampaignEffect>)> {
        let mut act = self.write().await?;
        let before = locked(&mut act, id).await?;
        let now = self.now();
        // Where it goes on is known here, and not to be said by anybody.
        let event = match (event, before.paused_in) {
            (CampaignEvent::Resume { .. }, Some(paused_in)) => CampaignEvent::Resume { paused_in },
            (event, _) => event,
        };
        let why = match &event {
            CampaignEvent::Pause(PauseReason::Organiser(why)) => Some(why.clone()),
            CampaignEvent::Pause(PauseReason::Budget) => Some("the budget is spent".into()),
            CampaignEvent::Pause(PauseReason::FailedControls) => Some(
                "more than one in five of the last fifty assignments failed their controls".into(),
            ),
            _ => None,
        };
        let (state, effects) = { before.state }
            .step(event.clone(), now.cast_unsigned())
            .map_err(|why| StoreError::Step { what: "campaign", id: before.name.clone(), why })?;
        let paused_in = (state == CampaignState::Paused).then(|| before.state.name().to_owned());
        let sql = "UPDATE campaign SET state = $2, paused_in = $3, paused_why = $4, \
                   version = version + 1 WHERE id = $1";
        act.run(sql, args![id, state.name(), &paused_in, &why]).await?;
        for effect in &effects {
            done(&mut act, &before, *effect, frozen, now).await?;
        }
        let after = by_id(&mut act, id).await?;
        let what = serde_json::json!({ "event": event, "from": before.state, "to": state,
            "settings": after.frozen, "results": after.result_digest });
        let act_name = format!("campaign.{}", state.name());
        audit::append(&mut act, by, &act_name, &object(id), &what.to_string(), now).await?;
        act.commit().await?;
        Ok((after, effects))
    }

    /// The results that were frozen when the campaign was closed, as JSON.
    pub async fn frozen_results(&self, id: i64) -> Result<Option<String>> {
        let sql = "SELECT result FROM campaign WHERE id = $1";
        let row: Option<(Option<String>,)> = self.read().await?.one(sql, args![id]).await?;
        Ok(row.and_then(|(result,)| result))
    }

    /// Writes a new version of a text that people read: `guidelines` or `consent`.
    pub async fn write_campaign_page(
        &self,
        by: &By,
        id: i64,
        kind: &str,
        body: &str,
    ) -> Result<CampaignPageRow> {
        if !["guidelines", "consent"].contains(&kind) {
            return Err(StoreError::Unfit(format!("`{kind}` is no text of a campaign")));
        }
        let mut act = self.write().await?;
        locked(&mut act, id).await?;
        let now = self.now();
        write_page(&mut act, id, kind, body, now).await?;
        let page = page(&mut act, id, kind).await?;
        let page = page.ok_or(StoreError::Malformed("a text that was not written"))?;
        let detail =
            serde_json::json!({ "kind": kind, "version": page.version, "digest": page.digest });
        let detail = detail.to_string();
        audit::append(&mut act, by, "campaign.text", &object(id), &detail, now).await?;
        act.commit().await?;
        Ok(page)
    }

    /// The newest version of a text that people read.
    pub async fn campaign_page(&self, id: i64, kind: &str) -> Result<Option<CampaignPageRow>> {
        page(&mut self.read().await?, id, kind).await
    }

    /// All versions of all texts that people read.
    pub async fn campaign_pages(&self, id: i64) -> Result<Vec<CampaignPageRow>> {
        let sql = "SELECT kind, version, body, digest, made FROM campaign_page \
                   WHERE campaign = $1 ORDER BY kind, version";
        self.read().await?.all(sql, args![id]).await
    }
}

/// The longest lease in minutes: a week.
const LONGEST_LEASE: u32 = 10_080;

/// Refuses limits that nobody could keep.
fn fitting(settings: &CampaignSettings) -> Result<()> {
    let lease = settings.lease_minutes;
    if lease.is_some_and(|minutes| !(1..=LONGEST_LEASE).contains(&minutes)) {
        let why = format!("a lease lasts from 1 to {LONGEST_LEASE} minutes");
        return Err(StoreError::Unfit(why));
    }
    if settings.places == Some(0) || settings.assignments_each == Some(0) {
        let why = "there is at least one assignment, in all and for each person";
        return Err(StoreError::Unfit(why.into()));
    }
    Ok(())
}

async fn done(
    act: &mut Access,
    campaign: &CampaignRow,
    effect: CampaignEffect,
    frozen: Option<&str>,
    now: i64,
) -> Result<()> {
    let id = campaign.id;
    match effect {
        CampaignEffect::FreezeSettings => {
            let digest = sha256(as_json(&campaign.settings)?.as_bytes());
            let sql = "UPDATE campaign SET frozen = $2, opened = $3 WHERE id = $1";
            act.run(sql, args![id, &digest, now]).await?;
        }
        CampaignEffect::FreezeResults => {
            let results = frozen.ok_or_else(|| StoreError::Unfit("no results to freeze".into()))?;
            let sql =
                "UPDATE campaign SET result = $2, result_digest = $3, closed = $4 WHERE id = $1";
            act.run(sql, args![id, results, &sha256(results.as_bytes()), now]).await?;
        }
        // The state says it: nothing is leased then.
        CampaignEffect::StopLeases | CampaignEffect::ComputeOutcomes => {}
    }
    Ok(())
}

async fn write_page(act: &mut Access, id: i64, kind: &str, body: &str, now: i64) -> Result<()> {
    let sql = "INSERT INTO campaign_page (campaign, kind, version, body, digest, made) \
               SELECT $1, $2, COALESCE(MAX(version), 0) + 1, $3, $4, $5 FROM campaign_page \
               WHERE campaign = $1 AND kind = $2";
    act.run(sql, args![id, kind, body, &sha256(body.as_bytes()), now]).await?;
    Ok(())
}

async fn page(access: &mut Access, id: i64, kind: &str) -> Result<Option<CampaignPageRow>> {
    let sql = "SELECT kind, version, body, digest, made FROM campaign_page \
               WHERE campaign = $1 AND kind = $2 ORDER BY version DESC LIMIT 1";
    access.one(sql, args![id, kind]).await
}

pub(super) async fn by_id(access: &mut Access, id: i64) -> Result<CampaignRow> {
    let row = access.one(campaign_columns!("WHERE id = $1"), args![id]).await?;
    row.ok_or_else(|| StoreError::not_found("campaign", &id.to_string()))
}

/// A campaign that nobody else changes until the end of the transaction.
pub(super) async fn locked(act: &mut Access, id: i64) -> Result<CampaignRow> {
    let sql = act.with_lock(locking!("SELECT id FROM campaign WHERE id = $1", "FOR NO KEY UPDATE"));
    act.one::<(i64,)>(sql, args![id]).await?;
    by_id(act, id).await
}

/// The same where what is to be written decides results: once they are frozen, nothing of the kind is written.
pub(super) async fn unsettled(act: &mut Access, id: i64) -> Result<CampaignRow> {
    let row = locked(act, id).await?;
    let was_closed = row.paused_in == Some(CampaignState::Closed);
    let why = match row.state {
        CampaignState::Closed => {
            "is closed, and its results are frozen: reopen it, and close it anew"
        }
        CampaignState::Archived => "is archived, and its results are frozen",
        // It may still go back to its end as it is.
        CampaignState::Paused if was_closed => {
            "has frozen results: close it anew, and decide before they are frozen again"
        }
        _ => return Ok(row),
    };
    Err(StoreError::NotNow { what: "campaign", id: row.name, why })
}

/// A campaign whose state does not change until the end of the transaction.
pub(super) async fn shared(act: &mut Access, id: i64) -> Result<CampaignRow> {
    let sql = act.with_lock(locking!("SELECT id FROM campaign WHERE id = $1", "FOR SHARE"));
    act.one::<(i64,)>(sql, args![id]).await?;
    by_id(act, id).await
}

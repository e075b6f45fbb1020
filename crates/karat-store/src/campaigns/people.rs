//! People in a campaign, and their assignments.

use super::life;
use super::rows::{as_json, count, json};
use crate::audit::{self, By};
use crate::ids::new_id;
use crate::sql::{Access, Columns, Stored, args, locking};
use crate::words::words;
use crate::{Result, Store, StoreError};
use karat_verify::life::{
    AssignmentEffect, AssignmentEvent, AssignmentState, CampaignState, Ending, SlotEvent,
};
use serde::{Deserialize, Serialize};

words! {
    /// Where somebody is in a campaign.
    WorkerState {
        /// Gets tasks.
        Active = "active",
        /// Gets no new tasks for now; what is submitted counts.
        Paused = "paused",
        /// Excluded: nothing counts.
        Excluded = "excluded",
    }
}

/// Ids that a platform has for somebody. They are kept encrypted.
pub type ExternalId = karat_verify::platform::Arrived;

/// Somebody who comes to a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CampaignArrival {
    /// The name of the platform.
    pub platform: String,
    /// Who it is there.
    pub external: ExternalId,
    /// The id of the account, where people are known by one.
    pub person: Option<String>,
    /// The language of the browser.
    pub locale: String,
    /// `desktop`, `tablet` or `phone`; nothing else is kept of the device.
    pub device: String,
}

/// Somebody in one campaign. The id that a platform has for them is asked for apart ([`Store::external_id`]).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct WorkerRow {
    /// The number.
    pub id: i64,
    /// The campaign.
    pub campaign: i64,
    /// The platform.
    pub platform: String,
    /// The name by which results know them: random, and of this campaign only.
    pub pseudonym: String,
    /// The account, if there is one.
    pub person: Option<String>,
    /// Where they are.
    pub state: WorkerState,
    /// The version of the consent that they agreed to.
    pub consent_version: Option<i64>,
    /// When they agreed.
    pub consented: Option<i64>,
    /// The language of the browser.
    pub locale: String,
    /// The class of the device.
    pub device: String,
    /// What they chose on the page, as JSON.
    pub settings: String,
    /// When they came.
    pub made: i64,
}

/// The columns of [`WorkerRow`], in order.
macro_rules! worker_columns {
    ($rest:literal) => {
        concat!(
            "SELECT id, campaign, platform, pseudonym, person, state, consent_version, consented, \
             locale, device, settings, made FROM worker ",
            $rest
        )
    };
}

impl Stored for WorkerRow {
    fn read(columns: &mut Columns) -> Result<WorkerRow> {
        Ok(WorkerRow {
            id: columns.take()?,
            campaign: columns.take()?,
            platform: columns.take()?,
            pseudonym: columns.take()?,
            person: columns.take()?,
            state: columns.take()?,
            consent_version: columns.take()?,
            consented: columns.take()?,
            locale: columns.take()?,
            device: columns.take()?,
            settings: columns.take()?,
            made: columns.take()?,
        })
    }
}

/// What was drawn for an assignment.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct AssignmentPlan {
    /// Tasks, controls included.
    pub tasks: usize,
    /// The places of the controls, from 0.
    pub controls: Vec<usize>,
}

/// What is paid as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct AssignmentRow {
    /// The number.
    pub id: i64,
    /// The campaign.
    pub campaign: i64,
    /// Who has it.
    pub worker: i64,
    /// Its number in the campaign, from 0.
    pub n: i64,
    /// The platform.
    pub platform: String,
    /// Where it is.
    #[schema(value_type = Object)]
    pub state: AssignmentState,
    /// What was drawn for it.
    pub plan: AssignmentPlan,
    /// Tasks that were given out, by places.
    pub given: i64,
    /// When it was entered.
    pub started: i64,
    /// When it ended.
    pub finished: Option<i64>,
    /// The completion code, once it ended.
    pub code: Option<String>,
}

/// The columns of [`AssignmentRow`], in order.
macro_rules! assignment_columns {
    ($rest:literal) => {
        concat!(
            "SELECT id, campaign, worker, n, platform, body, plan, given, started, finished, code \
             FROM assignment ",
            $rest
        )
    };
}
pub(super) use assignment_columns;

impl Stored for AssignmentRow {
    fn read(columns: &mut Columns) -> Result<AssignmentRow> {
        Ok(AssignmentRow {
            id: columns.take()?,
            campaign: columns.take()?,
            worker: columns.take()?,
            n: columns.take()?,
            platform: columns.take()?,
            state: json(&columns.take::<String>()?, "state of an assignment")?,
            plan: json(&columns.take::<String>()?, "plan of an assignment")?,
            given: columns.take()?,
            started: columns.take()?,
            finished: columns.take()?,
            code: columns.take()?,
        })
    }
}

/// Somebody with an assignment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CampaignPerson {
    /// Who.
    pub worker: WorkerRow,
    /// What they do.
    pub assignment: AssignmentRow,
}

impl Store {
    /// Somebody comes. Whoever came before with the same ids gets the same; without an id of an assignment, the one that has
    /// not ended, or a new one.
    pub async fn enter_campaign(
        &self,
        campaign: i64,
        arrival: &CampaignArrival,
    ) -> Result<CampaignPerson> {
        let key = self.key()?;
        let scope = format!("{campaign} {}", arrival.platform);
        let known = key.digest(&format!("worker {scope}"), &arrival.external.worker);
        let known_assignment = { arrival.external.assignment.as_ref() }
            .map(|id| key.digest(&format!("assignment {scope}"), id));
        let sealed = key.seal(&format!("worker {known}"), &arrival.external.worker)?;
        let mut act = self.write().await?;
        // The number of assignments is on the row of the campaign, so whoever comes waits for others who come.
        let row = life::locked(&mut act, campaign).await?;
        let now = self.now();
        let sql = worker_columns!("WHERE campaign = $1 AND platform = $2 AND known = $3");
        let found: Option<WorkerRow> =
            act.one(sql, args![campaign, &arrival.platform, &known]).await?;
        let worker = match found {
            Some(worker) => worker,
            None => {
                new_worker_may_come(&row)?;
                let id = crate::numbers::numbers_within(&mut act, 1).await?.start;
                let sql = "INSERT INTO worker (id, campaign, platform, external, known, pseudonym, person, \
                           state, locale, device, settings, made) \
                           VALUES ($1, $2, $3, $4, $5, $6, $7, 'active', $8, $9, '{}', $10)";
                let pseudonym = new_id()?;
                let CampaignArrival { platform, person, locale, device, .. } = arrival;
                let args = args![
                    id, campaign, platform, &sealed, &known, &pseudonym, person, locale, device,
                    now
                ];
                act.run(sql, args).await?;
                worker_by_id(&mut act, id).await?
            }
        };
        let known_row = match &known_assignment {
            Some(known) => {
                let sql =
                    assignment_columns!("WHERE campaign = $1 AND platform = $2 AND known = $3");
                act.one(sql, args![campaign, &arrival.platform, known]).await?
            }
            None => {
                let sql = assignment_columns!(
                    "WHERE worker = $1 AND finished IS NULL ORDER BY id DESC LIMIT 1"
                );
                act.one(sql, args![worker.id]).await?
            }
        };
        let assignment: AssignmentRow = match known_row {
            Some(assignment) => assignment,
            None => {
                let known = known_assignment.as_deref();
                new_assignment(&mut act, self, &row, &worker, arrival, known).await?
            }
        };
        if assignment.worker != worker.id {
            return Err(StoreError::Unfit("this assignment belongs to somebody else".into()));
        }
        act.commit().await?;
        Ok(CampaignPerson { worker, assignment })
    }

    /// Steps an assignment: consent, the check, the end. Ending it frees its leases where the step says so.
    pub async fn step_assignment(
        &self,
        id: i64,
        event: AssignmentEvent,
    ) -> Result<(AssignmentRow, Vec<AssignmentEffect>)> {
        let mut act = self.write().await?;
        let before = assignment_locked(&mut act, id).await?;
        let now = self.now();
        let event = match event {
            // Whether there is nothing left is known here.
            AssignmentEvent::Finish => self.finishing(&mut act, &before).await?,
            other => other,
        };
        let step = step(&mut act, self, &before, event, now).await?;
        act.commit().await?;
        Ok(step)
    }

    /// What finishing is: the end, or the end because nothing is left to be given.
    async fn finishing(
        &self,
        act: &mut Access,
        assignment: &AssignmentRow,
    ) -> Result<AssignmentEvent> {
        let AssignmentState::Working { done, of } = assignment.state else {
            return Ok(AssignmentEvent::Finish);
        };
        if done >= of {
            return Ok(AssignmentEvent::Finish);
        }
        let campaign = life::by_id(act, assignment.campaign).await?;
        let is_over = !campaign.state.leases();
        let left = super::lease::is_anything_left(act, self, &campaign, assignment).await?;
        Ok(if left && !is_over { AssignmentEvent::Finish } else { AssignmentEvent::NothingLeft })
    }

    /// An assignment by its number.
    pub async fn assignment(&self, id: i64) -> Result<AssignmentRow> {
        assignment_by_id(&mut self.read().await?, id).await
    }

    /// Somebody by number.
    pub async fn worker(&self, id: i64) -> Result<WorkerRow> {
        worker_by_id(&mut self.read().await?, id).await
    }

    /// Everybody in a campaign, in the order in which they came.
    pub async fn campaign_workers(&self, campaign: i64) -> Result<Vec<WorkerRow>> {
        let sql = worker_columns!("WHERE campaign = $1 ORDER BY id");
        self.read().await?.all(sql, args![campaign]).await
    }

    /// All assignments of a campaign, in the order in which they were entered.
    pub async fn campaign_assignments(&self, campaign: i64) -> Result<Vec<AssignmentRow>> {
        let sql = assignment_columns!("WHERE campaign = $1 ORDER BY n");
        self.read().await?.all(sql, args![campaign]).await
    }

    /// The ids that a platform has for an assignment and its person: for the way back, and for paying. `None` once they
    /// were forgotten.
    pub async fn external_id(&self, assignment: i64) -> Result<Option<ExternalId>> {
        let sql = "SELECT w.external, w.known, a.external FROM assignment a \
                   JOIN worker w ON w.id = a.worker WHERE a.id = $1";
        type Sealed = (Option<String>, Option<String>, Option<String>);
        let row: Option<Sealed> = self.read().await?.one(sql, args![assignment]).await?;
        let Some((worker, known, own)) = row else {
            return Err(StoreError::not_found("assignment", &assignment.to_string()));
        };
        let (Some(worker), Some(known)) = (worker, known) else { return Ok(None) };
        let key = self.key()?;
        let worker = key.open(&format!("worker {known}"), &worker)?;
        let mut external = match own {
            Some(own) => json(
                &key.open(&format!("assignment {assignment}"), &own)?,
                "external ids of an assignment",
            )?,
            None => ExternalId::default(),
        };
        external.worker = worker;
        Ok(Some(external))
    }

    /// The assignment that a platform knows by this id, for its notices.
    pub async fn assignment_by_external(
        &self,
        campaign: i64,
        platform: &str,
        external: &str,
    ) -> Result<Option<AssignmentRow>> {
        let known = self.key()?.digest(&format!("assignment {campaign} {platform}"), external);
        let sql = assignment_columns!("WHERE campaign = $1 AND platform = $2 AND known = $3");
        self.read().await?.one(sql, args![campaign, platform, &known]).await
    }

    /// Keeps what somebody chose on the page, as JSON.
    pub async fn set_worker_settings(&self, worker: i64, settings: &str) -> Result<()> {
        let mut act = self.write().await?;
        act.run("UPDATE worker SET settings = $2 WHERE id = $1", args![worker, settings]).await?;
        act.commit().await
    }

    /// Pauses somebody, or lets them go on. Excluding is [`Store::exclude_worker`].
    pub async fn pause_worker(
        &self,
        by: &By,
        worker: i64,
        is_paused: bool,
        reason: &str,
    ) -> Result<WorkerRow> {
        let mut act = self.write().await?;
        let before = worker_locked(&mut act, worker).await?;
        if before.state == WorkerState::Excluded {
            let why = "is excluded";
            return Err(StoreError::NotNow { what: "person", id: before.pseudonym, why });
        }
        let state = if is_paused { WorkerState::Paused } else { WorkerState::Active };
        act.run("UPDATE worker SET state = $2 WHERE id = $1", args![worker, state]).await?;
        let detail = serde_json::json!({ "person": before.pseudonym, "reason": reason });
        let (name, object) = (format!("person.{}", state.word()), life::object(before.campaign));
        audit::append(&mut act, by, &name, &object, &detail.to_string(), self.now()).await?;
        act.commit().await?;
        Ok(WorkerRow { state, ..before })
    }

    /// True the first time that a platform sends an event with this id.
    pub async fn is_new_hook_event(&self, platform: &str, event: &str) -> Result<bool> {
        let mut act = self.write().await?;
        let sql = "INSERT INTO hook_event (platform, event, at) VALUES ($1, $2, $3) \
                   ON CONFLICT (platform, event) DO NOTHING";
        let new = act.run(sql, args![platform, event, self.now()]).await? > 0;
        act.commit().await?;
        Ok(new)
    }
}

fn new_worker_may_come(campaign: &super::CampaignRow) -> Result<()> {
    if campaign.state.leases() || campaign.state == CampaignState::Paused {
        return Ok(());
    }
    let why = match campaign.state {
        CampaignState::Draft => "is not open yet",
        _ => "is over",
    };
    Err(StoreError::NotNow { what: "campaign", id: campaign.name.clone(), why })
}

async fn new_assignment(
    act: &mut Access,
    store: &Store,
    campaign: &super::CampaignRow,
    worker: &WorkerRow,
    arrival: &CampaignArrival,
    known: Option<&str>,
) -> Result<AssignmentRow> {
    new_worker_may_come(campaign)?;
    let refuse = |why| StoreError::NotNow { what: "campaign", id: campaign.name.clone(), why };
    let settings = &campaign.settings;
    let sql = "SELECT COUNT(*) FROM assignment WHERE worker = $1";
    let own = act.number(sql, args![worker.id]).await?;
    if settings.assignments_each.is_some_and(|most| own >= count(most)) {
        return Err(refuse("gives everybody so many assignments, and you have had them"));
    }
    let sql =
        "UPDATE campaign SET assignments = assignments + 1 WHERE id = $1 RETURNING assignments";
    let n: Option<(i64,)> = act.one(sql, args![campaign.id]).await?;
    let n = n.map_or(0, |(all,)| all - 1);
    let sql = "SELECT COUNT(*) FROM assignment WHERE campaign = $1 \
               AND (state <> 'ended' OR code IS NOT NULL)";
    if let Some(places) = settings.places
        && act.number(sql, args![campaign.id]).await? >= count(places)
    {
        return Err(refuse("has no free places"));
    }
    let design = &settings.design;
    let plan = AssignmentPlan {
        tasks: design.assignment.tasks,
        controls: design.assignment.control_places(design.seed, n.cast_unsigned()),
    };
    let id = crate::numbers::numbers_within(act, 1).await?.start;
    let external = as_json(&ExternalId { worker: String::new(), ..arrival.external.clone() })?;
    let sealed = store.key()?.seal(&format!("assignment {id}"), &external)?;
    let body = as_json(&AssignmentState::Entered)?;
    let sql = "INSERT INTO assignment (id, campaign, worker, n, platform, external, known, state, body, \
               plan, given, started) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, 'entered', $8, $9, 0, $10)";
    let (plan, now) = (as_json(&plan)?, store.now());
    let platform = &arrival.platform;
    let args = args![id, campaign.id, worker.id, n, platform, &sealed, known, &body, &plan, now];
    act.run(sql, args).await?;
    assignment_by_id(act, id).await
}

/// Steps an assignment that is locked, and does what follows.
pub(super) async fn step(
    act: &mut Access,
    store: &Store,
    before: &AssignmentRow,
    event: AssignmentEvent,
    now: i64,
) -> Result<(AssignmentRow, Vec<AssignmentEffect>)> {
    let (state, effects) = before
        .state
        .step(event, now.cast_unsigned())
        .map_err(|why| StoreError::Step { what: "assignment", id: before.id.to_string(), why })?;
    let mut after = AssignmentRow { state, ..before.clone() };
    if let (AssignmentState::Ended { how, .. }, None) = (&after.state, after.finished) {
        after.finished = Some(now);
        after.code = code(act, store, &after, *how).await?;
    }
    let body = as_json(&after.state)?;
    let sql = "UPDATE assignment SET state = $2, body = $3, finished = $4, code = $5 WHERE id = $1";
    let args = args![after.id, after.state.name(), &body, after.finished, &after.code];
    act.run(sql, args).await?;
    for effect in &effects {
        match effect {
            AssignmentEffect::RecordConsent => {
                let sql = "UPDATE worker SET consented = $2, consent_version = (SELECT MAX(version) \
                           FROM campaign_page WHERE campaign = $3 AND kind = 'consent') WHERE id = $1";
                act.run(sql, args![after.worker, now, after.campaign]).await?;
            }
            AssignmentEffect::ForgetExternalId => {
                // The digest stays, so that somebody who did not agree is known again; the id itself goes.
                let sql = "UPDATE worker SET external = NULL WHERE id = $1 AND consented IS NULL";
                act.run(sql, args![after.worker]).await?;
            }
            AssignmentEffect::FreeLeases => free_leases(act, &after, now).await?,
            AssignmentEffect::ShowCode(_) => {}
        }
    }
    Ok((after, effects))
}

/// The completion code of an ending: what the organiser gave, or a random one. Those who were not paid have none of
/// ours.
async fn code(
    act: &mut Access,
    store: &Store,
    assignment: &AssignmentRow,
    how: Ending,
) -> Result<Option<String>> {
    let campaign = life::by_id(act, assignment.campaign).await?;
    let settings = campaign.settings.platforms.get(&assignment.platform);
    let given = settings.and_then(|settings| {
        let platform = karat_verify::platform::platform(&assignment.platform)?;
        platform.code(how, &settings.codes).map(str::to_owned)
    });
    if given.is_some() || !how.is_paid() {
        return Ok(given);
    }
    // Ours is a signature: it can be checked, and not be guessed.
    Ok(Some(store.sign("completion code", &assignment.id.to_string())?[..12].to_uppercase()))
}

/// The leases of an assignment end at once, and what still comes is surplus.
async fn free_leases(act: &mut Access, assignment: &AssignmentRow, now: i64) -> Result<()> {
    let sql = act.with_lock(locking!(
        "SELECT s.id, s.campaign, s.task, s.text, s.purpose, s.place, s.priority, s.shuffle, \
         s.state, s.worker, s.token, s.expires FROM slot s JOIN lease l ON l.token = s.token \
         WHERE s.worker = $1 AND s.state IN ('leased', 'open') AND l.assignment = $2 ORDER BY s.id",
        "FOR NO KEY UPDATE OF s"
    ));
    let slots: Vec<super::slots::SlotRow> =
        act.all(sql, args![assignment.worker, assignment.id]).await?;
    for slot in slots {
        let event = SlotEvent::Exclude { worker: assignment.worker.cast_unsigned() };
        if let Ok((state, _)) = slot.state.step(event, now.cast_unsigned()) {
            super::slots::save(act, slot.id, &state).await?;
        }
    }
    Ok(())
}

pub(super) async fn worker_by_id(access: &mut Access, id: i64) -> Result<WorkerRow> {
    let row = access.one(worker_columns!("WHERE id = $1"), args![id]).await?;
    row.ok_or_else(|| StoreError::not_found("person", &id.to_string()))
}

pub(super) async fn worker_locked(act: &mut Access, id: i64) -> Result<WorkerRow> {
    let sql = act.with_lock(locking!("SELECT id FROM worker WHERE id = $1", "FOR NO KEY UPDATE"));
    act.one::<(i64,)>(sql, args![id]).await?;
    worker_by_id(act, id).await
}

pub(super) async fn assignment_by_id(access: &mut Access, id: i64) -> Result<AssignmentRow> {
    let row = access.one(assignment_columns!("WHERE id = $1"), args![id]).await?;
    row.ok_or_else(|| StoreError::not_found("assignment", &id.to_string()))
}

pub(super) async fn assignment_locked(act: &mut Access, id: i64) -> Result<AssignmentRow> {
    let sql =
        act.with_lock(locking!("SELECT id FROM assignment WHERE id = $1", "FOR NO KEY UPDATE"));
    act.one::<(i64,)>(sql, args![id]).await?;
    assignment_by_id(act, id).await
}

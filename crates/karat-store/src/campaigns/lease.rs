//! Giving out tasks.

use super::life;
use super::people::{self, AssignmentRow, WorkerRow, WorkerState};
use super::rows::{CampaignRow, TextRow, count};
use super::slots::{self, NewSlot, SlotRow, slot_columns};
use crate::ids::{hex, random};
use crate::sql::{Access, Columns, Stored, args, locking};
use crate::{Result, Store, StoreError};
use karat_verify::LinkTarget;
use karat_verify::life::{AssignmentState, SlotEffect, SlotEvent};
use serde::{Deserialize, Serialize};

/// What somebody who asks for a task gets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum LeaseAnswer {
    /// A task.
    Task(Box<LeasedTask>),
    /// None, and why.
    Nothing(NoLease),
}

/// Why somebody gets no task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoLease {
    /// The assignment has all its tasks: submit them and finish.
    AssignmentFull,
    /// Nothing is left that this person may be given: finish.
    NothingLeft,
    /// The campaign is paused, or no longer gives out tasks.
    NotOpen,
    /// The person is paused.
    PersonPaused,
    /// The assignment has ended, or its person has not agreed yet.
    NotWorking,
}

/// A task that somebody was given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct LeasedTask {
    /// What answers are submitted with.
    pub token: String,
    /// Until when, in milliseconds since 1970.
    pub expires: i64,
    /// Its place in the assignment, from 0.
    pub n: i64,
    /// Tasks of the assignment.
    pub of: i64,
    /// Its text.
    pub text: TextRow,
    /// What is judged, in the order of the text.
    pub items: Vec<LeasedItem>,
    /// The task; not shown to those who judge.
    #[serde(skip)]
    pub task: i64,
    /// The slot; not shown to those who judge.
    #[serde(skip)]
    pub slot: i64,
    /// What the task is for; not shown to those who judge, who must not know controls.
    #[serde(skip)]
    pub purpose: String,
}

/// An item as it is shown: without its sources, and whether its answer is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct LeasedItem {
    /// Its number.
    pub id: i64,
    /// Where it begins in the document, in code points.
    pub start: i64,
    /// Where it ends.
    pub end: i64,
    /// What it is said to mean.
    #[schema(value_type = String)]
    pub link: LinkTarget,
}

impl Stored for LeasedItem {
    fn read(columns: &mut Columns) -> Result<LeasedItem> {
        Ok(LeasedItem {
            id: columns.take()?,
            start: columns.take()?,
            end: columns.take()?,
            link: LinkTarget::from(columns.take::<String>()?),
        })
    }
}

/// What a lease depends on.
struct Asking {
    campaign: CampaignRow,
    assignment: AssignmentRow,
    worker: WorkerRow,
    now: i64,
    lasts: u64,
}

/// After so many other tasks one may be shown again.
const REPEAT_AFTER: i64 = 10;

impl Store {
    /// Gives somebody a task: the one they have, or a new one. With `holding` it is another than the one with this token,
    /// to be fetched ahead; nobody holds more than two.
    pub async fn lease_task(
        &self,
        assignment: i64,
        holding: Option<&str>,
        is_paid: bool,
    ) -> Result<LeaseAnswer> {
        let first = self.numbers(1).await?.start;
        let (store, holding) = (self.clone(), holding.map(str::to_owned));
        self.grouped(move |act| {
            Box::pin(async move {
                lease(act, &store, assignment, holding.as_deref(), is_paid, first).await
            })
        })
        .await
    }

    /// Somebody is still at work: the lease lasts longer. Gives the time at which it ends.
    pub async fn extend_lease(&self, token: &str, is_paid: bool) -> Result<i64> {
        let (store, token) = (self.clone(), token.to_owned());
        self.grouped(move |act| {
            Box::pin(async move {
                let slot = slot_of(act, &token).await?;
                let campaign = life::by_id(act, slot.campaign).await?;
                let (now, lasts) = (store.now(), campaign.settings.lease_lasts(is_paid));
                let event = SlotEvent::Heartbeat { token: token.clone(), lasts };
                let stepped = slot.state.step(event, now.cast_unsigned());
                let (state, _) = stepped.map_err(|why| StoreError::Step {
                    what: "lease",
                    id: token.clone(),
                    why,
                })?;
                slots::save(act, slot.id, &state).await?;
                Ok(now + lasts.cast_signed())
            })
        })
        .await
    }

    /// The task of a token as it was given out, also after it was submitted.
    pub async fn leased_task(&self, token: &str) -> Result<LeasedTask> {
        let mut read = self.read().await?;
        let slot = slot_of_unlocked(&mut read, token).await?;
        shown(&mut read, &slot, token).await
    }

    /// Who has a token, and in which assignment.
    pub async fn lease_holder(&self, token: &str) -> Result<(WorkerRow, AssignmentRow)> {
        let mut read = self.read().await?;
        let sql = "SELECT worker, assignment FROM lease WHERE token = $1";
        let row: Option<(i64, i64)> = read.one(sql, args![token]).await?;
        let (worker, assignment) = row.ok_or_else(|| StoreError::not_found("lease", token))?;
        let worker = people::worker_by_id(&mut read, worker).await?;
        Ok((worker, people::assignment_by_id(&mut read, assignment).await?))
    }

    /// Leases whose time is over end. Leasing does the same; this is for campaigns that nobody asks.
    pub async fn expire_leases(&self, campaign: i64) -> Result<u64> {
        let mut act = self.write().await?;
        let ended = slots::expire(&mut act, campaign, self.now()).await?;
        act.commit().await?;
        Ok(ended)
    }
}

/// The slot that a token was given for, locked.
pub(super) async fn slot_of(act: &mut Access, token: &str) -> Result<SlotRow> {
    let sql = act.with_lock(locking!(
        "SELECT s.id, s.campaign, s.task, s.text, s.purpose, s.place, s.priority, s.shuffle, \
         s.state, s.worker, s.token, s.expires FROM slot s JOIN lease l ON l.slot = s.id \
         WHERE l.token = $1",
        "FOR NO KEY UPDATE OF s"
    ));
    let row = act.one(sql, args![token]).await?;
    row.ok_or_else(|| StoreError::not_found("lease", token))
}

async fn slot_of_unlocked(access: &mut Access, token: &str) -> Result<SlotRow> {
    let sql = slot_columns!("JOIN lease l ON l.slot = s.id WHERE l.token = $1");
    let row = access.one(sql, args![token]).await?;
    row.ok_or_else(|| StoreError::not_found("lease", token))
}

async fn lease(
    act: &mut Access,
    store: &Store,
    assignment: i64,
    holding: Option<&str>,
    is_paid: bool,
    number: i64,
) -> Result<LeaseAnswer> {
    let nothing = |why| Ok(LeaseAnswer::Nothing(why));
    let found = people::assignment_by_id(act, assignment).await?;
    let campaign = life::shared(act, found.campaign).await?;
    let assignment = people::assignment_locked(act, assignment).await?;
    let worker = people::worker_locked(act, assignment.worker).await?;
    let AssignmentState::Working { .. } = assignment.state else {
        return nothing(NoLease::NotWorking);
    };
    if worker.state != WorkerState::Active {
        return nothing(NoLease::PersonPaused);
    }
    let now = store.now();
    let lasts = campaign.settings.lease_lasts(is_paid);
    if let Some(mine) = live_lease(act, &assignment, holding, now).await? {
        return Ok(LeaseAnswer::Task(Box::new(mine)));
    }
    if !campaign.state.leases() {
        return nothing(NoLease::NotOpen);
    }
    if assignment.given >= count(assignment.plan.tasks) {
        return again(act, &Asking { campaign, assignment, worker, now, lasts }).await;
    }
    slots::expire(act, campaign.id, now).await?;
    let asking = Asking { campaign, assignment, worker, now, lasts };
    let Some(slot) = asking.next_slot(act, number).await? else {
        return nothing(NoLease::NothingLeft);
    };
    let leased = asking.give(act, &slot, asking.assignment.given).await?;
    let sql = "UPDATE assignment SET given = given + 1 WHERE id = $1";
    act.run(sql, args![asking.assignment.id]).await?;
    Ok(LeaseAnswer::Task(Box::new(leased)))
}

/// A live lease of this assignment, other than the one that is held.
async fn live_lease(
    act: &mut Access,
    assignment: &AssignmentRow,
    holding: Option<&str>,
    now: i64,
) -> Result<Option<LeasedTask>> {
    let sql = slot_columns!(
        "JOIN lease l ON l.token = s.token WHERE s.worker = $1 AND s.state = 'leased' \
         AND s.expires >= $2 AND l.assignment = $3 AND s.token <> $4 ORDER BY l.n, s.id LIMIT 1"
    );
    let args = args![assignment.worker, now, assignment.id, holding.unwrap_or_default()];
    let Some(slot) = act.one::<SlotRow>(sql, args).await? else { return Ok(None) };
    let token = match &slot.state {
        karat_verify::life::SlotState::Leased { token, .. } => token.clone(),
        _ => return Err(StoreError::Malformed("a lease that is none")),
    };
    Ok(Some(shown(act, &slot, &token).await?))
}

/// All tasks were given out, and some of them may have ended before they were submitted: the person gets the same slot again
/// while nobody else has it, or another one for the place.
async fn again(act: &mut Access, asking: &Asking) -> Result<LeaseAnswer> {
    let sql = "SELECT n FROM lease WHERE assignment = $1 GROUP BY n \
               HAVING MAX(COALESCE(submitted, 0)) = 0 ORDER BY n LIMIT 1";
    let place: Option<(i64,)> = act.one(sql, args![asking.assignment.id]).await?;
    let Some((place,)) = place else { return Ok(LeaseAnswer::Nothing(NoLease::AssignmentFull)) };
    // It may still be held by this person, as the one that is shown.
    let sql = "SELECT COUNT(*) FROM lease l JOIN slot s ON s.token = l.token \
               WHERE l.assignment = $1 AND l.n = $2 AND s.state = 'leased' AND s.expires >= $3";
    if act.number(sql, args![asking.assignment.id, place, asking.now]).await? > 0 {
        return Ok(LeaseAnswer::Nothing(NoLease::AssignmentFull));
    }
    slots::expire(act, asking.campaign.id, asking.now).await?;
    match asking.open_slot(act).await? {
        Some(slot) => Ok(LeaseAnswer::Task(Box::new(asking.give(act, &slot, place).await?))),
        None => Ok(LeaseAnswer::Nothing(NoLease::NothingLeft)),
    }
}

/// Whether there is anything that the person of an assignment could be given now, or still holds.
pub(super) async fn is_anything_left(
    act: &mut Access,
    store: &Store,
    campaign: &CampaignRow,
    assignment: &AssignmentRow,
) -> Result<bool> {
    let worker = people::worker_by_id(act, assignment.worker).await?;
    let now = store.now();
    if live_lease(act, assignment, None, now).await?.is_some() {
        return Ok(true);
    }
    slots::expire(act, campaign.id, now).await?;
    let (campaign, assignment) = (campaign.clone(), assignment.clone());
    let asking = Asking { campaign, assignment, worker, now, lasts: 0 };
    Ok(asking.open_slot(act).await?.is_some())
}

impl Asking {
    /// The slot for the next place of the assignment: a control, a repeat, or a task.
    async fn next_slot(&self, act: &mut Access, number: i64) -> Result<Option<SlotRow>> {
        let place = usize::try_from(self.assignment.given).unwrap_or(0);
        if self.assignment.plan.controls.contains(&place)
            && let Some(slot) = self.control(act, number).await?
        {
            return Ok(Some(slot));
        }
        if let Some(slot) = self.repeat(act, number).await? {
            return Ok(Some(slot));
        }
        self.open_slot(act).await
    }

    /// An open slot with no item that the person has seen in another one; one that was left by the person comes back.
    async fn open_slot(&self, act: &mut Access) -> Result<Option<SlotRow>> {
        let sql = act.with_lock(locking!(
            "SELECT s.id, s.campaign, s.task, s.text, s.purpose, s.place, s.priority, s.shuffle, \
             s.state, s.worker, s.token, s.expires FROM slot s WHERE s.campaign = $1 AND s.state = 'open' \
             AND s.purpose IN ('main', 'more') \
             AND NOT EXISTS (SELECT 1 FROM task_item ti JOIN exposure e ON e.item = ti.item \
             WHERE ti.task = s.task AND e.worker = $2 AND e.slot <> s.id) \
             AND ($3 = 0 OR NOT EXISTS (SELECT 1 FROM exposure e WHERE e.worker = $2 \
             AND e.text = s.text AND e.slot <> s.id)) \
             ORDER BY s.priority, s.shuffle, s.id LIMIT 1",
            "FOR NO KEY UPDATE OF s SKIP LOCKED"
        ));
        let apart = self.campaign.settings.design.layers_apart;
        act.one(sql, args![self.campaign.id, self.worker.id, apart]).await
    }

    /// A control that this person has not seen, the one that was given out least often; its slot is made for the person.
    async fn control(&self, act: &mut Access, number: i64) -> Result<Option<SlotRow>> {
        // One that ended before it was answered comes again.
        let sql = slot_columns!(
            "WHERE s.campaign = $1 AND s.state = 'open' AND s.purpose = 'control' AND s.worker = $2 \
             ORDER BY s.id LIMIT 1"
        );
        if let Some(slot) = act.one(sql, args![self.campaign.id, self.worker.id]).await? {
            return Ok(Some(slot));
        }
        let sql = "SELECT t.id, t.text, t.shuffle FROM task t WHERE t.campaign = $1 AND t.purpose = 'control' \
                   AND NOT EXISTS (SELECT 1 FROM task_item ti JOIN item_key k ON k.item = ti.item \
                   WHERE ti.task = t.id AND k.state <> 'confirmed') \
                   AND NOT EXISTS (SELECT 1 FROM task_item ti JOIN exposure e ON e.item = ti.item \
                   WHERE ti.task = t.id AND e.worker = $2) \
                   AND ($3 = 0 OR NOT EXISTS (SELECT 1 FROM exposure e WHERE e.worker = $2 AND e.text = t.text)) \
                   ORDER BY (SELECT COUNT(*) FROM slot s WHERE s.task = t.id), t.shuffle, t.id LIMIT 1";
        let apart = self.campaign.settings.design.layers_apart;
        let args = args![self.campaign.id, self.worker.id, apart];
        let Some((task, text, shuffle)) = act.one::<(i64, i64, i64)>(sql, args).await? else {
            return Ok(None);
        };
        self.own_slot(act, number, (task, text, shuffle), "control").await.map(Some)
    }

    /// A task that this person judged, after enough others, if it is time for one.
    async fn repeat(&self, act: &mut Access, number: i64) -> Result<Option<SlotRow>> {
        let every = count(self.campaign.settings.design.assignment.repeat_every);
        if every == 0 {
            return Ok(None);
        }
        let sql = "SELECT COUNT(*), COUNT(CASE WHEN purpose = 'repeat' THEN 1 END) \
                   FROM lease WHERE worker = $1";
        let found = act.one::<(i64, i64)>(sql, args![self.worker.id]).await?;
        let (given, repeats) = found.unwrap_or((0, 0));
        if (given + 1) / every <= repeats {
            return Ok(None);
        }
        let sql = "SELECT t.id, t.text, t.shuffle FROM lease l JOIN slot s ON s.id = l.slot \
                   JOIN task t ON t.id = s.task \
                   WHERE l.worker = $1 AND l.purpose = 'main' AND l.submitted IS NOT NULL \
                   AND (SELECT COUNT(*) FROM lease m WHERE m.worker = $1 AND m.given > l.given) >= $2 \
                   AND NOT EXISTS (SELECT 1 FROM lease m JOIN slot o ON o.id = m.slot \
                   WHERE m.worker = $1 AND m.purpose = 'repeat' AND o.task = t.id) \
                   ORDER BY l.given, l.token LIMIT 1";
        let found = act.one::<(i64, i64, i64)>(sql, args![self.worker.id, REPEAT_AFTER]).await?;
        let Some(task) = found else { return Ok(None) };
        self.own_slot(act, number, task, "repeat").await.map(Some)
    }

    /// A slot for this person alone.
    async fn own_slot(
        &self,
        act: &mut Access,
        number: i64,
        (task, text, shuffle): (i64, i64, i64),
        purpose: &str,
    ) -> Result<SlotRow> {
        let campaign = self.campaign.id;
        let new = NewSlot { campaign, task, text, purpose, place: None, priority: 2, shuffle };
        slots::add_as(act, &[new], number).await?;
        let row = act.one(slot_columns!("WHERE s.id = $1"), args![number]).await?;
        row.ok_or(StoreError::Malformed("a slot that was not made"))
    }

    /// Gives a slot to the person.
    async fn give(&self, act: &mut Access, slot: &SlotRow, n: i64) -> Result<LeasedTask> {
        let token = hex(&random::<16>()?);
        let worker = self.worker.id.cast_unsigned();
        let event = SlotEvent::Lease { worker, token: token.clone(), lasts: self.lasts };
        let (state, effects) = slot
            .state
            .clone()
            .step(event, self.now.cast_unsigned())
            .map_err(|why| StoreError::Step { what: "slot", id: slot.id.to_string(), why })?;
        slots::save(act, slot.id, &state).await?;
        let sql = "INSERT INTO lease (token, slot, worker, assignment, n, purpose, given) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let purpose = &slot.purpose;
        let args = args![&token, slot.id, self.worker.id, self.assignment.id, n, purpose, self.now];
        act.run(sql, args).await?;
        if effects.contains(&SlotEffect::WriteExposures) {
            let sql = "INSERT INTO exposure (worker, item, slot, text, shown) \
                       SELECT $1, ti.item, $2, $3, $4 FROM task_item ti WHERE ti.task = $5 \
                       ON CONFLICT (worker, item) DO NOTHING";
            act.run(sql, args![self.worker.id, slot.id, slot.text, self.now, slot.task]).await?;
        }
        let slot = SlotRow { state, ..slot.clone() };
        shown(act, &slot, &token).await
    }
}

/// A task as it is shown to the person who has it.
async fn shown(access: &mut Access, slot: &SlotRow, token: &str) -> Result<LeasedTask> {
    let sql = "SELECT id, n, document, dataset, span_start, span_end, words \
               FROM campaign_text WHERE id = $1";
    let text: Option<TextRow> = access.one(sql, args![slot.text]).await?;
    let sql = "SELECT i.id, i.span_start, i.span_end, i.link FROM task_item ti \
               JOIN item i ON i.id = ti.item WHERE ti.task = $1 ORDER BY i.span_start, i.span_end, i.id";
    let items = access.all(sql, args![slot.task]).await?;
    let sql = "SELECT l.n, a.plan FROM lease l JOIN assignment a ON a.id = l.assignment WHERE l.token = $1";
    let (n, plan): (i64, String) = access
        .one(sql, args![token])
        .await?
        .ok_or(StoreError::Malformed("a lease without a place"))?;
    let plan: people::AssignmentPlan = super::rows::json(&plan, "plan of an assignment")?;
    let expires = match &slot.state {
        karat_verify::life::SlotState::Leased { expires, .. } => expires.cast_signed(),
        _ => 0,
    };
    Ok(LeasedTask {
        token: token.to_owned(),
        expires,
        n,
        of: count(plan.tasks),
        text: text.ok_or(StoreError::Malformed("a task without its text"))?,
        items,
        task: slot.task,
        slot: slot.id,
        purpose: slot.purpose.clone(),
    })
}

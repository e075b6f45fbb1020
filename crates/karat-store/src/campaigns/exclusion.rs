//! People whose answers do not count, and taking that back.

use super::life;
use super::people::{self, WorkerRow, WorkerState};
use super::slots::{self, NewSlot, SlotRow};
use crate::audit::{self, By};
use crate::sql::{Access, args, locking};
use crate::{Result, Store};
use karat_verify::life::{AssignmentEvent, AssignmentState, SlotEffect, SlotEvent, SlotState};
use serde::{Deserialize, Serialize};

/// What an exclusion, or taking it back, did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Exclusion {
    /// Tasks whose answers no longer count, or count again.
    pub tasks: i64,
    /// Leases that ended at once.
    pub leases: i64,
    /// New slots that were made, or taken out again.
    pub slots: i64,
    /// Tasks whose answers stay out, because somebody else has judged in their place.
    pub surplus: i64,
}

impl Store {
    /// Excludes somebody: nothing they said counts, and each of their tasks gets a new slot. They are still paid.
    pub async fn exclude_worker(&self, by: &By, worker: i64, reason: &str) -> Result<Exclusion> {
        let mut act = self.write().await?;
        let found = people::worker_by_id(&mut act, worker).await?;
        life::locked(&mut act, found.campaign).await?;
        let now = self.now();
        let sql = "SELECT COUNT(*) FROM slot WHERE worker = $1 AND state = 'leased'";
        let mut done =
            Exclusion { leases: act.number(sql, args![worker]).await?, ..Exclusion::default() };
        // Assignments before the person, as in every transaction.
        let sql = people::assignment_columns!("WHERE worker = $1 AND finished IS NULL ORDER BY id");
        let assignments: Vec<people::AssignmentRow> = act.all(sql, args![worker]).await?;
        for assignment in assignments {
            let assignment = people::assignment_locked(&mut act, assignment.id).await?;
            if !matches!(assignment.state, AssignmentState::Ended { .. }) {
                people::step(&mut act, self, &assignment, AssignmentEvent::Exclude, now).await?;
            }
        }
        let before = people::worker_locked(&mut act, worker).await?;
        if before.state != WorkerState::Excluded {
            for slot in slots_of(&mut act, worker).await? {
                exclude_slot(&mut act, worker, &slot, now, &mut done).await?;
            }
        }
        note(&mut act, by, &before, WorkerState::Excluded, (reason, &done), now).await?;
        act.commit().await?;
        Ok(done)
    }

    /// Takes an exclusion back: answers count again, except where somebody else has judged in their place.
    pub async fn restore_worker(&self, by: &By, worker: i64, reason: &str) -> Result<Exclusion> {
        let mut act = self.write().await?;
        let found = people::worker_by_id(&mut act, worker).await?;
        life::locked(&mut act, found.campaign).await?;
        let before = people::worker_locked(&mut act, worker).await?;
        let now = self.now();
        let mut done = Exclusion::default();
        if before.state == WorkerState::Excluded {
            let all = places_of(&mut act, worker).await?;
            let own = |slot: &&SlotRow| {
                matches!(&slot.state, SlotState::Void { judged: Some((who, _)) }
                    if *who == worker.cast_unsigned())
            };
            for slot in all.iter().filter(own) {
                restore_slot(&mut act, slot, &all, now, &mut done).await?;
            }
        }
        note(&mut act, by, &before, WorkerState::Active, (reason, &done), now).await?;
        act.commit().await?;
        Ok(done)
    }
}

async fn exclude_slot(
    act: &mut Access,
    worker: i64,
    slot: &SlotRow,
    now: i64,
    done: &mut Exclusion,
) -> Result<()> {
    let event = SlotEvent::Exclude { worker: worker.cast_unsigned() };
    // An exclusion is never refused.
    let Ok((state, effects)) = slot.state.step(event, now.cast_unsigned()) else { return Ok(()) };
    if state == slot.state {
        return Ok(());
    }
    slots::save(act, slot.id, &state).await?;
    for effect in effects {
        match (effect, &slot.state) {
            (SlotEffect::Uncount, SlotState::Done { token, .. }) => {
                slots::uncount_answers(act, token).await?;
                done.tasks += 1;
            }
            (SlotEffect::AddSlot, _) if slot.is_replaced() => {
                let SlotRow { campaign, task, text, purpose, place, priority, shuffle, .. } = slot;
                let new = NewSlot {
                    campaign: *campaign,
                    task: *task,
                    text: *text,
                    purpose,
                    place: Some(*place),
                    priority: *priority,
                    shuffle: *shuffle,
                };
                slots::add(act, &[new]).await?;
                done.slots += 1;
            }
            _ => {}
        }
    }
    Ok(())
}

async fn restore_slot(
    act: &mut Access,
    slot: &SlotRow,
    all: &[SlotRow],
    now: i64,
    done: &mut Exclusion,
) -> Result<()> {
    let others = || all.iter().filter(|one| one.place == slot.place && one.id != slot.id);
    let replaced = others().any(|one| matches!(one.state, SlotState::Done { .. }));
    let event = SlotEvent::Restore { replaced };
    let Ok((state, effects)) = slot.state.step(event, now.cast_unsigned()) else { return Ok(()) };
    if effects.contains(&SlotEffect::KeepAsSurplus) {
        done.surplus += 1;
    }
    if effects.contains(&SlotEffect::VoidReplacement) {
        let live = |one: &&SlotRow| !matches!(one.state, SlotState::Void { .. });
        for other in others().filter(live) {
            slots::save(act, other.id, &SlotState::Void { judged: None }).await?;
            done.slots += 1;
        }
    }
    if state != slot.state {
        slots::save(act, slot.id, &state).await?;
    }
    if let (true, SlotState::Done { token, .. }) =
        (effects.contains(&SlotEffect::CountAgain), &state)
    {
        if slot.is_counted() {
            slots::count_answers(act, token).await?;
        }
        done.tasks += 1;
    }
    Ok(())
}

/// The slots that somebody has or had, locked.
async fn slots_of(act: &mut Access, worker: i64) -> Result<Vec<SlotRow>> {
    let sql = act.with_lock(locking!(
        "SELECT s.id, s.campaign, s.task, s.text, s.purpose, s.place, s.priority, s.shuffle, \
         s.state, s.worker, s.token, s.expires FROM slot s WHERE s.worker = $1 AND s.state <> 'void' \
         ORDER BY s.id",
        "FOR NO KEY UPDATE"
    ));
    act.all(sql, args![worker]).await
}

/// All slots of the places where somebody was taken out, locked.
async fn places_of(act: &mut Access, worker: i64) -> Result<Vec<SlotRow>> {
    let sql = act.with_lock(locking!(
        "SELECT s.id, s.campaign, s.task, s.text, s.purpose, s.place, s.priority, s.shuffle, \
         s.state, s.worker, s.token, s.expires FROM slot s WHERE s.place IN \
         (SELECT o.place FROM slot o WHERE o.worker = $1 AND o.state = 'void') ORDER BY s.id",
        "FOR NO KEY UPDATE"
    ));
    act.all(sql, args![worker]).await
}

async fn note(
    act: &mut Access,
    by: &By,
    before: &WorkerRow,
    state: WorkerState,
    (reason, done): (&str, &Exclusion),
    now: i64,
) -> Result<()> {
    act.run("UPDATE worker SET state = $2 WHERE id = $1", args![before.id, state]).await?;
    let detail = serde_json::json!({
        "person": before.pseudonym, "before": before.state, "reason": reason, "done": done,
    });
    let object = life::object(before.campaign);
    let name = format!("person.{}", state.word());
    audit::append(act, by, &name, &object, &detail.to_string(), now).await?;
    Ok(())
}

//! Slots as rows: loading, saving, and what follows from a step.

use super::rows::count;
use crate::numbers::numbers_within;
use crate::sql::{Access, Bulk, Columns, Stored, args};
use crate::{Result, StoreError};
use karat_verify::life::SlotState;
use std::sync::LazyLock;

/// A slot to be made. Without a place it has one of its own.
#[derive(Clone, Copy)]
pub(super) struct NewSlot<'s> {
    pub(super) campaign: i64,
    pub(super) task: i64,
    pub(super) text: i64,
    pub(super) purpose: &'s str,
    pub(super) place: Option<i64>,
    pub(super) priority: i64,
    pub(super) shuffle: i64,
}

static SLOTS: LazyLock<Bulk> = LazyLock::new(|| {
    let head =
        "INSERT INTO slot (id, campaign, task, text, purpose, place, state, priority, shuffle)";
    Bulk::new(head, 9, "")
});

/// Adds open slots and gives the number of the first.
pub(super) async fn add(act: &mut Access, slots: &[NewSlot<'_>]) -> Result<i64> {
    let first = numbers_within(act, count(slots.len())).await?.start;
    add_as(act, slots, first).await?;
    Ok(first)
}

/// Adds open slots with numbers from `first`.
pub(super) async fn add_as(act: &mut Access, slots: &[NewSlot<'_>], first: i64) -> Result<()> {
    let mut values = Vec::new();
    for (at, slot) in slots.iter().enumerate() {
        let id = first + count(at);
        let NewSlot { campaign, task, text, purpose, place, priority, shuffle } = *slot;
        let place = place.unwrap_or(id);
        let row = args![id, campaign, task, text, purpose, place, "open", priority, shuffle];
        values.extend_from_slice(row);
    }
    act.insert(&SLOTS, &values).await
}

/// A slot.
#[derive(Clone, Debug)]
pub(super) struct SlotRow {
    pub(super) id: i64,
    pub(super) campaign: i64,
    pub(super) task: i64,
    pub(super) text: i64,
    pub(super) purpose: String,
    pub(super) place: i64,
    pub(super) state: SlotState,
    pub(super) priority: i64,
    pub(super) shuffle: i64,
}

/// The columns of [`SlotRow`], in order.
macro_rules! slot_columns {
    ($rest:literal) => {
        concat!(
            "SELECT s.id, s.campaign, s.task, s.text, s.purpose, s.place, s.priority, s.shuffle, \
             s.state, s.worker, s.token, s.expires FROM slot s ",
            $rest
        )
    };
}
pub(super) use slot_columns;

impl Stored for SlotRow {
    fn read(columns: &mut Columns) -> Result<SlotRow> {
        let id = columns.take()?;
        let campaign = columns.take()?;
        let task = columns.take()?;
        let text = columns.take()?;
        let purpose = columns.take()?;
        let place = columns.take()?;
        let priority = columns.take()?;
        let shuffle = columns.take()?;
        let name: String = columns.take()?;
        let worker: Option<i64> = columns.take()?;
        let token: Option<String> = columns.take()?;
        let expires: Option<i64> = columns.take()?;
        let who = worker.map(i64::cast_unsigned).zip(token);
        let state = match (&*name, who) {
            ("open", last) => SlotState::Open { last },
            ("void", judged) => SlotState::Void { judged },
            ("done", Some((worker, token))) => SlotState::Done { worker, token },
            ("leased", Some((worker, token))) => {
                let expires = expires.unwrap_or(0).cast_unsigned();
                SlotState::Leased { worker, token, expires }
            }
            _ => return Err(StoreError::Malformed("a slot without its worker")),
        };
        Ok(SlotRow { id, campaign, task, text, purpose, place, state, priority, shuffle })
    }
}

impl SlotRow {
    /// Whether answers on it are judgements of the items.
    pub(super) fn is_counted(&self) -> bool {
        matches!(&*self.purpose, "main" | "more" | "control")
    }

    /// Whether another slot takes its place when it is taken out: controls and repeats are made anew for each person.
    pub(super) fn is_replaced(&self) -> bool {
        matches!(&*self.purpose, "main" | "more")
    }
}

/// Writes the state of a slot.
pub(super) async fn save(act: &mut Access, id: i64, state: &SlotState) -> Result<()> {
    let (who, expires) = match state {
        SlotState::Open { last } => (last.clone(), None),
        SlotState::Void { judged } => (judged.clone(), None),
        SlotState::Done { worker, token } => (Some((*worker, token.clone())), None),
        SlotState::Leased { worker, token, expires } => {
            (Some((*worker, token.clone())), Some(expires.cast_signed()))
        }
    };
    let (worker, token) = who.unzip();
    let worker = worker.map(u64::cast_signed);
    let sql = "UPDATE slot SET state = $2, worker = $3, token = $4, expires = $5 WHERE id = $1";
    act.run(sql, args![id, state.name(), worker, &token, expires]).await?;
    Ok(())
}

/// The answers of a token with the highest revision count.
pub(super) async fn count_answers(act: &mut Access, token: &str) -> Result<()> {
    let sql = "UPDATE judgement SET counted = 1 WHERE token = $1 AND revision = \
               (SELECT MAX(j.revision) FROM judgement j WHERE j.token = $1)";
    act.run(sql, args![token]).await?;
    Ok(())
}

/// The answers of a token no longer count.
pub(super) async fn uncount_answers(act: &mut Access, token: &str) -> Result<()> {
    let sql = "UPDATE judgement SET counted = 0 WHERE token = $1 AND counted = 1";
    act.run(sql, args![token]).await?;
    Ok(())
}

/// Leases whose time is over end; their tokens stay. Those that somebody works on right now are left for the next time.
pub(super) async fn expire(act: &mut Access, campaign: i64, now: i64) -> Result<u64> {
    let sql = act.with_lock(crate::sql::locking!(
        "UPDATE slot SET state = 'open', expires = NULL WHERE id IN (SELECT id FROM slot \
         WHERE campaign = $1 AND state = 'leased' AND expires < $2 ORDER BY id LIMIT 100",
        "FOR NO KEY UPDATE SKIP LOCKED",
        ")"
    ));
    act.run(sql, args![campaign, now]).await
}

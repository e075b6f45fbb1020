//! Answers that come.

use super::lease::slot_of;
use super::people::{self, AssignmentRow};
use super::rows::{as_json, count, worded};
use super::slots::{self, SlotRow};
use crate::ids::sha256;
use crate::sql::{Access, Columns, Stored, args};
use crate::{Result, Store, StoreError};
use karat_verify::life::{
    AssignmentEvent, AssignmentState, Receipt, ReceiptVerdict, Refused, SlotEffect, SlotEvent,
};
use karat_verify::{JudgementReason, LinkTarget, VerifyAction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What somebody says of one item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ItemAnswer {
    /// The number of the item.
    pub item: i64,
    /// The answer.
    #[schema(value_type = String)]
    pub action: VerifyAction,
    /// The link that a modification names; none if no better one was found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub link: Option<LinkTarget>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub reason: Option<JudgementReason>,
    /// How sure, from 1 to 3.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<u8>,
    /// Where the mention should be, in code points of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<u32>>)]
    pub span: Option<(u32, u32)>,
    /// A note.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// How long the person worked on it, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub active_ms: Option<u32>,
    /// How long it was in view, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_ms: Option<u32>,
    /// How often the answer was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changes: Option<u32>,
    /// How often entities were searched for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub searches: Option<u32>,
}

impl ItemAnswer {
    /// An answer without anything beside it.
    pub fn new(item: i64, action: VerifyAction) -> ItemAnswer {
        ItemAnswer {
            item,
            action,
            link: None,
            reason: None,
            confidence: None,
            span: None,
            comment: String::new(),
            active_ms: None,
            total_ms: None,
            changes: None,
            searches: None,
        }
    }
}

/// Something said of the text beside the items.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerFlag {
    /// `missing-mention`, `bad-text` or `other`.
    pub kind: String,
    /// Where, in code points of the document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<u32>>)]
    pub span: Option<(u32, u32)>,
    /// What it means.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub link: Option<LinkTarget>,
    /// A note.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
}

/// The answers of one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TaskAnswers {
    /// One for each item.
    pub answers: Vec<ItemAnswer>,
    /// Beside them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<AnswerFlag>,
}

/// What is answered to a submission. It is kept, and the same submission gets it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SubmittedAnswers {
    /// The revision that was stored.
    pub revision: i64,
    /// Whether the answers were taken as the judgements of this task. They are kept and paid for in any case.
    pub taken: bool,
    /// When they were stored.
    pub at: i64,
    /// Tasks of the assignment that are done.
    pub done: i64,
    /// Tasks of the assignment.
    pub of: i64,
}

/// Notes and comments may have so many characters.
const MOST_CHARACTERS: usize = 4000;

impl Store {
    /// Stores the answers of a task. The same submission again gets the same answer; other answers with the same token and
    /// revision are refused with what is stored. What comes after the task went to somebody else is kept and does not
    /// count.
    ///
    /// When this gives `Ok`, the answers survive the end of the process and of the machine's power.
    pub async fn submit_answers(
        &self,
        token: &str,
        revision: u32,
        answers: &TaskAnswers,
    ) -> Result<SubmittedAnswers> {
        checked(answers)?;
        let rows = count(answers.answers.len() + answers.flags.len());
        let first = self.numbers(rows).await?.start;
        let coming = Coming {
            token: token.to_owned(),
            revision: i64::from(revision),
            body: as_json(answers)?,
            answers: answers.clone(),
            first,
        };
        let store = self.clone();
        self.grouped(move |act| Box::pin(async move { coming.submit(act, &store).await })).await
    }

    /// What was submitted last with a token: its revision and its answers.
    pub async fn last_submission(&self, token: &str) -> Result<Option<(i64, TaskAnswers)>> {
        let mut read = self.read().await?;
        let sql =
            "SELECT revision, body FROM receipt WHERE token = $1 ORDER BY revision DESC LIMIT 1";
        let row: Option<(i64, String)> = read.one(sql, args![token]).await?;
        row.map(|(revision, body)| {
            let kept: KeptReceipt = super::rows::json(&body, "receipt")?;
            Ok((revision, kept.sent))
        })
        .transpose()
    }
}

fn checked(answers: &TaskAnswers) -> Result<()> {
    let long = |text: &str| text.chars().count() > MOST_CHARACTERS;
    let too_long = answers.answers.iter().any(|one| long(&one.comment))
        || answers.flags.iter().any(|one| long(&one.comment))
        || answers.flags.len() > 200;
    if too_long {
        return Err(StoreError::Unfit(format!(
            "notes have up to {MOST_CHARACTERS} characters, and a task up to 200 flags"
        )));
    }
    let wrong_kind = |flag: &&AnswerFlag| {
        !["missing-mention", "bad-text", "other"].contains(&flag.kind.as_str())
    };
    if let Some(flag) = answers.flags.iter().find(wrong_kind) {
        let kind = &flag.kind;
        return Err(StoreError::Unfit(format!("`{kind}` is no kind of flag")));
    }
    Ok(())
}

/// What a receipt keeps: what was sent, and what was answered.
#[derive(Serialize, Deserialize)]
struct KeptReceipt {
    sent: TaskAnswers,
    answered: SubmittedAnswers,
}

struct ReceiptColumns {
    receipt: Receipt,
    body: String,
}

impl Stored for ReceiptColumns {
    fn read(columns: &mut Columns) -> Result<ReceiptColumns> {
        let revision: i64 = columns.take()?;
        Ok(ReceiptColumns {
            receipt: Receipt {
                revision: u32::try_from(revision).unwrap_or(u32::MAX),
                digest: columns.take()?,
            },
            body: columns.take()?,
        })
    }
}

/// A submission on its way into the database.
struct Coming {
    token: String,
    revision: i64,
    body: String,
    answers: TaskAnswers,
    first: i64,
}

impl Coming {
    async fn submit(&self, act: &mut Access, store: &Store) -> Result<SubmittedAnswers> {
        let sql = "SELECT assignment, COALESCE(submitted, 0) FROM lease WHERE token = $1";
        let holder: Option<(i64, i64)> = act.one(sql, args![&self.token]).await?;
        let (assignment, _) = holder.ok_or_else(|| StoreError::not_found("lease", &self.token))?;
        let assignment = people::assignment_locked(act, assignment).await?;
        let worker = people::worker_locked(act, assignment.worker).await?;
        let digest = sha256(self.body.as_bytes());
        let verdict = match self.known(act, &digest).await? {
            Known::Answered(answered) => return Ok(answered),
            Known::Not(verdict) => verdict,
        };
        // Read again under the lock: a twin may have been faster.
        let sql = "SELECT COUNT(*) FROM lease WHERE token = $1 AND submitted IS NOT NULL";
        let is_first = act.number(sql, args![&self.token]).await? == 0;
        let slot = slot_of(act, &self.token).await?;
        let missing = self.missing(act, &slot).await?;
        let now = store.now();
        let takes = super::life::by_id(act, slot.campaign).await?.state.takes_answers();
        let ended = matches!(assignment.state, AssignmentState::Ended { .. });
        let excluded = worker.state == people::WorkerState::Excluded;
        let event = SlotEvent::Submit { token: self.token.clone(), missing };
        let (state, effects) =
            slot.state.clone().step(event, now.cast_unsigned()).map_err(|why| self.refused(why))?;
        let counts = effects.contains(&SlotEffect::Count);
        // After the end of the assignment or of the judging, and once the person is out, answers are only kept.
        let taken =
            counts && verdict == ReceiptVerdict::New && takes && !excluded && (!ended || is_first);
        if taken {
            slots::save(act, slot.id, &state).await?;
            slots::uncount_answers(act, &self.token).await?;
        }
        self.write(act, &slot, worker.id, taken && slot.is_counted(), now).await?;
        let sql = "UPDATE lease SET submitted = COALESCE(submitted, $2) WHERE token = $1";
        act.run(sql, args![&self.token, now]).await?;
        let after = self.after(act, store, assignment, is_first, now).await?;
        let answered = SubmittedAnswers {
            revision: self.revision,
            taken,
            at: now,
            done: after.0,
            of: after.1,
        };
        let kept = KeptReceipt { sent: self.answers.clone(), answered };
        let sql =
            "INSERT INTO receipt (token, revision, digest, body, at) VALUES ($1, $2, $3, $4, $5)";
        let body = as_json(&kept)?;
        act.run(sql, args![&self.token, self.revision, &digest, &body, now]).await?;
        Ok(kept.answered)
    }

    /// What is known of this submission.
    async fn known(&self, act: &mut Access, digest: &str) -> Result<Known> {
        let sql = "SELECT revision, digest, body FROM receipt WHERE token = $1 ORDER BY revision";
        let rows: Vec<ReceiptColumns> = act.all(sql, args![&self.token]).await?;
        let revision = u32::try_from(self.revision).unwrap_or(u32::MAX);
        let own = Receipt { revision, digest: digest.to_owned() };
        let receipts: Vec<Receipt> = rows.iter().map(|row| row.receipt.clone()).collect();
        let verdict = Receipt::look_up(&receipts, &own);
        let same = rows.iter().find(|row| row.receipt.revision == revision);
        let kept = |row: &ReceiptColumns| super::rows::json::<KeptReceipt>(&row.body, "receipt");
        match (verdict, same) {
            (ReceiptVerdict::Again, Some(row)) => Ok(Known::Answered(kept(row)?.answered)),
            (ReceiptVerdict::Conflict, Some(row)) => {
                let stored = as_json(&kept(row)?.sent)?;
                Err(StoreError::OtherAnswers { revision: self.revision, stored })
            }
            _ => Ok(Known::Not(verdict)),
        }
    }

    /// How many items of the task have no answer. Answers to others, and two to one, are refused.
    async fn missing(&self, act: &mut Access, slot: &SlotRow) -> Result<usize> {
        let sql = "SELECT item FROM task_item WHERE task = $1";
        let items: Vec<(i64,)> = act.all(sql, args![slot.task]).await?;
        let items: BTreeSet<i64> = items.into_iter().map(|(item,)| item).collect();
        let mut answered = BTreeSet::new();
        for answer in &self.answers.answers {
            if !items.contains(&answer.item) {
                let item = answer.item;
                return Err(StoreError::Unfit(format!("item {item} is not part of this task")));
            }
            if !answered.insert(answer.item) {
                let item = answer.item;
                return Err(StoreError::Unfit(format!("item {item} is answered twice")));
            }
        }
        Ok(items.len() - answered.len())
    }

    fn refused(&self, why: Refused) -> StoreError {
        StoreError::Step { what: "lease", id: self.token.clone(), why }
    }

    async fn write(
        &self,
        act: &mut Access,
        slot: &SlotRow,
        worker: i64,
        counted: bool,
        now: i64,
    ) -> Result<()> {
        let sql = "INSERT INTO judgement (id, campaign, slot, token, item, worker, revision, action, link, \
                   reason, confidence, span_start, span_end, comment, active_ms, total_ms, changes, \
                   searches, counted, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, \
                   $13, $14, $15, $16, $17, $18, $19, $20)";
        for (at, one) in self.answers.answers.iter().enumerate() {
            let number = |value: Option<u32>| value.map(i64::from);
            let link = one.link.as_ref().map(ToString::to_string);
            let reason = one.reason.as_ref().map(worded).transpose()?;
            let (start, end) = one.span.unzip();
            let args = args![
                self.first + count(at),
                slot.campaign,
                slot.id,
                &self.token,
                one.item,
                worker,
                self.revision,
                one.action.name(),
                &link,
                &reason,
                one.confidence.map(i64::from),
                number(start),
                number(end),
                &one.comment,
                number(one.active_ms),
                number(one.total_ms),
                number(one.changes),
                number(one.searches),
                counted,
                now,
            ];
            act.run(sql, args).await?;
        }
        let sql = "INSERT INTO flag (id, campaign, worker, slot, text, kind, span_start, span_end, \
                   link, comment, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
        for (at, flag) in self.answers.flags.iter().enumerate() {
            let id = self.first + count(self.answers.answers.len() + at);
            let link = flag.link.as_ref().map(ToString::to_string);
            let (start, end) = flag.span.unzip();
            let (start, end) = (start.map(i64::from), end.map(i64::from));
            let AnswerFlag { kind, comment, .. } = flag;
            let args = args![
                id,
                slot.campaign,
                worker,
                slot.id,
                slot.text,
                kind,
                start,
                end,
                &link,
                comment,
                now
            ];
            act.run(sql, args).await?;
        }
        Ok(())
    }

    /// The first submission of a task brings its assignment on. Gives the tasks that are done, and all.
    async fn after(
        &self,
        act: &mut Access,
        store: &Store,
        assignment: AssignmentRow,
        is_first: bool,
        now: i64,
    ) -> Result<(i64, i64)> {
        let of = count(assignment.plan.tasks);
        let AssignmentState::Working { done, of: working } = assignment.state else {
            return Ok((of, of));
        };
        // A place of the assignment is done once, also where its task was given out twice.
        let sql = "SELECT COUNT(*) FROM lease m JOIN lease l ON l.assignment = m.assignment AND l.n = m.n \
                   WHERE l.token = $1 AND m.token <> $1 AND m.submitted IS NOT NULL";
        let was_done = act.number(sql, args![&self.token]).await? > 0;
        if is_first && !was_done && done < working {
            people::step(act, store, &assignment, AssignmentEvent::TaskDone, now).await?;
            return Ok((count(done + 1), of));
        }
        Ok((count(done), of))
    }
}

enum Known {
    Answered(SubmittedAnswers),
    Not(ReceiptVerdict),
}

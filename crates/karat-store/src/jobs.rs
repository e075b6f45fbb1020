//! Jobs: work that takes longer than a page may wait.
//!
//! A job is queued, given to a worker for thirty seconds, and given for longer as long as the worker
//! says every few seconds that it lives. A worker that dies says nothing, and after thirty seconds
//! its job goes to another. Each time a job is given out it has a new *lease*, a random word, and
//! only its bearer may say how far the job is and how it ended. So a worker that was only slow
//! cannot overwrite what its successor did.

use crate::audit::{self, By};
use crate::ids::{new_id, new_secret};
use crate::listing::Position;
use crate::sql::{Access, Columns, Stored, args};
use crate::store::lock;
use crate::words::words;
use crate::{ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// How long a lease lasts, in milliseconds.
pub const LEASE: i64 = 30_000;
/// How often a worker renews its lease, in milliseconds.
pub const RENEWAL: i64 = 5_000;
/// How often a job is begun before it counts as failed.
pub const MOST_ATTEMPTS: i64 = 3;

words! {
    /// Where a job is in its life.
    JobState {
        /// It waits for a worker.
        Queued = "queued",
        /// A worker has it.
        Running = "running",
        /// It has a result.
        Done = "done",
        /// It has a problem.
        Failed = "failed",
        /// Cancelled by a user.
        Cancelled = "cancelled",
    }
}

/// How many jobs there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueLimits {
    /// Waiting and running ones of one person.
    pub per_person: i64,
    /// Waiting ones in all.
    pub waiting: i64,
}

impl Default for QueueLimits {
    fn default() -> QueueLimits {
        QueueLimits { per_person: 2, waiting: 100 }
    }
}

/// A job to be done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewJob {
    /// What to do: `read`, `score`.
    pub kind: String,
    /// What with, as JSON.
    pub input: String,
    /// The id of the person who wants it. What the server wants itself has none and no limit.
    pub person: Option<String>,
}

/// A job that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobRow {
    /// Its id.
    pub id: String,
    /// What to do.
    pub kind: String,
    /// Where it is in its life.
    pub state: JobState,
    /// What the worker is doing.
    pub stage: String,
    /// How much of the stage is done.
    pub done: i64,
    /// How much the stage has; 0 if that is not known.
    pub total: i64,
    /// How often it was begun.
    pub attempts: i64,
    /// Whether somebody wants it to stop.
    pub cancel: bool,
    /// What with, as JSON.
    pub input: String,
    /// Why it failed, as JSON.
    pub problem: Option<String>,
    /// What came out, as JSON.
    pub result: Option<String>,
    /// The id of the person who wants it.
    pub person: Option<String>,
    /// When it was queued.
    pub made: i64,
    /// When it ended.
    pub ended: Option<i64>,
    /// How often it was changed: the number of the last event about it.
    pub version: i64,
}

impl Stored for JobRow {
    fn read(columns: &mut Columns) -> Result<JobRow> {
        Ok(JobRow {
            id: columns.take()?,
            kind: columns.take()?,
            state: columns.take()?,
            stage: columns.take()?,
            done: columns.take()?,
            total: columns.take()?,
            attempts: columns.take()?,
            cancel: columns.take()?,
            input: columns.take()?,
            problem: columns.take()?,
            result: columns.take()?,
            person: columns.take()?,
            made: columns.take()?,
            ended: columns.take()?,
            version: columns.take()?,
        })
    }
}

/// How far a job is, without what it works on: for those who follow it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobMark {
    /// Its id.
    pub id: String,
    /// Where it is in its life.
    pub state: JobState,
    /// What the worker is doing.
    pub stage: String,
    /// How much of the stage is done.
    pub done: i64,
    /// How much the stage has; 0 if that is not known.
    pub total: i64,
    /// The id of the person who wants it.
    pub person: Option<String>,
    /// When it was queued.
    pub made: i64,
    /// How often it was changed.
    pub version: i64,
}

impl JobMark {
    /// Whether it will not change any more.
    pub fn has_ended(&self) -> bool {
        matches!(self.state, JobState::Done | JobState::Failed | JobState::Cancelled)
    }
}

impl From<JobRow> for JobMark {
    fn from(row: JobRow) -> JobMark {
        let JobRow { id, state, stage, done, total, person, made, version, .. } = row;
        JobMark { id, state, stage, done, total, person, made, version }
    }
}

impl Stored for JobMark {
    fn read(columns: &mut Columns) -> Result<JobMark> {
        Ok(JobMark {
            id: columns.take()?,
            state: columns.take()?,
            stage: columns.take()?,
            done: columns.take()?,
            total: columns.take()?,
            person: columns.take()?,
            made: columns.take()?,
            version: columns.take()?,
        })
    }
}

/// The right to work on a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobLease {
    /// The job as it was when it was given out.
    pub job: JobRow,
    pub(crate) holder: String,
}

/// How far a job is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JobProgress {
    /// What the worker is doing.
    pub stage: String,
    /// How much of it is done.
    pub done: i64,
    /// How much there is; 0 if that is not known.
    pub total: i64,
}

/// Whether a worker should go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoOn {
    /// The lease holds for another thirty seconds.
    Yes,
    /// Somebody wants the job to stop: end it as cancelled.
    Stop,
}

impl Store {
    /// Queues a job.
    pub async fn enqueue(&self, new: &NewJob) -> Result<JobRow> {
        let mut act = self.write().await?;
        let row = self.insert_job(&mut act, new).await?;
        act.commit().await?;
        Ok(row)
    }

    /// Gives out the job that waits longest, or none. No two callers ever hold the same job.
    pub async fn claim_job(&self) -> Result<Option<JobLease>> {
        let mut act = self.write().await?;
        let now = self.now();
        free_expired(&mut act, now).await?;
        let holder = new_secret()?;
        let sql = "UPDATE job SET state = 'running', lease = $1, holder = $2, \
                   attempts = attempts + 1, stage = '', done = 0, total = 0, \
                   version = version + 1 WHERE id = (SELECT id FROM job WHERE state = 'queued' \
                   ORDER BY made, id LIMIT 1) AND state = 'queued' RETURNING id";
        loop {
            let claimed: Option<(String,)> = act.one(sql, args![now + LEASE, &holder]).await?;
            if let Some((id,)) = claimed {
                let job = find(&mut act, &id).await?;
                act.commit().await?;
                return Ok(Some(JobLease { job, holder }));
            }
            // On PostgreSQL another worker may have taken the one that was chosen.
            let waiting = "SELECT COUNT(*) FROM job WHERE state = 'queued'";
            if act.number(waiting, args![]).await? == 0 {
                act.commit().await?;
                return Ok(None);
            }
        }
    }

    /// Says that a worker lives and how far it is.
    pub async fn renew_job(&self, lease: &JobLease, progress: &JobProgress) -> Result<GoOn> {
        let mut act = self.write().await?;
        let sql = "UPDATE job SET lease = $3, stage = $4, done = $5, total = $6, \
                   version = version + 1 \
                   WHERE id = $1 AND holder = $2 AND state = 'running' RETURNING cancel";
        let (id, until) = (&lease.job.id, self.now() + LEASE);
        let JobProgress { stage, done, total } = progress;
        let args = args![id, &lease.holder, until, stage, *done, *total];
        let row: Option<(bool,)> = act.one(sql, args).await?;
        let (cancel,) = row.ok_or_else(|| StoreError::LeaseLost(id.clone()))?;
        act.commit().await?;
        Ok(if cancel { GoOn::Stop } else { GoOn::Yes })
    }

    /// Gives a job back that was begun, for instance because the server stops. It does not count
    /// as an attempt.
    pub async fn release_job(&self, lease: &JobLease) -> Result<()> {
        let mut act = self.write().await?;
        let sql = "UPDATE job SET state = 'queued', lease = NULL, holder = NULL, \
                   attempts = attempts - 1, version = version + 1 \
                   WHERE id = $1 AND holder = $2 AND state = 'running'";
        if act.run(sql, args![&lease.job.id, &lease.holder]).await? == 0 {
            return Err(StoreError::LeaseLost(lease.job.id.clone()));
        }
        act.commit().await
    }

    /// Cancels a job: at once if it waits, else when its worker next renews the lease.
    pub async fn cancel_job(&self, by: &By, id: &str) -> Result<JobRow> {
        let mut act = self.write().await?;
        let waiting = "UPDATE job SET state = 'cancelled', cancel = 1, ended = $2, \
                       version = version + 1 WHERE id = $1 AND state = 'queued'";
        let running = "UPDATE job SET cancel = 1, version = version + 1 \
                       WHERE id = $1 AND state = 'running'";
        let now = self.now();
        if act.run(waiting, args![id, now]).await? + act.run(running, args![id]).await? == 0 {
            find(&mut act, id).await?;
            let id = id.to_owned();
            return Err(StoreError::NotNow { what: "job", id, why: "has ended" });
        }
        let row = find(&mut act, id).await?;
        if row.state == JobState::Cancelled {
            crate::outcomes::withdraw(&mut act, id, now).await?;
        }
        audit::append(&mut act, by, "job.cancel", &format!("job {id}"), "{}", now).await?;
        act.commit().await?;
        Ok(row)
    }

    /// A job by its id.
    pub async fn job(&self, id: &str) -> Result<JobRow> {
        find(&mut self.read().await?, id).await
    }

    /// Jobs, the newest first; those of one person, or all.
    pub async fn jobs(&self, person: Option<&str>, from: &ListFrom) -> Result<ListPage<JobRow>> {
        let after = from.position(Position::last())?;
        let sql = "SELECT id, kind, state, stage, done, total, attempts, cancel, input, problem, \
                   result, person, made, ended, version FROM job \
                   WHERE ($1 IS NULL OR person = $1) \
                   AND (made < $2 OR (made = $2 AND id > $3)) ORDER BY made DESC, id LIMIT $4";
        let args = args![person, after.number, &after.word, from.fetch()];
        let rows = self.read().await?.all(sql, args).await?;
        Ok(from.page(rows, |row: &JobRow| Position::new(row.made, &row.id)))
    }

    /// Jobs that have not ended, and those made since a time; no more than a thousand.
    pub async fn lively_jobs(&self, since: i64) -> Result<Vec<JobMark>> {
        // Each half has an index.
        let sql = "SELECT id, state, stage, done, total, person, made, version FROM job \
                   WHERE state IN ('queued', 'running') OR made > $1 ORDER BY made, id LIMIT 1000";
        self.read().await?.all(sql, args![since]).await
    }

    /// How far a job is; nothing if it is not there.
    pub async fn job_mark(&self, id: &str) -> Result<Option<JobMark>> {
        let sql = "SELECT id, state, stage, done, total, person, made, version FROM job \
                   WHERE id = $1";
        self.read().await?.one(sql, args![id]).await
    }

    /// Queues a job within a transaction, if the limits allow it.
    pub(crate) async fn insert_job(&self, act: &mut Access, new: &NewJob) -> Result<JobRow> {
        lock(act, "queue").await?;
        let limits = self.limits();
        if let Some(person) = &new.person {
            let sql = "SELECT COUNT(*) FROM job WHERE person = $1 \
                       AND state IN ('queued', 'running')";
            if act.number(sql, args![person]).await? >= limits.per_person {
                return Err(StoreError::PersonBusy(limits.per_person));
            }
            let sql = "SELECT COUNT(*) FROM job WHERE state = 'queued'";
            if act.number(sql, args![]).await? >= limits.waiting {
                return Err(StoreError::QueueFull(limits.waiting));
            }
        }
        let id = new_id()?;
        let sql = "INSERT INTO job (id, kind, state, stage, done, total, attempts, cancel, input, \
                   person, made, version) \
                   VALUES ($1, $2, 'queued', '', 0, 0, 0, 0, $3, $4, $5, 1)";
        act.run(sql, args![&id, &new.kind, &new.input, &new.person, self.now()]).await?;
        find(act, &id).await
    }
}

/// A job by its id.
pub(crate) async fn find(access: &mut Access, id: &str) -> Result<JobRow> {
    let sql = "SELECT id, kind, state, stage, done, total, attempts, cancel, input, problem, \
               result, person, made, ended, version FROM job WHERE id = $1";
    let row = access.one(sql, args![id]).await?;
    row.ok_or_else(|| StoreError::not_found("job", id))
}

/// Takes jobs back from workers that have not said for a while that they live.
///
/// A question of its own, because a search for *queued, or running and expired* cannot use an
/// index.
async fn free_expired(act: &mut Access, now: i64) -> Result<()> {
    let cancelled = "UPDATE job SET state = 'cancelled', lease = NULL, holder = NULL, ended = $1, \
                     version = version + 1 \
                     WHERE state = 'running' AND lease < $1 AND cancel = 1 RETURNING id";
    let mut ended: Vec<(String,)> = act.all(cancelled, args![now]).await?;
    let failed = "UPDATE job SET state = 'failed', lease = NULL, holder = NULL, ended = $1, \
                  problem = $3, version = version + 1 \
                  WHERE state = 'running' AND lease < $1 AND attempts >= $2 RETURNING id";
    let problem = r#"{"title":"The worker ended without an answer, and so did those before it."}"#;
    ended.extend(act.all::<(String,)>(failed, args![now, MOST_ATTEMPTS, problem]).await?);
    for (id,) in &ended {
        crate::outcomes::withdraw(act, id, now).await?;
    }
    let queued = "UPDATE job SET state = 'queued', lease = NULL, holder = NULL, \
                  version = version + 1 WHERE state = 'running' AND lease < $1";
    act.run(queued, args![now]).await?;
    Ok(())
}

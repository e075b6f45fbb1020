//! The end of a job, with everything it brings.

use crate::audit::{self, By};
use crate::corpora::{self, NewCorpus};
use crate::evaluations::{self, NewEvaluation};
use crate::jobs::{self, JobLease, JobRow, JobState, NewJob};
use crate::sql::{Access, args};
use crate::{Result, Store, StoreError};

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// It has a result, as JSON.
    Done(String),
    /// It has a problem, as JSON. Nothing else of the outcome is kept.
    Failed(String),
    /// Cancelled by a user. Nothing else of the outcome is kept.
    Cancelled,
}

/// What a job brings. All of it is kept, or nothing.
#[derive(Clone, Debug)]
pub struct JobOutcome {
    /// How the job ended.
    pub end: JobEnd,
    /// The corpus that it read, and what of.
    pub corpus: Option<(NewCorpus, CorpusOf)>,
    /// The evaluations that it made.
    pub evaluations: Vec<NewEvaluation>,
    /// What is to be done next. It takes the place of this job, so no limit holds for it.
    pub next: Vec<NewJob>,
}

/// What a corpus was read for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CorpusOf {
    /// A run, by its id.
    Run(String),
    /// An edition, by its id.
    Edition(String),
}

impl JobOutcome {
    /// An outcome that brings nothing else.
    pub fn of(end: JobEnd) -> JobOutcome {
        JobOutcome { end, corpus: None, evaluations: Vec::new(), next: Vec::new() }
    }
}

impl Store {
    /// Ends a job and keeps what it brought, in one transaction. Gives the jobs that follow.
    pub async fn finish_job(&self, lease: &JobLease, outcome: &JobOutcome) -> Result<Vec<JobRow>> {
        let mut act = self.write().await?;
        let now = self.now();
        // The job's row comes first: nobody else can end it or take it from here on.
        end(&mut act, lease, &outcome.end, now).await?;
        let mut next = Vec::new();
        if let JobEnd::Done(_) = outcome.end {
            keep(&mut act, outcome, now).await?;
            for job in &outcome.next {
                next.push(self.insert_next(&mut act, job).await?);
            }
        }
        act.commit().await?;
        Ok(next)
    }

    async fn insert_next(&self, act: &mut Access, job: &NewJob) -> Result<JobRow> {
        let free =
            self.clone().with_limits(jobs::QueueLimits { per_person: i64::MAX, waiting: i64::MAX });
        free.insert_job(act, job).await
    }
}

async fn end(act: &mut Access, lease: &JobLease, end: &JobEnd, now: i64) -> Result<()> {
    let (state, result, problem) = match end {
        JobEnd::Done(result) => (JobState::Done, Some(result.as_str()), None),
        JobEnd::Failed(problem) => (JobState::Failed, None, Some(problem.as_str())),
        JobEnd::Cancelled => (JobState::Cancelled, None, None),
    };
    let sql = "UPDATE job SET state = $3, result = $4, problem = $5, ended = $6, lease = NULL, \
               holder = NULL, version = version + 1 \
               WHERE id = $1 AND holder = $2 AND state = 'running'";
    let id = &lease.job.id;
    if act.run(sql, args![id, &lease.holder, state, result, problem, now]).await? == 0 {
        return Err(StoreError::LeaseLost(id.clone()));
    }
    match end {
        JobEnd::Done(_) => Ok(()),
        JobEnd::Failed(_) | JobEnd::Cancelled => withdraw(act, id, now).await,
    }
}

/// Takes back what was sent for a job that came to nothing: a run or an edition without a corpus would stand on pages for
/// ever. Names of systems and benchmarks stay, so that they can be sent for again.
pub(crate) async fn withdraw(act: &mut Access, job: &str, now: i64) -> Result<()> {
    let runs = act.run("DELETE FROM run WHERE job = $1 AND corpus IS NULL", args![job]).await?;
    let editions =
        act.run("DELETE FROM edition WHERE job = $1 AND corpus IS NULL", args![job]).await?;
    if runs + editions > 0 {
        let object = format!("job {job}");
        audit::append(act, &By::server(), "job.withdraw", &object, "{}", now).await?;
    }
    Ok(())
}

async fn keep(act: &mut Access, outcome: &JobOutcome, now: i64) -> Result<()> {
    if let Some((corpus, of)) = &outcome.corpus {
        corpora::put(act, corpus, now).await?;
        let (sql, id) = match of {
            CorpusOf::Run(id) => {
                ("UPDATE run SET corpus = $2, version = version + 1 WHERE id = $1", id)
            }
            CorpusOf::Edition(id) => ("UPDATE edition SET corpus = $2 WHERE id = $1", id),
        };
        act.run(sql, args![id, &corpus.digest]).await?;
    }
    for evaluation in &outcome.evaluations {
        evaluations::put(act, evaluation, now).await?;
    }
    Ok(())
}

//! What a person sends, accepted in one transaction.

use crate::audit::{self, By};
use crate::benchmarks::{self, NewBenchmark, NewEdition};
use crate::corpora::{self, NewCorpus};
use crate::files::{self, StagedFile};
use crate::idempotency;
use crate::jobs::NewJob;
use crate::runs::{self, NewRun};
use crate::sql::{Access, args};
use crate::systems::{self, NewSystem};
use crate::{OnceBegun, Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// Something sent: a run, or the gold of an edition.
#[derive(Clone, Debug)]
pub struct Submission {
    /// The file as it was sent.
    pub upload: Option<StagedFile>,
    /// What was read from it, if that is done already.
    pub corpus: Option<NewCorpus>,
    /// What it is.
    pub what: SubmissionKind,
    /// What is to be done with it. Its worker learns the ids from [`Store::submission_of`].
    pub job: Option<NewJob>,
    /// The idempotency key of the request: its answer is kept with what it did.
    pub once: Option<OnceBegun>,
    /// Whether the quota of a benchmark with hidden gold holds for who sends it. It does not for its organisers.
    pub limited: bool,
}

/// What was sent.
#[derive(Clone, Debug)]
pub enum SubmissionKind {
    /// A run, of a system that is there or of a new one. Then the run's own `system` is not read.
    Run(NewRun, Option<NewSystem>),
    /// An edition, of a benchmark that is there or of a new one. Then the edition's own
    /// `benchmark` is not read.
    Edition(NewEdition, Option<NewBenchmark>),
}

/// What became of a submission.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Submitted {
    /// The job that works on it.
    pub job: Option<String>,
    /// The digest of the file.
    pub upload: Option<String>,
    /// The run.
    pub run: Option<String>,
    /// The edition.
    pub edition: Option<String>,
}

impl Store {
    /// Accepts a submission: file, corpus, system or benchmark, run or edition, job, audit and the
    /// answer to the request, all of it or nothing.
    pub async fn submit(&self, by: &By, submission: &Submission) -> Result<Submitted> {
        let mut act = self.write().await?;
        let now = self.now();
        if let Some(file) = &submission.upload {
            files::adopt(&mut act, file, now).await?;
        }
        if let Some(corpus) = &submission.corpus {
            corpora::put(&mut act, corpus, now).await?;
        }
        let mut done = Submitted { job: None, upload: None, run: None, edition: None };
        done.upload = submission.upload.as_ref().map(|file| file.digest().to_owned());
        if let Some(job) = &submission.job {
            done.job = Some(self.insert_job(&mut act, job).await?.id);
        }
        if let SubmissionKind::Run(run, _) = &submission.what
            && submission.limited
        {
            check_quota(&mut act, by, &run.edition, now).await?;
        }
        let corpus = submission.corpus.as_ref().map(|corpus| corpus.digest.clone());
        self.insert_what(&mut act, by, &submission.what, corpus, &mut done).await?;
        if let Some(once) = &submission.once {
            let body = serde_json::to_string(&done)
                .map_err(|_| StoreError::Malformed("an answer that cannot be written as JSON"))?;
            idempotency::answer(&mut act, once, 202, &body).await?;
        }
        act.commit().await?;
        Ok(done)
    }

    /// What a job works on.
    pub async fn submission_of(&self, job: &str) -> Result<Submitted> {
        let sql = "SELECT upload, id, NULL FROM run WHERE job = $1 \
                   UNION ALL SELECT upload, NULL, id FROM edition WHERE job = $1";
        let row = self.read().await?.one(sql, args![job]).await?;
        let (upload, run, edition) =
            row.ok_or_else(|| StoreError::not_found("submission of job", job))?;
        Ok(Submitted { job: Some(job.to_owned()), upload, run, edition })
    }

    async fn insert_what(
        &self,
        act: &mut Access,
        by: &By,
        what: &SubmissionKind,
        corpus: Option<String>,
        done: &mut Submitted,
    ) -> Result<()> {
        let now = self.now();
        let (upload, job) = (done.upload.as_deref(), done.job.as_deref());
        match what {
            SubmissionKind::Run(run, system) => {
                let mut run = run.clone();
                run.corpus = corpus.or(run.corpus);
                if let Some(system) = system {
                    let row = systems::insert(act, system, now).await?;
                    audit::added(act, by, &row, now).await?;
                    run.system = row.id;
                }
                let row = runs::insert(act, by, &run, upload, job, now).await?;
                audit::added(act, by, &row, now).await?;
                done.run = Some(row.id);
            }
            SubmissionKind::Edition(edition, benchmark) => {
                let mut edition = edition.clone();
                edition.corpus = corpus.or(edition.corpus);
                if let Some(benchmark) = benchmark {
                    let row = benchmarks::insert(act, benchmark, now).await?;
                    audit::added(act, by, &row, now).await?;
                    edition.benchmark = row.id;
                }
                let row = benchmarks::insert_edition(act, &edition, upload, job, now).await?;
                audit::added(act, by, &row, now).await?;
                done.edition = Some(row.id);
            }
        }
        Ok(())
    }
}

/// Refuses a run if its sender has sent as many within a day as the benchmark allows while its gold is hidden. Removed
/// runs count: their scores were seen. Those that could not be read do not, because nothing is left of them.
async fn check_quota(act: &mut Access, by: &By, edition: &str, now: i64) -> Result<()> {
    const DAY: i64 = 24 * 3600 * 1000;
    let sql = "SELECT b.quota, COUNT(r.id), COALESCE(MIN(r.sent), $3) FROM edition e \
               JOIN benchmark b ON b.id = e.benchmark \
               JOIN edition f ON f.benchmark = b.id \
               LEFT JOIN run r ON r.edition = f.id AND r.sent_by = $2 AND r.sent > $4 \
               WHERE e.id = $1 AND b.gold_hidden = 1 GROUP BY b.quota";
    let counted: Option<(i64, i64, i64)> =
        act.one(sql, args![edition, &by.person, now, now - DAY]).await?;
    match counted {
        Some((quota, sent, first)) if sent >= quota => {
            Err(StoreError::QuotaUsed { quota, until: first + DAY })
        }
        _ => Ok(()),
    }
}

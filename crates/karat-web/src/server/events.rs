//! What becomes of jobs, as server-sent events.
//!
//! States and not steps are sent: whoever was away misses nothing that still matters. The id of an event says what its
//! reader knows, so that one who comes back with `Last-Event-ID` is told only what is new.

use super::Shared;
use crate::access::Visitor;
use crate::workspace::{LivelyJobs, Workspace};
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, unfold};
use karat_store::{JobMark, JobState, ListFrom, StoreError};
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, watch};

/// A comment is sent this often, so that nobody on the way takes the connection for dead.
const ALIVE: Duration = Duration::from_secs(15);
/// So long after a stream broke a reader comes back.
pub(super) const RETRY: Duration = Duration::from_secs(3);
/// So many jobs are looked at for one who comes back to follow all of theirs. There are never as many that have not ended.
const MOST_JOBS: u32 = 200;
/// A job may be committed so much later than it was made, in milliseconds.
const LATE: i64 = 2000;

/// The events of a job, for the script of its page.
pub(super) async fn of_page(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    let Some(workspace) = shared.workspace.clone() else {
        return (StatusCode::NOT_FOUND, "there are no jobs\n").into_response();
    };
    let job = workspace.store().job(&id).await;
    if !job.is_ok_and(|job| visitor.sees_job_of(job.person.as_deref())) {
        return (StatusCode::NOT_FOUND, "there is no such job\n").into_response();
    }
    let too_many = || (StatusCode::SERVICE_UNAVAILABLE, "too many streams\n").into_response();
    of_job(workspace, id, &headers).unwrap_or_else(too_many)
}

/// Every change of one job, until it ends or the server does; nothing where too many follow jobs already.
pub(crate) fn of_job(workspace: Workspace, id: String, headers: &HeaderMap) -> Option<Response> {
    let place = workspace.place_in_streams()?;
    let known = last_id(headers).and_then(|id| id.parse().ok()).unwrap_or(0);
    let news = workspace.follow_jobs();
    let watch =
        JobWatch { workspace, id, news, known, is_first: true, ended: false, _place: place };
    Some(streamed(unfold(watch, JobWatch::next)))
}

/// Every change of all jobs of a person, or of all, until the server ends; nothing where too many follow jobs
/// already.
pub(crate) fn of_jobs(
    workspace: Workspace,
    person: Option<String>,
    headers: &HeaderMap,
) -> Option<Response> {
    let place = workspace.place_in_streams()?;
    let now = workspace.store().now();
    let known = last_id(headers).and_then(KnownJobs::parse).unwrap_or_else(|| KnownJobs::from(now));
    let lively = workspace.follow_jobs();
    let untold = VecDeque::new();
    let watch =
        JobsWatch { workspace, person, known, lively, is_first: true, untold, _place: place };
    Some(streamed(unfold(watch, JobsWatch::next)))
}

fn last_id(headers: &HeaderMap) -> Option<&str> {
    headers.get("last-event-id").and_then(|id| id.to_str().ok())
}

pub(super) fn streamed(
    events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static,
) -> Response {
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE).text("")).into_response()
}

fn event(job: &JobMark, id: String) -> Event {
    let name = match job.state {
        JobState::Queued => "stage",
        JobState::Running if job.total > 0 => "progress",
        JobState::Running => "stage",
        JobState::Done => "done",
        JobState::Failed | JobState::Cancelled => "failed",
    };
    let data = serde_json::json!({
        "job": job.id,
        "state": job.state,
        "stage": job.stage,
        "done": job.done,
        "total": job.total,
    });
    Event::default().id(id).event(name).retry(RETRY).data(data.to_string())
}

/// Follows one job. The id of an event is the version of the job.
struct JobWatch {
    workspace: Workspace,
    id: String,
    news: watch::Receiver<LivelyJobs>,
    /// The version of the job that the reader knows.
    known: i64,
    /// Whether nothing was looked up yet: what has ended before is no news, but this reader may not know it.
    is_first: bool,
    ended: bool,
    _place: OwnedSemaphorePermit,
}

impl JobWatch {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, JobWatch)> {
        if self.ended {
            return None;
        }
        let workspace = self.workspace.clone();
        let found = tokio::select! {
            // Open streams would keep the server from ever ending.
            () = workspace.stopping() => return None,
            found = self.changed() => found?,
        };
        self.known = found.version;
        self.ended = found.has_ended();
        Some((Ok(event(&found, found.version.to_string())), self))
    }

    /// The job, as soon as its version is another than the one that is known.
    async fn changed(&mut self) -> Option<JobMark> {
        if self.is_first {
            let job = JobMark::from(self.workspace.store().job(&self.id).await.ok()?);
            self.is_first = false;
            if job.version > self.known {
                return Some(job);
            }
            // A reader who comes back after the end has nothing to wait for.
            if job.has_ended() {
                return None;
            }
        }
        let (id, known) = (&self.id, self.known);
        let is_new = |jobs: &LivelyJobs| jobs.get(id).is_some_and(|job| job.version > known);
        let found = self.news.wait_for(is_new).await.ok()?;
        found.get(id).cloned()
    }
}

/// What a reader knows of many jobs: the version of each that may still change, and until when jobs were looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
struct KnownJobs {
    since: i64,
    versions: BTreeMap<String, i64>,
    /// Those of them that have ended, and when they were made. It is no part of the id.
    ended: BTreeMap<String, i64>,
}

impl KnownJobs {
    fn from(now: i64) -> KnownJobs {
        KnownJobs { since: now, versions: BTreeMap::new(), ended: BTreeMap::new() }
    }

    /// `since;id:version,id:version`
    fn parse(text: &str) -> Option<KnownJobs> {
        let (since, versions) = text.split_once(';')?;
        let pairs = versions.split(',').filter(|pair| !pair.is_empty());
        let versions = pairs.map(|pair| {
            let (id, version) = pair.split_once(':')?;
            Some((id.to_owned(), version.parse().ok()?))
        });
        Some(KnownJobs {
            versions: versions.collect::<Option<_>>()?,
            ..KnownJobs::from(since.parse().ok()?)
        })
    }

    /// Whether a reader does not know this yet. Jobs that had ended before the reader came are no news.
    fn is_new(&self, job: &JobMark) -> bool {
        match self.versions.get(&job.id) {
            Some(version) => job.version > *version,
            None => !job.has_ended() || job.made > self.since - LATE,
        }
    }

    /// Notes what the reader is told now.
    fn note(&mut self, job: &JobMark) {
        self.since = self.since.max(job.made);
        self.versions.insert(job.id.clone(), job.version);
        if job.has_ended() {
            self.ended.insert(job.id.clone(), job.made);
        }
    }

    /// Forgets what cannot change any more, as soon as its age alone tells that it is no news: ids are sent with every event and
    /// come back as a header, so they must not grow with the jobs of a long day. `jobs` are those of the last look.
    fn forget_old(&mut self, jobs: &[JobMark]) {
        // One who comes back may know jobs that have ended long since.
        let known = |job: &&JobMark| self.versions.get(&job.id) == Some(&job.version);
        let ended = jobs.iter().filter(|job| job.has_ended()).filter(known);
        self.ended.extend(ended.map(|job| (job.id.clone(), job.made)));
        let old = self.since - LATE;
        let versions = &mut self.versions;
        self.ended.retain(|id, made| {
            let is_old = *made <= old;
            if is_old {
                versions.remove(id);
            }
            !is_old
        });
    }
}

impl std::fmt::Display for KnownJobs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let pairs = self.versions.iter().map(|(id, version)| format!("{id}:{version}"));
        write!(f, "{};{}", self.since, pairs.collect::<Vec<_>>().join(","))
    }
}

/// Follows all jobs of a person, or all.
struct JobsWatch {
    workspace: Workspace,
    person: Option<String>,
    known: KnownJobs,
    lively: watch::Receiver<LivelyJobs>,
    /// Whether nothing was looked up yet: a reader who comes back is told what has ended long since.
    is_first: bool,
    /// What is still to be told, the oldest first.
    untold: VecDeque<JobMark>,
    _place: OwnedSemaphorePermit,
}

impl JobsWatch {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, JobsWatch)> {
        let workspace = self.workspace.clone();
        while self.untold.is_empty() {
            let jobs = tokio::select! {
                () = workspace.stopping() => return None,
                jobs = self.looked() => jobs?,
            };
            self.known.forget_old(&jobs);
            self.untold = jobs.into_iter().filter(|job| self.known.is_new(job)).collect();
        }
        let job = self.untold.pop_front()?;
        self.known.note(&job);
        let id = self.known.to_string();
        Some((Ok(event(&job, id)), self))
    }

    /// The jobs of this reader, the oldest first: at once the first time, then when some have changed.
    async fn looked(&mut self) -> Option<Vec<JobMark>> {
        if self.is_first {
            self.is_first = false;
            return self.all().await.ok();
        }
        self.lively.changed().await.ok()?;
        let lively = Arc::clone(&self.lively.borrow_and_update());
        let is_mine = |job: &&JobMark| self.person.is_none() || job.person == self.person;
        let mut jobs: Vec<JobMark> = lively.values().filter(is_mine).cloned().collect();
        jobs.sort_by_key(|job| job.made);
        Some(jobs)
    }

    async fn all(&self) -> Result<Vec<JobMark>, StoreError> {
        let from = ListFrom { limit: MOST_JOBS, after: None };
        let page = self.workspace.store().jobs(self.person.as_deref(), &from).await?;
        Ok(page.items.into_iter().rev().map(JobMark::from).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: &str, made: i64, version: i64, state: JobState) -> JobMark {
        JobMark {
            id: id.to_owned(),
            state,
            stage: String::new(),
            done: 0,
            total: 0,
            person: None,
            made,
            version,
        }
    }

    #[test]
    fn a_reader_who_comes_back_is_told_what_is_new() {
        let mut known = KnownJobs::from(10_000);
        assert!(!known.is_new(&job("old", 5_000, 9, JobState::Done)));
        let running = job("a", 5_000, 3, JobState::Running);
        assert!(known.is_new(&running));
        known.note(&running);
        assert!(!known.is_new(&running));
        let back = KnownJobs::parse(&known.to_string());
        assert_eq!(back.as_ref(), Some(&known));
        let ended = job("a", 5_000, 4, JobState::Done);
        assert!(known.is_new(&ended));
        known.note(&ended);
        assert!(!known.is_new(&ended));
        known.forget_old(&[ended]);
        assert!(known.versions.is_empty(), "its age alone tells that it is no news");
        // What came and went while nobody looked.
        assert!(known.is_new(&job("b", 11_000, 7, JobState::Failed)));
        for bad in ["", "x;", "1;a", "1;a:x"] {
            assert_eq!(KnownJobs::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn ids_do_not_grow_with_the_jobs_of_a_long_day() {
        let mut known = KnownJobs::from(0);
        let mut longest = 0;
        for number in 0..5_000_i64 {
            let made = 1_000 * number;
            let id = format!("job{number:07}");
            for (version, state) in
                [(1, JobState::Queued), (2, JobState::Running), (3, JobState::Done)]
            {
                let now = job(&id, made, version, state);
                assert!(known.is_new(&now));
                known.note(&now);
                assert!(!known.is_new(&now));
            }
            // A look tells of jobs that ended a while ago as well.
            let first = (number - 60).max(0);
            let jobs =
                (first..=number).map(|n| job(&format!("job{n:07}"), 1_000 * n, 3, JobState::Done));
            let jobs: Vec<JobMark> = jobs.collect();
            known.forget_old(&jobs);
            assert!(!jobs.iter().any(|job| known.is_new(job)), "nothing is told twice");
            longest = longest.max(known.to_string().len());
        }
        assert!(longest < 200, "{longest}");
        // A job that took an hour is among those of one look only.
        let long = job("long", 0, 9, JobState::Done);
        known.versions.insert(long.id.clone(), 8);
        known.note(&long);
        known.forget_old(&[]);
        assert!(!known.versions.contains_key("long") && !known.is_new(&long));
    }
}

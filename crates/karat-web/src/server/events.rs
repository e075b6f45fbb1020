//! What becomes of jobs, as server-sent events.
//!
//! States and not steps are sent: whoever was away misses nothing that still matters. The id of an event says what its
//! reader knows, so that one who comes back with `Last-Event-ID` is told only what is new.

use super::Shared;
use crate::access::Visitor;
use crate::workspace::Workspace;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{Stream, unfold};
use karat_store::{JobRow, JobState, ListFrom, StoreError};
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// A job is looked at this often while somebody follows it.
const LOOKED: Duration = Duration::from_millis(200);
/// A comment is sent this often, so that nobody on the way takes the connection for dead.
const ALIVE: Duration = Duration::from_secs(15);
/// So long after a stream broke a reader comes back.
const RETRY: Duration = Duration::from_secs(3);
/// So many jobs are looked at for those who follow all of theirs. There are never as many that have not ended.
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
    let watch = JobWatch { workspace, id, known, ended: false, _place: place };
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
    let watch = JobsWatch { workspace, person, known, news: VecDeque::new(), _place: place };
    Some(streamed(unfold(watch, JobsWatch::next)))
}

fn last_id(headers: &HeaderMap) -> Option<&str> {
    headers.get("last-event-id").and_then(|id| id.to_str().ok())
}

fn streamed(events: impl Stream<Item = Result<Event, Infallible>> + Send + 'static) -> Response {
    Sse::new(events).keep_alive(KeepAlive::new().interval(ALIVE).text("")).into_response()
}

fn has_ended(job: &JobRow) -> bool {
    matches!(job.state, JobState::Done | JobState::Failed | JobState::Cancelled)
}

fn event(job: &JobRow, id: String) -> Event {
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
    /// The version of the job that the reader knows.
    known: i64,
    ended: bool,
    _place: OwnedSemaphorePermit,
}

impl JobWatch {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, JobWatch)> {
        if self.ended {
            return None;
        }
        let found = tokio::select! {
            // Open streams would keep the server from ever ending.
            () = self.workspace.stopping() => return None,
            found = self.changed() => found?,
        };
        self.known = found.version;
        self.ended = has_ended(&found);
        Some((Ok(event(&found, found.version.to_string())), self))
    }

    /// The job, as soon as its version is another than the one that is known.
    async fn changed(&self) -> Option<JobRow> {
        loop {
            let job = self.workspace.store().job(&self.id).await.ok()?;
            if job.version > self.known {
                return Some(job);
            }
            // A reader who comes back after the end has nothing to wait for.
            if has_ended(&job) {
                return None;
            }
            tokio::time::sleep(LOOKED).await;
        }
    }
}

/// What a reader knows of many jobs: the version of each that may still change, and until when jobs were looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
struct KnownJobs {
    since: i64,
    versions: BTreeMap<String, i64>,
}

impl KnownJobs {
    fn from(now: i64) -> KnownJobs {
        KnownJobs { since: now, versions: BTreeMap::new() }
    }

    /// `since;id:version,id:version`
    fn parse(text: &str) -> Option<KnownJobs> {
        let (since, versions) = text.split_once(';')?;
        let pairs = versions.split(',').filter(|pair| !pair.is_empty());
        let versions = pairs.map(|pair| {
            let (id, version) = pair.split_once(':')?;
            Some((id.to_owned(), version.parse().ok()?))
        });
        Some(KnownJobs { since: since.parse().ok()?, versions: versions.collect::<Option<_>>()? })
    }

    /// Whether a reader does not know this yet. Jobs that had ended before the reader came are no news.
    fn is_new(&self, job: &JobRow) -> bool {
        match self.versions.get(&job.id) {
            Some(version) => job.version > *version,
            None => !has_ended(job) || job.made > self.since - LATE,
        }
    }

    /// Notes what the reader is told now. What cannot change any more is forgotten as soon as its age alone tells that it
    /// is no news, so that ids stay short.
    fn note(&mut self, job: &JobRow) {
        self.since = self.since.max(job.made);
        self.versions.insert(job.id.clone(), job.version);
        if has_ended(job) && job.made <= self.since - LATE {
            self.versions.remove(&job.id);
        }
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
    /// What is still to be told, the oldest first.
    news: VecDeque<JobRow>,
    _place: OwnedSemaphorePermit,
}

impl JobsWatch {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, JobsWatch)> {
        while self.news.is_empty() {
            let found = tokio::select! {
                () = self.workspace.stopping() => return None,
                found = self.looked() => found.ok()?,
            };
            self.news = found;
            if self.news.is_empty() {
                tokio::select! {
                    () = self.workspace.stopping() => return None,
                    () = tokio::time::sleep(LOOKED) => {}
                }
            }
        }
        let job = self.news.pop_front()?;
        self.known.note(&job);
        let id = self.known.to_string();
        Some((Ok(event(&job, id)), self))
    }

    async fn looked(&self) -> Result<VecDeque<JobRow>, StoreError> {
        let from = ListFrom { limit: MOST_JOBS, after: None };
        let page = self.workspace.store().jobs(self.person.as_deref(), &from).await?;
        Ok(page.items.into_iter().rev().filter(|job| self.known.is_new(job)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(id: &str, made: i64, version: i64, state: JobState) -> JobRow {
        JobRow {
            id: id.to_owned(),
            kind: String::new(),
            state,
            stage: String::new(),
            done: 0,
            total: 0,
            attempts: 0,
            cancel: false,
            input: String::new(),
            problem: None,
            result: None,
            person: None,
            made,
            ended: None,
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
        assert!(known.versions.is_empty(), "its age alone tells that it is no news");
        // What came and went while nobody looked.
        assert!(known.is_new(&job("b", 11_000, 7, JobState::Failed)));
        for bad in ["", "x;", "1;a", "1;a:x"] {
            assert_eq!(KnownJobs::parse(bad), None, "{bad}");
        }
    }
}

//! Jobs: work that takes longer than a request may.

use super::call::{Call, boxed};
use super::listing::{self, listed};
use super::negotiation;
use super::operation::{Gives, Handler, Operation, READ, schema_of};
use super::problem::{BUSY, Problem};
use super::stored::{done, versioned};
use crate::access::Act;
use crate::server::{of_job, of_jobs};
use crate::workspace::Workspace;
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use karat_store::{EVERYTHING, JobRow, JobState, ListPage};
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/jobs",
        id: "listJobs",
        about: "Your jobs, the newest first; organisers of everything see those of all.",
        keys: listing::KEYS,
        gives: Gives::List(schema_of::<JobItem>),
        page: "/jobs",
        handler: Handler::Function(|call| boxed(jobs(call))),
        ..READ
    },
    Operation {
        path: "/jobs/{id}",
        id: "getJob",
        about: "How far a job is, and what came of it.",
        gives: Gives::Json(schema_of::<JobItem>),
        page: "/jobs/{id}",
        handler: Handler::Function(|call| boxed(job(call))),
        ..READ
    },
    Operation {
        method: Method::DELETE,
        path: "/jobs/{id}",
        id: "cancelJob",
        about: "Cancels a job that has not ended.",
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(cancel(call))),
        ..READ
    },
    Operation {
        path: "/jobs/{id}/events",
        id: "followJob",
        about: "What becomes of a job, as server-sent events, until it ends. `Last-Event-ID` goes on where a stream broke.",
        gives: Gives::Events,
        handler: Handler::Function(|call| boxed(follow(call))),
        ..READ
    },
    Operation {
        path: "/events",
        id: "followJobs",
        about: "What becomes of all your jobs, as server-sent events; organisers of everything follow those of all.",
        gives: Gives::Events,
        handler: Handler::Function(|call| boxed(follow_all(call))),
        ..READ
    },
];

/// A job.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Job)]
pub(super) struct JobItem {
    /// Its id.
    id: String,
    /// What is done.
    kind: String,
    /// Where it is in its life.
    state: JobState,
    /// What the worker is doing.
    stage: String,
    /// How much of the stage is done.
    done: i64,
    /// How much the stage has; 0 if that is not known.
    total: i64,
    /// Whether somebody wants it to stop.
    cancel: bool,
    /// Why it failed.
    #[schema(value_type = Object, nullable)]
    problem: Option<Value>,
    /// What came out.
    #[schema(value_type = Object, nullable)]
    result: Option<Value>,
    /// The id of the person who wants it.
    person: Option<String>,
    /// When it was queued, in milliseconds since 1970.
    made: i64,
    /// When it ended.
    ended: Option<i64>,
}

impl From<JobRow> for JobItem {
    fn from(row: JobRow) -> JobItem {
        // The store keeps what jobs say as text.
        let parsed = |text: Option<String>| text.and_then(|text| serde_json::from_str(&text).ok());
        JobItem {
            id: row.id,
            kind: row.kind,
            state: row.state,
            stage: row.stage,
            done: row.done,
            total: row.total,
            cancel: row.cancel,
            problem: parsed(row.problem),
            result: parsed(row.result),
            person: row.person,
            made: row.made,
            ended: row.ended,
        }
    }
}

/// Whether the caller sees the jobs of all.
fn sees_all(call: &Call) -> bool {
    call.visitor.may(Act::Organise, EVERYTHING)
}

/// A job that the caller sees: their own, or any for organisers of everything.
pub(super) async fn seen(call: &Call) -> Result<JobRow, Problem> {
    let id = call.parameter("id");
    let row = call.store()?.job(id).await?;
    let is_seen = call.visitor.sees_job_of(row.person.as_deref());
    if is_seen { Ok(row) } else { Err(Problem::missing("job", id)) }
}

async fn jobs(call: Call) -> Result<Response, Problem> {
    let store = call.store()?;
    let from = listing::from(&call)?;
    let page = match (sees_all(&call), call.visitor.person()) {
        (true, _) => store.jobs(None, &from).await?,
        (false, Some(person)) => store.jobs(Some(&person.id), &from).await?,
        (false, None) => ListPage { items: Vec::new(), next: None },
    };
    let items = page.items.into_iter().map(JobItem::from).collect();
    listed(&call, &ListPage { items, next: page.next })
}

async fn job(call: Call) -> Result<Response, Problem> {
    let row = seen(&call).await?;
    versioned(&call, row.version, &JobItem::from(row))
}

async fn cancel(call: Call) -> Result<Response, Problem> {
    let row = seen(&call).await?;
    call.store()?.cancel_job(&call.visitor.by(), &row.id).await?;
    Ok(done())
}

/// The workspace of those who follow jobs.
fn workspace(call: &Call) -> Result<Workspace, Problem> {
    call.store()?;
    negotiation::events_only(&call.headers)?;
    call.shared.workspace.clone().ok_or_else(|| Problem::failed("there is no workspace"))
}

fn too_many() -> Problem {
    let soon = HeaderValue::from_static("10");
    Problem::new(&BUSY, "too many follow jobs now").with_header(header::RETRY_AFTER, soon)
}

async fn follow(call: Call) -> Result<Response, Problem> {
    let row = seen(&call).await?;
    of_job(workspace(&call)?, row.id, &call.headers).ok_or_else(too_many)
}

async fn follow_all(call: Call) -> Result<Response, Problem> {
    let workspace = workspace(&call)?;
    let person = match sees_all(&call) {
        true => None,
        // Whoever has no account has no jobs either: an id that nobody has finds none.
        false => Some(call.visitor.person().map(|it| it.id.clone()).unwrap_or_default()),
    };
    of_jobs(workspace, person, &call.headers).ok_or_else(too_many)
}

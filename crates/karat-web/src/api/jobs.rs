//! Jobs: work that takes longer than a request may.

use super::call::{Call, boxed};
use super::listing::{self, listed};
use super::operation::{Gives, Handler, Operation, READ, schema_of};
use super::problem::Problem;
use super::stored::{done, versioned};
use crate::access::Act;
use axum::http::Method;
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
        handler: Handler::Function(|call| boxed(jobs(call))),
        ..READ
    },
    Operation {
        path: "/jobs/{id}",
        id: "getJob",
        about: "How far a job is, and what came of it.",
        gives: Gives::Json(schema_of::<JobItem>),
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

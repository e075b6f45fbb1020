//! What callers see of the store, and what they may do to it.

use super::call::Call;
use super::etag::with_tag;
use super::problem::{
    BUSY, CHANGED, CONFLICT, FULL, KEEPS_NOTHING, MISSING, Problem, REQUEST, REUSED, RIGHTS,
    RUNNING,
};
use crate::access::Act;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat_store::{BenchmarkRow, RunRow, Store, StoreError};
use serde::Serialize;

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        let kind = match &error {
            StoreError::NotFound { .. } => &MISSING,
            StoreError::Taken { .. }
            | StoreError::NotNow { .. }
            | StoreError::LeaseLost(_)
            | StoreError::Step { .. }
            | StoreError::OtherAnswers { .. } => &CONFLICT,
            StoreError::Unfit(_) => &REQUEST,
            StoreError::Stale { .. } => &CHANGED,
            StoreError::Name(_) | StoreError::Cursor(_) | StoreError::Password(_) => &REQUEST,
            StoreError::KeyReused(_) => &REUSED,
            StoreError::StillRunning(_) => &RUNNING,
            StoreError::PersonBusy(_) | StoreError::QueueFull(_) => {
                let soon = HeaderValue::from_static("10");
                return Problem::new(&BUSY, error.to_string())
                    .with_header(header::RETRY_AFTER, soon);
            }
            StoreError::QuotaUsed { until, .. } => {
                let now = std::time::UNIX_EPOCH.elapsed().map_or(0, |it| it.as_millis() as i64);
                let seconds = ((until - now) / 1000 + 1).max(1);
                return Problem::new(&BUSY, error.to_string())
                    .with_header(header::RETRY_AFTER, HeaderValue::from(seconds));
            }
            StoreError::Full => &FULL,
            // What a database says is for its owner, not for callers.
            _ => return Problem::failed("the store did not do it"),
        };
        Problem::new(kind, error.to_string())
    }
}

impl Call {
    /// The store; a server that shows files has none.
    pub(super) fn store(&self) -> Result<Store, Problem> {
        let detail = "it shows files; start `karat serve` without files for a workspace";
        self.shared.store().cloned().ok_or_else(|| Problem::new(&KEEPS_NOTHING, detail))
    }

    /// A benchmark that the caller sees. What they do not see is not there.
    pub(super) async fn seen_benchmark(&self, name: &str) -> Result<BenchmarkRow, Problem> {
        let row = self.store()?.benchmark(name).await?;
        match self.visitor.sees(&row.id, row.visible) {
            true => Ok(row),
            false => Err(Problem::missing("benchmark", name)),
        }
    }

    /// A benchmark to which the caller may do this.
    pub(super) async fn allowed_benchmark(
        &self,
        act: Act,
        name: &str,
    ) -> Result<BenchmarkRow, Problem> {
        let row = self.seen_benchmark(name).await?;
        self.allowed(act, &row.id)?;
        Ok(row)
    }

    /// Refuses what the caller may not do to something that they see.
    pub(super) fn allowed(&self, act: Act, object: &str) -> Result<(), Problem> {
        match self.visitor.may(act, object) {
            true => Ok(()),
            false => Err(Problem::new(&RIGHTS, "your rights do not allow this")),
        }
    }

    /// A run that the caller sees, with its benchmark.
    pub(super) async fn seen_run(&self, id: &str) -> Result<SeenRun, Problem> {
        let store = self.store()?;
        let run = store.run(id).await?;
        let edition = store.edition(&run.edition).await?;
        let missing = || Problem::missing("run", id);
        let benchmark = store.benchmark(&edition.benchmark).await.map_err(|_| missing())?;
        let seen = SeenRun { run, benchmark };
        if seen.is_seen_by(self) { Ok(seen) } else { Err(missing()) }
    }
}

/// A run with what it is of.
pub(super) struct SeenRun {
    pub(super) run: RunRow,
    pub(super) benchmark: BenchmarkRow,
}

impl SeenRun {
    /// Whether the caller sent it.
    pub(super) fn is_own(&self, call: &Call) -> bool {
        let person = call.visitor.person().map(|person| person.id.as_str());
        person.is_some() && self.run.sent_by.as_deref() == person
    }

    /// Whether the caller sees it: not everybody sees every run of a benchmark that they see.
    pub(super) fn is_seen_by(&self, call: &Call) -> bool {
        let benchmark = &self.benchmark;
        call.visitor.sees(&benchmark.id, benchmark.visible)
            && (self.run.visible
                || self.is_own(call)
                || call.visitor.may(Act::Organise, &benchmark.id))
    }

    /// Refuses callers who may not change it: it is for who sent it, and for organisers.
    pub(super) fn may_be_changed_by(&self, call: &Call) -> Result<(), Problem> {
        let act = if self.is_own(call) { Act::Submit } else { Act::Organise };
        call.allowed(act, &self.benchmark.id)
    }
}

/// One thing with its version, which a change has to name.
pub(super) fn versioned<T: Serialize>(
    call: &Call,
    version: i64,
    item: &T,
) -> Result<Response, Problem> {
    call.gives_json()?;
    Ok(with_tag(&call.headers, &version.to_string(), "application/json", written(item)?))
}

/// Something new, with its address.
pub(super) fn created<T: Serialize>(
    address: &str,
    version: Option<i64>,
    item: &T,
) -> Result<Response, Problem> {
    let media = HeaderValue::from_static("application/json");
    let headers = [(header::CONTENT_TYPE, media)];
    let mut response = (StatusCode::CREATED, headers, written(item)?).into_response();
    let mut add = |name, value: String| {
        if let Ok(value) = HeaderValue::from_str(&value) {
            response.headers_mut().insert(name, value);
        }
    };
    add(header::LOCATION, format!("{}{address}", super::PREFIX));
    add(header::CACHE_CONTROL, "no-store".to_owned());
    if let Some(version) = version {
        add(header::ETAG, format!("\"{version}\""));
    }
    Ok(response)
}

/// Nothing but that it was done.
pub(super) fn done() -> Response {
    StatusCode::NO_CONTENT.into_response()
}

/// Something as JSON.
pub(super) fn written<T: Serialize>(item: &T) -> Result<String, Problem> {
    serde_json::to_string(item).map_err(|error| Problem::failed(error.to_string()))
}

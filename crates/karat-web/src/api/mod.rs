//! The API: everything that the pages do, for programs.
//!
//! An operation is one entry in a list: its path, who may ask, what is sent along, what comes back, and who answers. Routes,
//! rights, the OpenAPI document and the page about the API come from that list. Most operations that read are the
//! answer behind a page ([`Handler::Page`]), so that a number can never differ between the two.
//!
//! A new operation is one entry in the list of its file; a new file is one line in [`GROUPS`].

mod answers;
pub(crate) mod call;
mod campaigns;
mod catalogue;
mod changes;
mod command;
mod corrections;
mod documents;
mod etag;
mod evaluations;
mod files;
mod jobs;
mod judging;
mod listing;
mod negotiation;
mod once;
mod openapi;
mod operation;
mod people;
mod plots;
pub(crate) mod problem;
mod stored;
mod suspicions;
#[cfg(test)]
mod tests;
mod uploads;

pub(crate) use command::{CurlCommand, command_of, operation};
pub(crate) use evaluations::ListedKeys;
pub(crate) use openapi::about_parameter;
pub(crate) use operation::{Operation, Takes};

use crate::server::Shared;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, get};
use call::called;
use problem::{METHOD, MISSING, Problem, kind_of};
use std::sync::Arc;

/// Where the API begins.
pub(crate) const PREFIX: &str = "/api/v1";

/// All operations, by what they are about.
pub(crate) static GROUPS: &[(&str, &[Operation])] = &[
    ("objects", catalogue::OPERATIONS),
    ("answers", answers::OPERATIONS),
    ("evaluations", evaluations::OPERATIONS),
    ("documents", documents::OPERATIONS),
    ("plots", plots::OPERATIONS),
    ("changes", changes::OPERATIONS),
    ("suspicions", suspicions::OPERATIONS),
    ("corrections", corrections::OPERATIONS),
    ("uploads", uploads::OPERATIONS),
    ("files", files::OPERATIONS),
    ("jobs", jobs::OPERATIONS),
    ("campaigns", campaigns::OPERATIONS),
    ("judging", judging::OPERATIONS),
    ("people", people::OPERATIONS),
    ("login", people::LOGIN_OPERATIONS),
];

/// The routes of the API.
pub(crate) fn router() -> Router<Arc<Shared>> {
    let mut router: Router<Arc<Shared>> = Router::new();
    for operation in all().filter(|it| !it.is_open && !matches!(it.takes, Takes::File)) {
        router = routed(router, operation);
    }
    router
        .route("/openapi.json", get(document))
        .route(&format!("{PREFIX}/{{*rest}}"), axum::routing::any(missing))
}

/// The routes that are there for everybody: logging in.
pub(crate) fn entrance() -> Router<Arc<Shared>> {
    all().filter(|operation| operation.is_open).fold(Router::new(), routed)
}

/// The routes that take files, which may be larger and take longer than anything else.
pub(crate) fn for_files() -> Router<Arc<Shared>> {
    all().filter(|operation| matches!(operation.takes, Takes::File)).fold(Router::new(), routed)
}

fn all() -> impl Iterator<Item = &'static Operation> {
    GROUPS.iter().flat_map(|(_, operations)| operations.iter())
}

fn routed(router: Router<Arc<Shared>>, operation: &'static Operation) -> Router<Arc<Shared>> {
    let Ok(filter) = MethodFilter::try_from(operation.method.clone()) else { return router };
    let route: MethodRouter<Arc<Shared>> = MethodRouter::new()
        .on(filter, move |State(shared), request| async move {
            called(operation, shared, request).await
        });
    router.route(&format!("{PREFIX}{}", operation.path), route)
}

async fn document() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi::DOCUMENT.as_str()).into_response()
}

async fn missing(request: Request) -> Response {
    let path = request.uri().path();
    let detail = format!("there is no address {path}; /openapi.json lists all");
    Problem::new(&MISSING, detail).at(path)
}

/// Whether an operation is about a version that the caller has seen.
pub(crate) fn needs_version(operation: &Operation) -> bool {
    let is_removal = operation.method == Method::DELETE && operation.id.starts_with("remove");
    operation.method == Method::PATCH || is_removal
}

/// Whether a path belongs to the API.
pub(crate) fn is_ours(path: &str) -> bool {
    path == "/api/v1" || path.starts_with("/api/v1/")
}

/// Makes problems of what others refuse on the way: the framework, and the layers before the handlers.
pub(crate) async fn with_problems(request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    let media = response.headers().get(header::CONTENT_TYPE);
    let is_problem = media.is_some_and(|media| media.as_bytes() == problem::MEDIA.as_bytes());
    let status = response.status();
    if !is_ours(&path) || is_problem || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let kind = kind_of(status);
    let mut refused = Problem::new(kind, kind.about).at(&path);
    if kind == &METHOD
        && let Some(allow) = response.headers().get(header::ALLOW)
    {
        refused.headers_mut().insert(header::ALLOW, allow.clone());
    }
    refused
}

//! The API: everything that the pages do, for programs.
//!
//! An operation is one entry in a list: its path, who may ask, what is sent along, what comes back, and who answers. Routes,
//! rights, the OpenAPI document and the page about the API come from that list. Most operations that read are the
//! answer behind a page ([`Handler::Page`]), so that a number can never differ between the two.
//!
//! A new operation is one entry in the list of its file; a new file is one line in [`GROUPS`].

mod answers;
pub(crate) mod call;
mod catalogue;
mod changes;
mod etag;
mod files;
mod jobs;
mod listing;
mod negotiation;
mod once;
mod openapi;
mod operation;
mod people;
pub(crate) mod problem;
mod stored;
mod suspicions;
#[cfg(test)]
mod tests;

pub(crate) use openapi::about_parameter;
pub(crate) use operation::{Handler, Operation, Takes};

use crate::page::{Asked, Page};
use crate::server::Shared;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, MethodRouter, get};
use call::called;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use problem::{METHOD, MISSING, Problem, kind_of};
use std::sync::Arc;

/// Where the API begins.
pub(crate) const PREFIX: &str = "/api/v1";

/// All operations, by what they are about.
pub(crate) static GROUPS: &[(&str, &[Operation])] = &[
    ("objects", catalogue::OPERATIONS),
    ("answers", answers::OPERATIONS),
    ("changes", changes::OPERATIONS),
    ("suspicions", suspicions::OPERATIONS),
    ("files", files::OPERATIONS),
    ("jobs", jobs::OPERATIONS),
    ("people", people::OPERATIONS),
    ("login", people::LOGIN_OPERATIONS),
];

/// The routes of the API.
pub(crate) fn router() -> Router<Arc<Shared>> {
    let mut router: Router<Arc<Shared>> = Router::new();
    for (_, operations) in GROUPS {
        for operation in operations.iter().filter(|operation| !operation.is_open) {
            router = routed(router, operation);
        }
    }
    router
        .route("/openapi.json", get(document))
        .route(&format!("{PREFIX}/{{*rest}}"), axum::routing::any(missing))
}

/// The routes that are there for everybody: logging in.
pub(crate) fn entrance() -> Router<Arc<Shared>> {
    let all = GROUPS.iter().flat_map(|(_, operations)| operations.iter());
    all.filter(|operation| operation.is_open).fold(Router::new(), routed)
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

/// The path in the API that gives the answer behind a page, if there is one.
pub(crate) fn path_of(page: &dyn Page, asked: &Asked<'_>) -> Option<String> {
    let of_page = |operation: &&Operation| match operation.handler {
        Handler::Page(other, _) => other.path() == page.path(),
        Handler::Function(_) => false,
    };
    let fits = |operation: &&Operation| match operation.handler {
        Handler::Page(_, fixed) => fixed.iter().all(|(name, value)| {
            let given = asked.query.iter().find(|(key, _)| key == name);
            given.is_some_and(|(_, given)| given == value)
        }),
        Handler::Function(_) => false,
    };
    let all = || GROUPS.iter().flat_map(|(_, operations)| operations.iter()).filter(of_page);
    // The first of several is the view that a page has if nothing is chosen.
    let operation = all().find(fits).or_else(|| all().next())?;
    let Handler::Page(_, fixed) = operation.handler else { return None };
    let escaped = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let mut path = format!("{PREFIX}{}", operation.path);
    for name in operation.parameters() {
        let value = asked.parameter(name);
        let value = if name == "board" && value.is_empty() { "all" } else { value };
        path = path.replace(&format!("{{{name}}}"), &plain(value));
    }
    let open = asked.query.iter().filter(|(key, _)| fixed.iter().all(|(name, _)| name != key));
    let query: Vec<String> = open.map(|(key, value)| format!("{key}={}", escaped(value))).collect();
    if !query.is_empty() {
        path.push('?');
        path.push_str(&query.join("&"));
    }
    Some(path)
}

/// A part of a path; what stands in ids stays readable.
fn plain(value: &str) -> String {
    const SET: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'@');
    utf8_percent_encode(value, SET).to_string()
}

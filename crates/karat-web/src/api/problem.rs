//! Why the API does not do what was asked: `application/problem+json` as RFC 9457 describes it.

use crate::refusal::Refusal;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat::model::Notice;
use serde::Serialize;
use utoipa::ToSchema;

/// The media type of problems.
pub(crate) const MEDIA: &str = "application/problem+json";

/// A kind of problem, under the name that stands at the end of its `type`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ProblemKind {
    /// Its name in addresses.
    pub(crate) name: &'static str,
    /// The status of answers of this kind.
    pub(crate) status: u16,
    /// What it is called.
    pub(crate) title: &'static str,
    /// What a caller can do about it.
    pub(crate) about: &'static str,
}

macro_rules! kinds {
    ($($constant:ident = $name:literal, $status:literal, $title:literal, $about:literal;)+) => {
        $(#[doc = $title] pub(crate) static $constant: ProblemKind =
            ProblemKind { name: $name, status: $status, title: $title, about: $about };)+

        /// All kinds, one line each.
        pub(crate) static KINDS: &[&ProblemKind] = &[$(&$constant),+];
    };
}

kinds! {
    REQUEST = "request", 400, "The request cannot be understood",
        "Something in the address, the headers or the body is wrong; `detail` says what.";
    LOCATED = "located", 400, "The file has problems",
        "The file cannot be read as it is. `problems` has each place with its line, column and excerpt, and what was expected there. Nothing was kept.";
    DIGEST = "digest", 400, "The body is not what was meant to be sent",
        "`Content-Digest` names another digest than the body has. Send it again.";
    LOGIN = "login", 401, "Nobody is logged in",
        "Send a token as `Authorization: Bearer karat_...`. Tokens are made on the page /account.";
    RIGHTS = "rights", 403, "This is not allowed",
        "The person may not do this, or the token does not have the scope for it.";
    MISSING = "missing", 404, "There is no such thing",
        "It is not there, was removed, or is not visible to the person who asks.";
    METHOD = "method", 405, "This address has no such method",
        "The header `Allow` lists the methods of this address.";
    FORM = "form", 406, "The answer has no such form",
        "`Accept` names no form that this answer can take; `detail` lists those that it can.";
    CONFLICT = "conflict", 409, "It cannot be done now",
        "A name is taken, or the thing is in a state that does not allow it.";
    RUNNING = "running", 409, "The first request is still running",
        "A request with the same Idempotency-Key has begun and has no answer yet. Send it again in a moment.";
    KEEPS_NOTHING = "keeps-nothing", 409, "This server keeps nothing",
        "It shows files. Start `karat serve` without files for a workspace that can be changed.";
    CHANGED = "changed", 412, "It was changed by somebody else",
        "`If-Match` names another version than there is. Get it again, and decide anew.";
    LARGE = "large", 413, "This is too large",
        "The body is larger than this address takes.";
    MEDIA_TYPE = "media", 415, "The body has another form",
        "Send JSON with `Content-Type: application/json`.";
    NAME = "name", 421, "This server does not go by that name",
        "The header `Host` is none of the names of this server.";
    REUSED = "reused", 422, "The key was used for another request",
        "An Idempotency-Key belongs to one request. Make a new one for each.";
    UNMET = "unmet", 428, "If-Match is missing",
        "Changes and removals need the version that they are about, as `If-Match: \"3\"`: the `ETag` of the thing.";
    BUSY = "busy", 429, "Too many requests",
        "Wait as long as `Retry-After` says, in seconds.";
    HEADERS = "headers", 431, "The headers are too large",
        "Send fewer or shorter headers.";
    FAILED = "failed", 500, "Something went wrong here",
        "It is not the fault of the request.";
    FULL = "full", 507, "There is no room left",
        "The disk of the database is full. Nothing was kept; whoever runs the server has to make room.";
    LOADING = "loading", 503, "Not ready yet",
        "Files are still read, or the answer took too long. Try again in a moment.";
}

/// The kind that an answer has which somebody else refused: the framework, or a layer before the handlers.
pub(crate) fn kind_of(status: StatusCode) -> &'static ProblemKind {
    let found = KINDS.iter().find(|kind| kind.status == status.as_u16());
    match found {
        Some(kind) => kind,
        None if status.is_server_error() => &FAILED,
        None => &REQUEST,
    }
}

/// Why the API does not do what was asked.
#[derive(Debug)]
pub(crate) struct Problem {
    kind: &'static ProblemKind,
    detail: String,
    problems: Vec<LocatedProblem>,
    headers: HeaderMap,
}

/// A problem at a place of a file.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LocatedProblem {
    /// What programs know it by; docs/notices.md lists all.
    kind: String,
    /// The file, as it was named.
    file: Option<String>,
    /// Line, from 1.
    line: Option<u64>,
    /// Column in code points, from 1.
    column: Option<u64>,
    /// The line, or the part of it around the place.
    excerpt: Option<String>,
    /// What is wrong.
    message: String,
    /// What cures it.
    hint: Option<String>,
}

/// A problem as it is sent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody {
    /// The kind of problem: the path of the page that explains it.
    #[serde(rename = "type")]
    kind: String,
    /// What the kind is called.
    title: &'static str,
    /// The status of the answer.
    status: u16,
    /// What is wrong with this request.
    detail: String,
    /// The path that was asked.
    instance: String,
    /// Places in files, where there are any.
    problems: Vec<LocatedProblem>,
}

impl Problem {
    pub(crate) fn new(kind: &'static ProblemKind, detail: impl Into<String>) -> Problem {
        let detail = detail.into();
        Problem { kind, detail, problems: Vec::new(), headers: HeaderMap::new() }
    }

    /// There is no such thing.
    pub(crate) fn missing(what: &str, name: &str) -> Problem {
        Problem::new(&MISSING, format!("there is no {what} `{name}`"))
    }

    /// The request is wrong.
    pub(crate) fn request(detail: impl Into<String>) -> Problem {
        Problem::new(&REQUEST, detail)
    }

    /// It is our fault. What happened is for the log, not for the caller.
    pub(crate) fn failed(detail: impl Into<String>) -> Problem {
        Problem::new(&FAILED, detail)
    }

    /// What is wrong with a file, place by place.
    pub(crate) fn located(notices: &[Notice]) -> Problem {
        let detail = notices.first().map_or("the file cannot be read", |it| it.message.as_str());
        let mut problem = Problem::new(&LOCATED, detail);
        problem.problems = notices.iter().map(LocatedProblem::from).collect();
        problem
    }

    /// The same with a header.
    #[must_use]
    pub(crate) fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Problem {
        self.headers.insert(name, value);
        self
    }

    /// The answer to a request of this path.
    pub(crate) fn at(self, instance: &str) -> Response {
        let status = StatusCode::from_u16(self.kind.status);
        let body = ProblemBody {
            kind: format!("/help/problems/{}", self.kind.name),
            title: self.kind.title,
            status: self.kind.status,
            detail: self.detail,
            instance: instance.to_owned(),
            problems: self.problems,
        };
        let text = serde_json::to_string(&body).unwrap_or_default();
        let media = (header::CONTENT_TYPE, HeaderValue::from_static(MEDIA));
        let cache = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, [media, cache], text).into_response();
        response.headers_mut().extend(self.headers);
        response
    }
}

impl From<&Notice> for LocatedProblem {
    fn from(notice: &Notice) -> LocatedProblem {
        let place = notice.place.as_deref();
        LocatedProblem {
            kind: notice.id.to_string(),
            file: place.map(|place| place.file.clone()),
            line: place.and_then(|place| place.line),
            column: place.and_then(|place| place.column),
            excerpt: place.map(|place| place.excerpt.clone()),
            message: notice.message.clone(),
            hint: notice.hint.as_ref().map(ToString::to_string),
        }
    }
}

impl From<Notice> for Problem {
    fn from(notice: Notice) -> Problem {
        let kind = if notice.place.is_some() { &LOCATED } else { &REQUEST };
        let hint = notice.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        let problems = notice.place.is_some().then(|| LocatedProblem::from(&notice));
        let mut problem = Problem::new(kind, format!("{}{hint}", notice.message));
        problem.problems.extend(problems);
        problem
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let status = refusal.status();
        match refusal {
            Refusal::Missing { what, hint } => {
                let hint = hint.map(|hint| format!(" {hint}")).unwrap_or_default();
                Problem::new(&MISSING, format!("{what}{hint}"))
            }
            // A condition has a place too, in itself: that is still a wrong request.
            Refusal::Asked(notice) => {
                let mut problem = Problem::from(*notice);
                problem.kind = if status == 404 { &MISSING } else { problem.kind };
                problem
            }
            Refusal::Elsewhere { what, .. } => Problem::new(&REQUEST, what),
            Refusal::Stopped { .. } => Problem::failed("this was stopped"),
            Refusal::Loading(state) | Refusal::Computing { state, .. } => {
                let percent = state.percent().map(|percent| format!(", {percent} %"));
                let detail = format!("{}{}", state.step, percent.unwrap_or_default());
                let soon = HeaderValue::from_static("1");
                Problem::new(&LOADING, detail).with_header(header::RETRY_AFTER, soon)
            }
            Refusal::Failed(why) => Problem::failed(why),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_status_of_an_error_and_a_name_of_its_own() {
        for (place, kind) in KINDS.iter().enumerate() {
            assert!((400..600).contains(&kind.status), "{}", kind.name);
            assert!(KINDS[..place].iter().all(|other| other.name != kind.name), "{}", kind.name);
            assert!(kind.about.ends_with('.') && !kind.title.ends_with('.'), "{}", kind.name);
        }
        assert_eq!(kind_of(StatusCode::PAYLOAD_TOO_LARGE), &LARGE);
        assert_eq!(kind_of(StatusCode::BAD_GATEWAY), &FAILED);
        assert_eq!(kind_of(StatusCode::IM_A_TEAPOT), &REQUEST);
    }
}

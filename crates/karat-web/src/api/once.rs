//! Requests that are sent again and done once.

use super::call::Call;
use super::operation::{Handled, Operation, Takes};
use super::problem::{MEDIA, Problem};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat_store::{Once, OnceBegun, OnceKey, sha256};
use std::sync::Mutex;

/// The header with the key.
const KEY: HeaderName = HeaderName::from_static("idempotency-key");
/// Says that an answer is not the first.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// The most characters of a key.
const MOST_KEY: usize = 255;
/// The most bytes of an answer that are kept.
const MOST_BODY: usize = 256 * 1024;

/// Does what a caller wants; if the same was done for the same key before, gives the answer again.
///
/// What went wrong on our side, and what may go another way in a moment, is not remembered: then the same
/// request can be tried again.
pub(super) async fn done_once(
    operation: &Operation,
    function: fn(Call) -> Handled,
    mut call: Call,
) -> Result<Response, Problem> {
    // A file is not held in memory: its operation begins when it knows the digest.
    let is_small = !matches!(operation.takes, Takes::File);
    if operation.method != Method::POST || !is_small || !call.headers.contains_key(KEY) {
        return function(call).await;
    }
    let store = call.store()?;
    let body = call.small_body().await?;
    let begun = match begin(&call, &body).await? {
        Begun::Again(response) => return Ok(response),
        Begun::First(Some(begun)) => begun,
        Begun::First(None) => return function(call).await,
    };
    call.body = Mutex::new(Body::from(body));
    let path = call.path.clone();
    let response = function(call).await.unwrap_or_else(|problem| problem.at(&path));
    let (parts, body) = response.into_parts();
    let bytes = axum::body::to_bytes(body, MOST_BODY).await;
    let bytes = bytes.map_err(|_| Problem::failed("the answer is too large to be kept"))?;
    let passes = [401, 403, 409, 412, 428, 429].contains(&parts.status.as_u16());
    match parts.status.is_server_error() || passes {
        true => store.forget_once(&begun).await?,
        false => {
            let text = String::from_utf8_lossy(&bytes);
            store.end_once(&begun, parts.status.as_u16(), &text).await?;
        }
    }
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

/// What a request with a key comes to.
pub(super) enum Begun {
    /// It was done before: this is the answer.
    Again(Response),
    /// It is done now; with a key, the answer is kept under this.
    First(Option<OnceBegun>),
}

/// Begins a POST that may have a key. What was sent, or its digest, tells it from others with the same key.
pub(super) async fn begin(call: &Call, sent: &[u8]) -> Result<Begun, Problem> {
    let Some(key) = call.headers.get(KEY) else { return Ok(Begun::First(None)) };
    let key = key.to_str().ok().filter(|key| !key.is_empty() && key.len() <= MOST_KEY);
    let key =
        key.ok_or_else(|| Problem::request("Idempotency-Key has 1 to 255 plain characters"))?;
    let who = call.visitor.person().map_or("local", |person| &person.id);
    let once = OnceKey { who: who.to_owned(), key: key.to_owned() };
    let mut request = format!("{} {} {:?}\n", Method::POST, call.path, call.query).into_bytes();
    request.extend(sent);
    Ok(match call.store()?.begin_once(&once, &sha256(&request)).await? {
        Once::Again { status, body } => Begun::Again(again(status, body)),
        Once::Do(begun) => Begun::First(Some(begun)),
    })
}

/// The same problem, as one that was told before.
pub(super) fn replayed(problem: Problem) -> Problem {
    problem.with_header(REPLAYED, HeaderValue::from_static("true"))
}

/// The first answer once more.
fn again(status: u16, body: String) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let media = if status.is_success() { "application/json" } else { MEDIA };
    let replayed = (REPLAYED, HeaderValue::from_static("true"));
    let media = (header::CONTENT_TYPE, HeaderValue::from_static(media));
    match body.is_empty() {
        true => (status, [replayed]).into_response(),
        false => (status, [replayed, media], body).into_response(),
    }
}

//! Requests that are sent again and done once.

use super::call::Call;
use super::operation::{Handled, Operation, Takes};
use super::problem::{MEDIA, Problem};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat_store::{Once, OnceKey, sha256};
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
    let is_small = !matches!(operation.takes, Takes::File);
    let key = call.headers.get(KEY).filter(|_| operation.method == Method::POST && is_small);
    let Some(key) = key.cloned() else { return function(call).await };
    let key = key.to_str().ok().filter(|key| !key.is_empty() && key.len() <= MOST_KEY);
    let key =
        key.ok_or_else(|| Problem::request("Idempotency-Key has 1 to 255 plain characters"))?;
    let store = call.store()?;
    let who = call.visitor.person().map_or("local", |person| &person.id);
    let once = OnceKey { who: who.to_owned(), key: key.to_owned() };
    let body = call.small_body().await?;
    let mut request = format!("{} {} {:?}\n", operation.method, call.path, call.query).into_bytes();
    request.extend(&body);
    let begun = match store.begin_once(&once, &sha256(&request)).await? {
        Once::Again { status, body } => return Ok(again(status, body)),
        Once::Do(begun) => begun,
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

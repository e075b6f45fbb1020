//! Files as they were sent.

use super::call::{Call, boxed};
use super::operation::{Gives, Handler, Operation, READ};
use super::problem::Problem;
use crate::access::Act;
use axum::body::{Body, Bytes};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use karat_store::{EVERYTHING, Store, StoreError};

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/runs/{id}/file",
        id: "getRunFile",
        about: "The output of a run as it was sent.",
        gives: Gives::Bytes,
        handler: Handler::Function(|call| boxed(of_run(call))),
        ..READ
    },
    Operation {
        path: "/files/{digest}",
        id: "getFile",
        about: "Any file that was sent, by the SHA-256 of its bytes; for organisers of everything.",
        act: Act::Organise,
        gives: Gives::Bytes,
        handler: Handler::Function(|call| boxed(by_digest(call))),
        ..READ
    },
];

async fn of_run(call: Call) -> Result<Response, Problem> {
    let seen = call.seen_run(call.parameter("id")).await?;
    // Next to hidden gold, the outputs of others tell too much.
    if seen.benchmark.gold_hidden && !seen.is_own(&call) {
        call.allowed(Act::Organise, &seen.benchmark.id)?;
    }
    let digest = seen.run.upload.ok_or_else(|| Problem::missing("file of run", &seen.run.id))?;
    sent(&call, &digest).await
}

async fn by_digest(call: Call) -> Result<Response, Problem> {
    call.allowed(Act::Organise, EVERYTHING)?;
    sent(&call, call.parameter("digest")).await
}

/// A file, piece by piece. What people sent may be anything, so a browser must not show it: it is an attachment, and a page
/// made of it could do nothing.
async fn sent(call: &Call, digest: &str) -> Result<Response, Problem> {
    let store = call.store()?;
    let file = store.file(digest).await?;
    let tag = format!("\"{}\"", file.digest);
    let known = call.headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    if known.is_some_and(|known| known.contains(&tag)) {
        return Ok((axum::http::StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response());
    }
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{}\"", &file.digest[..12])),
        (header::CONTENT_LENGTH, file.length.to_string()),
        (header::ETAG, tag),
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
    ];
    let pieces = Pieces { store, digest: file.digest, n: 0, all: file.pieces };
    let body = Body::from_stream(stream::unfold(pieces, Pieces::next));
    let mut response = (headers, body).into_response();
    let sandbox = HeaderValue::from_static("sandbox");
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, sandbox);
    Ok(response)
}

/// The pieces of a file that are still to be sent.
struct Pieces {
    store: Store,
    digest: String,
    n: i64,
    all: i64,
}

impl Pieces {
    async fn next(mut self) -> Option<(Result<Bytes, StoreError>, Pieces)> {
        if self.n >= self.all {
            return None;
        }
        let piece = self.store.file_piece(&self.digest, self.n).await.map(Bytes::from);
        // After an error nothing follows.
        self.n = if piece.is_ok() { self.n + 1 } else { self.all };
        Some((piece, self))
    }
}

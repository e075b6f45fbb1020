//! A linker as a service, in the shapes in which others ask linkers.
//!
//! It has a router and a port of its own: nothing of the pages is there, and whoever may ask it may ask nothing else.

use super::connections::{ConnectionLimits, serve};
use crate::security::AccessGuard;
use crate::workspace::runtime;
use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat::error::Error;
use karat::linking::{Annotator, ServedRequest};
use karat::model::Hint;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// No text is longer.
const LONGEST: usize = 32 << 20;

/// Lets others ask a linker, from this machine, until `stop` is done. `started` is called with the address once it answers. Blocks, and
/// has threads of its own.
pub fn serve_annotator<E: From<Error>>(
    annotator: Annotator,
    listen: SocketAddr,
    started: impl FnOnce(&str) -> Result<(), E>,
    stop: impl Future<Output = ()>,
) -> Result<(), E> {
    if !listen.ip().is_loopback() {
        let message = format!(
            "`{}` can be reached from other machines, and a linker asks nobody who they are",
            listen.ip()
        );
        return Err(Error::bad_request(
            message,
            Hint::template("listen on an address of this machine with {listen}"),
        )
        .into());
    }
    let failed = |error: std::io::Error| {
        let hint = Hint::template("choose another address with {listen}");
        Error::bad_request(format!("cannot listen on {listen}: {error}"), hint)
    };
    runtime()?.block_on(async {
        let listener = TcpListener::bind(listen).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let processors = std::thread::available_parallelism().map_or(2, usize::from);
        let places = Arc::new(Semaphore::new(2 * processors));
        let guard = Arc::new(AccessGuard::new(address, None));
        let shared = Shared { annotator: Arc::new(annotator), places, guard };
        let router = Router::new().fallback(answer).with_state(shared);
        started(&format!("http://{address}/"))?;
        serve(listener, router, ConnectionLimits::default(), stop).await;
        Ok(())
    })
}

#[derive(Clone)]
struct Shared {
    annotator: Arc<Annotator>,
    /// Linkers compute: more at once than there are processors would only make all of them wait.
    places: Arc<Semaphore>,
    /// The names under which it may be asked.
    guard: Arc<AccessGuard>,
}

/// Why a request is not answered. A page of somebody else in a browser on this machine must not ask: it could spend what a service costs,
/// and under a name of its own it could read the answers.
fn refusal(guard: &AccessGuard, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| guard.allows_host(host)) {
        return Some((StatusCode::MISDIRECTED_REQUEST, "this server does not go by that name"));
    }
    // A page need not say where it is from when it only reads, but browsers say whether it is from elsewhere.
    let is_own = |site: &HeaderValue| site == "same-origin" || site == "none";
    let is_from_elsewhere = headers.get("sec-fetch-site").is_some_and(|site| !is_own(site));
    (headers.contains_key(header::ORIGIN) || is_from_elsewhere)
        .then_some((StatusCode::FORBIDDEN, "browsers are not answered"))
}

async fn answer(State(shared): State<Shared>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    if let Some(refusal) = refusal(&shared.guard, &head.headers) {
        return refusal.into_response();
    }
    let Ok(body) = to_bytes(body, LONGEST).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the text is too long").into_response();
    };
    let Ok(body) = String::from_utf8(body.to_vec()) else {
        return (StatusCode::BAD_REQUEST, "the request is not UTF-8").into_response();
    };
    let content_type = head.headers.get(header::CONTENT_TYPE);
    let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
    let asked = ServedRequest {
        method: head.method.to_string(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        content_type: content_type.to_owned(),
        body,
    };
    // The semaphore is never closed.
    let _place = shared.places.acquire().await;
    let annotator = Arc::clone(&shared.annotator);
    let Ok(reply) = tokio::task::spawn_blocking(move || annotator.answer(&asked)).await else {
        return (StatusCode::INTERNAL_SERVER_ERROR, "the linker failed").into_response();
    };
    let status = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::BAD_GATEWAY);
    let content_type = HeaderValue::from_static(reply.content_type);
    (status, [(header::CONTENT_TYPE, content_type)], reply.body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_others_are_not_answered() {
        let guard = AccessGuard::new(SocketAddr::from(([127, 0, 0, 1], 8912)), None);
        let asked = |given: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in given {
                headers.insert(*name, HeaderValue::from_static(value));
            }
            refusal(&guard, &headers).map(|(status, _)| status.as_u16())
        };
        let host = ("host", "localhost:8912");
        assert_eq!(asked(&[host]), None);
        assert_eq!(asked(&[host, ("sec-fetch-site", "none")]), None);
        assert_eq!(asked(&[host, ("sec-fetch-site", "cross-site")]), Some(403));
        assert_eq!(asked(&[host, ("sec-fetch-site", "same-site")]), Some(403));
        assert_eq!(asked(&[host, ("origin", "http://localhost:8912")]), Some(403));
        assert_eq!(asked(&[("host", "evil.example:8912")]), Some(421));
        assert_eq!(asked(&[]), Some(421));
    }
}

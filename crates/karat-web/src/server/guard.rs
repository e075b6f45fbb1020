//! Who is let in, before anything is answered.

use super::Shared;
use crate::access::{Act, Visitor};
use crate::accounts::visitor_of;
use crate::api;
use crate::api::problem::{BUSY, FAILED, HEADERS, LOGIN, Problem};
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use karat_store::EVERYTHING;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::net::SocketAddr;
use std::sync::Arc;

/// The most bytes that the headers of a request have, names and values.
const MOST_HEADERS: usize = 16 * 1024;

/// Refuses requests with more in their headers than any browser sends.
pub(super) async fn small_headers(request: Request, next: Next) -> Response {
    let sizes = request.headers().iter().map(|(name, value)| name.as_str().len() + value.len());
    if sizes.sum::<usize>() > MOST_HEADERS {
        return (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, HEADERS.title).into_response();
    }
    next.run(request).await
}

/// Finds out who asks, and turns those away who may not. The rest learn who asks from the [`Visitor`] in the request.
pub(super) async fn only_those_who_may(
    State(shared): State<Arc<Shared>>,
    mut request: Request,
    next: Next,
) -> Response {
    let visitor = match (&shared.accounts, &shared.workspace) {
        (Some(accounts), Some(workspace)) => {
            match visitor_of(accounts, workspace.store(), request.headers()).await {
                Ok(visitor) => visitor,
                Err(_) => return refused_to(&request, &FAILED, "the store does not answer"),
            }
        }
        _ if has_key(&shared, request.headers()) => Visitor::local(),
        _ => return without_key(&request),
    };
    if let Some(accounts) = &shared.accounts {
        let who = visitor.person().map(|person| person.id.clone());
        if let Err(wait) = accounts.count(&who.unwrap_or_else(|| address_of(&request))) {
            let mut response = refused_to(&request, &BUSY, "too many requests");
            response.headers_mut().insert(header::RETRY_AFTER, (wait.as_secs() + 1).into());
            return response;
        }
        if let Some(response) = kept_out(&visitor, &request) {
            return response;
        }
    }
    request.extensions_mut().insert(visitor);
    next.run(request).await
}

/// Whether somebody has the key that was printed, where one is needed. Programs have no cookies: they show it as a
/// token.
fn has_key(shared: &Shared, headers: &HeaderMap) -> bool {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
    let opens = |cookies: &HeaderValue| {
        cookies.to_str().is_ok_and(|cookies| shared.guard.admits_cookies(cookies))
    };
    shared.guard.key().is_none()
        || bearer.is_some_and(|key| shared.guard.accepts_key(key))
        || headers.get_all(header::COOKIE).into_iter().any(opens)
}

fn without_key(request: &Request) -> Response {
    let path = request.uri().path();
    if api::is_ours(path) {
        let detail = "send the key of the link that `karat serve` has printed, as `Authorization: Bearer KEY`";
        return Problem::new(&LOGIN, detail).at(path);
    }
    let text = "Open the link that `karat serve` has printed: it has the key to these pages.\n";
    (StatusCode::FORBIDDEN, text).into_response()
}

/// What to answer to those who may not have a page. The API looks for itself, because it says more.
fn kept_out(visitor: &Visitor, request: &Request) -> Option<Response> {
    let path = request.uri().path();
    // Who judges in a campaign comes from a crowd, by an invitation or with an account; the campaign decides who is let in.
    if api::is_ours(path) || path.starts_with("/judge/") {
        return None;
    }
    let (act, object) = needed(request.method(), path);
    let may = match object {
        Some(object) => visitor.may(act, object),
        None => visitor.may_somewhere(act),
    };
    if may {
        return None;
    }
    if visitor.is_nobody() && request.method() == Method::GET {
        let asked = request.uri().path_and_query().map_or("/", |asked| asked.as_str());
        let to = utf8_percent_encode(asked, NON_ALPHANUMERIC);
        let location = [(header::LOCATION, format!("/login?to={to}"))];
        return Some((StatusCode::SEE_OTHER, location).into_response());
    }
    // What one may not see is not there.
    Some((StatusCode::NOT_FOUND, "there is no such page, or it is not for you\n").into_response())
}

/// What somebody must be allowed to do for a page or a form, and to what. A form that is not named here is for those
/// who organise everything, so that a new one is never open by mistake.
fn needed(method: &Method, path: &str) -> (Act, Option<&'static str>) {
    let begins = |part: &str| {
        path.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    match method {
        _ if begins("/upload") => (Act::Submit, None),
        // Jobs tell what is in files that were sent.
        &Method::GET | &Method::HEAD if begins("/jobs") => (Act::Submit, None),
        &Method::POST if path.starts_with("/jobs/") && path.ends_with("/cancel") => {
            (Act::Submit, None)
        }
        // It looks for itself whose benchmark it is.
        &Method::POST
            if begins("/suspicions")
                || path.ends_with("/suspicions")
                || path.ends_with("/corrections") =>
        {
            (Act::Organise, None)
        }
        // What is there for whom is looked at thing by thing: runs are for who sent them too.
        _ if begins("/edit") || begins("/trash") => (Act::Submit, None),
        // These look for themselves whose account it is.
        _ if begins("/account") || begins("/theme") => (Act::See, None),
        // It stops the pages of whoever sends it.
        _ if path == "/cancel" => (Act::See, None),
        _ if begins("/people") || begins("/audit") => (Act::Own, Some(EVERYTHING)),
        &Method::GET | &Method::HEAD => (Act::See, None),
        _ => (Act::Organise, Some(EVERYTHING)),
    }
}

fn refused_to(
    request: &Request,
    kind: &'static api::problem::ProblemKind,
    detail: &str,
) -> Response {
    let path = request.uri().path();
    match api::is_ours(path) {
        true => Problem::new(kind, detail).at(path),
        false => {
            let status =
                StatusCode::from_u16(kind.status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
            (status, format!("{detail}\n")).into_response()
        }
    }
}

/// Where a request comes from. A proxy on this machine says for whom it asks: the last entry of the last header is its
/// own, those before it anybody could have written. Some proxies add a header and leave that of the sender as it is.
pub(crate) fn address_of(request: &Request) -> String {
    let peer =
        request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
    let forwarded = request.headers().get_all("x-forwarded-for").into_iter().next_back();
    let forwarded = forwarded.and_then(|value| value.to_str().ok());
    let forwarded = forwarded.and_then(|value| value.rsplit(',').next()).map(str::trim);
    match (peer, forwarded) {
        (Some(peer), Some(forwarded)) if peer.is_loopback() => forwarded.to_owned(),
        (Some(peer), _) => peer.to_string(),
        (None, _) => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_says_for_whom_it_asks_and_nobody_else() {
        let asked = |peer: [u8; 4], forwarded: &[&'static str]| {
            let mut request = Request::new(axum::body::Body::empty());
            request.extensions_mut().insert(ConnectInfo(SocketAddr::from((peer, 1))));
            for value in forwarded {
                let value = HeaderValue::from_static(value);
                request.headers_mut().append("x-forwarded-for", value);
            }
            address_of(&request)
        };
        let (here, there) = ([127, 0, 0, 1], [10, 0, 0, 9]);
        assert_eq!(asked(here, &["192.0.2.1, 192.0.2.2"]), "192.0.2.2");
        // A proxy that adds a header of its own behind that of the sender.
        assert_eq!(asked(here, &["192.0.2.1", "192.0.2.2"]), "192.0.2.2");
        assert_eq!(asked(there, &["192.0.2.1"]), "10.0.0.9");
        assert_eq!(asked(here, &[]), "127.0.0.1");
    }

    #[test]
    fn what_is_not_named_is_for_organisers() {
        let needed = |method: Method, path| super::needed(&method, path);
        assert_eq!(needed(Method::GET, "/runs/a"), (Act::See, None));
        assert_eq!(needed(Method::POST, "/upload"), (Act::Submit, None));
        assert_eq!(needed(Method::POST, "/uploadx"), (Act::Organise, Some(EVERYTHING)));
        assert_eq!(needed(Method::POST, "/anything"), (Act::Organise, Some(EVERYTHING)));
        assert_eq!(needed(Method::GET, "/people"), (Act::Own, Some(EVERYTHING)));
        assert_eq!(needed(Method::GET, "/trash"), (Act::Submit, None));
        assert_eq!(needed(Method::POST, "/jobs/a/cancel"), (Act::Submit, None));
        assert_eq!(needed(Method::POST, "/cancel"), (Act::See, None));
        assert_eq!(needed(Method::POST, "/jobs/a"), (Act::Organise, Some(EVERYTHING)));
    }
}

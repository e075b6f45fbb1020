//! A request to the API, taken apart.

use super::operation::{Handled, Handler, Operation};
use super::problem::{LARGE, LOGIN, MEDIA_TYPE, Problem, RIGHTS};
use super::{answers, negotiation, once};
use crate::access::{Act, Visitor};
use crate::server::{Shared, address_of};
use axum::body::Body;
use axum::extract::{FromRequestParts, Query, RawPathParams, Request};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use karat::model::closest;
use serde::de::DeserializeOwned;
use std::sync::{Arc, Mutex, PoisonError};

/// How much JSON may be sent along.
pub(crate) const MOST_JSON: usize = 64 * 1024;

/// A request to the API.
pub(crate) struct Call {
    pub(crate) shared: Arc<Shared>,
    pub(crate) visitor: Visitor,
    /// What stands in the place of the braces of the path.
    pub(crate) parameters: Vec<(String, String)>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    /// The path as it was asked.
    pub(crate) path: String,
    /// Where it comes from.
    pub(crate) address: String,
    /// Behind a lock, because a body alone cannot be shared by threads, and handlers refer to the call while they wait.
    pub(crate) body: Mutex<Body>,
}

/// Does what an operation does, for those who may.
pub(crate) async fn called(
    operation: &'static Operation,
    shared: Arc<Shared>,
    request: Request,
) -> Response {
    let path = request.uri().path().to_owned();
    let handled = async {
        let call = Call::of(operation, shared, request).await?;
        match operation.handler {
            Handler::Page(page, fixed) => answers::answer(page, fixed, operation.tells, call).await,
            Handler::Function(function) => once::done_once(operation, function, call).await,
        }
    };
    handled.await.unwrap_or_else(|problem: Problem| problem.at(&path))
}

impl Call {
    async fn of(
        operation: &Operation,
        shared: Arc<Shared>,
        request: Request,
    ) -> Result<Call, Problem> {
        let address = address_of(&request);
        let (mut parts, body) = request.into_parts();
        let visitor = parts.extensions.get::<Visitor>().cloned();
        let visitor = visitor.unwrap_or_else(|| Visitor::nobody(false));
        if !operation.is_open {
            permitted(&visitor, operation.act)?;
        }
        let parameters = RawPathParams::from_request_parts(&mut parts, &()).await;
        let parameters = parameters.map_err(|error| Problem::request(error.body_text()))?;
        let parameters =
            parameters.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let Query(query) = Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
            .map_err(|error| Problem::request(error.body_text()))?;
        check_keys(operation, &query)?;
        let (path, headers) = (parts.uri.path().to_owned(), parts.headers);
        let body = Mutex::new(body);
        Ok(Call { shared, visitor, parameters, query, headers, path, address, body })
    }

    /// What stands in the place of a brace of the path.
    pub(crate) fn parameter(&self, name: &str) -> &str {
        let found = self.parameters.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// What the query says of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        let found = self.query.iter().find(|(name, value)| name == key && !value.is_empty());
        found.map(|(_, value)| value.as_str())
    }

    /// The body as JSON.
    pub(crate) async fn json<T: DeserializeOwned>(&mut self) -> Result<T, Problem> {
        let bytes = self.small_body().await?;
        let media = self.headers.get(header::CONTENT_TYPE).and_then(|media| media.to_str().ok());
        let media = media.unwrap_or_default().split(';').next().unwrap_or_default().trim();
        if !media.eq_ignore_ascii_case("application/json") {
            return Err(Problem::new(&MEDIA_TYPE, "the body must be application/json"));
        }
        serde_json::from_slice(&bytes)
            .map_err(|error| Problem::request(format!("the body does not fit: {error}")))
    }

    /// The body as it arrives.
    pub(crate) fn take_body(&mut self) -> Body {
        std::mem::take(self.body.get_mut().unwrap_or_else(PoisonError::into_inner))
    }

    /// The same question about something else: other braces of a path, and more keys.
    pub(crate) fn about(
        mut self,
        parameters: impl IntoIterator<Item = (&'static str, String)>,
        query: impl IntoIterator<Item = (&'static str, String)>,
    ) -> Call {
        let owned = |(name, value): (&str, String)| (name.to_owned(), value);
        self.parameters = parameters.into_iter().map(owned).collect();
        self.query.extend(query.into_iter().map(owned));
        self
    }

    /// The whole of a small body.
    pub(crate) async fn small_body(&mut self) -> Result<Vec<u8>, Problem> {
        let body = self.take_body();
        let bytes = axum::body::to_bytes(body, MOST_JSON).await;
        let too_large = format!("at most {MOST_JSON} bytes can be sent here");
        bytes.map(|bytes| bytes.to_vec()).map_err(|_| Problem::new(&LARGE, too_large))
    }

    /// Refuses callers who do not want JSON.
    pub(crate) fn gives_json(&self) -> Result<(), Problem> {
        negotiation::json_only(&self.headers)
    }
}

/// Refuses what the caller may do nowhere.
pub(crate) fn permitted(visitor: &Visitor, act: Act) -> Result<(), Problem> {
    if visitor.may_somewhere(act) {
        return Ok(());
    }
    if visitor.is_nobody() {
        let bearer = HeaderValue::from_static("Bearer realm=\"karat\"");
        let problem = Problem::new(&LOGIN, "this needs a token or a session");
        return Err(problem.with_header(header::WWW_AUTHENTICATE, bearer));
    }
    Err(Problem::new(&RIGHTS, "your rights, or the scopes of the token, do not allow this"))
}

/// A key that an operation does not have is a mistake, and one that is ignored would not be found.
fn check_keys(operation: &Operation, query: &[(String, String)]) -> Result<(), Problem> {
    let keys = operation.query_keys();
    let names = || keys.iter().map(|key| key.name);
    let Some((unknown, _)) = query.iter().find(|(name, _)| !names().any(|known| known == name))
    else {
        return Ok(());
    };
    let meant = closest(unknown, names()).map(|meant| format!("; did you mean {meant}?"));
    let known: Vec<&str> = names().collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    let meant = meant.unwrap_or_default();
    Err(Problem::request(format!("there is no key `{unknown}`{meant}; the keys are {known}")))
}

/// A future as a table of operations holds it.
pub(crate) fn boxed<F>(future: F) -> Handled
where
    F: Future<Output = Result<Response, Problem>> + Send + 'static,
{
    Box::pin(future)
}

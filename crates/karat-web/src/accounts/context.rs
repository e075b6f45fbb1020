//! A request about accounts, taken apart.

use super::Accounts;
use crate::access::{Act, Visitor};
use crate::components::frame::whole_page;
use crate::page::PageContent;
use crate::refusal::Refusal;
use crate::server::{Shared, address_of, html, refused, surroundings};
use axum::extract::{Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use karat_store::{EVERYTHING, PersonRow, Store};
use std::sync::Arc;

/// The most bytes that a form has.
const MOST: usize = 64 * 1024;

/// A request about accounts.
pub(super) struct Context {
    pub(super) shared: Arc<Shared>,
    pub(super) store: Store,
    pub(super) visitor: Visitor,
    pub(super) headers: HeaderMap,
    pub(super) path: String,
    /// Where it comes from.
    pub(super) address: String,
    /// The fields of the form, or the query.
    fields: Vec<(String, String)>,
}

/// A page that is asked for, at its path.
pub(super) fn shows<F, R>(handler: F) -> MethodRouter<Arc<Shared>>
where
    F: Fn(Context) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Result<Response, Refusal>> + Send + 'static,
{
    get(move |State(shared): State<Arc<Shared>>, request: Request| {
        answered(shared, request, handler)
    })
}

/// A form that is sent.
pub(super) fn does<F, R>(handler: F) -> MethodRouter<Arc<Shared>>
where
    F: Fn(Context) -> R + Clone + Send + Sync + 'static,
    R: Future<Output = Result<Response, Refusal>> + Send + 'static,
{
    post(move |State(shared): State<Arc<Shared>>, request: Request| {
        answered(shared, request, handler)
    })
}

async fn answered<F, R>(shared: Arc<Shared>, request: Request, handler: F) -> Response
where
    F: Fn(Context) -> R,
    R: Future<Output = Result<Response, Refusal>>,
{
    let headers = request.headers().clone();
    let made = match Context::of(Arc::clone(&shared), request).await {
        Ok(context) => handler(context).await,
        Err(refusal) => Err(refusal),
    };
    made.unwrap_or_else(|refusal| refused(&refusal, &surroundings(&headers, &shared)))
}

impl Context {
    async fn of(shared: Arc<Shared>, request: Request) -> Result<Context, Refusal> {
        let store = shared.store().cloned().ok_or_else(no_accounts)?;
        let visitor = request.extensions().get::<Visitor>().cloned();
        let visitor = visitor.unwrap_or_else(|| Visitor::nobody(false));
        let address = address_of(&request);
        let (parts, body) = request.into_parts();
        let bytes = axum::body::to_bytes(body, MOST).await;
        let bytes =
            bytes.map_err(|_| Refusal::bad_request("the form is too large", "send less"))?;
        let path = parts.uri.path().to_owned();
        let Query(mut fields) =
            Query::<Vec<(String, String)>>::try_from_uri(&parts.uri).map_err(|error| {
                Refusal::bad_request(error.body_text(), "look at the address again")
            })?;
        fields.extend(parsed(&String::from_utf8_lossy(&bytes)));
        Ok(Context { shared, store, visitor, headers: parts.headers, path, address, fields })
    }

    /// A field of the form; empty if it was not filled in.
    pub(super) fn get(&self, name: &str) -> &str {
        let found = self.fields.iter().rev().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// All values of a field: the checked boxes.
    pub(super) fn all(&self, name: &str) -> Vec<&str> {
        let found = self.fields.iter().filter(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str()).collect()
    }

    /// The last part of the path.
    pub(super) fn last_part(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    pub(super) fn accounts(&self) -> Result<&Accounts, Refusal> {
        self.shared.accounts().ok_or_else(no_accounts)
    }

    /// The person who is logged in. A token must not be able to make other tokens, or change a password.
    pub(super) fn person(&self) -> Result<&PersonRow, Refusal> {
        let person = self.visitor.person().filter(|_| self.visitor.session_digest().is_some());
        person.ok_or_else(|| self.nothing_here())
    }

    /// What is not for this visitor does not exist for them.
    pub(super) fn needs(&self, act: Act) -> Result<(), Refusal> {
        if self.visitor.may(act, EVERYTHING) { Ok(()) } else { Err(self.nothing_here()) }
    }

    /// A page. What is on it is for this visitor, and some of it is shown once.
    pub(super) fn page(&self, status: StatusCode, content: &PageContent) -> Response {
        let around = surroundings(&self.headers, &self.shared);
        let mut response = html(status, whole_page(content, &around).into_string());
        let no_store = HeaderValue::from_static("no-store");
        response.headers_mut().insert(header::CACHE_CONTROL, no_store);
        response
    }

    fn nothing_here(&self) -> Refusal {
        Refusal::Missing { what: format!("There is no page {}.", self.path), hint: None }
    }
}

fn no_accounts() -> Refusal {
    Refusal::Missing { what: "This server has no accounts.".to_owned(), hint: None }
}

/// On to another page.
pub(super) fn onwards(path: &str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, path.to_owned())]).into_response()
}

/// Takes a form apart: `name=value&name=value`, as browsers send it.
fn parsed(text: &str) -> Vec<(String, String)> {
    let decoded = |text: &str| {
        let text = text.replace('+', " ");
        percent_encoding::percent_decode_str(&text).decode_utf8_lossy().into_owned()
    };
    let pairs = text.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    pairs.map(|(name, value)| (decoded(name), decoded(value))).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn forms_are_read_as_browsers_write_them() {
        let read = super::parsed("login=ada&password=a+b%2Bc%26&scopes=read&scopes=submit&x");
        let pairs: Vec<(&str, &str)> =
            read.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let expected = [
            ("login", "ada"),
            ("password", "a b+c&"),
            ("scopes", "read"),
            ("scopes", "submit"),
            ("x", ""),
        ];
        assert_eq!(pairs, expected);
    }
}

//! What the API can do: one line each, from which come its routes, its description and its help.

use super::call::Call;
use super::problem::Problem;
use crate::access::Act;
use crate::page::{Page, QueryKey};
use axum::http::Method;
use axum::response::Response;
use std::pin::Pin;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Something that a program can ask for.
///
/// An operation says who may ask (`act`), what is given along and what comes back. Routing, the check of rights, the
/// refusal of unknown keys, the OpenAPI document and the page about the API all read this one record.
pub(crate) struct Operation {
    pub(crate) method: Method,
    /// The path below `/api/v1`, with what differs in braces.
    pub(crate) path: &'static str,
    /// What programs call it.
    pub(crate) id: &'static str,
    /// What it does, in one sentence.
    pub(crate) about: &'static str,
    /// What the caller must be allowed to do somewhere; handlers look at the object.
    pub(crate) act: Act,
    /// Whether it is there for those too who are not logged in.
    pub(crate) is_open: bool,
    /// The keys of its query.
    pub(crate) keys: &'static [QueryKey],
    /// What is sent along.
    pub(crate) takes: Takes,
    /// What comes back.
    pub(crate) gives: Gives,
    /// How much it tells of gold.
    pub(crate) tells: Tells,
    /// The path of the page that does the same, for an operation that is not the answer behind one.
    pub(crate) page: &'static str,
    pub(crate) handler: Handler,
}

/// How much an answer tells of gold, which may be hidden from the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tells {
    /// As much as the page behind it: where that shows gold, the operation is for those who may see it.
    AsPage,
    /// Scores. Of hidden gold they are rounded, without counts and without slices of few mentions.
    Scores,
}

/// What a handler comes to.
pub(crate) type Handled = Pin<Box<dyn Future<Output = Result<Response, Problem>> + Send>>;

/// Who answers.
#[derive(Clone, Copy)]
pub(crate) enum Handler {
    /// The answer behind a page, in the form that the caller wants. The second part of the view is fixed by the path.
    Page(&'static dyn Page, &'static [(&'static str, &'static str)]),
    /// A function.
    Function(fn(Call) -> Handled),
}

/// A name and a schema, with those that it refers to.
pub(crate) type SchemaOf = fn(&mut Vec<(String, RefOr<Schema>)>) -> String;

/// What is sent along.
#[derive(Clone, Copy)]
pub(crate) enum Takes {
    /// Nothing.
    Nothing,
    /// JSON of this shape.
    Json(SchemaOf),
    /// A file as it is.
    File,
}

/// What comes back.
#[derive(Clone, Copy)]
pub(crate) enum Gives {
    /// JSON of this shape.
    Json(SchemaOf),
    /// A page of a list of these.
    List(SchemaOf),
    /// An answer of the facade, in any of the forms of reports.
    Answer,
    /// Something new of this shape, with 201 and its address.
    Created(SchemaOf),
    /// Work was begun, with 202.
    Accepted(SchemaOf),
    /// Nothing but that it was done, with 204.
    Nothing,
    /// A stream of events.
    Events,
    /// Bytes of a file.
    Bytes,
    /// Text of this media type.
    Text(&'static str),
}

/// The name of a schema; the schema and those that it refers to are added.
pub(crate) fn schema_of<T: ToSchema>(all: &mut Vec<(String, RefOr<Schema>)>) -> String {
    let name = T::name().into_owned();
    all.push((name.clone(), <T as PartialSchema>::schema()));
    T::schemas(all);
    name
}

/// An operation that reads, to be filled in.
pub(crate) const READ: Operation = Operation {
    method: Method::GET,
    path: "",
    id: "",
    about: "",
    act: Act::See,
    is_open: false,
    keys: &[],
    takes: Takes::Nothing,
    gives: Gives::Answer,
    tells: Tells::AsPage,
    page: "",
    handler: Handler::Page(&crate::pages::board::Board, &[]),
};

impl Operation {
    /// The keys of its query: its own, or those of the page that it shows and that the path leaves open.
    pub(crate) fn query_keys(&self) -> Vec<QueryKey> {
        let mut keys = self.keys.to_vec();
        if let Handler::Page(page, fixed) = self.handler {
            let open = |key: &&QueryKey| fixed.iter().all(|(name, _)| *name != key.name);
            keys.extend(page.keys().iter().filter(open));
        }
        keys
    }

    /// What stands in braces in its path.
    pub(crate) fn parameters(&self) -> impl Iterator<Item = &'static str> {
        let parts = self.path.split('{').skip(1);
        parts.filter_map(|part| part.split('}').next())
    }
}

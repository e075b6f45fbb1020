//! Suspicions: places where gold may be wrong.

use super::call::{Call, boxed};
use super::etag::expected_version;
use super::listing::{self, listed};
use super::operation::{Gives, Handler, Operation, READ, Takes, schema_of};
use super::problem::Problem;
use super::stored::{done, versioned};
use crate::access::Act;
use crate::page::{QueryKey, key};
use axum::http::Method;
use axum::response::Response;
use karat_store::{BenchmarkRow, EditionRow, NewSuspicion, SuspicionRow, SuspicionState};
use serde::Deserialize;
use utoipa::ToSchema;

const EDITION: QueryKey = key("edition", "the id of an edition");
const STATE: QueryKey = key("state", "open, confirmed, refuted or later; all if it is not given");

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/suspicions",
        id: "listSuspicions",
        about: "The suspicions of an edition, the strongest first.",
        act: Act::Organise,
        keys: &[EDITION, STATE, listing::LIMIT, listing::AFTER],
        gives: Gives::List(schema_of::<SuspicionRow>),
        handler: Handler::Function(|call| boxed(suspicions(call))),
        ..READ
    },
    Operation {
        method: Method::POST,
        path: "/suspicions",
        id: "addSuspicion",
        about: "Notes a place where gold may be wrong.",
        act: Act::Organise,
        takes: Takes::Json(schema_of::<NewSuspicion>),
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(add(call))),
        ..READ
    },
    Operation {
        path: "/suspicions/{id}",
        id: "getSuspicion",
        about: "One suspicion.",
        act: Act::Organise,
        gives: Gives::Json(schema_of::<SuspicionRow>),
        handler: Handler::Function(|call| boxed(get(call))),
        ..READ
    },
    Operation {
        method: Method::PATCH,
        path: "/suspicions/{id}",
        id: "judgeSuspicion",
        about: "Decides about a suspicion.",
        act: Act::Organise,
        takes: Takes::Json(schema_of::<Judgement>),
        gives: Gives::Json(schema_of::<SuspicionRow>),
        handler: Handler::Function(|call| boxed(judge(call))),
        ..READ
    },
];

/// What was decided about a suspicion.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Judgement {
    /// What was decided.
    state: SuspicionState,
    /// Why.
    #[serde(default)]
    note: String,
}

/// An edition that the caller organises. Others do not learn that it is there.
async fn organised(call: &Call, id: &str) -> Result<(EditionRow, BenchmarkRow), Problem> {
    let store = call.store()?;
    let missing = || Problem::missing("edition", id);
    let edition = store.edition(id).await?;
    let benchmark = store.benchmark(&edition.benchmark).await.map_err(|_| missing())?;
    match call.visitor.may(Act::Organise, &benchmark.id) {
        true => Ok((edition, benchmark)),
        false => Err(missing()),
    }
}

async fn suspicions(call: Call) -> Result<Response, Problem> {
    let id = call.get(EDITION.name).ok_or_else(|| Problem::request("say of which `edition`"))?;
    let (edition, _) = organised(&call, id).await?;
    let state = call.get(STATE.name).map(|word| {
        SuspicionState::from_word(word)
            .ok_or_else(|| Problem::request(format!("there is no state `{word}`")))
    });
    let from = listing::from(&call)?;
    let page = call.store()?.suspicions(&edition.id, state.transpose()?, &from).await?;
    listed(&call, &page)
}

async fn add(mut call: Call) -> Result<Response, Problem> {
    let new: NewSuspicion = call.json().await?;
    organised(&call, &new.edition).await?;
    call.store()?.add_suspicions(&call.visitor.by(), &[new]).await?;
    Ok(done())
}

async fn known(call: &Call) -> Result<SuspicionRow, Problem> {
    let id = call.parameter("id");
    let row = call.store()?.suspicion(id).await?;
    let organised = organised(call, &row.what.edition).await;
    organised.map_err(|_| Problem::missing("suspicion", id))?;
    Ok(row)
}

async fn get(call: Call) -> Result<Response, Problem> {
    let row = known(&call).await?;
    versioned(&call, row.version, &row)
}

async fn judge(mut call: Call) -> Result<Response, Problem> {
    let row = known(&call).await?;
    let version = expected_version(&call.headers)?;
    let Judgement { state, note } = call.json().await?;
    let by = call.visitor.by();
    let row = call.store()?.judge_suspicion(&by, &row.id, version, state, &note).await?;
    versioned(&call, row.version, &row)
}

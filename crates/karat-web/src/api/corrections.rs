//! Corrections of a benchmark: as a gold patch, or as its next edition.

use super::call::{Call, boxed};
use super::etag::tagged;
use super::operation::{Gives, Handler, Operation, READ, Takes, schema_of};
use super::problem::Problem;
use super::stored::created;
use crate::access::{Act, Visitor};
use crate::page::{QueryKey, key};
use crate::server::{CorrectionSources, MadeCorrections, Shared};
use axum::http::Method;
use axum::response::Response;
use karat_store::EditionRow;
use serde::Deserialize;
use std::sync::Arc;
use utoipa::ToSchema;

const FROM: QueryKey = key(
    "from",
    "what corrections follow from: suspicions that were confirmed, checks, or both, with a comma",
);

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/benchmarks/{slug}/corrections",
        id: "getCorrections",
        about: "The gold patch that follows from confirmed suspicions and from what checks can mend.",
        act: Act::Organise,
        keys: &[FROM],
        gives: Gives::Text("application/x-ndjson"),
        handler: Handler::Function(|call| boxed(patch(call))),
        ..READ
    },
    Operation {
        method: Method::POST,
        path: "/benchmarks/{slug}/editions",
        id: "addEdition",
        about: "Makes corrected gold the next edition of a benchmark, with the runs of the edition that was corrected.",
        act: Act::Organise,
        takes: Takes::Json(schema_of::<CorrectedEdition>),
        gives: Gives::Created(schema_of::<EditionRow>),
        handler: Handler::Function(|call| boxed(edition(call))),
        ..READ
    },
];

/// What the corrections of an edition follow from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum CorrectionSource {
    /// Suspicions that were confirmed.
    Suspicions,
    /// What checks can mend.
    Checks,
}

impl CorrectionSource {
    fn all(given: &[CorrectionSource]) -> CorrectionSources {
        CorrectionSources {
            suspicions: given.contains(&CorrectionSource::Suspicions),
            checks: given.contains(&CorrectionSource::Checks),
        }
    }
}

/// The next edition of a benchmark.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CorrectedEdition {
    /// What its corrections follow from.
    from: Vec<CorrectionSource>,
    /// What is new in it.
    #[serde(default)]
    note: String,
}

/// Makes something of corrections, where waiting is no harm.
async fn corrected<T: Send + 'static>(
    call: &Call,
    sources: CorrectionSources,
    then: impl FnOnce(MadeCorrections, &Shared, &Visitor) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let (shared, visitor) = (Arc::clone(&call.shared), call.visitor.clone());
    let slug = call.parameter("slug").to_owned();
    let made = tokio::task::spawn_blocking(move || {
        let made = MadeCorrections::of(&shared, &visitor, &slug, sources)?;
        then(made, &shared, &visitor)
    });
    made.await.map_err(|_| Problem::failed("the corrections could not be made"))?
}

async fn patch(call: Call) -> Result<Response, Problem> {
    let from = call.get(FROM.name).unwrap_or("suspicions");
    let sources = from.split(',').map(|word| match word {
        "suspicions" => Ok(CorrectionSource::Suspicions),
        "checks" => Ok(CorrectionSource::Checks),
        other => Err(Problem::request(format!("`from` is suspicions or checks, not `{other}`"))),
    });
    let sources = CorrectionSource::all(&sources.collect::<Result<Vec<_>, Problem>>()?);
    let text = corrected(&call, sources, |made, _, _| Ok(made.corrections.file.patch.to_string()));
    Ok(tagged(&call.headers, "application/x-ndjson", text.await?))
}

async fn edition(mut call: Call) -> Result<Response, Problem> {
    call.gives_json()?;
    call.store()?;
    let CorrectedEdition { from, note } = call.json().await?;
    let id = corrected(&call, CorrectionSource::all(&from), move |made, shared, visitor| {
        Ok(made.next_edition(shared, visitor, &note)?)
    });
    let row = call.store()?.edition(&id.await?).await?;
    created(&format!("/benchmarks/{}/editions", call.parameter("slug")), None, &row)
}

//! Documents by the digest of their corpus.

use super::answers::answered;
use super::call::{Call, boxed};
use super::catalogue::seen;
use super::operation::{Handler, Operation, READ, Tells};
use super::problem::Problem;
use crate::page::{AS, Asked, QueryKey, key};
use crate::pages::document::{DocumentPage, answer_of};
use axum::response::Response;
use karat::documents::DocumentAnswer;
use std::sync::Arc;

const RUNS: QueryKey =
    key("runs", "the runs that are shown, by the names of their systems, or none");
const WHERE: QueryKey = key("where", "cases with this label are marked as listed");
const FROM: QueryKey = key("from", "where the part of the text begins that is given");
const TO: QueryKey = key("to", "where it ends");

pub(super) static OPERATIONS: &[Operation] = &[Operation {
    path: "/documents/{corpus}/{n}",
    id: "getDocument",
    about: "One document by the digest of its gold corpus: text, layers and cases, or those of a part of the text.",
    keys: &[RUNS, WHERE, FROM, TO, AS],
    handler: Handler::Function(|call| boxed(document(call))),
    ..READ
}];

async fn document(mut call: Call) -> Result<Response, Problem> {
    let number = |key: QueryKey| -> Result<Option<u32>, Problem> {
        let Some(text) = call.get(key.name) else { return Ok(None) };
        let bad = |_| Problem::request(format!("`{}` is a number, not `{text}`", key.name));
        text.parse().map(Some).map_err(bad)
    };
    let part = match (number(FROM)?, number(TO)?) {
        (None, None) => None,
        (from, to) => Some([from.unwrap_or(0), to.unwrap_or(u32::MAX)]),
    };
    if let Some([from, to]) = part
        && from > to
    {
        return Err(Problem::request(format!(
            "the part from {from} to {to} ends before it begins"
        )));
    }
    call.query.retain(|(name, _)| ![FROM.name, TO.name].contains(&name.as_str()));
    let slug = slug_of(&call).await?;
    let n = call.parameter("n").to_owned();
    let call = call.about([("slug", slug), ("n", n)], []);
    answered(&DocumentPage, Tells::AsPage, call, move |asked: &Asked<'_>| {
        let answer = answer_of(asked)?;
        Ok(match part {
            Some(part) => Arc::new(DocumentAnswer::clone(&answer).within(part)),
            None => answer,
        })
    })
    .await
}

/// The benchmark whose gold has a digest, or that goes by that name.
async fn slug_of(call: &Call) -> Result<String, Problem> {
    let (shared, corpus) = (Arc::clone(&call.shared), call.parameter("corpus").to_owned());
    // Whoever has a digest must not learn what they may not see is called.
    let catalogue = seen(call).await?;
    let sought = tokio::task::spawn_blocking(move || {
        let workbench = &shared.workbench;
        let digest = |name: &str| workbench.corpus_digest(name, None);
        let mut known = catalogue.benchmarks.iter();
        let found = known.find(|it| digest(&it.name).as_deref() == Some(&*corpus));
        found.map_or(corpus, |it| it.slug.clone())
    });
    sought.await.map_err(|_| Problem::failed("the corpus could not be looked up"))
}

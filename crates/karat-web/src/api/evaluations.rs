//! Evaluations by their key: one run under one convention.
//!
//! A key is a digest of the program, the convention and the two corpora, so it means the same numbers for ever. Nothing is
//! computed to know it. What a key stands for is found again in three ways: it belongs to a run under a plain preset,
//! it was listed by this server, or its evaluation is kept in the store.

use super::answers::{answer, answered, asked_of};
use super::call::{Call, boxed};
use super::catalogue::seen;
use super::etag::tagged;
use super::listing::{self, cut, listed};
use super::operation::{Gives, Handler, Operation, READ, Tells, schema_of};
use super::problem::{MISSING, Problem};
use crate::answers::locked;
use crate::catalogue::{Catalogue, CatalogueRun};
use crate::library::EvaluationId;
use crate::page::{AS, Asked, QueryKey, key};
use crate::pages::run::RunPage;
use crate::workbench::Workbench;
use axum::response::Response;
use karat::convention::ConventionRequest;
use karat::counts::CountsRequest;
use karat::documents::DocumentsRequest;
use karat::listings::preset_names;
use karat::scoring::EvaluationRequest;
use serde::Serialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use utoipa::ToSchema;

const RUN: QueryKey = key("run", "the id of a run; all runs without it");

/// The keys of a list of cases, as the page of a run has them.
const CASES: &[QueryKey] = &[
    key("where", "which cases, as error=missing type=PER"),
    key("group", "groups cases: by mention, gold, predicted or pair"),
    key("sort", "the order of cases: document, confidence or frequency"),
    key("pick", "only the cases at these places, as 3.12,4.1"),
    key("rows", "how many cases are listed at once, at most 500"),
    key("after", "where the page of cases before this one ended"),
];

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/evaluations",
        id: "listEvaluations",
        about: "The keys of evaluations: runs under a convention, by the id of the run. Nothing is computed yet.",
        keys: &[RUN, AS, listing::LIMIT, listing::AFTER],
        gives: Gives::List(schema_of::<EvaluationItem>),
        handler: Handler::Function(|call| boxed(list(call))),
        ..READ
    },
    Operation {
        path: "/evaluations/{key}",
        id: "getEvaluation",
        about: "The scores of an evaluation: what `karat eval --format json` prints.",
        tells: Tells::Scores,
        handler: Handler::Function(|call| boxed(scores(call))),
        ..READ
    },
    Operation {
        path: "/evaluations/{key}/cases",
        id: "evaluationCases",
        about: "The cases of an evaluation one by one: filtered, grouped and sorted.",
        keys: CASES,
        handler: Handler::Function(|call| boxed(cases(call))),
        ..READ
    },
    Operation {
        path: "/evaluations/{key}/counts",
        id: "evaluationCounts",
        about: "The counts of every document, from which scores, intervals and tests can be made: what `karat eval --counts-to` writes.",
        gives: Gives::Text("application/jsonl"),
        handler: Handler::Function(|call| boxed(counts(call))),
        ..READ
    },
    Operation {
        path: "/evaluations/{key}/documents",
        id: "evaluationDocuments",
        about: "The documents of an evaluation with what became of their mentions.",
        handler: Handler::Function(|call| boxed(documents(call))),
        ..READ
    },
];

/// A run under a convention.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Evaluation)]
struct EvaluationItem {
    /// The digest of everything that its numbers depend on.
    key: String,
    /// The id of the run.
    run: String,
    /// The slug of the benchmark.
    benchmark: String,
    /// The convention, as `as` takes it.
    #[serde(rename = "as")]
    convention: String,
    /// The digest of the gold corpus.
    gold: String,
    /// The digest of the corpus of the run.
    answers: String,
    /// The version and the digest of the program.
    engine: String,
}

/// Keys that this server has listed, with what they stand for.
#[derive(Debug, Default)]
pub(crate) struct ListedKeys(Mutex<HashMap<String, (String, String)>>);

/// So many keys are remembered; then all are forgotten, and lists make them again.
const MOST_LISTED: usize = 20_000;

impl ListedKeys {
    fn note(&self, items: &[EvaluationItem]) {
        let mut keys = locked(&self.0);
        if keys.len() + items.len() > MOST_LISTED {
            keys.clear();
        }
        keys.extend(
            items.iter().map(|it| (it.key.clone(), (it.run.clone(), it.convention.clone()))),
        );
    }

    fn find(&self, key: &str) -> Option<(String, String)> {
        locked(&self.0).get(key).cloned()
    }
}

/// The digests of gold and of a run on it.
fn digests(
    workbench: &Workbench,
    catalogue: &Catalogue,
    run: &CatalogueRun,
) -> Option<(String, String)> {
    let benchmark = catalogue.benchmark(&run.benchmark).ok()?;
    let gold = workbench.corpus_digest(&benchmark.name, None)?;
    Some((gold, workbench.corpus_digest(&benchmark.name, Some(&run.system))?))
}

async fn list(call: Call) -> Result<Response, Problem> {
    let shared = Arc::clone(&call.shared);
    let run = call.get(RUN.name).map(str::to_owned);
    let convention: ConventionRequest = call
        .get(AS.name)
        .unwrap_or_default()
        .parse()
        .map_err(|error: karat::error::Error| Problem::from(error.notice()))?;
    let catalogue = seen(&call).await?;
    let listed_now = tokio::task::spawn_blocking(move || {
        let workbench = &shared.workbench;
        if let Some(run) = &run {
            catalogue.run(run)?;
        }
        let meant = catalogue.runs.iter().filter(|it| run.as_ref().is_none_or(|id| it.id == *id));
        let items = meant.filter_map(|run| {
            let (gold, answers) = digests(workbench, &catalogue, run)?;
            Some(EvaluationItem {
                key: EvaluationId::under(&convention, &gold, &answers).key,
                run: run.id.clone(),
                benchmark: run.benchmark.clone(),
                convention: convention.to_string(),
                gold,
                answers,
                engine: crate::engine::engine().to_owned(),
            })
        });
        let items: Vec<EvaluationItem> = items.collect();
        shared.listed.note(&items);
        Ok::<_, Problem>(items)
    });
    let items = listed_now.await.map_err(|_| Problem::failed("the list could not be made"))??;
    listed(&call, &cut(items, &listing::from(&call)?, |item| &item.run)?)
}

/// What a key stands for.
enum Found {
    /// A run under a convention, which this program can score.
    Now { run: String, convention: String },
    /// What another version of the program said, for a run that is there.
    Kept { run: String, body: String },
}

/// What the key of a call stands for, among what the caller sees.
async fn found(call: &Call) -> Result<Found, Problem> {
    let key = call.parameter("key").to_owned();
    let row = match call.shared.store() {
        Some(store) => store.evaluation(&key).await?,
        None => None,
    };
    let (shared, catalogue) = (Arc::clone(&call.shared), seen(call).await?);
    let sought = tokio::task::spawn_blocking(move || {
        let workbench = &shared.workbench;
        let now = |run: String, convention: String| Some(Found::Now { run, convention });
        // Files may have changed since the key was listed: then it stands for numbers that are gone.
        if let Some((run, convention)) = shared.listed.find(&key)
            && let Ok(known) = catalogue.run(&run)
            && let Ok(under) = convention.parse::<ConventionRequest>()
            && digests(workbench, &catalogue, known).is_some_and(|(gold, answers)| {
                EvaluationId::under(&under, &gold, &answers).key == key
            })
        {
            return Ok::<_, Problem>(now(run, convention));
        }
        let presets: Vec<ConventionRequest> =
            preset_names().filter_map(|name| name.parse().ok()).collect();
        for run in &catalogue.runs {
            let Some((gold, answers)) = digests(workbench, &catalogue, run) else { continue };
            if let Some(row) = &row
                && (&row.gold, &row.answers) == (&gold, &answers)
            {
                let convention = EvaluationId::convention_of(&row.under);
                let is_ours = row.under.engine == crate::engine::engine();
                return Ok(match convention.filter(|_| is_ours) {
                    Some(convention) => now(run.id.clone(), convention.to_string()),
                    None => Some(Found::Kept { run: run.id.clone(), body: row.body.clone() }),
                });
            }
            let is_meant = |convention: &&ConventionRequest| {
                EvaluationId::under(convention, &gold, &answers).key == key
            };
            if let Some(convention) = presets.iter().find(is_meant) {
                return Ok(now(run.id.clone(), convention.to_string()));
            }
        }
        Ok(None)
    });
    let sought = sought.await.map_err(|_| Problem::failed("the key could not be looked up"))??;
    sought.ok_or_else(|| {
        let detail = "there is no evaluation with this key; `/evaluations?run=ID&as=CONVENTION` gives the key of one";
        Problem::new(&MISSING, detail)
    })
}

/// The call, about the run and the convention that its key stands for.
async fn about_run(call: Call) -> Result<Call, Problem> {
    match found(&call).await? {
        Found::Now { run, convention } => Ok(call.about([("id", run)], [(AS.name, convention)])),
        Found::Kept { .. } => {
            let detail = "this evaluation was made by another version of karat, of which only the scores are kept";
            Err(Problem::new(&MISSING, detail))
        }
    }
}

async fn scores(call: Call) -> Result<Response, Problem> {
    match found(&call).await? {
        Found::Now { run, convention } => {
            let call = call.about([("id", run)], [(AS.name, convention)]);
            answer(&RunPage, &[("show", "measures")], Tells::Scores, call).await
        }
        Found::Kept { run, body } => {
            call.gives_json()?;
            let headers = call.headers.clone();
            let call = call.about([("id", run)], []);
            let text = asked_of(&RunPage, Tells::Scores, call, move |asked| {
                match asked.is_about_hidden_gold() {
                    true => super::answers::rounded_text(&body),
                    false => Ok(body),
                }
            });
            Ok(tagged(&headers, "application/json", text.await?))
        }
    }
}

async fn cases(call: Call) -> Result<Response, Problem> {
    let call = about_run(call).await?;
    answer(&RunPage, &[("show", "cases")], Tells::AsPage, call).await
}

/// The request about one run that its evaluation is the answer to.
fn evaluation(asked: &Asked<'_>) -> Result<EvaluationRequest, Problem> {
    let run = asked.catalogue.run(asked.parameter("id"))?;
    let benchmark = asked.catalogue.benchmark(&run.benchmark)?;
    let inputs = asked.catalogue.inputs(benchmark, [run]);
    Ok(EvaluationRequest {
        inputs,
        convention: asked.convention()?,
        ..EvaluationRequest::default()
    })
}

async fn counts(call: Call) -> Result<Response, Problem> {
    let call = about_run(call).await?;
    let headers = call.headers.clone();
    let text = asked_of(&RunPage, Tells::AsPage, call, |asked| {
        let request = CountsRequest { evaluation: evaluation(asked)?, ..CountsRequest::default() };
        let counts = asked.workbench.answer(&request)?;
        let mut bytes = Vec::new();
        counts.write(&mut bytes).map_err(|error| Problem::failed(error.to_string()))?;
        String::from_utf8(bytes).map_err(|error| Problem::failed(error.to_string()))
    });
    Ok(tagged(&headers, "application/jsonl", text.await?))
}

async fn documents(call: Call) -> Result<Response, Problem> {
    let call = about_run(call).await?;
    answered(&RunPage, Tells::AsPage, call, |asked| {
        let EvaluationRequest { inputs, convention, .. } = evaluation(asked)?;
        let request = DocumentsRequest { inputs, convention, ..DocumentsRequest::default() };
        Ok(asked.workbench.answer(&request)?)
    })
    .await
}

//! Campaigns, for those who organise them.

use super::call::{Call, boxed};
use super::catalogue::shown;
use super::etag::expected_version;
use super::operation::{Gives, Handler, Operation, READ, Takes, schema_of};
use super::problem::{BUSY, CONFLICT, LOGIN, Problem, REQUEST};
use super::stored::{created, done, versioned, written};
use crate::access::Act;
use crate::campaigns::{
    CampaignTexts, HookError, JudgedCampaign, MergePreview, StepError, StepWanted, apply_merge,
    campaign_records, judged_file, make, preview_merge, prolific_event, report, step,
};
use crate::page::{QueryKey, key};
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use karat::campaigns::adjudication::{Dispute, MergeRule};
use karat::error::Error;
use karat::verify::{CampaignExport, CampaignRequest, ORIGINAL_TABLES, VerifyReportRequest};
use karat::work::Work;
use karat_store::{
    AssignmentRow, CampaignChange, CampaignLinkRow, CampaignProgress, CampaignRow, DecisionRow,
    EVERYTHING, Exclusion, ItemRow, KeyRow, KeyState, NewCampaignLink, NewDecision, Store,
    WorkerRow,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// An operation of organisers, to be filled in.
const ORGANISE: Operation = Operation { act: Act::Organise, ..READ };

const PRESET: QueryKey =
    key("preset", "karat, ding-2022 or ding-2022-code; karat if it is not given");
const NOTES: QueryKey = key("notes", "1 for free texts, which may be personal");
const TRIALS: QueryKey =
    key("trials", "how often documents are drawn again; 200 if it is not given");

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/campaigns",
        id: "listCampaigns",
        about: "All campaigns, the newest first.",
        gives: Gives::Json(schema_of::<Campaigns>),
        handler: Handler::Function(|call| boxed(list(call))),
        ..ORGANISE
    },
    Operation {
        method: Method::POST,
        path: "/campaigns",
        id: "addCampaign",
        about: "Makes a campaign of benchmarks and runs of this workspace. It is a draft.",
        takes: Takes::Json(schema_of::<NewCampaignBody>),
        gives: Gives::Created(schema_of::<CampaignRow>),
        handler: Handler::Function(|call| boxed(add(call))),
        ..ORGANISE
    },
    Operation {
        path: "/campaigns/{campaign}",
        id: "getCampaign",
        about: "One campaign.",
        gives: Gives::Json(schema_of::<CampaignRow>),
        handler: Handler::Function(|call| boxed(get(call))),
        ..ORGANISE
    },
    Operation {
        method: Method::PATCH,
        path: "/campaigns/{campaign}",
        id: "changeCampaign",
        about: "Changes a campaign. After the opening only pay, budget, places, leases, retention and platforms can change.",
        takes: Takes::Json(schema_of::<ChangeBody>),
        gives: Gives::Json(schema_of::<CampaignRow>),
        handler: Handler::Function(|call| boxed(change(call))),
        ..ORGANISE
    },
    Operation {
        method: Method::POST,
        path: "/campaigns/{campaign}/state",
        id: "stepCampaign",
        about: "Takes the next step in the life of a campaign.",
        takes: Takes::Json(schema_of::<StepWanted>),
        gives: Gives::Json(schema_of::<CampaignRow>),
        handler: Handler::Function(|call| boxed(take_step(call))),
        ..ORGANISE
    },
    Operation {
        path: "/campaigns/{campaign}/progress",
        id: "getProgress",
        about: "How far a campaign is.",
        gives: Gives::Json(schema_of::<CampaignProgress>),
        handler: Handler::Function(|call| boxed(progress(call))),
        ..ORGANISE
    },
    Operation {
        path: "/campaigns/{campaign}/items",
        id: "listItems",
        about: "What is judged.",
        gives: Gives::Json(schema_of::<Items>),
        handler: Handler::Function(|call| boxed(items(call))),
        ..ORGANISE
    },
    Operation {
        path: "/campaigns/{campaign}/people",
        id: "listWorkers",
        about: "Who judges, by pseudonym, and their assignments.",
        gives: Gives::Json(schema_of::<Workers>),
        handler: Handler::Function(|call| boxed(people(call))),
        ..ORGANISE
    },
    Operation {
        method: Method::POST,
        path: "/campaigns/{campaign}/people/{worker}/state",
        id: "setWorkerState",
        about: "Pauses somebody, excludes them, or takes that back.",
        takes: Takes::Json(schema_of::<WorkerStateBody>),
        gives: Gives::Json(schema_of::<Exclusion>),
        handler: Handler::Function(|call| boxed(set_worker(call))),
        ..ORGANISE
    },
    Operation {
        path: "/campaigns/{campaign}/controls",
        id: "listControls",
        about: "Items whose answer is known.",
        gives: Gives::Json(schema_of::<Controls>),
        handler: Handler::Function(|call| boxed(controls(call))),
        ..ORGANISE
    },
    Operation {
        method: Method::POST,
        path: "/campaigns/{campaign}/controls/{item}/state",
        id: "setControlState",
        about: "Confirms a control, or takes it out.",
        takes: Takes::Json(schema_of::<ControlStateBody>),
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(set_control(call))),
        ..ORGANISE
    },
    Operation {
        path: "/campaigns/{campaign}/disputes",
        id: "listDisputes",
        about: "Items that should be decided, the most unsure first.",
        gives: Gives::Json(schema_of::<Disputes>),
        handler: Handler::Function(|call| boxed(list_disputes(call))),
        ..ORGANISE
    },
    Operation {
        method: Method::POST,
        path: "/campaigns/{campaign}/decisions",
        id: "decideItems",
        about: "Decides items, or takes decisions back. What was decided before stays in the history.",
        takes: Takes::Json(schema_of::<DecisionsBody>),
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(decide(call))),
        ..ORGANISE
    },
    Operation {
        path: "/campaigns/{campaign}/decisions",
        id: "listDecisions",
        about: "All decisions, the oldest first.",
        gives: Gives::Json(schema_of::<Decisions>),
        handler: Handler::Function(|call| boxed(decisions(call))),
        ..ORGANISE
    },
    Operation {
        method: Method::POST,
        path: "/campaigns/{campaign}/rules/preview",
        id: "previewRule",
        about: "What a rule would decide, of the items that no person has decided.",
        takes: Takes::Json(schema_of::<RuleBody>),
        gives: Gives::Json(schema_of::<MergePreview>),
        handler: Handler::Function(|call| boxed(preview_rule(call))),
        ..ORGANISE
    },
    Operation {
        method: Method::POST,
        path: "/campaigns/{campaign}/rules/apply",
        id: "applyRule",
        about: "Makes the decisions of a rule. What a person decided stays.",
        takes: Takes::Json(schema_of::<RuleBody>),
        gives: Gives::Json(schema_of::<MergePreview>),
        handler: Handler::Function(|call| boxed(apply_rule(call))),
        ..ORGANISE
    },
    Operation {
        path: "/campaigns/{campaign}/results",
        id: "getResults",
        about: "What a campaign says now: rates, precision and recall, agreement, people.",
        keys: &[PRESET, TRIALS],
        gives: Gives::Text("application/json"),
        handler: Handler::Function(|call| boxed(results(call))),
        ..ORGANISE
    },
    Operation {
        path: "/campaigns/{campaign}/export/{what}",
        id: "exportCampaign",
        about: "What can be taken away: `judgements`, `items`, `people` and `decisions` as `.csv` or `.jsonl`, `provenance.json`, \
                the whole as `campaign.jsonl`, and the tables of the original, such as `verified_annotations.csv`. Free texts are \
                left out unless `notes` is 1.",
        keys: &[NOTES],
        gives: Gives::Text("text/csv"),
        handler: Handler::Function(|call| boxed(export(call))),
        ..ORGANISE
    },
    Operation {
        method: Method::POST,
        path: "/campaigns/{campaign}/links",
        id: "addCampaignLink",
        about: "Makes an invitation. Its secret is given once.",
        takes: Takes::Json(schema_of::<LinkBody>),
        gives: Gives::Json(schema_of::<MadeLink>),
        handler: Handler::Function(|call| boxed(add_link(call))),
        ..ORGANISE
    },
    Operation {
        method: Method::POST,
        path: "/hooks/prolific/{campaign}",
        id: "prolificHook",
        about: "Prolific tells that somebody left: their tasks are free at once. Signed, and done once.",
        is_open: true,
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(hook(call))),
        ..READ
    },
];

/// Campaigns.
#[derive(Debug, Serialize, ToSchema)]
struct Campaigns {
    /// All of them.
    items: Vec<CampaignRow>,
}

/// A campaign to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct NewCampaignBody {
    /// Its name in addresses.
    name: String,
    /// Its title.
    #[serde(default)]
    title: String,
    /// What is judged: a request with inputs as `held:NAME`, and settings.
    #[schema(value_type = Object)]
    request: CampaignRequest,
    /// What people read before the work.
    #[serde(default)]
    guidelines: Option<String>,
    /// What people agree to.
    #[serde(default)]
    consent: Option<String>,
}

/// What of a campaign is changed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ChangeBody {
    /// Its title.
    #[serde(default)]
    title: Option<String>,
    /// Its settings, whole.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    settings: Option<karat::campaigns::CampaignSettings>,
}

/// Items.
#[derive(Debug, Serialize, ToSchema)]
struct Items {
    /// All of them, in the order of the plan.
    items: Vec<ItemRow>,
}

/// People and their assignments.
#[derive(Debug, Serialize, ToSchema)]
struct Workers {
    /// Who.
    people: Vec<WorkerRow>,
    /// What they did.
    assignments: Vec<AssignmentRow>,
}

/// What becomes of somebody.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct WorkerStateBody {
    /// `active`, `paused` or `excluded`.
    state: karat_store::WorkerState,
    /// Why; it is kept in the audit.
    reason: String,
}

/// Controls.
#[derive(Debug, Serialize, ToSchema)]
struct Controls {
    /// All of them.
    items: Vec<KeyRow>,
}

/// What becomes of a control.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ControlStateBody {
    /// `proposed`, `confirmed` or `withdrawn`.
    state: KeyState,
}

/// Disputes.
#[derive(Debug, Serialize, ToSchema)]
struct Disputes {
    /// The most unsure first.
    items: Vec<DisputeItem>,
}

/// An item that should be decided.
#[derive(Debug, Serialize, ToSchema)]
struct DisputeItem {
    /// The item.
    item: ItemRow,
    /// How unsure it is, in bits.
    entropy: f64,
    /// How many sources hang on it.
    sources: usize,
}

/// Decisions to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct DecisionsBody {
    /// One for each item.
    decisions: Vec<NewDecision>,
}

/// A rule that decides many items.
#[derive(Debug, Deserialize, ToSchema)]
struct RuleBody {
    /// `rule` is `unanimous`, `majority` or `best-person`, each with the `least` judgements, or `chance` with the `least` chance.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    rule: MergeRule,
}

/// Decisions that were made.
#[derive(Debug, Serialize, ToSchema)]
struct Decisions {
    /// All of them.
    items: Vec<DecisionRow>,
}

/// An invitation to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LinkBody {
    /// For whom; only organisers see it.
    #[serde(default)]
    note: String,
    /// Whether it is for one person.
    #[serde(default)]
    single: bool,
    /// For how many days.
    #[serde(default = "a_month")]
    days: u32,
}

fn a_month() -> u32 {
    30
}

/// An invitation with its secret.
#[derive(Debug, Serialize, ToSchema)]
struct MadeLink {
    /// The invitation.
    link: CampaignLinkRow,
    /// The value of `key` in the address.
    secret: String,
}

impl From<StepError> for Problem {
    fn from(error: StepError) -> Problem {
        match error {
            StepError::Store(error) => error.into(),
            StepError::Unknown(_) => Problem::new(&REQUEST, error.to_string()),
            StepError::Results(_) => Problem::new(&CONFLICT, error.to_string()),
        }
    }
}

/// The campaign of the path, for whoever organises everything.
async fn organised(call: &Call) -> Result<(Store, CampaignRow), Problem> {
    call.allowed(Act::Organise, EVERYTHING)?;
    let store = call.store()?;
    let campaign = store.campaign(call.parameter("campaign")).await?;
    Ok((store, campaign))
}

async fn list(call: Call) -> Result<Response, Problem> {
    call.allowed(Act::Organise, EVERYTHING)?;
    shown(&call, &Campaigns { items: call.store()?.campaigns().await? })
}

async fn add(mut call: Call) -> Result<Response, Problem> {
    call.allowed(Act::Organise, EVERYTHING)?;
    let body: NewCampaignBody = call.json().await?;
    let store = call.store()?;
    let CampaignRequest { inputs, kb, punkt, tasks, expert, .. } = &body.request;
    let named = inputs.gold.iter().chain(&inputs.systems);
    let is_held = { named }.all(|input| input.path.starts_with("held:"));
    let is_file = [kb, punkt, tasks, expert].into_iter().any(Option::is_some);
    if !is_held || is_file {
        let detail =
            "inputs are `held:NAME`, things of this workspace; files are for `karat verify create`";
        return Err(Problem::request(detail));
    }
    let request = body.request;
    let shared = Arc::clone(&call.shared);
    // A shelf waits for the store.
    let built = tokio::task::spawn_blocking(move || {
        let work = Work { shelf: Some(shared.workbench.shelf()), ..Work::default() };
        request.build(&work)
    });
    let built = built.await;
    let built = built.map_err(|error| Problem::failed(error.to_string()))?;
    let built = built.map_err(|error: Error| Problem::new(&REQUEST, error.to_string()))?;
    let texts = CampaignTexts { guidelines: body.guidelines, consent: body.consent };
    let by = call.visitor.by();
    let row = make(&store, &by, (&body.name, &body.title), built, texts).await?;
    created(&format!("/campaigns/{}", row.name), Some(row.version), &row)
}

async fn get(call: Call) -> Result<Response, Problem> {
    let (_, row) = organised(&call).await?;
    versioned(&call, row.version, &row)
}

async fn change(mut call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let version = expected_version(&call.headers)?;
    let ChangeBody { title, settings } = call.json().await?;
    let change = CampaignChange { title, settings };
    let row = store.change_campaign(&call.visitor.by(), row.id, version, &change).await?;
    versioned(&call, row.version, &row)
}

async fn take_step(mut call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let wanted: StepWanted = call.json().await?;
    let row = step(&store, &call.visitor.by(), &row, &wanted).await?;
    versioned(&call, row.version, &row)
}

async fn progress(call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    shown(&call, &store.campaign_progress(row.id).await?)
}

async fn items(call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    shown(&call, &Items { items: store.campaign_items(row.id).await? })
}

async fn people(call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let people = store.campaign_workers(row.id).await?;
    let assignments = store.campaign_assignments(row.id).await?;
    shown(&call, &Workers { people, assignments })
}

async fn set_worker(mut call: Call) -> Result<Response, Problem> {
    use karat_store::WorkerState::{Active, Excluded, Paused};
    let (store, row) = organised(&call).await?;
    let WorkerStateBody { state, reason } = call.json().await?;
    if reason.trim().is_empty() {
        return Err(Problem::request("no reason is given: it is kept in the audit"));
    }
    let missing = || Problem::missing("person", call.parameter("worker"));
    let worker = call.parameter("worker").parse().map_err(|_| missing())?;
    let before = store.worker(worker).await?;
    if before.campaign != row.id {
        return Err(missing());
    }
    let by = call.visitor.by();
    let done = match (before.state, state) {
        (_, Excluded) => store.exclude_worker(&by, worker, &reason).await?,
        (Excluded, Active) => store.restore_worker(&by, worker, &reason).await?,
        (_, state) => {
            store.pause_worker(&by, worker, state == Paused, &reason).await?;
            Exclusion::default()
        }
    };
    shown(&call, &done)
}

async fn controls(call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    shown(&call, &Controls { items: store.campaign_keys(row.id).await? })
}

async fn set_control(mut call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let ControlStateBody { state } = call.json().await?;
    let item = call.parameter("item").parse();
    let item = item.map_err(|_| Problem::missing("control", call.parameter("item")))?;
    store.set_key_states(&call.visitor.by(), row.id, &[item], state).await?;
    Ok(done())
}

async fn list_disputes(call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let judged = JudgedCampaign::read(&store, &row).await?;
    let found = tokio::task::spawn_blocking(move || {
        let found = judged.disputes(&judged.outcomes());
        let item = |dispute: &Dispute| {
            let item = judged.items.get(dispute.item)?.clone();
            Some(DisputeItem { item, entropy: dispute.entropy, sources: dispute.sources })
        };
        found.iter().filter_map(item).collect()
    });
    let items = found.await.map_err(|error| Problem::failed(error.to_string()))?;
    shown(&call, &Disputes { items })
}

async fn decide(mut call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let DecisionsBody { decisions } = call.json().await?;
    store.decide(&call.visitor.by(), row.id, &call.visitor.decider(), &decisions).await?;
    Ok(done())
}

async fn preview_rule(mut call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let RuleBody { rule } = call.json().await?;
    shown(&call, &preview_merge(&store, &row, rule).await?)
}

async fn apply_rule(mut call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let RuleBody { rule } = call.json().await?;
    shown(&call, &apply_merge(&store, &call.visitor.by(), &row, rule).await?)
}

async fn decisions(call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    shown(&call, &Decisions { items: store.all_decisions(row.id).await? })
}

async fn results(call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let judged = judged_file(&store, &row).await?;
    let trials = call.get(TRIALS.name).map_or(Ok(200), str::parse);
    let trials = trials.map_err(|_| Problem::request("`trials` is a number"))?;
    if trials > 10_000 {
        return Err(Problem::new(&BUSY, "at most 10000 draws are made here"));
    }
    let preset = call.get(PRESET.name).unwrap_or("karat").to_owned();
    let request = VerifyReportRequest { preset, trials, ..VerifyReportRequest::default() };
    let answer = tokio::task::spawn_blocking(move || {
        report((&judged.0, &judged.1), &row, &request, &Work::default())
    });
    let answer = answer.await.map_err(|error| Problem::failed(error.to_string()))?;
    let answer = answer.map_err(|error| Problem::request(error.to_string()))?;
    shown(&call, &answer)
}

/// The file with a whole campaign.
const ARCHIVE: &str = "campaign.jsonl";

async fn export(call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let wanted = call.parameter("what").to_owned();
    let notes = call.get(NOTES.name) == Some("1");
    if wanted == ARCHIVE {
        let text = store.campaign_archive(row.id, notes).await?;
        return Ok(([(header::CONTENT_TYPE, "application/jsonl")], text).into_response());
    }
    let missing = || Problem::missing("export", &wanted);
    let (what, form) = match ORIGINAL_TABLES.contains(&wanted.as_str()) {
        true => (CampaignExport::Original, "csv"),
        false => {
            let (name, form) = wanted.rsplit_once('.').ok_or_else(missing)?;
            (CampaignExport::of(name).ok_or_else(missing)?, form)
        }
    };
    let form = { what.forms().iter() }.find(|known| **known == form).ok_or_else(missing)?;
    let records = campaign_records(&store, &row, notes).await?;
    let files = tokio::task::spawn_blocking(move || what.files(&records, form)).await;
    let files = files.map_err(|error| Problem::failed(error.to_string()))?.unwrap_or_default();
    let file = files.into_iter().find(|file| file.name == wanted).ok_or_else(missing)?;
    Ok(([(header::CONTENT_TYPE, file.media)], file.text).into_response())
}

async fn add_link(mut call: Call) -> Result<Response, Problem> {
    let (store, row) = organised(&call).await?;
    let LinkBody { note, single, days } = call.json().await?;
    let lasts = i64::from(days) * 24 * 3600 * 1000;
    let new = NewCampaignLink { note, single, lasts };
    let (link, secret) = store.add_campaign_link(&call.visitor.by(), row.id, &new).await?;
    let text = written(&MadeLink { link, secret })?;
    let headers = [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "no-store")];
    Ok((headers, text).into_response())
}

/// The option of a platform with the secret that its notices are signed with.
const SECRET: &str = "hook-secret";

async fn hook(mut call: Call) -> Result<Response, Problem> {
    let store = call.store()?;
    let refuse = |error: HookError| Problem::new(&LOGIN, error.to_string());
    let campaign = store.campaign(call.parameter("campaign")).await;
    let campaign = campaign.map_err(|_| refuse(HookError::Signature))?;
    let settings = campaign.settings.platforms.get("prolific");
    let secret = settings.and_then(|settings| settings.options.get(SECRET).cloned());
    let secret = secret.filter(|secret| !secret.is_empty());
    let secret = secret.ok_or_else(|| refuse(HookError::Signature))?;
    let header = |name: &str| {
        let value = call.headers.get(name).and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let signed = (header("x-prolific-request-timestamp"), header("x-prolific-request-signature"));
    let body = call.small_body().await?;
    let event = prolific_event(&secret, (&signed.0, &signed.1), &body, store.now());
    let event = event.map_err(refuse)?;
    let found = store.assignment_by_external(campaign.id, "prolific", &event.assignment).await?;
    if let (Some(assignment), Some(happened)) = (found, event.event) {
        // An assignment that has ended stays as it is; the same notice again changes nothing.
        let ended = assignment.finished.is_some();
        if !ended && store.is_new_hook_event("prolific", &event.id).await? {
            store.step_assignment(assignment.id, happened).await?;
        }
    }
    Ok(done())
}

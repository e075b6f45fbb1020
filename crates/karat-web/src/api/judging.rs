//! Judging in campaigns: what people call who verify, with an account or without.
//!
//! These operations are there for everybody; each but the first wants the token that entering gave, as
//! `Authorization: Bearer kw_…`. They never tell who proposed an item, nor whether its answer is known.

use super::call::{Call, boxed};
use super::operation::{Gives, Handler, Operation, READ, Takes, schema_of};
use super::problem::{CONFLICT, LOGIN, Problem, RIGHTS};
use super::stored::written;
use crate::access::Act;
use crate::accounts::visitor_of;
use crate::campaigns::{CampaignEntrance, Entered, EntranceError, WORKER_TOKEN, WorkerToken};
use crate::page::{QueryKey, key};
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat::campaigns::VerifyAction;
use karat::campaigns::life::AssignmentEvent;
use karat_store::{
    AssignmentRow, CampaignRow, ItemAnswer, KeyState, LeaseAnswer, LeasedItem, LeasedTask, Store,
    SubmittedAnswers, TaskAnswers, TextRow,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A worker operation, to be filled in.
const WORK: Operation = Operation { act: Act::See, is_open: true, method: Method::POST, ..READ };

const HOLDING: QueryKey =
    key("holding", "the token of the task that is shown, to fetch another one ahead");

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/campaigns/{campaign}/enter",
        id: "enterCampaign",
        about: "Comes to a campaign: the same person for the same ids. Gives a token for what follows, or a preview.",
        takes: Takes::Json(schema_of::<Entering>),
        gives: Gives::Json(schema_of::<EnteredCampaign>),
        handler: Handler::Function(|call| boxed(enter(call))),
        ..WORK
    },
    Operation {
        method: Method::GET,
        path: "/assignments/{assignment}",
        id: "getAssignment",
        about: "How far an assignment is, and the way back once it has ended.",
        gives: Gives::Json(schema_of::<EnteredCampaign>),
        handler: Handler::Function(|call| boxed(assignment(call))),
        ..WORK
    },
    Operation {
        path: "/assignments/{assignment}/consent",
        id: "consent",
        about: "Agrees to what is recorded, or does not. Nothing is stored before.",
        takes: Takes::Json(schema_of::<Consent>),
        gives: Gives::Json(schema_of::<EnteredCampaign>),
        handler: Handler::Function(|call| boxed(consent(call))),
        ..WORK
    },
    Operation {
        method: Method::GET,
        path: "/assignments/{assignment}/practice",
        id: "getPractice",
        about: "The practice items, which the comprehension check asks about.",
        gives: Gives::Json(schema_of::<Practice>),
        handler: Handler::Function(|call| boxed(practice(call))),
        ..WORK
    },
    Operation {
        path: "/assignments/{assignment}/check",
        id: "answerCheck",
        about: "Answers the comprehension check. There are two tries.",
        takes: Takes::Json(schema_of::<CheckAnswers>),
        gives: Gives::Json(schema_of::<Checked>),
        handler: Handler::Function(|call| boxed(check(call))),
        ..WORK
    },
    Operation {
        path: "/assignments/{assignment}/lease",
        id: "leaseTask",
        about: "Gives the next task, or 204 with the reason in `Karat-Reason`.",
        keys: &[HOLDING],
        gives: Gives::Json(schema_of::<LeasedTask>),
        handler: Handler::Function(|call| boxed(lease(call))),
        ..WORK
    },
    Operation {
        path: "/assignments/{assignment}/finish",
        id: "finishAssignment",
        about: "Ends an assignment when its tasks are done or nothing is left, and gives the way back.",
        gives: Gives::Json(schema_of::<EnteredCampaign>),
        handler: Handler::Function(|call| boxed(finish(call))),
        ..WORK
    },
    Operation {
        path: "/leases/{token}/heartbeat",
        id: "extendLease",
        about: "Says that somebody is still at work: the task stays theirs for longer.",
        gives: Gives::Json(schema_of::<Extended>),
        handler: Handler::Function(|call| boxed(heartbeat(call))),
        ..WORK
    },
    Operation {
        method: Method::PUT,
        path: "/leases/{token}/answers/{revision}",
        id: "submitAnswers",
        about: "Submits the answers of a task. The same again gets the same answer; other answers under the same revision are refused.",
        takes: Takes::Json(schema_of::<TaskAnswers>),
        gives: Gives::Json(schema_of::<SubmittedAnswers>),
        handler: Handler::Function(|call| boxed(submit(call))),
        ..WORK
    },
];

/// Somebody who comes.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Entering {
    /// The platform: `prolific`, `mturk`, `link`, `accounts` and others.
    platform: String,
    /// The parameters of the address that they came by.
    #[serde(default)]
    parameters: BTreeMap<String, String>,
    /// A token from before.
    #[serde(default)]
    token: Option<String>,
    /// The language of the browser.
    #[serde(default)]
    locale: String,
    /// `desktop`, `tablet` or `phone`.
    #[serde(default)]
    device: String,
}

/// What somebody is let in as, and how far they are.
#[derive(Debug, Serialize, ToSchema)]
struct EnteredCampaign {
    /// Whether they only look: then there is no assignment.
    preview: bool,
    /// What they work with.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// What they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    assignment: Option<OwnAssignment>,
    /// How to go back, once it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    leaving: Option<karat::campaigns::platform::Leaving>,
}

/// An assignment as its person sees it: without what was drawn for it.
#[derive(Debug, Serialize, ToSchema)]
struct OwnAssignment {
    /// Its number.
    id: i64,
    /// Where it is.
    #[schema(value_type = Object)]
    state: karat::campaigns::life::AssignmentState,
    /// Tasks of it.
    tasks: usize,
    /// The completion code, once it has ended.
    code: Option<String>,
}

/// Whether somebody agrees.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Consent {
    /// Whether they do.
    agreed: bool,
}

/// Items to learn from.
#[derive(Debug, Serialize, ToSchema)]
struct Practice {
    /// Their texts.
    texts: Vec<TextRow>,
    /// The items.
    items: Vec<PracticeItem>,
}

/// An item to learn from.
#[derive(Debug, Serialize, ToSchema)]
struct PracticeItem {
    /// The number of its text.
    text: i64,
    /// The item.
    item: LeasedItem,
    /// Why its answer is right.
    explanation: String,
}

/// The answers of the comprehension check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CheckAnswers {
    /// One for each practice item.
    answers: Vec<CheckAnswer>,
}

/// One answer of the comprehension check.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CheckAnswer {
    /// The item.
    item: i64,
    /// The answer.
    #[schema(value_type = String)]
    action: VerifyAction,
}

/// How a check went.
#[derive(Debug, Serialize, ToSchema)]
struct Checked {
    /// Whether all was right.
    passed: bool,
    /// Items whose answer was not right.
    wrong: Vec<i64>,
    /// What follows.
    assignment: OwnAssignment,
}

/// Until when a task is somebody's.
#[derive(Debug, Serialize, ToSchema)]
struct Extended {
    /// In milliseconds since 1970.
    expires: i64,
}

impl From<EntranceError> for Problem {
    fn from(error: EntranceError) -> Problem {
        match error {
            EntranceError::Store(error) => error.into(),
            other => Problem::new(&CONFLICT, other.to_string()),
        }
    }
}

/// JSON that nobody keeps: it has tokens.
fn private<T: Serialize>(item: &T) -> Result<Response, Problem> {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    Ok((headers, written(item)?).into_response())
}

fn own(assignment: &AssignmentRow) -> OwnAssignment {
    OwnAssignment {
        id: assignment.id,
        state: assignment.state.clone(),
        tasks: assignment.plan.tasks,
        code: assignment.code.clone(),
    }
}

/// The token of the caller.
fn bearer(call: &Call) -> Option<&str> {
    let value = call.headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    value.strip_prefix("Bearer ").filter(|token| token.starts_with(WORKER_TOKEN))
}

/// The assignment that the caller's token is for, with its campaign.
async fn held(call: &Call) -> Result<(Store, CampaignRow, AssignmentRow), Problem> {
    let store = call.store()?;
    let refuse = || {
        Problem::new(&LOGIN, "send the token that entering gave, as `Authorization: Bearer kw_...`")
    };
    let token = bearer(call).ok_or_else(refuse)?;
    let token = WorkerToken::check(&store, token)?.ok_or_else(refuse)?;
    let assignment = store.assignment(token.assignment).await?;
    let campaign = store.campaign_by_id(assignment.campaign).await?;
    Ok((store, campaign, assignment))
}

/// The same where the path names the assignment, which has to be that of the token.
async fn named(call: &Call) -> Result<(Store, CampaignRow, AssignmentRow), Problem> {
    let (store, campaign, assignment) = held(call).await?;
    match call.parameter("assignment") == assignment.id.to_string() {
        true => Ok((store, campaign, assignment)),
        false => Err(Problem::new(&RIGHTS, "this token is for another assignment")),
    }
}

async fn told(
    store: &Store,
    campaign: &CampaignRow,
    assignment: &AssignmentRow,
    token: Option<String>,
) -> Result<Response, Problem> {
    let back = CampaignEntrance::way_back(store, campaign, assignment).await?;
    private(&EnteredCampaign {
        preview: false,
        token,
        assignment: Some(own(assignment)),
        leaving: back.and_then(Result::ok),
    })
}

async fn enter(mut call: Call) -> Result<Response, Problem> {
    let store = call.store()?;
    let entering: Entering = call.json().await?;
    let campaign = store.campaign(call.parameter("campaign")).await?;
    let account = account(&call, &store).await?;
    let entrance = CampaignEntrance {
        platform: entering.platform,
        parameters: entering.parameters,
        token: entering.token,
        account,
        locale: entering.locale,
        device: entering.device,
    };
    match entrance.enter(&store, &campaign).await? {
        Entered::Preview => private(&EnteredCampaign {
            preview: true,
            token: None,
            assignment: None,
            leaving: None,
        }),
        Entered::Person(person, token) => {
            told(&store, &campaign, &person.assignment, Some(token)).await
        }
    }
}

/// The account of the caller, if they are logged in and may judge. This operation is open, so nobody has looked yet.
async fn account(call: &Call, store: &Store) -> Result<Option<String>, Problem> {
    let Some(accounts) = call.shared.accounts() else { return Ok(None) };
    let visitor = visitor_of(accounts, store, &call.headers).await;
    let visitor = visitor.map_err(|_| Problem::failed("the store does not answer"))?;
    let person = visitor.person().filter(|_| visitor.may_somewhere(Act::Judge));
    Ok(person.map(|person| person.id.clone()))
}

async fn assignment(call: Call) -> Result<Response, Problem> {
    let (store, campaign, assignment) = named(&call).await?;
    told(&store, &campaign, &assignment, None).await
}

async fn consent(mut call: Call) -> Result<Response, Problem> {
    let (store, campaign, assignment) = named(&call).await?;
    let Consent { agreed } = call.json().await?;
    let event = match agreed {
        true => AssignmentEvent::Consent {
            practice: campaign.settings.practice > 0,
            tasks: assignment.plan.tasks,
        },
        false => AssignmentEvent::Decline,
    };
    let (assignment, _) = store.step_assignment(assignment.id, event).await?;
    told(&store, &campaign, &assignment, None).await
}

async fn practice(call: Call) -> Result<Response, Problem> {
    let (store, campaign, _) = named(&call).await?;
    let keys = store.campaign_keys(campaign.id).await?;
    let items = store.campaign_items(campaign.id).await?;
    let mut practice = Practice { texts: Vec::new(), items: Vec::new() };
    let used = keys.iter().filter(|key| key.kind == "practice" && key.state == KeyState::Confirmed);
    for key in used {
        let Some(row) = items.iter().find(|row| row.id == key.item) else { continue };
        practice.items.push(PracticeItem {
            text: row.text,
            item: LeasedItem { id: row.id, start: row.start, end: row.end, link: row.link.clone() },
            explanation: key.explanation.clone(),
        });
    }
    let texts = store.campaign_texts(campaign.id).await?;
    let shown = |text: &TextRow| practice.items.iter().any(|item| item.text == text.id);
    practice.texts = texts.into_iter().filter(|text| shown(text)).collect();
    private(&practice)
}

async fn check(mut call: Call) -> Result<Response, Problem> {
    let (store, campaign, assignment) = named(&call).await?;
    let CheckAnswers { answers } = call.json().await?;
    let keys = store.campaign_keys(campaign.id).await?;
    let asked =
        keys.iter().filter(|key| key.kind == "practice" && key.state == KeyState::Confirmed);
    let is_right = |item: i64, key: &karat_store::KeyRow| {
        let given = answers.iter().find(|answer| answer.item == item);
        given.and_then(|answer| key.key().accepts(answer.action)) == Some(true)
    };
    let wrong: Vec<i64> =
        asked.filter(|key| !is_right(key.item, key)).map(|key| key.item).collect();
    let passed = wrong.is_empty();
    let event = AssignmentEvent::Check { passed, tasks: assignment.plan.tasks };
    let (assignment, _) = store.step_assignment(assignment.id, event).await?;
    private(&Checked { passed, wrong, assignment: own(&assignment) })
}

async fn lease(call: Call) -> Result<Response, Problem> {
    let (store, campaign, assignment) = named(&call).await?;
    let is_paid = CampaignEntrance::is_paid(&assignment.platform);
    let holding = call.get(HOLDING.name);
    let mut answer = store.lease_task(assignment.id, holding, is_paid).await?;
    if answer == LeaseAnswer::Nothing(karat_store::NoLease::NothingLeft) {
        // What was skipped, or is not sure yet, may be asked again right now.
        let added = crate::campaigns::follow_up(&store, &campaign).await?;
        if added > 0 {
            answer = store.lease_task(assignment.id, holding, is_paid).await?;
        }
    }
    match answer {
        LeaseAnswer::Task(task) => private(&*task),
        LeaseAnswer::Nothing(why) => {
            let word = serde_json::to_value(why).ok();
            let word = word.as_ref().and_then(|word| word.as_str()).unwrap_or_default();
            let mut response = StatusCode::NO_CONTENT.into_response();
            if let Ok(value) = HeaderValue::from_str(word) {
                response.headers_mut().insert("karat-reason", value);
            }
            Ok(response)
        }
    }
}

async fn finish(call: Call) -> Result<Response, Problem> {
    let (store, campaign, assignment) = named(&call).await?;
    let (assignment, _) = store.step_assignment(assignment.id, AssignmentEvent::Finish).await?;
    told(&store, &campaign, &assignment, None).await
}

/// The lease that the path names, which has to be of the assignment of the token.
async fn lease_of(call: &Call) -> Result<(Store, AssignmentRow, String), Problem> {
    let (store, _, assignment) = held(call).await?;
    let token = call.parameter("token").to_owned();
    let (_, holder) = store.lease_holder(&token).await?;
    match holder.worker == assignment.worker {
        true => Ok((store, holder, token)),
        false => Err(Problem::missing("lease", &token)),
    }
}

async fn heartbeat(call: Call) -> Result<Response, Problem> {
    let (store, assignment, token) = lease_of(&call).await?;
    let is_paid = CampaignEntrance::is_paid(&assignment.platform);
    private(&Extended { expires: store.extend_lease(&token, is_paid).await? })
}

async fn submit(mut call: Call) -> Result<Response, Problem> {
    let (store, _, token) = lease_of(&call).await?;
    let revision: u32 = call.parameter("revision").parse().map_err(|_| {
        Problem::request("a revision is a number: 1 for the first answers, then one more each time")
    })?;
    let answers: TaskAnswers = call.json().await?;
    let wrong = answers.answers.iter().find(|answer| is_wrong(answer));
    if let Some(answer) = wrong {
        let item = answer.item;
        return Err(Problem::request(format!(
            "item {item}: only a modification has a link, and confidence is 1, 2 or 3"
        )));
    }
    private(&store.submit_answers(&token, revision, &answers).await?)
}

fn is_wrong(answer: &ItemAnswer) -> bool {
    let link = answer.link.is_some() && answer.action != VerifyAction::Modify;
    link || answer.confidence.is_some_and(|sure| !(1..=3).contains(&sure))
}

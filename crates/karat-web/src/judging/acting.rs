//! What the forms of those who judge do.

use super::Trouble;
use super::arriving::{Parameters, Seat, arrive, store};
use super::form::{Fields, entity_id};
use super::frame::json;
use super::looking::{ended, here, task_page, to, view};
use super::{practice, search};
use crate::access::Visitor;
use crate::server::Shared;
use axum::extract::{Extension, Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use karat::campaigns::life::{AssignmentEvent, AssignmentState};
use karat_store::{LeaseAnswer, LeasedTask};
use serde_json::json as record;
use std::sync::Arc;

/// `POST /judge/{campaign}`.
pub(super) async fn act(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path(campaign): Path<String>,
    Query(given): Query<Parameters>,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let is_script = wants_json(&headers);
    let fields = Fields::new(fields);
    let done = async {
        let seat = arrive(&shared, &visitor, &headers, &campaign, &given).await?;
        match fields.get("do") {
            "answers" => answers(&shared, &seat, &fields, is_script).await,
            "more" => more(&shared, &seat, &fields).await,
            "practice" => practised(&shared, &seat, &fields).await,
            other => step(&shared, &seat, other).await,
        }
    };
    let done: Result<Response, Trouble> = done.await;
    done.unwrap_or_else(|trouble| match is_script {
        true => json(trouble.status, &record!({ "detail": trouble.why })),
        false => trouble.page(),
    })
}

fn wants_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|it| it.to_str().ok()).unwrap_or_default();
    accept.starts_with("application/json")
}

/// Consent, or none, and the end.
async fn step(shared: &Shared, seat: &Seat, action: &str) -> Result<Response, Trouble> {
    let store = store(shared)?;
    let person = seat.person()?;
    let id = person.assignment.id;
    let tasks = person.assignment.plan.tasks;
    let event = match action {
        "consent" => {
            let plan = store.campaign_plan(seat.campaign.id).await?;
            let needed = seat.campaign.settings.practice;
            let practice = needed > 0 && !practice::keys(&plan).is_empty();
            AssignmentEvent::Consent { practice, tasks }
        }
        "decline" => AssignmentEvent::Decline,
        "finish" => AssignmentEvent::Finish,
        _ => {
            let why = "This form is of no kind that is known. Open the page again.";
            return Err(Trouble::new(StatusCode::BAD_REQUEST, "Not understood", why));
        }
    };
    let has_agreed = !matches!(person.assignment.state, AssignmentState::Entered);
    // The second click of an impatient person finds that it is done.
    if action == "consent" && has_agreed {
        return Ok(to(seat));
    }
    let (row, _) = store.step_assignment(id, event).await?;
    match row.state {
        // Who declines is forgotten, and who comes back after the end may begin anew: the address does not lead to the end.
        AssignmentState::Ended { how, .. } => ended(seat, how, row.code.clone()),
        _ => Ok(to(seat)),
    }
}

async fn practised(shared: &Shared, seat: &Seat, fields: &Fields) -> Result<Response, Trouble> {
    let store = store(shared)?;
    let person = seat.person()?;
    let plan = store.campaign_plan(seat.campaign.id).await?;
    let graded = practice::graded(&plan, fields);
    let passed = practice::is_passed(&graded, seat.campaign.settings.practice);
    let event = AssignmentEvent::Check { passed, tasks: person.assignment.plan.tasks };
    let (row, _) = store.step_assignment(person.assignment.id, event).await?;
    let is_over = matches!(row.state, AssignmentState::Ended { .. });
    Ok(practice::explained(seat, &plan, &graded, is_over))
}

/// Somebody needs more time, or is still at work.
async fn more(shared: &Shared, seat: &Seat, fields: &Fields) -> Result<Response, Trouble> {
    seat.person()?;
    let expires = store(shared)?.extend_lease(fields.get("token"), seat.platform.paid).await?;
    Ok(json(StatusCode::OK, &record!({ "expires": expires })))
}

/// The task that somebody holds with this token.
async fn held(shared: &Shared, seat: &Seat, token: &str) -> Result<Option<LeasedTask>, Trouble> {
    let (store, person) = (store(shared)?, seat.person()?);
    let assignment = person.assignment.id;
    let mut holding = None;
    // Nobody holds more than two: one that is shown and one that was fetched ahead.
    for _ in 0..2 {
        let is_paid = seat.platform.paid;
        match store.lease_task(assignment, holding.as_deref(), is_paid).await? {
            LeaseAnswer::Task(task) if task.token == token => return Ok(Some(*task)),
            LeaseAnswer::Task(task) => holding = Some(task.token.clone()),
            LeaseAnswer::Nothing(_) => break,
        }
    }
    Ok(None)
}

/// Takes the answers of a task. The script sends what the form sends, and gets a record in the place of a page.
async fn answers(
    shared: &Shared,
    seat: &Seat,
    fields: &Fields,
    is_script: bool,
) -> Result<Response, Trouble> {
    let store = store(shared)?;
    seat.person()?;
    let token = fields.get("token");
    let revision = fields.get("revision").parse().unwrap_or(1);
    let items = fields.items();
    let asks = ["find", "take"].into_iter().find(|name| !fields.get(name).is_empty());
    if let Some(asks) = asks {
        return looked_up(shared, seat, fields, asks).await;
    }
    match fields.answers(&items) {
        Ok(answers) => {
            let taken = store.submit_answers(token, revision, &answers).await?;
            if is_script {
                let saved = record!({
                    "saved": taken.at, "taken": taken.taken, "done": taken.done, "of": taken.of,
                    "revision": taken.revision,
                });
                return Ok(json(StatusCode::OK, &saved));
            }
            Ok(to(seat))
        }
        Err(wanting) if is_script => {
            let wanting: Vec<_> = wanting
                .iter()
                .map(|it| record!({ "item": it.item, "what": it.what.to_string() }))
                .collect();
            let body = record!({ "wanting": wanting, "detail": "an answer is missing" });
            Ok(json(StatusCode::UNPROCESSABLE_ENTITY, &body))
        }
        Err(wanting) => {
            let Some(task) = held(shared, seat, token).await? else {
                return here(shared, seat).await;
            };
            let guidelines = store.campaign_page(seat.campaign.id, "guidelines").await?;
            let mut shown = view(shared, &task, guidelines.as_ref(), seat).await?;
            shown.filled = task.items.iter().map(|it| (it.id, fields.filled(it.id))).collect();
            shown.wanting = wanting;
            Ok(task_page(seat, &task, &shown, StatusCode::UNPROCESSABLE_ENTITY))
        }
    }
}

/// The same page with what a search found, or with what was chosen of it, for whom no script does that.
async fn looked_up(
    shared: &Shared,
    seat: &Seat,
    fields: &Fields,
    asks: &str,
) -> Result<Response, Trouble> {
    let store = store(shared)?;
    let Some(task) = held(shared, seat, fields.get("token")).await? else {
        return here(shared, seat).await;
    };
    let guidelines = store.campaign_page(seat.campaign.id, "guidelines").await?;
    let mut shown = view(shared, &task, guidelines.as_ref(), seat).await?;
    shown.filled = task.items.iter().map(|it| (it.id, fields.filled(it.id))).collect();
    let (item, chosen) = fields.get(asks).split_once(' ').unwrap_or((fields.get(asks), ""));
    let item: i64 = item.parse().unwrap_or_default();
    let filled = shown.filled.entry(item).or_default();
    filled.action = "modify".to_owned();
    match asks {
        "take" => {
            filled.which = "other".to_owned();
            filled.link = entity_id(chosen);
        }
        _ => {
            let kb = shared.workbench.kb().map(str::to_owned);
            let text = filled.search.clone();
            let found = tokio::task::spawn_blocking(move || search::found(kb.as_deref(), &text));
            shown.found = Some((item, found.await.unwrap_or_default()));
        }
    }
    Ok(task_page(seat, &task, &shown, StatusCode::OK))
}

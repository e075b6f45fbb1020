//! Where somebody is: the page for the state of their assignment.

use super::Trouble;
use super::arriving::{Parameters, Seat, arrive, store};
use super::form::{Filled, stored};
use super::frame::page;
use super::task::{TaskView, task};
use super::{practice, search, states};
use crate::access::Visitor;
use crate::server::{Shared, html as html_page};
use axum::extract::{Extension, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat::campaigns::life::{AssignmentState, Ending};
use karat::campaigns::platform::{Leaving, LeavingFacts};
use karat_store::{CampaignPageRow, LeaseAnswer, LeasedItem, LeasedTask, NoLease};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// `GET /judge/{campaign}`.
pub(super) async fn look(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path(campaign): Path<String>,
    Query(given): Query<Parameters>,
    headers: HeaderMap,
) -> Response {
    let value = |name: &str| given.iter().find(|(it, _)| it == name).map(|(_, it)| it.clone());
    let (part, holding) = (value("part"), value("holding"));
    let shown = async {
        let seat = arrive(&shared, &visitor, &headers, &campaign, &given).await?;
        match (seat.is_elsewhere, part) {
            (true, _) => Ok(to(&seat)),
            (false, Some(_)) => ahead(&shared, &seat, holding.as_deref()).await,
            (false, None) => here(&shared, &seat).await,
        }
    };
    let shown: Result<Response, Trouble> = shown.await;
    shown.unwrap_or_else(|trouble| trouble.page())
}

/// To the address that leads back.
pub(super) fn to(seat: &Seat) -> Response {
    let location = [(header::LOCATION, seat.address.clone())];
    (StatusCode::SEE_OTHER, location).into_response()
}

/// The page for where somebody is.
pub(super) async fn here(shared: &Shared, seat: &Seat) -> Result<Response, Trouble> {
    let store = store(shared)?;
    let guidelines = store.campaign_page(seat.campaign.id, "guidelines").await?;
    let Some(person) = &seat.person else {
        let texts = store.campaign_texts(seat.campaign.id).await?;
        let items = store.campaign_items(seat.campaign.id).await?;
        let item = items.iter().find(|item| item.kind == "practice");
        let text = item.and_then(|item| texts.iter().find(|text| text.id == item.text));
        let shown = |it: &karat_store::ItemRow| LeasedItem {
            id: it.id,
            start: it.start,
            end: it.end,
            link: it.link.clone(),
        };
        let example = item.map(shown);
        let example = text.zip(example.as_ref()).map(|(text, item)| (text.words.as_str(), item));
        return Ok(states::preview(seat, guidelines.as_ref(), example));
    };
    match &person.assignment.state {
        AssignmentState::Entered => {
            let consent = store.campaign_page(seat.campaign.id, "consent").await?;
            let pay = pay(seat);
            Ok(states::consent(seat, consent.as_ref(), guidelines.as_ref(), pay.as_deref()))
        }
        AssignmentState::Practising { failed } => {
            let plan = store.campaign_plan(seat.campaign.id).await?;
            let links: Vec<_> =
                practice::keys(&plan).iter().map(|key| plan.items[key.item].link.clone()).collect();
            let words = named(shared, links).await;
            let guidelines = guidelines.as_ref();
            Ok(practice::practice(seat, &plan, &words, guidelines, *failed > 0))
        }
        AssignmentState::Working { .. } => {
            let is_paid = seat.platform.paid;
            match store.lease_task(person.assignment.id, None, is_paid).await? {
                LeaseAnswer::Task(leased) => {
                    let view = view(shared, &leased, guidelines.as_ref(), seat).await?;
                    Ok(task_page(seat, &leased, &view, StatusCode::OK))
                }
                LeaseAnswer::Nothing(NoLease::NotWorking) => Ok(states::not_open(seat)),
                LeaseAnswer::Nothing(why) => Ok(states::no_task(seat, why)),
            }
        }
        AssignmentState::Ended { how, .. } => ended(seat, *how, person.assignment.code.clone()),
    }
}

/// The task after the one that somebody holds, fetched ahead so that a network that is gone stops nobody. It is a piece of a page.
async fn ahead(shared: &Shared, seat: &Seat, holding: Option<&str>) -> Result<Response, Trouble> {
    let store = store(shared)?;
    let person = seat.person()?;
    let nothing = || Ok(StatusCode::NO_CONTENT.into_response());
    if !matches!(person.assignment.state, AssignmentState::Working { .. }) {
        return nothing();
    }
    match store.lease_task(person.assignment.id, holding, seat.platform.paid).await? {
        LeaseAnswer::Task(leased) => {
            let guidelines = store.campaign_page(seat.campaign.id, "guidelines").await?;
            let view = view(shared, &leased, guidelines.as_ref(), seat).await?;
            Ok(html_page(StatusCode::OK, task(seat, &leased, &view).into_string()))
        }
        LeaseAnswer::Nothing(_) => nothing(),
    }
}

/// How a task is shown: with what was sent before, and what entities are called.
pub(super) async fn view<'g>(
    shared: &Shared,
    leased: &LeasedTask,
    guidelines: Option<&'g CampaignPageRow>,
    seat: &Seat,
) -> Result<TaskView<'g>, Trouble> {
    let last = store(shared)?.last_submission(&leased.token).await?;
    let revision = last.as_ref().map_or(1, |(revision, _)| revision + 1);
    let filled: BTreeMap<i64, Filled> = stored(last.as_ref().map(|(_, answers)| answers));
    let words = named(shared, leased.items.iter().map(|item| item.link.clone()).collect()).await;
    Ok(TaskView {
        filled,
        words,
        revision: u32::try_from(revision).unwrap_or(1),
        guidelines,
        pay: pay(seat),
        now: now(),
        ..TaskView::default()
    })
}

async fn named(shared: &Shared, links: Vec<karat::campaigns::LinkTarget>) -> search::Words {
    let kb = shared.workbench.kb().map(str::to_owned);
    let found = tokio::task::spawn_blocking(move || search::words(kb.as_deref(), &links));
    found.await.unwrap_or_default()
}

pub(super) fn task_page(
    seat: &Seat,
    leased: &LeasedTask,
    view: &TaskView<'_>,
    status: StatusCode,
) -> Response {
    page(Some(seat), status, &format!("Task {}", leased.n + 1), &task(seat, leased, view))
}

/// The end, and the way back.
pub(super) fn ended(seat: &Seat, how: Ending, own: Option<String>) -> Result<Response, Trouble> {
    let settings = seat.campaign.settings.platforms.get(&seat.platform.name).cloned();
    let settings = settings.unwrap_or_default();
    let code = seat.platform.code(how, &settings.codes);
    let facts = LeavingFacts {
        code: code.map(str::to_owned).or(own),
        arrived: seat.arrived.clone(),
        submission: seat
            .person
            .as_ref()
            .map(|person| person.assignment.n.to_string())
            .unwrap_or_default(),
        options: settings.options,
    };
    // A platform that was declared wrongly must not keep anybody from the end.
    let leaving = seat.platform.leaving(how, &facts).unwrap_or(Leaving::Nothing);
    Ok(states::ended(seat, how, &leaving))
}

fn pay(seat: &Seat) -> Option<String> {
    let pay = seat.campaign.settings.pay.as_ref().filter(|_| seat.platform.paid)?;
    Some(format!("{:.2} {}", pay.amount, pay.currency))
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or_default()
}

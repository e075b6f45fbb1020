//! What the pages of campaigns need beside pages and forms: events, and invitations, whose secret is shown once.

use super::{Shared, events, html, patches, refused, surroundings};
use crate::access::{Act, Visitor};
use crate::address::Address;
use crate::campaigns::{CampaignPatch, JudgedCampaign, judging_path};
use crate::components::frame::whole_page;
use crate::components::name::{name, visible};
use crate::page::PageContent;
use crate::pages::patches::WHO;
use crate::refusal::Refusal;
use crate::workspace::Workspace;
use axum::extract::{Extension, Form, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use karat_store::{CampaignProgress, CampaignRow, EVERYTHING, NewCampaignLink};
use maud::html;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;

/// How often somebody who follows a campaign is told of what is new.
const LOOKED_AT: Duration = Duration::from_secs(2);

/// An invitation lasts so many days if nothing is said.
const DAYS: i64 = 30;
const DAY: i64 = 24 * 3600 * 1000;

async fn organised(
    shared: &Shared,
    visitor: &Visitor,
    campaign: &str,
) -> Result<(Workspace, CampaignRow), Refusal> {
    let missing = || Refusal::Missing { what: "There is no such campaign.".to_owned(), hint: None };
    let workspace = shared.workspace.clone().ok_or_else(missing)?;
    if !visitor.may(Act::Organise, EVERYTHING) {
        return Err(missing());
    }
    let row = workspace.store().campaign(campaign).await?;
    Ok((workspace, row))
}

/// Tells the page of a campaign when something has changed; the page asks for what it shows.
pub(super) async fn follow(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path(campaign): Path<String>,
) -> Response {
    let Ok((workspace, row)) = organised(&shared, &visitor, &campaign).await else {
        return (StatusCode::NOT_FOUND, "there is no such campaign\n").into_response();
    };
    let Some(place) = workspace.place_in_streams() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many streams\n").into_response();
    };
    let follower = Follower { workspace, campaign: row.id, known: None, _place: place };
    events::streamed(unfold(follower, Follower::next))
}

/// Somebody who follows a campaign.
struct Follower {
    workspace: Workspace,
    campaign: i64,
    known: Option<(i64, CampaignProgress)>,
    _place: OwnedSemaphorePermit,
}

impl Follower {
    async fn next(mut self) -> Option<(Result<Event, Infallible>, Follower)> {
        let workspace = self.workspace.clone();
        loop {
            let store = workspace.store();
            let row = store.campaign_by_id(self.campaign).await.ok()?;
            let now = (row.version, store.campaign_progress(self.campaign).await.ok()?);
            let is_first = self.known.is_none();
            if self.known.as_ref() != Some(&now) {
                let data =
                    serde_json::json!({ "done": now.1.slots.done, "judgements": now.1.judgements });
                self.known = Some(now);
                // What is there at first stands on the page already.
                let name = if is_first { "known" } else { "changed" };
                let event =
                    Event::default().event(name).retry(events::RETRY).data(data.to_string());
                return Some((Ok(event), self));
            }
            tokio::select! {
                () = workspace.stopping() => return None,
                () = tokio::time::sleep(LOOKED_AT) => {}
            }
        }
    }
}

/// Makes an invitation, and shows its address once.
pub(super) async fn invite(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path(campaign): Path<String>,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let around = surroundings(&headers, &shared);
    let value = |name: &str| {
        let found = fields.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value.trim())
    };
    let made = async {
        let (workspace, row) = organised(&shared, &visitor, &campaign).await?;
        let days = match value("days") {
            "" => DAYS,
            text => text.parse::<u32>().map(i64::from).map_err(|_| {
                Refusal::bad_request("`days` is not a number", "go back and change it")
            })?,
        };
        let note = value("note").to_owned();
        let new = NewCampaignLink { note, single: value("single") == "yes", lasts: days * DAY };
        let (link, secret) =
            workspace.store().add_campaign_link(&visitor.by(), row.id, &new).await?;
        let address = format!("{}{}", shared.origin(), judging_path(&row.name, &secret));
        Ok::<_, Refusal>((row, link, address))
    };
    let (row, link, address) = match made.await {
        Ok(made) => made,
        Err(refusal) => return refused(&refusal, &around),
    };
    let back = Address::campaign(&row.name).with("show", "links");
    let body = html! {
        div.secret role="status" {
            p { "The new invitation" @if !link.note.is_empty() { " for " (name(&link.note)) } ". Its address is shown this once: copy it now." }
            pre { code data-copyable { (address) } }
            p { @if link.single { "It is for one person." } @else { "It is for everybody who has it." } }
        }
        p { a href=(back.to_path()) { "All invitations" } }
    };
    let content = PageContent {
        title: "Invitation".to_owned(),
        crumbs: vec![
            ("Campaigns".to_owned(), Address::campaigns()),
            (visible(&row.title), Address::campaign(&row.name)),
        ],
        here: back,
        body,
        ..PageContent::default()
    };
    html(StatusCode::OK, whole_page(&content, &around).into_string())
}

/// Gives the corrections of a campaign as a patch.
pub(super) async fn patch(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path(campaign): Path<String>,
    headers: HeaderMap,
) -> Response {
    reviewed(shared, visitor, campaign, headers, Vec::new()).await
}

/// Gives the corrections that somebody accepts as a patch, or makes a new edition of the benchmark with them.
pub(super) async fn review(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    Path(campaign): Path<String>,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    reviewed(shared, visitor, campaign, headers, fields).await
}

async fn reviewed(
    shared: Arc<Shared>,
    visitor: Visitor,
    campaign: String,
    headers: HeaderMap,
    fields: Vec<(String, String)>,
) -> Response {
    let around = surroundings(&headers, &shared);
    let made = async {
        let (workspace, row) = organised(&shared, &visitor, &campaign).await?;
        let judged = JudgedCampaign::read(workspace.store(), &row).await?;
        let shared = Arc::clone(&shared);
        // A shelf waits for the store.
        let done = tokio::task::spawn_blocking(move || {
            let value = |name: &str| {
                let found = fields.iter().find(|(known, _)| known == name);
                found.map_or("", |(_, value)| value.trim())
            };
            let patch = CampaignPatch::of(&shared.workbench, &judged)?;
            let patch = patch.reviewed(&patches::decisions(&fields)?, value(WHO))?;
            if value("do") != "edition" {
                return Ok(patches::attachment(&patch.file));
            }
            patch.new_edition(&workspace, &shared.workbench, &visitor.by())?;
            let there = Address::benchmark(&patch.slug).with("show", "editions").to_path();
            Ok((StatusCode::SEE_OTHER, [(header::LOCATION, there)]).into_response())
        });
        let failed = |_| {
            Refusal::Failed("this could not be done; the log of the server says why".to_owned())
        };
        done.await.map_err(failed)?
    };
    let made: Result<Response, Refusal> = made.await;
    made.unwrap_or_else(|refusal| refused(&refusal, &around))
}

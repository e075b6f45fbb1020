//! The pages of those who judge in a campaign.
//!
//! All of it is one address, `/judge/{campaign}`, with the parameters by which a platform says who comes: whoever opens it again, in a second tab or
//! after the server was started again, comes back to where they were. There are no cookies, so that it works in a frame of another site.
//! Each state of an assignment is one page: consent, practice, a task, the end. Every page is a plain form, sent to the same
//! address; the script ([`crate::assets::JUDGE_SCRIPT`]) adds keys, search as you type and an outbox for answers.
//!
//! What may happen is decided by the store and its state machines. Nothing here knows which items are controls.

mod acting;
mod arriving;
mod form;
mod frame;
mod looking;
mod practice;
mod search;
mod states;
mod task;

use crate::server::Shared;
use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use karat_store::StoreError;
use std::sync::Arc;

pub(crate) use form::entity_id;
pub(crate) use search::{Words, found, words};

/// The routes.
pub(crate) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/judge/{campaign}", get(looking::look).post(acting::act))
        .route("/judge/{campaign}/search", get(search::search))
}

/// Why somebody does not get the page that they asked for.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub(crate) status: StatusCode,
    pub(crate) title: &'static str,
    pub(crate) why: String,
}

impl Trouble {
    pub(crate) fn new(status: StatusCode, title: &'static str, why: impl Into<String>) -> Trouble {
        Trouble { status, title, why: why.into() }
    }

    pub(crate) fn missing() -> Trouble {
        let why = "There is no such campaign, or it is not for you. Check the address.";
        Trouble::new(StatusCode::NOT_FOUND, "Nothing here", why)
    }

    fn page(&self) -> Response {
        states::trouble(self)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Trouble {
        let say = |status, title| Trouble::new(status, title, format!("{error}."));
        match &error {
            StoreError::NotFound { .. } => Trouble::missing(),
            StoreError::NotNow { .. } | StoreError::Step { .. } | StoreError::LeaseLost(_) => {
                say(StatusCode::CONFLICT, "Not now")
            }
            StoreError::Unfit(_) => say(StatusCode::BAD_REQUEST, "This cannot be taken"),
            _ => Trouble::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "Something went wrong",
                "Nothing of what you sent is lost if it said saved. Try again in a minute.",
            ),
        }
    }
}

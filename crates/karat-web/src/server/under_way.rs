//! Pages that take long to be made.
//!
//! A reader waits a moment for a page. If it is not there then, a page comes that says how far the work is, loads itself again, and has a
//! button that stops it; the work goes on meanwhile. Whoever asks again for the same page is told about the same work and starts
//! no other.

use super::{Shared, html, refused, surroundings};
use crate::access::Visitor;
use crate::answers::locked;
use crate::loading::Loading;
use crate::refusal::Refusal;
use axum::extract::{Extension, Form, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::watch;

/// A reader waits this long for a page.
const PATIENCE: Duration = Duration::from_secs(4);

/// A page as somebody asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct PageKey {
    /// The id of the person; those without an account see the same.
    who: String,
    /// Path and query.
    address: String,
}

impl PageKey {
    pub(super) fn new(visitor: &Visitor, address: &str) -> PageKey {
        let who = visitor.person().map(|person| person.id.clone()).unwrap_or_default();
        PageKey { who, address: address.to_owned() }
    }
}

/// The pages that are being made.
#[derive(Debug)]
pub(crate) struct UnderWay {
    works: Arc<Mutex<HashMap<PageKey, PageWork>>>,
    pub(super) patience: Duration,
}

#[derive(Debug, Clone)]
struct PageWork {
    loading: Arc<Loading>,
    /// Closed when the work ends.
    ended: watch::Receiver<()>,
    /// Whether a reader was told to wait for it.
    is_long: bool,
}

/// The place of a page that is being made; it is free when this is dropped, also if the page panics.
pub(super) struct PagePlace {
    works: Arc<Mutex<HashMap<PageKey, PageWork>>>,
    key: PageKey,
    pub(super) loading: Arc<Loading>,
    _ends: watch::Sender<()>,
}

impl Drop for PagePlace {
    fn drop(&mut self) {
        let mut works = locked(&self.works);
        // Another may have begun to make the same page.
        if works.get(&self.key).is_some_and(|work| Arc::ptr_eq(&work.loading, &self.loading)) {
            works.remove(&self.key);
        }
    }
}

impl Default for UnderWay {
    fn default() -> UnderWay {
        UnderWay { works: Arc::default(), patience: PATIENCE }
    }
}

impl UnderWay {
    /// Begins to make a page.
    pub(super) fn begin(&self, key: &PageKey) -> PagePlace {
        let loading = Arc::new(Loading::default());
        let (ends, ended) = watch::channel(());
        let work = PageWork { loading: Arc::clone(&loading), ended, is_long: false };
        locked(&self.works).insert(key.clone(), work);
        PagePlace { works: Arc::clone(&self.works), key: key.clone(), loading, _ends: ends }
    }

    /// Waits for a page whose making takes long, if somebody was told so before; gives how far it is if it is not done in
    /// time.
    pub(super) async fn wait(&self, key: &PageKey) -> Option<Refusal> {
        let mut work = locked(&self.works).get(key).filter(|work| work.is_long).cloned()?;
        let ended = async { while work.ended.changed().await.is_ok() {} };
        match tokio::time::timeout(self.patience, ended).await {
            Ok(()) => None,
            Err(_) => Some(of(&work.loading, key)),
        }
    }

    /// What a reader is told whose page is not there in time.
    pub(super) fn told(&self, key: &PageKey, loading: &Arc<Loading>) -> Refusal {
        if let Some(work) = locked(&self.works).get_mut(key) {
            work.is_long = true;
        }
        of(loading, key)
    }

    /// Stops the making of a page.
    fn cancel(&self, key: &PageKey) {
        if let Some(work) = locked(&self.works).get(key) {
            work.loading.cancel.cancel();
        }
    }

    /// Stops all.
    pub(super) fn stop(&self) {
        locked(&self.works).values().for_each(|work| work.loading.cancel.cancel());
    }
}

fn of(loading: &Loading, key: &PageKey) -> Refusal {
    Refusal::Computing { state: loading.state(), page: key.address.clone() }
}

/// Stops what a page waits for.
pub(super) async fn cancel(
    State(shared): State<Arc<Shared>>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let around = surroundings(&headers, &shared);
    let page = fields.into_iter().find(|(name, _)| name == "page").map(|(_, page)| page);
    let page = page.unwrap_or_default();
    if visitor.is_nobody() {
        // Others without an account may wait for the same.
        let what = "Log in to stop what is computed.".to_owned();
        return refused(&Refusal::Missing { what, hint: None }, &around);
    }
    shared.under_way.cancel(&PageKey::new(&visitor, &page));
    let stopped = Refusal::Stopped { page: crate::accounts::inner_path(&page).to_owned() };
    html(StatusCode::OK, crate::components::frame::page_of_refusal(&stopped, &around).into_string())
}

#[cfg(test)]
mod tests {
    use super::super::*;
    use super::*;
    use crate::page::QueryKey;
    use axum::body::Body;
    use karat::error::Error;
    use karat::request::Answer;
    use karat::work::Work;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use tower::ServiceExt as _;

    type Tested = Result<(), Box<dyn std::error::Error>>;

    /// How many computations were begun, and how many were stopped.
    static BEGUN: AtomicUsize = AtomicUsize::new(0);
    static STOPPED: AtomicUsize = AtomicUsize::new(0);

    /// Something that is computed until it is stopped.
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Endless;

    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    struct Never;

    impl karat::request::Request for Endless {
        type Answer = Never;
        const NAME: &'static str = "endless";

        fn answer(&self, work: &Work) -> Result<Never, Error> {
            BEGUN.fetch_add(1, Ordering::SeqCst);
            work.begin("counting", 100)?;
            if let Some(progress) = &work.progress {
                progress.advance(25);
            }
            while work.check().is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
            STOPPED.fetch_add(1, Ordering::SeqCst);
            Err(Error::Cancelled)
        }
    }

    impl Answer for Never {
        fn notices(&self) -> &[karat::model::Notice] {
            &[]
        }

        fn report(&self) -> karat::report::Report<'_> {
            karat::report::Report::default()
        }
    }

    #[derive(Debug)]
    struct SlowPage;

    impl Page for SlowPage {
        fn path(&self) -> &'static str {
            "/slow"
        }

        fn keys(&self) -> &'static [QueryKey] {
            &[]
        }

        fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
            asked.workbench.answer(&Endless)?;
            Ok(PageContent::default())
        }
    }

    async fn sent(router: &Router, request: Request) -> Result<(StatusCode, String), axum::Error> {
        let response = match router.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let status = response.status();
        let body = axum::body::to_bytes(response.into_body(), usize::MAX).await?;
        Ok((status, String::from_utf8_lossy(&body).into_owned()))
    }

    #[tokio::test]
    async fn a_long_page_says_how_far_it_is_and_can_be_stopped() -> Tested {
        let guard = AccessGuard::new(SocketAddr::from(([127, 0, 0, 1], 80)), None);
        let mut shared = Shared::new(Arc::new(Workbench::empty()), guard);
        shared.under_way.patience = Duration::from_millis(50);
        let show = |State(shared): State<Arc<Shared>>, visitor, parameters, query, headers, uri| {
            answer(&SlowPage, shared, visitor, parameters, query, headers, uri)
        };
        let router = Router::new()
            .route("/slow", get(show))
            .route("/cancel", post(cancel))
            .layer(Extension(Visitor::local()))
            .with_state(Arc::new(shared));
        let page = || Request::get("/slow").body(Body::empty());
        // The first answer may come before the work has a first step.
        let mut steps = 0;
        while steps < 3 {
            let (status, text) = sent(&router, page()?).await?;
            assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
            assert!(text.contains("http-equiv=\"refresh\"") && text.contains("value=\"/slow\""));
            assert!(text.contains("action=\"/cancel\""), "{text}");
            steps += usize::from(text.contains("counting, 25 %"));
        }
        assert_eq!(BEGUN.load(Ordering::SeqCst), 1, "asking again begins nothing");
        let form = Request::post("/cancel")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(Body::from("page=%2Fslow"))?;
        let (status, text) = sent(&router, form).await?;
        assert_eq!(status, StatusCode::OK);
        assert!(text.contains("href=\"/slow\""), "{text}");
        while STOPPED.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok(())
    }
}

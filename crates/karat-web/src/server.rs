//! Pages over HTTP.

mod annotator;
mod campaigns;
mod connections;
mod corrections;
mod events;
mod guard;
mod patches;
#[cfg(test)]
mod tests;
mod under_way;
mod uploads;

use crate::access::Visitor;
use crate::accounts::{self, Accounts};
use crate::action::{ACTIONS, Action, SentForm};
use crate::address::{AccountPaths, Address, Links, Paths};
use crate::api;
use crate::assets::{JUDGE_SCRIPT, JUDGE_STYLE, SCRIPT, STYLE};
use crate::components::frame::{Look, Surroundings, page_of_refusal, whole_page};
use crate::frozen;
use crate::judging;
use crate::page::{Asked, PAGES, Page, PageContent};
use crate::refusal::Refusal;
use crate::security::{AccessGuard, COOKIE, headers};
use crate::workbench::{Workbench, watched};
use crate::workspace::Workspace;
pub use annotator::serve_annotator;
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Extension, Form, Query, RawPathParams, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use karat::report::RenderOptions;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use connections::ConnectionLimits;

pub(crate) use guard::address_of;
use under_way::{PageKey, UnderWay};

/// How long a page may take.
const PATIENCE: Duration = Duration::from_secs(30);

/// How long an upload may take.
const PATIENCE_FOR_UPLOADS: Duration = Duration::from_secs(600);

/// How much may be sent to us where nothing is uploaded.
const SMALL_BODY: usize = 64 * 1024;

/// How much may be sent where something is: the files, and the rest of the form.
const LARGE_BODY: usize = crate::workspace::MOST_SENT as usize + (1 << 20);

pub(crate) use corrections::{CorrectionSources, MadeCorrections};
pub(crate) use events::{of_job, of_jobs};
pub(crate) use uploads::{problem_of, settled};

/// What a server is made of.
#[derive(Debug)]
pub struct ServerOptions {
    /// Where to listen, on this machine; port 0 is any that is free.
    pub address: SocketAddr,
    /// What pages are about.
    pub workbench: Arc<Workbench>,
    /// The store, where one is kept: without it there are no uploads, and nothing can be changed.
    pub workspace: Option<Workspace>,
    /// Who may look.
    pub access: Access,
}

/// Who may look at a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// Whoever has the link that was printed, with its key.
    Key,
    /// Everybody who can reach the address.
    Machine,
    /// People with accounts, which are in the workspace.
    Accounts {
        /// Where people reach the server: `https://karat.example`.
        public_url: String,
        /// Whether those who are not logged in may read what is visible.
        may_read: bool,
    },
}

/// A server that has its port, and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Shared,
}

/// What every handler needs.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) workbench: Arc<Workbench>,
    /// For handlers that change something.
    pub(crate) workspace: Option<Workspace>,
    pub(crate) accounts: Option<Accounts>,
    /// The keys of evaluations that were listed.
    pub(crate) listed: api::ListedKeys,
    /// The pages that are being made.
    under_way: UnderWay,
    guard: AccessGuard,
}

#[cfg(test)]
impl Shared {
    /// What handlers need to answer about a workbench.
    pub(crate) fn new(workbench: Arc<Workbench>, guard: AccessGuard) -> Shared {
        let listed = api::ListedKeys::default();
        let under_way = UnderWay::default();
        Shared { workbench, workspace: None, accounts: None, listed, under_way, guard }
    }

    /// The same for a workspace with accounts.
    pub(crate) fn with_accounts(
        workbench: Arc<Workbench>,
        workspace: Workspace,
        accounts: Accounts,
    ) -> Shared {
        let address = SocketAddr::from(([127, 0, 0, 1], 80));
        let guard = AccessGuard::new(address, None).also_known_as(&accounts.origin);
        let listed = api::ListedKeys::default();
        Shared {
            workbench,
            workspace: Some(workspace),
            accounts: Some(accounts),
            listed,
            under_way: UnderWay::default(),
            guard,
        }
    }
}

impl Shared {
    /// The store, where there is one.
    pub(crate) fn store(&self) -> Option<&karat_store::Store> {
        self.workspace.as_ref().map(Workspace::store)
    }

    /// Where the server is reached, without a slash at the end.
    pub(crate) fn origin(&self) -> String {
        self.accounts.as_ref().map_or_else(|| self.guard.origin(), |it| it.origin.clone())
    }

    /// The accounts, where there are some.
    pub(crate) fn accounts(&self) -> Option<&Accounts> {
        self.accounts.as_ref()
    }
}

impl Server {
    /// Takes the port.
    pub async fn bind(options: ServerOptions) -> std::io::Result<Server> {
        let ServerOptions { address, workbench, workspace, access } = options;
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let (key, accounts) = match &access {
            Access::Machine => (None, None),
            Access::Key => (Some(AccessGuard::make_key()?), None),
            Access::Accounts { public_url, may_read } => {
                (None, Some(Accounts::new(public_url, *may_read)))
            }
        };
        if accounts.is_some() && workspace.is_none() {
            return Err(std::io::Error::other("accounts need a workspace"));
        }
        let guard = AccessGuard::new(address, key);
        let guard = match &accounts {
            Some(accounts) => guard.also_known_as(&accounts.origin),
            None => guard,
        };
        let listed = api::ListedKeys::default();
        let under_way = UnderWay::default();
        let shared = Shared { workbench, workspace, accounts, listed, under_way, guard };
        Ok(Server { listener, address, shared })
    }

    /// Where to look first: with the key, if there is one.
    pub fn link(&self) -> String {
        if let Some(accounts) = &self.shared.accounts {
            return format!("{}/", accounts.origin);
        }
        match self.shared.guard.key() {
            Some(key) => format!("http://{}/enter?key={key}", self.address),
            None => format!("http://{}/", self.address),
        }
    }

    /// The same for another page than the first, by its path.
    pub fn link_to(&self, path: &str) -> String {
        match self.shared.guard.key() {
            Some(_) => format!("{}&to={path}", self.link()),
            None => format!("{}{path}", self.link().trim_end_matches('/')),
        }
    }

    /// Answers until `stop` is done.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
        let workspace = self.shared.workspace.clone();
        let shared = Arc::new(self.shared);
        let router = router(Arc::clone(&shared));
        let stop = async move {
            stop.await;
            shared.under_way.stop();
            if let Some(workspace) = workspace {
                workspace.stop();
            }
        };
        connections::serve(self.listener, router, ConnectionLimits::default(), stop).await;
        Ok(())
    }
}

pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new();
    for page in PAGES {
        let page: &'static dyn Page = *page;
        router = router.route(
            page.path(),
            get(
                move |State(shared): State<Arc<Shared>>,
                      visitor,
                      parameters,
                      query,
                      headers,
                      uri| {
                    answer(page, shared, visitor, parameters, query, headers, uri)
                },
            ),
        );
    }
    for action in ACTIONS {
        let action: &'static dyn Action = *action;
        router = router.route(
            action.path(),
            post(move |State(shared): State<Arc<Shared>>, visitor, parameters, headers, fields| {
                acted(action, shared, visitor, parameters, headers, fields)
            }),
        );
    }
    let small = router
        .merge(api::router())
        .merge(accounts::router())
        .merge(judging::router())
        .route("/theme", post(theme))
        .route("/cancel", post(under_way::cancel))
        .route("/jobs/{id}/events", get(events::of_page))
        .route("/campaigns/{campaign}/events", get(campaigns::follow))
        .route("/campaigns/{campaign}/links", post(campaigns::invite))
        .route("/campaigns/{campaign}/patch", get(campaigns::patch).post(campaigns::review))
        .route("/upload/format", post(uploads::recognise))
        .route("/benchmarks/{slug}/corrections", post(corrections::correct))
        .route("/benchmarks/{slug}/patches/{patch}", post(patches::decide))
        .route("/benchmarks/{slug}/patches/{patch}/file", get(patches::download))
        .fallback(missing)
        .layer(RequestBodyLimitLayer::new(SMALL_BODY))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, PATIENCE));
    let large = Router::new()
        .route("/upload", post(uploads::upload))
        .merge(api::for_files())
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(LARGE_BODY))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            PATIENCE_FOR_UPLOADS,
        ));
    // This is for everybody: it tells nothing. Nobody is known here, so its limits are all the more needed.
    let entrance = Router::new()
        .route("/enter", get(enter))
        .merge(accounts::entrance())
        .merge(api::entrance())
        .route("/healthz", get(health))
        .route("/assets/{digest}/{name}", get(asset))
        .layer(RequestBodyLimitLayer::new(SMALL_BODY))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, PATIENCE));
    small
        .merge(large)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), guard::only_those_who_may))
        .merge(entrance)
        .layer(tower_http::csrf::CsrfLayer::default())
        .layer(middleware::from_fn_with_state(Arc::clone(&shared), only_known_hosts))
        .layer(middleware::from_fn(guard::small_headers))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn(api::with_problems))
        .layer(CompressionLayer::new())
        .layer(middleware::map_response_with_state(Arc::clone(&shared), with_headers))
        .with_state(shared)
}

async fn with_headers(State(shared): State<Arc<Shared>>, mut response: Response) -> Response {
    for (name, value) in headers() {
        response.headers_mut().entry(name).or_insert(value);
    }
    // What nobody has thought of is for its reader alone.
    let private = HeaderValue::from_static("private, no-cache");
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(private);
    if shared.accounts().is_some_and(Accounts::is_secure) {
        let year = HeaderValue::from_static("max-age=31536000");
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, year);
    }
    response
}

async fn only_known_hosts(
    State(shared): State<Arc<Shared>>,
    request: Request,
    next: Next,
) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok());
    if !host.is_some_and(|host| shared.guard.allows_host(host)) {
        return (StatusCode::MISDIRECTED_REQUEST, "this server does not go by that name\n")
            .into_response();
    }
    next.run(request).await
}

/// Whether the server can do its work: for a workspace, whether the database answers.
async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let answers = match &shared.workspace {
        Some(workspace) => workspace.store().ping().await.is_ok(),
        None => true,
    };
    match answers {
        true => "fine\n".into_response(),
        false => {
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n").into_response()
        }
    }
}

/// Takes the key from the link that was printed, and keeps it in a cookie.
async fn enter(
    State(shared): State<Arc<Shared>>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Response {
    let shown = pairs.iter().find(|(name, _)| name == "key").map(|(_, value)| value.as_str());
    match shown {
        Some(key) if shared.guard.accepts_key(key) => {
            let cookie = format!("{COOKIE}={key}; HttpOnly; SameSite=Lax; Path=/");
            let to = pairs.iter().find(|(name, _)| name == "to").map_or("/", |(_, to)| to.as_str());
            let to = accounts::inner_path(to).to_owned();
            let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, to)];
            (StatusCode::SEE_OTHER, headers).into_response()
        }
        _ => (StatusCode::FORBIDDEN, "this is not the key that was printed\n").into_response(),
    }
}

/// Keeps whether a reader wants light or dark pages.
async fn theme(headers: HeaderMap, body: String) -> Response {
    let look = Look::named(body.strip_prefix("look=").unwrap_or_default());
    let cookie = format!("look={}; SameSite=Lax; Path=/; Max-Age=31536000", look.name());
    let back = headers.get(header::REFERER).and_then(|referer| referer.to_str().ok());
    // Back to the same page, which is ours whatever the host is called.
    let path = back
        .and_then(|back| back.split_once("://"))
        .and_then(|(_, rest)| rest.find('/').map(|at| &rest[at..]));
    let path = accounts::inner_path(path.unwrap_or("/"));
    let headers = [(header::SET_COOKIE, cookie), (header::LOCATION, path.to_owned())];
    (StatusCode::SEE_OTHER, headers).into_response()
}

async fn asset(request: Request) -> Response {
    let found = [&*STYLE, &*SCRIPT, &*JUDGE_STYLE, &*JUDGE_SCRIPT]
        .into_iter()
        .find(|asset| asset.path() == request.uri().path());
    match found {
        Some(asset) => {
            let headers = [
                (header::CONTENT_TYPE, asset.media),
                (header::CACHE_CONTROL, "public, max-age=31536000, immutable"),
            ];
            (headers, asset.content.as_str()).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}

async fn missing(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    request: Request,
) -> Response {
    let refusal = Refusal::Missing {
        what: format!("There is no page {}.", request.uri().path()),
        hint: None,
    };
    refused(&refusal, &surroundings(&headers, &shared))
}

pub(crate) fn surroundings<'a>(headers: &HeaderMap, shared: &Shared) -> Surroundings<'a> {
    let cookies = headers.get(header::COOKIE).and_then(|cookies| cookies.to_str().ok());
    let pairs =
        cookies.unwrap_or_default().split(';').filter_map(|pair| pair.trim().split_once('='));
    let look =
        pairs.filter(|(name, _)| *name == "look").map(|(_, value)| Look::named(value)).next();
    let links: &dyn Links = if shared.accounts.is_some() { &AccountPaths } else { &Paths };
    let has_workspace = shared.workspace.is_some();
    Surroundings { look: look.unwrap_or_default(), links, has_workspace }
}

pub(crate) fn refused(refusal: &Refusal, around: &Surroundings<'_>) -> Response {
    let status =
        StatusCode::from_u16(refusal.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    html(status, page_of_refusal(refusal, around).into_string())
}

pub(crate) fn html(status: StatusCode, page: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "private, no-cache"),
    ];
    (status, headers, page).into_response()
}

/// Does what a form asks for, on a thread where waiting is no harm, and leads to the page that shows it.
async fn acted(
    action: &'static dyn Action,
    shared: Arc<Shared>,
    Extension(visitor): Extension<Visitor>,
    parameters: RawPathParams,
    headers: HeaderMap,
    Form(fields): Form<Vec<(String, String)>>,
) -> Response {
    let parameters: Vec<(String, String)> =
        parameters.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let around = surroundings(&headers, &shared);
    let Some(workspace) = shared.workspace.clone() else {
        let what = "These pages show files, and nothing can be changed.".to_owned();
        return refused(&Refusal::Missing { what, hint: None }, &around);
    };
    let act = move || {
        let by = visitor.by();
        let (workspace, workbench) = (&workspace, &*shared.workbench);
        action.act(&SentForm { parameters, fields, workspace, workbench, visitor, by })
    };
    match tokio::task::spawn_blocking(act).await {
        Ok(Ok(address)) => {
            let to = Paths.href(&address).unwrap_or_else(|| "/".to_owned());
            (StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response()
        }
        Ok(Err(refusal)) => refused(&refusal, &around),
        Err(_) => {
            let text = "this could not be done; the log of the server says why\n";
            (StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
        }
    }
}

/// Answers for a page. Pages compute, so they are made on threads where waiting is no harm.
async fn answer(
    page: &'static dyn Page,
    shared: Arc<Shared>,
    Extension(visitor): Extension<Visitor>,
    parameters: RawPathParams,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
    uri: Uri,
) -> Response {
    let parameters: Vec<(String, String)> =
        parameters.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let around = surroundings(&headers, &shared);
    let key = PageKey::new(&visitor, uri.path_and_query().map_or("/", |asked| asked.as_str()));
    if let Some(told) = shared.under_way.wait(&key).await {
        return refused(&told, &around);
    }
    let place = shared.under_way.begin(&key);
    let loading = Arc::clone(&place.loading);
    let making = Arc::clone(&shared);
    let mut made = tokio::task::spawn_blocking(move || {
        let shown = || made(page, &making, &visitor, parameters, pairs, &around);
        let response = watched(&place.loading, shown);
        drop(place);
        response
    });
    match tokio::time::timeout(shared.under_way.patience, &mut made).await {
        Ok(Ok(response)) => response,
        Ok(Err(_)) => {
            let text = "this page could not be made; the log of the server says why\n";
            (StatusCode::INTERNAL_SERVER_ERROR, text).into_response()
        }
        // It goes on, and what was computed is there for whoever asks again.
        Err(_) => refused(&shared.under_way.told(&key, &loading), &surroundings(&headers, &shared)),
    }
}

fn made(
    page: &dyn Page,
    shared: &Shared,
    visitor: &Visitor,
    mut parameters: Vec<(String, String)>,
    mut pairs: Vec<(String, String)>,
    around: &Surroundings<'_>,
) -> Response {
    let (workbench, origin) = (&*shared.workbench, shared.origin());
    if page.path() == "/" && pairs.is_empty() {
        pairs = workbench.front().to_vec();
    }
    let mut take = |key: &str| {
        let at = pairs.iter().position(|(name, _)| name == key)?;
        Some(pairs.remove(at).1)
    };
    let (part, form, key) = (take("part"), take("format"), take(frozen::KEY));
    let mut frozen_names = frozen::thaw(&mut parameters);
    if !frozen_names.is_empty() {
        frozen::resolve(workbench, &mut parameters, &mut frozen_names);
    }
    // Forms send fields that are empty, and checkboxes one by one. Equal views have equal addresses, so a form leads
    // on to the address of what it shows.
    let is_form = pairs.iter().enumerate().any(|(at, (name, value))| {
        value.is_empty() || pairs[..at].iter().any(|(before, _)| before == name)
    });
    let asked = workbench
        .check_loaded()
        .and_then(|()| Asked::new(page, parameters, &pairs, workbench, around.links))
        .and_then(|asked| asked.seen_by(page, visitor));
    let asked = match asked {
        Ok(asked) => asked,
        Err(refusal) => return refused(&refusal, around),
    };
    let response = match (part, form) {
        (Some(part), _) => fragment(page, &asked, &part),
        (None, Some(form)) => in_form(page, &asked, &form),
        (None, None) => page.show(&asked).map(|content| {
            if key.as_deref() == Some(frozen::FREEZE) {
                let there = frozen::freeze(workbench, &content.here).to_path();
                return (StatusCode::SEE_OTHER, [(header::LOCATION, there)]).into_response();
            }
            if is_form && leads_to(page, &content.here) {
                let there = content.here.to_path();
                return (StatusCode::SEE_OTHER, [(header::LOCATION, there)]).into_response();
            }
            let frozen =
                key.map(|key| frozen::state(workbench, &frozen_names, &key, &content.here));
            let has_forms = content.has_forms;
            let call = content.call.clone().or_else(|| api::command_of(page, &asked, has_forms));
            let curl = call.map(|call| call.written(&origin));
            let content = PageContent { curl, frozen, ..content };
            html(StatusCode::OK, whole_page(&content, around).into_string())
        }),
    };
    response.unwrap_or_else(|refusal| refused(&refusal, around))
}

/// Whether an address is one of a page, or of those below it.
fn leads_to(page: &dyn Page, here: &Address) -> bool {
    let first = page.path().split('/').nth(1).unwrap_or_default();
    here.parts().first().map_or("", String::as_str) == first
}

fn fragment(page: &dyn Page, asked: &Asked<'_>, part: &str) -> Result<Response, Refusal> {
    let no_part =
        || Refusal::Missing { what: format!("This page has no part {part}."), hint: None };
    let part = page.part(asked, part).ok_or_else(no_part)??;
    Ok(html(StatusCode::OK, part.into_string()))
}

/// The answer behind a page in a form for programs or papers.
fn in_form(page: &dyn Page, asked: &Asked<'_>, name: &str) -> Result<Response, Refusal> {
    let names = karat::report::FORMS.iter().map(|form| form.name());
    let form = karat::report::form(name).ok_or_else(|| Refusal::missing("form", name, names))?;
    let no_forms =
        || Refusal::Missing { what: "This page has no other forms.".to_owned(), hint: None };
    // Forms have counts and all digits, with which gold can be found out by sending one run after the other.
    if asked.is_about_hidden_gold() {
        return Err(Refusal::Missing {
            what: "Gold is hidden, and forms have more digits than may be seen.".to_owned(),
            hint: Some("The API gives scores of three digits.".to_owned()),
        });
    }
    let answer = page.answer(asked).ok_or_else(no_forms)??;
    let rendered = answer.report().render(form, &RenderOptions::default());
    let name = format!("attachment; filename=\"karat.{}\"", form.extension());
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, "private, no-cache".to_owned()),
    ];
    Ok((headers, Body::from(rendered.text)).into_response())
}

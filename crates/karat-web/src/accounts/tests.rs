//! Logging in, rights and forms through the whole router, with a store in memory.

mod submitting;

use super::*;
use crate::library::StoredLibrary;
use crate::workbench::Workbench;
use crate::workspace::Workspace;
use axum::body::Body;
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use karat_store::{NewBenchmark, NewJob, NewPerson, PersonRow, RightRow, StoreAddress, TOKEN_LIFE};
use serde_json::{Value, json};
use tower::ServiceExt;

const PASSWORD: &str = "correct horse";

/// A server with the sample, a person in each role, and a benchmark that not everybody sees.
struct House {
    router: Router,
    store: Store,
    workspace: Workspace,
    people: Vec<(PersonRole, PersonRow, String)>,
}

/// What was answered.
struct Reply {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    fn header(&self, name: header::HeaderName) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

fn told<T>(result: Result<T, impl std::fmt::Display>) -> T {
    result.unwrap_or_else(|error| panic!("{error}"))
}

impl House {
    async fn open(may_read: bool) -> House {
        let workspace = told(Workspace::open(&StoreAddress::Memory).await);
        let store = workspace.store().clone();
        let sample = told(karat::sample::experiment());
        let taking = workspace.clone();
        let taken = tokio::task::spawn_blocking(move || taking.take_in(&By::local(), &sample, &[]));
        told(told(taken.await));
        let secret = NewBenchmark { slug: "secret".to_owned(), ..NewBenchmark::default() };
        told(store.add_benchmark(&By::local(), &secret).await);
        let mut people = Vec::new();
        for role in PersonRole::ALL {
            let new = NewPerson {
                login: role.word().to_owned(),
                name: String::new(),
                password: Some(PASSWORD.to_owned()),
            };
            let person = told(store.add_person(&By::local(), &new).await);
            let object = EVERYTHING.to_owned();
            let right = RightRow { person: person.id.clone(), object, role: *role };
            told(store.grant(&By::local(), &right).await);
            let scopes = "read submit organise judge";
            let made = store.add_token(&By::local(), &person.id, "test", scopes, TOKEN_LIFE).await;
            people.push((*role, person, told(made).0));
        }
        let library = Arc::new(StoredLibrary::new(workspace.clone()));
        let workbench = Arc::new(Workbench::over(library));
        let accounts = Accounts::new("https://karat.example", may_read);
        let shared = Shared::with_accounts(workbench, workspace.clone(), accounts);
        House { router: crate::server::router(Arc::new(shared)), store, workspace, people }
    }

    fn token(&self, role: PersonRole) -> &str {
        let found = self.people.iter().find(|(known, _, _)| *known == role);
        found.map(|(_, _, token)| token.as_str()).unwrap_or_default()
    }

    fn person(&self, role: PersonRole) -> &PersonRow {
        &self.people.iter().find(|(known, _, _)| *known == role).unwrap_or(&self.people[0]).1
    }

    async fn send(&self, request: axum::http::request::Builder, body: impl Into<Body>) -> Reply {
        let request = told(request.header(header::HOST, "karat.example").body(body.into()));
        let response = match self.router.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let body = told(axum::body::to_bytes(response.into_body(), usize::MAX).await);
        Reply { status, headers, body: String::from_utf8_lossy(&body).into_owned() }
    }

    /// Asks the API with a token, or as nobody.
    async fn api(&self, method: Method, path: &str, token: &str, body: Option<Value>) -> Reply {
        self.api_with(method, path, token, body, &[]).await
    }

    async fn api_with(
        &self,
        method: Method,
        path: &str,
        token: &str,
        body: Option<Value>,
        headers: &[(&str, &str)],
    ) -> Reply {
        let mut request = Request::builder().method(method).uri(format!("/api/v1{path}"));
        if !token.is_empty() {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let text = body.map(|body| body.to_string());
        if text.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        self.send(request, text.unwrap_or_default()).await
    }

    /// Logs in by the form and gives the cookie.
    async fn log_in(&self, login: &str) -> String {
        let form = format!("login={login}&password=correct+horse&to=%2Faccount");
        let reply = self.form("/login", "", &form).await;
        assert_eq!(reply.status, 303, "{}", reply.body);
        assert_eq!(reply.header(header::LOCATION), "/account");
        let cookie = reply.header(header::SET_COOKIE);
        assert!(cookie.contains("Secure; HttpOnly; SameSite=Lax"), "{cookie}");
        cookie.split(';').next().unwrap_or_default().to_owned()
    }

    async fn form(&self, path: &str, cookie: &str, form: &str) -> Reply {
        let request = Request::post(path)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::COOKIE, cookie);
        self.send(request, form.to_owned()).await
    }

    async fn page(&self, path: &str, cookie: &str) -> Reply {
        self.send(Request::get(path).header(header::COOKIE, cookie), "").await
    }
}

/// Who may do what: reader, annotator, submitter, organiser, owner; all by tokens with all scopes.
#[tokio::test]
async fn every_role_may_do_what_the_table_says() {
    let house = House::open(false).await;
    let (get, post, delete) = (Method::GET, Method::POST, Method::DELETE);
    let system = json!({"slug": "x"});
    let table = [
        (&get, "/runs", None, [200, 200, 200, 200, 200]),
        (&get, "/boards/all/table", None, [200, 200, 200, 200, 200]),
        (&get, "/benchmarks/sample/record", None, [200, 200, 200, 200, 200]),
        (&get, "/benchmarks/secret/record", None, [404, 404, 404, 200, 200]),
        (&get, "/jobs", None, [200, 200, 200, 200, 200]),
        (&get, "/session", None, [200, 200, 200, 200, 200]),
        (&post, "/benchmarks", Some(json!({"slug": "b"})), [403, 403, 403, 201, 409]),
        (&post, "/systems", Some(system), [403, 403, 201, 409, 409]),
        (&post, "/boards", Some(json!({"slug": "c"})), [403, 403, 403, 201, 409]),
        (&get, "/trash", None, [403, 403, 200, 200, 200]),
        (&delete, "/benchmarks/secret", None, [403, 403, 403, 428, 428]),
        (&get, "/suspicions?edition=x", None, [403, 403, 403, 404, 404]),
        (&get, "/files/abc", None, [403, 403, 403, 404, 404]),
        // What owners do needs a person at a browser, whatever scopes a token has.
        (&get, "/people", None, [403, 403, 403, 403, 403]),
        (&get, "/audit", None, [403, 403, 403, 403, 403]),
        (
            &post,
            "/tokens",
            Some(json!({"name": "t", "scopes": ["read"]})),
            [403, 403, 403, 403, 403],
        ),
    ];
    for (method, path, body, expected) in table {
        for (role, status) in PersonRole::ALL.iter().zip(expected) {
            let token = house.token(*role);
            let reply = house.api(method.clone(), path, token, body.clone()).await;
            assert_eq!(reply.status, status, "{method} {path} {}: {}", role.word(), reply.body);
        }
        let reply = house.api(method.clone(), path, "", body.clone()).await;
        assert_eq!(reply.status, 401, "{method} {path} as nobody: {}", reply.body);
        assert!(reply.header(header::WWW_AUTHENTICATE).starts_with("Bearer"));
    }
}

#[tokio::test]
async fn pages_are_for_those_who_are_logged_in() {
    let house = House::open(false).await;
    let reply = house.page("/runs/a?show=cases", "").await;
    assert_eq!(reply.status, 303);
    assert_eq!(reply.header(header::LOCATION), "/login?to=%2Fruns%2Fa%3Fshow%3Dcases");
    assert_eq!(house.page("/login", "").await.status, 200);
    assert_eq!(house.page("/", "__Host-karat=wrong").await.status, 303);
    let reader = house.log_in("reader").await;
    let owner = house.log_in("owner").await;
    for (path, as_reader, as_owner) in [
        ("/", 200, 200),
        ("/account", 200, 200),
        ("/people", 404, 200),
        ("/audit?check=1", 404, 200),
    ] {
        assert_eq!(house.page(path, &reader).await.status, as_reader, "{path}");
        let reply = house.page(path, &owner).await;
        assert_eq!(reply.status, as_owner, "{path}: {}", reply.body);
        assert_eq!(reply.headers[header::STRICT_TRANSPORT_SECURITY], "max-age=31536000");
    }
    // Forms that nobody thought of are for organisers.
    assert_eq!(house.form("/people/invite", &reader, "role=owner&object=*").await.status, 404);
    assert_eq!(house.form("/anything", &reader, "").await.status, 404);
    // Elsewhere on the web a form cannot use the cookie.
    let request = Request::post("/account/sessions").header(header::COOKIE, &owner);
    let reply = house.send(request.header("sec-fetch-site", "cross-site"), "").await;
    assert_eq!(reply.status, 403);
    assert_eq!(house.form("/logout", &owner, "").await.status, 303);
    assert_eq!(house.page("/account", &owner).await.status, 303);
}

#[tokio::test]
async fn jobs_of_others_are_not_there() {
    let house = House::open(false).await;
    let person = Some(house.person(PersonRole::Owner).id.clone());
    let new = NewJob { kind: "read".to_owned(), input: "{}".to_owned(), person };
    let job = told(house.store.enqueue(&new).await);
    // A job that has ended is told in one event, so that the stream ends.
    told(house.store.cancel_job(&By::local(), &job.id).await);
    let submitter = house.log_in("submitter").await;
    let owner = house.log_in("owner").await;
    for path in [format!("/jobs/{}", job.id), format!("/jobs/{}/events", job.id)] {
        assert_eq!(house.page(&path, &submitter).await.status, 404, "{path}");
        assert_eq!(house.page(&path, &owner).await.status, 200, "{path}");
    }
    assert!(!house.page("/jobs", &submitter).await.body.contains(&job.id));
    assert!(house.page("/jobs", &owner).await.body.contains(&job.id));
}

#[tokio::test]
async fn everybody_may_read_where_that_is_wanted() {
    let house = House::open(true).await;
    assert_eq!(house.page("/", "").await.status, 200);
    assert_eq!(house.page("/account", "").await.status, 404);
    assert_eq!(house.api(Method::GET, "/runs", "", None).await.status, 200);
    assert_eq!(house.api(Method::GET, "/benchmarks/secret/record", "", None).await.status, 404);
    let made = house.api(Method::POST, "/systems", "", Some(json!({"slug": "s"}))).await;
    assert_eq!(made.status, 401);
    // A token that is not good reads nothing, not even what everybody may.
    assert_eq!(house.api(Method::GET, "/runs", "karat_x", None).await.status, 401);
}

#[tokio::test]
async fn wrong_passwords_and_unknown_logins_look_the_same_and_are_counted() {
    let house = House::open(false).await;
    let known = house.form("/login", "", "login=annotator&password=wrong").await;
    let unknown = house.form("/login", "", "login=nobody&password=wrong").await;
    assert_eq!((known.status, unknown.status), (403, 403));
    assert_eq!(known.body.replace("annotator", "nobody"), unknown.body);
    for _ in 0..5 {
        house.form("/login", "", "login=owner&password=wrong").await;
    }
    let reply = house.form("/login", "", "login=owner&password=correct+horse").await;
    assert_eq!(reply.status, 429);
    assert!(reply.header(header::RETRY_AFTER).parse::<u64>().is_ok_and(|wait| wait <= 60));
    let tried = json!({"login": "reader", "password": "wrong"});
    assert_eq!(house.api(Method::POST, "/session", "", Some(tried)).await.status, 401);
    let entries = told(house.store.audit(None, &karat_store::ListFrom::default()).await);
    assert!(entries.items.iter().any(|entry| entry.act == "session.refused"));
}

#[tokio::test]
async fn an_invitation_makes_one_account() {
    let house = House::open(false).await;
    let owner = house.log_in("owner").await;
    let reply = house.form("/people/invite", &owner, "role=submitter&object=sample&note=x").await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    let link = reply.body.split("https://karat.example").nth(1).unwrap_or_default();
    let path = link.split('<').next().unwrap_or_default().to_owned();
    assert!(path.starts_with("/invitations/"), "{path}");
    assert_eq!(house.page(&path, "").await.status, 200);
    let short = house.form(&path, "", "login=new&password=short").await;
    assert_eq!(short.status, 400);
    assert!(short.body.contains("at least 10 characters"), "{}", short.body);
    let taken = house.form(&path, "", "login=owner&password=correct+horse").await;
    assert!(taken.status == 400 && taken.body.contains("Somebody else"), "{}", taken.body);
    assert_eq!(house.form(&path, "", "login=new&password=correct+horse").await.status, 303);
    assert_eq!(house.form(&path, "", "login=other&password=correct+horse").await.status, 400);
    let cookie = house.log_in("new").await;
    let page = house.page("/account", &cookie).await;
    assert!(page.body.contains("submitter of benchmark"), "{}", page.body);
}

#[tokio::test]
async fn a_token_is_shown_once_and_does_what_its_scopes_say() {
    let house = House::open(false).await;
    let cookie = house.log_in("organiser").await;
    let reply = house.form("/account/tokens", &cookie, "name=ci&scopes=read&days=7").await;
    let secret = reply.body.split("karat_").nth(1).unwrap_or_default();
    let secret: String = secret.chars().take_while(char::is_ascii_alphanumeric).collect();
    let token = format!("karat_{secret}");
    assert_eq!(reply.header(header::CACHE_CONTROL), "no-store");
    assert!(!house.page("/account", &cookie).await.body.contains(&secret));
    assert_eq!(house.api(Method::GET, "/runs", &token, None).await.status, 200);
    let new = Some(json!({"slug": "b"}));
    assert_eq!(house.api(Method::POST, "/benchmarks", &token, new).await.status, 403);
    let listed = house.api(Method::GET, "/tokens", &token, None).await.json();
    let id = listed["items"].as_array().and_then(|items| {
        items.iter().find(|item| item["name"] == "ci").and_then(|item| item["id"].as_str())
    });
    let path = format!("/tokens/{}", id.unwrap_or_default());
    // A token request ignores cookies; ending one's own token is allowed.
    assert_eq!(house.api(Method::DELETE, &path, &token, None).await.status, 204);
    assert_eq!(house.api(Method::GET, "/runs", &token, None).await.status, 401);
}

#[tokio::test]
async fn changes_name_the_version_that_they_are_about() {
    let house = House::open(false).await;
    let token = house.token(PersonRole::Organiser);
    let new = json!({"slug": "news", "title": "News", "visible": true});
    let made = house.api(Method::POST, "/benchmarks", token, Some(new)).await;
    assert_eq!(made.status, 201);
    assert_eq!(made.header(header::LOCATION), "/api/v1/benchmarks/news/record");
    let tag = made.header(header::ETAG).to_owned();
    let change = || Some(json!({"title": "Newer"}));
    let path = "/benchmarks/news";
    assert_eq!(house.api(Method::PATCH, path, token, change()).await.status, 428);
    let with = |tag: String| [("if-match".to_owned(), tag)];
    let patch = async |tag: &str, body| {
        let headers = with(tag.to_owned());
        let headers: Vec<(&str, &str)> =
            headers.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        house.api_with(Method::PATCH, path, token, body, &headers).await
    };
    let changed = patch(&tag, change()).await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    assert_eq!(changed.json()["title"], "Newer");
    let stale = patch(&tag, change()).await;
    assert_eq!(stale.status, 412);
    assert_eq!(stale.json()["type"], "/help/problems/changed");
    let unknown = patch(changed.header(header::ETAG), Some(json!({"heading": "x"}))).await;
    assert_eq!(unknown.status, 400, "{}", unknown.body);
    let again = house.api_with(
        Method::GET,
        "/benchmarks/news/record",
        token,
        None,
        &[("if-none-match", "\"2\"")],
    );
    assert_eq!(again.await.status, 304);
    let id = changed.json()["id"].as_str().unwrap_or_default().to_owned();
    let gone = house.api_with(Method::DELETE, path, token, None, &[("if-match", "\"2\"")]).await;
    assert_eq!(gone.status, 204, "{}", gone.body);
    let record = "/benchmarks/news/record";
    assert_eq!(house.api(Method::GET, record, token, None).await.status, 404);
    let back = format!("/benchmarks/{id}/restore");
    assert_eq!(house.api(Method::POST, &back, token, None).await.status, 204);
    assert_eq!(house.api(Method::GET, record, token, None).await.status, 200);
}

#[tokio::test]
async fn the_same_request_with_the_same_key_is_done_once() {
    let house = House::open(false).await;
    let token = house.token(PersonRole::Organiser);
    let key = [("idempotency-key", "k1")];
    let add = |slug: &str| Some(json!({"slug": slug}));
    let first = house.api_with(Method::POST, "/boards", token, add("one"), &key).await;
    let again = house.api_with(Method::POST, "/boards", token, add("one"), &key).await;
    assert_eq!((first.status, again.status), (201, 201), "{}", again.body);
    assert_eq!(first.json(), again.json());
    assert_eq!(again.headers["idempotency-replayed"], "true");
    let other = house.api_with(Method::POST, "/boards", token, add("two"), &key).await;
    assert_eq!(other.status, 422);
    // Somebody else's key is another key.
    let owner = house.token(PersonRole::Owner);
    let theirs = house.api_with(Method::POST, "/boards", owner, add("two"), &key).await;
    assert_eq!(theirs.status, 201);
    let running = karat_store::OnceKey {
        who: house.person(PersonRole::Organiser).id.clone(),
        key: "k2".to_owned(),
    };
    // The digest of the request that is about to come.
    let text = format!(
        "POST /api/v1/boards {:?}\n{}",
        Vec::<(String, String)>::new(),
        json!({"slug": "three"})
    );
    told(house.store.begin_once(&running, &karat_store::sha256(text.as_bytes())).await);
    let key = [("idempotency-key", "k2")];
    let still = house.api_with(Method::POST, "/boards", token, add("three"), &key).await;
    assert_eq!(still.status, 409, "{}", still.body);
}

#[tokio::test]
async fn pages_of_a_list_hold_while_others_insert() {
    let house = House::open(false).await;
    let token = house.token(PersonRole::Organiser);
    for number in 0..10 {
        let new = Some(json!({"slug": format!("b{number}")}));
        assert_eq!(house.api(Method::POST, "/boards", token, new).await.status, 201);
    }
    let (mut seen, mut path, mut inserted) = (Vec::new(), "/boards?limit=3".to_owned(), 0);
    loop {
        let reply = house.api(Method::GET, &path, token, None).await;
        let page = reply.json();
        let items = page["items"].as_array().cloned().unwrap_or_default();
        seen.extend(items.iter().filter_map(|item| item["slug"].as_str().map(str::to_owned)));
        // One before and one after the place of the cursor.
        for slug in [format!("a{inserted}"), format!("z{inserted}")] {
            house.api(Method::POST, "/boards", token, Some(json!({"slug": slug}))).await;
        }
        inserted += 1;
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/boards?limit=3&after={next}");
        assert!(inserted < 20, "it never ends");
    }
    let mut sorted = seen.clone();
    sorted.sort();
    sorted.dedup();
    assert_eq!(seen, sorted, "nothing comes twice");
    for number in 0..10 {
        assert!(seen.contains(&format!("b{number}")), "{number}");
    }
}

#[tokio::test]
async fn hidden_gold_stays_hidden() {
    let house = House::open(false).await;
    let organiser = house.token(PersonRole::Organiser);
    let headers = house.api(Method::GET, "/benchmarks/sample/record", organiser, None).await;
    let tag = headers.header(header::ETAG).to_owned();
    let change = Some(json!({"gold_hidden": true}));
    let changed = house
        .api_with(Method::PATCH, "/benchmarks/sample", organiser, change, &[("if-match", &tag)])
        .await;
    assert_eq!(changed.status, 200, "{}", changed.body);
    let submitter = house.token(PersonRole::Submitter);
    let runs = house.api(Method::GET, "/runs", submitter, None).await.json();
    let run = runs["items"][0]["id"].as_str().unwrap_or_default().to_owned();
    for path in [
        format!("/runs/{run}/cases"),
        format!("/runs/{run}/errors"),
        format!("/runs/{run}/curves"),
        "/benchmarks/sample/documents/1".to_owned(),
        "/benchmarks/sample/documents".to_owned(),
    ] {
        let reply = house.api(Method::GET, &path, submitter, None).await;
        assert_eq!(reply.status, 404, "{path}: {}", reply.body);
        let reply = house.api(Method::GET, &path, organiser, None).await;
        assert_eq!(reply.status, 200, "{path}: {}", reply.body);
    }
    let board = house.api(Method::GET, "/boards/all/table", submitter, None).await;
    assert_eq!(board.status, 200);
    let longest = board.body.split(|c: char| !c.is_ascii_digit() && c != '.');
    let longest =
        longest.filter_map(|number| number.split_once('.')).map(|(_, digits)| digits.len());
    assert!(longest.max() <= Some(3), "{}", board.body);
    assert!(!board.body.contains("\"tp\""), "{}", board.body);
    let rows = [("accept", "text/csv")];
    let rows = house.api_with(Method::GET, "/boards/all/table", submitter, None, &rows).await;
    assert_eq!(rows.status, 406);
    // Of a run, scores with three digits are told, without counts and without slices of few mentions.
    let slices = format!("/runs/{run}/slices?by=type");
    let all = house.api(Method::GET, &slices, organiser, None).await.json();
    let keys = format!("/evaluations?run={run}");
    let key = house.api(Method::GET, &keys, submitter, None).await.json();
    let key = key["items"][0]["key"].as_str().unwrap_or_default().to_owned();
    let evaluation = format!("/evaluations/{key}");
    for path in [format!("/runs/{run}/measures"), slices, evaluation.clone()] {
        let told = house.api(Method::GET, &path, submitter, None).await;
        assert_eq!(told.status, 200, "{path}: {}", told.body);
        assert!(!told.body.contains("tp\":"), "{path}: {}", told.body);
        assert!(told.body.contains("\"f1\":0."), "{path}: {}", told.body);
        let slices = told.json()["systems"][0]["slices"].as_array().cloned().unwrap_or_default();
        assert!(slices.iter().all(|it| it["gold"].as_u64() >= Some(50)), "{slices:?}");
        let table = [("accept", "text/markdown")];
        let table = house.api_with(Method::GET, &path, submitter, None, &table).await;
        assert_eq!(table.status, 406, "{path}: it would have counts");
    }
    let small = all["systems"][0]["slices"].as_array().cloned().unwrap_or_default();
    assert!(small.iter().any(|it| it["gold"].as_u64() < Some(50)), "{small:?}");
    for path in ["cases", "counts", "documents"].map(|part| format!("{evaluation}/{part}")) {
        assert_eq!(house.api(Method::GET, &path, submitter, None).await.status, 404, "{path}");
        assert_eq!(house.api(Method::GET, &path, organiser, None).await.status, 200, "{path}");
    }
    let plot = house.api(Method::GET, "/plots/board.svg", submitter, None).await;
    assert_eq!(plot.status, 404);
    let cookie = house.log_in("submitter").await;
    assert_eq!(house.page("/", &cookie).await.status, 200);
    assert_eq!(house.page(&format!("/runs/{run}"), &cookie).await.status, 404);
    assert_eq!(house.page("/benchmarks/sample/1", &cookie).await.status, 404);
    for path in ["/?format=json", "/?format=tsv", "/systems/careful?format=json"] {
        assert_eq!(house.page(path, &cookie).await.status, 404, "{path}: it would have all digits");
    }
    let listed = house.page("/benchmarks", &cookie).await;
    assert!(listed.body.contains("the gold of those that fit is hidden"), "{}", listed.body);
}

#[tokio::test]
async fn owners_give_and_take_rights_and_everything_is_in_the_audit() {
    let house = House::open(false).await;
    let owner = house.log_in("owner").await;
    let reader = house.person(PersonRole::Reader).id.clone();
    let as_owner = |method: Method, path: &str| {
        Request::builder()
            .method(method)
            .uri(format!("/api/v1{path}"))
            .header(header::COOKIE, &owner)
    };
    let right = json!({"person": reader, "object": "secret", "role": "submitter"});
    let request =
        as_owner(Method::POST, "/rights").header(header::CONTENT_TYPE, "application/json");
    let reply = house.send(request, right.to_string()).await;
    assert_eq!(reply.status, 204, "{}", reply.body);
    let token = house.token(PersonRole::Reader);
    assert_eq!(house.api(Method::GET, "/benchmarks/secret/record", token, None).await.status, 200);
    let path = format!("/rights?person={reader}&object=secret");
    assert_eq!(house.send(as_owner(Method::DELETE, &path), "").await.status, 204);
    assert_eq!(house.api(Method::GET, "/benchmarks/secret/record", token, None).await.status, 404);
    let change = as_owner(Method::PATCH, &format!("/people/{reader}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::IF_MATCH, "\"1\"");
    let reply = house.send(change, json!({"disabled": true}).to_string()).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert_eq!(house.api(Method::GET, "/runs", token, None).await.status, 401);
    let audit = house.send(as_owner(Method::GET, "/audit?limit=500"), "").await.json();
    let acts: Vec<&str> = audit["items"]
        .as_array()
        .map(|items| items.iter().filter_map(|item| item["act"].as_str()).collect())
        .unwrap_or_default();
    for act in ["right.grant", "right.revoke", "person.change", "session.open"] {
        assert!(acts.contains(&act), "{acts:?}");
    }
    let lines = as_owner(Method::GET, "/audit").header(header::ACCEPT, "application/jsonl");
    let lines = house.send(lines, "").await;
    assert!(lines.body.lines().all(|line| line.starts_with("{\"seq\":")), "{}", lines.body);
    let check = house.send(as_owner(Method::GET, "/audit/check"), "").await;
    assert!(check.body.contains("Whole"), "{}", check.body);
}

#[tokio::test]
async fn other_names_and_huge_headers_are_refused() {
    let house = House::open(true).await;
    let request = Request::get("/").header(header::HOST, "evil.example");
    assert_eq!(house.send(request, "").await.status, 421);
    let huge = Request::get("/api/v1/runs").header("x-a", "x".repeat(20_000));
    let reply = house.send(huge, "").await;
    assert_eq!(reply.status, StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.as_u16());
    assert_eq!(reply.header(header::CONTENT_TYPE), "application/problem+json");
}

#[tokio::test]
async fn boards_and_decisions_about_gold_are_for_organisers() {
    let house = House::open(true).await;
    let organises = |role: PersonRole| matches!(role, PersonRole::Organiser | PersonRole::Owner);
    for role in PersonRole::ALL {
        let (may, cookie) = (organises(*role), house.log_in(role.word()).await);
        let saved = house.form("/boards", &cookie, &format!("title={}&query=", role.word())).await;
        assert_eq!(saved.status, if may { 303 } else { 404 }, "{role:?}: {}", saved.body);
        let page = house.page("/benchmarks/sample?show=suspicions", &cookie).await;
        assert_eq!(page.body.contains("<form class=\"judge\""), may, "{role:?}");
        let bad = "benchmark=sample&state=confirmed&place=%7B%7D";
        let judged = house.form("/suspicions", &cookie, bad).await;
        assert_eq!(judged.status, if may { 400 } else { 404 }, "{role:?}: {}", judged.body);
        let publish = format!("/boards/{}/publish", PersonRole::Organiser.word());
        let published = house.api(Method::POST, &publish, house.token(*role), None).await;
        let expected = match role {
            PersonRole::Organiser => 200,
            // It is published by then.
            PersonRole::Owner => 400,
            _ => 403,
        };
        assert_eq!(published.status, expected, "{role:?}: {}", published.body);
    }
    let reader = house.token(PersonRole::Reader);
    let table = house.api(Method::GET, "/boards/organiser/table", reader, None).await;
    assert!(table.status == 200 && table.body.contains("careful"), "{}", table.body);
    let entries = house.api(Method::GET, "/boards/organiser/entries", reader, None).await;
    assert_eq!(entries.json()["items"].as_array().map(Vec::len), Some(3), "{}", entries.body);
    let nobody = house.page("/boards/organiser", "").await;
    assert!(nobody.status == 200 && nobody.body.contains("Published on"), "{}", nobody.body);
    let audit = told(house.store.audit(None, &karat_store::ListFrom::default()).await).items;
    let acts: Vec<&str> = audit.iter().map(|row| row.act.as_str()).collect();
    assert!(acts.contains(&"board.publish") && acts.contains(&"board.add"), "{acts:?}");
    // A query that no board can show is refused here too.
    let bad = json!({"slug": "bad", "title": "", "about": "", "query": "nothing=1"});
    let token = house.token(PersonRole::Owner);
    let refused = house.api(Method::POST, "/boards", token, Some(bad)).await;
    assert_eq!(refused.status, 400, "{}", refused.body);
}

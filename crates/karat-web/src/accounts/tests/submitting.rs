//! What submitters do: send by the API, follow, cancel, rename, remove and restore what is theirs, within limits.

use super::*;
use crate::workspace::Worker;
use base64::Engine as _;
use sha2::Digest as _;
use std::time::Duration;

const RUN: &str =
    "{\"document\":\"wire-talks\",\"annotations\":[{\"span\":[0,6],\"link\":\"Q71\"}]}\n";
const BAD: &str = "{\"document\":\"wire-talks\",\"annotations\":[{\"span\":\"nowhere\"}]}\n";

impl House {
    /// Sends a file by the API.
    async fn upload(
        &self,
        role: PersonRole,
        query: &str,
        body: &str,
        headers: &[(&str, &str)],
    ) -> Reply {
        let mut request = Request::post(format!("/api/v1/uploads?{query}"))
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token(role)));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request, body.to_owned()).await
    }

    /// Waits until a job has ended, and gives its state.
    async fn ended(&self, id: &str, role: PersonRole) -> String {
        for _ in 0..600 {
            let path = format!("/jobs/{id}");
            let job = self.api(Method::GET, &path, self.token(role), None).await.json();
            let state = job["state"].as_str().unwrap_or_default().to_owned();
            if !["queued", "running"].contains(&state.as_str()) {
                return state;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("the job does not end")
    }
}

fn id_in(reply: &Reply, key: &str) -> String {
    reply.json()[key].as_str().unwrap_or_else(|| panic!("no {key}: {}", reply.body)).to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_sent_as_it_is() {
    let house = House::open(false).await;
    let worker = Worker::start(&house.workspace);
    let submitter = PersonRole::Submitter;
    let query = "as=run&benchmark=sample&system=My%20system&name=run.jsonl&label=first";
    let digest = base64::engine::general_purpose::STANDARD.encode(sha2::Sha256::digest(RUN));
    let digest = format!("sha-256=:{digest}:");
    let headers = [("content-digest", digest.as_str()), ("idempotency-key", "k")];
    let reply = house.upload(submitter, query, RUN, &headers).await;
    assert_eq!(reply.status, 202, "{}", reply.body);
    let (job, run) = (id_in(&reply, "job"), id_in(&reply, "run"));
    assert_eq!(reply.header(header::LOCATION), format!("/api/v1/jobs/{job}"));
    assert_eq!(house.ended(&job, submitter).await, "done");
    let token = house.token(submitter);
    let file = house.api(Method::GET, &format!("/runs/{run}/file"), token, None).await;
    assert_eq!(file.body, RUN);
    assert_eq!(file.header(header::CONTENT_SECURITY_POLICY), "sandbox");
    let system = house.api(Method::GET, "/systems/my-system/record", token, None).await;
    let own = house.person(submitter).id.as_str();
    assert_eq!(system.json()["owner"], own, "who brings a system owns it");

    // The same once more is the same answer; another body with the key is refused.
    let again = house.upload(submitter, query, RUN, &headers).await;
    assert_eq!((again.status, id_in(&again, "job")), (202, job));
    let other = [("idempotency-key", "k")];
    let other = house.upload(submitter, query, &RUN.replace("Q71", "Q1"), &other).await;
    assert_eq!(other.status, 422, "{}", other.body);

    let wrong = [("content-digest", "sha-256=:AAAA:")];
    let bad_format = query.to_owned() + "&format=word";
    for (query, body, headers, status, said) in [
        (query, RUN, &wrong[..], 400, "problems/digest"),
        (query, RUN, &[("content-digest", "md5=:AAAA:")][..], 400, "no sha-256"),
        (query, BAD, &[][..], 400, "problems/located"),
        (query, "", &[][..], 400, "there is no file"),
        ("as=run&benchmark=sample", RUN, &[][..], 400, "no system is named"),
        ("as=run&benchmark=nothing&system=x", RUN, &[][..], 400, "no benchmark is chosen"),
        ("as=gold&benchmark=Mine", RUN, &[][..], 400, "organise"),
        ("benchmark=sample&system=x", RUN, &[][..], 400, "as=run"),
        (&bad_format, RUN, &[][..], 400, "no format `word`"),
        ("as=run&benchmarks=sample", RUN, &[][..], 400, "did you mean benchmark?"),
    ] {
        let reply = house.upload(submitter, query, body, headers).await;
        assert_eq!(reply.status, status, "{said}: {}", reply.body);
        assert!(reply.body.contains(said), "{said}: {}", reply.body);
        assert_eq!(reply.header(header::CONTENT_TYPE), "application/problem+json");
    }
    let located = house.upload(submitter, query, BAD, &[]).await.json();
    assert_eq!(located["problems"][0]["line"], 1, "{located}");
    assert_eq!(house.upload(PersonRole::Reader, query, RUN, &[]).await.status, 403);
    let gold = house.upload(PersonRole::Organiser, "as=gold&benchmark=More+news", RUN, &[]).await;
    assert_eq!(gold.status, 202, "{}", gold.body);
    let second = house.upload(PersonRole::Organiser, "as=gold&benchmark=more-news", RUN, &[]).await;
    assert_eq!(second.status, 202, "{}", second.body);
    tokio::task::spawn_blocking(move || drop(worker)).await.unwrap_or_else(|it| panic!("{it}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn submitters_rename_remove_and_restore_their_own_runs_only() {
    let house = House::open(false).await;
    let worker = Worker::start(&house.workspace);
    let submitter = PersonRole::Submitter;
    let (own, cookie) = (house.token(submitter), house.log_in("submitter").await);
    let reply = house.upload(submitter, "as=run&benchmark=sample&system=mine", RUN, &[]).await;
    let run = id_in(&reply, "run");
    assert_eq!(house.ended(&id_in(&reply, "job"), submitter).await, "done");
    let runs = house.api(Method::GET, "/runs", own, None).await.json();
    let items = runs["items"].as_array().cloned().unwrap_or_default();
    let other = items.iter().filter_map(|it| it["id"].as_str()).find(|id| *id != run);
    let other = other.unwrap_or_default();

    let page = house.page(&format!("/runs/{run}"), &cookie).await;
    assert!(page.body.contains(&format!("/edit/run/{run}")), "{}", page.body);
    let page = house.page(&format!("/runs/{other}"), &cookie).await;
    assert!(!page.body.contains("/edit/run/"), "{}", page.body);
    assert_eq!(house.page(&format!("/edit/run/{other}"), &cookie).await.status, 404);
    let edit = house.page(&format!("/edit/run/{run}"), &cookie).await;
    assert!(edit.status == 200 && edit.body.contains("-X PATCH"), "{}", edit.body);
    for (path, form, status) in [
        (format!("/edit/run/{other}"), "label=theirs", 404),
        (format!("/edit/run/{other}/remove"), "name=careful", 404),
        ("/edit/benchmark/sample".to_owned(), "title=Mine", 404),
        ("/edit/system/careful".to_owned(), "title=Mine", 404),
        (format!("/edit/run/{run}"), "label=second", 303),
        ("/edit/system/mine".to_owned(), "title=Ours", 303),
        (format!("/edit/run/{run}/remove"), "name=mine", 303),
    ] {
        let reply = house.form(&path, &cookie, form).await;
        assert_eq!(reply.status, status, "{path}: {}", reply.body);
    }
    let removed = house.page("/trash", &cookie).await;
    assert!(removed.body.contains(&run), "{}", removed.body);
    // What others removed is not there.
    let by = By::local();
    let row = told(house.store.run(other).await);
    told(house.store.remove(&by, karat_store::Removable::Run, other, row.version).await);
    assert!(!house.page("/trash", &cookie).await.body.contains(other));
    let trash = house.api(Method::GET, "/trash", own, None).await.json();
    assert_eq!(trash["items"].as_array().map(Vec::len), Some(1), "{trash}");
    let restore = |id: &str| format!("/runs/{id}/restore");
    assert_eq!(house.api(Method::POST, &restore(other), own, None).await.status, 404);
    assert_eq!(
        house.form("/trash/restore", &cookie, &format!("kind=run&id={other}")).await.status,
        404
    );
    assert_eq!(house.api(Method::POST, &restore(&run), own, None).await.status, 204);
    assert_eq!(house.page(&format!("/runs/{run}"), &cookie).await.status, 200);
    let organiser = house.token(PersonRole::Organiser);
    assert_eq!(house.api(Method::POST, &restore(other), organiser, None).await.status, 204);
    tokio::task::spawn_blocking(move || drop(worker)).await.unwrap_or_else(|it| panic!("{it}"));
}

#[tokio::test]
async fn submitters_cancel_their_own_jobs_and_have_two_at_once() {
    // Nobody works here, so jobs wait.
    let house = House::open(false).await;
    let (submitter, query) = (PersonRole::Submitter, "as=run&benchmark=sample&system=");
    let (own, cookie) = (house.token(submitter), house.log_in("submitter").await);
    let mut jobs = Vec::new();
    for system in ["a", "b"] {
        let reply = house.upload(submitter, &format!("{query}{system}"), RUN, &[]).await;
        assert_eq!(reply.status, 202, "{}", reply.body);
        jobs.push(id_in(&reply, "job"));
    }
    let third = house.upload(submitter, &format!("{query}c"), RUN, &[]).await;
    assert_eq!(third.status, 429, "{}", third.body);
    assert_eq!(third.header(header::RETRY_AFTER), "10");
    let others = house.upload(PersonRole::Organiser, &format!("{query}c"), RUN, &[]).await;
    let others = id_in(&others, "job");
    assert_eq!(house.form(&format!("/jobs/{others}/cancel"), &cookie, "").await.status, 404);
    assert_eq!(house.api(Method::DELETE, &format!("/jobs/{others}"), own, None).await.status, 404);
    assert_eq!(house.form(&format!("/jobs/{}/cancel", jobs[0]), &cookie, "").await.status, 303);
    assert_eq!(
        house.api(Method::DELETE, &format!("/jobs/{}", jobs[1]), own, None).await.status,
        204
    );
    for job in &jobs {
        assert_eq!(house.ended(job, submitter).await, "cancelled");
    }
    let reader = house.log_in("reader").await;
    assert_eq!(house.form(&format!("/jobs/{}/cancel", jobs[0]), &reader, "").await.status, 404);
}

#[tokio::test]
async fn hidden_gold_has_a_quota_a_day() {
    let house = House::open(false).await;
    let organiser = house.token(PersonRole::Organiser);
    let change = json!({"gold_hidden": true, "quota": 1});
    let tag = [("if-match", "\"1\"")];
    let changed =
        house.api_with(Method::PATCH, "/benchmarks/sample", organiser, Some(change), &tag).await;
    assert_eq!((changed.status, &changed.json()["quota"]), (200, &json!(1)), "{}", changed.body);
    let send = |role, system: &str| {
        let query = format!("as=run&benchmark=sample&system={system}");
        let house = &house;
        async move { house.upload(role, &query, RUN, &[]).await }
    };
    assert_eq!(send(PersonRole::Submitter, "a").await.status, 202);
    let second = send(PersonRole::Submitter, "b").await;
    assert_eq!(second.status, 429, "{}", second.body);
    assert!(second.body.contains("1 runs a day"), "{}", second.body);
    let wait: u64 = second.header(header::RETRY_AFTER).parse().unwrap_or_default();
    assert!((86_000..=86_401).contains(&wait), "{wait}");
    assert_eq!(send(PersonRole::Organiser, "c").await.status, 202);
}

/// What a stream says until it is silent for a moment.
async fn heard(response: axum::response::Response) -> String {
    use futures_util::StreamExt as _;
    let mut stream = response.into_body().into_data_stream();
    let mut text = String::new();
    while let Ok(Some(Ok(chunk))) =
        tokio::time::timeout(Duration::from_secs(2), stream.next()).await
    {
        text.push_str(&String::from_utf8_lossy(&chunk));
    }
    text
}

#[tokio::test]
async fn all_own_jobs_are_followed_and_a_broken_stream_goes_on() {
    let house = House::open(false).await;
    let submitter = PersonRole::Submitter;
    let query = "as=run&benchmark=sample&system=a";
    let job = id_in(&house.upload(submitter, query, RUN, &[]).await, "job");
    let others = house.upload(PersonRole::Organiser, query, RUN, &[]).await;
    let others = id_in(&others, "job");
    let follow = |last: Option<String>, path: String| {
        let mut request = Request::get(format!("/api/v1{path}"))
            .header(header::HOST, "karat.example")
            .header(header::ACCEPT_ENCODING, "gzip")
            .header(header::AUTHORIZATION, format!("Bearer {}", house.token(submitter)));
        if let Some(last) = last {
            request = request.header("last-event-id", last);
        }
        let router = house.router.clone();
        async move {
            let response = match router.oneshot(told(request.body(Body::empty()))).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
            assert_eq!(response.headers()[header::CONTENT_TYPE], "text/event-stream");
            assert!(!response.headers().contains_key(header::CONTENT_ENCODING));
            heard(response).await
        }
    };
    let first = follow(None, "/events".to_owned()).await;
    assert!(first.contains(&job) && !first.contains(&others), "{first}");
    assert!(first.contains("retry: 3000") && first.contains("event: stage"), "{first}");
    let last = first.lines().filter_map(|line| line.strip_prefix("id: ")).next_back();
    let last = last.map(str::to_owned);
    assert_eq!(follow(last.clone(), "/events".to_owned()).await, "", "nothing is new");
    told(house.store.cancel_job(&By::local(), &job).await);
    let news = follow(last, "/events".to_owned()).await;
    assert!(news.contains("event: failed") && news.contains("\"cancelled\""), "{news}");
    // A job that has ended: its end is told once, and to those who know it nothing is.
    let end = follow(None, format!("/jobs/{job}/events")).await;
    let id = end.lines().find_map(|line| line.strip_prefix("id: ")).map(str::to_owned);
    assert!(end.contains("event: failed"), "{end}");
    assert_eq!(follow(id, format!("/jobs/{job}/events")).await, "");
    let path = format!("/jobs/{others}/events");
    let hidden = house.api(Method::GET, &path, house.token(submitter), None).await;
    assert_eq!(hidden.status, 404);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_upload_that_is_sent_again_is_told_the_same() {
    let house = House::open(false).await;
    let worker = Worker::start(&house.workspace);
    let query = "as=run&benchmark=sample&system=mine&name=run.jsonl&label=";
    for (label, body, status) in [("good", RUN, 202), ("bad", BAD, 400)] {
        let query = format!("{query}{label}");
        let key = [("idempotency-key", label)];
        let first = house.upload(PersonRole::Submitter, &query, body, &key).await;
        let again = house.upload(PersonRole::Submitter, &query, body, &key).await;
        assert_eq!((first.status, again.status), (status, status), "{}", again.body);
        assert_eq!(first.json(), again.json());
        assert_eq!(again.headers["idempotency-replayed"], "true");
        assert!(!first.headers.contains_key("idempotency-replayed"));
    }
    tokio::task::spawn_blocking(move || drop(worker)).await.unwrap_or_default();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_of_a_form_names_nothing_that_its_sender_may_not_see() {
    let house = House::open(false).await;
    house.conceal().await;
    let cookie = house.log_in("submitter").await;
    let part = |name: &str, value: &str| {
        format!("--b\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let body = format!("{}{}--b--\r\n", part("what", "run"), part("benchmark", "nowhere"));
    let request = Request::post("/upload")
        .header(header::COOKIE, &cookie)
        .header("sec-fetch-site", "same-origin")
        .header(header::CONTENT_TYPE, "multipart/form-data; boundary=b");
    let reply = house.send(request, body).await;
    assert_eq!(reply.status, 400, "{}", reply.body);
    assert!(reply.body.contains("value=\"sample\"") && !reply.body.contains("concealed"));
    // Somebody who organises another benchmark may note suspicions, and gets no hint of a name either.
    let submitter = house.person(PersonRole::Submitter).id.clone();
    let sample = told(house.store.benchmark("sample").await).id;
    let right = RightRow { person: submitter, object: sample, role: PersonRole::Organiser };
    told(house.store.grant(&By::local(), &right).await);
    // Sessions end when rights change.
    let cookie = house.log_in("submitter").await;
    for name in ["concealed", "conceale"] {
        let form = format!("benchmark={name}&state=open&place=%7B%7D");
        let reply = house.form("/suspicions", &cookie, &form).await;
        assert_eq!(reply.status, 404, "{}", reply.body);
        assert!(!reply.body.contains("Did you mean"), "{}", reply.body);
    }
    // The digest of a text does not tell what its benchmark is called.
    let gold = house.digest_of("concealed").await;
    let token = house.token(PersonRole::Reader);
    let reply = house.api(Method::GET, &format!("/documents/{gold}/1"), token, None).await;
    assert_eq!(reply.status, 404);
    assert!(!reply.body.contains("concealed"), "{}", reply.body);
    let owner = house.token(PersonRole::Owner);
    let reply = house.api(Method::GET, &format!("/documents/{gold}/1"), owner, None).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_link_shows_the_old_edition_and_says_that_there_is_a_newer_one() {
    let house = House::open(false).await;
    let cookie = house.log_in("reader").await;
    let token = house.token(PersonRole::Reader);
    let runs = house.api(Method::GET, "/runs", token, None).await.json();
    let run = runs["items"][0]["id"].as_str().unwrap_or_default().to_owned();
    let views = [
        "/benchmarks/sample".to_owned(),
        "/benchmarks/sample/1".to_owned(),
        format!("/runs/{run}?show=measures"),
    ];
    let mut frozen = Vec::new();
    for view in &views {
        let join = if view.contains('?') { '&' } else { '?' };
        let there = house.page(&format!("{view}{join}key=now"), &cookie).await;
        assert_eq!(there.status, 303, "{view}: {}", there.body);
        let link = there.header(header::LOCATION).to_owned();
        let page = house.page(&link, &cookie).await;
        assert_eq!(page.status, 200, "{link}: {}", page.body);
        assert!(!page.body.contains("newer edition"), "{link}");
        frozen.push((link, content(&page.body)));
    }
    // The same benchmark without the text of its first document.
    let mut newer = told(karat::sample::experiment());
    newer.benchmark.corpus = Arc::new(newer.benchmark.corpus.document_alone(Some(3)));
    newer.runs.clear();
    let taking = house.workspace.clone();
    let taken = tokio::task::spawn_blocking(move || taking.take_in(&By::local(), &newer, &[]));
    told(told(taken.await));
    for (link, before) in frozen {
        let page = house.page(&link, &cookie).await;
        assert_eq!(page.status, 200, "{link}: {}", page.body);
        assert!(
            page.body.contains("there is a newer edition of sample: 2"),
            "{link}: {}",
            page.body
        );
        assert_eq!(content(&page.body), before, "{link}");
    }
    let now = house.page("/benchmarks/sample", &cookie).await;
    assert!(!now.body.contains("newer edition"), "{}", now.body);
}

/// The figures of a page, in their order: its words without addresses and without what is said of its edition.
fn content(page: &str) -> Vec<String> {
    let main = page.split("<main").nth(1).unwrap_or_default();
    let main = main.split("<footer").next().unwrap_or_default();
    let mut text = String::new();
    let mut in_tag = true;
    for c in main.chars() {
        match c {
            '<' => in_tag = true,
            '>' => {
                in_tag = false;
                text.push(' ');
            }
            _ if !in_tag => text.push(c),
            _ => {}
        }
    }
    let is_figure = |word: &&str| word.starts_with('.') && word.len() > 1;
    text.split_whitespace().filter(is_figure).map(str::to_owned).collect()
}

impl House {
    /// A benchmark like the sample that is for organisers only.
    async fn conceal(&self) {
        let mut hidden = told(karat::sample::experiment());
        "concealed".clone_into(&mut hidden.benchmark.name);
        hidden.runs.clear();
        // Other content, so that it is another corpus.
        hidden.benchmark.corpus = Arc::new(hidden.benchmark.corpus.document_alone(Some(0)));
        let taking = self.workspace.clone();
        let taken = tokio::task::spawn_blocking(move || taking.take_in(&By::local(), &hidden, &[]));
        told(told(taken.await));
        let row = told(self.store.benchmark("concealed").await);
        let change = karat_store::BenchmarkChange { visible: Some(false), ..Default::default() };
        told(self.store.change_benchmark(&By::local(), &row.id, row.version, &change).await);
    }

    async fn digest_of(&self, benchmark: &str) -> String {
        let row = told(self.store.benchmark(benchmark).await);
        let editions = told(self.store.editions(&row.id).await);
        editions[0].corpus.clone().unwrap_or_default()
    }
}

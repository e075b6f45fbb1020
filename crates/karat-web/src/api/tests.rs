//! The API over the sample, through the whole router.

use super::*;
use crate::security::AccessGuard;
use crate::workbench::Workbench;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode};
use serde_json::Value;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use tower::ServiceExt;

fn sample(key: Option<&str>) -> Router {
    let sample = karat::sample::experiment().unwrap_or_else(|error| panic!("{error}"));
    let address = SocketAddr::from(([127, 0, 0, 1], 80));
    let guard = AccessGuard::new(address, key.map(str::to_owned));
    crate::server::router(Arc::new(Shared::new(Arc::new(Workbench::of([sample])), guard)))
}

async fn sent(
    router: &Router,
    request: axum::http::request::Builder,
) -> (StatusCode, HeaderMap, String) {
    let request = request.header(header::HOST, "localhost:80").body(Body::empty());
    let request = request.unwrap_or_else(|error| panic!("{error}"));
    let response = match router.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    let (status, headers) = (response.status(), response.headers().clone());
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
    let body = body.unwrap_or_else(|error| panic!("{error}"));
    (status, headers, String::from_utf8_lossy(&body).into_owned())
}

async fn got(router: &Router, path: &str, accept: &str) -> (StatusCode, HeaderMap, String) {
    sent(router, Request::get(path).header(header::ACCEPT, accept)).await
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// An address of every operation that reads, with what the sample has in the place of braces.
fn addresses() -> Vec<(&'static Operation, String)> {
    let groups = ["objects", "answers", "documents"];
    let reading = GROUPS.iter().filter(|(group, _)| groups.contains(group));
    let gets = reading.flat_map(|(_, all)| all.iter()).filter(|it| it.method == Method::GET);
    let known = [
        ("{board}", "all"),
        ("{corpus}", "sample"),
        ("{runs}", "careful@sample..popular@sample"),
        ("/runs/{id}", "/runs/careful@sample"),
        ("{run}", "careful@sample"),
        ("{n}", "3"),
        ("{name}", "neleval"),
        ("/systems/{slug}", "/systems/careful"),
        ("{slug}", "sample"),
    ];
    gets.map(|operation| {
        let path = known
            .iter()
            .fold(operation.path.to_owned(), |path, (brace, value)| path.replace(brace, value));
        (operation, format!("{PREFIX}{path}"))
    })
    .collect()
}

#[tokio::test]
async fn every_operation_answers_and_says_again_only_what_is_new() {
    let router = sample(None);
    for (operation, path) in addresses() {
        let (status, headers, body) = got(&router, &path, "application/json").await;
        assert_eq!(status, StatusCode::OK, "{path}\n{body}");
        assert_eq!(headers[header::CONTENT_TYPE], "application/json", "{path}");
        json(&body);
        let tag = headers[header::ETAG].clone();
        let again = Request::get(&path).header(header::IF_NONE_MATCH, tag);
        let (status, _, body) = sent(&router, again).await;
        assert_eq!((status, body.as_str()), (StatusCode::NOT_MODIFIED, ""), "{}", operation.id);
    }
}

#[tokio::test]
async fn answers_come_in_the_form_that_is_wanted() {
    let router = sample(None);
    let path = format!("{PREFIX}/boards/all/table");
    for (accept, media, begins) in [
        ("text/tab-separated-values", "text/tab-separated-values; charset=utf-8", "system\t"),
        ("text/csv", "text/csv; charset=utf-8", "system,"),
        ("text/markdown", "text/markdown; charset=utf-8", ""),
        ("application/x-latex", "application/x-latex", ""),
        ("application/jsonl", "application/jsonl", "{"),
    ] {
        let (status, headers, body) = got(&router, &path, accept).await;
        assert_eq!(status, StatusCode::OK, "{accept}: {body}");
        assert_eq!(headers[header::CONTENT_TYPE], media);
        assert!(body.starts_with(begins) && body.contains("careful"), "{accept}: {body}");
    }
    let (status, headers, body) = got(&router, &path, "image/png").await;
    assert_eq!(status, StatusCode::NOT_ACCEPTABLE);
    assert_eq!(headers[header::CONTENT_TYPE], problem::MEDIA);
    assert!(body.contains("text/csv"), "{body}");
}

#[tokio::test]
async fn the_scores_of_a_run_are_those_of_an_evaluation() -> Result<(), Box<dyn std::error::Error>>
{
    use karat::request::Request as _;
    let router = sample(None);
    let (_, _, body) =
        got(&router, &format!("{PREFIX}/runs/careful@sample/measures?as=neleval"), "*/*").await;
    let request = serde_json::json!({
        "inputs": {"gold": [{"path": "held:sample"}], "systems": [{"path": "held:careful"}]},
        "convention": {"preset": "neleval"},
    });
    let request: karat::scoring::EvaluationRequest = serde_json::from_value(request)?;
    let mut shelf = karat::inputs::Shelf::default();
    shelf.add(karat::sample::experiment()?, Vec::new());
    let work = karat::work::Work { shelf: Some(Arc::new(shelf)), ..Default::default() };
    let answer = request.answer(&work)?;
    assert_eq!(json(&body)["systems"], serde_json::to_value(&answer)?["systems"]);
    Ok(())
}

#[tokio::test]
async fn lists_come_in_pages() {
    let router = sample(None);
    let mut path = format!("{PREFIX}/runs?limit=2");
    let mut seen = Vec::new();
    for _ in 0..5 {
        let (status, headers, body) = got(&router, &path, "*/*").await;
        assert_eq!(status, StatusCode::OK, "{body}");
        let page = json(&body);
        let items = page["items"].as_array().cloned().unwrap_or_default();
        seen.extend(items.iter().filter_map(|item| item["id"].as_str().map(str::to_owned)));
        let Some(next) = page["next"].as_str() else { break };
        let link = headers[header::LINK].to_str().unwrap_or_default();
        assert_eq!(link, format!("<{PREFIX}/runs?limit=2&after={next}>; rel=\"next\""));
        path = link[1..link.find('>').unwrap_or_default()].to_owned();
    }
    assert_eq!(seen, ["careful@sample", "popular@sample", "spotter@sample"]);
    for bad in ["limit=0", "limit=501", "limit=x", "after=zz", "most=2"] {
        let (status, _, body) = got(&router, &format!("{PREFIX}/runs?{bad}"), "*/*").await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{bad}: {body}");
    }
}

#[tokio::test]
async fn whatever_goes_wrong_is_a_problem() {
    let router = sample(None);
    let long = "x".repeat(70_000);
    for (request, status) in [
        (Request::get("/api/v1/nothing"), 404),
        (Request::get("/api/v1/runs/careful@sampel"), 404),
        (Request::get("/api/v1/runs/careful@sample/measures?as=nelevall"), 404),
        (Request::get("/api/v1/runs/careful@sample/cases?where=nonsense%3D"), 400),
        (Request::get("/api/v1/runs/%ff"), 400),
        (Request::get("/api/v1/compare/careful@sample"), 400),
        (Request::put("/api/v1/runs"), 405),
        (Request::post("/api/v1/runs").header("content-length", long.len()), 413),
        (Request::post("/api/v1/runs").header("sec-fetch-site", "cross-site"), 403),
    ] {
        let path = request.uri_ref().map(|uri| uri.path().to_owned()).unwrap_or_default();
        let (found, headers, body) = sent(&router, request).await;
        assert_eq!(found.as_u16(), status, "{path}: {body}");
        assert_eq!(headers[header::CONTENT_TYPE], problem::MEDIA, "{path}");
        let body = json(&body);
        assert_eq!(body["status"], status, "{body}");
        assert_eq!(body["instance"], path, "{body}");
        let kind = body["type"].as_str().unwrap_or_default();
        let (explained, _, page) = got(&router, kind, "*/*").await;
        assert_eq!(explained, StatusCode::OK, "{kind}");
        assert!(page.contains(body["title"].as_str().unwrap_or("?")), "{page}");
    }
    let (_, headers, _) = sent(&router, Request::put("/api/v1/runs")).await;
    assert!(headers[header::ALLOW].to_str().is_ok_and(|allow| allow.contains("GET")));
}

#[tokio::test]
async fn a_server_of_files_keeps_nothing() {
    let router = sample(None);
    let paths = ["boards", "jobs", "trash", "people", "events", "jobs/a/events"]
        .map(|it| format!("/api/v1/{it}"));
    for path in paths.iter().map(String::as_str) {
        let (status, headers, body) = got(&router, path, "*/*").await;
        assert_eq!(status, StatusCode::CONFLICT, "{path}: {body}");
        assert_eq!(headers[header::CONTENT_TYPE], problem::MEDIA);
        assert!(body.contains("keeps-nothing"), "{body}");
    }
}

#[tokio::test]
async fn programs_show_the_key_as_a_token() {
    let router = sample(Some("secret"));
    let path = "/api/v1/runs";
    let (status, headers, _) = sent(&router, Request::get(path)).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert_eq!(headers[header::CONTENT_TYPE], problem::MEDIA);
    let bearer = |key| Request::get(path).header(header::AUTHORIZATION, format!("Bearer {key}"));
    assert_eq!(sent(&router, bearer("secret")).await.0, StatusCode::OK);
    assert_eq!(sent(&router, bearer("Secret")).await.0, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn pages_show_the_command_that_gets_their_answer() {
    let router = sample(None);
    for (page, path) in [
        ("/", "/api/v1/boards/all/table"),
        ("/runs/careful@sample", "/api/v1/runs/careful@sample/measures"),
        (
            "/runs/careful@sample?show=cases&where=error%3Dmissing",
            "/api/v1/runs/careful@sample/cases?where=error%3Dmissing",
        ),
        (
            "/compare/careful@sample..popular@sample",
            "/api/v1/compare/careful@sample..popular@sample",
        ),
        ("/benchmarks/sample/3", "/api/v1/benchmarks/sample/documents/3"),
        ("/benchmarks/sample?show=checks", "/api/v1/benchmarks/sample/checks"),
        ("/benchmarks", "/api/v1/statistics"),
        ("/systems", "/api/v1/systems"),
        ("/systems/careful", "/api/v1/systems/careful/table"),
        ("/search?q=Paris&in=mentions", "/api/v1/search?q=Paris&in=mentions"),
        ("/conventions", "/api/v1/conventions"),
        ("/compare", "/api/v1/runs"),
    ] {
        let (_, _, body) = got(&router, page, "text/html").await;
        let body = body.replace("&amp;", "&");
        assert!(
            body.contains(&format!("http://127.0.0.1:80{path}'"))
                || body.contains(&format!("http://127.0.0.1{path}'")),
            "{page} has no {path}:\n{body}"
        );
        assert_eq!(got(&router, path, "*/*").await.0, StatusCode::OK, "{path}");
    }
}

#[tokio::test]
async fn an_evaluation_is_found_by_its_key() {
    let router = sample(None);
    let list = |query: &str| format!("{PREFIX}/evaluations?{query}");
    let (status, _, body) = got(&router, &list("run=careful@sample&as=neleval"), "*/*").await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let item = json(&body)["items"][0].clone();
    let key = item["key"].as_str().unwrap_or_default();
    assert_eq!(key.len(), 64, "{item}");
    let path = format!("{PREFIX}/evaluations/{key}");
    let measures = format!("{PREFIX}/runs/careful@sample/measures?as=neleval");
    let (_, _, expected) = got(&router, &measures, "*/*").await;
    let (status, _, scores) = got(&router, &path, "*/*").await;
    assert_eq!((status, scores), (StatusCode::OK, expected));
    // A server that has not listed it finds what has a plain preset, and nothing else.
    let other = sample(None);
    assert_eq!(got(&other, &path, "*/*").await.0, StatusCode::OK);
    let changed = list("run=careful@sample&as=karat%3Bmatch%3Doverlap");
    let (_, _, body) = got(&router, &changed, "*/*").await;
    let changed = json(&body)["items"][0]["key"].as_str().unwrap_or_default().to_owned();
    assert_ne!(changed, key);
    let changed = format!("{PREFIX}/evaluations/{changed}");
    assert_eq!(got(&router, &changed, "*/*").await.0, StatusCode::OK);
    assert_eq!(got(&other, &changed, "*/*").await.0, StatusCode::NOT_FOUND);

    let (_, _, all) = got(&router, &list("limit=2"), "*/*").await;
    assert_eq!(json(&all)["items"].as_array().map(Vec::len), Some(2));
    assert!(json(&all)["next"].is_string());
    let (_, _, cases) = got(&router, &format!("{path}/cases?rows=3"), "application/jsonl").await;
    assert_eq!(cases.lines().count(), 3, "{cases}");
    let tsv = "text/tab-separated-values";
    let (_, _, documents) = got(&router, &format!("{path}/documents"), tsv).await;
    assert!(documents.contains("wire-talks"), "{documents}");
    let (_, headers, counts) = got(&router, &format!("{path}/counts"), "*/*").await;
    assert_eq!(headers[header::CONTENT_TYPE], "application/jsonl");
    assert!(counts.lines().count() > 14 && counts.starts_with('{'), "{counts}");
    for bad in ["run=nobody", "as=nelevall", "limit=0"] {
        let (status, ..) = got(&router, &list(bad), "*/*").await;
        assert!(status.is_client_error(), "{bad}: {status}");
    }
}

#[tokio::test]
async fn a_key_of_files_that_have_changed_stands_for_nothing() {
    let sample = || karat::sample::experiment().unwrap_or_else(|error| panic!("{error}"));
    let library = crate::library::FileLibrary::of([sample()]);
    let workbench = Arc::new(Workbench::over(Arc::new(library.clone())));
    let guard = AccessGuard::new(SocketAddr::from(([127, 0, 0, 1], 80)), None);
    let router = crate::server::router(Arc::new(Shared::new(workbench, guard)));
    let list = format!("{PREFIX}/evaluations?run=careful@sample&as=karat%3Bmatch%3Doverlap");
    let key = async || {
        let (_, _, body) = got(&router, &list, "*/*").await;
        json(&body)["items"][0]["key"].as_str().unwrap_or_default().to_owned()
    };
    let evaluation = |key: &str| format!("{PREFIX}/evaluations/{key}");
    let before = key().await;
    assert_eq!(got(&router, &evaluation(&before), "*/*").await.0, StatusCode::OK);
    let mut changed = sample();
    let popular = changed.runs.iter().position(|run| run.name == "popular").unwrap_or_default();
    let careful = changed.runs.iter().position(|run| run.name == "careful").unwrap_or_default();
    changed.runs[careful].corpus = Arc::clone(&changed.runs[popular].corpus);
    library.hold(vec![changed], &karat::inputs::Inputs::default(), Vec::new());
    let (status, _, body) = got(&router, &evaluation(&before), "*/*").await;
    assert_eq!(status, StatusCode::NOT_FOUND, "{body}");
    let now = key().await;
    assert_ne!(now, before);
    assert_eq!(got(&router, &evaluation(&now), "*/*").await.0, StatusCode::OK);
}

#[tokio::test]
async fn documents_are_found_by_the_digest_of_their_corpus() {
    let router = sample(None);
    let (_, _, body) = got(&router, &format!("{PREFIX}/evaluations?limit=1"), "*/*").await;
    let gold = json(&body)["items"][0]["gold"].as_str().unwrap_or_default().to_owned();
    let path = format!("{PREFIX}/documents/{gold}/1?runs=careful");
    let (status, _, whole) = got(&router, &path, "*/*").await;
    assert_eq!(status, StatusCode::OK, "{whole}");
    let (_, _, part) = got(&router, &format!("{path}&from=7&to=40"), "*/*").await;
    let (whole, part) = (json(&whole), json(&part));
    let text = |answer: &Value| answer["text"].as_str().unwrap_or_default().to_owned();
    let expected: String = text(&whole).chars().skip(7).take(33).collect();
    assert_eq!(text(&part), expected);
    assert_eq!(part["part"], serde_json::json!([7, 40]));
    let cases = |answer: &Value| answer["cases"].as_array().cloned().unwrap_or_default();
    let inside =
        |case: &&Value| case["start"].as_u64() < Some(40) && case["end"].as_u64() > Some(7);
    let expected: Vec<Value> = cases(&whole).iter().filter(inside).cloned().collect();
    assert!(!expected.is_empty() && expected.len() < cases(&whole).len());
    assert_eq!(cases(&part), expected);
    // A part that is open at its end, or reaches beyond it, ends with the text.
    for open in ["from=7", "from=7&to=4000000"] {
        let (_, _, part) = got(&router, &format!("{path}&{open}"), "*/*").await;
        assert_eq!(json(&part)["part"], serde_json::json!([7, whole["characters"]]), "{open}");
    }
    for bad in ["from=x", "from=9&to=3"] {
        let (status, ..) = got(&router, &format!("{path}&{bad}"), "*/*").await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{bad}");
    }
}

#[tokio::test]
async fn plots_are_svg() {
    let router = sample(None);
    for plot in [
        "board.svg",
        "heat-map.svg?m=link",
        "comparison.svg?runs=careful@sample..popular@sample",
        "critical-difference.svg?runs=careful@sample..popular@sample..spotter@sample",
        "conventions.svg?run=careful@sample",
        "system.svg?system=careful",
        "average-precision.svg?run=popular@sample&width=800",
        "risk-coverage.svg?run=popular@sample",
        "calibration-error.svg?run=popular@sample",
    ] {
        let (status, headers, body) = got(&router, &format!("{PREFIX}/plots/{plot}"), "*/*").await;
        assert_eq!(status, StatusCode::OK, "{plot}: {body}");
        assert_eq!(headers[header::CONTENT_TYPE], "image/svg+xml");
        assert!(body.starts_with("<svg"), "{plot}: {body}");
    }
    for (bad, status) in [
        ("boards.svg", 404),
        ("board.svg?width=1", 400),
        ("comparison.svg", 400),
        ("conventions.svg?run=x", 404),
    ] {
        let (found, _, body) = got(&router, &format!("{PREFIX}/plots/{bad}"), "*/*").await;
        assert_eq!(found.as_u16(), status, "{bad}: {body}");
    }
}

#[test]
fn operations_have_names_and_paths_of_their_own() {
    let all: Vec<&Operation> = GROUPS.iter().flat_map(|(_, all)| all.iter()).collect();
    let ids: BTreeSet<&str> = all.iter().map(|it| it.id).collect();
    assert_eq!(ids.len(), all.len());
    let places: BTreeSet<(&str, &str)> =
        all.iter().map(|it| (it.method.as_str(), it.path)).collect();
    assert_eq!(places.len(), all.len());
    for operation in all {
        assert!(operation.about.ends_with('.'), "{}", operation.id);
        for name in operation.parameters() {
            assert!(!about_parameter(name).is_empty(), "{}: {name}", operation.id);
        }
    }
}

#[test]
fn the_description_is_the_one_that_was_reviewed() {
    let kept = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    if std::env::var("SNAPSHOTS").as_deref() == Ok("overwrite") {
        std::fs::write(&kept, openapi::DOCUMENT.as_str()).unwrap_or_else(|error| panic!("{error}"));
    }
    let text = std::fs::read_to_string(&kept).unwrap_or_default();
    assert!(
        text == *openapi::DOCUMENT,
        "the API has changed: SNAPSHOTS=overwrite takes it over into {}",
        kept.display()
    );
}

//! The pages of the sample, followed from link to link.

use super::*;
use std::collections::{BTreeSet, VecDeque};
use tower::ServiceExt;

/// So many pages are looked at: the sample has a few hundred views, and sorting and filtering make more.
const ENOUGH: usize = 400;

fn sample() -> Router {
    let sample = karat::sample::experiment().unwrap_or_else(|error| panic!("{error}"));
    let workbench = Arc::new(Workbench::of([sample]));
    let guard = AccessGuard::new(SocketAddr::from(([127, 0, 0, 1], 80)), None);
    router(Arc::new(Shared::new(workbench, guard)))
}

/// A page; a link that leads on to another is followed.
async fn fetched(router: &Router, path: &str) -> (StatusCode, String) {
    let response = asked(router, path).await;
    let there = response.headers().get(header::LOCATION).and_then(|it| it.to_str().ok());
    let response = match there.map(str::to_owned) {
        Some(there) => asked(router, &there).await,
        None => response,
    };
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
    let body = body.unwrap_or_else(|error| panic!("{path}: {error}"));
    (status, String::from_utf8_lossy(&body).into_owned())
}

async fn asked(router: &Router, path: &str) -> Response {
    let request = Request::get(path).header(header::HOST, "localhost:80").body(Body::empty());
    let request = request.unwrap_or_else(|error| panic!("{path}: {error}"));
    match router.clone().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// The addresses of our own that a page leads to.
fn links(page: &str) -> Vec<String> {
    let quoted = |rest: &str| rest.split('"').next().unwrap_or_default().to_owned();
    let of = page.split("href=\"").skip(1).map(quoted);
    let ours = of.filter(|link| link.starts_with('/') && !link.starts_with("/assets/"));
    ours.map(|link| {
        let link = link.split('#').next().unwrap_or_default();
        link.replace("&amp;", "&").replace("&quot;", "\"")
    })
    .collect()
}

#[tokio::test]
async fn every_link_leads_somewhere_and_every_page_is_well_made() {
    let router = sample();
    // Search is a form, to which no link leads.
    let start = ["/", "/search", "/search?q=paris"].map(str::to_owned);
    let mut seen = BTreeSet::from(start.clone());
    let mut next = VecDeque::from(start);
    let mut kinds = BTreeSet::new();
    let mut count = 0;
    while let Some(path) = next.pop_front().filter(|_| count < ENOUGH) {
        count += 1;
        let (status, page) = fetched(&router, &path).await;
        assert_eq!(status, StatusCode::OK, "{path}\n{page}");
        if !page.starts_with("<!DOCTYPE html>") {
            continue;
        }
        kinds.insert(path.split(['?', '/']).nth(1).unwrap_or_default().to_owned());
        assert_eq!(page.matches("<h1").count(), 1, "{path}");
        for forbidden in [" style=\"", "<style", " onclick=", "javascript:"] {
            assert!(!page.contains(forbidden), "{path} has `{forbidden}`");
        }
        for link in links(&page) {
            if seen.insert(link.clone()) {
                next.push_back(link);
            }
        }
    }
    assert!(count > 50, "{count}");
    for kind in ["", "runs", "compare", "benchmarks", "conventions", "systems", "search"] {
        assert!(kinds.contains(kind), "no page of `{kind}` was reached: {kinds:?}");
    }
}

#[tokio::test]
async fn what_is_not_there_is_said() {
    let router = sample();
    for path in ["/nothing", "/runs/carefull@sample", "/benchmarks/sample/99", "/benchmarks/x/1"] {
        let (status, page) = fetched(&router, path).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}\n{page}");
    }
    let (_, page) = fetched(&router, "/runs/carefull@sample").await;
    assert!(page.contains("Did you mean careful@sample?"), "{page}");
    let (status, _) = fetched(&router, "/?format=tsv").await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn other_names_of_the_machine_are_refused() {
    let request = Request::get("/").header(header::HOST, "evil.example").body(Body::empty());
    let request = request.unwrap_or_else(|error| panic!("{error}"));
    let response = match sample().oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    };
    assert_eq!(response.status(), StatusCode::MISDIRECTED_REQUEST);
}

//! Pages stay small: requests, bytes and elements of texts, and very large texts in bounded pieces.

use crate::corpora::{corpus, huge, sample};
use crate::markup::problems;
use crate::site::Site;
use karat::inputs::{Benchmark, Experiment, Run};
use karat_web::workbench::Workbench;

fn elements(page: &str) -> usize {
    page.matches('<').count() - page.matches("</").count()
}

/// What a page loads: itself, a style sheet and a script.
fn requests(page: &str) -> usize {
    let loaded = ["<link rel=\"stylesheet\"", "<script src=", "<img ", "<iframe "];
    1 + loaded.iter().map(|tag| page.matches(tag).count()).sum::<usize>()
}

/// A document of this many sentences, the first of which have two mentions each; runs miss or mistake some of them.
fn long(sentences: usize, mentioned: usize) -> Workbench {
    let sentence = "A sentence about some Person and the Place that is near. ";
    let text = sentence.repeat(sentences);
    let record = |link: &dyn Fn(usize) -> Option<usize>| {
        let mut mentions = Vec::new();
        for at in 0..mentioned {
            for (half, (start, end)) in [(22, 28), (37, 42)].into_iter().enumerate() {
                if let Some(entity) = link(2 * at + half) {
                    let (start, end) = (at * sentence.len() + start, at * sentence.len() + end);
                    mentions.push(format!("{{\"span\":[{start},{end}],\"link\":\"Q{entity}\"}}"));
                }
            }
        }
        format!(
            "{{\"document\":\"long\",\"text\":\"{text}\",\"annotations\":[{}]}}\n",
            mentions.join(",")
        )
    };
    let gold = record(&|at| Some(at % 97 + 1));
    let run = |wrong: usize, missed: usize| {
        record(&|at| match at {
            at if at % missed == 0 => None,
            at if at % wrong == 0 => Some(500),
            at => Some(at % 97 + 1),
        })
    };
    let runs = [(3, 7), (4, 5), (11, 13)].map(|(wrong, missed)| run(wrong, missed));
    let runs = ["a", "b", "c"].into_iter().zip(&runs).map(|(name, it)| Run::new(name, corpus(it)));
    let benchmark = Benchmark::new("long", corpus(&gold));
    Workbench::of([Experiment { benchmark, runs: runs.collect() }])
}

#[test]
fn documents_of_5_kb_are_small() {
    let site = Site::of(long(88, 30));
    let address = "/benchmarks/long/1";
    let page = site.get(address).text();
    assert!(page.contains("5016 characters"), "the text has about 5 kB");
    let bytes = site.get_compressed(address);
    assert!(bytes.headers.contains("content-encoding: gzip"), "{}", bytes.headers);
    assert!(bytes.body.len() <= 40_000, "{} bytes", bytes.body.len());
    assert!(elements(&page) <= 1_500, "{} elements", elements(&page));
    assert!(requests(&page) <= 5, "{} requests", requests(&page));
    let sample = Site::of(sample());
    for number in 1..=14 {
        let page = sample.get(&format!("/benchmarks/sample/{number}")).text();
        assert!(elements(&page) <= 1_500, "{number}: {} elements", elements(&page));
    }
}

#[test]
fn documents_of_200_kb_with_5000_mentions_are_small() {
    let site = Site::of(long(3509, 2500));
    let address = "/benchmarks/long/1";
    let page = site.get(address).text();
    assert!(page.contains("200013 characters"), "the text has 200 kB");
    let bytes = site.get_compressed(address);
    assert!(bytes.body.len() <= 200_000, "{} bytes", bytes.body.len());
    assert!(elements(&page) <= 16_000, "{} elements", elements(&page));
    assert!(requests(&page) <= 5, "{} requests", requests(&page));
    // The notes come in pieces.
    let piece = site.get("/benchmarks/long/1?part=cases&cases=4000");
    assert!(piece.text().contains("id=\"c4000\""));
    assert!(elements(&piece.text()) < 4_000);
}

#[test]
fn hostile_sizes_are_shown_in_bounded_pieces() {
    let site = Site::of(huge());
    for address in [
        "/",
        "/benchmarks",
        "/benchmarks/huge",
        "/benchmarks/huge?show=statistics",
        "/benchmarks/huge?show=mentions",
        "/benchmarks/huge?show=checks",
        "/benchmarks/huge?show=suspicions",
        "/benchmarks/huge/1",
        "/benchmarks/huge/1?lay=lines",
        "/benchmarks/huge/1?lay=columns",
        "/benchmarks/huge/1?at=50000",
        "/benchmarks/huge/2",
        "/benchmarks/huge/2?at=1",
        "/benchmarks/huge/2?lay=lines",
        "/runs/a@huge?show=cases",
        "/runs/a@huge?show=errors",
    ] {
        let answered = site.get_at_last(address);
        assert_eq!(answered.status, 200, "{address}");
        let page = answered.text();
        assert!(page.len() < 16_000_000, "{address}: {} bytes", page.len());
        assert!(elements(&page) < 120_000, "{address}: {} elements", elements(&page));
        assert_eq!(problems(&page), Vec::<String>::new(), "{address}");
    }
    let page = site.get("/benchmarks/huge/2?at=1").text();
    assert!(
        page.contains("class=\"k or on\""),
        "the selected mention is on the page that is shown"
    );
}

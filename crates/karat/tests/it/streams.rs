//! Scoring a stream gives what scoring the whole gives.

use karat::formats::{Input, ReadOptions, Source};
use karat::inputs::{Described, Run};
use karat::request::Request;
use karat::scoring::{Board, EvaluationRequest, Scoring, StreamError, StreamInput};
use karat::work::Work;
use serde_json::json;
use std::fmt::Write;

/// Enough lines for several parts, in the order of these documents.
fn lines(documents: impl Iterator<Item = usize>, wrong_every: usize) -> String {
    let mut text = String::new();
    for document in documents {
        for mention in 0..20 {
            let entity = if (document + mention) % wrong_every == 0 { 7 } else { mention };
            let start = mention * 10;
            writeln!(text, "doc{document}\t{start}\t{}\tQ{entity}\t0.5", start + 4).unwrap();
        }
    }
    text
}

fn input(text: &str) -> Input {
    Source::memory("memory.tsv", text).into()
}

fn at_once(scoring: &Scoring, gold: &str, system: &str) -> Board {
    let read = |text: &str| {
        karat::registry()
            .read(&input(text), Some("neleval"), &ReadOptions::default())
            .unwrap()
            .corpus
    };
    scoring.score("gold", &read(gold), &[Run::new("system", read(system))])
}

fn streamed(scoring: &Scoring, gold: &str, system: &str) -> Result<Board, StreamError> {
    let (gold, system) = (input(gold), input(system));
    let described = &Described { from: Some("neleval".to_owned()), ..Described::default() };
    let streamed = scoring.score_stream(
        &StreamInput { name: "gold", input: &gold, described },
        &StreamInput { name: "system", input: &system, described },
    );
    streamed.map(|streamed| streamed.board)
}

#[test]
fn offsets_are_moved_in_a_stream_as_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let gold = file("gold.tsv", "d1\t0\t5\tQ64\nd2\t10\t14\tQ90\n");
    let mine = file("mine.tsv", "d1\t1\t6\tQ64\nd2\t11\t15\tQ90\n");
    let answered = |stream: bool| {
        let system = json!({"path": mine, "describe": {"shift": -1}});
        let request = json!({
            "inputs": {"gold": [{"path": gold}], "systems": [system]},
            "measures": ["link"],
            "stream": stream,
        });
        let request: EvaluationRequest = serde_json::from_value(request).unwrap();
        request.answer(&Work::default()).unwrap().systems.remove(0)
    };
    assert_eq!(answered(true).measures[0].score("f1"), Some(Some(1.0)));
    assert_eq!(answered(true), answered(false));
}

#[test]
fn a_stream_scores_as_the_whole() {
    let mut scoring = Scoring::named("karat", &["link", "mention", "tag"]).unwrap();
    scoring.bootstrap = None;
    let gold = lines(0..8_000, 1_000_000);
    let orders = [
        ("the same order", lines(0..8_000, 3)),
        ("documents missing on both sides", lines((100..8_500).filter(|at| at % 50 != 0), 3)),
        ("the other way round", lines((0..8_000).rev(), 3)),
    ];
    for (order, system) in orders {
        let whole = at_once(&scoring, &gold, &system);
        let stream = streamed(&scoring, &gold, &system).unwrap();
        let (whole, stream) = (&whole.systems[0], &stream.systems[0]);
        for (expected, found) in whole.evaluation.results.iter().zip(&stream.evaluation.results) {
            assert_eq!(expected.counts, found.counts, "{order}");
            assert_eq!(expected.micro, found.micro, "{order}");
            let mean = |result: &karat::measures::Result| result.macro_.clone().unwrap().scores;
            assert_eq!(mean(expected), mean(found), "{order}");
        }
        assert_eq!(whole.silent_documents, stream.silent_documents, "{order}");
        assert_eq!(whole.unknown_documents.len(), stream.unknown_documents.len(), "{order}");
    }
}

#[test]
fn what_a_stream_cannot_do_is_said() {
    let gold = lines(0..8_000, 1_000_000);
    let link = Scoring::named("neleval", &["link"]).unwrap();
    let scattered = lines((0..8_000).chain(0..1), 3);
    match streamed(&link, &gold, &scattered) {
        Err(StreamError::Scattered(document)) => assert_eq!(document, "doc0"),
        other => panic!("{other:?}"),
    }
    let clusters = Scoring::named("neleval", &["muc"]).unwrap();
    match streamed(&clusters, &gold, &gold) {
        Err(StreamError::NotAdditive(measure)) => assert_eq!(measure, "muc"),
        other => panic!("{other:?}"),
    }
    match streamed(&link, &gold, "doc0\tone\t4\tQ1\n") {
        Err(StreamError::Input(problem)) => {
            assert!(problem.to_string().contains("one"), "{problem}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn attributes_that_nobody_has_are_refused() {
    let mut scoring = Scoring::named("neleval", &["sets::span+reftype"]).unwrap();
    scoring.bootstrap = None;
    let (gold, system) = (lines(0..100, 1_000_000), lines(0..100, 3));
    match streamed(&scoring, &gold, &system) {
        Err(StreamError::Attribute(error)) => {
            assert!(error.message.contains("reftype"), "{}", error.message);
        }
        other => panic!("{other:?}"),
    }
}

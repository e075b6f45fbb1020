//! Requests and answers are values: written as JSON and read back, they are the same.

use crate::data::sample_folder;
use karat::conversion::ConversionRequest;
use karat::formats::Input;
use karat::harvest::{Options, harvest};
use karat::kb::Builder;
use karat::knowledge::KnowledgeRequest;
use karat::report::{FORMS, RenderOptions};
use karat::request::{Answer, Request};
use karat::scoring::{EvaluationAnswer, EvaluationRequest, rows, tables};
use karat::tagging::TaggingRequest;
use karat::work::Work;
use serde_json::json;
use std::fmt::Debug;

/// A request with about everything that an evaluation can be asked for.
fn asked(folder: &str) -> EvaluationRequest {
    let request = json!({
        "inputs": {
            "gold": [{"name": "sample", "path": format!("{folder}/gold.karat.jsonl")}],
            "systems": [
                {"name": "careful", "path": format!("{folder}/systems/careful.karat.jsonl")},
                {"path": format!("{folder}/systems/popular.karat.jsonl")},
            ],
        },
        "convention": {"settings": {"optional": "no"}},
        "measures": ["link", "link.f1@macro", "disambiguation", "average-precision", "b-cubed", "muc"],
        "group_by": ["type"],
        "similarity": true,
        "curve": true,
        "fail_under": ["link.f1=0.99"],
    });
    serde_json::from_value(request).expect("a request")
}

#[test]
fn requests_and_answers_read_back_equal() {
    let folder = sample_folder();
    let request = asked(&folder);
    let again: EvaluationRequest =
        serde_json::from_str(&serde_json::to_string(&request).expect("JSON")).expect("a request");
    assert_eq!(again, request);
    let answer = request.answer(&Work::default()).expect("an answer");
    let text = serde_json::to_string_pretty(&answer).expect("JSON");
    let again: EvaluationAnswer = serde_json::from_str(&text).expect("an answer");
    assert_eq!(again, answer);
    assert_eq!(serde_json::to_string_pretty(&again).expect("JSON"), text);
    // What is shown comes from the record alone.
    let shown = |answer: &EvaluationAnswer| {
        [
            tables::headline(answer),
            tables::others(answer),
            tables::slices(answer),
            tables::curves(answer),
            rows::everything(answer),
        ]
        .map(|table| format!("{table:?}"))
    };
    assert_eq!(shown(&again), shown(&answer));
}

#[test]
fn gates_are_verdicts_and_notices() {
    let answer = asked(&sample_folder()).answer(&Work::default()).expect("an answer");
    assert!(!answer.passes());
    assert_eq!(answer.gates.len(), 2);
    let missed = answer.notices().iter().filter(|notice| notice.id == "gate-missed");
    assert_eq!(missed.count(), 2);
}

#[test]
fn a_cancelled_request_has_no_answer() {
    let work = Work::default();
    work.cancel.cancel();
    let error = asked(&sample_folder()).answer(&work).expect_err("no answer");
    assert_eq!(error.notice().id, "cancelled");
}

#[test]
fn an_unknown_key_is_refused() {
    let request: Result<EvaluationRequest, _> =
        serde_json::from_value(json!({"inputs": {}, "measure": ["link"]}));
    let message = request.expect_err("a mistyped key").to_string();
    assert!(message.contains("`measure`"), "{message}");
}

/// Answers a request that is written as JSON, and sees to it that both survive being written.
fn reads_back<R: Request + PartialEq + Debug>(request: serde_json::Value) -> R::Answer
where
    R::Answer: Debug,
{
    let request: R = serde_json::from_value(request).expect("a request");
    let again = serde_json::from_str(&serde_json::to_string(&request).expect("JSON"));
    assert_eq!(again.ok().as_ref(), Some(&request));
    let answer = request.answer(&Work::default()).expect("an answer");
    let text = serde_json::to_string(&answer).expect("JSON");
    let again: R::Answer = serde_json::from_str(&text).expect("an answer");
    assert_eq!(again, answer);
    assert_eq!(serde_json::to_string(&again).expect("JSON"), text);
    for form in FORMS {
        let shown =
            |answer: &R::Answer| answer.report().render(*form, &RenderOptions::default()).text;
        assert_eq!(shown(&again), shown(&answer), "{}", form.name());
    }
    answer
}

#[test]
fn conversions_and_tags_read_back_equal() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let gold = format!("{}/gold.karat.jsonl", sample_folder());
    let converted = reads_back::<ConversionRequest>(
        json!({"input": {"path": gold}, "output": path("gold.tsv"), "side": "gold"}),
    );
    assert!(!converted.notices().is_empty(), "a table cannot hold texts");
    let tagged = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tagging/gold.karat.jsonl");
    for output in [None, Some(path("tagged.jsonl"))] {
        reads_back::<TaggingRequest>(
            json!({"input": {"path": tagged}, "output": output, "dimensions": ["overlap", "pos"]}),
        );
    }
}

#[test]
fn what_a_knowledge_base_says_reads_back_equal() {
    let folder = tempfile::tempdir().expect("a folder");
    let kb = folder.path().join("small.kb");
    let facts = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/knowledge-base/entities.csv");
    let mut builder = Builder::beside(&kb).expect("a file");
    let input = Input::open(facts).expect("a table");
    harvest(&[input], &mut builder, &Options::default()).expect("entities");
    builder.finish().expect("a base");
    for (question, complete) in [
        (json!({"info": {"verify": true}}), true),
        (json!({"entities": {"ids": ["Q64", "Q7"], "spellings": true}}), false),
        (json!({"normalise": {"ids": ["Q64"]}}), true),
        (json!({"candidates": {"mentions": ["Berlin"], "number": 3}}), true),
    ] {
        let answer = reads_back::<KnowledgeRequest>(json!({"kb": kb, "question": question}));
        assert_eq!(answer.passes(), complete, "{question}");
    }
}

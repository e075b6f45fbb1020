//! Requests and answers are values: written as JSON and read back, they are the same.

use crate::data::sample_folder;
use karat::request::{Answer, Request};
use karat::scoring::{EvaluationAnswer, EvaluationRequest, rows, tables};
use karat::work::Work;
use serde_json::json;

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

//! Requests about errors and their answers are values: written as JSON and read back, they are the same.

use crate::data::sample_folder;
use karat::elevant::{ElevantAnswer, ElevantRequest};
use karat::errors::{ErrorsAnswer, ErrorsRequest};
use karat::report::{FORMS, RenderOptions};
use karat::request::{Answer, Request};
use karat::work::Work;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

fn inputs() -> Value {
    let folder = sample_folder();
    let system =
        |name: &str| json!({"name": name, "path": format!("{folder}/systems/{name}.karat.jsonl")});
    json!({
        "gold": [{"name": "sample", "path": format!("{folder}/gold.karat.jsonl")}],
        "systems": (["careful", "popular", "spotter"].map(system)),
    })
}

/// A request about the sample with these fields.
fn request<R: DeserializeOwned>(mut fields: Value) -> R {
    fields["inputs"] = inputs();
    serde_json::from_value(fields).expect("a request")
}

fn errors(fields: Value) -> ErrorsAnswer {
    request::<ErrorsRequest>(fields).answer(&Work::default()).expect("an answer")
}

/// The notice that a request is refused with.
fn refused(fields: Value) -> String {
    let refused = request::<ErrorsRequest>(fields.clone()).answer(&Work::default());
    refused.expect_err(&fields.to_string()).to_string()
}

fn has_notice(answer: &ErrorsAnswer, id: &str) -> bool {
    answer.notices().iter().any(|notice| notice.id == id)
}

/// Everything that can be asked, and the key that the answer is under.
fn questions() -> Vec<(Value, &'static str)> {
    vec![
        (json!({}), "rows"),
        (json!({"unique": true, "only": ["popular"]}), "rows"),
        (json!({"question": {"list": "error"}}), "rows"),
        (
            json!({"question": {"list": "error"}, "categories": ["missing NIL", "wrong-link"]}),
            "rows",
        ),
        (json!({"question": {"count": "category"}}), "rows"),
        (
            json!({"question": {"count": "category"}, "where": ["type=PER"], "unknowns": "required"}),
            "rows",
        ),
        (json!({"question": {"count": "relation"}}), "rows"),
        (json!({"question": {"count": "span-error"}}), "rows"),
        (json!({"question": {"list": "category"}}), "rows"),
        (
            json!({"question": {"list": "error"}, "where": ["relation=overlap, same entity"]}),
            "rows",
        ),
        (json!({"question": {"list": "error"}, "categories": ["wrong_disambiguation"]}), "rows"),
        (json!({"question": {"diff": ["careful", "popular"]}}), "rows"),
        (json!({"question": {"suspects": {}}}), "tasks"),
        (json!({"question": {"suspects": {"agree": 3}}, "where": ["doc=stub-river"]}), "tasks"),
        (json!({"question": {"confusion": "base-form"}}), "rows"),
        (json!({"question": "partial-spans"}), "rows"),
    ]
}

#[test]
fn requests_and_answers_about_errors_read_back_equal() {
    for (fields, key) in questions() {
        let request: ErrorsRequest = request(fields.clone());
        let again: ErrorsRequest =
            serde_json::from_str(&serde_json::to_string(&request).expect("JSON"))
                .expect("a request");
        assert_eq!(again, request, "{fields}");
        let answer = request.answer(&Work::default()).expect("an answer");
        let text = serde_json::to_string_pretty(&answer).expect("JSON");
        let again: ErrorsAnswer = serde_json::from_str(&text).expect("an answer");
        assert_eq!(again, answer, "{fields}");
        assert_eq!(serde_json::to_string_pretty(&again).expect("JSON"), text, "{fields}");
        let json: Value = serde_json::from_str(&text).expect("JSON");
        assert!(json[key].is_array(), "{fields}: {text}");
        // What is shown comes from the record alone.
        for form in FORMS {
            let shown = |answer: &ErrorsAnswer| {
                answer.report().render(*form, &RenderOptions::default()).text
            };
            assert_eq!(shown(&again), shown(&answer), "{fields} as {}", form.name());
        }
    }
}

#[test]
fn a_question_that_would_leave_something_out_is_refused() {
    let list = json!({"list": "category"});
    for (fields, message) in [
        (json!({"unique": true, "question": list}), "`unique` is about kinds"),
        (json!({"unknowns": "ignored"}), "only categories treat unknown entities"),
        (json!({"unknowns": "ignored", "question": "partial-spans"}), "only categories treat"),
        (json!({"categories": ["missing"]}), "narrow lists down, and nothing is listed"),
        (json!({"where": ["doc=1"]}), "labels narrow lists down"),
        (json!({"where": ["doc=1"], "question": "partial-spans"}), "labels narrow lists down"),
        (json!({"question": {"list": "relation"}}), "count mentions and list none"),
        (json!({"question": {"diff": ["popular", "popular"]}}), "does not differ from itself"),
        (json!({"question": {"diff": ["popular", "nobody"]}}), "there is no system `nobody`"),
        (json!({"only": ["nobody"]}), "there is no system `nobody`"),
        (json!({"question": {"suspects": {"agree": 0}}}), "at least one system"),
        (json!({"question": {"suspects": {"agree": 4}}}), "4 systems are to agree about `sample`"),
        (json!({"question": {"suspects": {}}, "categories": ["missing"]}), "of all categories"),
        (json!({"question": {"confusion": "error"}}), "`error` is no label of gold mentions"),
        (json!({"question": list, "categories": ["metonomy"]}), "no kind or category `metonomy`"),
        (json!({"question": list, "where": ["type"]}), "`type` names no label"),
    ] {
        let shown = refused(fields.clone());
        assert!(shown.contains(message), "{fields}: {shown}");
    }
}

#[test]
fn what_has_to_be_known_about_errors_is_a_notice() {
    let by_category = json!({"question": {"count": "category"}});
    assert!(has_notice(&errors(by_category), "categories-unknown"));
    let mistyped = json!({"question": {"count": "category"}, "where": ["type=PERS"]});
    let mistyped = errors(mistyped);
    let notice = mistyped.notices().iter().find(|notice| notice.id == "no-such-label");
    assert!(notice.is_some_and(|it| it.message.contains("`PER`")), "{notice:?}");
    assert!(has_notice(&mistyped, "words-unknown"));
    let nobody = json!({"question": {"list": "error"}, "categories": ["hyperlink"]});
    assert!(has_notice(&errors(nobody), "no-such-error"));
    let diff = errors(json!({"question": {"diff": ["careful", "popular"]}}));
    assert!(has_notice(&diff, "differences-counted"));
    let agree = json!({"question": {"suspects": {"agree": 3}}, "where": ["doc=stub-river"]});
    assert!(has_notice(&errors(agree), "nobody-agrees"));
}

#[test]
fn neleval_lists_what_is_right_and_prints_no_other_lists() {
    let list: ErrorsRequest = request(json!({"question": {"list": "error"}, "only": ["careful"]}));
    let printed = list.for_neleval().and_then(|list| list.inspect(&Work::default()));
    let printed = printed.expect("a list").neleval();
    assert!(printed.contains("correct link\t") && printed.contains("missing\t"), "{printed}");
    let counts: ErrorsRequest = request(json!({}));
    let printed = counts.for_neleval().and_then(|counts| counts.inspect(&Work::default()));
    let printed = printed.expect("counts").neleval();
    assert!(printed.starts_with("# careful\n") && printed.contains("# popular\n"), "{printed}");
    let diff: ErrorsRequest = request(json!({"question": {"diff": ["careful", "popular"]}}));
    let refused = diff.for_neleval().expect_err("neleval knows no differences");
    assert_eq!(refused.to_string(), "neleval has no such list");
}

#[test]
fn answers_in_the_manner_of_elevant_read_back_equal_and_are_written() {
    let fields = |cases: bool| json!({"convention": {"preset": "elevant"}, "cases": cases});
    for cases in [false, true] {
        let request: ElevantRequest = request(fields(cases));
        let answer = request.answer(&Work::default()).expect("an answer");
        let text = serde_json::to_string(&answer).expect("JSON");
        let again: ElevantAnswer = serde_json::from_str(&text).expect("an answer");
        assert_eq!(again, answer);
        assert_eq!(answer.results().as_object().map(serde_json::Map::len), Some(3));
        assert!(answer.results()["careful.sample"]["IGNORED"]["error_categories"].is_object());
        assert_eq!(answer.systems.iter().any(|system| !system.files.cases.is_empty()), cases);
    }
    let answer = request::<ElevantRequest>(fields(true)).answer(&Work::default());
    let folder = tempfile::tempdir().expect("a folder");
    let answer = answer.expect("an answer");
    answer.write(folder.path(), std::time::UNIX_EPOCH).expect("files");
    let written = |ending: &str| {
        std::fs::read_to_string(folder.path().join(format!("careful.sample.{ending}")))
            .expect("a file")
    };
    assert_eq!(
        written("eval_results.json").trim_end(),
        answer.systems[0].files.results.to_string()
    );
    assert_eq!(written("eval_cases.jsonl").lines().count(), answer.systems[0].files.cases.len());
    assert!(written("metadata.json").contains("\"timestamp\":\"1970/01/01 00:00\""));
    let other = request::<ElevantRequest>(json!({})).answer(&Work::default());
    let message = other.expect_err("karat's own counts").to_string();
    assert_eq!(message, "the counts of the preset `karat` are not ELEVANT's");
}

#[test]
fn a_cancelled_request_about_errors_has_no_answer() {
    let work = Work::default();
    work.cancel.cancel();
    let error = request::<ErrorsRequest>(json!({})).answer(&work).expect_err("no answer");
    assert_eq!(error.notice().id, "cancelled");
}

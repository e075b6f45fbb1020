//! Asking linkers as a request: from JSON and back, with what whoever asks may ask.

use karat::linking::{LinkingAnswer, LinkingRequest};
use karat::request::{Answer, Request, answer};
use karat::work::{LinkersAllowed, Work};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn gold(folder: &tempfile::TempDir) -> String {
    let lines: Vec<String> = (0..50)
        .map(|number| {
            let link = json!([{"span": [3, 9], "link": "Q64"}, {"span": [11, 14], "link": null}]);
            json!({"document": format!("d{number}"), "text": "In Berlin, Ada left.", "annotations": link}).to_string()
        })
        .collect();
    let path = folder.path().join("gold.karat.jsonl");
    std::fs::write(&path, lines.join("\n")).unwrap();
    path.display().to_string()
}

#[test]
fn a_request_in_json_is_answered_and_the_answer_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let request = json!({
        "request": "linking", "linker": "oracle", "input": {"path": gold(&folder)},
        "scored": true, "measures": ["link"], "folder": folder.path().join("run"),
    });
    let answered = answer(&request.to_string(), &Work::default()).unwrap();
    let record = answered.record();
    let kept: LinkingAnswer = serde_json::from_value(record.clone()).unwrap();
    assert_eq!(serde_json::to_value(&kept).unwrap(), record);
    assert_eq!((kept.documents.answered, kept.linked, kept.passes()), (50, 50, true));
    assert_eq!(kept.scores.unwrap().systems[0].measures[0].score("f1"), Some(Some(1.0)));
    let report: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("run/report.json")).unwrap())
            .unwrap();
    assert_eq!(report["signature"], record["signature"]);
    let here = folder.path().display().to_string();
    assert!(!report.to_string().contains(&here), "folders of runs are given away: no paths");
    let listed = answer(r#"{"request": "linkers"}"#, &Work::default()).unwrap();
    let names = listed.record()["linkers"].as_array().unwrap().len();
    assert!(names > 20, "{names}");
}

#[test]
fn who_is_not_trusted_asks_linkers_of_this_process_only() {
    let folder = tempfile::tempdir().unwrap();
    let input = json!({"path": gold(&folder)});
    let refused = |request: Value, linkers: LinkersAllowed| {
        let request: LinkingRequest = serde_json::from_value(request).unwrap();
        let error = request.answer(&Work { linkers, ..Work::default() }).unwrap_err();
        assert!(error.to_string().contains("cannot be used here"), "{error}");
    };
    let program = json!({"program": "touch ran", "input": input});
    let own = json!({"linker": "mine.toml", "input": input});
    let address = json!({"linker": "rel", "url": "http://127.0.0.1:1/", "input": input});
    for request in [program, own, address] {
        refused(request.clone(), LinkersAllowed::Own);
        refused(request, LinkersAllowed::Public);
    }
    refused(json!({"linker": "rel", "input": input}), LinkersAllowed::Own);
}

#[test]
fn a_run_is_watched_and_cancelled() {
    struct Documents(AtomicU64);
    impl karat::model::Progress for Documents {
        fn advance(&self, amount: u64) {
            self.0.fetch_add(amount, Ordering::Relaxed);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let request: LinkingRequest =
        serde_json::from_value(json!({"linker": "none", "input": {"path": gold(&folder)}}))
            .unwrap();
    let documents = Arc::new(Documents(AtomicU64::new(0)));
    let work = Work { progress: Some(documents.clone()), ..Work::default() };
    assert_eq!(request.answer(&work).unwrap().documents.empty, 50);
    assert!(documents.0.load(Ordering::Relaxed) >= 50);
    work.cancel.cancel();
    assert_eq!(request.answer(&work).unwrap_err().to_string(), "cancelled");
}

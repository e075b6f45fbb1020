//! Long work is watched and stopped inside its loops, and computes on the threads that it was given.

use karat::collection::{CollectionSizeRequest, CollectionStatsRequest};
use karat::comparison::ComparisonRequest;
use karat::conversion::ConversionRequest;
use karat::error::Error;
use karat::errors::ErrorsRequest;
use karat::model::{Cancel, Progress};
use karat::request::Request;
use karat::scoring::EvaluationRequest;
use karat::tagging::TaggingRequest;
use karat::work::Work;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

/// So many documents are several blocks of a file, and many parts of a corpus.
const DOCUMENTS: usize = 6_000;

/// Gold and two systems.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Files {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, wrong) in [("gold", 0), ("first", 3), ("second", 5)] {
            let row = |at: usize| {
                let entity = if wrong > 0 && at.is_multiple_of(wrong) { at + 1 } else { at };
                format!("document-{at}\t0\t6\tQ{entity}\ndocument-{at}\t9\t20\tQ{entity}\n")
            };
            let rows: String = (0..DOCUMENTS).map(row).collect();
            let path = folder.path().join(format!("{name}.tsv"));
            std::fs::write(path, format!("doc\tstart\tend\tlink\n{rows}")).expect("a file");
        }
        Files(folder)
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(format!("{name}.tsv")).display().to_string()
    }

    fn request<R: serde::de::DeserializeOwned>(&self, more: Value) -> R {
        let mut request = json!({"inputs": {
            "gold": [{"path": self.path("gold")}],
            "systems": [{"path": self.path("first")}, {"path": self.path("second")}],
        }});
        for (key, value) in more.as_object().expect("an object") {
            request[key] = value.clone();
        }
        serde_json::from_value(request).expect("a request")
    }
}

/// Notes how far each step came, and on which threads. It may stop the work in one of them, as soon as something of
/// it is done.
#[derive(Default)]
struct Watcher {
    stops_in: Option<&'static str>,
    cancel: Cancel,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    step: &'static str,
    totals: BTreeMap<&'static str, u64>,
    done: BTreeMap<&'static str, u64>,
    threads: BTreeSet<String>,
}

impl Progress for Watcher {
    fn begin(&self, step: &'static str, total: u64) {
        let mut seen = self.seen.lock().expect("no panic");
        seen.step = step;
        *seen.totals.entry(step).or_default() += total;
    }

    fn advance(&self, amount: u64) {
        let mut seen = self.seen.lock().expect("no panic");
        let step = seen.step;
        *seen.done.entry(step).or_default() += amount;
        seen.threads.insert(std::thread::current().name().unwrap_or("no name").to_owned());
        if self.stops_in == Some(step) {
            self.cancel.cancel();
        }
    }
}

/// Work on two threads of its own pool, and who watches it.
fn watched(stops_in: Option<&'static str>) -> (Work, Arc<Watcher>) {
    let cancel = Cancel::default();
    let watcher = Arc::new(Watcher { stops_in, cancel: cancel.clone(), ..Watcher::default() });
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2);
    let pool = pool.thread_name(|at| format!("given {at}")).build().expect("a pool");
    let work = Work {
        pool: Some(Arc::new(pool)),
        progress: Some(watcher.clone()),
        cancel,
        ..Work::default()
    };
    (work, watcher)
}

/// Stops the work in each of these steps, each time anew.
fn stops<R: Request>(request: &R, steps: &[&'static str]) {
    for &step in steps {
        let (work, watcher) = watched(Some(step));
        let outcome = request.answer(&work);
        assert!(matches!(outcome, Err(Error::Cancelled)), "{} in {step}", R::NAME);
        let seen = watcher.seen.lock().expect("no panic");
        let (done, total) = (seen.done[step], seen.totals[step]);
        assert!(0 < done && done < total, "{} in {step}: {done} of {total}", R::NAME);
    }
}

/// How much is written between two looks at the watch, in bytes.
const BLOCK: u64 = 1 << 18;

/// Stops the work as soon as something of a step is done, and sees that hardly more of it is done.
fn stops_within<R: Request>(request: &R, step: &'static str, most: u64) {
    let (work, watcher) = watched(Some(step));
    assert!(matches!(request.answer(&work), Err(Error::Cancelled)), "{} in {step}", R::NAME);
    let done = watcher.seen.lock().expect("no panic").done[step];
    assert!((1..=most).contains(&done), "{} in {step}: {done}", R::NAME);
}

/// Nothing is computed elsewhere than in the pool, and every step is told to its end.
fn stays_in_its_pool<R: Request>(request: &R, steps: &[&'static str]) {
    let (work, watcher) = watched(None);
    request.answer(&work).expect("an answer");
    let seen = watcher.seen.lock().expect("no panic");
    let is_given = |name: &String| name.starts_with("given ");
    assert!(seen.threads.iter().all(is_given), "{}: {:?}", R::NAME, seen.threads);
    for step in steps {
        assert!(seen.done[step] >= seen.totals[step], "{} in {step}", R::NAME);
    }
}

#[test]
fn evaluations_are_stopped_anywhere() {
    let files = Files::new();
    let request: EvaluationRequest = files.request(json!({"drawing": {"trials": 1000}}));
    stops(&request, &["reading", "scoring", "drawing"]);
    stays_in_its_pool(&request, &["reading", "scoring", "drawing"]);
    let curves: EvaluationRequest = files.request(json!({"curve": true, "similarity": true}));
    stops(&curves, &["scoring"]);
}

#[test]
fn comparisons_are_stopped_anywhere() {
    let files = Files::new();
    let request: ComparisonRequest = files.request(json!({}));
    stops(&request, &["reading", "scoring", "drawing"]);
    stays_in_its_pool(&request, &["reading", "scoring", "drawing"]);
}

#[test]
fn looking_for_errors_is_stopped() {
    let files = Files::new();
    let request: ErrorsRequest = files.request(json!({}));
    stops(&request, &["reading", "looking for errors"]);
    stays_in_its_pool(&request, &["reading", "looking for errors"]);
}

#[test]
fn drawing_sizes_is_stopped() {
    let files = Files::new();
    let request = json!({"orders": 40, "trials": 100, "at": ["10%", "20%"]});
    let request: CollectionSizeRequest = files.request(request);
    stops(&request, &["reading", "scoring", "drawing"]);
    stays_in_its_pool(&request, &["reading", "scoring", "drawing"]);
}

#[test]
fn counting_what_benchmarks_are_made_of_is_stopped_within_a_document() {
    let files = Files::new();
    let request = json!({"gold": [{"path": files.path("gold")}, {"path": files.path("first")}]});
    let request: CollectionStatsRequest = serde_json::from_value(request).expect("a request");
    stops(&request, &["reading", "counting"]);
    stops_within(&request, "counting", 1);
    stays_in_its_pool(&request, &["reading", "counting"]);
}

#[test]
fn tagging_is_stopped_within_a_document_and_writes_nothing() {
    let files = Files::new();
    let output = files.0.path().join("tagged.karat.jsonl");
    let input = json!({"path": files.path("gold")});
    let request = json!({
        "input": input, "output": output.display().to_string(), "to": "karat-jsonl", "dimensions": ["overlap"],
    });
    let request: TaggingRequest = serde_json::from_value(request).expect("a request");
    stops(&request, &["reading", "tagging"]);
    stops_within(&request, "tagging", 1);
    stops_within(&request, "writing", BLOCK);
    assert!(!output.exists());
    stays_in_its_pool(&request, &["reading", "tagging"]);
    assert!(output.exists());
    let compared: TaggingRequest =
        serde_json::from_value(json!({"input": input, "dimensions": ["overlap"]}))
            .expect("a request");
    stops_within(&compared, "tagging", 1);
}

#[test]
fn conversion_is_stopped_within_a_block_and_writes_nothing() {
    let files = Files::new();
    for (name, to) in [("converted.karat.jsonl", "karat-jsonl"), ("converted.csv", "csv")] {
        let output = files.0.path().join(name);
        let input = json!({"path": files.path("gold")});
        let request = json!({"input": input, "output": output.display().to_string(), "to": to});
        let request: ConversionRequest = serde_json::from_value(request).expect("a request");
        stops(&request, &["reading"]);
        stops_within(&request, "writing", 2 * BLOCK);
        assert!(!output.exists());
        stays_in_its_pool(&request, &["reading"]);
        assert!(output.exists());
    }
}

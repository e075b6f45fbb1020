//! Requests about test collections: what is asked and answered can be written down and read back.

use crate::data::sample_folder;
use karat::collection::{
    CollectionSizeAnswer, CollectionSizeRequest, CollectionStatsRequest, QueryModelAnswer,
    QueryModelRequest, SampleRequest,
};
use karat::model::Notice;
use karat::report::plot::Plot;
use karat::report::{FORMS, RenderOptions};
use karat::request::{Answer, Request};
use karat::work::Work;
use serde_json::{Value, json};
use std::fmt::Debug;

/// Asks something that is written as JSON, and sees to it that request and answer survive being written. What is
/// shown must come from the record alone, in every form.
fn answered<R: Request + PartialEq + Debug>(request: Value) -> R::Answer
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
        assert!(!shown(&answer).is_empty(), "{}", form.name());
    }
    answer
}

fn refused<R: Request>(request: Value) -> String {
    let request: R = serde_json::from_value(request).expect("a request");
    request.answer(&Work::default()).err().expect("no answer").notice().message
}

fn inputs() -> Value {
    let folder = sample_folder();
    let system = |name: &str| json!({"path": format!("{folder}/systems/{name}.karat.jsonl")});
    json!({
        "gold": [{"path": format!("{folder}/gold.karat.jsonl")}],
        "systems": [system("careful"), system("popular")],
    })
}

fn keys(answer: &impl serde::Serialize) -> Vec<String> {
    let record = serde_json::to_value(answer).expect("JSON");
    record.as_object().expect("an object").keys().cloned().collect()
}

fn ids(notices: &[Notice]) -> Vec<&str> {
    notices.iter().map(|notice| notice.id.as_ref()).collect()
}

fn drawn(plots: &[impl Plot]) -> Vec<String> {
    plots.iter().map(Plot::svg).collect()
}

#[test]
fn what_benchmarks_are_made_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let bare = folder.path().join("bare.tsv");
    std::fs::write(&bare, "d1\t0\t5\tQ64\n").expect("a file");
    let names = folder.path().join("names.tsv");
    std::fs::write(&names, "Paris\tQ90\n").expect("a file");
    let gold = json!({"path": format!("{}/gold.karat.jsonl", sample_folder())});
    let answer = answered::<CollectionStatsRequest>(json!({
        "gold": [gold, {"name": "bare", "path": bare}],
        "names": names,
    }));
    let contract = ["karat", "signature", "figures", "shares", "benchmarks", "notices"];
    assert_eq!(keys(&answer), contract);
    assert_eq!(
        answer.figures[0],
        *json!({"figure": "documents", "gold": 14, "bare": 1}).as_object().unwrap()
    );
    assert_eq!(ids(answer.notices()), ["no-texts"]);
    assert_eq!(answer.notices()[0].subject.as_deref(), Some("bare"));
    assert_eq!(keys(&answer.benchmarks[0]), ["name", "figures", "shares", "properties"]);
    assert_eq!(refused::<CollectionStatsRequest>(json!({})), "there is no benchmark");
}

#[test]
fn how_far_scores_move() {
    let answer = answered::<QueryModelRequest>(json!({
        "inputs": inputs(), "remove": [5, "10%"], "add": ["10%"], "draws": 50, "deviation": 0.01,
    }));
    assert_eq!(
        keys(&answer),
        [
            "karat",
            "signature",
            "answers",
            "changes",
            "budget",
            "systems",
            "draws",
            "seed",
            "notices"
        ]
    );
    // Two systems, three changes, three scores.
    assert_eq!((answer.answers.len(), answer.changes.len(), answer.budget.len()), (2, 18, 2));
    let change = serde_json::to_value(&answer.changes[3]).expect("JSON");
    assert_eq!((&change["system"], &change["change"]), (&json!("careful"), &json!("remove 17")));
    // The plots are made of what the record has.
    let text = serde_json::to_string(&answer).expect("JSON");
    let again: QueryModelAnswer = serde_json::from_str(&text).expect("an answer");
    assert_eq!(answer.f1_histograms().len(), 6);
    assert_eq!(answer.f1_histograms()[1].title, "F1 of careful after: remove 17");
    assert_eq!(drawn(&again.f1_histograms()), drawn(&answer.f1_histograms()));
}

#[test]
fn how_far_scores_of_counts_move() {
    let cells = json!([452, 371, 357, 548, 518]);
    let answer = answered::<QueryModelRequest>(
        json!({"cells": cells, "remove": [100], "mix": [0.5, 0.8, 0.9]}),
    );
    assert!(answer.signature.ends_with("|cells:452,371,357,548,518|mix:0.5,0.8,0.9"), "{answer:?}");
    assert_eq!(answer.changes[0].drawn_mean, None);
    assert_eq!(answer.f1_histograms()[0].title, "F1 after: remove 100");
    for (request, message) in [
        (json!({}), "there are no queries"),
        (json!({"cells": cells, "inputs": inputs()}), "queries are given as counts and as files"),
        (json!({"cells": cells, "mix": [1, 1, 2]}), "`1,1,2` are not three shares"),
        (json!({"cells": cells, "deviation": -1}), "`-1` is no standard deviation"),
        (
            json!({"cells": cells, "draws": 100_000_000}),
            "100000000 draws would not fit into memory",
        ),
    ] {
        assert_eq!(refused::<QueryModelRequest>(request), message);
    }
    let bad = serde_json::from_value::<QueryModelRequest>(json!({"remove": ["105%"]}));
    let message = bad.expect_err("no share").to_string();
    assert!(message.contains("a share such as 5%"), "{message}");
}

#[test]
fn a_distribution_that_is_not_known_is_said_to_be() {
    let cells = json!([2_000_000, 1_500_000, 1_000_000, 3_000_000, 2_500_000]);
    let asked = |draws: usize| {
        let request = json!({"cells": cells, "remove": [1_000_000], "draws": draws});
        answered::<QueryModelRequest>(request)
    };
    for (draws, known) in [(20, "are those of the draws"), (0, "are not known")] {
        let answer = asked(draws);
        assert_eq!(ids(answer.notices()), ["too-many-cases"]);
        assert!(answer.notices()[0].message.ends_with(known), "{:?}", answer.notices());
        assert_eq!(answer.changes[0].mean.is_some(), draws > 0);
    }
}

#[test]
fn how_many_are_enough() {
    let asked =
        json!({"inputs": inputs(), "by": "document", "at": [5, "100%"], "orders": 5, "trials": 50});
    let answer = answered::<CollectionSizeRequest>(asked.clone());
    assert_eq!(
        keys(&answer),
        ["karat", "signature", "systems", "growth", "orders", "width", "evolution", "notices"]
    );
    assert_eq!(ids(answer.notices()), ["few-trials"]);
    assert_eq!((answer.evolution.best(), answer.evolution.units), ("careful", 14));
    let text = serde_json::to_string(&answer).expect("JSON");
    let again: CollectionSizeAnswer = serde_json::from_str(&text).expect("an answer");
    let plots = |answer: &CollectionSizeAnswer| {
        let evolution = &answer.evolution;
        drawn(&[evolution.f1_plot(), evolution.separation_plot(), evolution.power_plot()])
    };
    assert_eq!(plots(&again), plots(&answer));
    for (key, value, message) in [
        ("width", json!(0), "`0` is no width of an interval"),
        ("trials", json!(0), "no samples are to be drawn"),
        ("at", json!([0]), "the set cannot be looked at with 0 of 14"),
    ] {
        let mut asked = asked.clone();
        asked[key] = value;
        assert_eq!(refused::<CollectionSizeRequest>(asked), message);
    }
}

#[test]
fn mentions_to_annotate() {
    let gold = json!({"path": format!("{}/gold.karat.jsonl", sample_folder())});
    let request = json!({
        "corpus": gold, "by": "document", "number": 2, "strata": "type",
        "sizes": {"PER": 3, "CAR": 1, "ORG": 100},
    });
    let answer = answered::<SampleRequest>(request.clone());
    assert_eq!(keys(&answer), ["karat", "by", "seed", "tasks", "notices"]);
    assert_eq!(ids(answer.notices()), ["empty-stratum", "small-sample"]);
    let line = ["task", "document", "span", "mention", "before", "after", "candidates", "stratum"];
    assert_eq!(keys(&answer.tasks[0])[..8], line);
    let persons = answer.tasks.iter().filter(|task| task.stratum.as_deref() == Some("PER"));
    assert_eq!(persons.count(), 3);
    // The documents of the chosen mentions, with these alone.
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("chosen.jsonl").display().to_string();
    let request: SampleRequest = serde_json::from_value(request).expect("a request");
    let written = |format: &str, path: &str| {
        request.write(&answer.tasks, format, path, &Work::default()).expect("a file")
    };
    assert_eq!(written("karat-jsonl", &path), []);
    // What a format cannot hold is told.
    let table = written("neleval", &folder.path().join("chosen.tsv").display().to_string());
    assert_eq!(ids(&table), ["left-out"]);
    assert!(table[0].message.starts_with("`neleval` cannot hold everything"), "{table:?}");
    let chosen = karat::formats::Input::open(&path).expect("a file");
    let chosen = karat::registry().read(&chosen, None, &Default::default()).expect("a corpus");
    assert!(chosen.corpus.annotations().len() >= answer.tasks.len());
    assert!(chosen.corpus.len() <= 14);
    let unknown = request.check_target("nowhere").expect_err("no format").notice();
    assert_eq!(unknown.message, "no format is called `nowhere`");
    let without_strata = json!({"corpus": gold, "by": "mention", "number": 1, "sizes": {"PER": 1}});
    assert_eq!(
        refused::<SampleRequest>(without_strata),
        "sizes of strata are given, and no strata"
    );
}

#[test]
fn a_lenient_sample_says_what_it_skipped() {
    let folder = tempfile::tempdir().expect("a folder");
    let corpus = folder.path().join("corpus.tsv");
    std::fs::write(&corpus, "d1\t0\t5\tQ64\nd2\tno offset\t5\tQ90\nd3\t0\t5\tQ1\n")
        .expect("a file");
    let asked = |lenient: bool| {
        json!({
            "corpus": {"path": corpus}, "by": "document", "number": 2,
            "reading": {"lenient": lenient},
        })
    };
    let answer = answered::<SampleRequest>(asked(true));
    assert_eq!(answer.tasks.len(), 2);
    assert_eq!(ids(answer.notices()), ["skipped-record", "skipped-records"]);
    assert_eq!(answer.notices()[0].place.as_ref().and_then(|place| place.line), Some(2));
    assert!(!refused::<SampleRequest>(asked(false)).is_empty());
}

#[test]
fn cancelled_requests_have_no_answer() {
    let work = Work::default();
    work.cancel.cancel();
    let sample = json!({
        "corpus": {"path": format!("{}/gold.karat.jsonl", sample_folder())},
        "by": "mention",
        "number": 1,
    });
    let sample: SampleRequest = serde_json::from_value(sample).expect("a request");
    assert_eq!(sample.answer(&work).expect_err("no answer").notice().id, "cancelled");
    let model = json!({"cells": [452, 371, 357, 548, 518], "remove": [1]});
    let model: QueryModelRequest = serde_json::from_value(model).expect("a request");
    assert_eq!(model.answer(&work).expect_err("no answer").notice().id, "cancelled");
}

#[test]
fn offsets_of_a_sample_are_moved() {
    let folder = tempfile::tempdir().expect("a folder");
    let corpus = folder.path().join("corpus.tsv");
    std::fs::write(&corpus, "d1\t1\t5\tQ64\n").expect("a file");
    let asked = |shift: i64| {
        let corpus = json!({"path": corpus, "describe": {"shift": shift}});
        json!({"corpus": corpus, "by": "document", "number": 1})
    };
    let spans = |shift: i64| answered::<SampleRequest>(asked(shift)).tasks[0].span.start;
    assert_eq!((spans(0), spans(-1)), (1, 0));
    assert!(refused::<SampleRequest>(asked(-2)).contains("would be in no text"));
}

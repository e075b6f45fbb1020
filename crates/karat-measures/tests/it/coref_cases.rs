//! The test cases of the reference scorer of CoNLL (Pradhan et al. 2014).

use crate::clusterings::{score, table};
use crate::data;
use karat_measures::clustering::Contingency;
use serde_json::Value;

const NAMES: [(&str, &str); 5] = [
    ("muc", "muc"),
    ("bcub", "b_cubed"),
    ("ceafm", "mention_ceaf"),
    ("ceafe", "entity_ceaf"),
    ("blanc", "blanc"),
];

/// The reference prints five digits.
const TOLERANCE: f64 = 6e-6;

#[test]
fn all_reference_cases() {
    let Some(file) = data::file("neleval/coref_cases.json") else { return };
    let cases: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let cases = cases.as_array().unwrap();
    let checks: usize = cases.iter().map(check).sum();
    assert_eq!((cases.len(), checks), (36, 91));
}

fn check(case: &Value) -> usize {
    let table = table(items(&case["key_clusters"]), items(&case["response_clusters"]));
    let expected = case["expected_RPF"].as_object().unwrap();
    for (name, scores) in expected {
        check_measure(&case["id"], name, scores, &table);
    }
    expected.len()
}

fn check_measure(case: &Value, name: &str, expected: &Value, table: &Contingency) {
    let ours = NAMES.iter().find(|(theirs, _)| *theirs == name).unwrap().1;
    let found = score(ours, table);
    let found = [found.recall, found.precision, found.f1];
    for (found, expected) in found.iter().zip(expected.as_array().unwrap()) {
        let expected = expected.as_f64().unwrap();
        assert!((found - expected).abs() < TOLERANCE, "{case} {name}: {found} {expected}");
    }
}

/// Spans with their clusters; the name of a cluster begins with its document.
fn items(clusters: &Value) -> Vec<((String, String), String)> {
    let clusters = clusters.as_object().unwrap();
    let items = clusters.iter().flat_map(|(cluster, spans)| {
        let document = cluster.split(':').next().unwrap();
        let spans = spans.as_array().unwrap().iter();
        spans.map(move |span| ((document.to_owned(), span.to_string()), cluster.clone()))
    });
    items.collect()
}

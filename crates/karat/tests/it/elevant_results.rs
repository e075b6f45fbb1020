//! ELEVANT's published results, every number of them.

use crate::data;
use crate::shared_data::read;
use karat::errors::Inspection;
use karat::facets::taxonomy::{self, Taxonomy};
use karat::kb::{Builder, Identity, KnowledgeBase};
use karat::matching::{Assignment, Settings};
use serde_json::Value;
use std::path::Path;

fn settings() -> Settings {
    Settings {
        assignment: Assignment::LastWins,
        trim: false,
        evaluation_span: false,
        ..Settings::default()
    }
}

/// The facts about ELEVANT's results.
pub(crate) fn base(folder: &Path) -> KnowledgeBase {
    let mut builder = Builder::in_memory();
    let input = karat::formats::Input::open(folder.to_str().unwrap()).unwrap();
    karat::harvest::harvest(&[input], &mut builder, &karat::harvest::Options::default()).unwrap();
    builder.finish().unwrap()
}

/// All numbers of a tree with the path to each.
fn numbers(value: &Value, path: &str, into: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                numbers(value, &format!("{path}.{key}"), into);
            }
        }
        other => into.push((path.to_owned(), other.clone())),
    }
}

fn compare(
    root: &Path,
    file: &str,
    base: &KnowledgeBase,
    settings: &Settings,
    taxonomy: &Taxonomy,
) -> (usize, usize, Vec<String>) {
    let (system, benchmark) = file.rsplit_once('.').unwrap();
    let expected =
        std::fs::read_to_string(root.join(format!("expected/{file}.eval_results.json"))).unwrap();
    let expected: Value = serde_json::from_str(&expected).unwrap();
    let gold = read(&root.join(format!("benchmarks/{benchmark}.benchmark.jsonl"))).corpus;
    let output =
        read(&root.join(format!("linked/{system}.{benchmark}.linked_articles.jsonl"))).corpus;
    let identity = Identity::new();
    let inspection = Inspection { settings, taxonomy, identity: &identity, base: Some(base) };
    let found = karat::elevant::results(&inspection.counts(benchmark, &gold, &output), taxonomy);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    numbers(&expected, "", &mut left);
    numbers(&found, "", &mut right);
    let right: std::collections::HashMap<String, Value> = right.into_iter().collect();
    let (mut same, mut open, mut wrong) = (0, 0, Vec::new());
    for (path, value) in left {
        match right.get(&path) {
            Some(found) if *found == value => same += 1,
            Some(Value::Null) => open += 1,
            found => wrong.push(format!("{file}{path}: {found:?} instead of {value}")),
        }
    }
    (same, open, wrong)
}

fn check(root: &Path, settings: &Settings, taxonomy: &Taxonomy) {
    let facts = base(&data::folder("elevant").unwrap().join("facts"));
    let mut all = Vec::new();
    for path in data::files(&root.join("expected"), ".eval_results.json") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file = name.trim_end_matches(".eval_results.json");
        let (same, open, wrong) = compare(root, file, &facts, settings, taxonomy);
        println!("{file}: {same} same, {open} unknown, {} differ", wrong.len());
        all.extend(wrong);
    }
    for line in all.iter().take(150) {
        println!("{line}");
    }
    assert!(all.is_empty(), "{}", all.len());
}

#[test]
fn master() {
    let Some(folder) = data::folder("elevant") else { return };
    check(&folder, &settings(), &taxonomy::ELEVANT);
}

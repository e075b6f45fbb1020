//! The page on five conventions says what karat computes.

use crate::tiny::convention;
use karat_formats::{FORMATS, ReadOptions, Registry, Source};
use karat_match::Pairing;
use karat_measures::{Convention, Plan, Result, Selection, evaluate};
use karat_model::Corpus;
use std::path::{Path, PathBuf};

#[test]
fn the_numbers_of_the_page_are_those_of_karat() {
    let page = std::fs::read_to_string(docs().join("five-conventions.md")).unwrap();
    let mut scores = Vec::new();
    for row in rows(&page) {
        let [_, options, counts @ .., f1] = row.as_slice() else { panic!("{row:?}") };
        let (convention, measure) = options_of(options);
        let result = score(&convention, measure);
        let [right, _, _, _] = result.counts[..] else { panic!("{:?}", result.counts) };
        let found = [right, result.counts[1], result.counts[3]].map(|count| count.to_string());
        assert_eq!(found, counts, "{options}");
        assert_eq!(shown(&result), *f1, "{options}");
        scores.push(*f1);
    }
    assert_eq!(scores.len(), 5);
    assert!(scores.is_sorted_by(|a, b| a < b), "five different scores, the worst first");
}

#[test]
fn the_threshold_of_gerbil_is_as_the_page_says() {
    assert_eq!(score(&convention("gerbil"), "link").threshold, Some(0.4));
    let mut without = convention("gerbil");
    without.set("threshold", "none").unwrap();
    assert_eq!(shown(&score(&without, "link")), "0.615");
    let page = std::fs::read_to_string(docs().join("five-conventions.md")).unwrap();
    assert!(page.contains("here 0.4.") && page.contains("GERBIL's F1 is 0.615."));
}

/// The cells of the first table of the page.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let table = page.lines().skip_while(|line| !line.starts_with("| ---")).skip(1);
    let rows = table.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The convention and the measure of a cell such as `--preset bat -m link`.
fn options_of(cell: &str) -> (Convention, &str) {
    let words: Vec<&str> = cell.trim_matches('`').split(' ').collect();
    match words.as_slice() {
        ["-m", measure] => (convention("karat"), measure),
        ["--preset", preset, "-m", measure] => (convention(preset), measure),
        other => panic!("{other:?}"),
    }
}

fn score(convention: &Convention, measure: &str) -> Result {
    let (gold, system) = (read("gold.karat.jsonl"), read("system.karat.jsonl"));
    let identity = convention.identity();
    let selection = Selection::parse([measure], convention).unwrap();
    let plan = Plan::new(convention.clone(), selection);
    evaluate(&Pairing::new(&gold, &system, &identity), &plan).results.remove(0)
}

fn shown(result: &Result) -> String {
    format!("{:.3}", result.micro.get("f1").flatten().unwrap())
}

fn read(name: &str) -> Corpus {
    let source = Source::file(docs().join("five-conventions").join(name));
    let options = ReadOptions::default();
    Registry::new(FORMATS).read(&source.into(), None, &options).unwrap().corpus
}

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

//! ELEVANT's published results, every number of them.

use crate::data;
use crate::shared_data::read;
use karat::errors::Inspection;
use karat::kb::{Builder, Identity, KnowledgeBase};
use karat::measures::{Convention, Preset};
use karat::model::Corpus;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

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

fn convention(preset: &str) -> Convention {
    (Preset::named(preset).unwrap().convention)()
}

pub(crate) fn corpora(root: &Path, system: &str, benchmark: &str) -> (Corpus, Corpus) {
    let gold = root.join(format!("benchmarks/{benchmark}.benchmark.jsonl"));
    let output = root.join(format!("linked/{system}.{benchmark}.linked_articles.jsonl"));
    (read(&gold).corpus, read(&output).corpus)
}

/// How a file of results compares with what is computed.
struct Compared {
    same: usize,
    /// What is not known, by the path to it.
    open: Vec<String>,
    wrong: Vec<String>,
}

fn compare(root: &Path, file: &str, base: &KnowledgeBase, convention: &Convention) -> Compared {
    let (system, benchmark) = file.rsplit_once('.').unwrap();
    let expected = root.join(format!("expected/{file}.eval_results.json"));
    let expected: Value =
        serde_json::from_str(&std::fs::read_to_string(expected).unwrap()).unwrap();
    let (gold, output) = corpora(root, system, benchmark);
    let identity = Identity::new();
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    let inspection =
        Inspection { settings, taxonomy, identity: &identity, base: Some(base), watch: None };
    let found = karat::elevant::results(&inspection.counts(benchmark, &gold, &output), taxonomy);
    let (mut left, mut right) = (Vec::new(), Vec::new());
    numbers(&expected, "", &mut left);
    numbers(&found, "", &mut right);
    assert!(root.ends_with("paper") || left.len() == right.len(), "{file}");
    let right: HashMap<String, Value> = right.into_iter().collect();
    let mut compared = Compared { same: 0, open: Vec::new(), wrong: Vec::new() };
    for (path, value) in left {
        match right.get(&path) {
            Some(found) if *found == value => compared.same += 1,
            Some(Value::Null) => compared.open.push(path),
            found => compared.wrong.push(format!("{file}{path}: {found:?} instead of {value}")),
        }
    }
    compared
}

/// The numbers that only facts about AIDA's predictions could tell, which are not published.
fn is_undecidable(path: &str) -> bool {
    let categories = ["metonymy", "partial_name", "rare", "other"];
    let of_category = |key: &&str| path.contains(&format!("wrong_disambiguation.{key}"));
    let of_type = path.contains("entity_types")
        && [".false_positives", ".precision", ".f1"].iter().any(|end| path.ends_with(end));
    path.contains("entity_named")
        || path.contains("entity_non_named")
        || of_type
        || categories.iter().any(of_category)
}

#[test]
fn every_published_number_comes_out() {
    let Some(folder) = data::folder("elevant") else { return };
    let base = base(&folder.join("facts"));
    let convention = convention("elevant");
    let (mut files, mut numbers) = (0, 0);
    for path in data::files(&folder.join("expected"), ".eval_results.json") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let file = name.trim_end_matches(".eval_results.json");
        let found = compare(&folder, file, &base, &convention);
        assert!(found.wrong.is_empty(), "{:#?}", found.wrong);
        for path in &found.open {
            assert!(file.ends_with("aida-conll-test") && is_undecidable(path), "{file}{path}");
        }
        files += 1;
        numbers += found.same;
    }
    println!("{numbers} numbers of {files} files");
    assert_eq!((files, numbers), (51, 30414));
}

/// The results of this system are newer than all others.
#[test]
fn the_newest_published_numbers_come_out_by_the_newest_rules() {
    let Some(folder) = data::folder("elevant") else { return };
    let mut convention = convention("elevant");
    convention.set("taxonomy", "elevant-2025").unwrap();
    let file = "grasp_prefix_5090.msnbc-updated";
    let found = compare(&folder, file, &base(&folder.join("facts")), &convention);
    assert!(found.wrong.is_empty() && found.open.is_empty(), "{:#?}", found.wrong);
}

#[test]
fn the_runs_of_the_paper_of_2023_come_out() {
    let Some(folder) = data::folder("elevant") else { return };
    let paper = karat::reproduce::PAPERS.iter().find(|paper| paper.name == "bast-2023").unwrap();
    let sections = (paper.run)(&karat::reproduce::Data::new(folder.parent().unwrap())).unwrap();
    let counts = sections.last().unwrap();
    for row in &counts.rows {
        println!("{} {} {}", row.labels[0], row.computed, row.note);
    }
    let is_exact = |name: &str| {
        let row = counts.rows.iter().find(|row| row.labels[0] == name).unwrap();
        assert_eq!(row.computed, "45 of 45", "{name}: {}", row.note);
    };
    let exact = [
        "entity linking",
        "entity recognition",
        "ER FN",
        "ER FP",
        "disambiguation",
        "demonym",
        "candidates",
        "hyperlinks and coreferences",
    ];
    exact.into_iter().for_each(is_exact);
    // What later facts decide cannot come out in all; it must not come out in fewer.
    for (name, least) in [("metonym", 11), ("partial name", 30), ("rare", 6)] {
        let row = counts.rows.iter().find(|row| row.labels[0] == name).unwrap();
        let same: usize = row.computed.split(' ').next().unwrap().parse().unwrap();
        assert!(same >= least, "{name}: {same}");
        assert!(row.note.contains("of another year"), "{}", row.note);
    }
    use karat::reproduce::Verdict::{Differs, OtherFacts, Slip};
    let cells = |verdict| -> Vec<String> {
        let rows = sections.iter().flat_map(|section| &section.rows);
        let of_verdict = rows.filter(|row| row.verdict == verdict);
        of_verdict.map(|row| row.labels.join(" ")).collect()
    };
    assert_eq!(cells(Differs), [""; 0]);
    assert_eq!(cells(Slip), ["ReFinED ER F1", "ReFinED disambiguation"]);
    assert_eq!(cells(OtherFacts), ["Baseline metonym", "Baseline rare"]);
}

#[test]
fn every_case_of_the_published_file_comes_out() {
    let Some(folder) = data::folder("elevant") else { return };
    let base = base(&folder.join("facts"));
    let convention = convention("elevant");
    let (gold, output) = corpora(&folder, "refined__aida_", "kore50");
    let identity = Identity::new();
    let inspection = Inspection {
        settings: &convention.settings,
        taxonomy: convention.taxonomy,
        identity: &identity,
        base: Some(&base),
        watch: None,
    };
    let files = karat::elevant::files(&inspection, "kore50", &gold, &output).unwrap();
    let path = folder.join("expected/refined__aida_.kore50.eval_cases.jsonl");
    let expected = std::fs::read_to_string(path).unwrap();
    let expected: Vec<Value> =
        expected.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(files.cases.len(), expected.len());
    let mut cases = 0;
    for (found, expected) in files.cases.iter().zip(&expected) {
        let (found, expected) = (found.as_array().unwrap(), expected.as_array().unwrap());
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert_eq!(found, expected);
            cases += 1;
        }
    }
    assert_eq!(cases, 152);
}

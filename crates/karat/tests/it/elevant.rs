//! ELEVANT's published benchmarks and the results of systems on them.

use crate::data;
use crate::round_trip::written_and_read;
use crate::shared_data::read;
use karat::formats::{Layout, Output};
use karat::model::{Corpus, Flags, Mention};
use serde_json::Value;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The benchmarks and some of the results on them; nothing without the data.
fn articles() -> Vec<PathBuf> {
    let Some(folder) = data::folder("elevant") else { return Vec::new() };
    let mut files = data::files(&folder, ".benchmark.jsonl");
    files.extend(data::files(&folder, ".linked_articles.jsonl"));
    files
}

fn lines(path: &Path) -> Vec<Value> {
    let content = std::fs::read_to_string(path).unwrap();
    content.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn objects<'v>(document: &'v Value, key: &str) -> &'v [Value] {
    document[key].as_array().map_or(&[], Vec::as_slice)
}

/// The columns of the table of benchmarks. Labels, NIL, optional and nested count
/// children too; optional are labels that are optional, descriptive, quantities or
/// dates; nested are labels that list children, even such as have another parent.
fn counts(corpus: &Corpus) -> [usize; 6] {
    let gold: Vec<_> = corpus
        .documents()
        .flat_map(|document| document.mentions())
        .filter(|mention| mention.flags().contains(Flags::GOLD))
        .collect();
    let literal = |types: &str| matches!(types, "QUANTITY" | "DATETIME");
    let parents: HashSet<_> = gold
        .iter()
        .filter_map(|mention| Some((mention.document().index(), mention.place()?.parent)))
        .collect();
    let lists_children = |(index, mention): &(usize, Mention<'_>)| {
        parents.contains(&(mention.document().index(), *index as u32))
            || mention.attribute("children").is_some()
    };
    let nested = corpus
        .documents()
        .map(|document| document.mentions().enumerate().filter(lists_children).count());
    let optional = gold.iter().filter(|mention| {
        mention.flags().intersects(Flags::OPTIONAL | Flags::DESCRIPTIVE)
            || mention.types().any(literal)
    });
    [
        corpus.len(),
        gold.len(),
        gold.iter().filter(|mention| mention.place().is_none()).count(),
        gold.iter().filter(|mention| mention.link().is_nil()).count(),
        optional.count(),
        nested.sum(),
    ]
}

#[test]
fn benchmarks_have_the_counts_they_are_known_for() {
    let Some(folder) = data::folder("elevant") else { return };
    for (name, expected) in [
        ("benchmarks/aida-conll-test", [231, 5616, 5616, 1132, 0, 0]),
        ("benchmarks/kore50", [50, 144, 144, 1, 0, 0]),
        ("benchmarks/msnbc-updated", [20, 739, 739, 86, 0, 0]),
        ("benchmarks/news-fair-no-coref", [40, 395, 359, 55, 85, 24]),
        ("benchmarks/wiki-fair-no-coref", [80, 1677, 1481, 136, 460, 140]),
        ("benchmarks/error-category-examples", [20, 25, 25, 1, 0, 0]),
        ("paper/benchmarks/aida-conll-test", [231, 5616, 5616, 1148, 0, 0]),
        ("paper/benchmarks/kore50", [50, 144, 144, 1, 0, 0]),
        ("paper/benchmarks/msnbc-updated", [20, 739, 739, 86, 0, 0]),
        ("paper/benchmarks/news-fair-no-coref", [40, 395, 359, 55, 85, 24]),
        ("paper/benchmarks/wiki-fair-no-coref", [80, 1678, 1482, 136, 460, 140]),
    ] {
        let outcome = read(&folder.join(format!("{name}.benchmark.jsonl")));
        assert_eq!(outcome.formats, ["elevant"], "{name}");
        assert!(outcome.findings.is_empty(), "{name}");
        assert_eq!(counts(&outcome.corpus), expected, "{name}");
    }
}

#[test]
fn every_label_and_mention_is_there_and_survives() {
    for path in articles() {
        let outcome = read(&path);
        assert_eq!(outcome.formats, ["elevant"], "{}", path.display());
        let documents = lines(&path);
        assert_eq!(outcome.corpus.len(), documents.len());
        for (document, line) in outcome.corpus.documents().zip(&documents) {
            let side =
                |side| document.mentions().filter(|mention| mention.flags().contains(side)).count();
            assert_eq!(document.text(), line["text"].as_str());
            assert_eq!(side(Flags::GOLD), objects(line, "labels").len());
            assert_eq!(side(Flags::PREDICTED), objects(line, "entity_mentions").len());
        }
        let format = karat::registry().find("elevant").unwrap();
        let again = written_and_read(format, &outcome.corpus).unwrap();
        assert_eq!(outcome.corpus.difference(&again), None, "{}", path.display());
    }
}

#[test]
fn the_current_form_is_written_as_it_was() {
    let registry = karat::registry();
    for path in articles().iter().filter(|path| !path.to_string_lossy().contains("paper")) {
        let mut output = Output::memory(Layout::File);
        let format = registry.find("elevant").unwrap();
        registry.write(&read(path).corpus, format, &mut output).unwrap();
        let written = output.into_sources().remove(0);
        let written = written.text().unwrap();
        for (line, expected) in written.as_str().lines().zip(lines(path)) {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(line, expected, "{}", path.display());
        }
    }
}

#[test]
fn gold_and_system_files_name_their_documents_alike() {
    let Some(folder) = data::folder("elevant") else { return };
    let names = |path: &Path| -> Vec<String> {
        read(path).corpus.documents().map(|document| document.name().to_owned()).collect()
    };
    for root in [folder.clone(), folder.join("paper")] {
        for benchmark in data::files(&root.join("benchmarks"), ".benchmark.jsonl") {
            let name = benchmark.file_name().unwrap().to_string_lossy().into_owned();
            let system = format!(".{}", name.replace(".benchmark.", ".linked_articles."));
            let gold = names(&benchmark);
            for system in data::files(&root.join("linked"), &system) {
                assert_eq!(gold, names(&system), "{}", system.display());
            }
        }
    }
}

#[test]
fn results_of_an_evaluation_are_not_annotations() {
    let Some(folder) = data::folder("elevant") else { return };
    let registry = karat::registry();
    for suffix in
        [".eval_cases.jsonl", ".eval_results.json", ".benchmark_statistics.jsonl", ".metadata.json"]
    {
        for path in data::files(&folder, suffix) {
            let content = std::fs::read(&path).unwrap();
            let text = String::from_utf8(content).unwrap();
            let sample = karat::formats::Sample {
                name: path.to_str().unwrap(),
                bytes: text.as_bytes(),
                text: &text,
                complete: true,
            };
            for format in ["elevant", "simple-jsonl", "elevant-markup"] {
                let score = registry.find(format).map_or(0, |format| format.detect(&sample));
                assert_eq!(score, 0, "{} as {format}", path.display());
            }
        }
    }
}

#[test]
fn benchmarks_survive_as_markup() {
    let Some(folder) = data::folder("elevant") else { return };
    let registry = karat::registry();
    let format = registry.find("elevant-markup").unwrap();
    for path in data::files(&folder, ".benchmark.jsonl") {
        let corpus = read(&path).corpus;
        let (expected, _) = corpus.restrict(&format.info().keeps);
        let again = written_and_read(format, &corpus).unwrap();
        assert_eq!(expected.difference(&again), None, "{}", path.display());
    }
}

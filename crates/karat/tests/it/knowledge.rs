//! The facts about ELEVANT's results, every line of them.

use crate::data;
use karat::formats::Input;
use karat::harvest::{Options, harvest};
use karat::kb::{Builder, EntityKind, Evidence, KnowledgeBase, Known, Words};
use std::path::Path;

fn base(folder: &Path) -> KnowledgeBase {
    let input = Input::open(&folder.display().to_string()).unwrap();
    let mut builder = Builder::in_memory();
    harvest(&[input], &mut builder, &Options::default()).unwrap();
    builder.finish().unwrap()
}

/// The cells of every line of a file.
fn rows(folder: &Path, name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

#[test]
fn every_line_of_the_facts_can_be_asked_for() {
    let Some(folder) = data::folder("elevant/facts") else { return };
    let base = base(&folder);
    for row in rows(&folder, "entities.tsv") {
        let entity = base.entity(&row[0]).unwrap();
        assert_eq!(entity.name().unwrap_or_default(), row[1], "{row:?}");
        let types = entity.types().known().map(|types| types.collect::<Vec<_>>().join("|"));
        let expected = match row[2].as_str() {
            "" => None,
            "OTHER" => Some(String::new()),
            types => Some(types.to_owned()),
        };
        assert_eq!(types, expected, "{row:?}");
        let kind = match row[3].as_str() {
            "QUANTITY" => EntityKind::Quantity,
            "DATETIME" => EntityKind::DateTime,
            _ => EntityKind::Thing,
        };
        assert_eq!(entity.kind(), kind, "{row:?}");
        if !row[4].is_empty() {
            assert_eq!(base.is_place(&entity), Some(row[4] == "1"), "{row:?}");
        }
    }
    for row in rows(&folder, "popular.tsv") {
        let text: String = serde_json::from_str(&row[0]).unwrap();
        let candidates = base.candidates(&text).known().unwrap();
        let mut popular = candidates.most_popular().known().unwrap();
        let mut expected: Vec<&str> =
            row[2].split(',').filter(|id| !id.is_empty() && !id.starts_with('?')).collect();
        popular.sort_unstable();
        expected.sort_unstable();
        assert_eq!(popular, expected, "{row:?}");
        assert_eq!(candidates.has_unnamed(), row[2].contains('?'), "{row:?}");
        assert_eq!(candidates.has_unnamed_location(), row[2].contains("?LOC"), "{row:?}");
        assert_eq!(candidates.evidence() == Evidence::Exact, row[1] == "exact", "{row:?}");
    }
    for row in rows(&folder, "demonyms.tsv") {
        assert_eq!(base.is_demonym(&row[0]), Known::Known(row[1] == "1"), "{row:?}");
    }
    for row in rows(&folder, "word_counts.tsv") {
        let words = Words { all: row[2].parse().unwrap(), lowercased: row[3].parse().unwrap() };
        assert_eq!(base.words(&row[0], &row[1]), Known::Known(words), "{row:?}");
    }
    let listed: Vec<Vec<String>> =
        base.whitelist().map(|(id, name)| vec![id.to_owned(), name.to_owned()]).collect();
    assert_eq!(listed, rows(&folder, "whitelist_types.tsv"));
    base.check().unwrap();
}

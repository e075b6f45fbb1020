//! Searching for entities.

#![allow(clippy::unwrap_used)]

use karat_kb::{Builder, Facts, KnowledgeBase};
use karat_search::{SearchError, SearchIndex};

fn base() -> KnowledgeBase {
    let mut builder = Builder::in_memory();
    let entities = [
        ("Q64", "Berlin", 300),
        ("Q1", "Berlin Wall", 120),
        ("Q2", "Berlin, New Hampshire", 20),
        ("Q3", "Bern", 200),
        ("Q4", "São Paulo", 250),
        ("Q5", "Friedrichshain-Kreuzberg", 30),
        ("Q6", "柏林", 1),
    ];
    for (id, name, popularity) in entities {
        let facts = Facts { name: Some(name), popularity: Some(popularity), ..Facts::default() };
        builder.entity(id, &facts).unwrap();
        builder.mention(name, id, None).unwrap();
    }
    builder.entity("Q9", &Facts { name: Some("Unlisted"), ..Facts::default() }).unwrap();
    builder.mention("Georgia", "Q230", Some(40)).unwrap();
    builder.mention("Georgia", "Q1428", Some(60)).unwrap();
    builder.finish().unwrap()
}

fn found(index: &SearchIndex, base: &KnowledgeBase, text: &str) -> Vec<String> {
    index.search(base, text, 10).unwrap().into_iter().map(|hit| hit.id).collect()
}

#[test]
fn words_their_beginnings_and_misspellings_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let base = base();
    let index = SearchIndex::build(&base, &folder.path().join("b.kb.search")).unwrap();
    assert_eq!(index.len(), 9);
    let table: &[(&str, &[&str])] = &[
        ("Berlin", &["Q64", "Q1", "Q2"]),
        ("berlin wal", &["Q1"]),
        ("Berln", &["Q64", "Q3", "Q1", "Q2"]),
        ("ber", &["Q64", "Q3", "Q1", "Q2"]),
        ("sao paulo", &["Q4"]),
        ("Paulo São", &["Q4"]),
        ("Freidrichshain", &["Q5"]),
        ("柏", &[]),
        ("柏林", &["Q6"]),
        ("unlis", &["Q9"]),
        ("", &[]),
        ("?!", &[]),
        ("zzzzzz", &[]),
    ];
    for (text, ids) in table {
        assert_eq!(found(&index, &base, text), *ids, "{text}");
    }
    let georgia = index.search(&base, "georgia", 10).unwrap();
    let shown: Vec<_> = georgia.iter().map(|hit| (hit.id.as_str(), hit.prior)).collect();
    assert_eq!(shown, [("Q1428", Some(0.6)), ("Q230", Some(0.4))]);
    assert_eq!(index.search(&base, "georgia", 1).unwrap().len(), 1);
}

#[test]
fn an_index_belongs_to_one_base() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.kb.search");
    let base = base();
    assert!(matches!(SearchIndex::open(&base, &path), Err(SearchError::Missing { .. })));
    SearchIndex::build(&base, &path).unwrap();
    SearchIndex::open(&base, &path).unwrap();
    let other = Builder::in_memory().finish().unwrap();
    assert!(matches!(SearchIndex::open(&other, &path), Err(SearchError::Stale { .. })));
    let index = SearchIndex::build(&other, &path).unwrap();
    assert!(index.is_empty(), "a newer index takes the place of an older one");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing temporary is left");
    std::fs::write(path.join("meta.json"), "{").unwrap();
    assert!(matches!(SearchIndex::open(&other, &path), Err(SearchError::Unusable { .. })));
}

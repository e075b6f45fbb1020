//! Searching for entities.

#![allow(clippy::unwrap_used)]

mod order;

use karat_kb::{Builder, Facts, KnowledgeBase, Popular};
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
        ("berlin w", &["Q1"]),
        ("b", &["Q64", "Q3", "Q1", "Q2"]),
        ("Berln", &["Q64", "Q3", "Q1", "Q2"]),
        ("ber", &["Q64", "Q3", "Q1", "Q2"]),
        ("sao paulo", &["Q4"]),
        ("Paulo São", &["Q4"]),
        ("Freidrichshain", &["Q5"]),
        ("柏", &["Q6"]),
        ("new h", &["Q2"]),
        ("kreuzberg f", &["Q5"]),
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
    assert!(matches!(SearchIndex::open(&other, &path), Err(SearchError::Damaged { .. })));
}

#[test]
fn every_changed_file_is_noticed_and_no_change_is_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("b.kb.search");
    let base = base();
    SearchIndex::build(&base, &path).unwrap();
    SearchIndex::verify(&base, &path).unwrap();
    let list = path.join("karat-base");
    let about = std::fs::read_to_string(&list).unwrap();
    for line in about.lines().skip(1) {
        let (length, sum, name) = {
            let mut parts = line.splitn(3, ' ');
            (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap())
        };
        let file = path.join(name);
        let sound = std::fs::read(&file).unwrap();
        for at in (0..sound.len().saturating_sub(8)).step_by(sound.len() / 12 + 1) {
            let mut changed = sound.clone();
            changed[at..at + 8].iter_mut().for_each(|byte| *byte ^= 0xff);
            std::fs::write(&file, &changed).unwrap();
            let noticed = |found| matches!(found, Err(SearchError::Damaged { .. }));
            assert!(noticed(SearchIndex::open(&base, &path).map(|_| ())), "{name} {at}");
            assert!(noticed(SearchIndex::verify(&base, &path)), "{name} {at}");
            // The files of a large index are only measured, and its library panics on some.
            if ![".term", ".fast", ".idx"].iter().any(|end| name.ends_with(end)) {
                continue;
            }
            let fitting = crc32fast::hash(&changed);
            let other = format!("{length} {fitting:08x} {name}");
            let fitted = about.replace(&format!("{length} {sum} {name}"), &other);
            std::fs::write(&list, fitted).unwrap();
            if let Ok(index) = SearchIndex::open(&base, &path) {
                for text in ["b", "be", "berlin wal"] {
                    let _ = index.search(&base, text, 10);
                }
            }
            std::fs::write(&list, &about).unwrap();
        }
        std::fs::write(&file, &sound).unwrap();
        std::fs::write(&list, &about).unwrap();
    }
    assert!(SearchIndex::open(&base, &path).is_ok());
    std::fs::remove_file(path.join("meta.json")).unwrap();
    let error = SearchIndex::open(&base, &path).err().unwrap().to_string();
    assert!(error.ends_with("the index for search is damaged: `meta.json` is missing"), "{error}");
}

#[test]
fn asking_for_more_than_there_is_takes_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let base = base();
    let index = SearchIndex::build(&base, &folder.path().join("b.kb.search")).unwrap();
    for limit in [2_000_000_000_000, usize::MAX] {
        assert_eq!(index.search(&base, "berlin", limit).unwrap().len(), 3);
    }
}

#[test]
fn a_candidate_that_was_never_counted_comes_last() {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::in_memory();
    builder.mention("Georgia", "Q1428", Some(60)).unwrap();
    builder.mention("Georgia", "Q7", None).unwrap();
    builder.mention("Georgia", "Q230", Some(2)).unwrap();
    let base = builder.finish().unwrap();
    let index = SearchIndex::build(&base, &folder.path().join("b.kb.search")).unwrap();
    assert_eq!(found(&index, &base, "georgia"), ["Q1428", "Q230", "Q7"]);
}

#[test]
fn what_a_text_mostly_means_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::in_memory();
    for id in ["Q1", "Q64", "Q9"] {
        builder.entity(id, &Facts { name: Some("Berlin"), ..Facts::default() }).unwrap();
    }
    builder.entity("Q2", &Facts { name: Some("Berlin Wall"), ..Facts::default() }).unwrap();
    let popular = Popular { ids: vec!["Q64"], ..Popular::default() };
    builder.popular("Berlin", &popular).unwrap();
    builder.mention("Berlin", "Q9", None).unwrap();
    let base = builder.finish().unwrap();
    let index = SearchIndex::build(&base, &folder.path().join("b.kb.search")).unwrap();
    assert_eq!(found(&index, &base, "berlin"), ["Q64", "Q1", "Q9", "Q2"]);
}

#[test]
fn of_equals_the_one_that_was_written_so_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let mut builder = Builder::in_memory();
    builder.mention("PARIS", "Q18052305", None).unwrap();
    builder.mention("Paris", "Q90", None).unwrap();
    let base = builder.finish().unwrap();
    let index = SearchIndex::build(&base, &folder.path().join("b.kb.search")).unwrap();
    assert_eq!(found(&index, &base, "Paris"), ["Q90", "Q18052305"]);
    assert_eq!(found(&index, &base, "PARIS "), ["Q18052305", "Q90"]);
}

#[test]
fn what_fits_equally_well_comes_in_the_same_order_from_every_index() {
    let mut builder = Builder::in_memory();
    for number in 0..3_000 {
        builder.mention(&format!("twin {number:04}"), &format!("Q{number}"), None).unwrap();
    }
    let base = builder.finish().unwrap();
    let shown = || {
        let folder = tempfile::tempdir().unwrap();
        let index = SearchIndex::build(&base, &folder.path().join("b.kb.search")).unwrap();
        found(&index, &base, "twin")
    };
    let expected: Vec<String> = (0..10).map(|number| format!("Q{number}")).collect();
    for _ in 0..3 {
        assert_eq!(shown(), expected);
    }
}

/// Whoever may read a base may search in it, in a folder of somebody else as well.
#[cfg(unix)]
#[test]
fn an_index_is_opened_without_writing_and_shared_as_its_base_is() {
    use std::fs::{Permissions, metadata, set_permissions};
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = tempfile::tempdir().unwrap();
    let base = base();
    let mode = |path: &std::path::Path| metadata(path).unwrap().permissions().mode() & 0o777;
    for (of_base, of_files, of_folder) in
        [(0o644, 0o644, 0o755), (0o600, 0o600, 0o700), (0o640, 0o640, 0o750)]
    {
        let file = place.path().join(format!("{of_base:o}.kb"));
        std::fs::write(&file, "").unwrap();
        set_permissions(&file, Permissions::from_mode(of_base)).unwrap();
        let folder = karat_search::folder_of(&file);
        SearchIndex::build(&base, &folder).unwrap();
        assert_eq!(mode(&folder), of_folder);
        for entry in folder.read_dir().unwrap() {
            assert_eq!(mode(&entry.unwrap().path()), of_files);
        }
        // A link named like a lock must not make a file elsewhere.
        let elsewhere = place.path().join(format!("{of_base:o}.elsewhere"));
        let lock = folder.join(".tantivy-meta.lock");
        let _ = std::fs::remove_file(&lock);
        symlink(&elsewhere, &lock).unwrap();
        let names = || {
            let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap().file_name());
            entries.collect::<std::collections::BTreeSet<_>>()
        };
        let before = names();
        let index = SearchIndex::open(&base, &folder).unwrap();
        assert_eq!(found(&index, &base, "berlin"), ["Q64", "Q1", "Q2"]);
        drop(index);
        assert!(!elsewhere.exists());
        assert_eq!(names(), before, "nothing is left in the folder");
    }
}

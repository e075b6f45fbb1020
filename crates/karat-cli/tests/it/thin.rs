//! The command computes nothing: it makes requests of its arguments and shows their answers.

use std::path::{Path, PathBuf};

/// Crates, and their names in the facade, that compute.
const COMPUTING: [&str; 8] = [
    "karat::measures",
    "karat::matching",
    "karat::facets",
    "karat::stats",
    "karat_measures",
    "karat_match",
    "karat_facets",
    "karat_stats",
];

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            found.extend(sources(&entry));
        } else if entry.extension().is_some_and(|ending| ending == "rs") {
            found.push(entry);
        }
    }
    found
}

#[test]
fn no_file_calls_what_computes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources(&folder);
    assert!(files.len() > 20, "{files:?}");
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        for name in COMPUTING {
            assert!(!text.contains(name), "{} uses {name}", file.display());
        }
    }
}

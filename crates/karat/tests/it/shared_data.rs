//! The published files: they parse, with the counts their papers state, and
//! survive being written and read again.

use crate::data;
use crate::round_trip::written_and_read;
use karat::formats::{Detection, Input, ReadOptions, ReadOutcome, Source};
use std::path::Path;

pub(crate) fn read(path: &Path) -> ReadOutcome {
    let input = Input::open(path.to_str().unwrap()).unwrap();
    karat::registry()
        .read(&input, None, &ReadOptions::default())
        .unwrap_or_else(|problem| panic!("{problem} ({:?})", problem.hint))
}

/// A file is read, written in its own format and read again.
pub(crate) fn survives(path: &Path) {
    let outcome = read(path);
    let format = karat::registry().find(outcome.formats[0]).unwrap();
    if format.info().writes.is_none() {
        return;
    }
    let (expected, _) = outcome.corpus.restrict(&format.info().keeps);
    let again = written_and_read(format, &outcome.corpus).unwrap();
    assert_eq!(expected.difference(&again), None, "{}", path.display());
}

#[test]
fn aida_testb_in_neleval_format() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let gold = read(&folder.join("gold.tsv"));
    assert_eq!(gold.formats, ["neleval"]);
    let counts = gold.corpus.statistics();
    assert_eq!((counts.documents, counts.annotations), (231, 5616));
    assert_eq!((counts.linked, counts.nil), (4485, 1131));
    for (name, mentions) in
        [("schwa", 4962), ("houlsby", 5616), ("tagme_289", 3603), ("tagme_336", 3138)]
    {
        let path = folder.join(format!("{name}.tsv"));
        assert_eq!(read(&path).corpus.annotations().len(), mentions, "{name}");
        survives(&path);
    }
    survives(&folder.join("gold.tsv"));
}

/// Files beside the data that hold no annotations: results, listings, facts, maps.
fn holds_no_annotations(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    path.contains("/facts/")
        || path.contains("/expected/")
        || path.contains("/neleval-out/")
        || path.contains("posthoc/")
        || name.starts_with("map-")
        || [".md", ".metadata.json", ".sentences.tsv", ".netags.tsv"]
            .iter()
            .any(|e| name.ends_with(e))
        || ["coref_cases.json", "figure1-by-netype.txt"].contains(&name)
}

/// Tables of names and numbers that nothing but their meaning tells from neleval TSV.
const LOOKALIKES: [&str; 2] = ["word_counts.tsv", "table2.tsv"];

/// Every file of the data is recognised as what it is, or as nothing at all.
#[test]
fn every_file_is_recognised_or_left_alone() {
    let registry = karat::registry();
    let mut wrong = Vec::new();
    let mut known = 0;
    for folder in ["aida-testb", "elevant", "finegrained", "neleval", "posthoc"] {
        let Some(folder) = data::folder(folder) else { return };
        for path in data::files(&folder, "") {
            let name = path.to_string_lossy().into_owned();
            let found = match registry.detect(&Source::file(&path)).unwrap() {
                Detection::Format(format) => Some(format.info().name.to_owned()),
                Detection::Several(names) => Some(names.join(" or ")),
                Detection::Unknown { .. } => None,
            };
            known += usize::from(found.is_some());
            let lookalike = LOOKALIKES.iter().any(|end| name.ends_with(end));
            if found.is_none() != holds_no_annotations(&name) && !lookalike {
                wrong.push(format!("{name}: {found:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(known > 150, "{known}");
}

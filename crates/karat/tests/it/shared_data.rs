//! The published files: they parse, with the counts their papers state, and
//! survive being written and read again.

use crate::data;
use crate::round_trip::written_and_read;
use karat::formats::{Input, Outcome, ReadOptions};
use std::path::Path;

pub(crate) fn read(path: &Path) -> Outcome {
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

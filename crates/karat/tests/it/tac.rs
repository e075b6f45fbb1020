//! The TAC examples: two files say the same as their combination.

use crate::data;
use crate::shared_data::read;
use karat::formats::{Input, ReadOptions};
use karat::model::Corpus;
use std::collections::BTreeSet;
use std::path::Path;

fn read_pair(folder: &Path, stem: &str) -> Corpus {
    let path = |extension: &str| folder.join(format!("{stem}.{extension}")).display().to_string();
    let input = Input::open(&format!("{},{}", path("xml"), path("tab"))).unwrap();
    let outcome = karat::registry().read(&input, None, &ReadOptions::default()).unwrap();
    assert_eq!(outcome.formats, ["tac"]);
    outcome.corpus
}

/// What the mentions of a corpus say, in any order.
fn facts(corpus: &Corpus) -> BTreeSet<String> {
    corpus
        .documents()
        .flat_map(|document| document.mentions())
        .map(|mention| {
            let (entity, cluster) = (mention.entity(), mention.nil_cluster());
            let types: Vec<&str> = mention.types().collect();
            let document = mention.document().name();
            format!("{document} {} {entity:?} {cluster:?} {types:?}", mention.span())
        })
        .collect()
}

#[test]
fn queries_and_answers_make_the_combined_table() {
    let Some(folder) = data::folder("neleval") else { return };
    let folder = folder.join("examples");
    for stem in ["tac_gold", "tac_system"] {
        let pair = read_pair(&folder, stem);
        let combined = read(&folder.join(format!("{stem}.combined.tsv")));
        assert_eq!(pair.annotations().len(), 10);
        assert_eq!(facts(&pair), facts(&combined.corpus), "{stem}");
        for extension in ["xml", "tab"] {
            let alone = read(&folder.join(format!("{stem}.{extension}")));
            assert_eq!(alone.corpus.difference(&pair), None, "{stem}.{extension}");
        }
    }
    let system = read_pair(&folder, "tac_system");
    assert!(system.annotations().iter().all(|annotation| annotation.confidence == 1.0));
}

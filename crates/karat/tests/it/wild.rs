//! Files as communities publish them, read without any option: nothing refused, nothing lost.
//!
//! `wild/expected.tsv` has the counts of others.

use crate::data;
use crate::shared_data::read;
use karat::formats::{Input, Kind, ReadOptions, ReadOutcome};
use karat::request::Request;
use karat::scoring::EvaluationRequest;
use karat::work::Work;
use serde_json::json;
use std::path::Path;

/// A row of `expected.tsv`.
struct Row {
    path: String,
    format: String,
    documents: Option<usize>,
    annotations: Option<usize>,
}

fn rows(folder: &Path) -> Vec<Row> {
    let table = std::fs::read_to_string(folder.join("expected.tsv")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let number = |cell: usize| cells.get(cell).and_then(|cell| cell.parse().ok());
        let (path, format) = (cells[0].to_owned(), cells[1].to_owned());
        Row { path, format, documents: number(2), annotations: number(3) }
    };
    table.lines().skip(1).map(row).collect()
}

/// How many documents came again with the same text. Others count them twice; here they are one.
fn repeats(outcome: &ReadOutcome) -> usize {
    let repaired = outcome.findings.repaired().iter();
    let again = |message: &str| message.contains("occurs twice with the same text");
    repaired.filter(|one| one.kind == Kind::DuplicateDocument && again(&one.message)).count()
}

#[test]
fn every_row_is_read_whole() {
    let Some(folder) = data::folder("wild") else { return };
    let mut wrong = Vec::new();
    let mut seen = 0;
    for Row { path, format, documents, annotations } in rows(&folder) {
        // Rows about several files have tests of their own.
        if path.contains('*') || format == "hipe" {
            continue;
        }
        seen += 1;
        let input = Input::open(folder.join(&path).to_str().unwrap()).unwrap();
        let outcome = match karat::registry().read(&input, None, &ReadOptions::default()) {
            Ok(outcome) => outcome,
            Err(problem) => {
                wrong.push(problem.to_string());
                continue;
            }
        };
        let counts = outcome.corpus.statistics();
        let found = (counts.documents + repeats(&outcome), counts.annotations);
        let skipped: usize = outcome.findings.skipped_counts().values().sum();
        let fits = outcome.formats == [format.as_str()]
            && documents.is_none_or(|documents| documents == found.0)
            && annotations.is_none_or(|annotations| annotations == found.1)
            && counts.annotations > 0
            && skipped == 0;
        if !fits {
            wrong.push(format!("{path}: {:?} {found:?}, {skipped} skipped", outcome.formats));
        }
    }
    assert!(seen >= 20 && wrong.is_empty(), "{seen} rows\n{}", wrong.join("\n"));
}

#[test]
fn entities_of_oke_are_those_of_dbpedia_or_nil() {
    let Some(folder) = data::folder("wild/nif") else { return };
    let counts = read(&folder.join("oke-2015-eval-task1.ttl")).corpus.statistics();
    assert_eq!((counts.linked, counts.nil), (536, 128), "as ELEVANT counts the same data");
}

#[test]
fn nil_by_another_name_is_no_entity() {
    let Some(folder) = data::folder("wild/brat") else { return };
    let corpus = read(&folder.join("nerel-dev")).corpus;
    assert!(corpus.statistics().nil > 0);
    assert!(corpus.strings().find("Wikidata:NULL").is_none_or(|null| {
        let mentions = corpus.documents().flat_map(|document| document.mentions());
        !mentions.into_iter().any(|mention| mention.link().entity() == Some(null))
    }));
}

#[test]
fn bioc_in_json_is_its_twin_in_xml() {
    let Some(folder) = data::folder("wild/bioc") else { return };
    for name in ["BC5CDR-example", "CRAFT-example", "NCBIdevset-example"] {
        let xml = read(&folder.join(format!("{name}.xml"))).corpus;
        let json = read(&folder.join(format!("{name}.json"))).corpus;
        assert_eq!(xml.difference(&json), None, "{name}");
        let counts = xml.statistics();
        assert!(counts.linked > 0 && counts.linked + counts.nil == counts.annotations, "{name}");
    }
}

/// GERBIL's own test of its OKE example: A2KB with weak matches, micro averages.
#[test]
fn the_oke_example_of_gerbil_has_its_numbers() {
    let Some(folder) = data::folder("wild/nif") else { return };
    let file = |name: &str| folder.join(format!("gerbil-oke-example-{name}.ttl"));
    let measure = "a2kb(match=overlap)";
    let wanted = ["precision", "recall", "f1"].map(|score| format!("{measure}.{score}=0"));
    let request = json!({
        "inputs": {
            "gold": [{"path": file("gold")}],
            "systems": [
                {"name": "fox", "path": file("fox")},
                {"name": "spotlight", "path": file("spotlight")},
            ],
        },
        "convention": {"preset": "gerbil"},
        "measures": [measure],
        "fail_under": wanted,
    });
    let request: EvaluationRequest = serde_json::from_value(request).unwrap();
    let answer = request.answer(&Work::default()).unwrap();
    for (system, expected) in
        [("fox", [0.7778, 0.5833, 0.6667]), ("spotlight", [0.6667, 0.5, 0.5714])]
    {
        let of_system = answer.gates.iter().filter(|gate| gate.system == system);
        let reached: Vec<f64> = of_system.map(|gate| gate.reached.unwrap()).collect();
        let near = reached.iter().zip(expected).all(|(found, own)| (found - own).abs() < 5e-5);
        assert!(near && reached.len() == 3, "{system}: {reached:?}");
    }
}

/// The counts of one measure for a file of PubTator on the gold of tmVar 3.
fn on_tmvar(folder: &Path, system: &str, convention: &serde_json::Value) -> [u64; 3] {
    let request = json!({
        "inputs": {
            "gold": [{"path": folder.join("gold-tmvar_v3.txt")}],
            "systems": [{"path": folder.join(format!("{system}-tmvar_v3.txt"))}],
        },
        "convention": convention,
        "measures": ["link"],
    });
    let request: EvaluationRequest = serde_json::from_value(request).unwrap();
    let answer = serde_json::to_value(request.answer(&Work::default()).unwrap()).unwrap();
    let measure = &answer["systems"][0]["measures"][0];
    ["tp", "fp", "fn"].map(|count| measure[count].as_f64().unwrap() as u64)
}

/// Ids are `NCBI Gene:3577` on one side and `3577` on the other. Composite ids count as any of their parts; as one id
/// each, 3,302 links would be right.
#[test]
fn ids_with_and_without_their_vocabulary_are_one() {
    let Some(folder) = data::folder("wild/pubtator") else { return };
    let [right, ..] = on_tmvar(&folder, "pubtator", &json!({"preset": "karat"}));
    assert_eq!(right, 3329);
}

/// HunFlair2 (Sänger et al., 2024): BERN2 has an F1 of 43.96 for genes in tmVar 3, with 1,959 right, 2,894 wrong and 2,100 missed. A
/// prediction that is given twice is one there, whichever of its identifiers is last.
#[test]
fn biomedical_names_have_the_published_score() {
    let Some(folder) = data::folder("wild/pubtator") else { return };
    let convention = json!({
        "preset": "biomedical",
        "settings": {"gold-types": "Gene", "predicted-types": "gene"},
    });
    let [right, wrong, missed] = on_tmvar(&folder, "bern2", &convention);
    let f1 = 2.0 * right as f64 / (2 * right + wrong + missed) as f64;
    assert_eq!((right, missed), (1959, 2100));
    assert!((f1 - 0.4396).abs() < 3e-4, "{right} {wrong} {missed}: {f1}");
}

/// What can be read of a file is not the file where it is the smaller part.
#[test]
fn a_lenient_reading_leaves_no_more_out_than_it_keeps() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.tsv");
    let read = |bad: usize| {
        let rows = "d\t0\t4\tQ1\t1\tLOC\n".repeat(10) + &"d\tx\t4\tQ1\t1\tLOC\n".repeat(bad);
        std::fs::write(&path, rows).unwrap();
        let reading = karat::inputs::ReadingRequest {
            lenient: true,
            describe: karat::inputs::FileDescription {
                from: Some("neleval".to_owned()),
                ..Default::default()
            },
            ..Default::default()
        };
        let input = karat::inputs::InputRequest::parse(path.to_str().unwrap());
        reading
            .read_alone(&input, &Work::default())
            .map(|read| read.outcome.corpus.annotations().len())
    };
    assert_eq!(read(10).unwrap(), 10);
    let refused = read(30).unwrap_err().to_string();
    assert!(refused.contains("30 records cannot be read and 10 annotations can"), "{refused}");
}

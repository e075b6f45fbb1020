//! What types count as in the results and the categories of ELEVANT.

use karat::elevant::{ElevantFiles, files};
use karat::errors::Inspection;
use karat::formats::{Input, ReadOptions, Source};
use karat::kb::{Builder, Identity};
use karat::measures::Preset;
use karat::model::Corpus;
use serde_json::{Value, json};
use std::sync::Arc;

const TEXT: &str = "Bo met Frodo in Mordor .";

const ENTITIES: &str = "Q1\tBo\tQ215627|Q729\t\t\nQ2\tFrodo\tQ95074\t\t\nQ3\tMordor\tQ3895768\t\t\n\
                        Q4\tMordor, Incorporated\tQ43229\t\t\n";

fn article(labels: &Value, mentions: &Value) -> Corpus {
    let article = json!({
        "id": 0, "title": "t", "text": TEXT, "labels": labels, "entity_mentions": mentions,
    });
    let input = Source::memory("a.jsonl", article.to_string()).into();
    karat::registry().read(&input, Some("elevant"), &ReadOptions::default()).unwrap().corpus
}

fn label(id: u32, span: [u32; 2], entity: &str, types: &str) -> Value {
    json!({"id": id, "span": span, "entity_id": entity, "name": "Somebody", "type": types})
}

fn mention(span: [u32; 2], entity: &str) -> Value {
    json!({"span": span, "id": entity, "candidates": []})
}

/// What ELEVANT would write of these, with a base of raw types and some more tables.
fn written(
    preset: &str,
    labels: &Value,
    mentions: &Value,
    tables: &[(&str, &str)],
) -> ElevantFiles {
    let mut builder = Builder::in_memory();
    let tables = [("entities.tsv", ENTITIES)].into_iter().chain(tables.iter().copied());
    let inputs: Vec<Input> =
        tables.map(|(name, rows)| Source::memory(name, rows.as_bytes().to_vec()).into()).collect();
    karat::harvest::harvest(&inputs, &mut builder, &karat::harvest::Options::default()).unwrap();
    let base = Arc::new(builder.finish().unwrap());
    let convention = (Preset::named(preset).unwrap().convention)();
    let identity = Identity::new().with_base(Arc::clone(&base));
    let inspection = Inspection {
        settings: &convention.settings,
        taxonomy: convention.taxonomy,
        identity: &identity,
        base: Some(&base),
        watch: None,
    };
    let corpus = article(labels, mentions);
    files(&inspection, "b", &corpus, &corpus).unwrap()
}

/// Hits, what is extra and what is missed of a type.
fn of_type(files: &ElevantFiles, name: &str) -> [u64; 3] {
    let of = &files.results["IGNORED"]["entity_types"][name];
    ["true_positives", "false_positives", "false_negatives"].map(|key| of[key].as_u64().unwrap())
}

#[test]
fn the_invented_count_with_the_real_and_persons_are_no_animals() {
    let labels = json!([label(0, [7, 12], "Q2", "Q95074")]);
    let mentions = json!([mention([0, 2], "Q1"), mention([7, 12], "Q2"), mention([16, 22], "Q3")]);
    for preset in ["elevant", "elevant-2023"] {
        let files = written(preset, &labels, &mentions, &[]);
        assert_eq!(of_type(&files, "Q215627"), [1, 1, 0], "{preset}: Frodo, and Bo");
        assert_eq!(of_type(&files, "Q27096213"), [0, 1, 0], "{preset}: Mordor");
        assert_eq!(of_type(&files, "Q729"), [0, 0, 0], "{preset}");
        assert_eq!(of_type(&files, "OTHER"), [0, 0, 0], "{preset}");
        let types = |case: usize| files.cases[0][case]["predicted_entity"]["type"].clone();
        assert_eq!([0, 1, 2].map(types), ["Q215627", "Q215627", "Q27096213"], "{preset}");
    }
}

/// A company that is called by the name of a place; the place is invented.
#[test]
fn an_invented_place_may_be_a_metonym_too() {
    let labels = json!([label(0, [16, 22], "Q4", "Q43229")]);
    let popular = ("popular.tsv", "\"Mordor\"\texact\tQ3\n");
    let metonymy = |entity: &str| {
        let files = written("elevant", &labels, &json!([mention([16, 22], entity)]), &[popular]);
        files.results["IGNORED"]["error_categories"]["wrong_disambiguation"]["metonymy"].clone()
    };
    assert_eq!(metonymy("Q3"), json!({"errors": 1, "total": 1}));
    assert_eq!(metonymy("Q4"), json!({"errors": 0, "total": 1}));
}

/// Somebody unknown of a type that demonyms stand for, called by a demonym.
#[test]
fn what_is_unknown_is_no_demonym() {
    let tables = [("demonyms.tsv", "Bo\t1\nFrodo\t1\n"), ("popular.tsv", "\"Bo\"\texact\tQ1\n")];
    for types in ["Q27096213", "Q33829", "Q17376908"] {
        let labels = json!([label(0, [0, 2], "<NIL>", types), label(1, [7, 12], "Q2", types)]);
        let mentions = json!([mention([0, 2], "<NIL>"), mention([7, 12], "Q2")]);
        let files = written("elevant", &labels, &mentions, &tables);
        let of = |category: &str| {
            files.results["REQUIRED"]["error_categories"]["wrong_disambiguation"][category].clone()
        };
        assert_eq!(of("demonym"), json!({"errors": 0, "total": 1}), "{types}");
        assert_eq!(of("rare"), json!({"errors": 0, "total": 1}), "{types}: it is called Bo");
    }
}

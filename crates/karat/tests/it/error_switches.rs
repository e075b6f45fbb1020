//! What ELEVANT's switches change, and what it takes from where.

use karat::elevant::files;
use karat::errors::Inspection;
use karat::formats::{Input, ReadOptions, Source};
use karat::kb::{Builder, Identity};
use karat::measures::{Preset, Signature};
use karat::model::Corpus;
use serde_json::{Value, json};
use std::sync::Arc;

const TEXT: &str = "Paris Hilton left Rome on Monday with Jim .";

/// A person, a place, a date, somebody unknown, and a mention with a part.
fn gold() -> Corpus {
    let labels = json!([
        {"id": 0, "span": [0, 12], "entity_id": "Q47899", "name": "Paris Hilton", "type": "Q215627", "children": [1]},
        {"id": 1, "span": [0, 5], "entity_id": "Q90", "name": "Paris", "type": "Q27096213", "parent": 0},
        {"id": 2, "span": [18, 22], "entity_id": "Q220", "name": "Rome", "type": "Q27096213"},
        {"id": 3, "span": [26, 32], "entity_id": "DATETIME", "name": "DATETIME", "type": "DATETIME"},
        {"id": 4, "span": [38, 41], "entity_id": "<NIL>", "name": "Unknown", "type": "OTHER"},
    ]);
    article(&json!({"id": 0, "title": "t", "text": TEXT, "labels": labels}))
}

/// Everything is right, the date is an entity, and there is a name where gold has nothing.
fn system(evaluation_span: Value) -> Corpus {
    let mention = |span: [u32; 2], id: &str| json!({"span": span, "id": id, "candidates": []});
    let mentions = [
        mention([0, 12], "Q47899"),
        mention([18, 22], "Q220"),
        mention([26, 32], "Q105"),
        mention([38, 41], "<NIL>"),
        mention([6, 12], "Q1"),
    ];
    let mut article_of = json!({"id": 0, "title": "t", "text": TEXT, "entity_mentions": mentions});
    if !evaluation_span.is_null() {
        article_of["evaluation_span"] = evaluation_span;
    }
    article(&article_of)
}

fn article(article: &Value) -> Corpus {
    let input = Source::memory("a.jsonl", article.to_string()).into();
    karat::registry().read(&input, Some("elevant"), &ReadOptions::default()).unwrap().corpus
}

/// What ELEVANT would say of these, unknown entities ignored, after some settings are changed.
fn evaluated(gold: &Corpus, system: &Corpus, changes: &[(&str, &str)]) -> Value {
    let mut builder = Builder::in_memory();
    let entities = "Q47899\tParis Hilton\tQ215627\t\t\nQ220\tRome\tQ27096213\t\t\n\
                    Q105\tMonday\tOTHER\tDATETIME\t\nQ1\tuniverse\tOTHER\t\t\n";
    let table: Input = Source::memory("entities.tsv", entities).into();
    karat::harvest::harvest(&[table], &mut builder, &karat::harvest::Options::default()).unwrap();
    let base = Arc::new(builder.finish().unwrap());
    let mut convention = (Preset::named("elevant").unwrap().convention)();
    for (key, value) in changes {
        convention.set(key, value).unwrap();
    }
    let read: Signature = Signature::new(&convention).to_string().parse().unwrap();
    assert_eq!(read.convention().as_ref(), Ok(&convention));
    let identity = Identity::new().with_base(Arc::clone(&base));
    let inspection = Inspection {
        settings: &convention.settings,
        taxonomy: convention.taxonomy,
        identity: &identity,
        base: Some(&base),
        watch: None,
    };
    files(&inspection, "b", gold, system).unwrap().results["IGNORED"].clone()
}

/// True positives, false positives and false negatives of all mentions.
fn all(results: &Value) -> [u64; 3] {
    ["true_positives", "false_positives", "false_negatives"]
        .map(|key| results["mention_types"]["all"][key].as_u64().unwrap())
}

#[test]
fn labels_and_predictions_of_some_types_only() {
    let (gold, system) = (gold(), system(Value::Null));
    let of = |changes: &[(&str, &str)]| all(&evaluated(&gold, &system, changes));
    assert_eq!(of(&[]), [2, 1, 0]);
    // The place and the date are no labels any more, so that what is predicted there is wrong.
    assert_eq!(of(&[("gold-types", "Q215627")]), [1, 3, 0]);
    assert_eq!(of(&[("gold-types", "Q215627,Q27096213")]), [2, 2, 0]);
    // Parts are labels only where the whole is: the place within the person is none.
    assert_eq!(of(&[("gold-types", "Q27096213")]), [1, 3, 0]);
    assert_eq!(of(&[("predicted-types", "Q215627")]), [1, 0, 1]);
    assert_eq!(of(&[("predicted-types", "Q27096213")]), [1, 0, 1]);
    let both = [("gold-types", "Q215627"), ("predicted-types", "Q215627")];
    assert_eq!(of(&both), [1, 0, 0]);
    assert_eq!(of(&[("gold-types", "all"), ("predicted-types", "all")]), [2, 1, 0]);
}

#[test]
fn the_last_prediction_of_a_span_has_the_types_or_has_not() {
    let gold = gold();
    let twice = article(&json!({"id": 0, "title": "t", "text": TEXT, "entity_mentions": [
        {"span": [0, 12], "id": "Q47899", "candidates": []},
        {"span": [0, 12], "id": "Q1", "candidates": []},
    ]}));
    let results = evaluated(&gold, &twice, &[("predicted-types", "Q215627")]);
    assert_eq!(all(&results), [0, 0, 2]);
}

#[test]
fn where_gold_does_not_label_what_is_unknown_a_capital_may_be_a_name() {
    let gold = gold();
    let system = article(&json!({"id": 0, "title": "t", "text": TEXT, "entity_mentions": [
        {"span": [38, 43], "id": "Q1", "candidates": []},
        {"span": [13, 22], "id": "Q1", "candidates": []},
    ]}));
    let of = |changes: &[(&str, &str)]| {
        let results = evaluated(&gold, &system, changes);
        let extra = &results["error_categories"]["ner_fp"];
        ["lowercased", "groundtruth_unknown", "other"].map(|key| extra[key]["errors"].clone())
    };
    assert_eq!(of(&[]), [json!(0), json!(0), json!(2)]);
    // `left Rome` overlaps gold that is to be found; `Jim .` does not.
    assert_eq!(of(&[("no-unknowns", "yes")]), [json!(0), json!(1), json!(1)]);
}

#[test]
fn the_linked_article_says_which_part_of_it_is_evaluated() {
    let gold = article(
        &json!({"id": 0, "title": "t", "text": TEXT, "evaluation_span": [0, 5], "labels": []}),
    );
    let of =
        |span: Value, changes: &[(&str, &str)]| all(&evaluated(&gold, &system(span), changes))[1];
    assert_eq!(of(json!([0, 43]), &[]), 4);
    assert_eq!(of(json!([0, 22]), &[]), 3);
    assert_eq!(of(json!([0, 43]), &[("window-of", "gold")]), 0);
    // An article that says nothing leaves it to the benchmark.
    assert_eq!(of(Value::Null, &[]), 0);
}

#[test]
fn since_2025_every_coreference_may_be_falsely_detected() {
    let text = "She saw it .";
    let gold = article(&json!({"id": 0, "title": "t", "text": text, "labels": []}));
    let mention = |span: [u32; 2]| json!({"span": span, "id": "Q1", "candidates": []});
    let mentions = [mention([0, 3]), mention([8, 10])];
    let system =
        article(&json!({"id": 0, "title": "t", "text": text, "entity_mentions": mentions}));
    let of = |changes: &[(&str, &str)]| {
        let results = evaluated(&gold, &system, changes);
        results["error_categories"]["wrong_coreference"]["false_detection"].clone()
    };
    assert_eq!(of(&[]), 1);
    assert_eq!(of(&[("taxonomy", "elevant-2025")]), 2);
}

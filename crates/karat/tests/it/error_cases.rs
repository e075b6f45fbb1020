//! Cases that no published benchmark has: dates and quantities, labels without an id, kinds of NIL. What
//! is expected follows from ELEVANT's own code.

use karat::errors::{Filter, Inspection};
use karat::formats::{Input, ReadOptions, Source};
use karat::inputs::Run;
use karat::kb::{Builder, Identity, KnowledgeBase};
use karat::matching::Unknowns;
use karat::measures::{Convention, Preset};
use karat::model::Corpus;
use karat::scoring::Scoring;
use serde_json::{Value, json};
use std::sync::Arc;

fn article(text: &str, labels: Value, mentions: Value) -> Corpus {
    let article = json!({
        "id": 0, "title": "t", "text": text, "labels": labels, "entity_mentions": mentions,
    });
    let input = Source::memory("a.jsonl", article.to_string()).into();
    karat::registry().read(&input, Some("elevant"), &ReadOptions::default()).unwrap().corpus
}

fn base(entities: &str) -> KnowledgeBase {
    let mut builder = Builder::in_memory();
    let table: Input = Source::memory("entities.tsv", entities.to_owned()).into();
    karat::harvest::harvest(&[table], &mut builder, &karat::harvest::Options::default()).unwrap();
    builder.finish().unwrap()
}

fn convention(preset: &str) -> Convention {
    (Preset::named(preset).unwrap().convention)()
}

fn inspected<T>(
    preset: &str,
    base: Option<&KnowledgeBase>,
    of: impl FnOnce(&Inspection<'_>) -> T,
) -> T {
    let convention = convention(preset);
    let identity = Identity::new();
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    of(&Inspection { settings, taxonomy, identity: &identity, base, watch: None })
}

/// What ELEVANT would write of an article, results and cases.
fn evaluated(
    text: &str,
    labels: Value,
    mentions: Value,
    base: Option<&KnowledgeBase>,
) -> (Value, Value) {
    let gold = article(text, labels, json!([]));
    let system = article(text, json!([]), mentions);
    inspected("elevant", base, |inspection| {
        let mut files = karat::elevant::files(inspection, "b", &gold, &system).unwrap();
        (files.results, files.cases.remove(0))
    })
}

fn number(results: &Value, path: &str) -> Value {
    results.pointer(path).cloned().unwrap_or_else(|| panic!("there is no {path}"))
}

#[test]
fn nothing_before_it_names_what_is_linked_to_nothing() {
    let text = "On Monday a woman came . She left Paris .";
    let labels = json!([
        {"id": 0, "span": [3, 9], "entity_id": "DATETIME", "name": "Unknown", "type": "DATETIME"},
        {"id": 1, "span": [25, 28], "entity_id": "<NIL>", "name": "Unknown", "type": "OTHER"},
    ]);
    let mentions = json!([{"span": [25, 28], "id": "Q5", "candidates": []}]);
    let base = base("Q5\thuman\tOTHER\t\t\n");
    let (results, _) = evaluated(text, labels, mentions, Some(&base));
    let coreference = "/REQUIRED/error_categories/wrong_coreference";
    let of = |key: &str| number(&results, &format!("{coreference}/{key}"));
    let none = json!({"errors": 0, "total": 1});
    assert_eq!(of("wrong_mention_referenced"), none);
    assert_eq!(of("reference_wrongly_disambiguated"), none);
}

#[test]
fn a_label_with_neither_id_nor_name_is_of_an_unknown_entity() {
    let labels = json!([
        {"id": 0, "span": [0, 4], "entity_id": "", "name": "Unknown", "type": "OTHER"},
        {"id": 1, "span": [5, 9], "entity_id": "", "name": "Jane", "type": "OTHER"},
    ]);
    let (results, cases) = evaluated("John Jane", labels, json!([]), None);
    assert_eq!(cases[0]["mention_type"], "ENTITY_UNKNOWN");
    assert_eq!(cases[1]["mention_type"], "ENTITY_NAMED");
    // ELEVANT knows two words for NIL, and this is none of them.
    assert_eq!(number(&results, "/IGNORED/mention_types/entity_unknown/ground_truth"), 1);
}

#[test]
fn kinds_of_nil_stay_apart_among_predictions() {
    let label = |entity: &str| json!([{"id": 0, "span": [0, 4], "entity_id": entity, "name": "Unknown", "type": "OTHER"}]);
    let base = base("Q5\thuman\tOTHER\t\t\n");
    for (gold, predicted, total) in [
        ("<NO_MAPPING>", "<NO_MAPPING>", 1),
        ("<NIL>", "<NIL>", 1),
        ("<NIL>", "<NO_MAPPING>", 0),
        ("<NO_MAPPING>", "<NIL>", 0),
    ] {
        let mentions = json!([{"span": [0, 4], "id": predicted, "candidates": ["Q5", predicted]}]);
        let (results, cases) = evaluated("John left", label(gold), mentions, Some(&base));
        assert_eq!(cases[0]["predicted_entity"]["entity_id"], predicted);
        assert_eq!(cases[0]["candidates"][0], json!({"entity_id": predicted, "name": "Unknown"}));
        let path = "/REQUIRED/error_categories/wrong_disambiguation/multiple_candidates/total";
        assert_eq!(number(&results, path), total, "{gold} {predicted}");
    }
}

#[test]
fn a_candidate_is_nil_for_its_own_reason() {
    let labels = json!([{"id": 0, "span": [0, 4], "entity_id": "<NIL>", "name": "Unknown", "type": "OTHER"}]);
    let base = base("Q5\thuman\tOTHER\t\t\n");
    for (candidate, total) in [("<NIL>", 1), ("<NO_MAPPING>", 0)] {
        for predicted in ["<NIL>", "<NO_MAPPING>"] {
            let mentions =
                json!([{"span": [0, 4], "id": predicted, "candidates": ["Q5", candidate]}]);
            let (results, cases) = evaluated("John left", labels.clone(), mentions, Some(&base));
            assert_eq!(cases[0]["candidates"][0]["entity_id"], candidate);
            let path = "/REQUIRED/error_categories/wrong_disambiguation/multiple_candidates/total";
            assert_eq!(number(&results, path), total, "{predicted} {candidate}");
        }
    }
}

const MONDAY: &str = "On Monday she came .";

#[test]
fn a_mention_that_is_right_through_its_parts_had_the_right_candidates() {
    let labels = json!([
        {"id": 0, "span": [0, 12], "entity_id": "Q1", "name": "n", "type": "OTHER", "children": [1]},
        {"id": 1, "span": [0, 5], "entity_id": "Q90", "name": "Paris", "type": "OTHER", "parent": 0},
    ]);
    let mentions = json!([{"span": [0, 5], "id": "Q90", "candidates": ["Q90", "Q5"]}]);
    let (results, cases) = evaluated("Paris Hilton left .", labels, mentions, None);
    let has = |mode: &str| {
        let labels = number(&cases, &format!("/1/error_labels/{mode}"));
        labels.as_array().unwrap().contains(&json!("DISAMBIGUATION_CANDIDATES_CORRECT"))
    };
    assert_eq!(
        (number(&cases, "/1/factor"), has("IGNORED"), has("REQUIRED")),
        (json!(0), true, true)
    );
    // What is judged by its parts is in no category all the same.
    let path = "/IGNORED/error_categories/wrong_disambiguation/wrong_candidates";
    assert_eq!(number(&results, path), json!({"errors": 0, "total": 0}));
}

fn monday() -> (Value, Value) {
    let label = json!({"id": 0, "span": [3, 9], "entity_id": "DATETIME", "name": "Unknown", "type": "DATETIME"});
    let mention = json!({"span": [3, 9], "id": "Q105", "candidates": []});
    (json!([label]), json!([mention]))
}

#[test]
fn whether_a_link_on_a_date_is_right_is_unknown_without_facts() {
    for (entities, extra) in [
        (Some("Q105\tMonday\tOTHER\tDATETIME\t\n"), json!(0)),
        (Some("Q105\tMonday\tOTHER\tQUANTITY\t\n"), json!(1)),
        (Some("Q105\tMonday\tOTHER\t\t\n"), json!(1)),
        // Its name was a candidate somewhere: nobody looked at what it is.
        (Some("Q105\tMonday\t\t\t\n"), Value::Null),
        (Some("Q1\tuniverse\tOTHER\t\t\n"), Value::Null),
        (None, Value::Null),
    ] {
        let (labels, mentions) = monday();
        let base = entities.map(base);
        let (results, cases) = evaluated(MONDAY, labels, mentions, base.as_ref());
        for kind in ["all", "entity", "entity_named"] {
            for mode in ["IGNORED", "REQUIRED"] {
                let path = format!("/{mode}/mention_types/{kind}/false_positives");
                assert_eq!(number(&results, &path), extra, "{entities:?} {path}");
            }
        }
        assert_eq!(number(&results, "/IGNORED/mention_types/coref/false_positives"), 0);
        let types = cases[0].pointer("/linking_eval_types/IGNORED").unwrap();
        assert_eq!(types.is_null(), extra.is_null(), "{entities:?}");
    }
}

#[test]
fn whether_a_date_was_found_on_a_wrong_span_is_unknown_without_facts() {
    let (labels, _) = monday();
    let mentions = json!([{"span": [0, 9], "id": "Q105", "candidates": []}]);
    for (entities, errors) in [
        (Some("Q105\tMonday\tOTHER\tDATETIME\t\n"), json!(1)),
        (Some("Q105\tMonday\tOTHER\t\t\n"), json!(0)),
        (None, Value::Null),
    ] {
        let base = entities.map(base);
        let (results, _) = evaluated(MONDAY, labels.clone(), mentions.clone(), base.as_ref());
        let path = "/REQUIRED/error_categories/ner_fp/wrong_span/errors";
        assert_eq!(number(&results, path), errors, "{entities:?}");
    }
}

#[test]
fn dates_count_neither_for_nor_against_under_our_own_preset() {
    let (labels, mentions) = monday();
    let gold = article(MONDAY, labels, json!([]));
    let system = article(MONDAY, json!([]), mentions);
    let all = inspected("karat", None, |inspection| inspection.counts("b", &gold, &system));
    assert_eq!(all.modes[0].all(), karat::errors::Hits::default());
    let elsewhere =
        article(MONDAY, json!([]), json!([{"span": [10, 13], "id": "Q5", "candidates": []}]));
    let all = inspected("karat", None, |inspection| inspection.counts("b", &gold, &elsewhere));
    assert_eq!(all.modes[0].all().extra, 1);
}

#[test]
fn a_date_that_carries_an_id_is_found_by_it() {
    let labels = json!([
        {"id": 0, "span": [3, 9], "entity_id": "Q105", "name": "June 5", "type": "DATETIME",
         "children": [1]},
        {"id": 1, "span": [3, 7], "entity_id": "Q7", "name": "June", "type": "OTHER", "parent": 0},
    ]);
    let mentions = json!([
        {"span": [3, 9], "id": "Q105", "candidates": []}, {"span": [3, 7], "id": "Q7", "candidates": []},
    ]);
    let base = base("Q105\tJune 5\tOTHER\tDATETIME\t\nQ7\tJune\tOTHER\t\t\n");
    let (_, cases) = evaluated("On June 5 she came .", labels, mentions, Some(&base));
    let factors: Vec<&Value> =
        cases.as_array().unwrap().iter().map(|case| &case["factor"]).collect();
    // The part comes first, by its span.
    assert_eq!(factors, [0, 1]);
}

const PARIS: &str = "In Paris and Rome they met .";

/// A run with one wrong link, of which the category is known only because the base knows everything
/// that was predicted, and a base for it.
fn wrong_link() -> (Corpus, Corpus, KnowledgeBase) {
    let labels = json!([
        {"id": 0, "span": [3, 8], "entity_id": "Q90", "name": "Paris", "type": "Q27096213"},
        {"id": 1, "span": [13, 17], "entity_id": "Q220", "name": "Rome", "type": "Q27096213"},
    ]);
    let mentions = json!([
        {"span": [3, 8], "id": "Q5", "candidates": []},
        {"span": [13, 17], "id": "Q220", "candidates": []},
        {"span": [23, 26], "id": "Q5", "candidates": []},
    ]);
    let mut builder = Builder::in_memory();
    let files = [
        (
            "entities.tsv",
            "Q90\tParis\tQ27096213\t\t\nQ220\tRome\tQ27096213\t\t\nQ5\tParis Hilton\tQ215627\t\t\n",
        ),
        ("popular.tsv", "\"Paris\"\tinferred\t?\n\"Rome\"\texact\tQ220\n"),
        ("demonyms.tsv", "Paris\t0\nRome\t0\n"),
    ];
    for (name, text) in files {
        let table: Input = Source::memory(name, text).into();
        let options = karat::harvest::Options::default();
        karat::harvest::harvest(&[table], &mut builder, &options).unwrap();
    }
    let gold = article(PARIS, labels, json!([]));
    (gold, article(PARIS, json!([]), mentions), builder.finish().unwrap())
}

/// For each label of a facet, what is extra, right and missed in linking.
fn slices(facet: &str) -> Vec<(String, [f64; 3])> {
    let (gold, system, base) = wrong_link();
    let base = Arc::new(base);
    let convention = convention("elevant");
    let context = convention.facet_context(Unknowns::Ignored, Some(&base));
    let facet = karat::facets::facet(facet, &context).unwrap();
    let scoring = Scoring {
        facets: vec![vec![facet]],
        identity: Identity::new().with_base(base),
        ..Scoring::named("elevant", &["linking"]).unwrap()
    };
    let board = scoring.score("b", &gold, &[Run::new("s", system)]);
    let slices = &board.systems[0].evaluation.slices;
    let counts = |counts: &[f64]| [counts[1], counts[2], counts[3]];
    slices.iter().map(|slice| (slice.label.clone(), counts(&slice.results[0].counts))).collect()
}

#[test]
fn slices_by_category_settle_what_counts_settle() {
    let found = slices("category");
    let expected = [
        ("correct", [0.0, 1.0, 0.0]),
        ("disambiguation-other", [1.0, 0.0, 1.0]),
        ("extra-lowercased", [1.0, 0.0, 0.0]),
    ];
    assert_eq!(found, expected.map(|(label, counts)| (label.to_owned(), counts)));
}

#[test]
fn slices_by_type_ask_the_base_what_was_predicted() {
    let expected = [("Q215627", [2.0, 0.0, 0.0]), ("Q27096213", [0.0, 1.0, 1.0])];
    assert_eq!(slices("type"), expected.map(|(label, counts)| (label.to_owned(), counts)));
}

#[test]
fn categories_are_the_same_by_facet_and_by_count() {
    let (gold, system, base) = wrong_link();
    let (settled, kept) = inspected("elevant", Some(&base), |inspection| {
        let counts = inspection.counts("b", &gold, &system);
        let context = convention("elevant").facet_context(Unknowns::Ignored, None);
        let facet = karat::facets::facet("category", &context);
        let filter = Filter { facet: facet.unwrap(), label: "correct".to_owned() };
        let part = inspection.counts_of(&gold, &system, Unknowns::Ignored, &[filter]);
        (counts, part)
    });
    let other = karat::facets::taxonomy::Category::DisambiguationOther;
    assert_eq!(settled.modes[0].errors(other), Some(1));
    assert_eq!(kept.modes[0].all().hits, 1);
    assert_eq!(kept.modes[0].all().extra, 0);
}

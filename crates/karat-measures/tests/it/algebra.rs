//! neleval's notation for measures, against neleval.
//!
//! The tables were made with neleval 3.1.1 on random documents: gold and system in its own
//! format, then for each measure the credit of predictions, false positives, credit of gold
//! and false negatives. An attribute that neleval calls `reftype` is `attribute.reftype` here.

use crate::support::{corpus, counts, evaluation};
use karat_model::Corpus;

const SETS: &str = include_str!("../data/neleval-sets.txt");

/// Checks every measure of every case of a table.
pub(crate) fn check(table: &str, tolerance: f64) {
    check_with(table, tolerance, |gold, system, measure, _| {
        counts(gold, system, "neleval", measure)
    });
}

/// The same, counting as `counts` says; its last argument is what stands before gold.
pub(crate) fn check_with(
    table: &str,
    tolerance: f64,
    counts: impl Fn(&Corpus, &Corpus, &str, &str) -> Vec<f64>,
) {
    for case in table.split("\n\n").filter(|case| !case.trim().is_empty()) {
        let (sides, expected) = case.split_once("\nexpected\n").unwrap();
        let (before, sides) = sides.split_once("gold\n").unwrap();
        let (gold, system) = sides.split_once("\nsystem\n").unwrap();
        let (gold, system) = (corpus(gold), corpus(system));
        for line in expected.lines() {
            let (measure, numbers) = line.split_once(' ').unwrap();
            let numbers = numbers.split(' ').map(|number| number.parse::<f64>().unwrap());
            let found = counts(&gold, &system, measure, before);
            for (found, expected) in found.iter().zip(numbers) {
                let message = format!("{measure}: {found} is not {expected}\n{case}");
                assert!((found - expected).abs() <= tolerance, "{message}");
            }
        }
    }
}

#[test]
fn sets_are_those_of_neleval() {
    check(SETS, 0.0);
}

/// Without a document in the key, an entity found in another document is found.
#[test]
fn a_key_without_document_is_compared_over_the_corpus() {
    let (gold, system) = (corpus("d1 0 4 A\n d1 10 14 B"), corpus("d2 0 4 A\n d2 5 9 C"));
    let count = |measure| counts(&gold, &system, "neleval", measure);
    assert_eq!(count("sets::kbid"), [1.0, 1.0, 1.0, 1.0]);
    assert_eq!(count("sets::start"), [1.0, 1.0, 1.0, 1.0]);
    assert_eq!(count("sets::docid+kbid"), [0.0, 2.0, 0.0, 2.0]);
    assert_eq!(count("sets::span+kbid"), [0.0, 2.0, 0.0, 2.0]);
}

#[test]
fn what_the_notation_does_not_know_is_named() {
    let gold = corpus("d 0 4 A");
    let error = |measure| evaluation(&gold, &gold, "neleval", &[measure]).unwrap_err();
    let unknown = error("sets::span+is_lined");
    assert!(unknown.message.contains("`is_lined`"), "{unknown:?}");
    for field in ["span", "docid", "start", "end", "kbid", "eid", "type", "score", "is_first"] {
        assert!(unknown.hint.to_string().contains(field), "{unknown:?}");
    }
    assert!(unknown.hint.to_string().contains("attribute.NAME"), "{unknown:?}");
    assert!(error("sets:is_nill:span").hint.to_string().contains("is_nil"));
    assert!(error("heaps::span").hint.to_string().contains("overlap-maxmax"));
    assert!(error("overlap-minmax::span").hint.to_string().contains("overlap-maxmax"));
    assert!(error("b_cubed::score").message.contains("neither span nor docid"));
    assert!(error("overlap-maxmax::kbid").message.contains("span"));
}

/// Every field that neleval lists, and every attribute by its name, as neleval 3.1.1 has it. Candidates as
/// keys are what they say; in neleval no two are the same.
#[test]
fn attributes_and_candidates_are_fields() {
    let gold = corpus(
        r#"d 0 1 A 1.0 {"type":"PER","reftype":"NAM"}
           d 3 4 A 0.5 {"type":"LOC","reftype":"NOM"}
           e 3 4 NIL1 1.0 {"type":"LOC","reftype":"NOM"}"#,
    );
    let system = corpus(
        r#"d 0 1 A 0.9 {"type":"PER","reftype":"NOM"}
           d 3 4 A 0.5 {"type":"LOC","reftype":"NOM"}
           e 3 4"#,
    );
    for (measure, expected) in [
        ("sets:link:span", [2.0, 0.0, 2.0, 1.0]),
        ("sets:candidates:span", [2.0, 0.0, 2.0, 1.0]),
        ("sets::span+reftype", [1.0, 2.0, 1.0, 2.0]),
        ("sets:reftype:span+reftype", [1.0, 1.0, 1.0, 2.0]),
        ("sets::span+attribute.reftype", [1.0, 2.0, 1.0, 2.0]),
        ("b_cubed::span+reftype", [0.5, 2.5, 0.5, 2.5]),
        ("sets::span+link", [1.0, 2.0, 1.0, 2.0]),
        ("sets::span+candidates", [2.0, 1.0, 2.0, 1.0]),
    ] {
        assert_eq!(counts(&gold, &system, "neleval", measure), expected, "{measure}");
        let perfect = counts(&gold, &gold, "neleval", measure);
        assert_eq!((perfect[1], perfect[3]), (0.0, 0.0), "{measure}");
    }
}

/// neleval's `-m all` is what it reports when nothing is asked for: nineteen measures.
#[test]
fn all_is_a_group_in_neleval_and_a_measure_elsewhere() {
    let measures = |preset: &str| {
        let convention = crate::support::convention(preset);
        let selection = karat_measures::Selection::parse(["all"], &convention);
        selection.map(|selection| selection.measures.len())
    };
    assert_eq!(measures("neleval"), Ok(19));
    assert_eq!(measures("karat"), Ok(1));
}

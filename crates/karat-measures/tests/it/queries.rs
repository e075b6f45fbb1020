//! Measures of queries against counts made by hand and by other means.

use crate::support::{corpus, counts, evaluation, score};
use karat_facets::FacetContext;

const GOLD: &str = "d1 0 3 Q1
d1 10 13 Q2
d1 20 23 Q3
d1 30 33 NIL1
d2 0 3 Q4
d2 10 13 NIL2";

/// One of each kind, twice no answer, and one that nobody asked for.
const SYSTEM: &str = "d1 0 3 Q1
d1 10 13 Q9
d1 20 23 NIL7
d1 30 33 Q5
d1 40 43 Q6";

#[track_caller]
fn expect(system: &str, measure: &str, expected: &[f64]) {
    let found = counts(&corpus(GOLD), &corpus(system), "mertens-2014", measure);
    assert_eq!(found, expected);
}

#[test]
fn every_gold_mention_is_one_query() {
    // Right link, wrong link, link as NIL (one of them without an answer), right NIL, NIL as link.
    expect(SYSTEM, "query", &[1.0, 1.0, 2.0, 1.0, 1.0]);
    expect(SYSTEM, "query-link", &[1.0, 2.0, 1.0, 3.0]);
    expect(SYSTEM, "query-nil", &[1.0, 2.0, 1.0, 1.0]);
    expect("", "query", &[0.0, 0.0, 4.0, 2.0, 0.0]);
    expect(GOLD, "query", &[4.0, 0.0, 0.0, 2.0, 0.0]);
}

#[test]
fn the_last_of_several_answers_counts() {
    expect("d2 0 3 Q7\nd2 0 3 Q4", "query-link", &[1.0, 0.0, 1.0, 3.0]);
    expect("d2 0 3 Q4\nd2 0 3 Q7", "query-link", &[0.0, 1.0, 0.0, 4.0]);
}

#[test]
fn precision_is_weighted_by_gold() {
    let (gold, system) = (corpus(GOLD), corpus(SYSTEM));
    let of = |name| score(&gold, &system, "mertens-2014", "query", name);
    // P_link = 1/3, P_nil = 1/3, and 4 links and 2 NIL; R = 2/6.
    assert_eq!(of("precision").map(|p| (p * 1e12).round()), Some((1e12f64 / 3.0).round()));
    assert_eq!(of("recall"), Some(2.0 / 6.0));
    // Nothing was linked: the precision of links is not there, and counts as 0.
    let silent = |name| score(&gold, &corpus(""), "mertens-2014", "query", name);
    assert_eq!(
        (silent("precision"), silent("recall")),
        (Some((2.0 * 2.0 / 6.0) / 6.0), Some(2.0 / 6.0))
    );
    assert_eq!(score(&gold, &corpus(""), "mertens-2014", "query-link", "precision"), None);
    let empty = corpus("");
    assert_eq!(score(&empty, &empty, "mertens-2014", "query", "f1"), None);
}

#[test]
fn links_are_those_of_given_mentions() {
    let (gold, system) = (corpus(GOLD), corpus(SYSTEM));
    let link = counts(&gold, &system, "mertens-2014", "link");
    assert_eq!(counts(&gold, &system, "mertens-2014", "query-link"), link);
}

#[test]
fn parts_of_the_corpus_add_up() {
    let gold = corpus("d1 0 3 Q1 1 PER\nd1 10 13 Q2 1 ORG\nd1 20 23 NIL1 1 PER");
    // The system knows no types: its answers are those of the gold mentions.
    let system = corpus("d1 0 3 Q1\nd1 10 13 Q9\nd1 20 23 Q5");
    let convention = crate::support::convention("mertens-2014");
    let selection = karat_measures::Selection::parse(["query"], &convention).expect("a measure");
    let facet = karat_facets::facet("type", &FacetContext::default()).expect("a facet");
    let plan = karat_measures::Plan {
        facets: vec![vec![facet]],
        ..karat_measures::Plan::new(convention, selection)
    };
    let identity = karat_kb::Identity::new();
    let pairing = karat_match::Pairing::new(&gold, &system, &identity);
    let found = karat_measures::evaluate(&pairing, &plan);
    let slices: Vec<(&str, &[f64])> = found
        .slices
        .iter()
        .map(|slice| (slice.label.as_str(), slice.results[0].counts.as_slice()))
        .collect();
    assert_eq!(
        slices,
        [("ORG", &[0.0, 1.0, 0.0, 0.0, 0.0][..]), ("PER", &[1.0, 0.0, 0.0, 0.0, 1.0][..])]
    );
}

#[test]
fn the_group_is_all_three() {
    let gold = corpus(GOLD);
    let found = evaluation(&gold, &gold, "karat", &["queries"]).expect("a group");
    assert_eq!(found.results.len(), 3);
}

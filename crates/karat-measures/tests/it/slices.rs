//! Parts of a corpus: a case is where its gold mention is.

use crate::tiny::{convention, corpus};
use karat_match::{Pairing, Unknowns};
use karat_measures::{Evaluation, Plan, Selection, evaluate};

const GOLD: &str = "0-4 A #PER, 6-10 B #LOC, 12-15 C #LOC, 20-24 nil #PER, 40-50 F #ORG";
/// A system without types.
const SYSTEM: &str = "0-4 A, 6-10 X, 12-15 C, 20-24 D, 30-33 E, 40-45 F";

fn sliced(preset: &str, gold: &str, system: &str, facet: &str, measures: &[&str]) -> Evaluation {
    let (gold, system) = (corpus(gold), corpus(system));
    let convention = convention(preset);
    let selection = Selection::parse(measures.iter().copied(), &convention).expect("measures");
    let identity = convention.identity();
    let context = convention.facet_context(Unknowns::Ignored, None);
    let mut plan = Plan::new(convention, selection);
    plan.facets = vec![vec![karat_facets::facet(facet, &context).expect("a facet")]];
    evaluate(&Pairing::new(&gold, &system, &identity), &plan)
}

/// The counts of one measure for each label.
fn counts(facet: &str, measure: &str) -> Vec<(String, Vec<f64>)> {
    let evaluation = sliced("karat", GOLD, SYSTEM, facet, &[measure]);
    let slices = evaluation.slices.into_iter();
    slices.map(|slice| (slice.label, slice.results[0].counts.clone())).collect()
}

fn named(counts: &[(&str, &[f64])]) -> Vec<(String, Vec<f64>)> {
    counts.iter().map(|(label, counts)| ((*label).to_owned(), counts.to_vec())).collect()
}

#[test]
fn a_prediction_is_where_the_mention_is_that_it_met() {
    assert_eq!(
        counts("type", "disambiguation"),
        named(&[
            ("-", &[0.0, 0.0]),
            ("LOC", &[1.0, 2.0]),
            ("ORG", &[0.0, 0.0]),
            ("PER", &[1.0, 1.0])
        ])
    );
    assert_eq!(
        counts("type", "candidate-recall(over=all)"),
        named(&[
            ("-", &[0.0, 0.0, 0.0]),
            ("LOC", &[1.0, 2.0, 2.0]),
            ("ORG", &[0.0, 0.0, 1.0]),
            ("PER", &[1.0, 1.0, 1.0]),
        ])
    );
    // Linked gold that was found is all that disambiguation asks about.
    let by_link = counts("link", "disambiguation");
    let whole = sliced("karat", GOLD, SYSTEM, "link", &["disambiguation"]);
    let linked = by_link.iter().find(|(label, _)| label != "NIL").expect("linked gold");
    assert_eq!(linked.1, whole.results[0].counts);
}

#[test]
fn mentions_that_overlap_meet_where_the_measure_says_so() {
    let org = |measure: &str| {
        let counts = counts("type", measure).into_iter();
        counts.filter(|(label, _)| label == "ORG").map(|(_, counts)| counts).next().expect("ORG")
    };
    assert_eq!(org("nervaluate(scheme=partial)")[2], 1.0);
    assert_eq!(org("overlap"), [1.0, 0.0, 0.5, 0.5]);
    assert_eq!(org("b-cubed"), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn the_parts_add_up_to_the_whole() {
    let measures = [
        "link",
        "disambiguation",
        "accuracy",
        "candidate-recall",
        "mrr",
        "map",
        "nervaluate",
        "nervaluate(scheme=exact)",
        "nervaluate(scheme=partial)",
        "nervaluate(scheme=type)",
        "overlap",
        "similarity",
        "similarity(of=mention)",
        "query",
    ];
    for facet in ["type", "link", "error", "relation"] {
        let evaluation = sliced("karat", GOLD, SYSTEM, facet, &measures);
        for (at, measure) in measures.iter().enumerate() {
            let whole = &evaluation.results[at].counts;
            let column = |column: usize| -> f64 {
                evaluation.slices.iter().map(|slice| slice.results[at].counts[column]).sum()
            };
            let sums: Vec<f64> = (0..whole.len()).map(column).collect();
            assert_eq!(sums, *whole, "{measure} by {facet}");
        }
    }
}

#[test]
fn what_goes_wrong_labels_measures_without_cases() {
    let by_error = counts("error", "disambiguation");
    let found = |label: &str| by_error.iter().find(|(known, _)| known == label).map(|(_, it)| it);
    assert_eq!(found("correct link"), Some(&vec![2.0, 2.0]));
    assert_eq!(found("wrong-link"), Some(&vec![0.0, 1.0]));
}

/// What became of a mention is said of cases, however a convention groups mentions.
#[test]
fn what_goes_wrong_labels_measures_without_cases_under_any_grouping() {
    let measures = ["link", "b_cubed", "overlap", "nervaluate(scheme=partial)"];
    for preset in ["neleval", "rosales-2019"] {
        for facet in ["error", "relation"] {
            let evaluation = sliced(preset, GOLD, SYSTEM, facet, &measures);
            let labels = evaluation.slices.iter().map(|slice| slice.label.as_str());
            assert!(labels.clone().count() > 2, "{preset} {facet}");
            assert!(!labels.clone().any(|label| label == "-"), "{preset} {facet}");
            let counts = |measure: usize| {
                let slices = evaluation.slices.iter();
                slices.map(move |slice| &slice.results[measure].counts)
            };
            let divided = |measure: usize| {
                counts(measure).filter(|counts| counts.iter().any(|count| *count > 0.0)).count()
            };
            for (measure, name) in measures.iter().enumerate() {
                assert!(divided(measure) > 1, "{preset} {facet} {name}");
            }
            let overlap: f64 = counts(2).map(|counts| counts[0]).sum();
            assert_eq!(overlap, evaluation.results[2].counts[0], "{preset} {facet}");
        }
    }
}

/// Where a part has not all predictions it has no precision, but cases are all there are.
#[test]
fn a_part_of_cases_has_precision() {
    let precision = |facet: &str| -> Vec<Option<f64>> {
        let slices = sliced("rosales-2019", GOLD, SYSTEM, facet, &["fuzzy"]).slices.into_iter();
        slices.map(|slice| slice.results[0].micro.get("precision").flatten()).collect()
    };
    assert!(precision("type").iter().all(Option::is_none));
    assert!(precision("error").iter().any(Option::is_some));
}

/// neleval divides each side by its own labels: its numbers stay.
#[test]
fn neleval_divides_sides() {
    let system = "0-4 A #LOC, 6-10 B #LOC";
    let evaluation = sliced("neleval", GOLD, system, "type", &["b_cubed"]);
    let slices = evaluation.slices.iter();
    let found: Vec<(&str, &[f64])> =
        slices.map(|slice| (slice.label.as_str(), slice.results[0].counts.as_slice())).collect();
    assert!(found.contains(&("PER", &[0.0, 0.0, 0.0, 2.0])), "{found:?}");
    assert!(found.contains(&("LOC", &[1.0, 1.0, 1.0, 1.0])), "{found:?}");
}

/// What is first is first in its document, not in its part of it, as neleval 3.1.1 prints it.
#[test]
fn the_first_mention_of_an_entity_is_the_first_of_the_document() {
    let both = "0-1 A #PER, 3-4 A #LOC";
    for preset in ["neleval", "karat"] {
        for measure in
            ["sets:is_first:span", "sets:is_first:span+start", "overlap-maxmax:is_first:span"]
        {
            let evaluation = sliced(preset, both, both, "type", &[measure]);
            let slices = evaluation.slices.iter();
            let found: Vec<(&str, f64)> = slices
                .map(|slice| (slice.label.as_str(), slice.results[0].counts[0]))
                .filter(|(_, right)| *right > 0.0)
                .collect();
            assert_eq!(found, [("PER", 1.0)], "{preset} {measure}");
        }
    }
}

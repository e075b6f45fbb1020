//! Credit for overlapping spans.

use crate::algebra::check;
use crate::support::{assert_near, corpus, counts, score};

const OVERLAP: &str = include_str!("../data/neleval-overlap.txt");

/// Credits are multiples of 2^-26 here; no case has more than twenty.
const TOLERANCE: f64 = 20.0 / (1u32 << 26) as f64;

#[test]
fn credits_are_those_of_neleval() {
    check(OVERLAP, TOLERANCE);
}

#[test]
fn the_example_of_the_documentation() {
    let (gold, system) = (corpus("d 1 10\n d 12 12"), corpus("d 1 5\n d 6 12"));
    for (modes, precision, recall) in [
        (["max", "max"], 12.0 / 14.0, 0.75),
        (["max", "sum"], 13.0 / 14.0, 0.75),
        (["sum", "max"], 12.0 / 14.0, 1.0),
        (["sum", "sum"], 13.0 / 14.0, 1.0),
    ] {
        let [gold_mode, system_mode] = modes;
        for measure in [
            format!("overlap-{gold_mode}{system_mode}::span"),
            format!("overlap(gold={gold_mode},system={system_mode})"),
        ] {
            let score = |name| score(&gold, &system, "neleval", &measure, name);
            assert_near(score("precision"), precision, TOLERANCE);
            assert_near(score("recall"), recall, TOLERANCE);
        }
    }
}

/// neleval counts what the filter leaves out in its denominators: recall 0.5 here.
#[test]
fn a_filter_applies_to_denominators() {
    let corpus = corpus("d 1 10 A\n d 12 12 NIL");
    let counts = counts(&corpus, &corpus, "neleval", "overlap-maxmax:is_linked:span");
    assert_eq!(counts, [1.0, 0.0, 1.0, 0.0]);
}

/// neleval compares the inner gold mention with the shorter prediction only, and gives it
/// no credit: recall 0.5 there.
#[test]
fn nested_mentions_are_not_lost() {
    let (gold, system) = (corpus("d 0 9 A\n d 8 9 B"), corpus("d 0 4 A\n d 0 9 A"));
    let counts = counts(&gold, &system, "neleval", "overlap-maxmax::span");
    assert_eq!(counts, [2.0, 0.0, 2.0, 0.0]);
}

#[test]
fn what_only_touches_does_not_overlap() {
    let (gold, system) = (corpus("d 0 4"), corpus("d 5 9"));
    assert_eq!(counts(&gold, &system, "neleval", "overlap-sumsum::span"), [0.0, 1.0, 0.0, 1.0]);
}

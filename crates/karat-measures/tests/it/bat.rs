//! The BAT framework 1.3.6: its matchings, its zero rules, its sweep and its similarity.

use crate::tiny::{convention, macro_, micro, run, score};
use karat_match::Pairing;
use karat_measures::{Plan, Selection, evaluate};
use karat_model::{CorpusBuilder, Flags, Link, Span};

fn bat(gold: &str, system: &str, measure: &str) -> [f64; 3] {
    micro(&score("bat", gold, system, measure))
}

/// Right, wrong and missed.
fn counts(gold: &str, system: &str, measure: &str) -> [f64; 3] {
    let result = score("bat", gold, system, measure);
    [result.counts[0], result.counts[1], result.counts[3]]
}

const SAM: &str = "link";
const WAM: &str = "link(match=overlap,overlaps=longest)";
const MAM: &str = "mention(match=overlap,overlaps=longest)";
const WEAK_MENTION: &str = "mention(match=overlap)";
const STRONG_MENTION_ANNOTATION: &str = "mention(match=length)";
const CAM: &str = "tag";
const MULTI_ENTITY: &str = "link(candidates=any)";

#[test]
fn v1_precision_is_one_without_predictions_and_recall_without_missed_gold() {
    let result = score("bat", "|0-4 A||0-4 A", "||0-4 A|0-4 A", SAM);
    assert_eq!(micro(&result), [0.5; 3]);
    assert_eq!(macro_(&result), [0.75, 0.75, 0.5]);
}

#[test]
fn strong_annotation_match_is_exact_and_keeps_overlaps() {
    assert_eq!(counts("0-10 A, 0-4 B", "0-10 A, 0-4 C", SAM), [1.0, 1.0, 1.0]);
    assert_eq!(counts("0-10 A", "0-9 A", SAM), [0.0, 1.0, 1.0]);
}

#[test]
fn weak_annotation_match_overlaps_with_the_same_entity() {
    assert_eq!(counts("0-10 A", "8-12 A", WAM), [1.0, 0.0, 0.0]);
    assert_eq!(counts("0-10 A", "8-12 B", WAM), [0.0, 1.0, 1.0]);
    assert_eq!(counts("0-10 A", "10-12 A", WAM), [0.0, 1.0, 1.0]);
}

#[test]
fn of_each_run_of_overlaps_the_longest_stays() {
    // 0-4 meets 3-10, which is longer; 9-12 still meets that one; 12-14 is a run of its own.
    let system = "0-4 A, 3-10 B, 9-12 C, 12-14 D";
    assert_eq!(counts("3-10 B, 12-14 D", system, WAM), [2.0, 0.0, 0.0]);
    assert_eq!(counts(system, "3-10 B, 12-14 D", WAM), [2.0, 0.0, 0.0]);
    // The run goes on only as long as mentions meet the longest so far.
    assert_eq!(counts("0-10 A, 20-25 C", "0-10 A, 8-12 B, 11-13 D", WAM), [1.0, 1.0, 1.0]);
}

#[test]
fn mention_annotation_match_looks_at_overlap_alone() {
    assert_eq!(counts("0-10 A", "8-12 B", MAM), [1.0, 0.0, 0.0]);
    assert_eq!(counts("0-10 A, 20-24 B", "0-4 X, 2-9 Y, 30-34 Z", MAM), [1.0, 1.0, 1.0]);
}

#[test]
fn mention_match_is_equality_and_weak_mention_match_is_overlap() {
    assert_eq!(counts("0-10 A", "0-10 B, 8-12 C", "mention"), [1.0, 1.0, 0.0]);
    // Without removal of overlaps, a prediction may be neither right nor wrong.
    assert_eq!(counts("0-10 A", "0-4 B, 8-12 C", WEAK_MENTION), [1.0, 0.0, 0.0]);
    // And one prediction may serve two of gold.
    assert_eq!(counts("0-4 A, 5-9 B", "3-6 C", WEAK_MENTION), [1.0, 0.0, 0.0]);
}

#[test]
fn strong_mention_annotation_match_compares_lengths_only() {
    assert_eq!(counts("0-4 A", "100-104 B", STRONG_MENTION_ANNOTATION), [1.0, 0.0, 0.0]);
    assert_eq!(counts("0-4 A", "0-5 A", STRONG_MENTION_ANNOTATION), [0.0, 1.0, 1.0]);
}

#[test]
fn concepts_count_once_per_document() {
    assert_eq!(counts("0-4 A, 10-14 A, 20-24 B", "0-4 A", CAM), [1.0, 0.0, 1.0]);
    assert_eq!(counts("0-4 A|0-4 A", "0-4 A|0-4 A", "cam"), [2.0, 0.0, 0.0]);
}

#[test]
fn multi_entity_match_lets_candidates_intersect() {
    assert_eq!(counts("0-4 A", "0-4 B ?C ?A", MULTI_ENTITY), [1.0, 0.0, 0.0]);
    assert_eq!(counts("0-4 A ?D", "0-4 B ?D", MULTI_ENTITY), [1.0, 0.0, 0.0]);
    assert_eq!(counts("0-4 A", "0-5 B ?A", MULTI_ENTITY), [0.0, 1.0, 1.0]);
    assert_eq!(counts("0-4 A", "0-4 B ?C ?A", SAM), [0.0, 1.0, 1.0]);
}

#[test]
fn annotations_are_sets() {
    assert_eq!(counts("0-4 A, 0-4 A", "0-4 B, 0-4 B", SAM), [0.0, 1.0, 1.0]);
}

#[test]
fn f1_is_nought_where_nothing_is_right() {
    assert_eq!(bat("0-4 A", "0-4 B", SAM), [0.0; 3]);
    assert_eq!(bat("", "", SAM), [1.0; 3]);
    assert_eq!(bat("0-4 A", "", SAM), [1.0, 0.0, 0.0]);
}

#[test]
fn the_sweep_goes_in_steps_and_looks_for_the_best_macro_f1() {
    let mut convention = convention("bat");
    convention.set("threshold", "oracle").expect("a setting");
    // From 33/128 on the wrong answer of the second document, with 0.25, is gone.
    let (gold, system) = ("0-4 A|0-4 B", "0-4 A .5|0-4 B .5, 5-9 X .25");
    let best = &run(convention.clone(), gold, system, &[SAM]).results[0];
    assert_eq!((macro_(best), best.threshold), ([1.0; 3], Some(33.0 / 128.0)));
    // A score on a step is kept at that step.
    let (gold, system) = ("0-4 A|0-4 B", "0-4 A .25|0-4 B .25, 5-9 X .2");
    let best = &run(convention.clone(), gold, system, &[SAM]).results[0];
    assert_eq!((macro_(best), best.threshold), ([1.0; 3], Some(26.0 / 128.0)));
    // Macro decides: emptying the first document is worth more than what the second loses.
    let gold = "|0-4 A, 5-9 B, 10-14 C, 15-19 D";
    let system = "0-4 X .3|0-4 A .9, 5-9 B .9, 10-14 C .9, 15-19 D .2";
    let best = &run(convention, gold, system, &[SAM]).results[0];
    assert_eq!(best.threshold, Some(39.0 / 128.0));
}

#[test]
fn the_threshold_comes_before_overlaps_are_removed() {
    let mut convention = convention("bat");
    convention.set("threshold", "0.5").expect("a setting");
    let result = &run(convention, "0-4 A", "0-4 A .9, 2-10 B .1", &[WAM]).results[0];
    assert_eq!(micro(result), [1.0; 3]);
}

#[test]
fn similarity_of_two_systems() {
    let (a, b) = ("0-4 A, 5-9 B|", "0-4 A, 5-9 C, 10-14 D|");
    let result = score("bat", a, b, "similarity");
    assert_eq!(result.micro.get("similarity"), Some(Some(2.0 / 5.0)));
    // The second document is empty on both sides: alike.
    let macro_similarity = result.macro_.as_ref().and_then(|means| means.scores.get("similarity"));
    assert_eq!(macro_similarity, Some(Some((2.0 / 5.0 + 1.0) / 2.0)));
    assert_eq!(result.columns, ["gold_met", "gold_alone", "system_met", "system_alone"]);
    assert_eq!(result.counts, [1.0, 1.0, 1.0, 2.0]);
    let swapped = score("bat", b, a, "similarity");
    assert_eq!(swapped.micro.get("similarity"), Some(Some(2.0 / 5.0)));
    // One mention that overlaps two has a match; so have they.
    let weak = score("bat", "0-9 A", "0-4 A, 5-9 A", "similarity(match=overlap)");
    assert_eq!(weak.micro.get("similarity"), Some(Some(1.0)));
    let spans = score("bat", a, b, "similarity(of=mention)");
    assert_eq!(spans.micro.get("similarity"), Some(Some(4.0 / 5.0)));
}

#[test]
fn the_preset_names_its_matchings() {
    let measures = karat_measures::Preset::named("bat").expect("a preset").measures;
    for matching in [SAM, WAM, MAM, "mention", WEAK_MENTION, CAM] {
        assert!(measures.contains(&matching), "{matching}");
    }
}

/// BAT keeps all 129 points of its sweep, micro and macro; other conventions try every confidence.
#[test]
fn scores_at_every_threshold() {
    let (gold, system) = ("0-4 A, 5-9 B|0-4 C", "0-4 A .9, 5-9 X .25|0-4 C .5");
    let points = |preset: &str| {
        let (gold, system) = (crate::tiny::corpus(gold), crate::tiny::corpus(system));
        let convention = crate::tiny::convention(preset);
        let identity = convention.identity();
        let selection = Selection::parse(["link"], &convention).expect("a measure");
        let plan = Plan { sweep: true, ..Plan::new(convention, selection) };
        let mut evaluation = evaluate(&Pairing::new(&gold, &system, &identity), &plan);
        let points = evaluation.results.remove(0).curve.expect("a curve");
        assert_eq!(points.names(), ["threshold", "f1"]);
        points.rows
    };
    let near = |row: &[f64], expected: [f64; 7]| {
        let same = row.iter().zip(expected).all(|(found, wanted)| (found - wanted).abs() < 1e-12);
        assert!(same && row.len() == expected.len(), "{row:?} is not {expected:?}");
    };
    let bat = points("bat");
    assert_eq!(bat.len(), 129);
    let third = 1.0 / 3.0;
    near(&bat[0], [0.0, 2.0 * third, 2.0 * third, 2.0 * third, 0.75, 0.75, 0.75]);
    near(&bat[32], [0.25, 2.0 * third, 2.0 * third, 2.0 * third, 0.75, 0.75, 0.75]);
    near(&bat[33], [33.0 / 128.0, 1.0, 2.0 * third, 0.8, 1.0, 0.75, 5.0 / 6.0]);
    near(&bat[65], [65.0 / 128.0, 1.0, third, 0.5, 1.0, 0.25, third]);
    near(&bat[128], [1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
    let karat = points("karat");
    assert_eq!(karat.iter().map(|row| row[0]).collect::<Vec<_>>(), [0.25, 0.5, 0.9]);
    near(&karat[1], [0.5, 1.0, 2.0 * third, 0.8, 1.0, 0.75, 5.0 / 6.0]);
}

/// Two outputs are predictions, whatever their files call them, and nothing in them is optional.
#[test]
fn outputs_of_systems_are_set_side_by_side() {
    let output = |entities: &[&str]| {
        let mut builder = CorpusBuilder::new();
        builder.continue_document("d");
        for (at, entity) in entities.iter().enumerate() {
            let link = Link::to(builder.intern(entity));
            let span = Span::new(10 * at as u32, 10 * at as u32 + 4);
            builder.annotate(span, link).flags(Flags::PREDICTED | Flags::OPTIONAL);
        }
        builder.finish()
    };
    let (first, second) = (output(&["A", "B"]), output(&["A", "X", "C"]));
    let convention = convention("karat");
    let identity = convention.identity();
    let selection = Selection::parse(["similarity"], &convention).expect("a measure");
    let plan = Plan::new(convention, selection);
    for (first, second) in [(&first, &second), (&second, &first)] {
        let evaluation = evaluate(&Pairing::of_outputs(first, second, &identity), &plan);
        assert_eq!(evaluation.results[0].micro.get("similarity"), Some(Some(0.4)));
    }
}

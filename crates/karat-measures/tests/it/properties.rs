//! What must hold for any gold and any output.

use crate::tiny::convention;
use karat_match::{Pairing, Scene};
use karat_measures::{
    Convention, Disambiguated, Evaluation, MEASURES, PRESETS, Plan, Preset, Result, Search,
    Selection, disambiguated, evaluate, tune,
};
use karat_model::{Corpus, CorpusBuilder, Flags, Link, Span};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeSet;

/// Measures that count items, strict and lenient.
const ITEM_MEASURES: [&str; 12] = [
    "mention",
    "linked-mention",
    "link",
    "nil",
    "strong_all_match",
    "typed-all",
    "tag",
    "c2kb",
    "d2kb",
    "link(match=overlap)",
    "a2kb(match=overlap)",
    "mention(match=50%)",
];

/// Every measure, and some under other matchings.
pub(crate) fn all_measures() -> Vec<&'static str> {
    let mut names: Vec<&str> = MEASURES.iter().map(|measure| measure.name).collect();
    let more = ITEM_MEASURES.iter().filter(|name| name.contains('('));
    names.extend(more);
    names.extend([
        "nervaluate(scheme=exact)",
        "nervaluate(scheme=partial)",
        "nervaluate(scheme=type)",
        "overlap(gold=sum,system=sum)",
        "similarity(of=mention)",
        "similarity(of=tag)",
        "sets::start+end",
        "b_cubed:is_nil:span",
    ]);
    names
}

/// Measures that are best at nought, or that ask how sure a system is.
const LOSSES: [&str; 4] = ["risk-coverage", "calibration-error", "brier", "average-precision"];

#[derive(Debug, Clone)]
struct Mention {
    span: Span,
    link: u8,
    types: &'static [&'static str],
    optional: bool,
    confidence: Option<i8>,
    /// Each reading is a list of parts: where they are, and what they link to.
    readings: Vec<Vec<(Span, u8)>>,
}

type Text = Vec<Mention>;

fn spans() -> impl Strategy<Value = Span> {
    (0u32..12, 1u32..6).prop_map(|(start, length)| Span::new(start, start + length))
}

/// None, a type, another, or one that makes the mention a literal.
fn types() -> impl Strategy<Value = &'static [&'static str]> {
    prop_oneof![
        3 => Just(&[] as &[&str]),
        3 => Just(&["PER"] as &[&str]),
        1 => Just(&["LOC"] as &[&str]),
        1 => Just(&["DATETIME"] as &[&str]),
    ]
}

fn gold() -> impl Strategy<Value = Mention> {
    let readings = prop_oneof![
        4 => Just(Vec::new()),
        1 => vec(vec((spans(), 0u8..3), 1..3), 1..3),
    ];
    (spans(), 0u8..5, types(), prop::bool::weighted(0.15), readings).prop_map(
        |(span, link, types, optional, readings)| Mention {
            span,
            link,
            types,
            optional,
            confidence: None,
            readings,
        },
    )
}

fn prediction() -> impl Strategy<Value = Mention> {
    let confidence = prop::option::weighted(0.8, -2i8..6);
    (spans(), 0u8..5, types(), confidence).prop_map(|(span, link, types, confidence)| Mention {
        span,
        link,
        types,
        optional: false,
        confidence,
        readings: Vec::new(),
    })
}

/// Documents of gold, each with the output for it.
fn pairs() -> impl Strategy<Value = Vec<(Text, Text)>> {
    vec((vec(gold(), 0..6), vec(prediction(), 0..7)), 1..4)
}

fn build<'t>(texts: impl Iterator<Item = (usize, &'t Text)>) -> Corpus {
    let mut builder = CorpusBuilder::new();
    for (name, text) in texts {
        builder.continue_document(&format!("d{name}"));
        for mention in text {
            let root_link = link(&mut builder, mention.link);
            let flags = if mention.optional { Flags::OPTIONAL } else { Flags::empty() };
            let root = builder.annotate(mention.span, root_link);
            let root = root.types(mention.types.iter().copied()).flags(flags);
            let root = match mention.confidence {
                Some(confidence) => root.confidence(f64::from(confidence) / 4.0),
                None => root,
            };
            let parent = root.index();
            for (reading, parts) in mention.readings.iter().enumerate() {
                for &(span, part) in parts {
                    let part = link(&mut builder, part);
                    builder.annotate(span, part).part_of(parent, reading as u32 + 1);
                }
            }
        }
    }
    builder.finish()
}

fn link(builder: &mut CorpusBuilder, number: u8) -> Link {
    match number {
        3 => Link::NIL,
        4 => Link::NONE,
        number => Link::to(builder.intern(&format!("http://dbpedia.org/resource/{number}"))),
    }
}

fn corpora(pairs: &[(Text, Text)]) -> (Corpus, Corpus) {
    let texts = || pairs.iter().enumerate();
    (
        build(texts().map(|(at, (gold, _))| (at, gold))),
        build(texts().map(|(at, (_, out))| (at, out))),
    )
}

fn plan(convention: Convention, measures: &[&str]) -> Plan {
    let selection = Selection::parse(measures.iter().copied(), &convention).expect("measures");
    Plan::new(convention, selection)
}

fn run(gold: &Corpus, system: &Corpus, plan: &Plan) -> Evaluation {
    let identity = plan.convention.identity();
    evaluate(&Pairing::new(gold, system, &identity), plan)
}

fn karat(gold: &Corpus, system: &Corpus, measures: &[&str]) -> Vec<Result> {
    run(gold, system, &plan(convention("karat"), measures)).results
}

fn hits(result: &Result) -> f64 {
    result.counts[0]
}

fn f1(result: &Result) -> Option<f64> {
    result.micro.get("f1").flatten()
}

#[test]
fn of_a_mention_said_twice_the_one_that_says_more_counts() {
    let mention = |link: u8, readings: Vec<Vec<(Span, u8)>>| {
        let span = Span::new(1, 6);
        Mention { span, link, types: &[], optional: false, confidence: None, readings }
    };
    let plain = mention(0, Vec::new());
    let richer = mention(0, vec![vec![(Span::new(0, 1), 1)]]);
    let system = Mention { span: Span::new(0, 1), ..mention(1, Vec::new()) };
    for gold in [vec![plain.clone(), richer.clone()], vec![richer, plain]] {
        let (gold, system) = corpora(&[(gold, vec![system.clone()])]);
        assert_eq!(hits(&karat(&gold, &system, &["tag"])[0]), 1.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_order_finds_more_than_the_best_assignment(pairs in pairs()) {
        let (gold, system) = corpora(&pairs);
        let measures = ["all(match=overlap,alternatives=no,optional=no)",
            "all(match=overlap,alternatives=no,optional=no,assign=greedy)",
            "all(match=overlap,alternatives=no,optional=no,assign=existential)"];
        let results = karat(&gold, &system, &measures);
        let [best, greedy, existential] = results.as_slice() else { unreachable!() };
        prop_assert!(hits(greedy) <= hits(best));
        // Where nothing is used up, nothing that could be found is missed.
        prop_assert!(existential.counts[3] <= best.counts[3]);
        prop_assert!(existential.counts[1] <= best.counts[1]);
        prop_assert_eq!(hits(best) + best.counts[3], hits(greedy) + greedy.counts[3]);
        prop_assert_eq!(hits(best) + best.counts[1], hits(greedy) + greedy.counts[1]);
    }

    #[test]
    fn what_is_linked_rightly_was_found(pairs in pairs(), spans in select(vec!["exact", "overlap"])) {
        let (gold, system) = corpora(&pairs);
        for preset in PRESETS {
            let mut convention = (preset.convention)();
            convention.set("match", spans).expect("a setting");
            let identity = convention.identity();
            let pairing = Pairing::new(&gold, &system, &identity);
            let mut scene = Scene::default();
            for index in 0..pairing.len() {
                pairing.stage(index, &convention.settings, &mut scene);
                let Disambiguated { found, right } = disambiguated(&convention.settings, &scene);
                let once: BTreeSet<u32> = found.iter().copied().collect();
                prop_assert_eq!(once.len(), found.len(), "{}", preset.name);
                prop_assert!(right.iter().all(|at| once.contains(at)), "{}", preset.name);
            }
        }
    }

    #[test]
    fn lenient_spans_find_at_least_as_much(pairs in pairs()) {
        let (gold, system) = corpora(&pairs);
        // Links and NIL share one assignment where mentions may be read as either: what more is found of all may
        // then be found of NIL, and take from links.
        let apart = ("link(alternatives=no)", "link(alternatives=no,match=overlap)");
        let together = ["all", "mention", "typed-all"];
        let lenient = together.map(|measure| format!("{measure}(match=overlap)"));
        let together = together.into_iter().zip(lenient.iter().map(String::as_str));
        for (strict, lenient) in together.chain([apart]) {
            let results = karat(&gold, &system, &[strict, lenient]);
            prop_assert!(hits(&results[0]) <= hits(&results[1]), "{}", strict);
        }
    }

    #[test]
    fn no_order_of_documents_or_mentions_changes_a_score(pairs in pairs(), seed in any::<u64>()) {
        let (gold, system) = corpora(&pairs);
        let mut shuffled: Vec<(usize, (Text, Text))> = pairs.into_iter().enumerate().collect();
        let mut state = seed;
        shuffle(&mut shuffled, &mut state);
        for (_, (gold, system)) in &mut shuffled {
            shuffle(gold, &mut state);
            shuffle(system, &mut state);
            for mention in gold {
                shuffle(&mut mention.readings, &mut state);
                mention.readings.iter_mut().for_each(|parts| shuffle(parts, &mut state));
            }
        }
        let other_gold = build(shuffled.iter().map(|(name, (gold, _))| (*name, gold)));
        let other_system = build(shuffled.iter().map(|(name, (_, system))| (*name, system)));
        let measures = all_measures();
        let before = karat(&gold, &system, &measures);
        let after = karat(&other_gold, &other_system, &measures);
        for (name, (before, after)) in measures.iter().zip(before.iter().zip(&after)) {
            prop_assert_eq!(&before.counts, &after.counts, "{}", name);
            let means = |result: &Result| result.macro_.clone().map(|means| means.scores);
            prop_assert_eq!(means(before), means(after), "{}", name);
        }
    }

    #[test]
    fn one_document_has_the_same_micro_and_macro(pair in (vec(gold(), 0..6), vec(prediction(), 0..6))) {
        let (gold, system) = corpora(&[pair]);
        for preset in PRESETS {
            let measures = plan((preset.convention)(), &ITEM_MEASURES);
            for result in run(&gold, &system, &measures).results {
                let means = result.macro_.expect("macro scores").scores;
                for (name, score) in result.micro.iter() {
                    let mean = means.get(name).flatten();
                    let same = match (score, mean) {
                        // Means are kept in units of 2^-53.
                        (Some(score), Some(mean)) => (score - mean).abs() < 1e-15,
                        (score, mean) => score == mean,
                    };
                    prop_assert!(same, "{} of {}: {:?} and {:?}", name, preset.name, score, mean);
                }
            }
        }
    }

    #[test]
    fn perfect_output_scores_one(texts in vec(vec(gold(), 0..6), 1..4)) {
        let gold = build(texts.iter().enumerate());
        let mut measures = all_measures();
        measures.retain(|name| !LOSSES.contains(name));
        for (result, name) in karat(&gold, &gold, &measures).iter().zip(&measures) {
            for (score, value) in result.micro.iter() {
                let perfect = value.is_none_or(|value| (value - 1.0).abs() < 1e-12);
                prop_assert!(perfect, "{}.{} {:?} {:?}", name, score, value, result.counts);
            }
        }
    }

    #[test]
    fn a_mention_less_is_one_found_less_and_one_missed_more(links in vec(0u8..4, 1..8), at in any::<prop::sample::Index>()) {
        let mention = |(at, &link): (usize, &u8)| Mention {
            span: Span::new(at as u32 * 4, at as u32 * 4 + 3),
            link, types: &[], optional: false, confidence: None, readings: Vec::new(),
        };
        let all: Text = links.iter().enumerate().map(mention).collect();
        let mut fewer = all.clone();
        fewer.remove(at.index(all.len()));
        let (gold, system) = corpora(&[(all.clone(), fewer)]);
        for preset in PRESETS {
            let mut convention = (preset.convention)();
            convention.oracle = false;
            // Where NIL cannot be found it is missed whatever is left out.
            convention.settings.nil_agrees = true;
            // Where only linked gold counts, nothing without a link is missed.
            convention.settings.linkable = false;
            for measure in ["a2kb", "mention", "a2kb(match=overlap)"] {
                let result = &run(&gold, &system, &plan(convention.clone(), &[measure])).results[0];
                let found = all.len() as f64 - 1.0;
                prop_assert_eq!(&result.counts, &[found, 0.0, found, 1.0], "{} {}", preset.name, measure);
            }
        }
    }

    #[test]
    fn the_sweep_finds_what_trying_every_threshold_finds(pairs in pairs(), preset in 0..PRESETS.len()) {
        let (gold, system) = corpora(&pairs);
        let mut convention = (PRESETS[preset].convention)();
        convention.search = Search::default();
        convention.settings.untyped_scores = false;
        let thresholds = std::iter::once(None).chain(scores(&system).into_iter().map(Some));
        for measure in ["link", "all(match=overlap)", "mention", "tag"] {
            let swept = at_best(&gold, &system, &convention, measure);
            let tried = try_all(&gold, &system, &convention, measure, thresholds.clone());
            let best = tried.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert_eq!(f1(&swept).unwrap_or(f64::NEG_INFINITY), best, "{}", measure);
            let identity = convention.identity();
            let pairing = Pairing::new(&gold, &system, &identity);
            prop_assert_eq!(tune(&pairing, &plan(convention.clone(), &[measure])), swept.threshold);
        }
    }

    #[test]
    fn the_sweep_of_gerbil_is_that_of_its_source(pairs in pairs()) {
        let (gold, system) = corpora(&pairs);
        let convention = convention("gerbil");
        let mut thresholds = scores(&system);
        thresholds.push(0.0);
        // What is above a threshold is at least the next number.
        let thresholds = thresholds.into_iter().map(|threshold| Some(threshold.next_up()));
        let swept = at_best(&gold, &system, &convention, "erec");
        let tried = try_all(&gold, &system, &convention, "erec", thresholds);
        // Thresholds that change nothing are not tried, the lowest score perhaps among them.
        let best = tried.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        prop_assert!(f1(&swept).is_some_and(|f1| f1 <= best));
        if scores(&system).iter().all(|&score| score >= 0.0) {
            prop_assert_eq!(f1(&swept), Some(best));
        }
    }
}

fn at_best(gold: &Corpus, system: &Corpus, convention: &Convention, measure: &str) -> Result {
    let convention = Convention { oracle: true, ..convention.clone() };
    run(gold, system, &plan(convention, &[measure])).results.remove(0)
}

fn try_all(
    gold: &Corpus,
    system: &Corpus,
    convention: &Convention,
    measure: &str,
    thresholds: impl Iterator<Item = Option<f64>>,
) -> Vec<f64> {
    let mut convention = Convention { oracle: false, ..convention.clone() };
    let at = |threshold: Option<f64>| {
        convention.settings.threshold = threshold;
        let results = run(gold, system, &plan(convention.clone(), &[measure])).results;
        f1(&results[0]).unwrap_or(f64::NEG_INFINITY)
    };
    thresholds.map(at).collect()
}

fn scores(system: &Corpus) -> Vec<f64> {
    let scores = system.annotations().iter().map(|annotation| annotation.confidence);
    scores.filter(|score| !score.is_nan()).collect()
}

/// Fisher and Yates, with the generator of Knuth's MMIX.
fn shuffle<T>(items: &mut [T], state: &mut u64) {
    for last in (1..items.len()).rev() {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        items.swap(last, (*state >> 33) as usize % (last + 1));
    }
}

#[test]
fn every_preset_can_be_asked_for_its_measures() {
    for preset in PRESETS {
        let convention = (preset.convention)();
        let selection = Selection::parse(preset.measures.iter().copied(), &convention);
        assert!(selection.is_ok(), "{}: {selection:?}", preset.name);
    }
    assert!(Preset::named("gerbil").is_some_and(|gerbil| (gerbil.convention)().oracle));
}

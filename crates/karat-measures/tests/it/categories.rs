//! Scores by category, cumulative curves and fuzzy recall, for any gold and any output.

use karat_facets::{Facet, FacetContext};
use karat_match::Pairing;
use karat_measures::{
    BestFirst, Convention, Evaluation, Membership, Plan, Preset, Result, Selection, evaluate,
};
use karat_model::{Corpus, CorpusBuilder, DimensionCategory, Link, Span};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Spans, each with its annotations: a link, 0 for NIL, and two tags.
type Gold = BTreeMap<u32, Vec<(u8, usize, usize)>>;
/// Spans, each with a link.
type Output = BTreeMap<u32, u8>;

fn gold() -> impl Strategy<Value = Gold> {
    // Base forms are the first 7 categories, overlaps the 13th to the 16th.
    btree_map(0u32..12, vec((0u8..4, 0usize..7, 12usize..16), 1..4), 1..10)
}

fn output() -> impl Strategy<Value = Output> {
    btree_map(0u32..14, 1u8..4, 0..12)
}

fn span(place: u32) -> Span {
    Span::new(place * 3, place * 3 + 2)
}

fn build_gold(gold: &Gold) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.continue_document("d");
    for (&place, annotations) in gold {
        let mut root = None;
        for (reading, &(link, form, overlap)) in annotations.iter().enumerate() {
            let link = match link {
                0 => Link::NIL,
                link => Link::to(builder.intern(&format!("https://example.org/{link}"))),
            };
            let tags = [form, overlap].map(|at| format!("el:{}", DimensionCategory::ALL[at].el()));
            let annotation = builder.annotate(span(place), link);
            let annotation = annotation.tags(tags.iter().map(String::as_str));
            match root {
                None => root = Some(annotation.index()),
                Some(root) => {
                    annotation.part_of(root, reading as u32);
                }
            }
        }
    }
    builder.finish()
}

fn build_output(output: &Output) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.continue_document("d");
    for (&place, link) in output {
        let link = Link::to(builder.intern(&format!("http://other.example.org/{link}")));
        builder.annotate(span(place), link);
    }
    builder.finish()
}

fn convention(preset: &str) -> Convention {
    (Preset::named(preset).unwrap().convention)()
}

fn facet(name: &str) -> Arc<dyn Facet> {
    karat_facets::facet(name, &FacetContext::default()).unwrap()
}

fn run(gold: &Gold, output: &Output, preset: &str, measures: &[&str]) -> Evaluation {
    let convention = convention(preset);
    let selection = Selection::parse(measures.iter().copied(), &convention).unwrap();
    let mut plan = Plan::new(convention, selection);
    plan.facets = vec![vec![facet("base-form")], vec![facet("base-form"), facet("overlap")]];
    let (gold, output) = (build_gold(gold), build_output(output));
    evaluate(&Pairing::new(&gold, &output, &plan.convention.identity()), &plan)
}

fn counts(result: &Result) -> [u64; 3] {
    [result.counts[0], result.counts[1], result.counts[3]].map(|count| count as u64)
}

/// The counting of the paper, written down as it says it.
fn by_definition(gold: &Gold, output: &Output, of: impl Fn(usize, usize) -> bool) -> [u64; 3] {
    let [mut right, mut extra, mut missed] = [0; 3];
    for (place, annotations) in gold {
        let links: Vec<u8> = annotations
            .iter()
            .filter(|(_, form, overlap)| of(*form, *overlap))
            .map(|(link, ..)| *link)
            .collect();
        match (links.is_empty(), output.get(place)) {
            (true, _) => {}
            (false, Some(link)) if links.contains(link) => right += 1,
            (false, answer) => {
                missed += 1;
                extra += u64::from(answer.is_some());
            }
        }
    }
    [right, extra, missed]
}

fn label(at: usize) -> &'static str {
    DimensionCategory::ALL[at].el()
}

proptest! {
    #[test]
    fn a_part_is_a_gold_standard_of_its_own(gold in gold(), output in output()) {
        let evaluation = run(&gold, &output, "rosales-2019", &["all"]);
        prop_assert_eq!(
            counts(&evaluation.results[0]),
            by_definition(&gold, &output, |_, _| true)
        );
        let mut pairs = BTreeSet::new();
        for &(_, form, overlap) in gold.values().flatten() {
            pairs.insert((form, overlap));
        }
        // All base forms are listed, and of combinations those that occur.
        prop_assert_eq!(evaluation.slices.len(), 7 + pairs.len());
        for slice in &evaluation.slices {
            let expected = by_definition(&gold, &output, |form, overlap| {
                slice.label == label(form)
                    || slice.label == format!("{}+{}", label(form), label(overlap))
            });
            prop_assert_eq!(counts(&slice.results[0]), expected);
            prop_assert_eq!(slice.gold as u64, expected[0] + expected[2]);
        }
    }

    #[test]
    fn a_curve_adds_the_best_category_that_is_left(gold in gold(), output in output()) {
        let convention = convention("rosales-2019");
        let (built, system) = (build_gold(&gold), build_output(&output));
        let pairing = Pairing::new(&built, &system, &convention.identity());
        let facets = [facet("base-form"), facet("overlap")];
        let found = BestFirst::of(&pairing, &convention.settings, convention.zero, &facets);
        prop_assert_eq!(found.left_out, 0);
        let names: Vec<(usize, usize)> = (0..7)
            .flat_map(|form| (12..16).map(move |overlap| (form, overlap)))
            .filter(|pair| gold.values().flatten().any(|(_, f, o)| (*f, *o) == *pair))
            .collect();
        let labels: Vec<String> =
            names.iter().map(|(f, o)| format!("{}+{}", label(*f), label(*o))).collect();
        prop_assert_eq!(&found.categories, &labels);
        for curve in &found.curves {
            let mut so_far = BTreeSet::new();
            for point in &curve.points {
                so_far.insert(names[point.category]);
                let expected = by_definition(&gold, &output, |f, o| so_far.contains(&(f, o)));
                prop_assert_eq!(point.counts, expected);
            }
            let ranks: Vec<(f64, usize)> =
                curve.points.iter().map(|point| (-point.own.unwrap(), point.category)).collect();
            prop_assert!(ranks.is_sorted_by(|a, b| a <= b));
            prop_assert_eq!(so_far.len(), names.len());
        }
    }

    /// PROP1 and PROP2 of the paper: scores are shares, and with equal weights they are the plain ones.
    #[test]
    fn fuzzy_scores_are_shares_and_plain_where_all_weigh_the_same(
        gold in gold(),
        output in output(),
        alpha in 0u32..=1000,
        preset in prop_oneof![Just("rosales-2019"), Just("rosales-2019-text")],
    ) {
        let fuzzy = format!("fuzzy(alpha={})", f64::from(alpha) / 1000.0);
        let evaluation = run(
            &gold, &output, preset,
            // The plain one first: where alpha is 1 the second is the same and is left out.
            &["fuzzy(alpha=1)", &fuzzy, "fuzzy(membership=questionnaire,over-tags=mean)"],
        );
        let all = evaluation.slices.iter().map(|slice| &slice.results).chain([&evaluation.results]);
        for result in all.flatten() {
            for (name, score) in result.micro.iter() {
                prop_assert!(score.is_none_or(|score| (0.0..=1.0).contains(&score)), "{name}");
            }
        }
        let [right, _, missed] = by_definition(&gold, &output, |_, _| true);
        let plain = &evaluation.results[0].micro;
        let (right, gold, predicted) =
            (right as f64, (right + missed) as f64, output.len() as f64);
        prop_assert_eq!(plain.get("recall").flatten(), Some(right / gold));
        if predicted > 0.0 {
            prop_assert_eq!(plain.get("precision").flatten(), Some(right / predicted));
        }
    }

    /// PROP3 of the paper: to miss what weighs more costs more.
    #[test]
    fn to_miss_what_weighs_more_costs_no_less(
        gold in gold(),
        alpha in 0u32..=1000,
        preset in prop_oneof![Just("rosales-2019"), Just("rosales-2019-text")],
    ) {
        let alpha = f64::from(alpha) / 1000.0;
        let membership = convention(preset).membership;
        // Everything is found by its first annotation, but for one mention.
        let output: Output = gold
            .iter()
            .filter(|(_, annotations)| annotations[0].0 > 0)
            .map(|(place, annotations)| (*place, annotations[0].0))
            .collect();
        let of = |place: u32, at: usize| {
            let (_, form, overlap) = gold[&place][at];
            let tags = [form, overlap].map(|at| format!("el:{}", label(at)));
            membership.of_tags(tags.iter().map(String::as_str), alpha)
        };
        // With one annotation a mention weighs what the annotation weighs.
        let single: Vec<u32> =
            output.keys().copied().filter(|place| gold[place].len() == 1).collect();
        let recall = |missing: u32| {
            let mut output = output.clone();
            output.remove(&missing);
            let fuzzy = format!("fuzzy(alpha={alpha})");
            run(&gold, &output, preset, &[&fuzzy]).results[0].micro.get("recall").flatten().unwrap()
        };
        for pair in single.windows(2) {
            let (heavy, light) = match of(pair[0], 0) >= of(pair[1], 0) {
                true => (pair[0], pair[1]),
                false => (pair[1], pair[0]),
            };
            prop_assert!(recall(heavy) <= recall(light));
        }
    }

    #[test]
    fn no_text_upsets_the_readers_of_weights(text in "[a-zA-Z0-9=\"\\[\\]\t\n. -]{0,60}") {
        let _ = Membership::parse(&text, &Membership::default());
        let _ = Membership::of_survey(&text);
    }
}

#[test]
fn tags_are_put_together_by_min_mean_or_product() {
    let weights = "[weights]\nMnt-Full = 0.8\nPoS-Verb = 0.5\n\"fel:NoOverlap\" = \"alpha\"\n";
    let tags = ["el:Mnt-Full", "mnt:VerbPoS", "el:Olp-None", "el:Ref-Direct", "tax:Ambiguous"];
    for (how, expected) in [("min", 0.25), ("mean", 1.55 / 3.0), ("product", 0.1)] {
        let membership =
            Membership::parse(&format!("over-tags = \"{how}\"\n{weights}"), &Membership::default())
                .unwrap();
        let found = membership.of_tags(tags, 0.25);
        assert!((found - expected).abs() < 1e-12, "{how}: {found}");
        assert_eq!(membership.of_tags(["el:Ref-Direct"], 0.25), 1.0);
        assert_eq!(membership.of_tags([], 0.25), 1.0);
    }
}

/// A membership function is one of the set of tags.
#[test]
fn what_is_said_twice_counts_once() {
    let weights = "[weights]\nMnt-Full = 0.8\nPoS-Verb = 0.5\n";
    let once = ["el:Mnt-Full", "el:PoS-Verb"];
    let again = ["el:Mnt-Full", "fel:FullProperForm", "el:PoS-Verb", "el:Mnt-Full"];
    for how in ["min", "mean", "product"] {
        let file = format!("over-tags = \"{how}\"\n{weights}");
        let membership = Membership::parse(&file, &Membership::default()).unwrap();
        assert_eq!(membership.of_tags(again, 0.0), membership.of_tags(once, 0.0), "{how}");
    }
}

#[test]
fn the_recall_of_systems_is_built_in() {
    let membership = Membership::named("systems").unwrap();
    assert_eq!(membership.of_tags(["el:Mnt-Full"], 0.0), 0.545);
    assert_eq!(membership.of_tags(["el:Mnt-Full", "el:PoS-Verb"], 0.0), 0.038);
    assert!(!membership.knows_alpha());
    assert_eq!(Membership::named("attribute:"), None);
}

#[test]
fn a_hit_earns_the_mention_or_the_alternative() {
    // A full name for one entity or a common form for another; the common form is hit.
    let gold = Gold::from([(0, vec![(1, 0, 12), (2, 5, 12)])]);
    for (link, preset, expected) in [
        (2, "rosales-2019", 1.0),
        (2, "rosales-2019-text", 0.25),
        (1, "rosales-2019-text", 1.0),
        (1, "rosales-2019", 1.0),
        (3, "rosales-2019", 0.0),
    ] {
        let output = Output::from([(0, link)]);
        let evaluation = run(&gold, &output, preset, &["fuzzy(alpha=0.25)"]);
        let recall = evaluation.results[0].micro.get("recall").flatten();
        assert_eq!(recall, Some(expected), "{link} {preset}");
    }
}

#[test]
fn weights_are_rounded_as_the_convention_says() {
    let gold = Gold::from([(0, vec![(1, 0, 12)]), (1, vec![(2, 5, 12)])]);
    let output = Output::from([(1, 2)]);
    let recall = |preset: &str, measure: &str| {
        run(&gold, &output, preset, &[measure]).results[0].micro.get("recall").flatten().unwrap()
    };
    let exact = recall("rosales-2019-text", "fuzzy(alpha=0.12345)");
    assert_eq!(exact, 123_450.0 / 1_123_450.0);
    assert_eq!(recall("rosales-2019", "fuzzy(alpha=0.12345)"), 123_000.0 / 1_123_000.0);
    assert_eq!(recall("rosales-2019", "fuzzy(alpha=0.12345,weight-decimals=6)"), exact);
    assert_eq!(recall("rosales-2019", "fuzzy(alpha=0.0005)"), 1_000.0 / 1_001_000.0);
    assert_eq!(recall("rosales-2019", "fuzzy(alpha=0.0625)"), 62_000.0 / 1_062_000.0);
    assert!(convention("rosales-2019").set("weight-decimals", "7").is_err());
    let rounded =
        Membership::parse("weight-decimals = 1\n[weights]\nMnt-Full = 1\n", &Membership::default());
    assert_eq!(rounded.unwrap().decimals.to_string(), "1");
}

#[test]
fn every_category_of_a_dimension_is_listed_once_gold_has_one() {
    let gold = Gold::from([(0, vec![(1, 0, 12)])]);
    let output = Output::new();
    let slices = run(&gold, &output, "rosales-2019", &["all"]).slices;
    let found: Vec<(&str, usize)> =
        slices.iter().map(|slice| (slice.label.as_str(), slice.gold)).collect();
    let mut expected: Vec<(&str, usize)> = (0..7).map(|at| (label(at), 0)).collect();
    expected[0].1 = 1;
    expected.push(("Mnt-Full+Olp-None", 1));
    assert_eq!(found, expected);
    let [empty] = &slices[1].results[..] else { panic!("one measure") };
    assert_eq!(counts(empty), [0, 0, 0]);
    let means = empty.macro_.as_ref().unwrap();
    assert_eq!(means.scores.get("f1"), Some(None));
    assert_eq!(means.documents, [0; 3]);
    let of_karat = run(&gold, &output, "karat", &["link"]).slices;
    assert_eq!(of_karat[1].results[0].micro.get("precision"), Some(None), "undefined, not 0");
}

#[test]
fn what_became_of_mentions_is_told_however_parts_are_made() {
    let gold = Gold::from([
        (0, vec![(1, 0, 12)]),
        (1, vec![(2, 5, 12), (3, 0, 12)]),
        (2, vec![(1, 0, 12)]),
    ]);
    let output = Output::from([(0, 1), (1, 3), (2, 2), (5, 1)]);
    let convention = convention("rosales-2019");
    let selection = Selection::parse(["all"], &convention).unwrap();
    let mut plan = Plan::new(convention, selection);
    plan.facets = vec![vec![facet("error")], vec![facet("relation")]];
    let (gold, output) = (build_gold(&gold), build_output(&output));
    let found = evaluate(&Pairing::new(&gold, &output, &plan.convention.identity()), &plan);
    for facet in ["error", "relation"] {
        let mut sum = [0; 3];
        for slice in found.slices.iter().filter(|slice| slice.facet == facet) {
            assert_ne!(slice.label, "-", "{facet}");
            sum.iter_mut().zip(counts(&slice.results[0])).for_each(|(sum, more)| *sum += more);
        }
        assert_eq!(sum, counts(&found.results[0]), "{facet}");
    }
    let right = found.slices.iter().find(|slice| slice.label == "same span and entity").unwrap();
    assert_eq!(counts(&right.results[0]), [2, 0, 0], "also by an alternative");
}

#[test]
fn a_part_has_fuzzy_recall_only() {
    let gold = Gold::from([(0, vec![(1, 0, 12)]), (1, vec![(2, 0, 12)])]);
    let output = Output::from([(0, 1), (1, 1), (5, 1)]);
    let evaluation = run(&gold, &output, "rosales-2019", &["fuzzy(alpha=0)"]);
    let scores = |result: &Result| {
        ["precision", "recall", "f1"].map(|name| result.micro.get(name).flatten())
    };
    assert_eq!(scores(&evaluation.results[0])[0], Some(1.0 / 3.0));
    let full = &evaluation.slices[0];
    assert_eq!((full.label.as_str(), full.gold), ("Mnt-Full", 2));
    assert_eq!(scores(&full.results[0]), [None, Some(0.5), None]);
    assert!(full.results[0].counts[1].is_nan(), "predictions elsewhere are not counted");
}

#[test]
fn what_a_file_does_not_say_is_as_usual() {
    let usual = Membership::named("strict").unwrap();
    let file = |text: &str| Membership::parse(text, &usual).unwrap();
    let weights = "[weights]\nMnt-Full = 1\n";
    assert_eq!(file(weights).over_alternatives, usual.over_alternatives);
    let text = format!("over-alternatives = \"min\"\nhit-earns = \"mention\"\n{weights}");
    let told = file(&text);
    assert_eq!(Membership::parse(weights, &told).unwrap(), told);
}

#[test]
fn what_is_wrong_with_weights_is_said() {
    for (text, expected) in [
        ("[weights]\nMnt-Empty = 1\n", "line 2: `Mnt-Empty` is no category tag"),
        ("[weights]\nMnt-Full = 2\n", "line 2: the weight of `Mnt-Full` is neither"),
        ("[weights]\nMnt-Full = nan\n", "line 2: the weight of `Mnt-Full` is neither"),
        ("[weights]\n\nMnt-Full = \"beta\"\n", "line 3: the weight of `Mnt-Full` is neither"),
        ("[weights]\nMnt-Full = [1]\n", "line 2: the weight of `Mnt-Full` is neither"),
        ("[weights]\n", "[weights] has no weight"),
        ("over-tags = \"max\"\n[weights]\n", "line 1: unknown variant `max`"),
        ("overtags = \"min\"\n[weights]\n", "line 1: unknown field `overtags`"),
        ("[weights]\nMnt-Full = \n", "line 2: "),
        ("", "line 1: missing field `weights`"),
        ("[weights]\nMnt-Full = 1\n\"el:Mnt-Full\" = 0.5\n", "line 3: `"),
    ] {
        let error = Membership::parse(text, &Membership::default()).unwrap_err();
        assert!(error.message.starts_with(expected), "{text:?}: {error}");
    }
}

//! GERBIL 1.2.9: what its own classes give on tiny inputs (V1 to V17), and what
//! its source says beyond that.

use crate::tiny::{convention, macro_, micro, run, score};

fn gerbil(gold: &str, system: &str, measure: &str) -> [f64; 3] {
    micro(&score("gerbil", gold, system, measure))
}

#[test]
fn v1_empty_documents_score_one_and_one_sided_ones_nought() {
    let result = score("gerbil", "|0-4 A||0-4 A", "||0-4 A|0-4 A", "all");
    assert_eq!(micro(&result), [0.5; 3]);
    assert_eq!(macro_(&result), [0.5; 3]);
}

#[test]
fn v2_greedy_in_the_order_of_gold() {
    let system = "0-4 A, 5-9 A";
    assert_eq!(gerbil("0-10 A, 0-4 A", system, "all(match=overlap)"), [0.5; 3]);
    assert_eq!(gerbil("0-4 A, 0-10 A", system, "all(match=overlap)"), [1.0; 3]);
}

#[test]
fn v3_any_two_emerging_entities_match() {
    assert_eq!(gerbil("0-4 ee:x", "0-4 ee:y", "all"), [1.0; 3]);
    assert_eq!(gerbil("0-4 ee:x", "0-4 ee:y", "ee"), [1.0; 3]);
    assert_eq!(gerbil("0-4 ee:x", "0-4 A", "all"), [0.0; 3]);
}

const SCORED_GOLD: &str = "0-4 A, 30-34 D";

#[test]
fn v4_the_threshold_is_an_oracle() {
    let system = "0-4 A .9, 10-14 B .1, 20-24 C .2, 30-34 D .6";
    let result = score("gerbil", SCORED_GOLD, system, "all");
    assert_eq!(micro(&result), [1.0; 3]);
    assert_eq!(result.threshold, Some(0.2));
}

#[test]
fn v4b_typed_entities_lose_their_scores() {
    let system = "0-4 A .9 #PER, 10-14 B .1 #PER, 20-24 C .2 #PER, 30-34 D .6 #PER";
    let result = score("gerbil", SCORED_GOLD, system, "all");
    assert_eq!(micro(&result), [0.5, 1.0, 0.667]);
    assert_eq!(result.threshold, Some(0.0));
    // Recognition looks at spans as they come, with their scores.
    assert_eq!(gerbil(SCORED_GOLD, system, "erec"), [1.0; 3]);
}

#[test]
fn v5_classes_take_the_next_threshold_that_they_have() {
    let (gold, system) = ("0-4 A, 10-14 B", "0-4 A .5, 10-14 B .9, 20-24 ee:x .1");
    let evaluation = run(convention("gerbil"), gold, system, &["all", "inkb"]);
    assert_eq!(micro(&evaluation.results[0]), [1.0; 3]);
    assert_eq!(evaluation.results[0].threshold, Some(0.1));
    assert_eq!(micro(&evaluation.results[1]), [1.0, 0.5, 0.667]);
    assert_eq!(evaluation.results[1].threshold, Some(0.5));
}

#[test]
fn a_class_without_such_a_threshold_scores_nought() {
    // The threshold of the whole is 0.6, the emerging entities end at 0.1.
    let (gold, system) = ("0-4 A|", "0-4 A .9, 8-9 B .6|0-4 ee:x .1");
    let evaluation = run(convention("gerbil"), gold, system, &["a2kb", "ee"]);
    assert_eq!(micro(&evaluation.results[0]), [1.0; 3]);
    assert_eq!(micro(&evaluation.results[1]), [0.0; 3]);
    assert_eq!(macro_(&evaluation.results[1]), [0.0; 3]);
}

#[test]
fn v6_disambiguation_and_its_classes() {
    let gold = "0-4 A, 10-14 B, 20-24 ee:n1";
    let system = "0-4 A, 10-14 X, 20-24 Y, 30-34 Z";
    assert_eq!(gerbil(gold, system, "d2kb"), [0.333; 3]);
    assert_eq!(gerbil(gold, system, "d2kb(items=linked)"), [0.333, 0.5, 0.4]);
    assert_eq!(gerbil(gold, system, "d2kb(items=nil)"), [0.0; 3]);
    assert_eq!(gerbil(gold, system, "d2kb(items=linked-gold)"), [0.5; 3]);
}

#[test]
fn v8_a_repeated_annotation_is_wrong() {
    assert_eq!(gerbil("0-4 A", "0-4 A, 0-4 A", "all"), [0.5, 1.0, 0.667]);
}

#[test]
fn v9_a_score_of_nought_is_dropped() {
    assert_eq!(gerbil("0-4 A", "0-4 A 0", "all"), [0.0; 3]);
}

#[test]
fn v9b_negative_scores_lose_the_lowest() {
    let result = score("gerbil", "0-4 A, 10-14 B", "0-4 A -2, 10-14 B -1", "all");
    assert_eq!(micro(&result), [1.0, 0.5, 0.667]);
    assert_eq!(result.threshold, Some(-2.0));
}

#[test]
fn v10_touching_spans_do_not_overlap() {
    assert_eq!(gerbil("0-4 A", "4-8 A", "all(match=overlap)"), [0.0; 3]);
    assert_eq!(gerbil("0-4 A", "3-8 A", "all(match=overlap)"), [1.0; 3]);
}

#[test]
fn v11_https_is_another_entity_than_http() {
    let (gold, system) =
        ("http://www.wikidata.org/entity/Q64", "https://www.wikidata.org/entity/Q64");
    assert_eq!(gerbil(&format!("0-4 {gold}"), &format!("0-4 {system}"), "all"), [0.0; 3]);
}

#[test]
fn v12_concepts_are_counted_as_often_as_they_are_mentioned() {
    assert_eq!(gerbil("0-4 A, 10-14 A", "0-4 A", "c2kb"), [1.0, 0.5, 0.667]);
}

#[test]
fn v13_tags_of_documents_lose_their_scores() {
    let result = score("gerbil", "0-0 A", "0-0 A .9, 0-0 B .1", "c2kb");
    assert_eq!(micro(&result), [0.5, 1.0, 0.667]);
    assert_eq!(result.threshold, Some(0.0));
}

/// Nor has C2KB a threshold where entities come with their mentions: it is the oracle of A2KB alone.
#[test]
fn v13_concepts_of_mentions_have_no_threshold() {
    let (gold, system) = ("0-4 A, 5-9 B", "0-4 A .9, 5-9 B .6, 10-14 X .1, 20-24 Y .2, 30-34 Z 0");
    assert_eq!(gerbil(gold, system, "a2kb"), [1.0; 3]);
    for measure in ["c2kb", "c2kb(items=linked)"] {
        let result = score("gerbil", gold, system, measure);
        assert_eq!(micro(&result), [0.4, 1.0, 0.571], "{measure}");
        assert_eq!(result.threshold, Some(0.0), "{measure}");
    }
}

#[test]
fn v14_half_a_name_is_right_once() {
    assert_eq!(gerbil("0-12 A", "0-6 A, 7-12 A", "all(match=overlap)"), [0.5, 1.0, 0.667]);
}

#[test]
fn v16_gold_that_no_longer_exists_makes_a_system_wrong_twice() {
    let result = score("gerbil", "0-4 ee:Old_title", "0-4 Old_title", "all");
    assert_eq!((result.counts[1], result.counts[3]), (1.0, 1.0));
    assert_eq!(micro(&result), [0.0; 3]);
}

#[test]
fn v17_a_second_answer_on_a_given_mention_is_wrong() {
    assert_eq!(gerbil("0-4 A", "0-4 B, 0-4 A", "d2kb"), [0.5, 1.0, 0.667]);
}

#[test]
fn sets_of_uris_intersect_and_one_known_uri_is_enough() {
    assert_eq!(gerbil("0-4 ee:x =A", "0-4 B =A", "all"), [1.0; 3]);
    assert_eq!(gerbil("0-4 ee:x =A", "0-4 B =A", "inkb"), [1.0; 3]);
    // Known to one side only, although both also have an unknown name.
    assert_eq!(gerbil("0-4 ee:x =A", "0-4 ee:y", "all"), [0.0; 3]);
}

#[test]
fn spans_without_an_answer_are_there_for_recognition_only() {
    assert_eq!(gerbil("0-4 A, 5-9 -", "0-4 A, 5-9 -, 10-14 -", "all"), [1.0; 3]);
    assert_eq!(gerbil("0-4 A, 5-9 -", "0-4 A, 5-9 -, 10-14 -", "ee"), [1.0; 3]);
    assert_eq!(gerbil("0-4 A, 5-9 -", "0-4 A, 5-9 -, 10-14 -", "erec"), [0.667, 1.0, 0.8]);
}

#[test]
fn concepts_include_emerging_entities() {
    assert_eq!(gerbil("0-4 A, 5-9 ee:x", "0-4 A, 5-9 ee:y", "c2kb"), [1.0; 3]);
    assert_eq!(gerbil("0-4 A, 5-9 ee:x", "0-4 A, 5-9 B", "c2kb"), [0.5; 3]);
    assert_eq!(gerbil("0-4 A, 5-9 ee:x", "0-4 A, 5-9 B", "c2kb(items=linked)"), [0.5, 1.0, 0.667]);
}

#[test]
fn of_equal_thresholds_the_lowest_is_taken() {
    // Everything: two right, two wrong. Above 0.3: one right, one missed. The same F1.
    let system = "0-4 A .9, 5-9 B .2, 10-14 X .3, 20-24 Y .3";
    let result = score("gerbil", "0-4 A, 5-9 B", system, "all");
    assert_eq!(micro(&result), [0.5, 1.0, 0.667]);
    assert_eq!(result.threshold, Some(0.0));
}

#[test]
fn documents_share_one_threshold() {
    let (gold, system) = ("0-4 A|0-4 B", "0-4 A .9, 5-9 X .3|0-4 B .5, 5-9 Y .4, 10-14 Z .5");
    let result = score("gerbil", gold, system, "all");
    // Above 0.4 both right answers are left, and one wrong one.
    assert_eq!(micro(&result), [0.667, 1.0, 0.8]);
    assert_eq!(result.threshold, Some(0.4));
}

#[test]
fn none_of_this_is_so_by_default() {
    let result = score("karat", "0-4 A", "0-4 A 0", "link");
    assert_eq!(micro(&result), [1.0; 3]);
    assert_eq!(result.threshold, None);
    let mut oracle = convention("karat");
    oracle.set("threshold", "oracle").expect("a setting");
    for system in
        ["0-4 A 0, 10-14 B 0", "0-4 A -2, 10-14 B -1", "0-4 A .5 #PER, 10-14 B .9, 20-24 X .1"]
    {
        let evaluation = run(oracle.clone(), "0-4 A, 10-14 B", system, &["link", "all"]);
        assert_eq!(micro(&evaluation.results[0]), [1.0; 3], "{system}");
    }
}

mod types {
    use crate::tiny::{convention, corpus, macro_, micro};
    use karat_match::Pairing;
    use karat_measures::{Hierarchy, Plan, Result, Selection, evaluate};

    /// Types that start with `o:` are of DBpedia's ontology; no knowledge base has others.
    fn spelled(text: &str) -> String {
        text.replace("o:", "http://dbpedia.org/ontology/")
    }

    fn typed(gold: &str, system: &str, hierarchy: &str) -> Result {
        let (gold, system) = (corpus(&spelled(gold)), corpus(&spelled(system)));
        let convention = convention("gerbil");
        let mut selection = Selection::parse(["rt2kb"], &convention).expect("a measure");
        if !hierarchy.is_empty() {
            let hierarchy = Hierarchy::parse(&spelled(hierarchy)).expect("a hierarchy");
            selection.use_hierarchy(hierarchy, &convention);
        }
        let identity = convention.identity();
        let pairing = Pairing::new(&gold, &system, &identity);
        evaluate(&pairing, &Plan::new(convention, selection)).results.remove(0)
    }

    const PLACES: &str = "o:City\to:Place\no:Village\to:Place\no:Hamlet\to:Village\n";

    #[test]
    fn types_and_their_direct_kinds_agree_in_part() {
        // Place, City, Village against City: the hamlet is two steps away.
        let result = typed("0-4 - #o:Place", "0-4 - #o:City", PLACES);
        assert_eq!(micro(&result), [1.0, 0.333, 0.5]);
        let result = typed("0-4 - #o:Place", "0-4 - #o:City", "");
        assert_eq!(micro(&result), [0.0; 3]);
    }

    #[test]
    fn micro_is_a_mean_over_items_and_lone_items_score_nought() {
        // One right, one missed, one extra; 3 items.
        let gold = "0-4 - #o:City, 5-9 - #o:City";
        let result = typed(gold, "0-4 - #o:City, 10-14 - #o:City", PLACES);
        assert_eq!(result.counts, [1.0, 1.0, 3.0]);
        assert_eq!(micro(&result), [0.333; 3]);
    }

    #[test]
    fn documents_without_items_are_left_out_of_macro() {
        let result = typed("0-4 - #o:City||0-4 - #o:City", "0-4 - #o:City||", PLACES);
        assert_eq!(macro_(&result), [0.5; 3]);
        assert_eq!(result.macro_.expect("macro").documents, [2; 3]);
        assert_eq!(typed("0-4 A", "0-4 A", PLACES).micro.get("f1"), Some(None));
    }

    #[test]
    fn types_that_no_knowledge_base_has_do_not_count() {
        for hierarchy in ["", PLACES] {
            let strange = typed("0-4 - #odd", "0-4 - #strange", hierarchy);
            assert_eq!(micro(&strange), [1.0; 3]);
            let beside = typed("0-4 - #o:City", "0-4 - #o:City #odd", hierarchy);
            assert_eq!(micro(&beside), [1.0; 3]);
        }
    }
}

/// ETyping is told where the mentions are, RT2KB has to find them.
#[test]
fn typing_of_given_mentions_does_not_punish_others() {
    let (gold, system) = ("0-4 A #PER, 5-9 B #LOC", "0-4 A #PER, 20-24 C #ORG");
    assert_eq!(gerbil(gold, system, "etyping"), gerbil(gold, system, "rt2kb(task=disambiguation)"));
    assert_eq!(gerbil(gold, system, "etyping"), [0.5, 0.5, 0.5]);
    assert_eq!(gerbil(gold, system, "rt2kb"), [0.333, 0.333, 0.333]);
}

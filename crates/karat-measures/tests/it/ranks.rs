//! Rank measures on a small corpus whose ranks can be counted by hand.

use crate::support::{assert_near, convention, corpus, counts, evaluation, score};
use karat_kb::Identity;
use karat_match::{Pairing, Scene, Settings};
use karat_measures::Selection;
use karat_model::{Corpus, CorpusBuilder, Link, Span};

/// Ranks of the gold entities: 1, 2, 4, absent, and a mention that is not found; a
/// NIL mention and a mention that only the system has are not asked for.
fn example() -> (Corpus, Corpus) {
    let gold = corpus(
        "d1 0 4 A
         d1 10 14 B
         d1 20 24 C
         d2 0 4 D
         d2 10 14 E
         d2 20 24 NIL1",
    );
    let system = corpus(
        "d1 0 4 A 0.9 T Z 0.1 T
         d1 10 14 X 0.9 T B 0.5 T Y 0.4 T
         d1 20 24 X 0.9 T Y 0.5 T Z 0.4 T C 0.3 T
         d1 40 44 X 0.9 T
         d2 0 4 X 0.9 T
         d2 20 24 E 0.9 T",
    );
    (gold, system)
}

#[test]
fn each_measure_on_the_example() {
    let (gold, system) = example();
    for (measure, name, expected) in [
        ("candidate-recall", "recall", 3.0 / 4.0),
        ("candidate-recall(over=all)", "recall", 3.0 / 5.0),
        ("candidate-recall(k=1)", "recall", 1.0 / 4.0),
        ("candidate-recall(k=3)", "recall", 2.0 / 4.0),
        ("accuracy", "accuracy", 1.0 / 4.0),
        ("accuracy(over=all)", "accuracy", 1.0 / 5.0),
        ("mrr", "mrr", (1.0 + 0.5 + 0.25) / 4.0),
        ("mrr(over=all)", "mrr", (1.0 + 0.5 + 0.25) / 5.0),
        ("map", "map", (1.0 + 0.5 + 0.25) / 4.0),
        ("r-precision", "r-precision", 1.0 / 4.0),
        ("gold-rank", "at-3", 2.0 / 4.0),
        ("gold-rank(over=all)", "any", 3.0 / 5.0),
    ] {
        assert_eq!(score(&gold, &system, "karat", measure, name), Some(expected), "{measure}");
    }
    let ranks = counts(&gold, &system, "karat", "gold-rank");
    assert_eq!(ranks, [1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0]);
}

#[test]
fn several_entities_on_one_span_are_one_question() {
    let gold = corpus("d 0 4 A\n d 0 4 B\n d 10 14 C");
    let system = corpus("d 0 4 A 0.9 T X 0.8 T B 0.7 T\n d 10 14 X 0.9 T C 0.2 T");
    let score = |measure, name| score(&gold, &system, "karat", measure, name);
    assert_near(score("map", "map"), ((1.0 + 2.0 / 3.0) / 2.0 + 0.5) / 2.0, 2f64.powi(-26));
    assert_eq!(score("r-precision", "r-precision"), Some((0.5 + 0.0) / 2.0));
    assert_eq!(score("mrr", "mrr"), Some((1.0 + 0.5) / 2.0));
    assert_eq!(score("candidate-recall(k=2)", "recall"), Some(2.0 / 3.0));
}

#[test]
fn no_question_is_no_score() {
    let (gold, system) = (corpus("d 0 4 A"), corpus("d 1 4 A"));
    assert_eq!(score(&gold, &system, "karat", "mrr", "mrr"), None);
    assert_eq!(score(&gold, &system, "karat", "mrr(over=all)", "mrr"), Some(0.0));
    assert_eq!(score(&gold, &system, "neleval", "mrr", "mrr"), Some(0.0));
}

#[test]
fn parameters_are_checked() {
    let (gold, system) = example();
    for wrong in ["mrr(over=some)", "candidate-recall(k=0)", "candidate-recall(k=x)", "map(k=5)"] {
        assert!(evaluation(&gold, &system, "karat", &[wrong]).is_err(), "{wrong}");
    }
}

#[test]
fn the_group_lists_its_measures_by_their_own_names() {
    let selection = Selection::parse(["ranks"], &convention("karat")).unwrap();
    let names: Vec<&str> = selection.measures.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["accuracy", "candidate-recall", "gold-rank", "mrr", "map", "r-precision"]);
}

#[test]
fn candidates_are_known_by_the_common_numbering() {
    let mut builder = CorpusBuilder::new();
    builder.continue_document("d");
    let (new, best) = (Link::to(builder.intern("new")), Link::to(builder.intern("B")));
    builder.annotate(Span::new(0, 4), best).candidate(best, 0.9).candidate(new, 0.4);
    let (gold, system) = (corpus("d 0 3 A\n d 9 9 new"), builder.finish());
    let identity = Identity::new();
    let pairing = Pairing::new(&gold, &system, &identity);
    let mut scene = Scene::default();
    pairing.stage(0, &Settings::default(), &mut scene);
    let answers = scene.system.candidates(&scene.system.items[0]);
    assert_eq!(answers.len(), 2);
    assert_eq!(answers[0], scene.system.items[0].link);
    assert_eq!(answers[1], scene.gold.items[1].link, "known in gold under gold's number");
    assert_eq!(scene.gold.candidates(&scene.gold.items[0]), [scene.gold.items[0].link]);
}

#[test]
fn ties_keep_the_order_of_the_file_and_documents_may_come_in_any() {
    let gold = corpus("d1 0 4 B\n d2 0 4 C\n d3 0 4 D");
    let system = |order: [&str; 3]| {
        let line = |document: &&str| format!("{document} 0 4 X 0.5 T B 0.5 T C 0.5 T D 0.5 T\n");
        corpus(&order.iter().map(line).collect::<String>())
    };
    let one = score(&gold, &system(["d1", "d2", "d3"]), "karat", "mrr", "mrr");
    assert_near(one, (0.5 + 1.0 / 3.0 + 0.25) / 3.0, 2f64.powi(-26));
    assert_eq!(one, score(&gold, &system(["d3", "d2", "d1"]), "karat", "mrr", "mrr"));
}

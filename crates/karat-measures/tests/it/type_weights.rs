//! Weights for pairs of types, hierarchies of types, gold with alternatives, and weak corpora.

use crate::algebra::check_with;
use crate::support::{assert_near, convention, corpus, counts};
use karat_kb::Identity;
use karat_match::{Likeness, Pairing, select_alternatives};
use karat_measures::{Evaluation, NameError, Plan, Selection, TypeWeights, evaluate};
use karat_model::Corpus;

fn weighted(
    gold: &Corpus,
    system: &Corpus,
    weights: &str,
    measure: &str,
) -> Result<Evaluation, NameError> {
    let convention = convention("neleval");
    let weights = TypeWeights::parse(weights).expect("a table");
    let selection = Selection::parse([measure], &convention)?.with_type_weights(weights)?;
    let mut plan = Plan::new(convention, selection);
    plan.keep_documents = true;
    Ok(evaluate(&Pairing::new(gold, system, &Identity::new()), &plan))
}

/// The example in neleval's documentation of approximate matching.
fn example() -> (Corpus, Corpus) {
    let gold = corpus(
        "doc1 10 20 kbid 1.0 type1
         doc2 10 20 kbid 1.0 type1
         doc3 10 20 kbid 1.0 type2
         doc4 10 20 kbid 1.0 type1
         doc4 30 40 kbid 1.0 type1",
    );
    let system = corpus(
        "doc1 10 20 kbid 1.0 type2
         doc2 10 20 kbid 1.0 type1
         doc3 10 20 kbid 1.0 type1
         doc4 10 20 kbid 1.0 type2
         doc4 30 40 kbid 1.0 type2",
    );
    (gold, system)
}

/// A weight is kept to a multiple of 2^-26.
const TOLERANCE: f64 = 1e-7;

#[test]
fn the_example_of_the_documentation() {
    let (gold, system) = example();
    for measure in
        ["strong_typed_mention_match", "sets::span+type", "sets::span+type+score", "typed-all"]
    {
        let weights = "type1\ttype2\t0.123\n";
        let result = weighted(&gold, &system, weights, measure).unwrap().results.remove(0);
        let rows = result.documents.unwrap();
        let expected = [(0.123, 1.0), (1.0, 1.0), (0.0, 1.0), (0.246, 2.0)];
        for (row, (credit, mentions)) in rows.chunks_exact(4).zip(expected) {
            assert_near(Some(row[0]), credit, TOLERANCE);
            assert_near(Some(row[1]), mentions - credit, TOLERANCE);
            assert_eq!((row[0], row[1]), (row[2], row[3]), "{measure}");
        }
        let averages = result.macro_.unwrap().scores;
        for name in ["precision", "recall", "f1"] {
            assert_near(averages.get(name).unwrap(), 1.246 / 4.0, TOLERANCE);
            assert_near(result.micro.get(name).unwrap(), 1.369 / 5.0, TOLERANCE);
        }
    }
}

/// The table was made with neleval 3.1.1 on random documents: weights (gold type, system type,
/// weight), gold, system, and counts as for the other tables.
#[test]
fn credits_are_those_of_neleval() {
    let table = include_str!("../data/neleval-type-weights.txt");
    check_with(table, TOLERANCE, |gold, system, measure, weights| {
        let lines = weights.strip_prefix("weights\n").unwrap().lines();
        let weights: Vec<String> = lines.map(|line| line.replace(' ', "\t")).collect();
        let result = weighted(gold, system, &weights.join("\n"), measure).unwrap();
        result.results[0].counts.clone()
    });
}

/// neleval refuses two mentions on one span; here each is paired once, as well as possible.
#[test]
fn several_mentions_on_one_span_are_paired_once() {
    let gold = corpus("d 0 4 A 1 painter\n d 0 4 A 1 politician");
    let system = corpus("d 0 4 A 1 artist\n d 0 4 A 1 person");
    let weights = "painter\tartist\t0.5\npainter\tperson\t0.25\npolitician\tperson\t0.5";
    let result = weighted(&gold, &system, weights, "typed-mention").unwrap();
    assert_eq!(result.results[0].counts, [1.0, 1.0, 1.0, 1.0]);
}

#[test]
fn measures_without_types_are_left_alone() {
    let (gold, system) = example();
    let result = weighted(&gold, &system, "type1\ttype2\t0.123", "strong_mention_match");
    assert_eq!(result.unwrap().results[0].counts, counts(&gold, &system, "neleval", "mention"));
    // A table with nothing in it is what types are worth anyway.
    let result = weighted(&gold, &system, "", "typed-mention").unwrap();
    assert_eq!(result.results[0].counts, counts(&gold, &system, "neleval", "typed-mention"));
}

#[test]
fn weights_need_exact_spans() {
    let (gold, system) = example();
    assert!(weighted(&gold, &system, "", "typed-mention(match=overlap)").is_err());
}

/// neleval counts the weight of a type with itself in its denominators.
#[test]
fn a_type_may_be_worth_less_than_one_with_itself() {
    let (gold, system) = (corpus("d 0 4 A 1 T\n d 5 9 B 1 U"), corpus("d 0 4 A 1 T"));
    let result = weighted(&gold, &system, "T\tT\t0.5", "typed-mention").unwrap();
    assert_eq!(result.results[0].counts, [0.5, 0.0, 0.5, 1.0]);
}

#[test]
fn of_two_weights_for_one_pair_the_larger_counts() {
    let weights = TypeWeights::parse("a\tb\t0.25\na\tb\t0.5\na\tb\t0.125\n").unwrap();
    assert_eq!(weights.weight("a", "b"), 0.5);
    assert_eq!((weights.weight("b", "a"), weights.weight("c", "c")), (0.0, 1.0));
}

#[test]
fn bad_lines_are_named() {
    for (text, line) in [("a\tb", 1), ("a\tb\t1\na\tb\tx", 2), ("a\tb\tinf", 1), ("a\tb\t1\td", 1)]
    {
        let error = TypeWeights::parse(text).unwrap_err();
        assert!(error.to_string().contains(&format!("line {line}")), "{error}");
    }
}

/// Credit goes to a system type that is an ancestor of the gold type, as neleval's
/// documentation says; its command writes the two the other way round.
#[test]
fn an_ancestor_of_the_gold_type_earns_credit() {
    let hierarchy = r#"{"person": ["artist", "politician"], "artist": ["painter"]}"#;
    let weights = TypeWeights::for_hierarchy(hierarchy, 0.5).unwrap();
    assert_eq!(weights.weight("painter", "artist"), 0.5);
    assert_eq!(weights.weight("painter", "person"), 0.25);
    assert_eq!(weights.weight("person", "painter"), 0.0, "too specific");
    assert_eq!(weights.weight("painter", "politician"), 0.0);
    assert_eq!(weights.weight("painter", "painter"), 1.0);
    let (gold, system) = (corpus("d 0 4 A 1 painter"), corpus("d 0 4 A 1 artist"));
    let table = weights.to_string();
    assert_eq!(TypeWeights::parse(&table).unwrap(), weights, "{table}");
    let right = weighted(&gold, &system, &table, "typed-mention").unwrap();
    assert_eq!(right.results[0].counts, [0.5, 0.5, 0.5, 0.5]);
    let wrong = weighted(&system, &gold, &table, "typed-mention").unwrap();
    assert_eq!(wrong.results[0].counts, [0.0, 1.0, 0.0, 1.0]);
}

#[test]
fn hierarchies_may_be_any_graph() {
    let circle = TypeWeights::for_hierarchy(r#"{"a": ["b"], "b": ["a"]}"#, 0.5).unwrap();
    assert_eq!((circle.weight("a", "b"), circle.weight("a", "a")), (0.5, 1.0));
    let two_ways = r#"{"a": ["b", "c"], "b": ["c"]}"#;
    let shortest = TypeWeights::for_hierarchy(two_ways, 0.5).unwrap();
    assert_eq!(shortest.weight("c", "a"), 0.5, "the larger of two weights");
    for wrong in ["[]", "{", r#"{"a": "b"}"#, r#"{"a": [1]}"#] {
        assert!(TypeWeights::for_hierarchy(wrong, 0.5).is_err(), "{wrong}");
    }
    assert!(TypeWeights::for_hierarchy("{}", 1.5).is_err());
}

fn answers(corpus: &Corpus) -> Vec<String> {
    let mentions = corpus.documents().flat_map(|document| document.mentions());
    mentions
        .map(|mention| {
            assert_eq!(mention.candidates().len(), 0);
            let types: Vec<&str> = mention.types().collect();
            format!("{} {}", mention.entity().unwrap_or("NIL"), types.join("+"))
        })
        .collect()
}

/// On the span, in the document, anywhere, or else the first.
#[test]
fn alternatives_are_chosen_to_suit_the_system() {
    let gold = corpus(
        "d1 0 1 A 1 P B 1 O
         d1 2 3 C 1 P D 1 O E 1 O
         d1 4 5 F 1 P G 1 O
         d1 6 7 H 1 P I 1 O
         d1 8 9 J 1 P
         d2 0 1 K 1 P D 1 O G 1 P",
    );
    let system = corpus("d1 0 1 B 1 P\n d1 90 91 D 1 O\n d2 50 51 G 1 O");
    let select =
        |likeness| answers(&select_alternatives(&gold, &system, &Identity::new(), likeness));
    assert_eq!(select(Likeness::Id), ["B O", "D O", "G O", "H P", "J P", "G P"]);
    assert_eq!(select(Likeness::IdAndTypes), ["A P", "D O", "G O", "H P", "J P", "D O"]);
}

/// neleval never finds the span, and selects E1 here.
#[test]
fn the_answer_on_the_span_comes_first() {
    let gold = corpus("D 0 1 E1 1 T E2 1 T");
    let system = corpus("D 0 1 E2 1 T\n D 5 6 E1 1 T");
    let selected = select_alternatives(&gold, &system, &Identity::new(), Likeness::Id);
    assert_eq!(answers(&selected), ["E2 T"]);
}

#[test]
fn a_weak_corpus_has_an_annotation_for_each_position() {
    let (gold, system) = (corpus("d 0 3 A\n d 6 7 B"), corpus("d 1 4 A\n d 6 6 C"));
    let (gold, system) = (gold.to_weak(), system.to_weak());
    assert_eq!(gold.annotations().len(), 6);
    assert_eq!(counts(&gold, &system, "neleval", "mention"), [4.0, 1.0, 4.0, 2.0]);
    assert_eq!(counts(&gold, &system, "neleval", "link"), [3.0, 2.0, 3.0, 3.0]);
}

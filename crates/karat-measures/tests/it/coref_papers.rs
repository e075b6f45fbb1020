//! Examples of the papers that define the measures.

use crate::clusterings::{letters, rounded, score};
use karat_measures::clustering::ClusterScores;

fn printed(scores: ClusterScores) -> [f64; 3] {
    [scores.precision, scores.recall, scores.f1].map(rounded)
}

#[test]
fn luo_2005() {
    let gold = "abcde fg hijkl";
    let systems = [
        ("abcde fghijkl", [0.947, 0.865, 0.833, 0.733]),
        ("abcdehijkl fg", [0.947, 0.737, 0.583, 0.667]),
        ("abcdefghijkl", [0.900, 0.545, 0.417, 0.294]),
        ("a b c d e f g h i j k l", [0.000, 0.400, 0.250, 0.178]),
    ];
    let measures = ["muc", "b_cubed", "mention_ceaf", "entity_ceaf"];
    for (system, expected) in systems {
        let table = letters(gold, system);
        let found = measures.map(|name| rounded(score(name, &table).f1));
        assert_eq!(found, expected, "{system}");
    }
}

#[test]
fn vilain_1995() {
    let cases = [
        ("abcd", "ab cd", [1.0, 0.667, 0.8]),
        ("ab cd", "abcd", [0.667, 1.0, 0.8]),
        ("abcd", "abcd", [1.0, 1.0, 1.0]),
        ("abc", "ac", [1.0, 0.5, 0.667]),
        ("bcdeghj", "abc def ghi", [0.5, 0.5, 0.5]),
        ("abc defg", "ab cd fgh", [0.5, 0.4, 0.444]),
    ];
    for (gold, system, expected) in cases {
        assert_eq!(printed(score("muc", &letters(gold, system))), expected, "{gold} | {system}");
    }
}

/// Tables 4 and 5. The paper prints 0.715 for the F of the first system, which its own
/// precision and recall do not give.
#[test]
fn cai_and_strube_2010() {
    let systems = [
        ("ab c i j", [1.0, 0.556, 0.714], [0.667, 0.667, 0.667]),
        ("ab ij c", [0.8, 0.556, 0.656], [0.6, 0.667, 0.632]),
        ("ab ij kl c", [0.714, 0.556, 0.625], [0.571, 0.667, 0.615]),
        ("ab ijkl", [0.571, 0.556, 0.563], [0.429, 0.667, 0.522]),
    ];
    for (system, b_cubed, ceaf) in systems {
        let table = letters("abc", system);
        assert_eq!(printed(score("cs_b_cubed", &table)), b_cubed, "{system}");
        assert_eq!(printed(score("mention_cs_ceaf", &table)), ceaf, "{system}");
    }
}

#[test]
fn moosavi_and_strube_2016() {
    let table = letters("abc defg", "ab cd fghi");
    let scores = score("lea", &table);
    assert_eq!([rounded(scores.recall), rounded(scores.precision)], [0.238, 0.333]);
}

/// The worked examples in the documentation of the measures.
#[test]
fn documented_examples() {
    let cases = [
        ("muc", "abcd", "ab cd", [1.0, 0.667]),
        ("b_cubed", "abc", "ab c", [1.0, 0.556]),
        ("mention_ceaf", "abc de", "ab cde", [0.8, 0.8]),
        ("entity_ceaf", "abc de", "ab cde", [0.8, 0.8]),
        ("pairwise", "abc", "ab c", [1.0, 0.333]),
        ("pairwise_negative", "ab c", "a b c", [0.667, 1.0]),
        ("blanc", "ab c", "abc", [0.167, 0.5]),
        ("lea", "abc defg", "ab cd fghi", [0.333, 0.238]),
        ("cs_b_cubed", "abc", "ab ij", [0.8, 0.556]),
        ("mention_cs_ceaf", "abc", "ab ij", [0.6, 0.667]),
        ("entity_cs_ceaf", "abc", "ab ij", [0.489, 0.8]),
    ];
    for (name, gold, system, expected) in cases {
        let scores = score(name, &letters(gold, system));
        assert_eq!([scores.precision, scores.recall].map(rounded), expected, "{name}");
    }
    assert_eq!(score("blanc", &letters("ab c", "abc")).f1, 0.25);
}

#[test]
fn gold_without_pairs() {
    assert_eq!(
        score("blanc", &letters("a", "a")),
        ClusterScores { precision: 1.0, recall: 1.0, f1: 1.0 }
    );
    assert_eq!(score("blanc", &letters("a", "b")), ClusterScores::default());
    assert_eq!(score("blanc", &letters("a", "ab")), ClusterScores::default());
    assert_eq!(score("blanc", &letters("", "")), ClusterScores::default());
}

//! Gold that can be read in several ways, in karat's own convention.

use karat::formats::{ReadOptions, Source};
use karat::inputs::Run;
use karat::model::Corpus;
use karat::scoring::Scoring;

fn corpus(text: &str) -> Corpus {
    let input = Source::memory("a.karat.jsonl", text).into();
    karat::registry().read(&input, Some("karat-jsonl"), &ReadOptions::default()).unwrap().corpus
}

/// True positives, false positives and false negatives.
fn counts(gold: &str, system: &str, measure: &str) -> [f64; 3] {
    let annotations = |list: &str| {
        let text = "Warsaw, Poland, and London met.";
        corpus(&format!("{{\"document\":\"d1\",\"text\":\"{text}\",\"annotations\":[{list}]}}\n"))
    };
    let mut scoring = Scoring::named("karat", &[measure]).unwrap();
    scoring.bootstrap = None;
    let board = scoring.score("gold", &annotations(gold), &[Run::new("s", annotations(system))]);
    let counts = &board.systems[0].evaluation.results[0].counts;
    [counts[0], counts[1], counts[3]]
}

const LONDON: &str = r#"{"span":[20,26],"link":"Q84"},{"span":[20,26],"link":"Q145","part_of":{"parent":0,"reading":1}}"#;
const WARSAW: &str = r#"{"span":[0,14],"link":"Q270"},{"span":[0,6],"link":"Q270","part_of":{"parent":0,"reading":1}},{"span":[8,14],"link":"Q36","part_of":{"parent":0,"reading":1}}"#;

#[test]
fn an_alternative_link_is_as_right_as_the_first() {
    let system = r#"{"span":[20,26],"link":"Q145"}"#;
    for measure in ["link", "all", "mention"] {
        assert_eq!(counts(LONDON, system, measure), [1.0, 0.0, 0.0], "{measure}");
    }
    assert_eq!(counts(LONDON, r#"{"span":[20,26],"link":"Q1"}"#, "link"), [0.0, 1.0, 1.0]);
}

#[test]
fn a_reading_is_found_when_all_its_parts_are() {
    let (city, country) = (r#"{"span":[0,6],"link":"Q270"}"#, r#"{"span":[8,14],"link":"Q36"}"#);
    assert_eq!(counts(WARSAW, &format!("{city},{country}"), "link"), [1.0, 0.0, 0.0]);
    assert_eq!(counts(WARSAW, city, "link"), [0.0, 1.0, 1.0]);
    assert_eq!(counts(WARSAW, r#"{"span":[0,14],"link":"Q270"}"#, "link"), [1.0, 0.0, 0.0]);
    // One reading is enough: who also gives the others says too much.
    let all = format!(r#"{city},{country},{{"span":[0,14],"link":"Q270"}}"#);
    assert_eq!(counts(WARSAW, &all, "link"), [1.0, 1.0, 0.0]);
}

/// NIL with a linked alternative stays NIL gold; finding the alternative finds it, and is no
/// wrong link.
#[test]
fn nil_may_be_found_through_an_entity() {
    let gold = r#"{"span":[0,14],"nil":true},{"span":[0,6],"link":"Q270","part_of":{"parent":0,"reading":1}}"#;
    let system = r#"{"span":[0,6],"link":"Q270"}"#;
    assert_eq!(counts(gold, system, "all"), [1.0, 0.0, 0.0]);
    assert_eq!(counts(gold, system, "nil"), [1.0, 0.0, 0.0]);
    assert_eq!(counts(gold, system, "link"), [0.0, 0.0, 0.0]);
}

/// Of two mentions that a prediction could find, it finds the one that it is, wherever the other is.
#[test]
fn a_prediction_finds_the_mention_itself_before_an_alternative_of_another() {
    for whole in ["[8,10]", "[8,18]"] {
        let gold = format!(
            r#"{{"span":{whole},"link":"Q1"}},{{"span":[8,14],"nil":true,"part_of":{{"parent":0,"reading":1}}}},{{"span":[8,14],"nil":true}}"#
        );
        let system = r#"{"span":[8,14],"nil":true}"#;
        assert_eq!(counts(&gold, system, "link"), [0.0, 0.0, 1.0], "{whole}");
        assert_eq!(counts(&gold, system, "nil"), [1.0, 0.0, 0.0], "{whole}");
        assert_eq!(counts(&gold, system, "all"), [1.0, 0.0, 1.0], "{whole}");
    }
}

/// The right link on the right span is right, also where an alternative comes before it.
#[test]
fn a_mention_is_found_by_its_own_prediction_before_that_of_an_alternative() {
    let gold = r#"{"span":[20,26],"link":"Q84"},{"span":[0,6],"nil":true,"part_of":{"parent":0,"reading":1}}"#;
    let system = r#"{"span":[20,26],"link":"Q84"},{"span":[0,6],"nil":true}"#;
    assert_eq!(counts(gold, system, "link"), [1.0, 0.0, 0.0]);
    assert_eq!(counts(gold, system, "nil"), [0.0, 1.0, 0.0]);
    assert_eq!(counts(gold, system, "all"), [1.0, 1.0, 0.0]);
}

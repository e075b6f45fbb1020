//! A threshold chosen on one corpus, used on another.

use crate::tiny::{convention, corpus, micro, run};
use karat_kb::Identity;
use karat_match::Pairing;
use karat_measures::{Plan, Selection, tune};

fn tuned(gold: &str, system: &str, measures: &[&str]) -> Option<f64> {
    let convention = convention("karat");
    let selection = Selection::parse(measures.iter().copied(), &convention).unwrap();
    let (gold, system) = (corpus(gold), corpus(system));
    let pairing = Pairing::new(&gold, &system, &Identity::new());
    tune(&pairing, &Plan::new(convention, selection))
}

#[test]
fn the_lowest_confidence_that_is_worth_keeping() {
    let system = "0-4 A .9, 10-14 B .1, 20-24 C .2, 30-34 D .6";
    assert_eq!(tuned("0-4 A, 30-34 D", system, &["link"]), Some(0.6));
    // What it is chosen by is the first measure that has an F1.
    assert_eq!(tuned("0-4 A, 30-34 D", system, &["disambiguation", "link"]), Some(0.6));
    assert_eq!(tuned("0-4 A, 30-34 D", system, &["disambiguation"]), None);
}

#[test]
fn no_threshold_where_all_is_best() {
    assert_eq!(tuned("0-4 A", "0-4 A .5", &["link"]), None);
    assert_eq!(tuned("0-4 A", "0-4 A", &["link"]), None);
    assert_eq!(tuned("", "", &["link"]), None);
}

#[test]
fn what_was_tuned_is_a_setting_and_no_oracle() {
    let threshold = tuned("0-4 A", "0-4 A .5, 5-9 X .25", &["link"]).unwrap();
    let mut convention = convention("karat");
    convention.set("threshold", &threshold.to_string()).unwrap();
    let system = "0-4 A .5, 5-9 X .4, 10-14 B .3";
    let result = run(convention, "0-4 A, 10-14 B", system, &["link"]).results.remove(0);
    assert_eq!(micro(&result), [1.0, 0.5, 0.667]);
    assert_eq!(result.threshold, None);
}

//! What measures can do is asked of them, under whatever name they were asked for.

use karat_measures::{Compute, Convention, MEASURES, Measure, Selection, usual_name};

fn measures(names: &[&str]) -> Vec<Measure> {
    let selection = Selection::parse(names.iter().copied(), &Convention::default());
    selection.expect("measures").measures
}

/// The names of the registry whose measures can do something.
fn who(can: fn(&Compute) -> bool) -> Vec<&'static str> {
    let usual = Convention::default();
    let able = MEASURES.iter().filter(|measure| can(&measure.plain(&usual)));
    able.map(|measure| measure.name).collect()
}

#[test]
fn few_measures_can_do_what_is_asked_of_them() {
    assert_eq!(who(Compute::is_of_linking_alone), ["disambiguation"]);
    assert_eq!(who(Compute::compares_outputs), ["similarity"]);
    assert_eq!(who(|compute| compute.alpha().is_some()), ["fuzzy"]);
    let without_f1 = who(|compute| !compute.has_f1());
    assert!(without_f1.contains(&"mrr") && !without_f1.contains(&"b-cubed"), "{without_f1:?}");
}

#[test]
fn parameters_do_not_change_what_a_measure_is() {
    let names =
        ["disambiguation(match=overlap)", "similarity(of=tag)", "fuzzy(alpha=0.3)", "fuzzy"];
    let [linking, similarity, weighed, unweighed] = &measures(&names)[..] else {
        panic!("four measures")
    };
    assert!(linking.compute.is_of_linking_alone());
    assert!(similarity.compute.compares_outputs());
    assert_eq!(weighed.compute.alpha(), Some(0.3));
    assert_eq!(unweighed.compute.alpha(), Some(0.0));
}

#[test]
fn attributes_are_those_of_any_notation() {
    let names =
        ["sets:colour:span+size", "overlap-maxmax::span+size", "muc:colour:span+eid", "link"];
    let asked: Vec<Vec<String>> = measures(&names)
        .iter()
        .map(|measure| measure.compute.attributes().into_iter().map(str::to_owned).collect())
        .collect();
    assert_eq!(asked, [vec!["colour", "size"], vec!["size"], vec!["colour"], vec![]]);
}

#[test]
fn true_positives_have_their_usual_name() {
    let [link, ranks] = &measures(&["link", "mrr"])[..] else { panic!("two measures") };
    assert_eq!(link.compute.count_at("tp"), link.compute.count_at("ptp"));
    assert_eq!(link.compute.count_at("tp"), Some(0));
    assert_eq!((ranks.compute.count_at("tp"), ranks.compute.count_at("found")), (None, Some(1)));
    assert_eq!((usual_name("ptp"), usual_name("rtp")), (Some("tp"), None));
}

//! Schwa's output on AIDA testb: what neleval 3.1.1 counts.

use crate::clusterings::{count, mentions, rounded, score, table};
use crate::data;
use karat_measures::clustering::Contingency;

#[test]
fn schwa_on_aida_testb() {
    let Some(gold) = data::file("aida-testb/gold.tsv") else { return };
    let Some(system) = data::file("aida-testb/schwa.tsv") else { return };
    let table = table(mentions(&gold), mentions(&system));
    check_counts(&table);
    check_scores(&table);
}

fn check_counts(table: &Contingency) {
    let expected = [
        ("b_cubed", [3730.564, 1231.436, 3777.309, 1838.691]),
        ("entity_ceaf", [1675.818, 693.182, 1675.818, 992.182]),
        ("mention_ceaf", [3730.0, 1232.0, 3730.0, 1886.0]),
        ("muc", [2073.0, 520.0, 2073.0, 875.0]),
        ("pairwise", [14882.0, 5747.0, 14882.0, 8890.0]),
        ("pairwise_negative", [9264546.0, 3023066.0, 9264546.0, 6478602.0]),
    ];
    for (name, expected) in expected {
        let found: [f64; 4] = count(name, table).into();
        assert_eq!(found.map(rounded), expected, "{name}");
    }
}

fn check_scores(table: &Contingency) {
    let expected = [
        ("cs_b_cubed", [0.869, 0.794, 0.830]),
        ("mention_cs_ceaf", [0.746, 0.770, 0.758]),
        ("entity_cs_ceaf", [0.685, 0.835, 0.753]),
    ];
    for (name, expected) in expected {
        let found = score(name, table);
        assert_eq!([found.precision, found.recall, found.f1].map(rounded), expected, "{name}");
    }
}

//! How well derived tags agree with given ones, as tables and as JSON.

use karat_model::Vocabulary;
use karat_report::{Cell, Column, Table};
use karat_tagger::{Accuracy, Agreement, Label};
use serde_json::{Map, Value, json};

/// A row for each dimension: how much was derived, and how much of that agrees.
pub fn overview(accuracy: &Accuracy) -> Table {
    let mut table = Table::new([
        Column::text("dimension"),
        Column::count("compared"),
        Column::count("derived"),
        Column::count("agree"),
        Column::number("agreement", 4),
        Column::number("coverage", 4),
        Column::count("not compared"),
    ]);
    for found in &accuracy.dimensions {
        table.row([
            Cell::from(found.aspect().key()),
            Cell::from(found.compared()),
            Cell::from(found.derived()),
            Cell::from(found.agreed()),
            ratio(found.agreed(), found.derived()),
            ratio(found.derived(), found.compared()),
            Cell::from(found.not_compared()),
        ]);
    }
    table
}

/// A row for each category: how often it was given and derived, its precision and recall.
pub fn categories(accuracy: &Accuracy, vocabulary: Vocabulary) -> Table {
    let mut table = Table::new([
        Column::text("dimension"),
        Column::text("tag"),
        Column::count("given"),
        Column::count("derived"),
        Column::count("agree"),
        Column::number("precision", 4),
        Column::number("recall", 4),
    ]);
    for found in &accuracy.dimensions {
        for &label in found.labels() {
            let (given, derived) = (found.given_as(label), found.derived_as(label));
            let agreed = found.count(label, Some(label));
            table.row([
                Cell::from(found.aspect().key()),
                Cell::from(label.tag(vocabulary)),
                Cell::from(given),
                Cell::from(derived),
                Cell::from(agreed),
                ratio(agreed, derived),
                ratio(agreed, given),
            ]);
        }
    }
    table
}

/// What was derived for each given label of an aspect.
pub fn confusion(found: &Agreement, vocabulary: Vocabulary) -> Table {
    let derived = found.labels().iter().map(|label| Column::count(label.name(vocabulary)));
    let columns = std::iter::once(Column::text("given")).chain(derived);
    let mut table = Table::new(columns.chain([Column::count("unknown")]));
    for &given in found.labels() {
        let all = found.labels().iter().copied().map(Some).chain([None]);
        let counts = all.map(|derived| Cell::from(found.count(given, derived)));
        table.row(std::iter::once(Cell::from(given.name(vocabulary))).chain(counts));
    }
    table
}

/// All of it in one object.
pub fn json(accuracy: &Accuracy, vocabulary: Vocabulary) -> Value {
    let dimensions: Vec<Value> = accuracy
        .dimensions
        .iter()
        .map(|found| {
            json!({
                "dimension": found.aspect().key(),
                "compared": found.compared(),
                "not_compared": found.not_compared(),
                "derived": found.derived(),
                "agreed": found.agreed(),
                "agreement": quotient(found.agreed(), found.derived()),
                "coverage": quotient(found.derived(), found.compared()),
                "tags": tags(found, vocabulary),
            })
        })
        .collect();
    json!({ "karat": env!("CARGO_PKG_VERSION"), "dimensions": dimensions })
}

fn tags(found: &Agreement, vocabulary: Vocabulary) -> Vec<Value> {
    let tag = |&label: &Label| {
        let (given, derived) = (found.given_as(label), found.derived_as(label));
        let agreed = found.count(label, Some(label));
        let mut confusion: Map<String, Value> = found
            .labels()
            .iter()
            .map(|&other| (other.tag(vocabulary), found.count(label, Some(other)).into()))
            .collect();
        confusion.insert("unknown".to_owned(), found.count(label, None).into());
        json!({
            "tag": label.tag(vocabulary),
            "given": given,
            "derived": derived,
            "agreed": agreed,
            "precision": quotient(agreed, derived),
            "recall": quotient(agreed, given),
            "derived_as": confusion,
        })
    };
    found.labels().iter().map(tag).collect()
}

fn ratio(part: usize, whole: usize) -> Cell {
    Cell::from(quotient(part, whole))
}

fn quotient(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

//! How well derived tags agree with given ones, as records and tables.

use karat_model::Vocabulary;
use karat_report::{Cell, Column, Table};
use karat_tagger::{Aspect, AspectAgreement, TagLabel};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// How well derived labels of one dimension agree with given ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgreementRecord {
    /// The dimension.
    pub dimension: String,
    /// How many annotations were compared.
    pub compared: usize,
    /// How many have no given label, or several.
    pub not_compared: usize,
    /// How many something was derived for.
    pub derived: usize,
    /// For how many that agrees with what was given.
    pub agreed: usize,
    /// The part of the derived that agrees.
    pub agreement: Option<f64>,
    /// The part of the compared that something was derived for.
    pub coverage: Option<f64>,
    /// The same for each label.
    pub tags: Vec<TagAgreement>,
    /// The dimension in words.
    pub name: String,
}

/// How well one derived label agrees.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TagAgreement {
    /// The label.
    pub tag: String,
    /// How often it was given.
    pub given: usize,
    /// How often it was derived.
    pub derived: usize,
    /// How often it was both.
    pub agreed: usize,
    /// The part of the derived that was given.
    pub precision: Option<f64>,
    /// The part of the given that was derived.
    pub recall: Option<f64>,
    /// How often each label was derived where this was given, in the order of all labels; `unknown` is last.
    pub derived_as: Map<String, Value>,
    /// The label without its prefix.
    pub name: String,
}

impl AgreementRecord {
    pub(super) fn of(found: &AspectAgreement, vocabulary: Vocabulary) -> AgreementRecord {
        let name = match found.aspect() {
            Aspect::Category(dimension) => dimension.name(),
            Aspect::EntityType => "type",
        };
        let labels = found.labels().iter();
        AgreementRecord {
            dimension: found.aspect().key().to_owned(),
            compared: found.compared(),
            not_compared: found.not_compared(),
            derived: found.derived(),
            agreed: found.agreed(),
            agreement: quotient(found.agreed(), found.derived()),
            coverage: quotient(found.derived(), found.compared()),
            tags: labels.map(|&label| TagAgreement::of(found, label, vocabulary)).collect(),
            name: name.to_owned(),
        }
    }

    /// What was derived for each given label.
    pub fn confusion(&self) -> Table {
        let derived = self.tags.iter().map(|tag| Column::count(tag.name.as_str()));
        let columns = std::iter::once(Column::text("given")).chain(derived);
        let mut table = Table::new(columns.chain([Column::count("unknown")]));
        for given in &self.tags {
            let counts =
                given.derived_as.values().map(|count| Cell::Count(count.as_u64().unwrap_or(0)));
            table.row(std::iter::once(Cell::from(given.name.as_str())).chain(counts));
        }
        table
    }
}

impl TagAgreement {
    fn of(found: &AspectAgreement, label: TagLabel, vocabulary: Vocabulary) -> TagAgreement {
        let (given, derived) = (found.given_as(label), found.derived_as(label));
        let agreed = found.count(label, Some(label));
        let labels = found.labels().iter();
        let mut derived_as: Map<String, Value> = labels
            .map(|&other| (other.tag(vocabulary), found.count(label, Some(other)).into()))
            .collect();
        derived_as.insert("unknown".to_owned(), found.count(label, None).into());
        TagAgreement {
            tag: label.tag(vocabulary),
            given,
            derived,
            agreed,
            precision: quotient(agreed, derived),
            recall: quotient(agreed, given),
            derived_as,
            name: label.name(vocabulary),
        }
    }
}

/// A row for each dimension: how much was derived, and how much of that agrees.
pub(super) fn overview(dimensions: &[AgreementRecord]) -> Table {
    let mut table = Table::new([
        Column::text("dimension"),
        Column::count("compared"),
        Column::count("derived"),
        Column::count("agree"),
        Column::number("agreement", 4),
        Column::number("coverage", 4),
        Column::count("not compared"),
    ]);
    for found in dimensions {
        table.row([
            Cell::from(found.dimension.as_str()),
            Cell::from(found.compared),
            Cell::from(found.derived),
            Cell::from(found.agreed),
            Cell::from(found.agreement),
            Cell::from(found.coverage),
            Cell::from(found.not_compared),
        ]);
    }
    table
}

/// A row for each label: how often it was given and derived, its precision and recall.
pub(super) fn tags(dimensions: &[AgreementRecord]) -> Table {
    let mut table = Table::new([
        Column::text("dimension"),
        Column::text("tag"),
        Column::count("given"),
        Column::count("derived"),
        Column::count("agree"),
        Column::number("precision", 4),
        Column::number("recall", 4),
    ]);
    for found in dimensions {
        for tag in &found.tags {
            table.row([
                Cell::from(found.dimension.as_str()),
                Cell::from(tag.tag.as_str()),
                Cell::from(tag.given),
                Cell::from(tag.derived),
                Cell::from(tag.agreed),
                Cell::from(tag.precision),
                Cell::from(tag.recall),
            ]);
        }
    }
    table
}

fn quotient(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

//! Counts of errors as they stand side by side: what one system gets wrong, how often it could have, and how another
//! one does.

use super::answer::{ErrorsAnswer, FoundErrors};
use super::kind::ErrorKind;
use karat_facets::taxonomy::Category;
use karat_report::{Cell, Table};
use serde::{Deserialize, Serialize};

/// How often errors of a category were made, and could have been.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CategoryRate {
    /// The family of the category.
    pub family: String,
    /// What it is called within the family.
    pub category: String,
    /// What it is.
    pub summary: String,
    /// How often it was made.
    pub errors: Option<u64>,
    /// How often it could have been.
    pub total: Option<u64>,
    /// The one by the other.
    pub rate: Option<f64>,
    /// The rate of the other system.
    pub beside: Option<f64>,
    /// How much higher the rate is than that of the other system.
    pub difference: Option<f64>,
    /// Why a number is not known, where one is not.
    pub unknown: Option<String>,
}

/// How many mentions are of a kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindRate {
    /// The kind.
    pub kind: String,
    /// Whether it is an error.
    pub is_wrong: bool,
    /// How many there are.
    pub count: u64,
    /// How many the other system has.
    pub beside: Option<u64>,
}

impl ErrorsAnswer {
    /// The categories of a system, where errors were counted by category, with the rates of another one.
    pub fn category_rates(&self, system: &str, beside: Option<&str>) -> Vec<CategoryRate> {
        let Some(table) = self.counted() else { return Vec::new() };
        let others = beside.map(|name| Row::of_system(table, name)).unwrap_or_default();
        let rate = |row: Row<'_>| {
            let (family, category) = (row.text("family"), row.text("category"));
            let is_same = |other: &&Row<'_>| {
                other.text("family") == family && other.text("category") == category
            };
            let (rate, other) = (row.number("rate"), others.iter().find(is_same));
            let other = other.and_then(|row| row.number("rate"));
            let known = Category::all().find(|it| it.family() == family && it.key() == category);
            let errors = row.count("errors");
            CategoryRate {
                summary: known.map_or("", Category::summary).to_owned(),
                errors,
                total: row.count("total"),
                rate,
                beside: other,
                difference: rate.zip(other).map(|(rate, other)| rate - other),
                unknown: reason(known, errors, rate).map(str::to_owned),
                family: family.to_owned(),
                category: category.to_owned(),
            }
        };
        together(Row::of_system(table, system).into_iter().map(rate).collect())
    }

    /// The kinds of a system, where they were counted, with the numbers of another one.
    pub fn kind_rates(&self, system: &str, beside: Option<&str>) -> Vec<KindRate> {
        let Some(table) = self.counted() else { return Vec::new() };
        let row = |name: &str| Row::of_system(table, name).into_iter().next();
        let (Some(own), other) = (row(system), beside.and_then(row)) else { return Vec::new() };
        let kind = |kind: ErrorKind| {
            let name = kind.name();
            Some(KindRate {
                is_wrong: !kind.is_right(),
                count: own.count(&name)?,
                beside: other.and_then(|other| other.count(&name)),
                kind: name,
            })
        };
        ErrorKind::all().filter_map(kind).collect()
    }

    fn counted(&self) -> Option<&Table> {
        match &self.found {
            FoundErrors::Rows(table) => Some(table),
            FoundErrors::Tasks { .. } => None,
        }
    }
}

/// The same with the categories of one family together, where it comes first.
fn together(rates: Vec<CategoryRate>) -> Vec<CategoryRate> {
    let families: Vec<String> = rates.iter().map(|rate| rate.family.clone()).collect();
    let mut sorted = rates;
    sorted.sort_by_key(|rate| families.iter().position(|family| *family == rate.family));
    sorted
}

/// Why a category has no rate.
fn reason(
    category: Option<Category>,
    errors: Option<u64>,
    rate: Option<f64>,
) -> Option<&'static str> {
    let category = category?;
    match (errors, rate) {
        (Some(_), Some(_)) => None,
        (None, _) if category.needs_candidates() => Some("needs several candidates"),
        (None, _) if category.needs_a_base() => Some("needs a knowledge base"),
        (None, _) => Some("not known"),
        (Some(_), None) if category.needs_a_base() => {
            Some("how many there could be needs a knowledge base")
        }
        (Some(_), None) => Some("there is no number of how many there could be"),
    }
}

/// A row of a table of counts.
#[derive(Clone, Copy)]
struct Row<'t> {
    table: &'t Table,
    cells: &'t [Cell],
}

impl<'t> Row<'t> {
    /// The rows of a system.
    fn of_system(table: &'t Table, name: &str) -> Vec<Row<'t>> {
        let rows = table.rows().map(|cells| Row { table, cells });
        rows.filter(|row| row.text("system") == name).collect()
    }

    fn cell(&self, column: &str) -> Option<&'t Cell> {
        let at = self.table.columns().iter().position(|it| it.name == column)?;
        self.cells.get(at)
    }

    fn text(&self, column: &str) -> &'t str {
        match self.cell(column) {
            Some(Cell::Text(text)) => text,
            _ => "",
        }
    }

    fn count(&self, column: &str) -> Option<u64> {
        match self.cell(column)? {
            Cell::Count(count) => Some(*count),
            _ => None,
        }
    }

    fn number(&self, column: &str) -> Option<f64> {
        match self.cell(column)? {
            Cell::Number(number) => Some(*number),
            _ => None,
        }
    }
}

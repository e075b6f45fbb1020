//! How often errors are made, how often they could have been, and how another system does: records for whoever puts them
//! side by side.

use super::counts::{ErrorCounts, Hits};
use super::inspector::Inspector;
use super::kind::{ErrorKind, KindCounts};
use super::names::Narrowed;
use super::request::{ErrorsBy, ErrorsQuestion, ErrorsRequest};
use crate::command::CommandLine;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::Inputs;
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_facets::taxonomy::{Category, Label, Taxonomy};
use karat_match::Unknowns;
use karat_model::Notice;
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use serde::{Deserialize, Serialize};

/// Counts the errors of a system on one benchmark by kind and by category, beside those of another system.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ErrorRatesRequest {
    /// Gold and systems.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// The system.
    pub system: String,
    /// The system beside it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<String>,
}

/// The errors of a system by kind and by category.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorRatesAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces the numbers.
    pub signature: String,
    /// What became of each mention.
    pub kinds: Vec<KindRate>,
    /// What made errors hard to avoid. Categories of one family stand together.
    pub categories: Vec<CategoryRate>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

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

impl Request for ErrorRatesRequest {
    type Answer = ErrorRatesAnswer;

    const NAME: &'static str = "error-rates";

    fn answer(&self, work: &Work) -> Result<ErrorRatesAnswer, Error> {
        let request = ErrorsRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            only: std::iter::once(&self.system).chain(&self.beside).cloned().collect(),
            question: ErrorsQuestion::Count(ErrorsBy::Category),
            ..ErrorsRequest::default()
        };
        let inspector = Inspector::of(&request, Narrowed::default(), work)?;
        inspector.check_is_one_benchmark()?;
        let mut told = Vec::new();
        let (kinds, categories) = (inspector.kinds_of_runs()?, inspector.counted(&mut told)?);
        let of_kinds = |name: &String| kinds.iter().find(|run| run.system == *name);
        let of_categories = |name: &String| {
            let run = categories.iter().find(|run| run.system == name);
            run.map(|run| inspector.category_rates(&run.found)).unwrap_or_default()
        };
        let others = self.beside.as_ref().map(of_categories).unwrap_or_default();
        let mut answer = ErrorRatesAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: inspector.signature_of_first(),
            kinds: of_kinds(&self.system)
                .map(|own| {
                    let other = self.beside.as_ref().and_then(of_kinds);
                    kind_rates(&own.counts, other.map(|run| &run.counts))
                })
                .unwrap_or_default(),
            categories: together(of_categories(&self.system)),
            notices: Vec::new(),
        };
        answer.categories.iter_mut().for_each(|rate| rate.put_beside(&others));
        drop((kinds, categories));
        answer.notices = inspector.into_notices(told)?;
        work.check()?;
        Ok(answer)
    }

    fn commands(&self) -> Vec<CommandLine> {
        let request = ErrorsRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            only: [&self.system].into_iter().chain(&self.beside).cloned().collect(),
            question: ErrorsQuestion::Count(ErrorsBy::Category),
            ..ErrorsRequest::default()
        };
        request.commands()
    }
}

/// The categories of a system, in the order of the taxonomy, and what is missed and extra in all. Of what ELEVANT has no
/// word for, its own taxonomies have no rate.
pub(super) fn category_rates(
    counts: &ErrorCounts,
    taxonomy: &Taxonomy,
    unknowns: Unknowns,
) -> Vec<CategoryRate> {
    let mode = &counts.modes[unknowns.index()];
    let has_word = |category: &Category| Label::wrong(*category).elevant().is_some();
    let categories = Category::all().filter(|c| !taxonomy.by_prediction || has_word(c));
    let mut rates: Vec<CategoryRate> = categories
        .map(|category| {
            let is_known = counts.has_choice || !category.needs_candidates();
            let errors = mode.errors(category).filter(|_| is_known);
            let total = mode.total(category, counts.words, !taxonomy.by_prediction);
            let rate = CategoryRate::of(
                category.family(),
                category.key(),
                errors,
                total.filter(|_| is_known),
            );
            CategoryRate {
                summary: category.summary().to_owned(),
                unknown: reason(category, rate.errors, rate.rate).map(str::to_owned),
                ..rate
            }
        })
        .collect();
    let Hits { hits, extra, missed } = mode.all();
    let extra = (mode.unsure() == Hits::default()).then_some(extra);
    rates.push(CategoryRate::of("linking", "missed", Some(missed), Some(hits + missed)));
    rates.push(CategoryRate::of("linking", "extra", extra, extra.map(|extra| hits + extra)));
    rates
}

impl CategoryRate {
    fn of(family: &str, category: &str, errors: Option<u64>, total: Option<u64>) -> CategoryRate {
        let rate = errors.zip(total.filter(|total| *total > 0));
        CategoryRate {
            family: family.to_owned(),
            category: category.to_owned(),
            errors,
            total,
            rate: rate.map(|(errors, total)| errors as f64 / total as f64),
            ..CategoryRate::default()
        }
    }

    /// Takes over the rate that another system has in this category.
    fn put_beside(&mut self, others: &[CategoryRate]) {
        let is_same = |other: &&CategoryRate| {
            (&other.family, &other.category) == (&self.family, &self.category)
        };
        self.beside = others.iter().find(is_same).and_then(|other| other.rate);
        self.difference = self.rate.zip(self.beside).map(|(rate, other)| rate - other);
    }
}

/// The kinds of a system, with the numbers of another one.
fn kind_rates(own: &KindCounts, other: Option<&KindCounts>) -> Vec<KindRate> {
    let kind = |kind: ErrorKind| KindRate {
        kind: kind.name(),
        is_wrong: !kind.is_right(),
        count: own.of(kind) as u64,
        beside: other.map(|other| other.of(kind) as u64),
    };
    ErrorKind::all().map(kind).collect()
}

/// The same with the categories of one family together, where it comes first.
fn together(rates: Vec<CategoryRate>) -> Vec<CategoryRate> {
    let families: Vec<String> = rates.iter().map(|rate| rate.family.clone()).collect();
    let mut sorted = rates;
    sorted.sort_by_key(|rate| families.iter().position(|family| *family == rate.family));
    sorted
}

/// Why a category has no rate.
fn reason(category: Category, errors: Option<u64>, rate: Option<f64>) -> Option<&'static str> {
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

impl ErrorRatesAnswer {
    fn kind_table(&self) -> Table {
        let has_other = self.kinds.iter().any(|kind| kind.beside.is_some());
        let columns = [Column::text("kind"), Column::count("mentions")];
        let columns = columns.into_iter().chain(has_other.then(|| Column::count("beside")));
        let mut table = Table::new(columns);
        for kind in &self.kinds {
            let cells = [Cell::from(kind.kind.as_str()), count(Some(kind.count))];
            table.row(cells.into_iter().chain(has_other.then(|| count(kind.beside))));
        }
        table
    }

    fn category_table(&self) -> Table {
        let words = ["family", "category"].map(Column::text);
        let numbers = ["errors", "total"].map(Column::count);
        let rates = ["rate", "beside", "difference"].map(|name| Column::number(name, 4));
        let mut table = Table::new(words.into_iter().chain(numbers).chain(rates));
        for rate in &self.categories {
            let words = [&rate.family, &rate.category].map(|text| Cell::from(text.as_str()));
            let counts = [rate.errors, rate.total].map(count);
            let rates = [rate.rate, rate.beside, rate.difference].map(Cell::from);
            table.row(words.into_iter().chain(counts).chain(rates));
        }
        table
    }
}

/// A count that may not be known.
pub(super) fn count(count: Option<u64>) -> Cell {
    Cell::from(count.map(|count| count as usize))
}

impl Answer for ErrorRatesAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        Report {
            sections: vec![
                ReportSection::new("Kinds", Deferred::by(|| self.kind_table())),
                ReportSection::new("Categories", Deferred::by(|| self.category_table())),
            ],
            rows: Some(Deferred::by(|| self.category_table())),
            record: Some(Deferred::by(|| record(self))),
            signatures: vec![self.signature.clone()],
            ..Report::default()
        }
    }
}

//! Checks and categories of errors, listed and described.

use crate::error::Error;
use crate::errors::{CategoryName, category_names};
use crate::validation::check_list;
use karat_checks::CHECKS;
use karat_facets::taxonomy::Category;
use karat_report::{Cell, Column, Report, ReportSection, Table};

/// All checks, or one with what it looks for and what a fix does.
pub fn checks(name: Option<&str>) -> Result<Report<'static>, Error> {
    let Some(name) = name else { return Ok(Report::of(check_list())) };
    let info = CHECKS.iter().map(|check| check.info()).find(|info| info.name == name);
    let names = CHECKS.iter().map(|check| check.info().name);
    let info = info.ok_or_else(|| Error::unknown("check", name, names))?;
    let fix = match info.fix {
        Some(fix) => format!("A fix {fix}."),
        None => "Only a person can decide what is right, so there is no fix.".to_owned(),
    };
    let severity = format!("A finding is a {}.", info.severity.name());
    Ok(described(format!("The check {name}"), &[info.about, &severity, &fix]))
}

/// All categories of errors, or one: by its own name, or by those of its family.
pub fn categories(name: Option<&str>) -> Result<Report<'static>, Error> {
    let all = category_names();
    let Some(name) = name else { return Ok(Report::of(category_table(&all))) };
    let found = Category::named(name);
    match found.as_slice() {
        [] => Err(Error::unknown("category", name, all.iter().map(|category| category.name))),
        [category] => Ok(of_category(*category)),
        several => {
            let is_one = |known: &&CategoryName| several.iter().any(|it| it.name() == known.name);
            let members: Vec<CategoryName> = all.iter().filter(is_one).copied().collect();
            Ok(Report::of(category_table(&members)))
        }
    }
}

fn of_category(category: Category) -> Report<'static> {
    let family = format!(
        "It is one of ELEVANT's family {}, where it is called {}.",
        category.family(),
        category.key()
    );
    let mut sentences = vec![category.summary(), &family];
    if category.is_total() {
        sentences.push("It is the sum of the others of its family.");
    }
    if category.is_further() {
        sentences.push("An error may be in it and in others as well.");
    }
    if category.needs_candidates() {
        sentences.push("It can be told only of a system that gives candidates.");
    }
    if category.needs_a_base() {
        sentences.push("A knowledge base may be needed to tell it.");
    }
    described(category.name().to_owned(), &sentences)
}

fn category_table(categories: &[CategoryName]) -> Table {
    let mut table = Table::new(["name", "family", "what it is"].map(Column::text));
    for category in categories {
        table.row([category.name, category.family, category.summary].map(Cell::from));
    }
    table
}

fn described(title: String, sentences: &[&str]) -> Report<'static> {
    let prose = sentences.join("\n\n");
    Report {
        title: Some(title),
        sections: vec![ReportSection::prose(prose.clone())],
        page: vec![ReportSection::prose(prose)],
        ..Report::default()
    }
}

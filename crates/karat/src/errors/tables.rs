//! Errors as tables.

use super::diff::{Difference, Group};
use super::list::ErrorCase;
use super::{ErrorCounts, Hits};
use karat_facets::taxonomy::{Category, Taxonomy};
use karat_match::Unknowns;
use karat_report::{Cell, Column, Table};

/// How often each error was made by each system, how often it could have been, and the share.
/// Benchmark, system and counts of each run are given.
pub fn count_table(
    runs: &[(&str, &str, ErrorCounts)],
    several: bool,
    taxonomy: &Taxonomy,
    unknowns: Unknowns,
    kept: &[Category],
) -> Table {
    let benchmark = several.then(|| Column::text("benchmark"));
    let words = ["system", "family", "category"].map(Column::text);
    let numbers = ["errors", "total"].map(Column::count);
    let columns =
        benchmark.into_iter().chain(words).chain(numbers).chain([Column::number("rate", 4)]);
    let mut table = Table::new(columns);
    for (benchmark, system, counts) in runs {
        let mode = &counts.modes[unknowns.index()];
        let mut row = |family: &str, name: &str, errors: Option<u64>, total: Option<u64>| {
            let rate = errors.zip(total.filter(|total| *total > 0));
            let rate = rate.map(|(errors, total)| errors as f64 / total as f64);
            let named = several.then(|| Cell::from(*benchmark));
            let number = |number: Option<u64>| Cell::from(number.map(|number| number as usize));
            let cells = [Cell::from(*system), Cell::from(family), Cell::from(name)];
            let numbers = [number(errors), number(total), Cell::from(rate)];
            table.row(named.into_iter().chain(cells).chain(numbers));
        };
        for &category in kept {
            if matches!(category, Category::WrongCandidates | Category::MultipleCandidates)
                && !counts.has_choice
            {
                row(category.family(), category.key(), None, None);
                continue;
            }
            let total = mode.total(category, counts.words, !taxonomy.by_prediction);
            row(category.family(), category.key(), mode.errors(category), total);
        }
        if kept.len() == Category::COUNT {
            let Hits { hits, extra, missed } = mode.all();
            row("linking", "missed", Some(missed), Some(hits + missed));
            row("linking", "extra", Some(extra), Some(hits + extra));
        }
    }
    table
}

/// Cases one by one: benchmark, system and case of each are given.
pub fn case_table(cases: &[(&str, &str, &ErrorCase)], several: bool) -> Table {
    let benchmark = several.then(|| Column::text("benchmark"));
    let names = [
        "system",
        "document",
        "start",
        "end",
        "context",
        "gold",
        "prediction",
        "candidates",
        "category",
        "also",
    ];
    let column = |name: &str| match name {
        "start" | "end" => Column::count(name),
        _ => Column::text(name),
    };
    let mut table = Table::new(benchmark.into_iter().chain(names.map(column)));
    for (benchmark, system, case) in cases {
        let named = several.then(|| Cell::from(*benchmark));
        let further: Vec<&str> = case
            .categories
            .iter()
            .filter(|category| category.is_further())
            .map(|category| category.name())
            .collect();
        let text = |text: String| if text.is_empty() { Cell::Missing } else { Cell::from(text) };
        let cells = [
            Cell::from(*system),
            Cell::from(case.document.as_str()),
            Cell::from(case.span.start as usize),
            Cell::from(case.span.end as usize),
            Cell::from(case.context()),
            Cell::from(case.gold.as_ref().map(ToString::to_string)),
            Cell::from(case.prediction.as_ref().map(ToString::to_string)),
            text(case.candidates.join(" ")),
            text(name_of(case).to_owned()),
            text(further.join(" ")),
        ];
        table.row(named.into_iter().chain(cells));
    }
    table
}

/// What a case is called: its category, or that it is right or not known.
fn name_of(case: &ErrorCase) -> &'static str {
    match case.category() {
        Some(category) => category.name(),
        None if case.is_open => "unknown",
        None if case.is_right => "correct",
        None => "",
    }
}

/// Gold mentions as two systems have them.
pub fn difference_table(differences: &[Difference<'_>], names: [&str; 2]) -> Table {
    let columns = ["group", "document", "start", "end", "context", "gold"];
    let column = |name: &str| match name {
        "start" | "end" => Column::count(name),
        _ => Column::text(name),
    };
    let of_systems = names
        .iter()
        .flat_map(|name| [Column::text(*name), Column::text(format!("{name} category"))]);
    let mut table = Table::new(columns.map(column).into_iter().chain(of_systems));
    for difference in differences {
        let case = difference.first;
        let group = match difference.group {
            Group::OnlyFirst => format!("only {} right", names[0]),
            Group::OnlySecond => format!("only {} right", names[1]),
            Group::BothWrong => "both wrong".to_owned(),
            Group::BothRight => "both right".to_owned(),
        };
        let of = |case: &ErrorCase| {
            let answer = case.prediction.as_ref().map(ToString::to_string);
            [Cell::from(answer), Cell::from(name_of(case))]
        };
        let cells = [
            Cell::from(group),
            Cell::from(case.document.as_str()),
            Cell::from(case.span.start as usize),
            Cell::from(case.span.end as usize),
            Cell::from(case.context()),
            Cell::from(case.gold.as_ref().map(ToString::to_string)),
        ];
        let answers = of(difference.first).into_iter().chain(of(difference.second));
        table.row(cells.into_iter().chain(answers));
    }
    table
}

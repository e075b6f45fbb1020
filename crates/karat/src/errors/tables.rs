//! Errors as tables.

use super::diff::{Difference, Group};
use super::list::{Answer, ErrorCase};
use super::suspects::Suspect;
use super::{ErrorCounts, Hits};
use karat_facets::Finding;
use karat_facets::taxonomy::{Category, Label, Taxonomy};
use karat_match::Unknowns;
use karat_report::{Cell, Column, Table};
use serde_json::{Value, json};

/// How often each error was made by each system, how often it could have been, and the share.
/// Benchmark, system and counts of each run are given. Of what ELEVANT has no word for, its own
/// taxonomies have no row.
pub fn count_table(
    runs: &[(&str, &str, ErrorCounts)],
    several: bool,
    taxonomy: &Taxonomy,
    unknowns: Unknowns,
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
        let has_word = |category: &Category| Label::wrong(*category).elevant().is_some();
        for category in Category::all().filter(|c| !taxonomy.by_prediction || has_word(c)) {
            if category.needs_candidates() && !counts.has_choice {
                row(category.family(), category.key(), None, None);
                continue;
            }
            let total = mode.total(category, counts.words, !taxonomy.by_prediction);
            row(category.family(), category.key(), mode.errors(category), total);
        }
        let Hits { hits, extra, missed } = mode.all();
        let extra = (mode.unsure() == Hits::default()).then_some(extra);
        row("linking", "missed", Some(missed), Some(hits + missed));
        row("linking", "extra", extra, extra.map(|extra| hits + extra));
    }
    table
}

/// The columns with these names: of words, but for those that count or number something.
pub fn columns<'n>(names: impl IntoIterator<Item = &'n str>) -> impl Iterator<Item = Column> {
    names.into_iter().map(|name| match name {
        "rank" | "start" | "end" | "mentions" => Column::count(name),
        _ => Column::text(name),
    })
}

/// Cases one by one: benchmark, system and case of each are given, and how many candidates are
/// shown; all if there is no such number.
pub fn case_table(
    cases: &[(&str, &str, &ErrorCase)],
    several: bool,
    candidates: Option<usize>,
) -> Table {
    let names = [
        "system",
        "document",
        "start",
        "end",
        "context",
        "gold",
        "prediction",
        "candidates",
        "error",
        "category",
        "also",
    ];
    let overlapping = cases.iter().any(|(_, _, case)| case.overlapping.is_some());
    let names = several.then_some("benchmark").into_iter().chain(names);
    let names = names.chain(overlapping.then_some("overlapping prediction"));
    let mut table = Table::new(columns(names));
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
            text(shown_candidates(case, candidates)),
            Cell::from(case.kind.map(Finding::name)),
            text(name_of(case).to_owned()),
            text(further.join(" ")),
        ];
        let beside = case.overlapping.as_ref().map(|(span, answer)| format!("{span} {answer}"));
        let beside = overlapping.then(|| Cell::from(beside));
        table.row(named.into_iter().chain(cells).chain(beside));
        detail_place(&mut table, case);
        detail_answer(&mut table, "prediction", case.prediction.as_ref());
        table.detail("candidate_entities", case.candidates.clone());
        table.detail("categories", categories(case));
    }
    table
}

/// Where a case is and what gold says, for programs: lines for reading glue and cut it.
fn detail_place(table: &mut Table, case: &ErrorCase) {
    table.detail("span", vec![case.span.start, case.span.end]);
    for (key, text) in
        [("mention", &case.mention), ("before", &case.before), ("after", &case.after)]
    {
        let text = Some(text.as_str()).filter(|_| case.context().is_some());
        table.detail(key, text);
    }
    detail_answer(table, "gold", case.gold.as_ref());
}

/// An entity and its name under keys of their own; null for NIL, and where there is no answer.
fn detail_answer(table: &mut Table, side: &str, answer: Option<&Answer>) {
    let entity = answer.and_then(|answer| answer.entity.clone());
    let name = answer.and_then(|answer| answer.name.clone()).filter(|_| entity.is_some());
    table.detail(&format!("{side}_entity"), entity);
    table.detail(&format!("{side}_name"), name);
}

fn categories(case: &ErrorCase) -> Vec<Value> {
    let all = case.categories.iter().filter(|category| !category.is_total());
    all.map(|category| category.name().into()).collect()
}

/// The candidates of a case; where there are more than are shown, how many more.
fn shown_candidates(case: &ErrorCase, most: Option<usize>) -> String {
    let number = most.unwrap_or(usize::MAX).min(case.candidates.len());
    let shown = case.candidates[..number].join(" ");
    match case.candidates.len() - number {
        0 => shown,
        more => format!("{shown} (+{more})"),
    }
}

/// What a case is called: its category; where that is not known, what it is a category of; or that it is
/// right.
fn name_of(case: &ErrorCase) -> &'static str {
    let total = || case.categories.iter().find(|category| category.is_total());
    match case.category() {
        Some(category) => category.name(),
        None if case.is_open => total().map_or("unknown", |total| total.name()),
        None if case.is_right => "correct",
        None => "",
    }
}

/// Gold mentions as two systems have them: the benchmark and the difference of each are given.
pub fn difference_table(
    differences: &[(&str, Difference<'_>)],
    several: bool,
    names: [&str; 2],
) -> Table {
    let places = ["group", "document", "start", "end", "context", "gold"];
    let places = columns(several.then_some("benchmark").into_iter().chain(places));
    let of_systems = names
        .iter()
        .flat_map(|name| [Column::text(*name), Column::text(format!("{name} category"))]);
    let mut table = Table::new(places.chain(of_systems));
    for (benchmark, difference) in differences {
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
        let named = several.then(|| Cell::from(*benchmark));
        table.row(named.into_iter().chain(cells).chain(answers));
        detail_place(&mut table, case);
        let both = [difference.first, difference.second].into_iter().zip(names);
        let said = both.map(|(case, system)| {
            let answer = case.prediction.as_ref();
            json!({
                "system": system,
                "prediction_entity": answer.and_then(|answer| answer.entity.as_deref()),
                "prediction_name": answer.and_then(|answer| answer.name.as_deref()),
                "candidate_entities": case.candidates,
                "categories": categories(case),
                "is_right": case.is_right,
            })
        });
        table.detail("answers", said.collect::<Vec<Value>>());
    }
    table
}

/// Suspects with their ranks: benchmark and suspects of each contest are given.
pub fn suspect_table(found: &[(&str, Vec<Suspect>)]) -> Table {
    let several = found.len() > 1;
    let names = [
        "rank",
        "document",
        "start",
        "end",
        "context",
        "gold",
        "proposed",
        "systems",
        "dissenting",
    ];
    let mut table = Table::new(columns(several.then_some("benchmark").into_iter().chain(names)));
    for (benchmark, suspects) in found {
        for (at, suspect) in suspects.iter().enumerate() {
            let named = several.then(|| Cell::from(*benchmark));
            let cells = [
                Cell::from(at + 1),
                Cell::from(suspect.document.as_str()),
                Cell::from(suspect.span.start as usize),
                Cell::from(suspect.span.end as usize),
                Cell::from(suspect.case.context()),
                Cell::from(suspect.gold.as_ref().map(ToString::to_string)),
                Cell::from(suspect.proposed.to_string()),
                Cell::from(suspect.systems.join(" ")),
                Cell::from(suspect.dissenting.join(" ")),
            ];
            table.row(named.into_iter().chain(cells));
        }
    }
    table
}

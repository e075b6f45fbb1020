//! Errors as tables.

use super::Inspection;
use super::case::{ErrorCase, MentionAnswer};
use super::diff::{CaseDifference, Group};
use super::kind::{ErrorKind, KindsOfRun};
use super::partial::PartialSpan;
use super::rates::{CategoryRate, count};
use super::suspects::VerificationTask;
use karat_facets::Finding;
use karat_kb::Identity;
use karat_measures::Convention;
use karat_model::Corpus;
use karat_report::{Cell, Column, Table};
use serde_json::{Value, json};

/// How often each error was made by each system, how often it could have been, and the share.
/// Benchmark, system and rates of each run are given.
pub(super) fn category_counts(runs: &[(&str, &str, Vec<CategoryRate>)], several: bool) -> Table {
    let benchmark = several.then(|| Column::text("benchmark"));
    let words = ["system", "family", "category"].map(Column::text);
    let numbers = ["errors", "total"].map(Column::count);
    let columns =
        benchmark.into_iter().chain(words).chain(numbers).chain([Column::number("rate", 4)]);
    let mut table = Table::new(columns);
    for (benchmark, system, rates) in runs {
        for CategoryRate { family, category, errors, total, rate, .. } in rates {
            let named = several.then(|| Cell::from(*benchmark));
            let cells = [*system, family, category].map(Cell::from);
            let numbers = [count(*errors), count(*total), Cell::from(*rate)];
            table.row(named.into_iter().chain(cells).chain(numbers));
        }
    }
    table
}

/// The columns with these names: of words, but for those that count or number something.
pub(super) fn columns<'n>(
    names: impl IntoIterator<Item = &'n str>,
) -> impl Iterator<Item = Column> {
    names.into_iter().map(|name| match name {
        "rank" | "start" | "end" | "mentions" => Column::count(name),
        _ => Column::text(name),
    })
}

/// Cases one by one: benchmark, system and case of each are given.
pub(super) fn case_list(cases: &[(&str, &str, &ErrorCase)], several: bool) -> Table {
    let names = [
        "system",
        "document",
        "start",
        "end",
        "context",
        "gold",
        "prediction",
        CANDIDATES_SHOWN,
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
            text(case.candidates.join(" ")),
            Cell::from(case.kind.map(Finding::name)),
            text(name_of(case).to_owned()),
            text(further.join(" ")),
        ];
        let beside = case.overlapping.as_ref().map(|(span, answer)| format!("{span} {answer}"));
        let beside = overlapping.then(|| Cell::from(beside));
        table.row(named.into_iter().chain(cells).chain(beside));
        detail_place(&mut table, case);
        detail_answer(&mut table, "prediction", case.prediction.as_ref());
        table.detail(CANDIDATES, case.candidates.clone());
        table.detail("categories", categories(case));
    }
    table
}

/// The column of the candidates of a case.
const CANDIDATES_SHOWN: &str = "candidates";

/// The key of all candidates of a case.
const CANDIDATES: &str = "candidate_entities";

/// How many candidates are shown where they are for reading.
const FEW: usize = 5;

/// Whether a list of cases has more candidates than people want to read.
pub(super) fn has_many_candidates(cases: &Table) -> bool {
    (0..cases.len()).any(|at| candidates(cases, at).is_some_and(|all| all.len() > FEW))
}

/// A list of cases as people read it: of many candidates the first, and how many more there are.
pub(super) fn with_few_candidates(cases: &Table) -> Table {
    let mut table = Table::new(cases.columns().iter().cloned());
    let place = cases.columns().iter().position(|column| column.name == CANDIDATES_SHOWN);
    for (at, row) in cases.rows().enumerate() {
        let mut row = row.to_vec();
        if let (Some(place), Some(all)) =
            (place, candidates(cases, at).filter(|all| all.len() > FEW))
        {
            let first: Vec<&str> = all[..FEW].iter().filter_map(Value::as_str).collect();
            row[place] = Cell::from(format!("{} (+{})", first.join(" "), all.len() - FEW));
        }
        table.row(row);
    }
    table
}

/// All candidates of the case in a row.
fn candidates(cases: &Table, at: usize) -> Option<&Vec<Value>> {
    cases.details(at)?.get(CANDIDATES)?.as_array()
}

/// Where a case is and what gold says, for programs: lines for reading glue and cut it.
fn detail_place(table: &mut Table, case: &ErrorCase) {
    table.detail("span", vec![case.span.start, case.span.end]);
    let has_text = case.context().is_some();
    for (key, text) in [("mention", case.text()), ("before", &case.before), ("after", &case.after)]
    {
        table.detail(key, Some(text).filter(|_| has_text));
    }
    detail_answer(table, "gold", case.gold.as_ref());
}

/// An entity and its name under keys of their own; null for NIL, and where there is no answer.
fn detail_answer(table: &mut Table, side: &str, answer: Option<&MentionAnswer>) {
    let entity = answer.and_then(|answer| answer.entity.clone());
    let name = answer.and_then(|answer| answer.name.clone()).filter(|_| entity.is_some());
    table.detail(&format!("{side}_entity"), entity);
    table.detail(&format!("{side}_name"), name);
}

fn categories(case: &ErrorCase) -> Vec<Value> {
    let all = case.categories.iter().filter(|category| !category.is_total());
    all.map(|category| category.name().into()).collect()
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
pub(super) fn differences(
    found: &[(&str, CaseDifference<'_>)],
    several: bool,
    names: [&str; 2],
) -> Table {
    let places = ["group", "document", "start", "end", "context", "gold"];
    let places = columns(several.then_some("benchmark").into_iter().chain(places));
    let of_systems = names
        .iter()
        .flat_map(|name| [Column::text(*name), Column::text(format!("{name} category"))]);
    let mut table = Table::new(places.chain(of_systems));
    for (benchmark, difference) in found {
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

/// Suspects with their ranks.
pub(super) fn suspects(tasks: &[VerificationTask], several: bool) -> Table {
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
    for task in tasks {
        let named = several.then(|| Cell::from(task.benchmark.as_str()));
        let cells = [
            Cell::from(task.rank),
            Cell::from(task.document.as_str()),
            Cell::from(task.start as usize),
            Cell::from(task.end as usize),
            Cell::from(task.context.clone()),
            Cell::from(task.gold.as_ref().map(ToString::to_string)),
            Cell::from(task.proposed.to_string()),
            Cell::from(task.systems.join(" ")),
            Cell::from(task.dissenting.join(" ")),
        ];
        table.row(named.into_iter().chain(cells));
    }
    table
}

/// Pairs one by one: benchmark, system and pair of each are given.
pub(super) fn partial_spans(pairs: &[(&str, &str, &PartialSpan)], several: bool) -> Table {
    let benchmark = several.then(|| Column::text("benchmark"));
    let columns = [
        Column::text("system"),
        Column::text("document"),
        Column::count("start"),
        Column::count("end"),
        Column::text("mention"),
        Column::count("predicted start"),
        Column::count("predicted end"),
        Column::text("predicted mention"),
        Column::text("link"),
    ];
    let mut table = Table::new(benchmark.into_iter().chain(columns));
    for (benchmark, system, pair) in pairs {
        let named = several.then(|| Cell::from(*benchmark));
        let cells = [
            Cell::from(*system),
            Cell::from(pair.document.as_str()),
            Cell::from(pair.gold.start as usize),
            Cell::from(pair.gold.end as usize),
            Cell::from(pair.gold_mention.clone()),
            Cell::from(pair.prediction.start as usize),
            Cell::from(pair.prediction.end as usize),
            Cell::from(pair.predicted_mention.clone()),
            Cell::from(pair.link.as_str()),
        ];
        table.row(named.into_iter().chain(cells));
    }
    table
}

/// How many mentions of each kind every run has.
pub(super) fn kind_counts(runs: &[KindsOfRun], several: bool) -> Table {
    let benchmark = several.then(|| Column::text("benchmark"));
    let kinds = ErrorKind::all().map(|kind| Column::count(kind.name()));
    let mut table = Table::new(benchmark.into_iter().chain([Column::text("system")]).chain(kinds));
    for run in runs {
        let count = |kind: ErrorKind| Cell::from(run.counts.of(kind));
        let named = several.then(|| Cell::from(run.benchmark.as_str()));
        let cells = named.into_iter().chain([Cell::from(run.system.as_str())]);
        table.row(cells.chain(ErrorKind::all().map(count)));
    }
    table
}

/// Mentions of kinds one by one, with what both sides say.
pub(super) fn kind_list(runs: &[KindsOfRun], several: bool) -> Table {
    let names = ["system", "document", "start", "end", "mention", "error", "gold", "prediction"];
    let mut table = Table::new(columns(several.then_some("benchmark").into_iter().chain(names)));
    for run in runs {
        for case in &run.listed {
            let answer = |answer: &Option<MentionAnswer>| {
                Cell::from(answer.as_ref().map(ToString::to_string))
            };
            let named = several.then(|| Cell::from(run.benchmark.as_str()));
            let cells = [
                Cell::from(run.system.as_str()),
                Cell::from(case.document.as_str()),
                Cell::from(case.span.start as usize),
                Cell::from(case.span.end as usize),
                Cell::from(case.mention.clone()),
                Cell::from(case.kind.map(Finding::name)),
                answer(&case.gold),
                answer(&case.prediction),
            ];
            table.row(named.into_iter().chain(cells));
            table.detail("span", vec![case.span.start, case.span.end]);
            for (key, answer) in
                [("gold_entity", &case.gold), ("prediction_entity", &case.prediction)]
            {
                let entity = answer.as_ref().and_then(|answer| answer.entity.clone());
                table.detail(key, entity);
            }
        }
    }
    table
}

/// How often each finding occurs in the outputs of systems, under karat's own convention. Gold and outputs are in
/// memory.
pub fn finding_table(gold: &Corpus, systems: &[(&str, Corpus)]) -> Table {
    let (convention, identity) = (Convention::default(), Identity::new());
    let inspection = Inspection::new(&convention, &identity);
    let findings = Finding::ALL.map(|finding| Column::count(finding.name()));
    let mut table = Table::new([Column::text("system")].into_iter().chain(findings));
    for (name, output) in systems {
        let counts = inspection.kind_counts(gold, output, false);
        let count = |finding| Cell::from(counts.of(ErrorKind::of(finding)));
        table.row([Cell::from(*name)].into_iter().chain(Finding::ALL.map(count)));
    }
    table
}

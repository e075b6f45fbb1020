//! Boards as tables.

use super::{Board, SystemScores};
use karat_measures::{Average, Result as Scored, Wanted};
use karat_report::{Cell, Column, Table};

/// How many decimals scores get in a table.
const DECIMALS: usize = 3;

/// All boards in one table: a row for each system and measure, or, if only single
/// scores are asked for, a row for each system.
pub fn boards(boards: &[Board]) -> Table {
    let Some(first) = boards.first() else { return Table::default() };
    let single = first.selection.wanted.iter().all(|wanted| wanted.score.is_some());
    if single { compact(boards) } else { long(boards) }
}

/// The slices of all boards: a row for each facet, label, system and measure.
pub fn slices(boards: &[Board]) -> Table {
    let mut table = Table::new(headings(boards, &["facet", "label"]));
    for board in boards {
        for system in &board.systems {
            for slice in &system.evaluation.slices {
                for wanted in &board.selection.wanted {
                    let labels = [slice.facet.as_str().into(), slice.label.as_str().into()];
                    let result = &slice.results[wanted.measure];
                    table.row(row(boards, board, system, &labels, wanted, result, None));
                }
            }
        }
    }
    table
}

fn long(boards: &[Board]) -> Table {
    let mut table = Table::new(headings(boards, &[]));
    for board in boards {
        for system in &board.systems {
            for wanted in &board.selection.wanted {
                let result = &system.evaluation.results[wanted.measure];
                let interval = interval(system, wanted, result);
                table.row(row(boards, board, system, &[], wanted, result, interval));
            }
        }
    }
    table
}

fn headings(boards: &[Board], labels: &[&str]) -> Vec<Column> {
    let mut columns = Vec::new();
    if boards.len() > 1 {
        columns.push(Column::text("benchmark"));
    }
    columns.push(Column::text("system"));
    columns.extend(labels.iter().map(|label| Column::text(*label)));
    columns.push(Column::text("measure"));
    columns.extend(["tp", "fp", "fn"].map(Column::count));
    columns.extend(["P", "R", "F1"].map(|name| Column::number(name, DECIMALS)));
    columns.push(Column::text("95%"));
    columns.push(Column::text("oracle threshold"));
    columns.push(Column::text("other"));
    let with =
        |has: &dyn Fn(&SystemScores) -> bool| boards.iter().flat_map(|b| &b.systems).any(has);
    if !labels.is_empty() || !with(&|system| system.intervals.iter().any(|found| !found.is_empty()))
    {
        columns.retain(|column| column.name != "95%");
    }
    let oracle = |result: &Scored| result.threshold.is_some();
    if !with(&|system| system.evaluation.results.iter().any(oracle)) {
        columns.retain(|column| column.name != "oracle threshold");
    }
    let other = |result: &Scored| result.micro.get("f1").is_none();
    if !with(&|system| system.evaluation.results.iter().any(other)) {
        columns.retain(|column| column.name != "other");
    }
    columns
}

fn row(
    boards: &[Board],
    board: &Board,
    system: &SystemScores,
    labels: &[Cell],
    wanted: &Wanted,
    result: &Scored,
    interval: Option<String>,
) -> Vec<Cell> {
    let columns = headings(boards, if labels.is_empty() { &[] } else { &["facet", "label"] });
    let scores = match (wanted.average, &result.macro_) {
        (Average::Macro, Some(means)) => &means.scores,
        _ => &result.micro,
    };
    let suffix = if wanted.average == Average::Macro { "@macro" } else { "" };
    let name = format!("{}{suffix}", board.selection.measures[wanted.measure].name);
    let cell = |column: &Column| -> Cell {
        match column.name.as_str() {
            "benchmark" => board.benchmark.as_str().into(),
            "system" => system.name.as_str().into(),
            "facet" => labels[0].clone(),
            "label" => labels[1].clone(),
            "measure" => name.as_str().into(),
            "tp" => count(result, "ptp"),
            name @ ("fp" | "fn") => count(result, name),
            "P" => scores.get("precision").flatten().into(),
            "R" => scores.get("recall").flatten().into(),
            "F1" => scores.get("f1").flatten().into(),
            "95%" => interval.clone().into(),
            "oracle threshold" => result.threshold.map(|threshold| threshold.to_string()).into(),
            _ if scores.get("f1").is_none() => others(result, scores).into(),
            _ => Cell::Missing,
        }
    };
    columns.iter().map(cell).collect()
}

fn count(result: &Scored, name: &str) -> Cell {
    let at = result.columns.iter().position(|column| *column == name);
    match at.and_then(|at| result.counts.get(at)) {
        Some(&count) if count.fract() == 0.0 => Cell::Count(count as u64),
        Some(&count) => Cell::Text(format!("{count:.3}")),
        None => Cell::Missing,
    }
}

/// What a measure says that has no precision and recall.
fn others(result: &Scored, scores: &karat_measures::Scores) -> String {
    let scores = scores.iter().map(|(name, value)| match value {
        Some(value) => format!("{name} {value:.3}"),
        None => format!("{name} –"),
    });
    let counts = result.columns.iter().zip(&result.counts);
    let counts = counts.map(|(name, count)| format!("{name} {count}"));
    scores.chain(counts).collect::<Vec<_>>().join(", ")
}

fn interval(system: &SystemScores, wanted: &Wanted, result: &Scored) -> Option<String> {
    if wanted.average == Average::Macro {
        return None;
    }
    let name = if result.micro.get("f1").is_some() { "f1" } else { result.micro.names().next()? };
    let found = system.intervals.get(wanted.measure)?.get(name)?;
    Some(format!("{:.3}–{:.3}", found.low, found.high))
}

/// One row for each system, one column for each score.
fn compact(boards: &[Board]) -> Table {
    let several = boards.len() > 1;
    let mut columns = Vec::new();
    if several {
        columns.push(Column::text("benchmark"));
    }
    columns.push(Column::text("system"));
    let selection = &boards[0].selection;
    for wanted in &selection.wanted {
        let measure = &selection.measures[wanted.measure].name;
        let score = wanted.score.as_deref().unwrap_or_default();
        let suffix = if wanted.average == Average::Macro { "@macro" } else { "" };
        columns.push(Column::number(format!("{measure}.{score}{suffix}"), DECIMALS));
    }
    let mut table = Table::new(columns);
    for board in boards {
        for system in &board.systems {
            let mut cells: Vec<Cell> = Vec::new();
            if several {
                cells.push(board.benchmark.as_str().into());
            }
            cells.push(system.name.as_str().into());
            for wanted in &board.selection.wanted {
                cells.push(system.evaluation.results[wanted.measure].wanted(wanted).into());
            }
            table.row(cells);
        }
    }
    table
}

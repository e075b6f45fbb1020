//! What scores go with: their correlation with what benchmarks are made of.

use super::answer::BoardAnswer;
use crate::collection::{CollectionStatsAnswer, StatisticsCell, StatisticsRow};
use karat_report::{Cell, Column, Table};
use karat_stats::pearson;

/// With fewer benchmarks nearly everything seems to go together. GERBIL asks for as many.
pub const FEWEST_BENCHMARKS: usize = 6;

/// Pearson's correlation, over benchmarks, of the score of each system with each feature of benchmarks: a row for each
/// feature, a column for each system. `features` are of the benchmarks of the board, in their order. A benchmark on
/// which a system has no score is left out for that system; `None` with fewer than [`FEWEST_BENCHMARKS`].
pub fn correlations(board: &BoardAnswer, features: &CollectionStatsAnswer) -> Option<Table> {
    if board.benchmarks.len() < FEWEST_BENCHMARKS {
        return None;
    }
    let systems = board.rows.iter().map(|row| Column::number(&row.system, 2));
    let columns = std::iter::once(Column::text("feature")).chain(systems);
    let mut table = Table::new(columns.collect::<Vec<_>>());
    // Labels of tags and words are too many, and too rare in most benchmarks.
    let is_feature = |row: &&StatisticsRow| ["figure", "type"].contains(&row.property.as_str());
    let groups = features.groups();
    for feature in groups.iter().flat_map(|group| &group.rows).filter(is_feature) {
        let values: Vec<Option<f64>> =
            feature.cells.iter().map(|cell| cell.and_then(amount)).collect();
        let of_system = |scores: Vec<Option<f64>>| {
            let pairs = values.iter().zip(scores).filter_map(|(value, score)| (*value).zip(score));
            let pairs: Vec<(f64, f64)> = pairs.collect();
            (pairs.len() >= FEWEST_BENCHMARKS).then(|| pearson(&pairs)).flatten()
        };
        let found: Vec<Option<f64>> = board
            .rows
            .iter()
            .map(|row| of_system(row.cells.iter().map(|cell| cell.value).collect()))
            .collect();
        // What is the same in all benchmarks goes with nothing.
        if found.iter().all(Option::is_none) {
            continue;
        }
        let name = match feature.property.as_str() {
            "figure" => feature.label.clone(),
            property => format!("share of {property} {}", feature.label),
        };
        let cells = found.into_iter().map(|r| r.map_or(Cell::Missing, Cell::from));
        table.row(std::iter::once(Cell::from(name)).chain(cells).collect::<Vec<_>>());
    }
    Some(table)
}

/// A share where there is one: benchmarks differ in size.
fn amount(cell: StatisticsCell) -> Option<f64> {
    match cell {
        StatisticsCell::Number(number) => Some(number),
        StatisticsCell::Count { of: Some(_), .. } => cell.share(),
        StatisticsCell::Count { count, of: None } => Some(count as f64),
    }
}

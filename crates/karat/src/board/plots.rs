//! Boards as plots.

use super::answer::BoardAnswer;
use karat_report::plot::{Axis, Forest, ForestRow, HeatMap, Radar, RadarSeries};

/// The scores that are shown with their intervals and the letters of their groups, by benchmark.
pub fn forest(board: &BoardAnswer) -> Forest {
    let several = board.benchmarks.len() > 1;
    let mut rows = Vec::new();
    for (place, benchmark) in board.benchmarks.iter().enumerate() {
        for row in &board.rows {
            let Some(cell) = row.cells.get(place) else { continue };
            let Some(estimate) = cell.value else { continue };
            let [low, high] = cell.ci.unwrap_or([f64::NAN; 2]);
            rows.push(ForestRow {
                label: row.system.clone(),
                estimate,
                low,
                high,
                note: Some(cell.letters.clone()).filter(|letters| !letters.is_empty()),
                group: several.then(|| benchmark.name.clone()),
                link: None,
            });
        }
    }
    let level = board.level.unwrap_or(0.0);
    Forest {
        title: format!("{} {} with {level}% intervals", board.measure, board.score_title()),
        x: Axis::new(format!("{} {}", board.measure, board.score_title())),
        rows,
        decimals: Some(3),
        ..Forest::default()
    }
}

/// The scores that are shown, systems by benchmarks; what is missing is hatched.
pub fn heat_map(board: &BoardAnswer) -> HeatMap {
    let values = |row: &super::BoardRow| row.cells.iter().map(|cell| cell.value).collect();
    HeatMap {
        title: format!("{} {}", board.measure, board.score_title()),
        label: board.score_title(),
        rows: board.rows.iter().map(|row| row.system.clone()).collect(),
        columns: board.benchmarks.iter().map(|column| column.name.clone()).collect(),
        values: board.rows.iter().map(values).collect(),
        decimals: Some(3),
        ..HeatMap::default()
    }
}

/// The scores that are shown around a circle, an axis for each benchmark; `None` unless there are three to eight.
pub fn radar(board: &BoardAnswer) -> Option<Radar> {
    if !(3..=8).contains(&board.benchmarks.len()) {
        return None;
    }
    let series = board.rows.iter().map(|row| RadarSeries {
        name: row.system.clone(),
        values: row.cells.iter().map(|cell| cell.value).collect(),
        links: Vec::new(),
    });
    Some(Radar {
        title: format!("{} {}", board.measure, board.score_title()),
        axes: board.benchmarks.iter().map(|column| column.name.clone()).collect(),
        series: series.collect(),
    })
}

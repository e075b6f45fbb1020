//! Boards as plots.

use super::answer::BoardAnswer;
use karat_report::plot::{Axis, Forest, ForestRow, HeatMap, LinePlot, Radar, RadarSeries, Series};

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

/// A run on a board, and when it was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DatedRun {
    /// The run, as the board calls it.
    pub system: String,
    /// The benchmark.
    pub benchmark: String,
    /// When it was made, in milliseconds since 1970.
    pub at: i64,
}

/// The scores of runs over time with their intervals, a line for each benchmark that has several; nothing where none
/// has. Time is counted in days since the first of the runs.
pub fn over_time(board: &BoardAnswer, runs: &[DatedRun]) -> Option<LinePlot> {
    const DAY: f64 = 24.0 * 3600.0 * 1000.0;
    let first = runs.iter().map(|run| run.at).min()?;
    let mut series: Vec<Series> = Vec::new();
    for column in &board.benchmarks {
        let mut of_benchmark: Vec<&DatedRun> =
            runs.iter().filter(|run| run.benchmark == column.name).collect();
        of_benchmark.sort_by_key(|run| run.at);
        let cells = of_benchmark.iter().filter_map(|run| {
            let cell = board.cell(&run.system, &run.benchmark)?;
            // A run without a score breaks the line.
            let value = cell.value.unwrap_or(f64::NAN);
            let [low, high] = cell.ci.unwrap_or([value; 2]);
            Some(((((run.at - first) as f64) / DAY, value), (low, high)))
        });
        let (points, band): (Vec<_>, Vec<_>) = cells.unzip();
        if points.len() > 1 {
            let name = column.name.clone();
            series.push(Series { name, points, band: Some(band), ..Series::default() });
        }
    }
    (!series.is_empty()).then(|| LinePlot {
        title: format!("{} {} over time", board.measure, board.score_title()),
        x: Axis::new("days since the first run"),
        y: Axis::new(board.score_title()),
        series,
        ..LinePlot::default()
    })
}

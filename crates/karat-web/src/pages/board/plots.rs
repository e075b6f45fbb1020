//! Plots of a board, with marks that lead to what is behind them.

use super::{MEASURE, number};
use crate::page::{Asked, convention_text};
use karat::board::{BoardAnswer, forest, heat_map, radar};
use karat::report::plot::{Forest, HeatMap, Radar};

/// Where the number of a system on a benchmark is explained.
fn number_of(asked: &Asked<'_>, system: &str, benchmark: &str) -> Option<String> {
    let benchmark = asked.catalogue.benchmarks.iter().find(|it| it.name == benchmark)?;
    let run = asked.catalogue.runs_on(&benchmark.slug).find(|run| run.system == system)?;
    let convention = convention_text(&asked.convention().ok()?);
    let measure = asked.get(MEASURE).unwrap_or("link");
    asked.links.href(&number::address(&run.id, measure, &convention))
}

/// The plot with intervals; each mark leads to its number.
pub(super) fn linked_forest(asked: &Asked<'_>, board: &BoardAnswer) -> Forest {
    let mut forest = forest(board);
    let only = board.benchmarks.first().map(|it| it.name.as_str()).unwrap_or_default();
    for row in &mut forest.rows {
        row.link = number_of(asked, &row.label, row.group.as_deref().unwrap_or(only));
    }
    forest
}

/// The heat map; each cell leads to its number.
pub(super) fn linked_heat_map(asked: &Asked<'_>, board: &BoardAnswer) -> HeatMap {
    let mut map = heat_map(board);
    let links = |row: &String| {
        map.columns.iter().map(|column| number_of(asked, row, column)).collect::<Vec<_>>()
    };
    map.links = map.rows.iter().map(links).collect();
    map
}

/// The radar; each mark leads to its number.
pub(super) fn linked_radar(asked: &Asked<'_>, board: &BoardAnswer) -> Option<Radar> {
    let mut radar = radar(board)?;
    for series in &mut radar.series {
        let links = radar.axes.iter().map(|axis| number_of(asked, &series.name, axis));
        series.links = links.collect();
    }
    Some(radar)
}

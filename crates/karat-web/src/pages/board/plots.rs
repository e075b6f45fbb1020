//! Plots of a board, with marks that lead to what is behind them.

use super::{MEASURE, number};
use crate::components::table::table;
use crate::components::wording::score_words;
use crate::page::{Asked, convention_text};
use crate::pages::benchmark::statistics_of;
use karat::board::{BoardAnswer, FEWEST_BENCHMARKS, correlations, forest, heat_map, radar};
use karat::report::plot::{Forest, HeatMap, Radar};
use maud::{Markup, html};

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

/// How scores go with what benchmarks are made of, where there are enough of them. What they are made of is a part of
/// gold, so that all of it must be one that may be seen.
pub(super) fn features(asked: &Asked<'_>, board: &BoardAnswer) -> Markup {
    let all = &asked.catalogue.benchmarks;
    let named = board.benchmarks.iter().filter_map(|it| all.iter().find(|all| all.name == it.name));
    let shown: Vec<_> = named.filter(|it| it.shows_gold_to(&asked.visitor)).collect();
    let found = match shown.len() == board.benchmarks.len() && shown.len() >= FEWEST_BENCHMARKS {
        true => statistics_of(asked, &shown).ok().and_then(|found| correlations(board, &found)),
        false => None,
    };
    let caption = format!(
        "Pearson's correlation of {} with features of the {} benchmarks",
        score_words(&format!("{}.{}", board.measure, board.score)),
        shown.len()
    );
    html! {
        @match found {
            Some(found) => {
                (table(&caption, &found))
                p.legend {
                    "A correlation says that scores and a feature go together, not why. With few benchmarks large values come
                    by chance: of features that have nothing to do with scores, one in twenty is beyond ±.81 with 6
                    benchmarks, and beyond ±.63 with 10."
                }
            },
            None => p { "Features are compared with scores on six and more benchmarks whose gold may be seen." },
        }
    }
}

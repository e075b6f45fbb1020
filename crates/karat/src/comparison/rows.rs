//! Comparisons as rows for programs: one value in each column, with all its digits.

use super::tables::letter;
use super::{Comparison, Pair, ScoreComparison};
use karat_report::{Cell, Column, Table};
use karat_stats::Interval;

/// A row for each score and system, the best first.
pub fn standings(comparisons: &[Comparison]) -> Table {
    let mut table = Table::new([
        Column::text("benchmark"),
        Column::text("score"),
        Column::text("letter"),
        Column::text("system"),
        Column::exact("value"),
        Column::exact("low"),
        Column::exact("high"),
        Column::count("rank"),
        Column::count("rank_low"),
        Column::count("rank_high"),
        Column::exact("first"),
        Column::text("better_than"),
        Column::text("group"),
        Column::text("facet"),
        Column::text("label"),
    ]);
    for comparison in comparisons {
        for score in &comparison.scores {
            for at in score.by_score() {
                table.row(system_cells(comparison, score, at));
            }
        }
    }
    table
}

fn system_cells(comparison: &Comparison, score: &ScoreComparison, at: usize) -> [Cell; 15] {
    let standing = &score.systems[at];
    let [low, high] = ends(standing.interval);
    let ranks = standing.ranks;
    let rank_end = |end: usize| Cell::from(ranks.and_then(|ranks| Some(ranks.interval?[end])));
    let beats: Vec<String> = standing.beats.iter().map(|&other| letter(other)).collect();
    [
        comparison.benchmark.as_str().into(),
        score.name.as_str().into(),
        letter(at).into(),
        comparison.systems[at].name.as_str().into(),
        standing.score.into(),
        low,
        high,
        ranks.map(|ranks| ranks.rank).into(),
        rank_end(0),
        rank_end(1),
        ranks.and_then(|ranks| ranks.first).into(),
        beats.join(" ").into(),
        super::tables::groups(&score.groups, at).into(),
        facet(score),
        label(score),
    ]
}

/// A row for each score and pair of systems.
pub fn pairs(comparisons: &[Comparison]) -> Table {
    let mut table = Table::new([
        Column::text("benchmark"),
        Column::text("score"),
        Column::text("first"),
        Column::text("second"),
        Column::exact("difference"),
        Column::exact("low"),
        Column::exact("high"),
        Column::exact("p"),
        Column::exact("p_adjusted"),
        Column::text("significant"),
        Column::exact("detectable"),
        Column::exact("h"),
        Column::count("wins"),
        Column::count("ties"),
        Column::count("losses"),
        Column::count("first_only"),
        Column::count("second_only"),
        Column::exact("mcnemar_p"),
        Column::text("facet"),
        Column::text("label"),
    ]);
    for comparison in comparisons {
        for score in &comparison.scores {
            for pair in &score.pairs {
                table.row(pair_cells(comparison, score, pair));
            }
        }
    }
    table
}

fn pair_cells(comparison: &Comparison, score: &ScoreComparison, pair: &Pair) -> [Cell; 20] {
    let name = |at: usize| Cell::from(comparison.systems[at].name.as_str());
    let drawn = pair.difference.and_then(|found| found.drawn);
    let [low, high] = ends(drawn.and_then(|found| found.interval));
    let mentions = pair.mentions.map(|mentions| mentions.exact);
    [
        comparison.benchmark.as_str().into(),
        score.name.as_str().into(),
        name(pair.first),
        name(pair.second),
        pair.difference.map(|found| found.value).into(),
        low,
        high,
        pair.p.into(),
        pair.adjusted.into(),
        if pair.is_significant { "yes" } else { "no" }.into(),
        pair.detectable.into(),
        pair.cohens_h.into(),
        Cell::Count(pair.documents.wins),
        Cell::Count(pair.documents.ties),
        Cell::Count(pair.documents.losses),
        mentions.map_or(Cell::Missing, |found| Cell::Count(found.first_only)),
        mentions.map_or(Cell::Missing, |found| Cell::Count(found.second_only)),
        mentions.map(|found| found.two_sided()).into(),
        facet(score),
        label(score),
    ]
}

fn facet(score: &ScoreComparison) -> Cell {
    score.part.as_ref().map(|part| part.facet.clone()).into()
}

fn label(score: &ScoreComparison) -> Cell {
    score.part.as_ref().map(|part| part.label.clone()).into()
}

fn ends(interval: Option<Interval>) -> [Cell; 2] {
    [interval.map(|found| found.low).into(), interval.map(|found| found.high).into()]
}

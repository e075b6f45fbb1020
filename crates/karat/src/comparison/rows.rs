//! Comparisons as rows for programs: one value in each column, with all its digits.

use super::answer::{
    BenchmarkComparison, ComparisonAnswer, PairRecord, ScoreRecord, StandingRecord,
};
use super::tables::{groups, letter, letters, scores};
use karat_report::{Cell, Column, Table};

/// A row for each score and system, the best first.
pub fn standings(answer: &ComparisonAnswer) -> Table {
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
    for (benchmark, score) in scores(answer) {
        for (at, standing) in score.by_score() {
            table.row(system_cells(benchmark, score, at, standing));
        }
    }
    table
}

fn system_cells(
    benchmark: &BenchmarkComparison,
    score: &ScoreRecord,
    at: usize,
    standing: &StandingRecord,
) -> [Cell; 15] {
    let [low, high] = ends(standing.ci);
    let rank_end = |end: usize| Cell::from(standing.rank_ci.map(|ends| ends[end]));
    [
        benchmark.name.as_str().into(),
        score.name.as_str().into(),
        letter(at).into(),
        standing.name.as_str().into(),
        standing.score.into(),
        low,
        high,
        standing.rank.into(),
        rank_end(0),
        rank_end(1),
        standing.first.into(),
        letters(score, &standing.beats).join(" ").into(),
        groups(&score.groups, &standing.name).into(),
        score.facet.clone().into(),
        score.label.clone().into(),
    ]
}

/// A row for each score and pair of systems.
pub fn pairs(answer: &ComparisonAnswer) -> Table {
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
    for (benchmark, score) in scores(answer) {
        for pair in &score.pairs {
            table.row(pair_cells(benchmark, score, pair));
        }
    }
    table
}

fn pair_cells(
    benchmark: &BenchmarkComparison,
    score: &ScoreRecord,
    pair: &PairRecord,
) -> [Cell; 20] {
    let [low, high] = ends(pair.ci);
    [
        benchmark.name.as_str().into(),
        score.name.as_str().into(),
        pair.first.as_str().into(),
        pair.second.as_str().into(),
        pair.difference.into(),
        low,
        high,
        pair.p.into(),
        pair.p_adjusted.into(),
        if pair.significant { "yes" } else { "no" }.into(),
        pair.detectable.into(),
        pair.cohens_h.into(),
        Cell::Count(pair.documents.wins),
        Cell::Count(pair.documents.ties),
        Cell::Count(pair.documents.losses),
        pair.mentions.map_or(Cell::Missing, |found| Cell::Count(found.first_only)),
        pair.mentions.map_or(Cell::Missing, |found| Cell::Count(found.second_only)),
        pair.mentions.map(|found| found.p).into(),
        score.facet.clone().into(),
        score.label.clone().into(),
    ]
}

fn ends(interval: Option<[f64; 2]>) -> [Cell; 2] {
    [interval.map(|[low, _]| low).into(), interval.map(|[_, high]| high).into()]
}

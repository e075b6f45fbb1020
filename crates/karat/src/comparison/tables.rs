//! Comparisons as tables.

use super::{Across, Comparison, NotRanked, Pair, Part, ScoreComparison, Standing};
use karat_measures::Sides;
use karat_report::{Cell, Column, Table};
use karat_stats::Interval;

/// How many decimals scores get in a table.
const DECIMALS: usize = 3;

/// The table of a paper: a row for each system, and for each score the value, marked with the
/// letters of the systems it is significantly better than, its interval and its rank. Parts of
/// the corpus follow the whole.
pub fn paper(comparison: &Comparison) -> Table {
    let by_part: Vec<&[ScoreComparison]> =
        comparison.scores.chunk_by(|a, b| a.part == b.part).collect();
    let has_parts = by_part.len() > 1;
    let part = has_parts.then(|| Column::text("part"));
    let mut columns: Vec<Column> =
        part.into_iter().chain([Column::text(""), Column::text("system")]).collect();
    for score in by_part.first().copied().unwrap_or_default() {
        columns.push(Column::number(score.name.clone(), DECIMALS));
        columns.push(Column::text(level(comparison)));
        columns.push(Column::text("rank"));
    }
    let mut table = Table::new(columns);
    for scores in by_part {
        for (at, system) in comparison.systems.iter().enumerate() {
            let part = scores.first().and_then(|score| score.part.as_ref());
            let part = part.map_or("all".to_owned(), Part::to_string);
            let mut cells: Vec<Cell> = has_parts.then(|| part.into()).into_iter().collect();
            cells.extend([letter(at).into(), system.name.as_str().into()]);
            cells.extend(scores.iter().flat_map(|score| paper_cells(&score.systems[at])));
            table.row(cells);
        }
    }
    table
}

fn paper_cells(standing: &Standing) -> [Cell; 3] {
    let marks: Vec<String> = standing.beats.iter().map(|&other| letter(other)).collect();
    let score = match standing.score {
        Some(number) if !marks.is_empty() => Cell::Marked { number, marks: marks.join(",") },
        score => score.into(),
    };
    [score, standing.interval.map(interval).into(), ranks(standing)]
}

/// A row for each score and system, the best first.
pub fn standings(comparisons: &[Comparison]) -> Table {
    let several = comparisons.len() > 1;
    let benchmark = several.then(|| Column::text("benchmark"));
    let level = comparisons.first().map_or(String::new(), level);
    let columns = [
        Column::text("score"),
        Column::text(""),
        Column::text("system"),
        Column::number("value", DECIMALS),
        Column::text(level),
        Column::text("rank"),
        Column::number("first", 2),
        Column::text("better than"),
        Column::text("group"),
    ];
    let mut table = Table::new(benchmark.into_iter().chain(columns));
    for comparison in comparisons {
        for score in &comparison.scores {
            for at in score.by_score() {
                let standing = &score.systems[at];
                let beats: Vec<String> =
                    standing.beats.iter().map(|&other| letter(other)).collect();
                let benchmark = several.then(|| Cell::from(comparison.benchmark.as_str()));
                let cells = [
                    score.title().into(),
                    letter(at).into(),
                    comparison.systems[at].name.as_str().into(),
                    standing.score.into(),
                    standing.interval.map(interval).into(),
                    ranks(standing),
                    standing.ranks.and_then(|ranks| ranks.first).into(),
                    (!beats.is_empty()).then(|| beats.join(" ")).into(),
                    groups(&score.groups, at).into(),
                ];
                table.row(benchmark.into_iter().chain(cells));
            }
        }
    }
    table
}

/// A row for each score and pair of systems.
pub fn pairs(comparisons: &[Comparison]) -> Table {
    let several = comparisons.len() > 1;
    let first = comparisons.first();
    let correction = first.map_or(String::new(), correction);
    let benchmark = several.then(|| Column::text("benchmark"));
    let columns = [
        Column::text("score"),
        Column::text("first"),
        Column::text("second"),
        Column::number("difference", DECIMALS),
        Column::text(first.map_or(String::new(), level)),
        Column::probability("p", 4),
        Column::probability(format!("p ({correction})"), 4),
        Column::number("detectable", DECIMALS),
        Column::number("h", 2),
        Column::text("documents"),
        Column::text("mentions"),
        Column::probability("McNemar p", 4),
    ];
    let mut table = Table::new(benchmark.into_iter().chain(columns));
    for comparison in comparisons {
        for score in &comparison.scores {
            for pair in &score.pairs {
                let benchmark = several.then(|| Cell::from(comparison.benchmark.as_str()));
                table.row(benchmark.into_iter().chain(pair_cells(comparison, score, pair)));
            }
        }
    }
    table
}

fn pair_cells(comparison: &Comparison, score: &ScoreComparison, pair: &Pair) -> [Cell; 12] {
    let name = |at: usize| Cell::from(comparison.systems[at].name.as_str());
    let outcomes = pair.documents;
    let mentions = pair.mentions.map(|mentions| mentions.exact);
    let drawn = pair.difference.and_then(|found| found.drawn);
    [
        score.title().into(),
        name(pair.first),
        name(pair.second),
        pair.difference.map(|found| found.value).into(),
        drawn.and_then(|found| found.interval).map(in_brackets).into(),
        pair.p.into(),
        pair.adjusted.into(),
        pair.detectable.into(),
        pair.cohens_h.into(),
        format!("{}+ {}= {}-", outcomes.wins, outcomes.ties, outcomes.losses).into(),
        mentions.map(|found| format!("{}+ {}-", found.first_only, found.second_only)).into(),
        mentions.map(|found| found.two_sided()).into(),
    ]
}

/// A row for each score and system with its average rank over benchmarks or documents.
pub fn across(across: &[Result<Across, NotRanked>]) -> Table {
    let mut table = Table::new([
        Column::text("score"),
        Column::text("over"),
        Column::text("system"),
        Column::number("average rank", 2),
        Column::text("group"),
        Column::number("critical difference", 2),
        Column::probability("Friedman p", 4),
    ]);
    for across in across.iter().flatten() {
        let over = format!("{} {}", across.friedman.benchmarks, across.blocks.name());
        let ranks = &across.friedman.average_ranks;
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
        for at in order {
            table.row([
                across.title().into(),
                over.as_str().into(),
                across.systems[at].as_str().into(),
                ranks[at].into(),
                groups(&across.groups, at).into(),
                across.critical_difference.into(),
                across.friedman.p.into(),
            ]);
        }
    }
    table
}

/// The numbers of the groups that a system belongs to, from 1 for the best.
pub(super) fn groups(groups: &[Vec<usize>], system: usize) -> String {
    let of_system = groups.iter().enumerate().filter(|(_, group)| group.contains(&system));
    let numbers: Vec<String> = of_system.map(|(at, _)| (at + 1).to_string()).collect();
    numbers.join(" ")
}

/// How p-values are corrected; where they are one-sided, that these are not.
fn correction(comparison: &Comparison) -> String {
    let correction = comparison.comparing.correction;
    match comparison.comparing.scoring.convention.sides {
        Sides::One => format!("two-sided, {correction}"),
        Sides::Two => correction.to_string(),
    }
}

fn level(comparison: &Comparison) -> String {
    format!("{}%", comparison.comparing.bootstrap.level)
}

/// The letter that stands for a system: a, b, ..., z, aa, ab, ...
pub fn letter(system: usize) -> String {
    let last = char::from(b'a' + (system % 26) as u8);
    match system / 26 {
        0 => last.to_string(),
        before => format!("{}{last}", letter(before - 1)),
    }
}

fn interval(found: Interval) -> String {
    format!("{:.DECIMALS$}–{:.DECIMALS$}", found.low, found.high)
}

/// Ends that may be negative need more than a dash between them.
fn in_brackets(found: Interval) -> String {
    format!("[{:.DECIMALS$}, {:.DECIMALS$}]", found.low, found.high)
}

/// The rank, and where it may lie if it is not certain.
fn ranks(standing: &Standing) -> Cell {
    let shown = standing.ranks.map(|ranks| match ranks.interval {
        Some([low, high]) if low < high => format!("{} ({low}–{high})", ranks.rank),
        _ => ranks.rank.to_string(),
    });
    shown.into()
}

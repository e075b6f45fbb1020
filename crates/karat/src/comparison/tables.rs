//! Comparisons as tables.

use super::answer::{
    BenchmarkComparison, ComparisonAnswer, PairRecord, ScoreRecord, StandingRecord,
};
use karat_report::{Cell, Column, Table};

/// How many decimals scores get in a table.
const DECIMALS: usize = 3;

/// The table of a paper: a row for each system, and for each score the value, marked with the
/// letters of the systems it is significantly better than, its interval and its rank. Parts of
/// the corpus follow the whole.
pub fn paper(answer: &ComparisonAnswer, benchmark: &BenchmarkComparison) -> Table {
    let by_part: Vec<&[ScoreRecord]> =
        benchmark.scores.chunk_by(|a, b| (&a.facet, &a.labels) == (&b.facet, &b.labels)).collect();
    let has_parts = by_part.len() > 1;
    let part = has_parts.then(|| Column::text("part"));
    let mut columns: Vec<Column> =
        part.into_iter().chain([Column::text(""), Column::text("system")]).collect();
    for score in by_part.first().copied().unwrap_or_default() {
        columns.push(Column::number(score.name.clone(), DECIMALS));
        columns.push(Column::text(level(answer)));
        columns.push(Column::text("rank"));
    }
    let mut table = Table::new(columns);
    for scores in by_part {
        for (at, system) in benchmark.systems.iter().enumerate() {
            let part = scores.first().and_then(|it| Some((it.facet.as_ref()?, it.label.as_ref()?)));
            let part = part.map_or("all".to_owned(), |(facet, label)| format!("{facet}={label}"));
            let mut cells: Vec<Cell> = has_parts.then(|| part.into()).into_iter().collect();
            cells.extend([letter(at).into(), system.name.as_str().into()]);
            cells.extend(scores.iter().flat_map(|score| paper_cells(score, &score.systems[at])));
            table.row(cells);
        }
    }
    table
}

fn paper_cells(score: &ScoreRecord, standing: &StandingRecord) -> [Cell; 3] {
    let marks = letters(score, &standing.beats);
    let value = match standing.score {
        Some(number) if !marks.is_empty() => Cell::Marked { number, marks: marks.join(",") },
        value => value.into(),
    };
    [value, standing.ci.map(interval).into(), ranks(standing)]
}

/// A row for each score and system, the best first.
pub fn standings(answer: &ComparisonAnswer) -> Table {
    let several = answer.benchmarks.len() > 1;
    let benchmark = several.then(|| Column::text("benchmark"));
    let columns = [
        Column::text("score"),
        Column::text(""),
        Column::text("system"),
        Column::number("value", DECIMALS),
        Column::text(level(answer)),
        Column::text("rank"),
        Column::number("first", 2),
        Column::text("better than"),
        Column::text("group"),
    ];
    let mut table = Table::new(benchmark.into_iter().chain(columns));
    for (benchmark, score) in scores(answer) {
        for (at, standing) in score.by_score() {
            let beats = letters(score, &standing.beats);
            let benchmark = several.then(|| Cell::from(benchmark.name.as_str()));
            let cells = [
                score.title().into(),
                letter(at).into(),
                standing.name.as_str().into(),
                standing.score.into(),
                standing.ci.map(interval).into(),
                ranks(standing),
                standing.first.into(),
                (!beats.is_empty()).then(|| beats.join(" ")).into(),
                groups(&score.groups, &standing.name).into(),
            ];
            table.row(benchmark.into_iter().chain(cells));
        }
    }
    table
}

/// All scores with their benchmarks.
pub(super) fn scores(
    answer: &ComparisonAnswer,
) -> impl Iterator<Item = (&BenchmarkComparison, &ScoreRecord)> {
    let benchmarks = answer.benchmarks.iter();
    benchmarks.flat_map(|benchmark| benchmark.scores.iter().map(move |score| (benchmark, score)))
}

/// A row for each score and pair of systems.
pub fn pairs(answer: &ComparisonAnswer) -> Table {
    let several = answer.benchmarks.len() > 1;
    let benchmark = several.then(|| Column::text("benchmark"));
    let columns = [
        Column::text("score"),
        Column::text("first"),
        Column::text("second"),
        Column::number("difference", DECIMALS),
        Column::text(if answer.benchmarks.is_empty() { String::new() } else { level(answer) }),
        Column::probability("p", 4),
        Column::probability(format!("p ({})", correction(answer)), 4),
        Column::number("detectable", DECIMALS),
        Column::number("h", 2),
        Column::text("documents"),
        Column::text("mentions"),
        Column::probability("McNemar p", 4),
    ];
    let mut table = Table::new(benchmark.into_iter().chain(columns));
    for (benchmark, score) in scores(answer) {
        for pair in &score.pairs {
            let benchmark = several.then(|| Cell::from(benchmark.name.as_str()));
            table.row(benchmark.into_iter().chain(pair_cells(score, pair)));
        }
    }
    table
}

fn pair_cells(score: &ScoreRecord, pair: &PairRecord) -> [Cell; 12] {
    let outcomes = pair.documents;
    [
        score.title().into(),
        pair.first.as_str().into(),
        pair.second.as_str().into(),
        pair.difference.into(),
        pair.ci.map(in_brackets).into(),
        pair.p.into(),
        pair.p_adjusted.into(),
        pair.detectable.into(),
        pair.cohens_h.into(),
        format!("{}+ {}= {}-", outcomes.wins, outcomes.ties, outcomes.losses).into(),
        pair.mentions.map(|found| format!("{}+ {}-", found.first_only, found.second_only)).into(),
        pair.mentions.map(|found| found.p).into(),
    ]
}

/// A row for each score and system with its average rank over benchmarks or documents.
pub fn across(answer: &ComparisonAnswer) -> Table {
    let mut table = Table::new([
        Column::text("score"),
        Column::text("over"),
        Column::text("system"),
        Column::number("average rank", 2),
        Column::text("group"),
        Column::number("critical difference", 2),
        Column::probability("Friedman p", 4),
    ]);
    for ranked in answer.ranked() {
        let over = format!("{} {}", ranked.number, ranked.blocks);
        let mut order: Vec<_> = ranked.ranks.iter().collect();
        order.sort_by(|a, b| a.rank.total_cmp(&b.rank));
        for system in order {
            table.row([
                ranked.title().into(),
                over.as_str().into(),
                system.name.as_str().into(),
                system.rank.into(),
                groups(&ranked.groups, &system.name).into(),
                ranked.critical_difference.into(),
                ranked.p.into(),
            ]);
        }
    }
    table
}

/// The numbers of the groups that a system belongs to, from 1 for the best.
pub(super) fn groups(groups: &[Vec<String>], system: &str) -> String {
    let of_system =
        groups.iter().enumerate().filter(|(_, group)| group.iter().any(|name| name == system));
    let numbers: Vec<String> = of_system.map(|(at, _)| (at + 1).to_string()).collect();
    numbers.join(" ")
}

/// How p-values are corrected; where they are one-sided, that these are not.
fn correction(answer: &ComparisonAnswer) -> String {
    match answer.one_sided {
        true => format!("two-sided, {}", answer.correction),
        false => answer.correction.clone(),
    }
}

fn level(answer: &ComparisonAnswer) -> String {
    format!("{}%", answer.level)
}

/// The letters of systems by their names.
pub(super) fn letters(score: &ScoreRecord, names: &[String]) -> Vec<String> {
    let place = |name: &String| score.systems.iter().position(|system| system.name == *name);
    names.iter().filter_map(place).map(letter).collect()
}

/// The letter that stands for a system: a, b, ..., z, aa, ab, ...
pub fn letter(system: usize) -> String {
    let last = char::from(b'a' + (system % 26) as u8);
    match system / 26 {
        0 => last.to_string(),
        before => format!("{}{last}", letter(before - 1)),
    }
}

fn interval([low, high]: [f64; 2]) -> String {
    format!("{low:.DECIMALS$}–{high:.DECIMALS$}")
}

/// Ends that may be negative need more than a dash between them.
fn in_brackets([low, high]: [f64; 2]) -> String {
    format!("[{low:.DECIMALS$}, {high:.DECIMALS$}]")
}

/// The rank, and where it may lie if it is not certain.
fn ranks(standing: &StandingRecord) -> Cell {
    let shown = standing.rank.map(|rank| match standing.rank_ci {
        Some([low, high]) if low < high => format!("{rank} ({low}–{high})"),
        _ => rank.to_string(),
    });
    shown.into()
}

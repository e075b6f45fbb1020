//! Boards as tables.

use super::{Board, Intervals, SystemScores};
use karat_measures::{Average, Result as Scored, Scores, Slice, Wanted};
use karat_report::{Cell, Column, Table};

/// How many decimals scores get in a table.
const DECIMALS: usize = 3;

/// The headline: a row for each system and measure with precision, recall and F1, or, if only
/// single scores are asked for, a row for each system.
pub fn headline(boards: &[Board]) -> Table {
    let asked = boards.iter().flat_map(|board| &board.selection.wanted);
    match asked.clone().next().is_some() && asked.clone().all(|wanted| wanted.score.is_some()) {
        true => single_scores(boards),
        false => levelled(
            boards,
            with_columns(&once(whole(boards).filter(Line::has_f1)), line_columns()),
        ),
    }
}

/// Measures that have no precision and recall: a row for each of their scores.
pub fn others(boards: &[Board]) -> Table {
    let asked_whole = |line: &Line<'_>| line.wanted.score.is_none() && !line.has_f1();
    let scores: Vec<ScoreOf<'_>> =
        once(whole(boards).filter(asked_whole)).into_iter().flat_map(ScoreOf::of).collect();
    levelled(boards, with_columns(&scores, score_columns()))
}

/// The parts of the corpus: a row for each facet, label, system and measure.
pub fn slices(boards: &[Board]) -> Table {
    levelled(boards, with_columns(&once(sliced(boards)), line_columns()))
}

/// Everything in one table, for programs.
pub fn everything(boards: &[Board]) -> Table {
    let single =
        boards.iter().all(|board| board.systems.iter().all(|s| s.evaluation.slices.is_empty()));
    let headline = headline(boards);
    match single && others(boards).is_empty() {
        true => headline,
        false => {
            let mut columns = line_columns();
            columns.push((Column::text, "other", Line::others));
            levelled(boards, with_columns(&once(whole(boards).chain(sliced(boards))), columns))
        }
    }
}

/// Something that was asked for, of one system, on the whole corpus or a part of it.
#[derive(Clone, Copy)]
struct Line<'b> {
    boards: usize,
    board: &'b Board,
    system: &'b SystemScores,
    slice: Option<&'b Slice>,
    intervals: Option<&'b Intervals>,
    wanted: &'b Wanted,
    result: &'b Scored,
}

fn whole(boards: &[Board]) -> impl Iterator<Item = Line<'_>> {
    let number = boards.len();
    systems(boards).flat_map(move |(board, system)| {
        board.selection.wanted.iter().map(move |wanted| {
            let result = &system.evaluation.results[wanted.measure];
            let intervals = system.intervals.get(wanted.measure);
            Line { boards: number, board, system, slice: None, intervals, wanted, result }
        })
    })
}

fn sliced(boards: &[Board]) -> impl Iterator<Item = Line<'_>> {
    let number = boards.len();
    systems(boards).flat_map(move |(board, system)| {
        system.evaluation.slices.iter().enumerate().flat_map(move |(at, slice)| {
            let intervals = system.slice_intervals.get(at);
            board.selection.wanted.iter().map(move |wanted| {
                let result = &slice.results[wanted.measure];
                let intervals = intervals.and_then(|intervals| intervals.get(wanted.measure));
                Line {
                    boards: number,
                    board,
                    system,
                    slice: Some(slice),
                    intervals,
                    wanted,
                    result,
                }
            })
        })
    })
}

/// The heading of intervals says how sure they are.
fn levelled(boards: &[Board], table: Table) -> Table {
    match boards.iter().find_map(|board| board.level) {
        Some(level) => table.renamed("95%", &format!("{level}%")),
        None => table,
    }
}

fn systems(boards: &[Board]) -> impl Iterator<Item = (&Board, &SystemScores)> {
    boards.iter().flat_map(|board| board.systems.iter().map(move |system| (board, system)))
}

/// Each row once: a row says everything of a measure, however many of its scores are asked for.
fn once<'b>(lines: impl Iterator<Item = Line<'b>>) -> Vec<Line<'b>> {
    let mut kept: Vec<Line<'b>> = Vec::new();
    for line in lines {
        // The rows of one system, or of one part, come one after the other.
        let mut beside = kept.iter().rev().take_while(|other| other.is_beside(&line));
        if !beside.any(|other| other.is_about(line.wanted)) {
            kept.push(line);
        }
    }
    kept
}

/// Columns that are left out where they have nothing to say; all others are always there, so
/// that programs find them.
const MAY_BE_LEFT_OUT: [&str; 9] = [
    "benchmark",
    "facet",
    "label",
    "95%",
    "tuned threshold",
    "oracle threshold",
    "counts",
    "remark",
    "other",
];

/// How a column is made, what it is called, and what it says of a row.
type ColumnOf<R> = (Make, &'static str, fn(&R) -> Cell);
type Make = fn(&'static str) -> Column;

fn line_columns<'b>() -> Vec<ColumnOf<Line<'b>>> {
    vec![
        (Column::text, "benchmark", Line::benchmark),
        (Column::text, "system", |line| line.system.name.as_str().into()),
        (Column::text, "facet", |line| line.slice.map(|slice| slice.facet.as_str()).into()),
        (Column::text, "label", |line| line.slice.map(|slice| slice.label.as_str()).into()),
        (Column::text, "measure", |line| line.measure().into()),
        (Column::count, "tp", |line| line.count("ptp")),
        (Column::count, "fp", |line| line.count("fp")),
        (Column::count, "fn", |line| line.count("fn")),
        (score_column, "P", |line| line.score("precision")),
        (score_column, "R", |line| line.score("recall")),
        (score_column, "F1", |line| line.score("f1")),
        (Column::text, "95%", |line| line.interval("f1").into()),
        (Column::text, "tuned threshold", |line| line.system.tuned.map(|at| at.to_string()).into()),
        (Column::text, "oracle threshold", |line| {
            line.result.threshold.map(|at| at.to_string()).into()
        }),
    ]
}

fn score_columns<'b>() -> Vec<ColumnOf<ScoreOf<'b>>> {
    vec![
        (Column::text, "benchmark", |score| score.line.benchmark()),
        (Column::text, "system", |score| score.line.system.name.as_str().into()),
        (Column::text, "measure", |score| score.line.measure().into()),
        (Column::text, "score", |score| score.name.into()),
        (score_column, "value", |score| score.line.score(score.name)),
        (Column::text, "95%", |score| score.line.interval(score.name).into()),
        (Column::text, "counts", |score| score.counts()),
        (Column::text, "remark", |score| score.line.scores().reason().into()),
    ]
}

fn score_column(name: &'static str) -> Column {
    Column::number(name, DECIMALS)
}

/// The table of these rows, without columns that may be left out and would be empty.
fn with_columns<R>(rows: &[R], columns: Vec<ColumnOf<R>>) -> Table {
    let said = |(_, name, cell): &ColumnOf<R>| {
        !MAY_BE_LEFT_OUT.contains(name) || rows.iter().any(|row| cell(row) != Cell::Missing)
    };
    let columns: Vec<ColumnOf<R>> = columns.into_iter().filter(said).collect();
    let mut table = Table::new(columns.iter().map(|(make, name, _)| make(name)));
    for row in rows {
        table.row(columns.iter().map(|(_, _, cell)| cell(row)));
    }
    table
}

impl Line<'_> {
    /// Whether another row is of the same system and the same part.
    fn is_beside(&self, other: &Line<'_>) -> bool {
        let part = |line: &Line<'_>| line.slice.map(std::ptr::from_ref);
        std::ptr::eq(self.system, other.system) && part(self) == part(other)
    }

    /// Whether the row shows what is asked for.
    fn is_about(&self, wanted: &Wanted) -> bool {
        (self.wanted.measure, self.wanted.average) == (wanted.measure, wanted.average)
    }

    /// Named only where there are several.
    fn benchmark(&self) -> Cell {
        (self.boards > 1).then_some(self.board.benchmark.as_str()).into()
    }

    fn measure(&self) -> String {
        let name = &self.board.selection.measures[self.wanted.measure].name;
        match self.wanted.average {
            Average::Micro => name.clone(),
            Average::Macro => format!("{name}@macro"),
        }
    }

    fn scores(&self) -> &Scores {
        match (self.wanted.average, &self.result.macro_) {
            (Average::Macro, Some(means)) => &means.scores,
            _ => &self.result.micro,
        }
    }

    fn has_f1(&self) -> bool {
        self.result.micro.get("f1").is_some()
    }

    fn score(&self, name: &str) -> Cell {
        self.scores().get(name).flatten().into()
    }

    fn count(&self, name: &str) -> Cell {
        let at = self.result.columns.iter().position(|column| *column == name);
        match at.and_then(|at| self.result.counts.get(at)) {
            Some(&count) if count.fract() == 0.0 => Cell::Count(count as u64),
            Some(&count) => Cell::Text(format!("{count:.DECIMALS$}")),
            None => Cell::Missing,
        }
    }

    fn interval(&self, name: &str) -> Option<String> {
        let found = self.intervals?.get(name, self.wanted.average)?;
        Some(format!("{:.DECIMALS$}–{:.DECIMALS$}", found.low, found.high))
    }

    /// What a measure says that has no precision and recall.
    fn others(&self) -> Cell {
        if self.has_f1() {
            return Cell::Missing;
        }
        let scores = self.scores().iter().map(|(name, value)| match value {
            Some(value) => format!("{name}={value:.DECIMALS$}"),
            None => format!("{name}=-"),
        });
        scores.collect::<Vec<_>>().join(" ").into()
    }
}

/// One score of a measure that has no precision and recall.
struct ScoreOf<'b> {
    line: Line<'b>,
    name: &'static str,
    first: bool,
}

impl<'b> ScoreOf<'b> {
    fn of(line: Line<'b>) -> impl Iterator<Item = ScoreOf<'b>> {
        let names: Vec<&'static str> = line.result.micro.names().collect();
        names.into_iter().enumerate().map(move |(at, name)| ScoreOf { line, name, first: at == 0 })
    }

    /// The counts behind all scores of the measure, said once.
    fn counts(&self) -> Cell {
        let result = self.line.result;
        let shown = |(name, count): (&&str, &f64)| match count.fract() == 0.0 {
            true => format!("{name} {count}"),
            false => format!("{name} {count:.DECIMALS$}"),
        };
        let counts: Vec<String> = result.columns.iter().zip(&result.counts).map(shown).collect();
        (self.first && !counts.is_empty()).then(|| counts.join(", ")).into()
    }
}

/// One row for each system, one column for each score, and the thresholds they were reached at.
fn single_scores(boards: &[Board]) -> Table {
    let Some(first) = boards.first() else { return Table::default() };
    let names = first.selection.wanted.iter();
    let names = names.map(|wanted| Column::number(single_name(first, wanted), DECIMALS));
    let benchmark = (boards.len() > 1).then(|| Column::text("benchmark"));
    let tuned = systems(boards).any(|(_, system)| system.tuned.is_some());
    let oracle = systems(boards).any(|(board, system)| oracle_thresholds(board, system).is_some());
    let thresholds = [(tuned, "tuned threshold"), (oracle, "oracle threshold")];
    let thresholds = thresholds.iter().filter(|(any, _)| *any).map(|(_, name)| Column::text(*name));
    let columns = benchmark.into_iter().chain([Column::text("system")]).chain(names);
    let mut table = Table::new(columns.chain(thresholds));
    for (board, system) in systems(boards) {
        let benchmark = (boards.len() > 1).then(|| Cell::from(board.benchmark.as_str()));
        let scores = board
            .selection
            .wanted
            .iter()
            .map(|wanted| Cell::from(system.evaluation.results[wanted.measure].wanted(wanted)));
        let tuned = tuned.then(|| Cell::from(system.tuned.map(|at| at.to_string())));
        let oracle = oracle.then(|| Cell::from(oracle_thresholds(board, system)));
        let cells = benchmark.into_iter().chain([Cell::from(system.name.as_str())]).chain(scores);
        table.row(cells.chain(tuned).chain(oracle));
    }
    table
}

fn single_name(board: &Board, wanted: &Wanted) -> String {
    let measure = &board.selection.measures[wanted.measure].name;
    let suffix = if wanted.average == Average::Macro { "@macro" } else { "" };
    format!("{measure}.{}{suffix}", wanted.score.as_deref().unwrap_or_default())
}

/// The threshold that was chosen: one for all, or one for each measure, with its name.
fn oracle_thresholds(board: &Board, system: &SystemScores) -> Option<String> {
    let asked = |at: &usize| board.selection.wanted.iter().any(|wanted| wanted.measure == *at);
    let measures: Vec<usize> = (0..board.selection.measures.len()).filter(asked).collect();
    let threshold = |at: usize| system.evaluation.results[at].threshold;
    let first = measures.first().and_then(|&at| threshold(at));
    if measures.iter().all(|&at| threshold(at) == first) {
        return first.map(|at| at.to_string());
    }
    let shown =
        |&at: &usize| Some(format!("{} {}", board.selection.measures[at].name, threshold(at)?));
    Some(measures.iter().filter_map(shown).collect::<Vec<_>>().join(", "))
}

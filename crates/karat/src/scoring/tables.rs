//! Boards as tables.

use super::{Board, Common, Intervals, SystemScores};
use karat_measures::{Average, Result as Scored, Scores, Slice, Wanted};
use karat_report::{Cell, Column, Table};

/// How many decimals scores get in a table.
const DECIMALS: usize = 3;

/// The headline: a row for each system and measure with precision, recall and F1, or, if only
/// single scores are asked for, a row for each system.
pub fn headline(boards: &[Board]) -> Table {
    match asks_for_single_scores(boards) {
        true => single_scores(boards),
        false => levelled(
            boards,
            with_columns(&once(whole(boards).filter(Line::has_f1)), line_columns()),
        ),
    }
}

pub(super) fn asks_for_single_scores(boards: &[Board]) -> bool {
    let mut asked = boards.iter().flat_map(|board| &board.selection.wanted).peekable();
    asked.peek().is_some() && asked.all(|wanted| wanted.score.is_some())
}

/// Measures that have no precision and recall: a row for each of their scores.
pub fn others(boards: &[Board]) -> Table {
    let asked_whole = |line: &Line<'_>| line.wanted.score.is_none() && !line.has_f1();
    let scores: Vec<ScoreOf<'_>> =
        once(whole(boards).filter(asked_whole)).into_iter().flat_map(ScoreOf::of_whole).collect();
    levelled(boards, with_columns(&scores, score_columns()))
}

/// The parts of the corpus: a row for each facet, label, system and measure.
pub fn slices(boards: &[Board]) -> Table {
    levelled(boards, with_columns(&once(sliced(boards).filter(Line::has_f1)), line_columns()))
}

/// Measures that have no precision and recall, of the parts of the corpus: a row for each of their
/// scores.
pub fn other_slices(boards: &[Board]) -> Table {
    let others = once(sliced(boards).filter(|line| !line.has_f1()));
    let scores: Vec<ScoreOf<'_>> = others.into_iter().flat_map(ScoreOf::of).collect();
    levelled(boards, with_columns(&scores, score_columns()))
}

/// The curves behind measures that have any: a row for each point. Where scores were followed over
/// thresholds, all of them stand behind the coordinates.
pub fn curves(boards: &[Board]) -> Table {
    let lines = once(whole(boards));
    let mut curves = lines.iter().filter_map(|line| line.result.curve.as_ref());
    let swept = curves.find(|curve| curve.is_sweep()).map_or(&[][..], |curve| curve.columns);
    let names = ["benchmark", "system", "measure", "x", "y"].map(Column::text);
    let numbers = ["at", "x value", "y value"].into_iter().chain(swept.iter().skip(1).copied());
    let mut table = Table::new(names.into_iter().chain(numbers.map(Column::count)));
    let number = |value: f64| if value.is_nan() { Cell::Missing } else { Cell::Exact(value) };
    for line in &lines {
        let Some(curve) = &line.result.curve else { continue };
        let [x, y] = curve.names();
        for row in &curve.rows {
            let names = [line.board.benchmark.as_str(), &line.system.name, &line.measure(), x, y];
            let at = row.first().copied().unwrap_or(f64::NAN);
            let [x, y] = curve.coordinates(row);
            let scores =
                swept.iter().skip(1).enumerate().map(|(place, _)| match curve.is_sweep() {
                    true => row.get(place + 1).copied().unwrap_or(f64::NAN),
                    false => f64::NAN,
                });
            let numbers = [at, x, y].into_iter().chain(scores).map(number);
            table.row(names.map(Cell::from).into_iter().chain(numbers));
        }
    }
    table
}

/// Something that was asked for, of one system, on the whole corpus or a part of it.
#[derive(Clone, Copy)]
pub(super) struct Line<'b> {
    boards: usize,
    board: &'b Board,
    pub(super) system: &'b SystemScores,
    slice: Option<&'b Slice>,
    intervals: Option<&'b Intervals>,
    wanted: &'b Wanted,
    pub(super) result: &'b Scored,
}

pub(super) fn whole(boards: &[Board]) -> impl Iterator<Item = Line<'_>> {
    let number = boards.len();
    systems(boards).flat_map(move |(board, system)| {
        board.selection.wanted.iter().map(move |wanted| {
            let result = &system.evaluation.results[wanted.measure];
            let intervals = system.intervals.get(wanted.measure);
            Line { boards: number, board, system, slice: None, intervals, wanted, result }
        })
    })
}

pub(super) fn sliced(boards: &[Board]) -> impl Iterator<Item = Line<'_>> {
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

pub(super) fn systems(boards: &[Board]) -> impl Iterator<Item = (&Board, &SystemScores)> {
    boards.iter().flat_map(|board| board.systems.iter().map(move |system| (board, system)))
}

/// Each row once: a row says everything of a measure, however many of its scores are asked for.
pub(super) fn once<'b>(lines: impl Iterator<Item = Line<'b>>) -> Vec<Line<'b>> {
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
    "documents",
    "tuned threshold",
    "oracle threshold",
    "counts",
    "remark",
];

/// How a column is made, what it is called, and what it says of a row.
pub(super) type ColumnOf<R> = (Make, &'static str, fn(&R) -> Cell);
type Make = fn(&'static str) -> Column;

fn line_columns<'b>() -> Vec<ColumnOf<Line<'b>>> {
    vec![
        (Column::text, "benchmark", Line::benchmark),
        (Column::text, "system", |line| line.system.name.as_str().into()),
        (Column::text, "facet", Line::facet),
        (Column::text, "label", Line::label),
        (Column::text, "measure", |line| line.measure().into()),
        (score_column, "tp", |line| line.count("ptp")),
        (score_column, "fp", |line| line.count("fp")),
        (score_column, "fn", |line| line.count("fn")),
        (score_column, "P", |line| line.score("precision")),
        (score_column, "R", |line| line.score("recall")),
        (score_column, "F1", |line| line.score("f1")),
        (numbers_column, "95%", |line| line.interval("f1")),
        (Column::count, "documents", |line| line.documents("f1")),
        (counts_column, "counts", Line::other_counts),
        (score_column, "tuned threshold", |line| exact(line.system.tuned)),
        (score_column, "oracle threshold", |line| exact(line.result.threshold)),
    ]
}

fn score_columns<'b>() -> Vec<ColumnOf<ScoreOf<'b>>> {
    vec![
        (Column::text, "benchmark", |score| score.line.benchmark()),
        (Column::text, "system", |score| score.line.system.name.as_str().into()),
        (Column::text, "facet", |score| score.line.facet()),
        (Column::text, "label", |score| score.line.label()),
        (Column::text, "measure", |score| score.measure().into()),
        (Column::text, "score", |score| score.name.into()),
        (score_column, "value", |score| score.value()),
        (numbers_column, "95%", |score| score.of_line(|line| line.interval(score.name))),
        (Column::count, "documents", |score| score.of_line(|line| line.documents(score.name))),
        (Column::text, "counts", |score| score.counts()),
        (Column::text, "remark", |score| score.line.scores().reason().into()),
    ]
}

fn score_column(name: &'static str) -> Column {
    Column::number(name, DECIMALS)
}

fn counts_column(name: &'static str) -> Column {
    Column::numbers(name, 0)
}

fn numbers_column(name: &'static str) -> Column {
    Column::numbers(name, DECIMALS)
}

/// A threshold is a number to be used again.
pub(super) fn exact(threshold: Option<f64>) -> Cell {
    threshold.map_or(Cell::Missing, Cell::Exact)
}

/// The table of these rows, without columns that may be left out and would be empty.
pub(super) fn with_columns<R>(rows: &[R], columns: Vec<ColumnOf<R>>) -> Table {
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
    pub(super) fn benchmark(&self) -> Cell {
        (self.boards > 1).then_some(self.board.benchmark.as_str()).into()
    }

    pub(super) fn facet(&self) -> Cell {
        self.slice.map(|slice| slice.facet.as_str()).into()
    }

    pub(super) fn label(&self) -> Cell {
        self.slice.map(|slice| slice.label.as_str()).into()
    }

    pub(super) fn measure(&self) -> String {
        let name = &self.board.selection.measures[self.wanted.measure].name;
        match self.wanted.average {
            Average::Micro => name.clone(),
            Average::Macro => format!("{name}@macro"),
        }
    }

    pub(super) fn scores(&self) -> &Scores {
        match (self.wanted.average, &self.result.macro_) {
            (Average::Macro, Some(means)) => &means.scores,
            _ => &self.result.micro,
        }
    }

    pub(super) fn has_f1(&self) -> bool {
        self.result.micro.get("f1").is_some()
    }

    pub(super) fn score(&self, name: &str) -> Cell {
        self.scores().get(name).flatten().into()
    }

    pub(super) fn count(&self, name: &str) -> Cell {
        let at = self.result.columns.iter().position(|column| *column == name);
        match at.and_then(|at| self.result.counts.get(at)) {
            Some(&count) if count.fract() == 0.0 => Cell::Count(count as u64),
            Some(&count) if !count.is_nan() => Cell::Number(count),
            _ => Cell::Missing,
        }
    }

    pub(super) fn interval(&self, name: &str) -> Cell {
        interval(self.intervals, name, self.wanted.average)
    }

    /// How many documents a mean is over: where a score is undefined a document is left out.
    pub(super) fn documents(&self, name: &str) -> Cell {
        let means = self.result.macro_.as_ref();
        let means = means.filter(|_| self.wanted.average == Average::Macro);
        let number = means.and_then(|means| means.documents.get(means.scores.position(name)?));
        number.copied().into()
    }

    /// The counts of a measure that has other ones than true and false positives.
    fn other_counts(&self) -> Cell {
        if self.has_f1() { self.named_counts() } else { Cell::Missing }
    }

    /// The same of any measure.
    pub(super) fn named_counts(&self) -> Cell {
        if self.result.columns.is_empty() || self.result.columns.contains(&"ptp") {
            return Cell::Missing;
        }
        let counts = self.result.columns.iter().zip(&self.result.counts);
        let known = |count: f64| (!count.is_nan()).then_some(count);
        Cell::Named(counts.map(|(name, count)| ((*name).to_owned(), known(*count))).collect())
    }

    /// How the system does on what all found, where this is about all documents together.
    fn common(&self) -> Option<Common> {
        let whole = self.slice.is_none() && self.wanted.average == Average::Micro;
        self.system.common.get(self.wanted.measure).copied().flatten().filter(|_| whole)
    }
}

fn interval(intervals: Option<&Intervals>, name: &str, average: Average) -> Cell {
    let found = intervals.and_then(|intervals| intervals.get(name, average));
    found.map_or(Cell::Missing, |found| Cell::Interval { low: found.low, high: found.high })
}

/// One score of a measure that has no precision and recall.
pub(super) struct ScoreOf<'b> {
    pub(super) line: Line<'b>,
    pub(super) name: &'static str,
    first: bool,
    /// The score is that on the mentions that all systems found.
    pub(super) common: Option<Common>,
}

/// What is added to a name for the mentions that all systems found.
const COMMON: &str = "@common";

impl<'b> ScoreOf<'b> {
    fn of(line: Line<'b>) -> impl Iterator<Item = ScoreOf<'b>> {
        let names: Vec<&'static str> = line.result.micro.names().collect();
        names.into_iter().enumerate().map(move |(at, name)| {
            let first = at == 0;
            ScoreOf { line, name, first, common: None }
        })
    }

    /// The same, and the score on what all systems found if there is one.
    pub(super) fn of_whole(line: Line<'b>) -> impl Iterator<Item = ScoreOf<'b>> {
        let common = line.common();
        let common = common.map(|found| ScoreOf {
            line,
            name: "accuracy",
            first: true,
            common: Some(found),
        });
        ScoreOf::of(line).chain(common)
    }

    pub(super) fn measure(&self) -> String {
        let suffix = if self.common.is_some() { COMMON } else { "" };
        format!("{}{suffix}", self.line.measure())
    }

    pub(super) fn value(&self) -> Cell {
        match self.common {
            Some(common) => common.accuracy().into(),
            None => self.line.score(self.name),
        }
    }

    /// What is said of the measure itself only.
    pub(super) fn of_line(&self, said: impl Fn(&Line<'b>) -> Cell) -> Cell {
        if self.common.is_some() { Cell::Missing } else { said(&self.line) }
    }

    /// The counts behind all scores of the measure, said once.
    fn counts(&self) -> Cell {
        if let Some(Common { right, found }) = self.common {
            return format!("right {right}, found {found}").into();
        }
        let result = self.line.result;
        let shown = |(name, count): (&&str, &f64)| match count.fract() == 0.0 {
            true => format!("{name} {count}"),
            false if count.is_nan() => format!("{name} –"),
            false => format!("{name} {count:.DECIMALS$}"),
        };
        let counts: Vec<String> = result.columns.iter().zip(&result.counts).map(shown).collect();
        (self.first && !counts.is_empty()).then(|| counts.join(", ")).into()
    }
}

/// One row for each system, one column for each score, and the thresholds they were reached at.
fn single_scores(boards: &[Board]) -> Table {
    let Some(first) = boards.first() else { return Table::default() };
    let wanted = &first.selection.wanted;
    let with_interval: Vec<bool> = wanted
        .iter()
        .map(|wanted| {
            systems(boards).any(|(_, system)| single_interval(system, wanted) != Cell::Missing)
        })
        .collect();
    let level = boards.iter().find_map(|board| board.level).unwrap_or_default();
    let names = wanted.iter().zip(&with_interval).flat_map(|(wanted, &with_interval)| {
        let name = single_name(first, wanted);
        let interval = format!("{name} {level}%");
        let interval = with_interval.then(|| Column::numbers(interval, DECIMALS));
        [Some(Column::number(name, DECIMALS)), interval].into_iter().flatten()
    });
    let benchmark = (boards.len() > 1).then(|| Column::text("benchmark"));
    let tuned = systems(boards).any(|(_, system)| system.tuned.is_some());
    let oracle = systems(boards).any(|(board, system)| oracle_thresholds(board, system).is_some());
    let thresholds = [(tuned, "tuned threshold"), (oracle, "oracle threshold")];
    let thresholds = thresholds.iter().filter(|(any, _)| *any).map(|(_, name)| Column::text(*name));
    let columns = benchmark.into_iter().chain([Column::text("system")]).chain(names);
    let mut table = Table::new(columns.chain(thresholds));
    for (board, system) in systems(boards) {
        let benchmark = (boards.len() > 1).then(|| Cell::from(board.benchmark.as_str()));
        let wanted = board.selection.wanted.iter().zip(&with_interval);
        let scores = wanted.flat_map(|(wanted, &with_interval)| {
            let score = Cell::from(system.evaluation.results[wanted.measure].wanted(wanted));
            let interval = with_interval.then(|| single_interval(system, wanted));
            [Some(score), interval].into_iter().flatten()
        });
        let tuned = tuned.then(|| exact(system.tuned));
        let oracle = oracle.then(|| Cell::from(oracle_thresholds(board, system)));
        let cells = benchmark.into_iter().chain([Cell::from(system.name.as_str())]).chain(scores);
        table.row(cells.chain(tuned).chain(oracle));
    }
    table
}

pub(super) fn single_interval(system: &SystemScores, wanted: &Wanted) -> Cell {
    let asked = wanted.score.as_deref().unwrap_or_default();
    let scores = system.evaluation.results.get(wanted.measure).map(|result| result.micro);
    // A score may be asked for by a short name.
    let name = scores.and_then(|scores| scores.names().nth(scores.position(asked)?));
    interval(system.intervals.get(wanted.measure), name.unwrap_or(asked), wanted.average)
}

pub(super) fn single_name(board: &Board, wanted: &Wanted) -> String {
    let measure = &board.selection.measures[wanted.measure].name;
    let suffix = if wanted.average == Average::Macro { "@macro" } else { "" };
    format!("{measure}.{}{suffix}", wanted.score.as_deref().unwrap_or_default())
}

/// The threshold that was chosen: one for all, or one for each measure, with its name.
pub(super) fn oracle_thresholds(board: &Board, system: &SystemScores) -> Option<String> {
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

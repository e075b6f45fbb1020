//! An evaluation as tables.

use super::answer::{CommonRecord, EvaluationAnswer, Shown, SliceRecord, SystemRecord};
use super::measured::{MeanRecord, MeasureRecord, full_name};
use karat_report::{Cell, Column, Table};
use karat_stats::Bootstrap;

/// How many decimals scores get in a table.
const DECIMALS: usize = 3;

/// The headline: a row for each system and measure with precision, recall and F1, or, if only
/// single scores are asked for, a row for each system.
pub fn headline(answer: &EvaluationAnswer) -> Table {
    match asks_for_single_scores(answer) {
        true => single_scores(answer),
        false => with_columns(&once(whole(answer).filter(Line::has_f1)), line_columns(answer)),
    }
}

pub(super) fn asks_for_single_scores(answer: &EvaluationAnswer) -> bool {
    let shown = &answer.shown;
    !shown.is_empty() && shown.iter().all(|shown| shown.score.is_some())
}

/// Measures that have no precision and recall: a row for each of their scores.
pub fn others(answer: &EvaluationAnswer) -> Table {
    let asked_whole = |line: &Line<'_>| line.shown.score.is_none() && !line.has_f1();
    let scores: Vec<ScoreOf<'_>> =
        once(whole(answer).filter(asked_whole)).into_iter().flat_map(ScoreOf::of_whole).collect();
    with_columns(&scores, score_columns(answer))
}

/// The parts of the corpus: a row for each facet, label, system and measure.
pub fn slices(answer: &EvaluationAnswer) -> Table {
    with_columns(&once(sliced(answer).filter(Line::has_f1)), line_columns(answer))
}

/// Measures that have no precision and recall, of the parts of the corpus: a row for each of their
/// scores.
pub fn other_slices(answer: &EvaluationAnswer) -> Table {
    let others = once(sliced(answer).filter(|line| !line.has_f1()));
    let scores: Vec<ScoreOf<'_>> = others.into_iter().flat_map(ScoreOf::of).collect();
    with_columns(&scores, score_columns(answer))
}

/// The curves behind measures that have any: a row for each point. Where scores were followed over
/// thresholds, all of them stand behind the coordinates.
pub fn curves(answer: &EvaluationAnswer) -> Table {
    let lines = once(whole(answer));
    let mut curves = lines.iter().filter_map(|line| line.result.curve.as_ref());
    // Columns of all scores are there if any curve is a sweep; curves of other kinds leave them
    // empty.
    let swept = curves.find(|curve| curve.is_sweep()).map_or(&[][..], |curve| &curve.columns[..]);
    let names = ["benchmark", "system", "measure", "x", "y"].map(Column::text);
    let numbers =
        ["at", "x value", "y value"].into_iter().chain(swept.iter().skip(1).map(String::as_str));
    let mut table = Table::new(names.into_iter().chain(numbers.map(Column::count)));
    let number = |value: f64| if value.is_nan() { Cell::Missing } else { Cell::Exact(value) };
    for line in &lines {
        let Some(curve) = &line.result.curve else { continue };
        let [x, y] = curve.names();
        for row in &curve.rows {
            let names = [line.system.benchmark.as_str(), &line.system.name, &line.measure(), x, y];
            let at = row.first().copied().flatten().unwrap_or(f64::NAN);
            let [x, y] = curve.coordinates(row);
            let scores =
                swept.iter().skip(1).enumerate().map(|(place, _)| match curve.is_sweep() {
                    true => row.get(place + 1).copied().flatten().unwrap_or(f64::NAN),
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
pub(super) struct Line<'a> {
    answer: &'a EvaluationAnswer,
    pub(super) system: &'a SystemRecord,
    slice: Option<&'a SliceRecord>,
    shown: &'a Shown,
    pub(super) result: &'a MeasureRecord,
    over: Over,
}

/// What a score is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Over {
    /// All documents together.
    All,
    /// The mean over documents where it is defined.
    Documents,
    /// The mean over documents where it is defined for all systems.
    CommonDocuments,
}

impl Over {
    /// What is to be shown of a measure. One that has no means is over all documents together.
    fn of(shown: &Shown, result: &MeasureRecord) -> Over {
        if shown.mean && result.mean.is_some() { Over::Documents } else { Over::All }
    }

    /// The means that scores are taken from, if they are means.
    fn means(self, result: &MeasureRecord) -> Option<&MeanRecord> {
        match self {
            Over::All => None,
            Over::Documents => result.mean.as_ref(),
            Over::CommonDocuments => result.mean.as_ref()?.common.as_deref(),
        }
    }

    /// A score; none where nothing was counted, whatever the convention calls that.
    fn score(self, result: &MeasureRecord, name: &str) -> Option<Option<f64>> {
        let found = match self.means(result) {
            Some(means) => means.score(name),
            None => result.score(name),
        };
        found.map(|score| score.filter(|_| !result.over_nothing))
    }

    fn interval(self, result: &MeasureRecord, name: &str) -> Cell {
        let intervals = self.means(result).map_or(&result.ci, |means| &means.ci);
        let found = intervals.get(name).filter(|_| !result.over_nothing);
        found.map_or(Cell::Missing, |&[low, high]| Cell::Interval { low, high })
    }
}

pub(super) fn whole(answer: &EvaluationAnswer) -> impl Iterator<Item = Line<'_>> {
    answer.systems.iter().flat_map(move |system| lines(answer, system, None, &system.measures))
}

pub(super) fn sliced(answer: &EvaluationAnswer) -> impl Iterator<Item = Line<'_>> {
    answer.systems.iter().flat_map(move |system| {
        let slices = system.slices.iter();
        slices.flat_map(move |slice| lines(answer, system, Some(slice), &slice.measures))
    })
}

fn lines<'a>(
    answer: &'a EvaluationAnswer,
    system: &'a SystemRecord,
    slice: Option<&'a SliceRecord>,
    measures: &'a [MeasureRecord],
) -> impl Iterator<Item = Line<'a>> {
    answer.shown.iter().filter_map(|shown| Some((shown, measures.get(shown.measure)?))).flat_map(
        move |(shown, result)| {
            let over = Over::of(shown, result);
            let line = Line { answer, system, slice, shown, result, over };
            let common = Line { over: Over::CommonDocuments, ..line };
            let has_common = over == Over::Documents && common.over.means(result).is_some();
            std::iter::once(line).chain(has_common.then_some(common))
        },
    )
}

/// The heading of intervals says how sure they are.
fn level(answer: &EvaluationAnswer) -> String {
    format!("{}%", answer.level.unwrap_or_else(|| Bootstrap::default().level))
}

/// Each row once: a row says everything of a measure, however many of its scores are asked for.
pub(super) fn once<'a>(lines: impl Iterator<Item = Line<'a>>) -> Vec<Line<'a>> {
    let mut kept: Vec<Line<'a>> = Vec::new();
    for line in lines {
        // The rows of one system, or of one part, come one after the other.
        let mut beside = kept.iter().rev().take_while(|other| other.is_beside(&line));
        if !beside.any(|other| other.is_about(&line)) {
            kept.push(line);
        }
    }
    kept
}

/// How a column is made, what it is called, and what it says of a row.
pub(super) struct ColumnOf<R> {
    make: fn(String) -> Column,
    name: String,
    cell: fn(&R) -> Cell,
    /// Whether it is there even if it has nothing to say, so that programs find it.
    always: bool,
}

impl<R> ColumnOf<R> {
    /// A column that is always there.
    pub(super) fn new(make: fn(String) -> Column, name: &str, cell: fn(&R) -> Cell) -> ColumnOf<R> {
        ColumnOf { make, name: name.to_owned(), cell, always: true }
    }

    /// A column that is left out where it has nothing to say.
    pub(super) fn if_said(
        make: fn(String) -> Column,
        name: &str,
        cell: fn(&R) -> Cell,
    ) -> ColumnOf<R> {
        ColumnOf { always: false, ..ColumnOf::new(make, name, cell) }
    }
}

fn line_columns<'a>(answer: &EvaluationAnswer) -> Vec<ColumnOf<Line<'a>>> {
    vec![
        ColumnOf::if_said(Column::text, "benchmark", Line::benchmark),
        ColumnOf::new(Column::text, "system", |line| line.system.name.as_str().into()),
        ColumnOf::if_said(Column::text, "facet", Line::facet),
        ColumnOf::if_said(Column::text, "label", Line::label),
        ColumnOf::new(Column::text, "measure", |line| line.measure().into()),
        ColumnOf::new(score_column, "tp", |line| line.count("tp")),
        ColumnOf::new(score_column, "fp", |line| line.count("fp")),
        ColumnOf::new(score_column, "fn", |line| line.count("fn")),
        ColumnOf::new(score_column, "P", |line| line.score("precision")),
        ColumnOf::new(score_column, "R", |line| line.score("recall")),
        ColumnOf::new(score_column, "F1", |line| line.score("f1")),
        ColumnOf::if_said(numbers_column, &level(answer), |line| line.interval("f1")),
        ColumnOf::if_said(Column::count, "documents", |line| line.documents("f1")),
        ColumnOf::if_said(counts_column, "counts", Line::other_counts),
        ColumnOf::if_said(score_column, "tuned threshold", |line| {
            exact(line.system.tuned_threshold)
        }),
        ColumnOf::if_said(score_column, "oracle threshold", |line| {
            exact(line.result.oracle_threshold)
        }),
    ]
}

fn score_columns<'a>(answer: &EvaluationAnswer) -> Vec<ColumnOf<ScoreOf<'a>>> {
    vec![
        ColumnOf::if_said(Column::text, "benchmark", |score| score.line.benchmark()),
        ColumnOf::new(Column::text, "system", |score| score.line.system.name.as_str().into()),
        ColumnOf::if_said(Column::text, "facet", |score| score.line.facet()),
        ColumnOf::if_said(Column::text, "label", |score| score.line.label()),
        ColumnOf::new(Column::text, "measure", |score| score.measure().into()),
        ColumnOf::new(Column::text, "score", |score| score.name.into()),
        ColumnOf::new(score_column, "value", ScoreOf::value),
        ColumnOf::if_said(numbers_column, &level(answer), |score| {
            score.of_line(|line| line.interval(score.name))
        }),
        ColumnOf::if_said(Column::count, "documents", |score| {
            score.of_line(|line| line.documents(score.name))
        }),
        ColumnOf::if_said(Column::text, "counts", ScoreOf::counts),
        ColumnOf::if_said(Column::text, "remark", |score| {
            score.line.result.remark.as_deref().into()
        }),
    ]
}

fn score_column(name: String) -> Column {
    Column::number(name, DECIMALS)
}

fn counts_column(name: String) -> Column {
    Column::numbers(name, 0)
}

fn numbers_column(name: String) -> Column {
    Column::numbers(name, DECIMALS)
}

/// A threshold is a number to be used again.
pub(super) fn exact(threshold: Option<f64>) -> Cell {
    threshold.map_or(Cell::Missing, Cell::Exact)
}

/// The table of these rows, without columns that may be left out and would be empty.
pub(super) fn with_columns<R>(rows: &[R], columns: Vec<ColumnOf<R>>) -> Table {
    let is_shown = |column: &ColumnOf<R>| {
        column.always || rows.iter().any(|row| (column.cell)(row) != Cell::Missing)
    };
    let columns: Vec<ColumnOf<R>> = columns.into_iter().filter(is_shown).collect();
    let mut table = Table::new(columns.iter().map(|column| (column.make)(column.name.clone())));
    for row in rows {
        table.row(columns.iter().map(|column| (column.cell)(row)));
    }
    table
}

impl Line<'_> {
    /// Whether another row is of the same system and the same part.
    fn is_beside(&self, other: &Line<'_>) -> bool {
        // By address, as two slices may be equal in all they hold.
        let part = |line: &Line<'_>| line.slice.map(std::ptr::from_ref);
        std::ptr::eq(self.system, other.system) && part(self) == part(other)
    }

    /// Whether the row shows what is asked for.
    fn is_about(&self, other: &Line<'_>) -> bool {
        let about = |line: &Line<'_>| (line.shown.measure, line.shown.mean);
        about(self) == about(other) && self.over == other.over
    }

    /// Named only where there are several.
    pub(super) fn benchmark(&self) -> Cell {
        let several = self.answer.all_benchmarks().len() > 1;
        several.then_some(self.system.benchmark.as_str()).into()
    }

    pub(super) fn facet(&self) -> Cell {
        self.slice.map(|slice| slice.facet.as_str()).into()
    }

    pub(super) fn label(&self) -> Cell {
        self.slice.map(|slice| slice.label.as_str()).into()
    }

    pub(super) fn measure(&self) -> String {
        let mean = if self.shown.mean { MACRO } else { "" };
        let common = if self.over == Over::CommonDocuments { COMMON } else { "" };
        format!("{}{mean}{common}", self.result.name)
    }

    pub(super) fn has_f1(&self) -> bool {
        self.result.has_f1()
    }

    pub(super) fn score(&self, name: &str) -> Cell {
        self.over.score(self.result, name).flatten().into()
    }

    /// A count behind a score of all documents together; means have none.
    pub(super) fn count(&self, name: &str) -> Cell {
        match self.result.count(name).flatten().filter(|_| self.over == Over::All) {
            // Whole numbers without decimals; halves occur where credit is shared.
            Some(count) if count.fract() == 0.0 => Cell::Count(count as u64),
            Some(count) => Cell::Number(count),
            None => Cell::Missing,
        }
    }

    pub(super) fn interval(&self, name: &str) -> Cell {
        self.over.interval(self.result, name)
    }

    /// How many documents a mean is over: where a score is undefined a document is left out.
    pub(super) fn documents(&self, name: &str) -> Cell {
        self.over.means(self.result).and_then(|means| means.documents.get(name)).copied().into()
    }

    /// The counts of a measure that has other ones than true and false positives.
    fn other_counts(&self) -> Cell {
        if self.has_f1() { self.named_counts() } else { Cell::Missing }
    }

    /// The same of any measure.
    pub(super) fn named_counts(&self) -> Cell {
        let counts = &self.result.counts;
        let are_usual = counts.is_empty() || self.result.counts_positives();
        match are_usual || self.over != Over::All {
            true => Cell::Missing,
            false => Cell::Named(counts.clone()),
        }
    }

    /// How the system does on what all found, where this is about all documents together.
    fn common(&self) -> Option<CommonRecord> {
        self.result.common.filter(|_| self.slice.is_none() && !self.shown.mean)
    }
}

/// One score of a measure that has no precision and recall.
pub(super) struct ScoreOf<'a> {
    pub(super) line: Line<'a>,
    pub(super) name: &'a str,
    first: bool,
    /// The score is that on the mentions that all systems found.
    pub(super) common: Option<CommonRecord>,
}

/// What is added to a name for what all systems have: the mentions that all found, or the documents where
/// all have a score.
const COMMON: &str = "@common";

/// What is added to a name for the mean over documents.
const MACRO: &str = "@macro";

impl<'a> ScoreOf<'a> {
    fn of(line: Line<'a>) -> impl Iterator<Item = ScoreOf<'a>> {
        let names = line.result.scores.iter().enumerate();
        names.map(move |(at, (name, _))| ScoreOf { line, name, first: at == 0, common: None })
    }

    /// The same, and the score on what all systems found if there is one.
    pub(super) fn of_whole(line: Line<'a>) -> impl Iterator<Item = ScoreOf<'a>> {
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
            Some(common) => common.accuracy.into(),
            None => self.line.score(self.name),
        }
    }

    /// What is said of the measure itself only.
    pub(super) fn of_line(&self, said: impl Fn(&Line<'a>) -> Cell) -> Cell {
        if self.common.is_some() { Cell::Missing } else { said(&self.line) }
    }

    /// The counts behind all scores of the measure, said once.
    fn counts(&self) -> Cell {
        if let Some(CommonRecord { right, found, .. }) = self.common {
            return format!("right {right}, found {found}").into();
        }
        let shown = |(name, count): &(String, Option<f64>)| match count {
            Some(count) if count.fract() == 0.0 => format!("{name} {count}"),
            Some(count) => format!("{name} {count:.DECIMALS$}"),
            None => format!("{name} –"),
        };
        let counts: Vec<String> = self.line.result.counts.iter().map(shown).collect();
        let are_said = self.first && self.line.over == Over::All && !counts.is_empty();
        are_said.then(|| counts.join(", ")).into()
    }
}

/// One row for each system, one column for each score, and the thresholds they were reached at.
fn single_scores(answer: &EvaluationAnswer) -> Table {
    let Some(first) = answer.systems.first() else { return Table::default() };
    let has_interval = |shown: &Shown| {
        answer.systems.iter().any(|system| single_interval(system, shown) != Cell::Missing)
    };
    let shown: Vec<(&Shown, bool)> =
        answer.shown.iter().map(|shown| (shown, has_interval(shown))).collect();
    let level = answer.level.unwrap_or_default();
    let names = shown.iter().flat_map(|&(shown, with_interval)| {
        let name = single_name(first, shown);
        let interval = format!("{name} {level}%");
        let interval = with_interval.then(|| Column::numbers(interval, DECIMALS));
        [Some(Column::number(name, DECIMALS)), interval].into_iter().flatten()
    });
    single_rows(answer, names.collect(), |system| {
        let cells = shown.iter().flat_map(|&(shown, with_interval)| {
            let interval = with_interval.then(|| single_interval(system, shown));
            [Some(single_score(system, shown)), interval].into_iter().flatten()
        });
        cells.collect()
    })
}

/// A row for each system: what it is, its scores as they are given, and its thresholds.
pub(super) fn single_rows(
    answer: &EvaluationAnswer,
    scores: Vec<Column>,
    of: impl Fn(&SystemRecord) -> Vec<Cell>,
) -> Table {
    let several = answer.all_benchmarks().len() > 1;
    let systems = || answer.systems.iter();
    let tuned = systems().any(|system| system.tuned_threshold.is_some());
    let oracle = systems().any(|system| oracle_thresholds(answer, system).is_some());
    let thresholds = [(tuned, "tuned threshold"), (oracle, "oracle threshold")];
    let thresholds = thresholds.iter().filter(|(any, _)| *any).map(|(_, name)| Column::text(*name));
    let benchmark = several.then(|| Column::text("benchmark"));
    let heads = benchmark.into_iter().chain([Column::text("system")]);
    let mut table = Table::new(heads.chain(scores).chain(thresholds));
    for system in systems() {
        let benchmark = several.then(|| Cell::from(system.benchmark.as_str()));
        let tuned = tuned.then(|| exact(system.tuned_threshold));
        let oracle = oracle.then(|| Cell::from(oracle_thresholds(answer, system)));
        let heads = benchmark.into_iter().chain([Cell::from(system.name.as_str())]);
        table.row(heads.chain(of(system)).chain(tuned).chain(oracle));
    }
    table
}

/// A score or a count.
pub(super) fn single_score(system: &SystemRecord, shown: &Shown) -> Cell {
    let result = system.measures.get(shown.measure);
    result.and_then(|result| shown.of_measure(result)).into()
}

impl Shown {
    /// What is to be shown of a measure: a score or a count.
    pub(super) fn of_measure(&self, result: &MeasureRecord) -> Option<f64> {
        let name = self.score.as_deref().unwrap_or("f1");
        match Over::of(self, result).score(result, name) {
            Some(score) => score,
            None => result.count(name).flatten(),
        }
    }
}

pub(super) fn single_interval(system: &SystemRecord, shown: &Shown) -> Cell {
    // A score may be asked for by a short name.
    let name = full_name(shown.score.as_deref().unwrap_or_default());
    let result = system.measures.get(shown.measure);
    result.map_or(Cell::Missing, |result| Over::of(shown, result).interval(result, name))
}

pub(super) fn single_name(system: &SystemRecord, shown: &Shown) -> String {
    let measure = system.measures.get(shown.measure).map_or("", |result| &result.name);
    let mean = if shown.mean { MACRO } else { "" };
    format!("{measure}.{}{mean}", shown.score.as_deref().unwrap_or_default())
}

/// The threshold that was chosen: one for all, or one for each measure, with its name.
fn oracle_thresholds(answer: &EvaluationAnswer, system: &SystemRecord) -> Option<String> {
    let asked = |at: usize| answer.shown.iter().any(|shown| shown.measure == at);
    let measures = system.measures.iter().enumerate();
    let measures: Vec<&MeasureRecord> =
        measures.filter(|(at, _)| asked(*at)).map(|(_, measure)| measure).collect();
    let first = measures.first().and_then(|measure| measure.oracle_threshold);
    if measures.iter().all(|measure| measure.oracle_threshold == first) {
        return first.map(|at| at.to_string());
    }
    let shown =
        |measure: &&MeasureRecord| Some(format!("{} {}", measure.name, measure.oracle_threshold?));
    Some(measures.iter().filter_map(shown).collect::<Vec<_>>().join(", "))
}

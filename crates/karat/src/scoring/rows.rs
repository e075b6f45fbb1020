//! An evaluation as rows for programs: one value in each column, with all its digits.

use super::answer::{CommonRecord, EvaluationAnswer};
use super::tables::{
    ColumnOf, Line, ScoreOf, asks_for_single_scores, exact, once, single_interval, single_name,
    single_rows, single_score, sliced, whole, with_columns,
};
use karat_report::{Cell, Column, Table};

/// Everything in one table. A measure with precision, recall and F1 is a row, any other a row for
/// each of its scores; if only single scores are asked for, a system is a row.
pub fn everything(answer: &EvaluationAnswer) -> Table {
    let in_parts = answer.systems.iter().any(|system| !system.slices.is_empty());
    if asks_for_single_scores(answer) && !in_parts {
        return single_scores(answer);
    }
    let lines = once(whole(answer).chain(sliced(answer)));
    let rows: Vec<Row<'_>> = lines.into_iter().flat_map(Row::of).collect();
    let any_other = rows.iter().any(|row| matches!(row, Row::Score(_)));
    with_columns(&rows, columns(any_other))
}

/// A row: a measure with precision, recall and F1, or one score of another.
enum Row<'a> {
    Line(Line<'a>),
    Score(ScoreOf<'a>),
}

/// The columns, with those of single scores where some row is one.
fn columns<'a>(any_other: bool) -> Vec<ColumnOf<Row<'a>>> {
    let mut columns: Vec<ColumnOf<Row<'a>>> = vec![
        ColumnOf::if_said(Column::text, "benchmark", |row| row.line().benchmark()),
        ColumnOf::new(Column::text, "system", |row| row.line().system.name.as_str().into()),
        ColumnOf::if_said(Column::text, "facet", |row| row.line().facet()),
        ColumnOf::if_said(Column::text, "label", |row| row.line().label()),
        ColumnOf::new(Column::text, "measure", Row::measure),
        ColumnOf::new(Column::exact, "tp", |row| row.count("tp")),
        ColumnOf::new(Column::exact, "fp", |row| row.count("fp")),
        ColumnOf::new(Column::exact, "fn", |row| row.count("fn")),
        ColumnOf::new(Column::exact, "P", |row| row.of_all("precision")),
        ColumnOf::new(Column::exact, "R", |row| row.of_all("recall")),
        ColumnOf::new(Column::exact, "F1", |row| row.of_all("f1")),
    ];
    if any_other {
        columns.push(ColumnOf::new(Column::text, "score", Row::score));
        columns.push(ColumnOf::new(Column::exact, "value", Row::value));
    }
    columns.extend([
        // Both ends in columns of their own: programs should not have to take an interval apart.
        ColumnOf::new(Column::exact, "low", |row: &Row<'_>| row.ends()[0].clone()),
        ColumnOf::new(Column::exact, "high", |row| row.ends()[1].clone()),
        ColumnOf::if_said(Column::count, "documents", |row| row.of_measure(Line::documents)),
        ColumnOf::if_said(Column::exact, "counts", Row::counts),
        ColumnOf::if_said(Column::exact, "tuned threshold", |row| {
            exact(row.line().system.tuned_threshold)
        }),
        ColumnOf::if_said(Column::exact, "oracle threshold", |row| {
            exact(row.line().result.oracle_threshold)
        }),
        ColumnOf::if_said(Column::text, "remark", Row::remark),
    ]);
    columns
}

impl<'a> Row<'a> {
    fn of(line: Line<'a>) -> Vec<Row<'a>> {
        match line.has_f1() {
            true => vec![Row::Line(line)],
            false => ScoreOf::of_whole(line).map(Row::Score).collect(),
        }
    }

    fn line(&self) -> &Line<'a> {
        match self {
            Row::Line(line) => line,
            Row::Score(score) => &score.line,
        }
    }

    fn measure(&self) -> Cell {
        match self {
            Row::Line(line) => line.measure().into(),
            Row::Score(score) => score.measure().into(),
        }
    }

    /// A count of the measure; what all systems found has counts of its own.
    fn count(&self, name: &str) -> Cell {
        match self {
            Row::Line(line) => line.count(name),
            Row::Score(score) => score.of_line(|line| line.count(name)),
        }
    }

    /// A score that many measures have: in the row that is about it.
    fn of_all(&self, name: &str) -> Cell {
        match self {
            Row::Line(line) => line.score(name),
            Row::Score(score) if score.name == name => score.value(),
            Row::Score(_) => Cell::Missing,
        }
    }

    fn score(&self) -> Cell {
        match self {
            Row::Line(_) => Cell::Missing,
            Row::Score(score) => score.name.into(),
        }
    }

    fn value(&self) -> Cell {
        match self {
            Row::Line(_) => Cell::Missing,
            Row::Score(score) => score.value(),
        }
    }

    /// The ends of the interval of F1, or of the score that the row is about.
    fn ends(&self) -> [Cell; 2] {
        ends(&self.of_measure(Line::interval))
    }

    fn of_measure(&self, said: impl Fn(&Line<'a>, &str) -> Cell) -> Cell {
        match self {
            Row::Line(line) => said(line, "f1"),
            Row::Score(score) => score.of_line(|line| said(line, score.name)),
        }
    }

    fn counts(&self) -> Cell {
        match self {
            Row::Score(ScoreOf { common: Some(CommonRecord { right, found, .. }), .. }) => {
                let counts = [("right", right), ("found", found)];
                let named = counts.map(|(name, count)| (name.to_owned(), Some(*count as f64)));
                Cell::Named(named.into())
            }
            _ => self.line().named_counts(),
        }
    }

    fn remark(&self) -> Cell {
        match self {
            Row::Line(_) => Cell::Missing,
            Row::Score(score) => score.line.result.remark.as_deref().into(),
        }
    }
}

/// One row for each system: each score that was asked for with the ends of its interval, and the
/// thresholds they were reached at.
fn single_scores(answer: &EvaluationAnswer) -> Table {
    let Some(first) = answer.systems.first() else { return Table::default() };
    let names = answer.shown.iter().flat_map(|shown| {
        let name = single_name(first, shown);
        let ends = ["low", "high"].map(|end| Column::exact(format!("{name}_{end}")));
        std::iter::once(Column::exact(name)).chain(ends)
    });
    single_rows(answer, names.collect(), |system| {
        let cells = answer.shown.iter().flat_map(|shown| {
            std::iter::once(single_score(system, shown))
                .chain(ends(&single_interval(system, shown)))
        });
        cells.collect()
    })
}

fn ends(interval: &Cell) -> [Cell; 2] {
    match *interval {
        Cell::Interval { low, high } => [low.into(), high.into()],
        _ => [Cell::Missing, Cell::Missing],
    }
}

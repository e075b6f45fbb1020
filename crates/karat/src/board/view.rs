//! What is shown of a board.

use super::answer::{BoardAnswer, BoardCell};
use super::filter::NameFilter;
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// Beside more benchmarks than this, a board shows scores alone unless columns are chosen.
const NARROW: usize = 4;

/// What is shown of a board, and in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoardView {
    /// The systems.
    pub systems: NameFilter,
    /// The benchmarks.
    pub benchmarks: NameFilter,
    /// By what rows are put in order, the first first; the best first if there is nothing.
    pub sort: Vec<BoardOrder>,
    /// What is shown of each system on each benchmark; the usual if there is nothing.
    pub fields: Vec<BoardField>,
    /// Whether only systems are shown that have a score on all benchmarks shown.
    pub complete: bool,
    /// Whether a row is a system or one run of it.
    pub shape: BoardShape,
    /// Puts the runs of one system, or those on one benchmark, together; each run has a row then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<BoardGrouping>,
    /// Whether systems are left out whose names say that they are deprecated.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub without_deprecated: bool,
    /// Further systems that are left out, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

/// What rows of runs stand together by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardGrouping {
    /// The system.
    System,
    /// The benchmark.
    Benchmark,
}

impl BoardGrouping {
    /// Both, with the names that they have in JSON.
    pub const ALL: [(BoardGrouping, &str); 2] =
        [(BoardGrouping::System, "system"), (BoardGrouping::Benchmark, "benchmark")];

    fn order(self) -> BoardOrder {
        let by = match self {
            BoardGrouping::System => BoardKey::System,
            BoardGrouping::Benchmark => BoardKey::Benchmark,
        };
        BoardOrder { by, descending: false }
    }
}

/// Whether a row is a system or one run of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardShape {
    /// A row for each system, with columns for each benchmark.
    #[default]
    Matrix,
    /// A row for each run.
    Rows,
}

/// What is shown of a system on a benchmark: `score`, `rank`, `interval`, `group`, or another score or count of the
/// measure by its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BoardField(pub String);

/// One thing that rows are put in order by. What is missing is last in either direction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardOrder {
    /// What.
    pub by: BoardKey,
    /// Whether the largest is first.
    pub descending: bool,
}

/// What rows can be put in order by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardKey {
    /// The name of the system.
    System,
    /// The name of the benchmark, with a row for each run.
    Benchmark,
    /// The mean over all benchmarks that are shown.
    Mean,
    /// A field on a benchmark; with a row for each run, on that of the row.
    Field {
        /// The benchmark; nothing with a row for each run.
        benchmark: Option<String>,
        /// The field.
        field: BoardField,
    },
}

impl BoardField {
    /// What is shown if nothing is chosen.
    pub const USUAL: [&'static str; 4] = ["rank", "score", "interval", "group"];

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }

    /// Whether less of it is better.
    pub fn is_better_small(&self) -> bool {
        matches!(self.name(), "rank" | "fp" | "fn") || self.name().starts_with("error=")
    }

    /// The number of a cell in this field, by which it is put in order.
    pub fn number(&self, cell: &BoardCell) -> Option<f64> {
        match self.name() {
            "score" => cell.value,
            "rank" => cell.rank.map(|rank| rank as f64),
            "interval" => cell.ci.map(|[low, high]| low - high),
            "group" => None,
            "tp" => named(cell, "tp").or_else(|| named(cell, "ptp")),
            name => named(cell, name),
        }
    }
}

fn named(cell: &BoardCell, name: &str) -> Option<f64> {
    cell.numbers.iter().find(|(known, _)| known == name).and_then(|(_, value)| *value)
}

impl From<&str> for BoardField {
    fn from(name: &str) -> BoardField {
        BoardField(name.to_owned())
    }
}

impl BoardAnswer {
    /// What a view shows of the board.
    pub fn viewed(&self, view: &BoardView) -> Result<BoardAnswer, Error> {
        let mut board = self.clone();
        self.check_fields(&view.fields)?;
        let is_shown = view.benchmarks.test()?;
        let shown: Vec<bool> = self.benchmarks.iter().map(|it| is_shown(&it.name)).collect();
        keep(&mut board.benchmarks, &shown);
        for row in &mut board.rows {
            keep(&mut row.cells, &shown);
            row.average();
        }
        let is_shown = view.systems.test()?;
        let columns = board.benchmarks.len();
        board.rows.retain(|row| {
            is_shown(&row.system)
                && row.scored >= if view.complete { columns } else { 0 }
                && !(view.without_deprecated && is_deprecated(&row.system))
                && !view.without.contains(&row.system)
        });
        board.left_out = self.rows.len() - board.rows.len();
        if !view.fields.is_empty() {
            board.fields.clone_from(&view.fields);
        } else if let labels @ [_, ..] = board.label_fields().as_slice() {
            // Parts were asked for, so they are shown, beside the score of the whole.
            let names = ["score".to_owned()].into_iter().chain(labels.iter().cloned());
            board.fields = names.map(BoardField).collect();
        } else if board.benchmarks.len() > NARROW && shape_of(view) == BoardShape::Matrix {
            // Many benchmarks are read for their scores; the rest of a cell is one click away.
            board.fields = vec![BoardField::from("score")];
        }
        board.sort.clone_from(&view.sort);
        board.group = view.group;
        board.shape = shape_of(view);
        board.put_in_order();
        Ok(board)
    }

    /// The board without some benchmarks, by name.
    pub fn without_benchmarks(&self, names: &[String]) -> BoardAnswer {
        let mut board = self.clone();
        let shown: Vec<bool> =
            self.benchmarks.iter().map(|column| !names.contains(&column.name)).collect();
        keep(&mut board.benchmarks, &shown);
        for row in &mut board.rows {
            keep(&mut row.cells, &shown);
            row.average();
        }
        let has_run = |cell: &BoardCell| cell.state != super::CellState::NoRun;
        board.rows.retain(|row| names.is_empty() || row.cells.iter().any(has_run));
        board
    }

    /// The fields that are scores of parts or rates of errors, as `type=PER`, in the order of their facet.
    pub fn label_fields(&self) -> Vec<String> {
        let names = self.further_fields().into_iter().filter(|name| name.contains('='));
        names.map(str::to_owned).collect()
    }

    fn check_fields(&self, fields: &[BoardField]) -> Result<(), Error> {
        let known = || BoardField::USUAL.into_iter().chain(self.further_fields()).chain(["tp"]);
        let unknown = fields.iter().find(|field| !known().any(|name| name == field.name()));
        match unknown {
            Some(field) if !self.rows.is_empty() => {
                Err(Error::unknown("column", field.name(), known()))
            }
            _ => Ok(()),
        }
    }

    fn put_in_order(&mut self) {
        let mut keys = match self.sort.as_slice() {
            [] => self.usual_order(),
            sort => sort.to_vec(),
        };
        if let Some(group) = self.group {
            keys.insert(0, group.order());
        }
        let mut rows = std::mem::take(&mut self.rows);
        // Names decide between equals, so that an order does not depend on the one before.
        rows.sort_by(|a, b| a.system.cmp(&b.system));
        self.rows = rows;
        match self.shape {
            BoardShape::Matrix => {
                let mut order: Vec<usize> = (0..self.rows.len()).collect();
                order.sort_by(|&a, &b| self.compare(&keys, [a, 0], [b, 0]));
                self.rows = order.into_iter().map(|at| self.rows[at].clone()).collect();
            }
            BoardShape::Rows => {
                let columns = self.benchmarks.len();
                let all = (0..self.rows.len())
                    .flat_map(|row| (0..columns).map(move |column| [row, column]));
                let has_run = |[row, column]: &[usize; 2]| {
                    self.rows[*row].cells[*column].state != super::CellState::NoRun
                };
                let mut runs: Vec<[usize; 2]> = all.filter(has_run).collect();
                runs.sort_by(|a, b| self.compare(&keys, *a, *b));
                self.runs = runs;
            }
        }
    }

    /// The best first: by the mean, then by the score on each benchmark.
    fn usual_order(&self) -> Vec<BoardOrder> {
        let score = |benchmark: Option<String>| BoardOrder {
            by: BoardKey::Field { benchmark, field: BoardField::from("score") },
            descending: true,
        };
        let mean = BoardOrder { by: BoardKey::Mean, descending: true };
        match self.shape {
            BoardShape::Matrix => {
                let each = self.benchmarks.iter().map(|column| score(Some(column.name.clone())));
                std::iter::once(mean).chain(each).collect()
            }
            BoardShape::Rows => {
                vec![BoardOrder { by: BoardKey::Benchmark, descending: false }, score(None)]
            }
        }
    }

    fn compare(&self, keys: &[BoardOrder], a: [usize; 2], b: [usize; 2]) -> Ordering {
        let each = keys.iter().map(|order| {
            let directed = |found: Ordering| if order.descending { found.reverse() } else { found };
            match &order.by {
                BoardKey::System => directed(self.rows[a[0]].system.cmp(&self.rows[b[0]].system)),
                BoardKey::Benchmark => directed(a[1].cmp(&b[1])),
                BoardKey::Mean => {
                    missing_last(self.rows[a[0]].mean, self.rows[b[0]].mean, directed)
                }
                BoardKey::Field { benchmark, field } => {
                    let number = |[row, column]: [usize; 2]| {
                        let column = match benchmark {
                            Some(name) => self.benchmarks.iter().position(|it| it.name == *name)?,
                            None => column,
                        };
                        field.number(self.rows[row].cells.get(column)?)
                    };
                    missing_last(number(a), number(b), directed)
                }
            }
        });
        each.fold(Ordering::Equal, Ordering::then)
    }
}

/// Runs that stand together have a row each.
fn shape_of(view: &BoardView) -> BoardShape {
    if view.group.is_some() { BoardShape::Rows } else { view.shape }
}

/// Whether a name says that the system should no longer be used, as ELEVANT's instances mark old runs.
fn is_deprecated(system: &str) -> bool {
    system.to_lowercase().contains("deprecated")
}

fn missing_last(
    a: Option<f64>,
    b: Option<f64>,
    directed: impl Fn(Ordering) -> Ordering,
) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => directed(a.total_cmp(&b)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
}

fn keep<T>(all: &mut Vec<T>, shown: &[bool]) {
    let mut place = 0;
    all.retain(|_| {
        place += 1;
        shown.get(place - 1) == Some(&true)
    });
}

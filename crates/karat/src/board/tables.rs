//! Boards as tables.

use super::answer::{BoardAnswer, BoardCell};
use super::view::{BoardField, BoardShape};
use karat_report::{Cell, Column, Table};

/// Scores get so many digits where people read them.
const DECIMALS: usize = 3;

/// For whom a table is made.
#[derive(Clone, Copy, PartialEq)]
enum For {
    /// Programs: all digits, the ends of intervals apart.
    Programs,
    /// A terminal.
    Terminals,
    /// A paper: letters of groups are raised marks.
    Papers,
}

/// Exactly the cells that are shown, with all their digits.
pub fn visible(board: &BoardAnswer) -> Table {
    table(board, For::Programs)
}

/// The same as people read it.
pub(super) fn printed(board: &BoardAnswer) -> Table {
    table(board, For::Terminals)
}

/// The same for a paper.
pub(super) fn paper(board: &BoardAnswer) -> Table {
    table(board, For::Papers)
}

fn table(board: &BoardAnswer, reader: For) -> Table {
    let fields: Vec<&BoardField> = board
        .fields
        .iter()
        .filter(|field| reader != For::Papers || field.name() != "group")
        .collect();
    let of_field = |prefix: &str| -> Vec<Column> {
        fields.iter().flat_map(|field| columns(board, field, prefix, reader)).collect()
    };
    let mut all = vec![Column::text("system")];
    if board.shape == BoardShape::Rows {
        all.push(Column::text("benchmark"));
        all.extend(of_field(""));
        let mut table = Table::new(all);
        for &[row, place] in &board.runs {
            let row = &board.rows[row];
            let names = [row.system.as_str(), board.benchmarks[place].name.as_str()];
            let cells =
                fields.iter().flat_map(|field| cells(board, field, &row.cells[place], reader));
            table.row(names.map(Cell::from).into_iter().chain(cells).collect::<Vec<_>>());
        }
        return table;
    }
    let several = board.benchmarks.len() > 1;
    for benchmark in &board.benchmarks {
        all.extend(of_field(if several { &benchmark.name } else { "" }));
    }
    if several {
        all.push(match reader {
            For::Programs => Column::exact("mean"),
            _ => Column::number("mean", DECIMALS),
        });
        all.push(Column::count("benchmarks"));
    }
    let mut table = Table::new(all);
    for row in &board.rows {
        let mut shown = vec![Cell::from(row.system.as_str())];
        for cell in &row.cells {
            shown.extend(fields.iter().flat_map(|field| cells(board, field, cell, reader)));
        }
        if several {
            shown.extend([Cell::from(row.mean), Cell::from(row.scored)]);
        }
        table.row(shown);
    }
    table
}

fn columns(board: &BoardAnswer, field: &BoardField, prefix: &str, reader: For) -> Vec<Column> {
    let named =
        |name: &str| if prefix.is_empty() { name.to_owned() } else { format!("{prefix} {name}") };
    let number = |name: &str| match reader {
        For::Programs => Column::exact(named(name)),
        _ => Column::number(named(name), decimals(field)),
    };
    match (field.name(), reader) {
        ("score", _) => vec![number(&board.score_title())],
        ("interval", For::Programs) => vec![number("low"), number("high")],
        ("interval", _) => vec![Column::text(named(&format!("{}%", board.level.unwrap_or(0.0))))],
        ("rank", For::Programs) => {
            ["rank", "rank low", "rank high"].map(|it| Column::count(named(it))).to_vec()
        }
        ("rank" | "group", _) => vec![Column::text(named(field.name()))],
        (name, _) => vec![number(name)],
    }
}

/// Counts have no decimals where people read them.
fn decimals(field: &BoardField) -> usize {
    if ["tp", "ptp", "rtp", "fp", "fn"].contains(&field.name()) { 0 } else { DECIMALS }
}

fn cells(board: &BoardAnswer, field: &BoardField, cell: &BoardCell, reader: For) -> Vec<Cell> {
    let has_groups = board.fields.iter().any(|field| field.name() == "group");
    match (field.name(), reader) {
        ("score", For::Papers) if has_groups && !cell.letters.is_empty() => {
            let marks = cell.letters.clone();
            vec![cell.value.map_or(Cell::Missing, |number| Cell::Marked { number, marks })]
        }
        ("interval", For::Programs) => match cell.ci {
            Some([low, high]) => vec![low.into(), high.into()],
            None => vec![Cell::Missing, Cell::Missing],
        },
        ("interval", _) => vec![cell.ci.map(interval).into()],
        ("rank", For::Programs) => {
            let [low, high] = cell.rank_ci.map_or([None; 2], |ends| ends.map(Some));
            vec![cell.rank.into(), low.into(), high.into()]
        }
        ("rank", _) => vec![cell.ranks().into()],
        ("group", _) => vec![Some(cell.letters.clone()).filter(|it| !it.is_empty()).into()],
        _ => vec![field.number(cell).into()],
    }
}

fn interval([low, high]: [f64; 2]) -> String {
    format!("{low:.DECIMALS$}–{high:.DECIMALS$}")
}

impl BoardCell {
    /// The ranks that it may have: `1–3`, or one where that is certain.
    pub fn ranks(&self) -> Option<String> {
        self.rank.map(|rank| match self.rank_ci {
            Some([low, high]) if low < high => format!("{low}–{high}"),
            Some([only, _]) => only.to_string(),
            None => rank.to_string(),
        })
    }
}

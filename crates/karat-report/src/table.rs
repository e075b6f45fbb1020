//! Rows and columns of values.

mod wire;

use crate::forms::{OutputForm, RenderOptions};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A table of values.
///
/// Serialised, a table keeps its types, so that a web page or a job on another machine can carry it and
/// print it later. (What programs want of a result is [`Table::json`], which has plain values.)
/// The shape is that of the types: columns in order, and each row as a list of cells, one for
/// each column. A cell is an object whose one key says what it is; one that is not defined is the
/// word `missing`. Numbers that are not finite are the words `inf`, `-inf` and `NaN`, as JSON has none for them.
///
/// ```
/// use karat_report::{Cell, Column, Table};
///
/// let mut table = Table::new([Column::text("system"), Column::number("F1", 3)]);
/// table.row([Cell::from("schwa"), Cell::from(0.70612)]);
/// table.row([Cell::from("empty"), Cell::Missing]);
/// table.detail("runs", 3);
/// let carried = serde_json::json!({
///     "columns": [
///         {"name": "system", "align": "left", "decimals": 0},
///         {"name": "F1", "align": "right", "decimals": 3},
///     ],
///     "rows": [
///         [{"text": "schwa"}, {"number": 0.70612}],
///         [{"text": "empty"}, "missing"],
///     ],
///     "details": {"1": {"runs": 3}},
/// });
/// assert_eq!(serde_json::to_value(&table)?, carried);
/// assert_eq!(serde_json::from_value::<Table>(carried)?, table);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "wire::Carried")]
pub struct Table {
    pub(crate) columns: Vec<Column>,
    /// Each has a cell for every column.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// What only JSON has, of the rows that have any.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) details: BTreeMap<usize, serde_json::Map<String, serde_json::Value>>,
}

/// What a column holds and how it is printed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Its heading, and its key in JSON.
    pub name: String,
    /// Where its values stand.
    pub align: Align,
    /// How many decimals its numbers get.
    pub decimals: usize,
    /// Whether its numbers are probabilities: one too small for the decimals is printed as such.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_probability: bool,
    /// Whether its numbers get all their digits.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_exact: bool,
}

/// Where values stand in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// At the left: words.
    Left,
    /// At the right: numbers.
    Right,
}

impl Column {
    /// A column of words.
    pub fn text(name: impl Into<String>) -> Column {
        Column::number(name, 0).aligned(Align::Left)
    }

    /// A column of counts.
    pub fn count(name: impl Into<String>) -> Column {
        Column::number(name, 0)
    }

    /// A column of numbers with so many decimals.
    pub fn number(name: impl Into<String>, decimals: usize) -> Column {
        Column {
            name: name.into(),
            align: Align::Right,
            decimals,
            is_probability: false,
            is_exact: false,
        }
    }

    /// A column of numbers with all their digits, for programs.
    pub fn exact(name: impl Into<String>) -> Column {
        Column { is_exact: true, ..Column::number(name, 0) }
    }

    /// A column of probabilities with so many decimals; those that would be printed as 0 are printed
    /// as below the last decimal.
    pub fn probability(name: impl Into<String>, decimals: usize) -> Column {
        Column { is_probability: true, ..Column::number(name, decimals) }
    }

    /// A column of intervals, or of several numbers, with so many decimals.
    pub fn numbers(name: impl Into<String>, decimals: usize) -> Column {
        Column::number(name, decimals).aligned(Align::Left)
    }

    fn aligned(self, align: Align) -> Column {
        Column { align, ..self }
    }
}

/// A value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Cell {
    /// Words.
    Text(String),
    /// A count.
    Count(u64),
    /// A number.
    Number(#[serde(with = "wire::number")] f64),
    /// A number with raised marks, as of what it is better than.
    Marked {
        /// The number.
        #[serde(with = "wire::number")]
        number: f64,
        /// The marks.
        marks: String,
    },
    /// A number that is printed with all its digits, whatever the column says.
    Exact(#[serde(with = "wire::number")] f64),
    /// From one number to another.
    Interval {
        /// The lower end.
        #[serde(with = "wire::number")]
        low: f64,
        /// The upper end.
        #[serde(with = "wire::number")]
        high: f64,
    },
    /// Numbers with names; `None` for what is not defined.
    Named(#[serde(with = "wire::named")] Vec<(String, Option<f64>)>),
    /// Words that are written in Markdown. Other forms show them as they are written.
    Markdown(String),
    /// Yes or no.
    Flag(bool),
    /// Not defined, or not known.
    Missing,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Cell {
        Cell::Text(text)
    }
}

impl From<usize> for Cell {
    fn from(count: usize) -> Cell {
        Cell::Count(count as u64)
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Cell {
        if number.is_nan() { Cell::Missing } else { Cell::Number(number) }
    }
}

impl From<bool> for Cell {
    fn from(flag: bool) -> Cell {
        Cell::Flag(flag)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Cell {
        value.map_or(Cell::Missing, Into::into)
    }
}

impl Cell {
    fn json(&self) -> serde_json::Value {
        match self {
            Cell::Text(text) | Cell::Markdown(text) => text.as_str().into(),
            Cell::Count(count) => (*count).into(),
            Cell::Number(number) | Cell::Marked { number, .. } | Cell::Exact(number) => {
                (*number).into()
            }
            Cell::Interval { low, high } => serde_json::json!([low, high]),
            Cell::Named(numbers) => {
                let numbers = numbers.iter().map(|(name, number)| (name.clone(), (*number).into()));
                numbers.collect::<serde_json::Map<_, _>>().into()
            }
            Cell::Flag(flag) => (*flag).into(),
            Cell::Missing => serde_json::Value::Null,
        }
    }

    /// The marks that stand raised after the value.
    pub fn marks(&self) -> Option<&str> {
        match self {
            Cell::Marked { marks, .. } => Some(marks),
            _ => None,
        }
    }

    /// The value as it is printed, with `missing` for what is not there, without its marks.
    pub fn printed(&self, column: &Column, missing: &str) -> String {
        match self {
            Cell::Text(text) | Cell::Markdown(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            // Rust rounds half to even on the exact value of the double, as the
            // tables of the literature were printed.
            Cell::Number(number) | Cell::Marked { number, .. } if column.is_exact => {
                number.to_string()
            }
            Cell::Number(number) | Cell::Marked { number, .. } => {
                let smallest = 10f64.powi(column.decimals as i32).recip();
                match column.is_probability && *number < smallest {
                    true => format!("<{smallest:.*}", column.decimals),
                    false => format!("{number:.*}", column.decimals),
                }
            }
            Cell::Exact(number) => number.to_string(),
            Cell::Interval { low, high } => {
                format!("{low:.*}–{high:.*}", column.decimals, column.decimals)
            }
            Cell::Named(numbers) => {
                let named = numbers.iter().map(|(name, number)| match number {
                    Some(number) if column.is_exact => format!("{name}={number}"),
                    Some(number) => format!("{name}={number:.*}", column.decimals),
                    None => format!("{name}=-"),
                });
                named.collect::<Vec<_>>().join(" ")
            }
            Cell::Flag(true) => "yes".to_owned(),
            Cell::Flag(false) => String::new(),
            Cell::Missing => missing.to_owned(),
        }
    }
}

impl Table {
    /// An empty table.
    pub fn new(columns: impl IntoIterator<Item = Column>) -> Table {
        Table { columns: columns.into_iter().collect(), ..Table::default() }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().collect();
        cells.resize(self.columns.len(), Cell::Missing);
        self.rows.push(cells);
    }

    /// Adds to the last row what only programs want: JSON has it under this key, beside the columns.
    pub fn detail(&mut self, key: &str, value: impl Into<serde_json::Value>) {
        if let Some(last) = self.rows.len().checked_sub(1) {
            self.details.entry(last).or_default().insert(key.to_owned(), value.into());
        }
    }

    /// What only programs want of the row at this position, if there is anything.
    pub fn details(&self, at: usize) -> Option<&serde_json::Map<String, serde_json::Value>> {
        self.details.get(&at)
    }

    /// Tables as one with a row for each number, for programs that read one table: which table it is
    /// in, what its row says in the columns `keys`, the name of its column, and the number with all its digits.
    pub fn in_rows(tables: &[(&str, &Table)], keys: &[&str]) -> Table {
        let heads = ["table"].into_iter().chain(keys.iter().copied()).chain(["number"]);
        let mut rows = Table::new(heads.map(Column::text).chain([Column::exact("value")]));
        for (name, table) in tables {
            let place = |key: &&str| table.columns.iter().position(|column| column.name == **key);
            let places: Vec<Option<usize>> = keys.iter().map(place).collect();
            let numbers = || (0..table.columns.len()).filter(|at| !places.contains(&Some(*at)));
            for row in &table.rows {
                for at in numbers() {
                    let key =
                        |place: &Option<usize>| place.map_or(Cell::Missing, |at| row[at].clone());
                    let head = std::iter::once(Cell::from(*name)).chain(places.iter().map(key));
                    let number = [Cell::from(table.columns[at].name.as_str()), row[at].clone()];
                    rows.row(head.chain(number));
                }
            }
        }
        rows
    }

    /// The table alone in this form; `width` is that of the terminal, for text.
    pub fn render(&self, form: &dyn OutputForm, width: Option<u16>) -> String {
        form.table(self, &RenderOptions { width })
    }

    /// The rows as JSON objects, with full precision.
    pub fn json(&self) -> serde_json::Value {
        let objects = (0..self.rows.len()).map(|at| serde_json::Value::Object(self.object(at)));
        objects.collect::<Vec<_>>().into()
    }

    /// A row as a JSON object: its columns, then the details that are not called like one of them.
    pub(crate) fn object(&self, at: usize) -> serde_json::Map<String, serde_json::Value> {
        let cells = self.columns.iter().zip(&self.rows[at]);
        let mut object: serde_json::Map<_, _> =
            cells.map(|(column, cell)| (column.name.clone(), cell.json())).collect();
        for (key, value) in self.details.get(&at).into_iter().flatten() {
            object.entry(key).or_insert_with(|| value.clone());
        }
        object
    }

    /// What the columns hold.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The rows, each with a cell for every column.
    pub fn rows(&self) -> impl Iterator<Item = &[Cell]> {
        self.rows.iter().map(Vec::as_slice)
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::forms::TSV;

    #[test]
    fn tables_of_several_kinds_are_one_in_rows() {
        let mut scores = Table::new([Column::text("system"), Column::number("F1", 1)]);
        scores.row([Cell::from("a"), Cell::from(0.125)]);
        let mut sizes = Table::new([Column::count("queries"), Column::count("left")]);
        sizes.row([Cell::Count(10), Cell::Count(2)]);
        let tables = [("scores", &scores), ("sizes", &sizes)];
        let shown = Table::in_rows(&tables, &["system", "queries"]).render(TSV, None);
        let expected = [
            "table\tsystem\tqueries\tnumber\tvalue",
            "scores\ta\t\tF1\t0.125",
            "sizes\t\t10\tleft\t2",
        ];
        assert_eq!(shown.lines().collect::<Vec<_>>(), expected);
    }
}

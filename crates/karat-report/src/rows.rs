//! A table as rows of JSON, and back.

use crate::table::{Cell, Column, Table};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The rows of a table as a record: an object for each row, and what its columns are.
///
/// This is how answers hold tables. A program reads `rows` and finds every value under the name of its column, with
/// what tables have no room for beside it. Whoever shows the answer makes the table again.
///
/// ```
/// use karat_report::{Cell, Column, RowsRecord, Table};
///
/// let mut table = Table::new([Column::text("system"), Column::number("F1", 3)]);
/// table.row([Cell::from("schwa"), Cell::from(0.70612)]);
/// let record = RowsRecord::from(&table);
/// assert_eq!(record.rows[0]["F1"], 0.70612);
/// assert_eq!(record.table(), table);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RowsRecord {
    /// An object for each row.
    pub rows: Vec<Map<String, Value>>,
    /// The columns of the table, in order.
    pub columns: Vec<Column>,
}

impl From<&Table> for RowsRecord {
    fn from(table: &Table) -> RowsRecord {
        let rows = match table.json() {
            Value::Array(rows) => rows,
            _ => Vec::new(),
        };
        let object = |row: Value| match row {
            Value::Object(object) => object,
            _ => Map::new(),
        };
        RowsRecord {
            rows: rows.into_iter().map(object).collect(),
            columns: table.columns().to_vec(),
        }
    }
}

impl RowsRecord {
    /// The table of the rows.
    pub fn table(&self) -> Table {
        let mut table = Table::new(self.columns.iter().cloned());
        for row in &self.rows {
            let value = |column: &Column| row.get(&column.name).map_or(Cell::Missing, cell);
            table.row(self.columns.iter().map(value));
            // What is no column is a detail: it is in JSON only and must come back to the same row.
            let is_detail = |key: &String| self.columns.iter().all(|column| column.name != *key);
            for (key, value) in row.iter().filter(|(key, _)| is_detail(key)) {
                table.detail(key, value.clone());
            }
        }
        table
    }
}

/// Holds a table in an answer and spells it as [`RowsRecord`] does: for `#[serde(with = "as_rows")]`.
///
/// A list may have a million rows. Whoever wants it as text should not wait for a million objects, so they are made
/// only where the answer is written as JSON.
///
/// ```
/// use karat_report::{Cell, Column, Table, as_rows};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize)]
/// struct Listed {
///     #[serde(flatten, with = "as_rows")]
///     table: Table,
/// }
///
/// let mut table = Table::new([Column::text("system"), Column::count("errors")]);
/// table.row([Cell::from("schwa"), Cell::from(3)]);
/// let listed = Listed { table };
/// let json = serde_json::to_value(&listed)?;
/// assert_eq!(json["rows"][0]["errors"], 3);
/// assert_eq!(serde_json::from_value::<Listed>(json)?, listed);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub mod as_rows {
    use super::RowsRecord;
    use crate::table::{Column, Table};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Serialize)]
    struct Written<'t> {
        rows: Objects<'t>,
        columns: &'t [Column],
    }

    struct Objects<'t>(&'t Table);

    impl Serialize for Objects<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            // Row by row into the serializer, as all rows as JSON values would take several times
            // the memory of the table.
            serializer.collect_seq((0..self.0.len()).map(|at| self.0.object(at)))
        }
    }

    /// Writes a table as an object for each row, and its columns.
    pub fn serialize<S: Serializer>(table: &Table, serializer: S) -> Result<S::Ok, S::Error> {
        Written { rows: Objects(table), columns: table.columns() }.serialize(serializer)
    }

    /// Reads it back.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Table, D::Error> {
        Ok(RowsRecord::deserialize(deserializer)?.table())
    }
}

/// The cell that a value was made from.
fn cell(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Missing,
        Value::Bool(flag) => Cell::Flag(*flag),
        Value::String(text) => Cell::Text(text.clone()),
        // Whole numbers become counts. The column knows how many decimals are shown, so that
        // nothing is lost.
        Value::Number(number) => match number.as_u64() {
            Some(count) => Cell::Count(count),
            None => number.as_f64().map_or(Cell::Missing, Cell::Number),
        },
        Value::Array(ends) => match ends.as_slice() {
            [low, high] => match (low.as_f64(), high.as_f64()) {
                (Some(low), Some(high)) => Cell::Interval { low, high },
                _ => Cell::Missing,
            },
            _ => Cell::Missing,
        },
        Value::Object(numbers) => {
            let numbers = numbers.iter().map(|(name, number)| (name.clone(), number.as_f64()));
            Cell::Named(numbers.collect())
        }
    }
}

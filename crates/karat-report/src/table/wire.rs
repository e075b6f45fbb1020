//! How a table is carried from one machine to another.

use super::{Cell, Column, Table};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;

/// A table as it was carried, which somebody else may have written.
#[derive(Debug, Deserialize)]
pub(super) struct Carried {
    columns: Vec<Column>,
    rows: Vec<Vec<Cell>>,
    #[serde(default)]
    details: BTreeMap<usize, serde_json::Map<String, serde_json::Value>>,
}

/// Why what was carried is no table. Rows are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CarriedError {
    /// A row has another number of cells than there are columns.
    Width { at: usize, cells: usize, width: usize },
    /// There are details of a row that is not there.
    Details { at: usize },
}

impl fmt::Display for CarriedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CarriedError::Width { at, cells, width } => {
                write!(f, "row {at} of the table does not fit: {cells} of {width} cells")
            }
            CarriedError::Details { at } => {
                write!(f, "there are details of row {at}, which is not there")
            }
        }
    }
}

impl std::error::Error for CarriedError {}

impl TryFrom<Carried> for Table {
    type Error = CarriedError;

    fn try_from(carried: Carried) -> Result<Table, CarriedError> {
        let Carried { columns, rows, details } = carried;
        let width = columns.len();
        // A table from elsewhere may be anything; code that draws it relies on rows of equal width.
        if let Some((at, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != width) {
            return Err(CarriedError::Width { at: at + 1, cells: row.len(), width });
        }
        match details.last_key_value().filter(|(at, _)| **at >= rows.len()) {
            Some((at, _)) => Err(CarriedError::Details { at: at + 1 }),
            None => Ok(Table { columns, rows, details }),
        }
    }
}

/// A number that may not be finite.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Number {
    Finite(f64),
    Word(String),
}

impl Number {
    fn value<E: serde::de::Error>(self) -> Result<f64, E> {
        match self {
            Number::Finite(number) => Ok(number),
            Number::Word(word) => word
                .parse()
                .ok()
                // A finite number in quotes is refused: there must be one way to write each value,
                // or equal tables would differ in bytes.
                .filter(|number: &f64| !number.is_finite())
                .ok_or_else(|| E::custom(format!("`{word}` is no number"))),
        }
    }
}

/// JSON has no infinity and would write `null`, which is no number any more when it is read.
pub(super) mod number {
    use super::Number;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
        match number.is_finite() {
            true => to.serialize_f64(*number),
            false => to.serialize_str(&number.to_string()),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Number::deserialize(from)?.value()
    }
}

/// Numbers with names, as pairs: they have an order.
pub(super) mod named {
    use super::Number;
    use serde::ser::SerializeSeq;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    struct Carried(f64);

    impl Serialize for Carried {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            super::number::serialize(&self.0, to)
        }
    }

    pub(crate) fn serialize<S: Serializer>(
        numbers: &[(String, Option<f64>)],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut pairs = to.serialize_seq(Some(numbers.len()))?;
        for (name, number) in numbers {
            pairs.serialize_element(&(name, number.map(Carried)))?;
        }
        pairs.end()
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<(String, Option<f64>)>, D::Error> {
        let pairs = Vec::<(String, Option<Number>)>::deserialize(from)?;
        let value = |(name, number): (String, Option<Number>)| {
            Ok((name, number.map(Number::value).transpose()?))
        };
        pairs.into_iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_cell_comes_back_as_it_was() {
        let cells = [
            Cell::from("a"),
            Cell::Count(3),
            Cell::Number(0.1),
            Cell::Number(f64::NEG_INFINITY),
            Cell::Marked { number: 0.5, marks: "a,b".to_owned() },
            Cell::Exact(0.062_5),
            Cell::Interval { low: 0.25, high: f64::INFINITY },
            Cell::Named(vec![
                ("a".to_owned(), Some(0.5)),
                ("b".to_owned(), None),
                ("c".to_owned(), Some(f64::INFINITY)),
            ]),
            Cell::Markdown("*a*".to_owned()),
            Cell::Flag(true),
            Cell::Missing,
        ];
        let mut table = Table::new([Column::probability("p", 2), Column::exact("value")]);
        for cell in cells {
            table.row([cell]);
        }
        let carried = serde_json::to_string(&table).unwrap();
        assert_eq!(serde_json::from_str::<Table>(&carried).unwrap(), table, "{carried}");
    }

    #[test]
    fn a_table_that_does_not_fit_its_columns_is_refused() {
        let carried =
            r#"{"columns":[{"name":"a","align":"left","decimals":0}],"rows":[["missing"],[]]}"#;
        let error = serde_json::from_str::<Table>(carried).unwrap_err().to_string();
        assert_eq!(error, "row 2 of the table does not fit: 0 of 1 cells");
        let carried = r#"{"columns":[],"rows":[[]],"details":{"1":{}}}"#;
        let error = serde_json::from_str::<Table>(carried).unwrap_err().to_string();
        assert_eq!(error, "there are details of row 2, which is not there");
        let carried = r#"{"number":"many"}"#;
        let error = serde_json::from_str::<Cell>(carried).unwrap_err().to_string();
        assert_eq!(error, "`many` is no number");
    }
}

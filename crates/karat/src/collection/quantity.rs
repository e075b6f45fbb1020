//! How many queries or documents are meant.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A number of queries or documents, or a share of those there are: `100` or `5%`.
///
/// In JSON a number is a number, and a share is a string.
///
/// ```
/// use karat::collection::Quantity;
///
/// assert_eq!("5%".parse::<Quantity>()?.of(200), 10);
/// assert_eq!(serde_json::to_string(&[Quantity::Number(7), Quantity::Percent(2.5)])?, r#"[7,"2.5%"]"#);
/// assert_eq!(serde_json::from_str::<Quantity>("\"2.5%\"")?, Quantity::Percent(2.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "QuantityRecord", into = "QuantityRecord")]
pub enum Quantity {
    /// So many.
    Number(u64),
    /// So many of a hundred.
    Percent(f64),
}

/// What is neither a number nor a share.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a number of queries such as 100, or a share such as 5%")]
pub struct QuantityError;

impl Quantity {
    /// How many of so many.
    pub fn of(self, all: u64) -> u64 {
        match self {
            Quantity::Number(number) => number,
            Quantity::Percent(percent) => (percent / 100.0 * all as f64).round() as u64,
        }
    }
}

impl FromStr for Quantity {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Quantity, QuantityError> {
        let text = text.trim();
        let Some(percent) = text.strip_suffix('%') else {
            return text.parse().map(Quantity::Number).map_err(|_| QuantityError);
        };
        let percent = percent.trim().parse().ok();
        // The range refuses NaN too, which is in no range.
        let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
        percent.map(Quantity::Percent).ok_or(QuantityError)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Number(number) => write!(f, "{number}"),
            Quantity::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "expected a number such as 100, or a share such as \"5%\"")]
enum QuantityRecord {
    Number(u64),
    Share(String),
}

impl From<Quantity> for QuantityRecord {
    fn from(quantity: Quantity) -> QuantityRecord {
        match quantity {
            Quantity::Number(number) => QuantityRecord::Number(number),
            share @ Quantity::Percent(_) => QuantityRecord::Share(share.to_string()),
        }
    }
}

impl TryFrom<QuantityRecord> for Quantity {
    type Error = QuantityError;

    fn try_from(record: QuantityRecord) -> Result<Quantity, QuantityError> {
        match record {
            QuantityRecord::Number(number) => Ok(Quantity::Number(number)),
            QuantityRecord::Share(share) => share.parse(),
        }
    }
}

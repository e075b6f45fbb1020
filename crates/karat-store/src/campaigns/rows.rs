//! The rows of a campaign that do not change while people judge.

use crate::sql::{Columns, Stored};
use crate::{Result, StoreError};
use karat_verify::life::CampaignState;
use karat_verify::{CampaignSettings, LinkTarget};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// A campaign.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CampaignRow {
    /// Its number.
    pub id: i64,
    /// Its name in addresses and commands.
    pub name: String,
    /// Its title.
    pub title: String,
    /// `verify`.
    pub kind: String,
    /// Where it is in its life.
    #[schema(value_type = String)]
    pub state: CampaignState,
    /// Where it was when it was paused.
    #[schema(value_type = Option<String>)]
    pub paused_in: Option<CampaignState>,
    /// Why it was paused.
    pub paused_why: Option<String>,
    /// What its organiser decided.
    #[schema(value_type = Object)]
    pub settings: CampaignSettings,
    /// A digest of the gold it is about.
    pub base_digest: String,
    /// A digest of the knowledge base behind its links; empty if there is none.
    pub kb_digest: String,
    /// The digest of the settings that were frozen at the opening.
    pub frozen: Option<String>,
    /// The digest of the results that were frozen at the end.
    pub result_digest: Option<String>,
    /// When it was made.
    pub created: i64,
    /// When it was opened.
    pub opened: Option<i64>,
    /// When it was closed.
    pub closed: Option<i64>,
    /// How often it was changed.
    pub version: i64,
}

impl CampaignRow {
    /// What the audit calls it.
    pub fn object(&self) -> String {
        super::life::object(self.id)
    }
}

/// The columns of [`CampaignRow`], in order.
macro_rules! campaign_columns {
    ($rest:literal) => {
        concat!(
            "SELECT id, name, title, kind, state, paused_in, paused_why, settings, base_digest, kb_digest, \
             frozen, result_digest, created, opened, closed, version FROM campaign ",
            $rest
        )
    };
}
pub(crate) use campaign_columns;

impl Stored for CampaignRow {
    fn read(columns: &mut Columns) -> Result<CampaignRow> {
        Ok(CampaignRow {
            id: columns.take()?,
            name: columns.take()?,
            title: columns.take()?,
            kind: columns.take()?,
            state: word(&columns.take::<String>()?, "state of a campaign")?,
            paused_in: columns
                .take::<Option<String>>()?
                .map(|text| word(&text, "state of a campaign"))
                .transpose()?,
            paused_why: columns.take()?,
            settings: json(&columns.take::<String>()?, "settings of a campaign")?,
            base_digest: columns.take()?,
            kb_digest: columns.take()?,
            frozen: columns.take()?,
            result_digest: columns.take()?,
            created: columns.take()?,
            opened: columns.take()?,
            closed: columns.take()?,
            version: columns.take()?,
        })
    }
}

/// A chunk of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TextRow {
    /// Its number.
    pub id: i64,
    /// Its place in the plan.
    pub n: i64,
    /// The document.
    pub document: String,
    /// The benchmark of the document.
    pub dataset: String,
    /// Where it begins in the document, in code points.
    pub start: i64,
    /// Where it ends.
    pub end: i64,
    /// Its words.
    pub words: String,
}

impl Stored for TextRow {
    fn read(columns: &mut Columns) -> Result<TextRow> {
        Ok(TextRow {
            id: columns.take()?,
            n: columns.take()?,
            document: columns.take()?,
            dataset: columns.take()?,
            start: columns.take()?,
            end: columns.take()?,
            words: columns.take()?,
        })
    }
}

/// What is judged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ItemRow {
    /// Its number.
    pub id: i64,
    /// Its place in the plan.
    pub n: i64,
    /// The number of its text.
    pub text: i64,
    /// Where it begins in the document, in code points.
    pub start: i64,
    /// Where it ends.
    pub end: i64,
    /// What it is said to mean.
    #[schema(value_type = String)]
    pub link: LinkTarget,
    /// `real`, `control`, `repeat` or `practice`.
    pub kind: String,
    /// Its stratum.
    pub stratum: String,
    /// The chance with which it was drawn.
    pub probability: f64,
    /// For how many items it stands.
    pub weight: f64,
}

impl Stored for ItemRow {
    fn read(columns: &mut Columns) -> Result<ItemRow> {
        Ok(ItemRow {
            id: columns.take()?,
            n: columns.take()?,
            text: columns.take()?,
            start: columns.take()?,
            end: columns.take()?,
            link: LinkTarget::from(columns.take::<String>()?),
            kind: columns.take()?,
            stratum: columns.take()?,
            probability: columns.take()?,
            weight: columns.take()?,
        })
    }
}

/// What a person gets at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskRow {
    /// Its number.
    pub id: i64,
    /// Its place in the plan.
    pub n: i64,
    /// The number of its text.
    pub text: i64,
    /// `main`, `more`, `control`, `practice` or `repeat`.
    pub purpose: String,
    /// Lower numbers are given out first.
    pub priority: i64,
    /// Decides among tasks of one priority; see `ordered`.
    pub shuffle: i64,
    /// The source, where a task is a pair of text and source.
    pub source: Option<String>,
}

impl Stored for TaskRow {
    fn read(columns: &mut Columns) -> Result<TaskRow> {
        Ok(TaskRow {
            id: columns.take()?,
            n: columns.take()?,
            text: columns.take()?,
            purpose: columns.take()?,
            priority: columns.take()?,
            shuffle: columns.take()?,
            source: columns.take()?,
        })
    }
}

/// A value that serde writes as one word.
pub(crate) fn word<T: DeserializeOwned>(text: &str, what: &'static str) -> Result<T> {
    serde_json::from_value(serde_json::Value::String(text.to_owned()))
        .map_err(|_| StoreError::Malformed(what))
}

/// The word that serde writes for a value.
pub(crate) fn worded<T: Serialize>(value: &T) -> Result<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => Ok(text),
        _ => Err(StoreError::Malformed("a value that is not one word")),
    }
}

pub(crate) fn json<T: DeserializeOwned>(text: &str, what: &'static str) -> Result<T> {
    serde_json::from_str(text).map_err(|_| StoreError::Malformed(what))
}

pub(crate) fn as_json<T: Serialize>(value: &T) -> Result<String> {
    serde_json::to_string(value)
        .map_err(|_| StoreError::Malformed("a record that cannot be written as JSON"))
}

/// A number without a sign as a column: the order stays the same, and [`unordered`] takes it back.
pub(crate) fn ordered(number: u64) -> i64 {
    (number ^ (1 << 63)).cast_signed()
}

pub(crate) fn unordered(column: i64) -> u64 {
    column.cast_unsigned() ^ (1 << 63)
}

/// A count as a column.
pub(crate) fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A column that is a place.
pub(crate) fn place(column: i64) -> Result<usize> {
    usize::try_from(column).map_err(|_| StoreError::Malformed("a place under zero"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_without_a_sign_keep_their_order() {
        let numbers = [0, 1, 1 << 62, (1 << 63) - 1, 1 << 63, u64::MAX];
        let columns = numbers.map(ordered);
        assert!(columns.is_sorted());
        assert_eq!(columns.map(unordered), numbers);
    }
}

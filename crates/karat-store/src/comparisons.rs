//! Tests of two systems by their key.

use crate::sql::{Arg, Bulk, Columns, Stored, args};
use crate::{Result, Store};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// What was noted as asked for within this time is not noted again, in milliseconds: a day.
const NOTED: i64 = 24 * 3600 * 1000;

/// A comparison that is kept, or to be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparisonRow {
    /// The digest of everything it depends on.
    pub key: String,
    /// What is compared, as a JSON list of digests in their order.
    pub evaluations: String,
    /// How they were compared, for people who look into the database.
    pub settings: String,
    /// What came out, as JSON.
    pub body: String,
}

/// What is read of one: its key, what came out, and when it was last asked for.
struct Kept {
    body: String,
    asked: i64,
}

impl Stored for Kept {
    fn read(columns: &mut Columns) -> Result<Kept> {
        Ok(Kept { body: columns.take()?, asked: columns.take()? })
    }
}

impl Store {
    /// Keeps comparisons; those that are there already are left as they are.
    pub async fn keep_comparisons(&self, rows: &[ComparisonRow]) -> Result<()> {
        let now = self.now();
        let mut values: Vec<Arg<'_>> = Vec::with_capacity(6 * rows.len());
        for row in rows {
            values.extend(args![&row.key, &row.evaluations, &row.settings, now, now, &row.body]);
        }
        let mut act = self.write().await?;
        act.insert(&COMPARISONS, &values).await?;
        act.commit().await
    }

    /// What came out of these comparisons, in the order of their keys, as far as they are kept. It is noted that
    /// they were asked for, so that they are not swept away.
    pub async fn comparisons(&self, keys: &[String]) -> Result<Vec<Option<String>>> {
        let (now, mut found, mut stale) = (self.now(), Vec::with_capacity(keys.len()), Vec::new());
        let mut read = self.read().await?;
        for key in keys {
            let sql = "SELECT body, asked FROM comparison WHERE key = $1";
            let kept: Option<Kept> = read.one(sql, args![key]).await?;
            if kept.as_ref().is_some_and(|kept| kept.asked < now - NOTED) {
                stale.push(key);
            }
            found.push(kept.map(|kept| kept.body));
        }
        drop(read);
        if !stale.is_empty() {
            let mut act = self.write().await?;
            for key in stale {
                act.run("UPDATE comparison SET asked = $2 WHERE key = $1", args![key, now]).await?;
            }
            act.commit().await?;
        }
        Ok(found)
    }

    /// How many comparisons are kept.
    pub async fn number_of_comparisons(&self) -> Result<usize> {
        let number = self.read().await?.number("SELECT COUNT(*) FROM comparison", args![]).await?;
        Ok(usize::try_from(number).unwrap_or_default())
    }
}

static COMPARISONS: LazyLock<Bulk> = LazyLock::new(|| {
    let head = "INSERT INTO comparison (key, evaluations, settings, made, asked, body)";
    Bulk::new(head, 6, "ON CONFLICT (key) DO NOTHING")
});

//! Comparisons by their key.

use crate::sql::{Access, Columns, Stored, args};
use crate::{Result, Store};
use serde::{Deserialize, Serialize};

/// A comparison that is kept, or to be kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparisonRow {
    /// The digest of everything it depends on.
    pub key: String,
    /// The keys of the evaluations, as a JSON list in their order.
    pub evaluations: String,
    /// How they were compared.
    pub settings: String,
    /// What came out, as JSON.
    pub body: String,
}

impl Stored for ComparisonRow {
    fn read(columns: &mut Columns) -> Result<ComparisonRow> {
        Ok(ComparisonRow {
            key: columns.take()?,
            evaluations: columns.take()?,
            settings: columns.take()?,
            body: columns.take()?,
        })
    }
}

impl Store {
    /// Keeps a comparison; one that is there already is left as it is.
    pub async fn keep_comparison(&self, row: &ComparisonRow) -> Result<()> {
        let mut act = self.write().await?;
        put(&mut act, row, self.now()).await?;
        act.commit().await
    }

    /// A comparison by its key, if it is kept.
    pub async fn comparison(&self, key: &str) -> Result<Option<ComparisonRow>> {
        let sql = "SELECT key, evaluations, settings, body FROM comparison WHERE key = $1";
        self.read().await?.one(sql, args![key]).await
    }
}

/// Keeps a comparison within a transaction.
pub(crate) async fn put(act: &mut Access, row: &ComparisonRow, now: i64) -> Result<()> {
    let sql = "INSERT INTO comparison (key, evaluations, settings, made, asked, body) \
               VALUES ($1, $2, $3, $4, $4, $5) ON CONFLICT (key) DO UPDATE SET asked = $4";
    act.run(sql, args![&row.key, &row.evaluations, &row.settings, now, &row.body]).await?;
    Ok(())
}

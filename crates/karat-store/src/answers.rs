//! Answers to requests by their key.

use crate::sql::args;
use crate::{Result, Store, StoreError};

/// What was noted as asked for within this time is not noted again, in milliseconds: a day.
const NOTED: i64 = 24 * 3600 * 1000;

impl Store {
    /// Keeps an answer under the digest of everything it depends on; one that is there already is left as it is.
    /// `request` names the kind of request, for people who look into the database.
    pub async fn keep_answer(&self, key: &str, request: &str, body: &[u8]) -> Result<()> {
        let packed = zstd::bulk::compress(body, 3).map_err(StoreError::Frame)?;
        let sql = "INSERT INTO answer (key, request, body, made, asked) \
                   VALUES ($1, $2, $3, $4, $4) ON CONFLICT (key) DO NOTHING";
        let mut act = self.write().await?;
        act.run(sql, args![key, request, &packed[..], self.now()]).await?;
        act.commit().await
    }

    /// An answer by its key, if it is kept. It is noted that it was asked for, so that it is not swept away.
    pub async fn answer(&self, key: &str) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT body, asked FROM answer WHERE key = $1";
        let found: Option<(Vec<u8>, i64)> = self.read().await?.one(sql, args![key]).await?;
        let Some((packed, asked)) = found else { return Ok(None) };
        let now = self.now();
        if asked < now - NOTED {
            let mut act = self.write().await?;
            act.run("UPDATE answer SET asked = $2 WHERE key = $1", args![key, now]).await?;
            act.commit().await?;
        }
        Ok(Some(zstd::decode_all(&*packed).map_err(StoreError::Frame)?))
    }
}

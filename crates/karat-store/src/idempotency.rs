//! Requests that are sent again and done once.
//!
//! Who sends a request with a key gets, for a day, the first answer again for the same request.
//! Another request with the same key is refused, and so is the same one while the first runs. The
//! answer is written in the transaction of what was done ([`crate::Submission::once`]), so that
//! there is never one without the other.

use crate::sql::{Access, args};
use crate::{Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// How long an answer is kept, in milliseconds: a day.
pub const ONCE_KEPT: i64 = 24 * 3600 * 1000;
/// A request that has no answer after so long has died with its server, in milliseconds.
const DEAD: i64 = 120 * 1000;

/// Who sent which key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnceKey {
    /// The id of the person.
    pub who: String,
    /// The key of the request.
    pub key: String,
}

/// A request that has begun. Only this attempt can answer or forget it, not an earlier one with
/// the same key that was taken for dead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OnceBegun {
    /// The id of the person.
    pub who: String,
    /// The key of the request.
    pub key: String,
    /// When this attempt began.
    pub began: i64,
}

/// What to do with a request that has a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Once {
    /// It is new: do it, then say how it ended.
    Do(OnceBegun),
    /// It was done: give this answer again.
    Again {
        /// The status of the answer.
        status: u16,
        /// The body of the answer.
        body: String,
    },
}

impl Store {
    /// Begins a request, whose digest tells it from others with the same key.
    pub async fn begin_once(&self, once: &OnceKey, request: &str) -> Result<Once> {
        let now = self.now();
        let mut act = self.write().await?;
        let OnceKey { who, key } = once;
        let gone = "DELETE FROM idempotency WHERE who = $1 AND key = $2 \
                    AND (until < $3 OR (status IS NULL AND began < $4))";
        act.run(gone, args![who, key, now, now - DEAD]).await?;
        let sql = "INSERT INTO idempotency (who, key, request, body, began, until) \
                   VALUES ($1, $2, $3, '', $4, $5) ON CONFLICT (who, key) DO NOTHING";
        if act.run(sql, args![who, key, request, now, now + ONCE_KEPT]).await? == 1 {
            act.commit().await?;
            return Ok(Once::Do(OnceBegun { who: who.clone(), key: key.clone(), began: now }));
        }
        let sql = "SELECT request, status, body FROM idempotency WHERE who = $1 AND key = $2";
        let row: Option<(String, Option<i64>, String)> = act.one(sql, args![who, key]).await?;
        match row {
            Some((first, _, _)) if first != request => Err(StoreError::KeyReused(key.clone())),
            Some((_, Some(status), body)) => {
                let status = u16::try_from(status).unwrap_or(500);
                Ok(Once::Again { status, body })
            }
            _ => Err(StoreError::StillRunning(key.clone())),
        }
    }

    /// Keeps the answer to a request that changed nothing else, such as a refusal.
    pub async fn end_once(&self, once: &OnceBegun, status: u16, body: &str) -> Result<()> {
        let mut act = self.write().await?;
        answer(&mut act, once, status, body).await?;
        act.commit().await
    }

    /// Forgets a request that came to nothing, so that it can be tried again at once.
    pub async fn forget_once(&self, once: &OnceBegun) -> Result<()> {
        let mut act = self.write().await?;
        let sql = "DELETE FROM idempotency WHERE who = $1 AND key = $2 AND began = $3 \
                   AND status IS NULL";
        act.run(sql, args![&once.who, &once.key, once.began]).await?;
        act.commit().await
    }
}

/// Keeps an answer within a transaction. Whoever took so long that the request began anew is
/// refused, and what was done with it.
pub(crate) async fn answer(
    act: &mut Access,
    once: &OnceBegun,
    status: u16,
    body: &str,
) -> Result<()> {
    let sql = "UPDATE idempotency SET status = $3, body = $4 \
               WHERE who = $1 AND key = $2 AND began = $5 AND status IS NULL";
    let values = args![&once.who, &once.key, i64::from(status), body, once.began];
    if act.run(sql, values).await? == 0 {
        return Err(StoreError::not_found("request", &once.key));
    }
    Ok(())
}

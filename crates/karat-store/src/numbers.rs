//! Numbers that are ids. A store takes them from the database a block at a time, so that those who write need not wait for
//! each other over one row.

use crate::sql::{Access, args};
use crate::{Result, Store, StoreError};
use std::ops::Range;
use std::sync::Arc;
use tokio::sync::Mutex;

/// So many numbers are taken at once.
const BLOCK: i64 = 1000;

/// The numbers that a store has taken and not given out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers(Arc<Mutex<Range<i64>>>);

impl Store {
    /// So many numbers in a row. Not to be called within a transaction: see [`numbers_within`].
    pub(crate) async fn numbers(&self, many: i64) -> Result<Range<i64>> {
        let mut rest = self.numbers.0.lock().await;
        if rest.end - rest.start < many {
            let mut act = self.write().await?;
            *rest = numbers_within(&mut act, many.max(BLOCK)).await?;
            act.commit().await?;
        }
        let first = rest.start;
        rest.start += many;
        Ok(first..first + many)
    }
}

/// So many numbers in a row, within a transaction. Others wait for its end if they need a new block.
pub(crate) async fn numbers_within(act: &mut Access, many: i64) -> Result<Range<i64>> {
    let sql = "UPDATE counter SET value = value + $1 WHERE name = 'ids' RETURNING value";
    let last: Option<(i64,)> = act.one(sql, args![many]).await?;
    let (last,) = last.ok_or(StoreError::Malformed("there is no counter of ids"))?;
    Ok(last - many + 1..last + 1)
}

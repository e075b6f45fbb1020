//! Removal that can be undone for thirty days.

use crate::audit;
use crate::listing::Position;
use crate::sql::{Columns, Stored, args};
use crate::words::words;
use crate::{By, ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// How long something stays in the trash, in milliseconds: thirty days.
pub const TRASH: i64 = 30 * 24 * 3600 * 1000;

words! {
    /// What can be removed and restored.
    Removable {
        /// A benchmark, with its editions and the runs on them.
        Benchmark = "benchmark",
        /// A system, with its runs.
        System = "system",
        /// A run.
        Run = "run",
        /// A board.
        Board = "board",
    }
}

/// Something in the trash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TrashRow {
    /// What it is.
    pub kind: Removable,
    /// Its id.
    pub id: String,
    /// Its title; for a run its label.
    pub title: String,
    /// When it was removed.
    pub removed: i64,
    /// The id of the person who sent the run or owns the system.
    pub owner: Option<String>,
    /// The id of the benchmark that it is, or that the run is of.
    pub benchmark: Option<String>,
}

impl Stored for TrashRow {
    fn read(columns: &mut Columns) -> Result<TrashRow> {
        Ok(TrashRow {
            kind: columns.take()?,
            id: columns.take()?,
            title: columns.take()?,
            removed: columns.take()?,
            owner: columns.take()?,
            benchmark: columns.take()?,
        })
    }
}

impl Store {
    /// Puts something into the trash. Its name stays taken, so that it can always come back.
    pub async fn remove(&self, by: &By, kind: Removable, id: &str, version: i64) -> Result<()> {
        let sql = match kind {
            Removable::Benchmark => {
                "UPDATE benchmark SET removed = $3, version = version + 1 \
                 WHERE id = $1 AND version = $2 AND removed IS NULL"
            }
            Removable::System => {
                "UPDATE system SET removed = $3, version = version + 1 \
                 WHERE id = $1 AND version = $2 AND removed IS NULL"
            }
            Removable::Run => {
                "UPDATE run SET removed = $3, version = version + 1 \
                 WHERE id = $1 AND version = $2 AND removed IS NULL"
            }
            Removable::Board => {
                "UPDATE board SET removed = $3, version = version + 1 \
                 WHERE id = $1 AND version = $2 AND removed IS NULL"
            }
        };
        let mut act = self.write().await?;
        if act.run(sql, args![id, version, self.now()]).await? == 0 {
            return Err(match act.number(live(kind), args![id]).await? {
                0 => StoreError::not_found(kind.word(), id),
                _ => StoreError::Stale { what: kind.word(), id: id.to_owned() },
            });
        }
        self.noted(act, by, kind, "remove", id).await
    }

    /// Takes something out of the trash.
    pub async fn restore(&self, by: &By, kind: Removable, id: &str) -> Result<()> {
        let sql = match kind {
            Removable::Benchmark => {
                "UPDATE benchmark SET removed = NULL, version = version + 1 \
                 WHERE id = $1 AND removed IS NOT NULL"
            }
            Removable::System => {
                "UPDATE system SET removed = NULL, version = version + 1 \
                 WHERE id = $1 AND removed IS NOT NULL"
            }
            Removable::Run => {
                "UPDATE run SET removed = NULL, version = version + 1 \
                 WHERE id = $1 AND removed IS NOT NULL"
            }
            Removable::Board => {
                "UPDATE board SET removed = NULL, version = version + 1 \
                 WHERE id = $1 AND removed IS NOT NULL"
            }
        };
        let mut act = self.write().await?;
        if act.run(sql, args![id]).await? == 0 {
            return Err(StoreError::not_found(kind.word(), id));
        }
        self.noted(act, by, kind, "restore", id).await
    }

    /// What is in the trash, the newest first; what belongs to one person, or all.
    pub async fn trash(&self, owner: Option<&str>, from: &ListFrom) -> Result<ListPage<TrashRow>> {
        let after = from.position(Position::last())?;
        let none: Option<&str> = None;
        let args = args![after.number, &after.word, from.fetch(), owner, none, none];
        let rows = self.read().await?.all(IN_TRASH, args).await?;
        Ok(from.page(rows, |row: &TrashRow| Position::new(row.removed, &row.id)))
    }

    /// One thing in the trash.
    pub async fn in_trash(&self, kind: Removable, id: &str) -> Result<TrashRow> {
        let (last, none) = (Position::last(), None::<&str>);
        let args = args![last.number, &last.word, 1, none, kind.word(), id];
        let row = self.read().await?.one(IN_TRASH, args).await?;
        row.ok_or_else(|| StoreError::not_found(kind.word(), id))
    }

    async fn noted(
        &self,
        mut act: crate::sql::Access,
        by: &By,
        kind: Removable,
        verb: &str,
        id: &str,
    ) -> Result<()> {
        let (name, object) = (format!("{}.{verb}", kind.word()), format!("{} {id}", kind.word()));
        audit::append(&mut act, by, &name, &object, "{}", self.now()).await?;
        act.commit().await
    }
}

const IN_TRASH: &str = "SELECT kind, id, title, removed, owner, benchmark FROM ( \
     SELECT 'benchmark' AS kind, id, title, removed, NULL AS owner, id AS benchmark \
     FROM benchmark UNION ALL \
     SELECT 'system', id, title, removed, owner, NULL FROM system UNION ALL \
     SELECT 'run', r.id, r.label, r.removed, r.sent_by, e.benchmark \
     FROM run r JOIN edition e ON e.id = r.edition UNION ALL \
     SELECT 'board', id, title, removed, NULL, NULL FROM board) AS trash \
     WHERE removed IS NOT NULL AND (removed < $1 OR (removed = $1 AND id > $2)) \
     AND ($4 IS NULL OR owner = $4) AND ($5 IS NULL OR (kind = $5 AND id = $6)) \
     ORDER BY removed DESC, id LIMIT $3";

/// How many live rows have an id: one or none.
fn live(kind: Removable) -> &'static str {
    match kind {
        Removable::Benchmark => "SELECT COUNT(*) FROM benchmark WHERE id = $1 AND removed IS NULL",
        Removable::System => "SELECT COUNT(*) FROM system WHERE id = $1 AND removed IS NULL",
        Removable::Run => "SELECT COUNT(*) FROM run WHERE id = $1 AND removed IS NULL",
        Removable::Board => "SELECT COUNT(*) FROM board WHERE id = $1 AND removed IS NULL",
    }
}

//! Boards: named questions over evaluations, frozen when they are published.

use crate::audit::{self, Audited, By};
use crate::ids::{checked_name, new_id};
use crate::listing::Position;
use crate::sql::{Access, Columns, Stored, args};
use crate::{ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// A board to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct NewBoard {
    /// Its name in addresses.
    pub slug: String,
    /// Its name for people.
    pub title: String,
    /// What it is for.
    pub about: String,
    /// What it shows: the query of its address.
    pub query: String,
}

/// What to change about a board; what is not given stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BoardChange {
    /// Its name in addresses.
    pub slug: Option<String>,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is for.
    pub about: Option<String>,
    /// What it shows; a published board refuses.
    pub query: Option<String>,
}

/// A board that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct StoredBoard {
    /// Its id.
    pub id: String,
    /// Its name in addresses.
    pub slug: String,
    /// Its name for people.
    pub title: String,
    /// What it is for.
    pub about: String,
    /// What it shows.
    pub query: String,
    /// When it was published.
    pub published: Option<i64>,
    /// When it was made.
    pub made: i64,
    /// When it was removed.
    pub removed: Option<i64>,
    /// How often it was changed.
    pub version: i64,
}

impl Audited for StoredBoard {
    const KIND: &'static str = "board";

    fn id(&self) -> &str {
        &self.id
    }
}

impl Stored for StoredBoard {
    fn read(columns: &mut Columns) -> Result<StoredBoard> {
        Ok(StoredBoard {
            id: columns.take()?,
            slug: columns.take()?,
            title: columns.take()?,
            about: columns.take()?,
            query: columns.take()?,
            published: columns.take()?,
            made: columns.take()?,
            removed: columns.take()?,
            version: columns.take()?,
        })
    }
}

/// What a published board holds on to: a run, and the key of its evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct BoardEntry {
    /// The id of the run.
    pub run: String,
    /// The key of its evaluation.
    pub evaluation: String,
    /// The id of the edition.
    pub edition: String,
    /// What the edition was called.
    pub benchmark: String,
    /// What the system was called.
    pub system: String,
}

impl Stored for BoardEntry {
    fn read(columns: &mut Columns) -> Result<BoardEntry> {
        Ok(BoardEntry {
            run: columns.take()?,
            evaluation: columns.take()?,
            edition: columns.take()?,
            benchmark: columns.take()?,
            system: columns.take()?,
        })
    }
}

impl Store {
    /// Makes a board.
    pub async fn add_board(&self, by: &By, new: &NewBoard) -> Result<StoredBoard> {
        let mut act = self.write().await?;
        let id = new_id()?;
        let slug = checked_name(&new.slug)?;
        let sql = "INSERT INTO board (id, slug, title, about, query, published, made, removed, \
                   version) VALUES ($1, $2, $3, $4, $5, NULL, $6, NULL, 1)";
        act.run(sql, args![&id, slug, &new.title, &new.about, &new.query, self.now()])
            .await
            .map_err(|error| error.named("board", slug))?;
        let row = find(&mut act, &id).await?;
        audit::added(&mut act, by, &row, self.now()).await?;
        act.commit().await?;
        Ok(row)
    }

    /// A board by its id or slug; one in the trash is not found.
    pub async fn board(&self, name: &str) -> Result<StoredBoard> {
        find(&mut self.read().await?, name).await
    }

    /// Boards by slug.
    pub async fn boards(&self, from: &ListFrom) -> Result<ListPage<StoredBoard>> {
        let after = from.position(Position::first())?.word;
        let sql = "SELECT id, slug, title, about, query, published, made, removed, version \
                   FROM board WHERE removed IS NULL AND slug > $1 ORDER BY slug LIMIT $2";
        let rows = self.read().await?.all(sql, args![&after, from.fetch()]).await?;
        Ok(from.page(rows, |row: &StoredBoard| Position::new(0, &row.slug)))
    }

    /// Changes a board that has this version. What a published board shows does not change.
    pub async fn change_board(
        &self,
        by: &By,
        id: &str,
        version: i64,
        change: &BoardChange,
    ) -> Result<StoredBoard> {
        let mut act = self.write().await?;
        let before = find(&mut act, id).await?;
        if before.published.is_some() && change.query.is_some() {
            return Err(published(id));
        }
        let slug = change.slug.as_deref().map(checked_name).transpose()?;
        let sql = "UPDATE board SET slug = COALESCE($3, slug), title = COALESCE($4, title), \
                   about = COALESCE($5, about), query = COALESCE($6, query), \
                   version = version + 1 WHERE id = $1 AND version = $2";
        let BoardChange { title, about, query, .. } = change;
        let changed = act.run(sql, args![&before.id, version, slug, title, about, query]).await;
        if changed.map_err(|error| error.named("board", slug.unwrap_or_default()))? == 0 {
            return Err(StoreError::Stale { what: "board", id: id.to_owned() });
        }
        let after = find(&mut act, &before.id).await?;
        audit::changed(&mut act, by, "change", (&before, &after), self.now()).await?;
        act.commit().await?;
        Ok(after)
    }

    /// Publishes a board that has this version: from now on it shows this content, made of these
    /// evaluations, which are never swept away. The content is in a form of the caller.
    pub async fn publish_board(
        &self,
        by: &By,
        id: &str,
        version: i64,
        entries: &[BoardEntry],
        content: &[u8],
    ) -> Result<StoredBoard> {
        let mut act = self.write().await?;
        let before = find(&mut act, id).await?;
        if before.published.is_some() {
            return Err(published(id));
        }
        let sql = "UPDATE board SET published = $3, version = version + 1 \
                   WHERE id = $1 AND version = $2";
        if act.run(sql, args![&before.id, version, self.now()]).await? == 0 {
            return Err(StoreError::Stale { what: "board", id: id.to_owned() });
        }
        // A failed evaluation is deleted when it is tried again.
        let known = "SELECT COUNT(*) FROM evaluation WHERE key = $1 AND state = 'done'";
        let sql = "INSERT INTO board_entry (board, n, run, evaluation, edition, benchmark, system) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        for (n, entry) in entries.iter().enumerate() {
            let BoardEntry { run, evaluation, edition, benchmark, system } = entry;
            if act.number(known, args![evaluation]).await? == 0 {
                return Err(StoreError::not_found("evaluation", evaluation));
            }
            let args = args![&before.id, n as i64, run, evaluation, edition, benchmark, system];
            act.run(sql, args).await?;
        }
        let packed = zstd::bulk::compress(content, 3).map_err(StoreError::Frame)?;
        let sql = "INSERT INTO board_content (board, body) VALUES ($1, $2)";
        act.run(sql, args![&before.id, &packed[..]]).await?;
        let after = find(&mut act, &before.id).await?;
        audit::changed(&mut act, by, "publish", (&before, &after), self.now()).await?;
        act.commit().await?;
        Ok(after)
    }

    /// What a published board is frozen to, in its order.
    pub async fn board_entries(&self, board: &str) -> Result<Vec<BoardEntry>> {
        let sql = "SELECT run, evaluation, edition, benchmark, system FROM board_entry \
                   WHERE board = $1 ORDER BY n LIMIT 20000";
        self.read().await?.all(sql, args![board]).await
    }

    /// What a published board shows, as it was given when it was published.
    pub async fn board_content(&self, board: &str) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT body FROM board_content WHERE board = $1";
        let found: Option<(Vec<u8>,)> = self.read().await?.one(sql, args![board]).await?;
        let unpacked = found.map(|(packed,)| zstd::decode_all(&*packed));
        unpacked.transpose().map_err(StoreError::Frame)
    }
}

fn published(id: &str) -> StoreError {
    StoreError::NotNow { what: "board", id: id.to_owned(), why: "is published" }
}

async fn find(access: &mut Access, name: &str) -> Result<StoredBoard> {
    let sql = "SELECT id, slug, title, about, query, published, made, removed, version FROM board \
               WHERE (id = $1 OR slug = $1) AND removed IS NULL \
               ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END LIMIT 1";
    let row = access.one(sql, args![name]).await?;
    row.ok_or_else(|| StoreError::not_found("board", name))
}

//! Conventions that have a name on this server.

use crate::audit::{self, Audited, By};
use crate::ids::{checked_name, new_id};
use crate::listing::Position;
use crate::sql::{Access, Columns, Stored, args};
use crate::{ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// A convention that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConventionRow {
    /// Its id.
    pub id: String,
    /// Its name in addresses.
    pub slug: String,
    /// Its name for people.
    pub title: String,
    /// The preset and its settings, as in the address.
    pub text: String,
    /// When it was made.
    pub made: i64,
    /// How often it was changed.
    pub version: i64,
}

impl Audited for ConventionRow {
    const KIND: &'static str = "convention";

    fn id(&self) -> &str {
        &self.id
    }
}

impl Stored for ConventionRow {
    fn read(columns: &mut Columns) -> Result<ConventionRow> {
        Ok(ConventionRow {
            id: columns.take()?,
            slug: columns.take()?,
            title: columns.take()?,
            text: columns.take()?,
            made: columns.take()?,
            version: columns.take()?,
        })
    }
}

impl Store {
    /// Gives a convention a name.
    pub async fn add_convention(
        &self,
        by: &By,
        slug: &str,
        title: &str,
        text: &str,
    ) -> Result<ConventionRow> {
        let mut act = self.write().await?;
        let sql = "INSERT INTO convention (id, slug, title, text, made, version) \
                   VALUES ($1, $2, $3, $4, $5, 1)";
        let id = new_id()?;
        act.run(sql, args![&id, checked_name(slug)?, title, text, self.now()])
            .await
            .map_err(|error| error.named("convention", slug))?;
        let row = find(&mut act, &id).await?;
        audit::added(&mut act, by, &row, self.now()).await?;
        act.commit().await?;
        Ok(row)
    }

    /// A convention by its id or slug.
    pub async fn convention(&self, name: &str) -> Result<ConventionRow> {
        find(&mut self.read().await?, name).await
    }

    /// Conventions by slug.
    pub async fn conventions(&self, from: &ListFrom) -> Result<ListPage<ConventionRow>> {
        let after = from.position(Position::first())?.word;
        let sql = "SELECT id, slug, title, text, made, version FROM convention WHERE slug > $1 \
                   ORDER BY slug LIMIT $2";
        let rows = self.read().await?.all(sql, args![&after, from.fetch()]).await?;
        Ok(from.page(rows, |row: &ConventionRow| Position::new(0, &row.slug)))
    }
}

async fn find(access: &mut Access, name: &str) -> Result<ConventionRow> {
    let sql = "SELECT id, slug, title, text, made, version FROM convention \
               WHERE id = $1 OR slug = $1 ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END LIMIT 1";
    let row = access.one(sql, args![name]).await?;
    row.ok_or_else(|| StoreError::not_found("convention", name))
}

//! Systems: what runs are outputs of.

use crate::audit::{self, Audited, By};
use crate::ids::{checked_name, new_id};
use crate::listing::Position;
use crate::sql::{Access, Columns, Stored, args};
use crate::{ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// A system to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct NewSystem {
    /// Its name in addresses.
    pub slug: String,
    /// Its name for people.
    pub title: String,
    /// What it is.
    pub about: String,
    /// Where it is described.
    pub link: String,
    /// The id of the person who may change it.
    pub owner: Option<String>,
}

/// What to change about a system; what is not given stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SystemChange {
    /// Its name in addresses.
    pub slug: Option<String>,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is.
    pub about: Option<String>,
    /// Where it is described.
    pub link: Option<String>,
    /// Whether something better took its place.
    pub deprecated: Option<bool>,
}

/// A system that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SystemRow {
    /// Its id.
    pub id: String,
    /// Its name in addresses.
    pub slug: String,
    /// Its name for people.
    pub title: String,
    /// What it is.
    pub about: String,
    /// Where it is described.
    pub link: String,
    /// The id of the person who may change it.
    pub owner: Option<String>,
    /// Whether something better took its place.
    pub deprecated: bool,
    /// When it was made.
    pub made: i64,
    /// When it was removed.
    pub removed: Option<i64>,
    /// How often it was changed.
    pub version: i64,
}

impl Audited for SystemRow {
    const KIND: &'static str = "system";

    fn id(&self) -> &str {
        &self.id
    }
}

impl Stored for SystemRow {
    fn read(columns: &mut Columns) -> Result<SystemRow> {
        Ok(SystemRow {
            id: columns.take()?,
            slug: columns.take()?,
            title: columns.take()?,
            about: columns.take()?,
            link: columns.take()?,
            owner: columns.take()?,
            deprecated: columns.take()?,
            made: columns.take()?,
            removed: columns.take()?,
            version: columns.take()?,
        })
    }
}

impl Store {
    /// Makes a system without runs.
    pub async fn add_system(&self, by: &By, new: &NewSystem) -> Result<SystemRow> {
        let mut act = self.write().await?;
        let row = insert(&mut act, new, self.now()).await?;
        audit::added(&mut act, by, &row, self.now()).await?;
        act.commit().await?;
        Ok(row)
    }

    /// A system by its id or slug; one in the trash is not found.
    pub async fn system(&self, name: &str) -> Result<SystemRow> {
        find(&mut self.read().await?, name).await
    }

    /// Systems by slug.
    pub async fn systems(&self, from: &ListFrom) -> Result<ListPage<SystemRow>> {
        let after = from.position(Position::first())?.word;
        let sql = "SELECT id, slug, title, about, link, owner, deprecated, made, removed, version \
                   FROM system WHERE removed IS NULL AND slug > $1 ORDER BY slug LIMIT $2";
        let rows = self.read().await?.all(sql, args![&after, from.fetch()]).await?;
        Ok(from.page(rows, |row: &SystemRow| Position::new(0, &row.slug)))
    }

    /// Changes a system that has this version.
    pub async fn change_system(
        &self,
        by: &By,
        id: &str,
        version: i64,
        change: &SystemChange,
    ) -> Result<SystemRow> {
        let mut act = self.write().await?;
        let before = find(&mut act, id).await?;
        let after = update(&mut act, &before.id, version, change).await?;
        audit::changed(&mut act, by, "change", (&before, &after), self.now()).await?;
        act.commit().await?;
        Ok(after)
    }
}

/// A system by id or slug.
pub(crate) async fn find(access: &mut Access, name: &str) -> Result<SystemRow> {
    let sql = "SELECT id, slug, title, about, link, owner, deprecated, made, removed, version \
               FROM system WHERE (id = $1 OR slug = $1) AND removed IS NULL \
               ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END LIMIT 1";
    let row = access.one(sql, args![name]).await?;
    row.ok_or_else(|| StoreError::not_found("system", name))
}

/// Makes a system within a transaction.
pub(crate) async fn insert(act: &mut Access, new: &NewSystem, now: i64) -> Result<SystemRow> {
    let sql = "INSERT INTO system (id, slug, title, about, link, owner, deprecated, made, removed, \
               version) VALUES ($1, $2, $3, $4, $5, $6, 0, $7, NULL, 1)";
    let id = new_id()?;
    let slug = checked_name(&new.slug)?;
    act.run(sql, args![&id, slug, &new.title, &new.about, &new.link, &new.owner, now])
        .await
        .map_err(|error| error.named("system", slug))?;
    find(act, &id).await
}

async fn update(
    act: &mut Access,
    id: &str,
    version: i64,
    change: &SystemChange,
) -> Result<SystemRow> {
    let slug = change.slug.as_deref().map(checked_name).transpose()?;
    let sql = "UPDATE system SET slug = COALESCE($3, slug), title = COALESCE($4, title), \
               about = COALESCE($5, about), link = COALESCE($6, link), \
               deprecated = COALESCE($7, deprecated), version = version + 1 \
               WHERE id = $1 AND version = $2";
    let deprecated = change.deprecated.map(i64::from);
    let SystemChange { title, about, link, .. } = change;
    let changed = act.run(sql, args![id, version, slug, title, about, link, deprecated]).await;
    if changed.map_err(|error| error.named("system", slug.unwrap_or_default()))? == 0 {
        return Err(StoreError::Stale { what: "system", id: id.to_owned() });
    }
    find(act, id).await
}

//! Benchmarks and their editions.

use crate::audit::{self, Audited, By};
use crate::ids::{checked_name, new_id};
use crate::listing::Position;
use crate::sql::{Access, Columns, Stored, args};
use crate::{ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// So many runs a person may send a day while gold is hidden, where nobody says otherwise. Scores of many runs tell
/// what gold says.
pub const DAILY_QUOTA: u32 = 5;

/// A benchmark to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct NewBenchmark {
    /// Its name in addresses.
    pub slug: String,
    /// Its name for people.
    pub title: String,
    /// What it is.
    pub about: String,
    /// What one may do with it.
    pub licence: String,
    /// Where it comes from.
    pub link: String,
    /// Whether everybody sees it.
    pub visible: bool,
    /// Whether texts and cases are for organisers only.
    pub gold_hidden: bool,
    /// How many runs a person may send a day while gold is hidden; 5 if it is not given.
    pub quota: Option<u32>,
}

/// What to change about a benchmark; what is not given stays.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BenchmarkChange {
    /// Its name in addresses.
    pub slug: Option<String>,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is.
    pub about: Option<String>,
    /// What one may do with it.
    pub licence: Option<String>,
    /// Where it comes from.
    pub link: Option<String>,
    /// Whether everybody sees it.
    pub visible: Option<bool>,
    /// Whether texts and cases are for organisers only.
    pub gold_hidden: Option<bool>,
    /// How many runs a person may send a day while gold is hidden.
    pub quota: Option<u32>,
}

/// A benchmark that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct BenchmarkRow {
    /// Its id.
    pub id: String,
    /// Its name in addresses.
    pub slug: String,
    /// Its name for people.
    pub title: String,
    /// What it is.
    pub about: String,
    /// What one may do with it.
    pub licence: String,
    /// Where it comes from.
    pub link: String,
    /// Whether everybody sees it.
    pub visible: bool,
    /// Whether texts and cases are for organisers only.
    pub gold_hidden: bool,
    /// How many runs a person may send a day while gold is hidden.
    pub quota: i64,
    /// When it was made.
    pub made: i64,
    /// When it was removed.
    pub removed: Option<i64>,
    /// How often it was changed.
    pub version: i64,
}

impl Audited for BenchmarkRow {
    const KIND: &'static str = "benchmark";

    fn id(&self) -> &str {
        &self.id
    }
}

impl Stored for BenchmarkRow {
    fn read(columns: &mut Columns) -> Result<BenchmarkRow> {
        Ok(BenchmarkRow {
            id: columns.take()?,
            slug: columns.take()?,
            title: columns.take()?,
            about: columns.take()?,
            licence: columns.take()?,
            link: columns.take()?,
            visible: columns.take()?,
            gold_hidden: columns.take()?,
            quota: columns.take()?,
            made: columns.take()?,
            removed: columns.take()?,
            version: columns.take()?,
        })
    }
}

/// An edition to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewEdition {
    /// The id of its benchmark.
    pub benchmark: String,
    /// Its name in addresses, after the `@`.
    pub label: String,
    /// What is new in it.
    pub note: String,
    /// The id of the edition that it corrects.
    pub follows: Option<String>,
    /// The digest of its corpus, if that was read.
    pub corpus: Option<String>,
}

/// An edition that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct EditionRow {
    /// Its id.
    pub id: String,
    /// The id of its benchmark.
    pub benchmark: String,
    /// The digest of its corpus; nothing until the upload was read.
    pub corpus: Option<String>,
    /// The digest of the file as it was sent.
    pub upload: Option<String>,
    /// The job that reads it.
    pub job: Option<String>,
    /// Its name in addresses.
    pub label: String,
    /// What is new in it.
    pub note: String,
    /// The id of the edition that it corrects.
    pub follows: Option<String>,
    /// When it was made.
    pub made: i64,
}

impl Audited for EditionRow {
    const KIND: &'static str = "edition";

    fn id(&self) -> &str {
        &self.id
    }
}

impl Stored for EditionRow {
    fn read(columns: &mut Columns) -> Result<EditionRow> {
        Ok(EditionRow {
            id: columns.take()?,
            benchmark: columns.take()?,
            corpus: columns.take()?,
            upload: columns.take()?,
            job: columns.take()?,
            label: columns.take()?,
            note: columns.take()?,
            follows: columns.take()?,
            made: columns.take()?,
        })
    }
}

impl Store {
    /// Makes a benchmark without editions.
    pub async fn add_benchmark(&self, by: &By, new: &NewBenchmark) -> Result<BenchmarkRow> {
        let mut act = self.write().await?;
        let row = insert(&mut act, new, self.now()).await?;
        audit::added(&mut act, by, &row, self.now()).await?;
        act.commit().await?;
        Ok(row)
    }

    /// A benchmark by its id or slug; one in the trash is not found.
    pub async fn benchmark(&self, name: &str) -> Result<BenchmarkRow> {
        find(&mut self.read().await?, name).await
    }

    /// Benchmarks by slug; those that are not visible only if they are asked for.
    pub async fn benchmarks(
        &self,
        hidden: bool,
        from: &ListFrom,
    ) -> Result<ListPage<BenchmarkRow>> {
        let after = from.position(Position::first())?.word;
        let sql = "SELECT id, slug, title, about, licence, link, visible, gold_hidden, quota, \
                   made, removed, version FROM benchmark WHERE removed IS NULL AND slug > $1 \
                   AND (visible = 1 OR $2 = 1) ORDER BY slug LIMIT $3";
        let rows = self.read().await?.all(sql, args![&after, hidden, from.fetch()]).await?;
        Ok(from.page(rows, |row: &BenchmarkRow| Position::new(0, &row.slug)))
    }

    /// Changes a benchmark that has this version.
    pub async fn change_benchmark(
        &self,
        by: &By,
        id: &str,
        version: i64,
        change: &BenchmarkChange,
    ) -> Result<BenchmarkRow> {
        let mut act = self.write().await?;
        let before = find(&mut act, id).await?;
        let after = update(&mut act, &before.id, version, change).await?;
        audit::changed(&mut act, by, "change", (&before, &after), self.now()).await?;
        act.commit().await?;
        Ok(after)
    }

    /// Makes an edition, of a corpus that is kept or one that is still to be read.
    pub async fn add_edition(&self, by: &By, new: &NewEdition) -> Result<EditionRow> {
        let mut act = self.write().await?;
        let row = insert_edition(&mut act, new, None, None, self.now()).await?;
        audit::added(&mut act, by, &row, self.now()).await?;
        act.commit().await?;
        Ok(row)
    }

    /// An edition by its id.
    pub async fn edition(&self, id: &str) -> Result<EditionRow> {
        let sql = "SELECT id, benchmark, corpus, upload, job, label, note, follows, made \
                   FROM edition WHERE id = $1";
        let row = self.read().await?.one(sql, args![id]).await?;
        row.ok_or_else(|| StoreError::not_found("edition", id))
    }

    /// The editions of a benchmark, the newest first.
    pub async fn editions(&self, benchmark: &str) -> Result<Vec<EditionRow>> {
        let sql = "SELECT id, benchmark, corpus, upload, job, label, note, follows, made \
                   FROM edition WHERE benchmark = $1 ORDER BY made DESC, id DESC LIMIT 500";
        self.read().await?.all(sql, args![benchmark]).await
    }
}

/// A benchmark by id or slug.
pub(crate) async fn find(access: &mut Access, name: &str) -> Result<BenchmarkRow> {
    let sql = "SELECT id, slug, title, about, licence, link, visible, gold_hidden, quota, made, \
               removed, version FROM benchmark WHERE (id = $1 OR slug = $1) AND removed IS NULL \
               ORDER BY CASE WHEN id = $1 THEN 0 ELSE 1 END LIMIT 1";
    let row = access.one(sql, args![name]).await?;
    row.ok_or_else(|| StoreError::not_found("benchmark", name))
}

/// Makes a benchmark within a transaction.
pub(crate) async fn insert(act: &mut Access, new: &NewBenchmark, now: i64) -> Result<BenchmarkRow> {
    let sql = "INSERT INTO benchmark (id, slug, title, about, licence, link, visible, gold_hidden, \
               quota, made, removed, version) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL, 1)";
    let id = new_id()?;
    let args = args![
        &id,
        checked_name(&new.slug)?,
        &new.title,
        &new.about,
        &new.licence,
        &new.link,
        new.visible,
        new.gold_hidden,
        i64::from(new.quota.unwrap_or(DAILY_QUOTA)),
        now,
    ];
    act.run(sql, args).await.map_err(|error| error.named("benchmark", &new.slug))?;
    find(act, &id).await
}

/// Makes an edition within a transaction.
pub(crate) async fn insert_edition(
    act: &mut Access,
    new: &NewEdition,
    upload: Option<&str>,
    job: Option<&str>,
    now: i64,
) -> Result<EditionRow> {
    let row = EditionRow {
        id: new_id()?,
        benchmark: find(act, &new.benchmark).await?.id,
        corpus: new.corpus.clone(),
        upload: upload.map(str::to_owned),
        job: job.map(str::to_owned),
        label: checked_name(&new.label)?.to_owned(),
        note: new.note.clone(),
        follows: new.follows.clone(),
        made: now,
    };
    let sql = "INSERT INTO edition (id, benchmark, corpus, upload, job, label, note, follows, \
               made) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let EditionRow { id, benchmark, corpus, label, note, follows, .. } = &row;
    act.run(sql, args![id, benchmark, corpus, upload, job, label, note, follows, now])
        .await
        .map_err(|error| error.named("edition", &new.label))?;
    Ok(row)
}

async fn update(
    act: &mut Access,
    id: &str,
    version: i64,
    change: &BenchmarkChange,
) -> Result<BenchmarkRow> {
    let slug = change.slug.as_deref().map(checked_name).transpose()?;
    let sql = "UPDATE benchmark SET slug = COALESCE($3, slug), title = COALESCE($4, title), \
               about = COALESCE($5, about), licence = COALESCE($6, licence), \
               link = COALESCE($7, link), visible = COALESCE($8, visible), \
               gold_hidden = COALESCE($9, gold_hidden), quota = COALESCE($10, quota), \
               version = version + 1 \
               WHERE id = $1 AND version = $2";
    let args = args![
        id,
        version,
        slug,
        &change.title,
        &change.about,
        &change.licence,
        &change.link,
        change.visible.map(i64::from),
        change.gold_hidden.map(i64::from),
        change.quota.map(i64::from),
    ];
    let changed = act.run(sql, args).await;
    if changed.map_err(|error| error.named("benchmark", slug.unwrap_or_default()))? == 0 {
        return Err(StoreError::Stale { what: "benchmark", id: id.to_owned() });
    }
    find(act, id).await
}

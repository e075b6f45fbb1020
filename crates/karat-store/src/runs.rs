//! Runs: the output of one system on one edition.

use crate::audit::{self, Audited, By};
use crate::ids::new_id;
use crate::listing::Position;
use crate::sql::{Access, Columns, Stored, args};
use crate::{ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// A run to be made.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NewRun {
    /// The id or slug of its system.
    pub system: String,
    /// The id of the edition that the system was run on.
    pub edition: String,
    /// The digest of its corpus, if that was read.
    pub corpus: Option<String>,
    /// What tells it from other runs of the system.
    pub label: String,
    /// What else there is to say.
    pub note: String,
    /// How long the system took.
    pub seconds: Option<f64>,
    /// What the system ran on.
    pub machine: String,
    /// Whether everybody sees it.
    pub visible: bool,
}

/// What to change about a run; what is not given stays.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RunChange {
    /// What tells it from other runs of the system.
    pub label: Option<String>,
    /// What else there is to say.
    pub note: Option<String>,
    /// How long the system took.
    pub seconds: Option<f64>,
    /// What the system ran on.
    pub machine: Option<String>,
    /// Whether everybody sees it.
    pub visible: Option<bool>,
}

/// Which runs a list has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Of one system, by id.
    pub system: Option<String>,
    /// On one edition, by id.
    pub edition: Option<String>,
    /// On any edition of one benchmark, by id.
    pub benchmark: Option<String>,
    /// Sent by one person.
    pub sent_by: Option<String>,
    /// Also those that not everybody sees.
    pub hidden: bool,
}

/// A run that is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct RunRow {
    /// Its id.
    pub id: String,
    /// The id of its system.
    pub system: String,
    /// The id of its edition.
    pub edition: String,
    /// The digest of its corpus; nothing until the upload was read.
    pub corpus: Option<String>,
    /// The digest of the file as it was sent.
    pub upload: Option<String>,
    /// The job that reads it.
    pub job: Option<String>,
    /// What tells it from other runs of the system.
    pub label: String,
    /// What else there is to say.
    pub note: String,
    /// The id of the person who sent it.
    pub sent_by: Option<String>,
    /// When it was sent.
    pub sent: i64,
    /// How long the system took.
    pub seconds: Option<f64>,
    /// What the system ran on.
    pub machine: String,
    /// Whether everybody sees it.
    pub visible: bool,
    /// When it was removed.
    pub removed: Option<i64>,
    /// How often it was changed.
    pub version: i64,
}

impl Audited for RunRow {
    const KIND: &'static str = "run";

    fn id(&self) -> &str {
        &self.id
    }
}

impl Stored for RunRow {
    fn read(columns: &mut Columns) -> Result<RunRow> {
        Ok(RunRow {
            id: columns.take()?,
            system: columns.take()?,
            edition: columns.take()?,
            corpus: columns.take()?,
            upload: columns.take()?,
            job: columns.take()?,
            label: columns.take()?,
            note: columns.take()?,
            sent_by: columns.take()?,
            sent: columns.take()?,
            seconds: columns.take()?,
            machine: columns.take()?,
            visible: columns.take()?,
            removed: columns.take()?,
            version: columns.take()?,
        })
    }
}

impl Store {
    /// Makes a run of a corpus that is kept already. For an upload see [`Store::submit`].
    pub async fn add_run(&self, by: &By, new: &NewRun) -> Result<RunRow> {
        let mut act = self.write().await?;
        let row = insert(&mut act, by, new, None, None, self.now()).await?;
        audit::added(&mut act, by, &row, self.now()).await?;
        act.commit().await?;
        Ok(row)
    }

    /// A run by its id; one in the trash is not found.
    pub async fn run(&self, id: &str) -> Result<RunRow> {
        find(&mut self.read().await?, id).await
    }

    /// Runs, the newest first. Runs of removed systems and benchmarks are left out.
    pub async fn runs(&self, which: &RunFilter, from: &ListFrom) -> Result<ListPage<RunRow>> {
        let after = from.position(Position::last())?;
        let sql = "SELECT r.id, r.system, r.edition, r.corpus, r.upload, r.job, r.label, r.note, \
                   r.sent_by, r.sent, r.seconds, r.machine, r.visible, r.removed, r.version \
                   FROM run r JOIN system s ON s.id = r.system JOIN edition e ON e.id = r.edition \
                   JOIN benchmark b ON b.id = e.benchmark \
                   WHERE r.removed IS NULL AND s.removed IS NULL AND b.removed IS NULL \
                   AND (r.sent < $1 OR (r.sent = $1 AND r.id > $2)) \
                   AND ($3 IS NULL OR r.system = $3) AND ($4 IS NULL OR r.edition = $4) \
                   AND ($5 IS NULL OR e.benchmark = $5) AND ($6 IS NULL OR r.sent_by = $6) \
                   AND ((r.visible = 1 AND b.visible = 1) OR $7 = 1) \
                   ORDER BY r.sent DESC, r.id LIMIT $8";
        let RunFilter { system, edition, benchmark, sent_by, hidden } = which;
        let (sent, id) = (after.number, &after.word);
        let args = args![sent, id, system, edition, benchmark, sent_by, *hidden, from.fetch()];
        let rows = self.read().await?.all(sql, args).await?;
        Ok(from.page(rows, |row: &RunRow| Position::new(row.sent, &row.id)))
    }

    /// Changes a run that has this version.
    pub async fn change_run(
        &self,
        by: &By,
        id: &str,
        version: i64,
        change: &RunChange,
    ) -> Result<RunRow> {
        let mut act = self.write().await?;
        let before = find(&mut act, id).await?;
        let sql = "UPDATE run SET label = COALESCE($3, label), note = COALESCE($4, note), \
                   seconds = COALESCE($5, seconds), machine = COALESCE($6, machine), \
                   visible = COALESCE($7, visible), version = version + 1 \
                   WHERE id = $1 AND version = $2";
        let visible = change.visible.map(i64::from);
        let RunChange { label, note: text, seconds, machine, .. } = change;
        let changed =
            act.run(sql, args![id, version, label, text, *seconds, machine, visible]).await?;
        if changed == 0 {
            return Err(StoreError::Stale { what: "run", id: id.to_owned() });
        }
        let after = find(&mut act, id).await?;
        audit::changed(&mut act, by, "change", (&before, &after), self.now()).await?;
        act.commit().await?;
        Ok(after)
    }
}

/// A run by its id.
pub(crate) async fn find(access: &mut Access, id: &str) -> Result<RunRow> {
    let sql = "SELECT id, system, edition, corpus, upload, job, label, note, sent_by, sent, \
               seconds, machine, visible, removed, version FROM run \
               WHERE id = $1 AND removed IS NULL";
    let row = access.one(sql, args![id]).await?;
    row.ok_or_else(|| StoreError::not_found("run", id))
}

/// Makes a run within a transaction.
pub(crate) async fn insert(
    act: &mut Access,
    by: &By,
    new: &NewRun,
    upload: Option<&str>,
    job: Option<&str>,
    now: i64,
) -> Result<RunRow> {
    let id = new_id()?;
    let system = crate::systems::find(act, &new.system).await?.id;
    let known = "SELECT COUNT(*) FROM edition e JOIN benchmark b ON b.id = e.benchmark \
                 WHERE e.id = $1 AND b.removed IS NULL";
    if act.number(known, args![&new.edition]).await? == 0 {
        return Err(StoreError::not_found("edition", &new.edition));
    }
    let sql = "INSERT INTO run (id, system, edition, corpus, upload, job, label, note, sent_by, \
               sent, seconds, machine, visible, removed, version) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, NULL, 1)";
    let args = args![
        &id,
        &system,
        &new.edition,
        &new.corpus,
        upload,
        job,
        &new.label,
        &new.note,
        &by.person,
        now,
        new.seconds,
        &new.machine,
        new.visible,
    ];
    act.run(sql, args).await?;
    find(act, &id).await
}

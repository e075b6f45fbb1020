//! Who did what: a chain of entries in which a changed one shows.
//!
//! Every entry holds the digest of the entry before it, and the row of the chain in `counter` holds
//! the number and the digest of the last one. So an entry that was edited, removed or put in, also
//! at the end, breaks the chain, on either database. Whoever may write the whole database can write
//! a whole new chain: print the head now and then ([`AuditHead`]) and keep it elsewhere.

use crate::ids::hex;
use crate::listing::Position;
use crate::sql::{Access, Columns, Stored, args};
use crate::store::lock;
use crate::words::words;
use crate::{ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

words! {
    /// What somebody acted by.
    Via {
        /// A session of a browser.
        Session = "session",
        /// A token.
        Token = "token",
        /// The command line, or the browser of the machine's only user.
        Local = "local",
        /// The server itself: a job, a sweep.
        Server = "server",
    }
}

/// Who acts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct By {
    /// The id of a person; nothing where nobody is logged in.
    pub person: Option<String>,
    /// What the person acts by.
    pub via: Via,
}

impl By {
    /// Whoever works at this machine.
    pub fn local() -> By {
        By { person: None, via: Via::Local }
    }

    /// The server itself.
    pub fn server() -> By {
        By { person: None, via: Via::Server }
    }

    /// A person.
    pub fn person(id: &str, via: Via) -> By {
        By { person: Some(id.to_owned()), via }
    }
}

/// An entry of the audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    /// Its number, from 1.
    pub seq: i64,
    /// When.
    pub at: i64,
    /// The id of the person, or nothing.
    pub who: String,
    /// By what.
    pub via: Via,
    /// What was done: `benchmark.change`, `session.refused`.
    pub act: String,
    /// To what: its kind and id.
    pub object: String,
    /// Before and after, as JSON.
    pub detail: String,
    /// The digest of the entry before; nothing for the first.
    pub before: String,
}

impl Stored for AuditRow {
    fn read(columns: &mut Columns) -> Result<AuditRow> {
        Ok(AuditRow {
            seq: columns.take()?,
            at: columns.take()?,
            who: columns.take()?,
            via: columns.take()?,
            act: columns.take()?,
            object: columns.take()?,
            detail: columns.take()?,
            before: columns.take()?,
        })
    }
}

impl AuditRow {
    /// The digest of this entry. Each field has its length before it, so that none can borrow
    /// letters from its neighbour.
    fn digest(&self) -> String {
        let mut hasher = Sha256::new_with_prefix("karat audit 1\n");
        let (seq, at) = (self.seq.to_string(), self.at.to_string());
        let fields = [&seq, &at, &self.who, &self.act, &self.object, &self.detail, &self.before];
        for field in fields.map(String::as_str).into_iter().chain([self.via.word()]) {
            hasher.update((field.len() as u64).to_le_bytes());
            hasher.update(field);
        }
        hex(&hasher.finalize())
    }
}

/// The end of the audit: what to keep elsewhere to tell a rewritten chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct AuditHead {
    /// How many entries there are.
    pub entries: i64,
    /// The digest of the last one.
    pub digest: String,
}

/// Whether the audit is what it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub enum AuditCheck {
    /// Every entry is as it was written.
    Whole(AuditHead),
    /// The first entry that is not followed as it should be, or is not there.
    Broken {
        /// Its number.
        seq: i64,
    },
}

impl Store {
    /// Notes something that changes nothing in the store, such as a login that failed.
    pub async fn note(&self, by: &By, act: &str, object: &str, detail: &str) -> Result<()> {
        let mut access = self.write().await?;
        append(&mut access, by, act, object, detail, self.now()).await?;
        access.commit().await
    }

    /// The audit, the newest entry first; of one object, if it is named.
    pub async fn audit(&self, object: Option<&str>, from: &ListFrom) -> Result<ListPage<AuditRow>> {
        let before = from.position(Position::last())?.number;
        let sql = "SELECT seq, at, who, via, act, object, detail, before FROM audit \
                   WHERE seq < $1 AND ($2 IS NULL OR object = $2) ORDER BY seq DESC LIMIT $3";
        let rows = self.read().await?.all(sql, args![before, object, from.fetch()]).await?;
        Ok(from.page(rows, |row: &AuditRow| Position::new(row.seq, "")))
    }

    /// Walks the whole chain.
    pub async fn check_audit(&self) -> Result<AuditCheck> {
        let mut access = self.write().await?;
        // Nobody appends while the chain is walked. The lock adds one to the number, which the
        // end of this transaction takes back.
        lock(&mut access, "audit").await?;
        let mut head = head(&mut access).await?;
        head.entries -= 1;
        let mut last = AuditHead { entries: 0, digest: String::new() };
        loop {
            let sql = "SELECT seq, at, who, via, act, object, detail, before FROM audit \
                       WHERE seq > $1 ORDER BY seq LIMIT 500";
            let rows: Vec<AuditRow> = access.all(sql, args![last.entries]).await?;
            if rows.is_empty() {
                break;
            }
            for row in rows {
                if row.seq != last.entries + 1 || row.before != last.digest {
                    return Ok(AuditCheck::Broken { seq: last.entries });
                }
                last = AuditHead { entries: row.seq, digest: row.digest() };
            }
        }
        if last == head {
            Ok(AuditCheck::Whole(head))
        } else {
            Ok(AuditCheck::Broken { seq: last.entries })
        }
    }
}

/// Adds an entry within a transaction, as the last thing it does.
pub(crate) async fn append(
    access: &mut Access,
    by: &By,
    act: &str,
    object: &str,
    detail: &str,
    now: i64,
) -> Result<()> {
    lock(access, "audit").await?;
    let head = head(access).await?;
    let row = AuditRow {
        seq: head.entries,
        at: now,
        who: by.person.clone().unwrap_or_default(),
        via: by.via,
        act: act.to_owned(),
        object: object.to_owned(),
        detail: detail.to_owned(),
        before: head.digest,
    };
    let sql = "INSERT INTO audit (seq, at, who, via, act, object, detail, before) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let AuditRow { who, act, object, detail, before, .. } = &row;
    access.run(sql, args![row.seq, now, who, row.via, act, object, detail, before]).await?;
    let sql = "UPDATE counter SET digest = $1 WHERE name = 'audit'";
    access.run(sql, args![&row.digest()]).await?;
    Ok(())
}

/// A row whose changes are entries of the audit, as `KIND.verb` of the object `KIND id`.
pub(crate) trait Audited: Serialize {
    /// What the row is, in a word.
    const KIND: &'static str;

    /// Its id.
    fn id(&self) -> &str;
}

/// Adds the entry of a row that is new.
pub(crate) async fn added<T: Audited>(
    access: &mut Access,
    by: &By,
    row: &T,
    now: i64,
) -> Result<()> {
    of_row(access, by, "add", None, row, now).await
}

/// Adds the entry of a row that was changed; the verb says how.
pub(crate) async fn changed<T: Audited>(
    access: &mut Access,
    by: &By,
    verb: &str,
    (before, after): (&T, &T),
    now: i64,
) -> Result<()> {
    of_row(access, by, verb, Some(before), after, now).await
}

async fn of_row<T: Audited>(
    access: &mut Access,
    by: &By,
    verb: &str,
    before: Option<&T>,
    after: &T,
    now: i64,
) -> Result<()> {
    let (act, object) = (format!("{}.{verb}", T::KIND), format!("{} {}", T::KIND, after.id()));
    append(access, by, &act, &object, &change(before, Some(after))?, now).await
}

/// A change as JSON: what it was and what it is.
pub(crate) fn change<T: Serialize>(before: Option<&T>, after: Option<&T>) -> Result<String> {
    serde_json::to_string(&serde_json::json!({ "before": before, "after": after }))
        .map_err(|_| StoreError::Malformed("a record that cannot be written as JSON"))
}

/// The number that the last entry has, or within [`append`] the new one, and the last digest.
async fn head(access: &mut Access) -> Result<AuditHead> {
    let sql = "SELECT value, digest FROM counter WHERE name = 'audit'";
    let (entries, digest) =
        access.one(sql, args![]).await?.ok_or(StoreError::Malformed("the audit has no head"))?;
    Ok(AuditHead { entries, digest })
}

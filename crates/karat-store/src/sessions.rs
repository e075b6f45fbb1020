//! Sessions of browsers.

use crate::audit::{self, By};
use crate::ids::{new_secret, sha256};
use crate::people::{self, PersonRow};
use crate::sql::{Columns, Stored, args};
use crate::{Result, Store, StoreError, Via};
use serde::{Deserialize, Serialize};

/// A session ends when it was not used for so long, in milliseconds: twelve hours.
pub const SESSION_IDLE: i64 = 12 * 3600 * 1000;
/// A session ends after so long in any case, in milliseconds: thirty days.
pub const SESSION_LIFE: i64 = 30 * 24 * 3600 * 1000;
/// Use is noted once a minute, so that reading pages does not write.
const NOTED: i64 = 60 * 1000;

/// A session of a browser. Its secret is known to the browser only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRow {
    /// The SHA-256 of its secret: names it in lists.
    pub digest: String,
    /// The id of the person.
    pub person: String,
    /// What the browser called itself.
    pub agent: String,
    /// When it was made.
    pub made: i64,
    /// When it was last used, give or take a minute.
    pub seen: i64,
    /// When it ends in any case.
    pub until: i64,
}

impl Stored for SessionRow {
    fn read(columns: &mut Columns) -> Result<SessionRow> {
        Ok(SessionRow {
            digest: columns.take()?,
            person: columns.take()?,
            agent: columns.take()?,
            made: columns.take()?,
            seen: columns.take()?,
            until: columns.take()?,
        })
    }
}

impl Store {
    /// Begins a session and gives its secret, which is not stored.
    pub async fn open_session(&self, person: &str, agent: &str) -> Result<String> {
        let secret = new_secret()?;
        let mut act = self.write().await?;
        let person = people::by_id(&mut act, person).await?;
        if person.disabled {
            return Err(StoreError::not_found("person", &person.login));
        }
        let now = self.now();
        let sql = "INSERT INTO session (digest, person, agent, made, seen, until) \
                   VALUES ($1, $2, $3, $4, $4, $5)";
        let digest = sha256(secret.as_bytes());
        act.run(sql, args![&digest, &person.id, agent, now, now + SESSION_LIFE]).await?;
        let by = By::person(&person.id, Via::Session);
        let object = format!("person {}", person.id);
        audit::append(&mut act, &by, "session.open", &object, "{}", now).await?;
        act.commit().await?;
        Ok(secret)
    }

    /// Whose session this is; nobody's if it is unknown or has ended.
    pub async fn session(&self, secret: &str) -> Result<Option<(SessionRow, PersonRow)>> {
        let now = self.now();
        let digest = sha256(secret.as_bytes());
        let sql = "SELECT digest, person, agent, made, seen, until FROM session \
                   WHERE digest = $1 AND until > $2 AND seen > $3";
        let mut read = self.read().await?;
        let session: Option<SessionRow> =
            read.one(sql, args![&digest, now, now - SESSION_IDLE]).await?;
        let Some(session) = session else { return Ok(None) };
        let person = people::by_id(&mut read, &session.person).await?;
        drop(read);
        if person.disabled {
            return Ok(None);
        }
        if session.seen < now - NOTED {
            let mut act = self.write().await?;
            act.run("UPDATE session SET seen = $2 WHERE digest = $1", args![&digest, now]).await?;
            act.commit().await?;
        }
        Ok(Some((session, person)))
    }

    /// The sessions of a person, the newest first.
    pub async fn sessions(&self, person: &str) -> Result<Vec<SessionRow>> {
        let sql = "SELECT digest, person, agent, made, seen, until FROM session \
                   WHERE person = $1 AND until > $2 AND seen > $3 ORDER BY made DESC LIMIT 500";
        let now = self.now();
        self.read().await?.all(sql, args![person, now, now - SESSION_IDLE]).await
    }

    /// Ends one session of a person, or all.
    pub async fn end_sessions(&self, by: &By, person: &str, digest: Option<&str>) -> Result<u64> {
        let mut act = self.write().await?;
        let sql = "DELETE FROM session WHERE person = $1 AND ($2 IS NULL OR digest = $2)";
        let ended = act.run(sql, args![person, digest]).await?;
        let object = format!("person {person}");
        audit::append(&mut act, by, "session.end", &object, "{}", self.now()).await?;
        act.commit().await?;
        Ok(ended)
    }
}

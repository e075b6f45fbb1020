//! People, their passwords and their rights.

use crate::audit::{self, Audited, By};
use crate::ids::{checked_name, new_id};
use crate::listing::Position;
use crate::passwords;
use crate::sql::{Access, Columns, Stored, args};
use crate::words::words;
use crate::{ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// The object of a right that holds for everything.
pub const EVERYTHING: &str = "*";

words! {
    /// What a person may do; each also sees what is visible.
    PersonRole {
        /// See what is visible.
        Reader = "reader",
        /// Judge in campaigns.
        Annotator = "annotator",
        /// Send runs, and change and remove own ones.
        Submitter = "submitter",
        /// Everything about benchmarks, boards and campaigns.
        Organiser = "organiser",
        /// Everything.
        Owner = "owner",
    }
}

/// An account to be created.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewPerson {
    /// What the person logs in with.
    pub login: String,
    /// What others see.
    pub name: String,
    /// The password; without one the person can only use tokens.
    pub password: Option<String>,
}

/// A person. The hash of the password never leaves the store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct PersonRow {
    /// The id.
    pub id: String,
    /// What the person logs in with.
    pub login: String,
    /// What others see.
    pub name: String,
    /// Whether the account is disabled.
    pub disabled: bool,
    /// When the person was made.
    pub made: i64,
    /// How often the person was changed.
    pub version: i64,
}

impl Audited for PersonRow {
    const KIND: &'static str = "person";

    fn id(&self) -> &str {
        &self.id
    }
}

impl Stored for PersonRow {
    fn read(columns: &mut Columns) -> Result<PersonRow> {
        Ok(PersonRow {
            id: columns.take()?,
            login: columns.take()?,
            name: columns.take()?,
            disabled: columns.take()?,
            made: columns.take()?,
            version: columns.take()?,
        })
    }
}

/// What a person may do with what.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct RightRow {
    /// The id of the person.
    pub person: String,
    /// The id of a benchmark, or [`EVERYTHING`].
    pub object: String,
    /// What the person may do.
    pub role: PersonRole,
}

impl Stored for RightRow {
    fn read(columns: &mut Columns) -> Result<RightRow> {
        Ok(RightRow { person: columns.take()?, object: columns.take()?, role: columns.take()? })
    }
}

impl Store {
    /// Creates an account.
    pub async fn add_person(&self, by: &By, new: &NewPerson) -> Result<PersonRow> {
        let hash = self.hashed(new.password.as_deref()).await?;
        let mut act = self.write().await?;
        let row = insert(&mut act, new, hash.as_deref(), self.now()).await?;
        audit::added(&mut act, by, &row, self.now()).await?;
        act.commit().await?;
        Ok(row)
    }

    /// A person by id. A login is no id: a lookup that took both would let one person choose
    /// another's id as a login.
    pub async fn person(&self, id: &str) -> Result<PersonRow> {
        by_id(&mut self.read().await?, id).await
    }

    /// A person by login.
    pub async fn person_by_login(&self, login: &str) -> Result<PersonRow> {
        let sql = "SELECT id, login, name, disabled, made, version FROM person WHERE login = $1";
        let row = self.read().await?.one(sql, args![login]).await?;
        row.ok_or_else(|| StoreError::not_found("person", login))
    }

    /// People by login.
    pub async fn people(&self, from: &ListFrom) -> Result<ListPage<PersonRow>> {
        let after = from.position(Position::first())?.word;
        let sql = "SELECT id, login, name, disabled, made, version FROM person WHERE login > $1 \
                   ORDER BY login LIMIT $2";
        let rows = self.read().await?.all(sql, args![&after, from.fetch()]).await?;
        Ok(from.page(rows, |row: &PersonRow| Position::new(0, &row.login)))
    }

    /// Lets a person in or keeps them out; those kept out lose their sessions.
    pub async fn disable_person(&self, by: &By, id: &str, disabled: bool) -> Result<PersonRow> {
        let mut act = self.write().await?;
        let before = by_id(&mut act, id).await?;
        let sql = "UPDATE person SET disabled = $2, version = version + 1 WHERE id = $1";
        act.run(sql, args![&before.id, disabled]).await?;
        if disabled {
            act.run("DELETE FROM session WHERE person = $1", args![&before.id]).await?;
        }
        let after = by_id(&mut act, &before.id).await?;
        audit::changed(&mut act, by, "change", (&before, &after), self.now()).await?;
        act.commit().await?;
        Ok(after)
    }

    /// Gives a person another password and ends their sessions.
    pub async fn change_password(&self, by: &By, id: &str, password: &str) -> Result<()> {
        let hash = self.hashed(Some(password)).await?;
        let mut act = self.write().await?;
        let person = by_id(&mut act, id).await?;
        let sql = "UPDATE person SET hash = $2, version = version + 1 WHERE id = $1";
        act.run(sql, args![&person.id, &hash]).await?;
        act.run("DELETE FROM session WHERE person = $1", args![&person.id]).await?;
        let object = format!("person {}", person.id);
        audit::append(&mut act, by, "person.password", &object, "{}", self.now()).await?;
        act.commit().await
    }

    /// The person who has this login and password. Takes the same time for a login that nobody
    /// has. At most two passwords are checked at once, because each takes 19 MiB.
    pub async fn check_password(&self, login: &str, password: &str) -> Result<Option<PersonRow>> {
        let sql = "SELECT id, hash FROM person WHERE login = $1 AND disabled = 0";
        let row: Option<(String, Option<String>)> =
            self.read().await?.one(sql, args![login]).await?;
        let (id, hash) = row.unwrap_or_default();
        let right = passwords::check(&self.hashing, password, hash).await?;
        if right { self.person(&id).await.map(Some) } else { Ok(None) }
    }

    /// Gives a person a right, or another one in its place. Their sessions end, so that none has
    /// rights from before.
    pub async fn grant(&self, by: &By, right: &RightRow) -> Result<()> {
        let mut act = self.write().await?;
        let person = by_id(&mut act, &right.person).await?.id;
        put_right(&mut act, right).await?;
        act.run("DELETE FROM session WHERE person = $1", args![&person]).await?;
        let detail = audit::change(None, Some(right))?;
        let object = format!("person {person}");
        audit::append(&mut act, by, "right.grant", &object, &detail, self.now()).await?;
        act.commit().await
    }

    /// Takes a right from a person and ends their sessions.
    pub async fn revoke(&self, by: &By, right: &RightRow) -> Result<()> {
        let mut act = self.write().await?;
        let person = by_id(&mut act, &right.person).await?.id;
        let sql = "DELETE FROM person_right WHERE person = $1 AND object = $2 AND role = $3";
        if act.run(sql, args![&person, &right.object, right.role]).await? == 0 {
            return Err(StoreError::not_found("right", &right.object));
        }
        act.run("DELETE FROM session WHERE person = $1", args![&person]).await?;
        let detail = audit::change(Some(right), None)?;
        let object = format!("person {person}");
        audit::append(&mut act, by, "right.revoke", &object, &detail, self.now()).await?;
        act.commit().await
    }

    /// The rights of a person.
    pub async fn rights(&self, person: &str) -> Result<Vec<RightRow>> {
        let sql = "SELECT person, object, role FROM person_right WHERE person = $1 \
                   ORDER BY object LIMIT 500";
        self.read().await?.all(sql, args![person]).await
    }

    pub(crate) async fn hashed(&self, password: Option<&str>) -> Result<Option<String>> {
        match password {
            Some(password) => passwords::hash(&self.hashing, password).await.map(Some),
            None => Ok(None),
        }
    }
}

/// A person by id.
pub(crate) async fn by_id(access: &mut Access, id: &str) -> Result<PersonRow> {
    let sql = "SELECT id, login, name, disabled, made, version FROM person WHERE id = $1";
    let row = access.one(sql, args![id]).await?;
    row.ok_or_else(|| StoreError::not_found("person", id))
}

/// Creates an account within a transaction.
pub(crate) async fn insert(
    act: &mut Access,
    new: &NewPerson,
    hash: Option<&str>,
    now: i64,
) -> Result<PersonRow> {
    let id = new_id()?;
    let login = checked_name(&new.login)?;
    let sql = "INSERT INTO person (id, login, name, hash, disabled, made, version) \
               VALUES ($1, $2, $3, $4, 0, $5, 1)";
    act.run(sql, args![&id, login, &new.name, hash, now])
        .await
        .map_err(|error| error.named("person", login))?;
    by_id(act, &id).await
}

/// Gives a right within a transaction.
pub(crate) async fn put_right(act: &mut Access, right: &RightRow) -> Result<()> {
    let sql = "INSERT INTO person_right (person, object, role) VALUES ($1, $2, $3) \
               ON CONFLICT (person, object) DO UPDATE SET role = excluded.role";
    act.run(sql, args![&right.person, &right.object, right.role]).await?;
    Ok(())
}

//! Tokens of programs, and invitations.

use crate::audit::{self, By};
use crate::ids::{checksum, new_id, new_secret, sha256};
use crate::people::{self, NewPerson, PersonRole, PersonRow, RightRow};
use crate::sql::{Columns, Stored, args};
use crate::{Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// How long a token is good unless its person says otherwise, in milliseconds: ninety days.
pub const TOKEN_LIFE: i64 = 90 * 24 * 3600 * 1000;
const PREFIX: &str = "karat_";
/// Use is noted once a minute, so that reading does not write.
const NOTED: i64 = 60 * 1000;

/// A token of a person. Its secret was shown once and is not stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct TokenRow {
    /// Its id.
    pub id: String,
    /// The id of the person.
    pub person: String,
    /// What the person calls it.
    pub name: String,
    /// What it may be used for, separated by blanks: `read submit organise judge`.
    pub scopes: String,
    /// When it was made.
    pub made: i64,
    /// When it ends.
    pub until: i64,
    /// When it was last used, give or take a minute.
    pub used: Option<i64>,
}

impl Stored for TokenRow {
    fn read(columns: &mut Columns) -> Result<TokenRow> {
        Ok(TokenRow {
            id: columns.take()?,
            person: columns.take()?,
            name: columns.take()?,
            scopes: columns.take()?,
            made: columns.take()?,
            until: columns.take()?,
            used: columns.take()?,
        })
    }
}

/// An invitation. Its secret was shown once and is not stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InvitationRow {
    /// Its id.
    pub id: String,
    /// What the right is for: a benchmark, or everything.
    pub object: String,
    /// What the person will be allowed to do.
    pub role: PersonRole,
    /// Whom it is for.
    pub note: String,
    /// The id of the person who sent it.
    pub sent_by: Option<String>,
    /// When it was made.
    pub made: i64,
    /// When it ends.
    pub until: i64,
    /// The id of the person who took it.
    pub taken_by: Option<String>,
}

impl Stored for InvitationRow {
    fn read(columns: &mut Columns) -> Result<InvitationRow> {
        Ok(InvitationRow {
            id: columns.take()?,
            object: columns.take()?,
            role: columns.take()?,
            note: columns.take()?,
            sent_by: columns.take()?,
            made: columns.take()?,
            until: columns.take()?,
            taken_by: columns.take()?,
        })
    }
}

/// Whether a text has the form of a token, with the right checksum. Says nothing about whether
/// the token is good, and asks nobody.
pub fn is_token(text: &str) -> bool {
    text.strip_prefix(PREFIX)
        .filter(|rest| rest.is_ascii() && rest.len() == 49)
        .is_some_and(|rest| checksum(&rest[..43]) == rest[43..])
}

impl Store {
    /// Makes a token and gives it together with what is known about it later.
    pub async fn add_token(
        &self,
        by: &By,
        person: &str,
        name: &str,
        scopes: &str,
        life: i64,
    ) -> Result<(String, TokenRow)> {
        let secret = new_secret()?;
        let token = format!("{PREFIX}{secret}{}", checksum(&secret));
        let mut act = self.write().await?;
        let person = people::by_id(&mut act, person).await?.id;
        let made = self.now();
        let row = TokenRow {
            id: new_id()?,
            person,
            name: name.to_owned(),
            scopes: scopes.to_owned(),
            made,
            until: made + life,
            used: None,
        };
        let sql = "INSERT INTO token (id, digest, person, name, scopes, made, until) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7)";
        let digest = sha256(token.as_bytes());
        act.run(sql, args![&row.id, &digest, &row.person, name, scopes, made, row.until]).await?;
        let detail = audit::change(None, Some(&row))?;
        audit::append(&mut act, by, "token.add", &format!("token {}", row.id), &detail, made)
            .await?;
        act.commit().await?;
        Ok((token, row))
    }

    /// Whose token this is; nobody's if it is unknown or has ended.
    pub async fn token(&self, token: &str) -> Result<Option<(TokenRow, PersonRow)>> {
        if !is_token(token) {
            return Ok(None);
        }
        let now = self.now();
        let sql = "SELECT id, person, name, scopes, made, until, used FROM token \
                   WHERE digest = $1 AND until > $2";
        let mut read = self.read().await?;
        let digest = sha256(token.as_bytes());
        let row: Option<TokenRow> = read.one(sql, args![&digest, now]).await?;
        let Some(row) = row else { return Ok(None) };
        let person = people::by_id(&mut read, &row.person).await?;
        drop(read);
        if person.disabled {
            return Ok(None);
        }
        if row.used.is_none_or(|used| used < now - NOTED) {
            let mut act = self.write().await?;
            act.run("UPDATE token SET used = $2 WHERE id = $1", args![&row.id, now]).await?;
            act.commit().await?;
        }
        Ok(Some((row, person)))
    }

    /// The tokens of a person, the newest first.
    pub async fn tokens(&self, person: &str) -> Result<Vec<TokenRow>> {
        let sql = "SELECT id, person, name, scopes, made, until, used FROM token \
                   WHERE person = $1 ORDER BY made DESC, id LIMIT 500";
        self.read().await?.all(sql, args![person]).await
    }

    /// Ends a token of a person.
    pub async fn end_token(&self, by: &By, person: &str, id: &str) -> Result<()> {
        let mut act = self.write().await?;
        let sql = "DELETE FROM token WHERE id = $1 AND person = $2";
        if act.run(sql, args![id, person]).await? == 0 {
            return Err(StoreError::not_found("token", id));
        }
        audit::append(&mut act, by, "token.end", &format!("token {id}"), "{}", self.now()).await?;
        act.commit().await
    }

    /// Makes an invitation that ends after `life` milliseconds, and gives its secret.
    pub async fn invite(
        &self,
        by: &By,
        object: &str,
        role: PersonRole,
        note: &str,
        life: i64,
    ) -> Result<String> {
        let (id, secret, now) = (new_id()?, new_secret()?, self.now());
        let mut act = self.write().await?;
        let sql = "INSERT INTO invitation (id, digest, object, role, note, sent_by, made, until) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
        let digest = sha256(secret.as_bytes());
        act.run(sql, args![&id, &digest, object, role, note, &by.person, now, now + life]).await?;
        let about = format!("invitation {id}");
        audit::append(&mut act, by, "invitation.add", &about, "{}", now).await?;
        act.commit().await?;
        Ok(secret)
    }

    /// Invitations, the newest first.
    pub async fn invitations(&self) -> Result<Vec<InvitationRow>> {
        let sql = "SELECT id, object, role, note, sent_by, made, until, taken_by FROM invitation \
                   ORDER BY made DESC, id LIMIT 500";
        self.read().await?.all(sql, args![]).await
    }

    /// Takes an invitation: makes the person and gives the right. Nobody can take it again.
    pub async fn accept_invitation(&self, secret: &str, new: &NewPerson) -> Result<PersonRow> {
        let hash = self.hashed(new.password.as_deref()).await?;
        let now = self.now();
        let mut act = self.write().await?;
        let sql = "UPDATE invitation SET taken = $2 WHERE digest = $1 AND taken IS NULL \
                   AND until > $2 RETURNING id, object, role";
        let digest = sha256(secret.as_bytes());
        let taken: Option<(String, String, PersonRole)> = act.one(sql, args![&digest, now]).await?;
        let (id, object, role) =
            taken.ok_or_else(|| StoreError::not_found("invitation", "given"))?;
        let person = people::insert(&mut act, new, hash.as_deref(), now).await?;
        people::put_right(&mut act, &RightRow { person: person.id.clone(), object, role }).await?;
        let sql = "UPDATE invitation SET taken_by = $2 WHERE id = $1";
        act.run(sql, args![&id, &person.id]).await?;
        let by = By::person(&person.id, crate::Via::Session);
        let about = format!("invitation {id}");
        let detail = audit::change(None, Some(&person))?;
        audit::append(&mut act, &by, "invitation.accept", &about, &detail, now).await?;
        act.commit().await?;
        Ok(person)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_with_a_typing_error_is_none() {
        let secret = "a".repeat(43);
        let token = format!("{PREFIX}{secret}{}", checksum(&secret));
        assert!(is_token(&token));
        assert!(!is_token(&token.replace("karat_a", "karat_b")));
        for bad in ["", "karat_", &token[..54], &format!("{token}0"), &token.replace('a', "ä")] {
            assert!(!is_token(bad), "{bad}");
        }
    }
}

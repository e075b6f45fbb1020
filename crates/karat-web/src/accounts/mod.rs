//! Accounts: who is logged in, logging in and out, invitations, tokens, people and the audit.
//!
//! A server on this machine needs none of this: whoever has the link that was printed may do everything. A server that
//! others can reach has accounts. People log in with a password and have a session, which is a cookie; programs have
//! tokens. There is no open registration: an owner makes an invitation, a link that is good once.

mod context;
mod entrance;
mod login;
mod own;
mod people;
mod rates;
#[cfg(test)]
mod tests;
mod visitor;

pub(crate) use entrance::inner_path;
pub(crate) use login::{LoginRefused, SessionCookie, log_in, log_out};
pub(crate) use own::NewToken;
pub(crate) use rates::RateLimit;
pub(crate) use visitor::visitor_of;

use crate::server::Shared;
use axum::Router;
use karat_store::{By, EVERYTHING, PersonRole, Store, StoreError};
use std::sync::Arc;
use std::time::Duration;

/// A minute.
const MINUTE: Duration = Duration::from_secs(60);
/// How long an invitation is good, in milliseconds: a week.
pub(crate) const INVITATION_LIFE: i64 = 7 * 24 * 3600 * 1000;
/// The least number of characters of a password. Length is what makes a password hard to guess.
pub(crate) const LEAST_PASSWORD: usize = 10;
/// The most: a hash of megabytes would take long.
const MOST_PASSWORD: usize = 1000;

/// What a server with accounts needs to know.
#[derive(Debug)]
pub struct Accounts {
    /// Where people reach it, without a slash at the end.
    pub(crate) origin: String,
    /// Whether those who are not logged in may read what is visible.
    pub(crate) may_read: bool,
    logins: RateLimit,
    addresses: RateLimit,
    requests: RateLimit,
}

impl Accounts {
    /// Accounts of a server that people reach at this address.
    pub fn new(origin: &str, may_read: bool) -> Accounts {
        Accounts {
            origin: origin.trim_end_matches('/').to_owned(),
            may_read,
            logins: RateLimit::new(5, MINUTE),
            addresses: RateLimit::new(20, MINUTE),
            requests: RateLimit::new(600, MINUTE),
        }
    }

    /// Whether people reach it over https: then cookies are sent over nothing else.
    pub(crate) fn is_secure(&self) -> bool {
        self.origin.starts_with("https://")
    }

    /// Counts a request of somebody; how long to wait if there were too many.
    pub(crate) fn count(&self, who: &str) -> Result<(), Duration> {
        self.requests.count(who)
    }
}

/// Makes an invitation for somebody who will own everything, and gives its link: how the first account is made.
pub async fn invite_owner(store: &Store, origin: &str) -> Result<String, StoreError> {
    let (by, role) = (By::local(), PersonRole::Owner);
    let secret = store.invite(&by, EVERYTHING, role, "owner", INVITATION_LIFE).await?;
    Ok(format!("{}/invitations/{secret}", origin.trim_end_matches('/')))
}

/// The pages of accounts that are there for everybody: login and invitations.
pub(crate) fn entrance() -> Router<Arc<Shared>> {
    entrance::router()
}

/// The pages of accounts for those who are logged in.
pub(crate) fn router() -> Router<Arc<Shared>> {
    own::router().merge(people::router())
}

/// Why a password does not do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PasswordRefused {
    /// It can be guessed.
    #[error("a password has at least {LEAST_PASSWORD} characters")]
    Short,
    /// It takes too long to be hashed.
    #[error("a password has at most {MOST_PASSWORD} characters")]
    Long,
}

/// Refuses passwords that are too short to be one, or too long to be hashed.
pub fn check_password(password: &str) -> Result<(), PasswordRefused> {
    match password.chars().count() {
        length if length < LEAST_PASSWORD => Err(PasswordRefused::Short),
        length if length > MOST_PASSWORD => Err(PasswordRefused::Long),
        _ => Ok(()),
    }
}

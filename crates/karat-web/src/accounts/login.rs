//! Logging in and out.

use super::Accounts;
use axum::http::HeaderMap;
use axum::http::header;
use karat_store::{By, PersonRow, Store, StoreError};
use std::time::Duration;

/// The cookie that holds the secret of a session.
///
/// The name with `__Host-` makes browsers insist that it came over https from this very host.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SessionCookie {
    secure: bool,
}

impl SessionCookie {
    pub(crate) fn of(accounts: &Accounts) -> SessionCookie {
        SessionCookie { secure: accounts.is_secure() }
    }

    fn name(self) -> &'static str {
        if self.secure { "__Host-karat" } else { crate::security::COOKIE }
    }

    /// The header that gives a browser its session.
    pub(crate) fn given(self, secret: &str) -> String {
        let life = karat_store::SESSION_LIFE / 1000;
        format!("{}={secret}; {}; Max-Age={life}", self.name(), self.attributes())
    }

    /// The header that takes it away.
    pub(crate) fn taken(self) -> String {
        format!("{}=; {}; Max-Age=0", self.name(), self.attributes())
    }

    /// The secret that a browser sends.
    pub(crate) fn sent(self, headers: &HeaderMap) -> Option<String> {
        let cookies = headers.get_all(header::COOKIE).into_iter();
        let pairs =
            cookies.filter_map(|cookies| cookies.to_str().ok()).flat_map(|it| it.split(';'));
        let mut pairs = pairs.filter_map(|pair| pair.trim().split_once('='));
        pairs.find(|(name, _)| *name == self.name()).map(|(_, secret)| secret.to_owned())
    }

    fn attributes(self) -> &'static str {
        if self.secure {
            "Path=/; Secure; HttpOnly; SameSite=Lax"
        } else {
            "Path=/; HttpOnly; SameSite=Lax"
        }
    }
}

/// Why nobody was logged in.
#[derive(Debug)]
pub(crate) enum LoginRefused {
    /// There is no such login, or it has another password: which of the two is not said.
    Wrong,
    /// There were too many tries; wait so long.
    TooMany(Duration),
    /// The store did not answer.
    Store(StoreError),
}

impl From<StoreError> for LoginRefused {
    fn from(error: StoreError) -> LoginRefused {
        LoginRefused::Store(error)
    }
}

/// Begins a session for whoever has this login and password, and gives its secret.
///
/// A wrong password and an unknown login get the same answer after the same time, and both count: five tries a minute for
/// a login, twenty for an address.
pub(crate) async fn log_in(
    accounts: &Accounts,
    store: &Store,
    (login, password): (&str, &str),
    address: &str,
    headers: &HeaderMap,
) -> Result<(String, PersonRow), LoginRefused> {
    accounts.logins.count(login).map_err(LoginRefused::TooMany)?;
    accounts.addresses.count(address).map_err(LoginRefused::TooMany)?;
    let Some(person) = store.check_password(login, password).await? else {
        // The login may be a password typed into the wrong field, so it is not written down.
        store.note(&By::local(), "session.refused", "person", "{}").await?;
        return Err(LoginRefused::Wrong);
    };
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok());
    let agent: String = agent.unwrap_or_default().chars().take(200).collect();
    let secret = store.open_session(&person.id, &agent).await?;
    Ok((secret, person))
}

/// Ends the session that a browser sends.
pub(crate) async fn log_out(
    accounts: &Accounts,
    store: &Store,
    headers: &HeaderMap,
) -> Result<(), StoreError> {
    let Some(secret) = SessionCookie::of(accounts).sent(headers) else { return Ok(()) };
    if let Some((session, person)) = store.session(&secret).await? {
        let by = By::person(&person.id, karat_store::Via::Session);
        store.end_sessions(&by, &person.id, Some(&session.digest)).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn cookies_are_for_this_host_only() {
        let secure = SessionCookie::of(&Accounts::new("https://karat.example/", false));
        let given = secure.given("s");
        assert_eq!(
            given,
            "__Host-karat=s; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=2592000"
        );
        let plain = SessionCookie::of(&Accounts::new("http://127.0.0.1:8000", false));
        assert_eq!(plain.taken(), "karat=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
        let sent = HeaderValue::from_static("look=dark; __Host-karat=abc; karat=x");
        let headers = HeaderMap::from_iter([(header::COOKIE, sent)]);
        assert_eq!(secure.sent(&headers).as_deref(), Some("abc"));
        assert_eq!(plain.sent(&headers).as_deref(), Some("x"));
        assert_eq!(plain.sent(&HeaderMap::new()), None);
    }
}

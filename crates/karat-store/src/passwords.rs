//! Passwords as Argon2id hashes.

use crate::ids::random;
use crate::{Result, StoreError};
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};
use tokio::sync::Semaphore;

/// What is checked when nobody has the login, so that the answer takes as long. No password has
/// this hash.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$bm9ib2R5bm9ib2R5bm9ibw$\
                      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// The hash of a password, with its parameters and salt in it.
pub(crate) async fn hash(turns: &Semaphore, password: &str) -> Result<String> {
    let salt = random::<16>()?;
    let password = password.to_owned();
    blocking(turns, move || {
        let hash = argon()?.hash_password_with_salt(password.as_bytes(), &salt).map_err(refused)?;
        Ok(hash.to_string())
    })
    .await
}

/// Whether a password has this hash.
pub(crate) async fn check(turns: &Semaphore, password: &str, hash: Option<String>) -> Result<bool> {
    let password = password.to_owned();
    blocking(turns, move || {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| NOBODY.to_owned());
        let hash = PasswordHash::new(&hash).map_err(refused)?;
        Ok(argon()?.verify_password(password.as_bytes(), &hash).is_ok() && known)
    })
    .await
}

/// 19 MiB and two passes, as OWASP recommends for one lane.
fn argon() -> Result<Argon2<'static>> {
    let params = Params::new(19 * 1024, 2, 1, None).map_err(refused)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Waits for a turn, then works where it keeps nobody else waiting.
async fn blocking<T: Send + 'static>(
    turns: &Semaphore,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let _turn = turns.acquire().await.map_err(refused)?;
    tokio::task::spawn_blocking(work).await.map_err(refused)?
}

fn refused(error: impl std::fmt::Display) -> StoreError {
    StoreError::Password(error.to_string())
}

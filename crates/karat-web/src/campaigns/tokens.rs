//! Tokens of people without an account: signed, for one assignment, and good for a time. They are sent as
//! `Authorization: Bearer kw_…`, stand in the fragment of an address or in a field of a form; never in a cookie, because
//! pages are shown in frames of others.

use karat_store::{Store, StoreError};

/// What such a token begins with.
pub const WORKER_TOKEN: &str = "kw_";

/// A token lasts a day; whoever enters again gets a new one.
const LASTS: i64 = 24 * 3600 * 1000;
const PURPOSE: &str = "worker token";

/// A token that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerToken {
    /// The assignment that it is for.
    pub assignment: i64,
    /// Until when it is good.
    pub until: i64,
}

impl WorkerToken {
    /// A new token for an assignment.
    pub fn make(store: &Store, assignment: i64) -> Result<String, StoreError> {
        let until = store.now().saturating_add(LASTS);
        let said = format!("{assignment}_{until}");
        let signature = store.sign(PURPOSE, &said)?;
        Ok(format!("{WORKER_TOKEN}{said}_{}", &signature[..40]))
    }

    /// The token, if this store made it and its time is not over.
    pub fn check(store: &Store, text: &str) -> Result<Option<WorkerToken>, StoreError> {
        let parts = || {
            let (assignment, rest) = text.strip_prefix(WORKER_TOKEN)?.split_once('_')?;
            let (until, signature) = rest.split_once('_')?;
            let token =
                WorkerToken { assignment: assignment.parse().ok()?, until: until.parse().ok()? };
            Some((token, signature))
        };
        let Some((token, signature)) = parts() else { return Ok(None) };
        let right = store.sign(PURPOSE, &format!("{}_{}", token.assignment, token.until))?;
        let right = &right[..40];
        let differ = right.bytes().zip(signature.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        let is_ours = differ == 0 && right.len() == signature.len();
        Ok((is_ours && token.until >= store.now()).then_some(token))
    }
}

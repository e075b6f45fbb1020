//! Who sends a request, where there are accounts.

use super::{Accounts, SessionCookie};
use crate::access::Visitor;
use axum::http::{HeaderMap, header};
use karat_store::{Store, StoreError};

/// Who sends a request. A request with a token ignores cookies, so that a program never does more than its token may
/// because a browser on the same machine is logged in. A token that is not good is nobody, whatever cookies say.
pub(crate) async fn visitor_of(
    accounts: &Accounts,
    store: &Store,
    headers: &HeaderMap,
) -> Result<Visitor, StoreError> {
    if let Some(given) = headers.get(header::AUTHORIZATION) {
        let token = given.to_str().ok().and_then(|given| given.strip_prefix("Bearer "));
        let found = match token {
            Some(token) => store.token(token.trim()).await?,
            None => None,
        };
        return Ok(match found {
            Some((token, person)) => {
                let rights = store.rights(&person.id).await?;
                Visitor::token(person, &token.scopes, rights)
            }
            None => Visitor::nobody(false),
        });
    }
    let found = match SessionCookie::of(accounts).sent(headers) {
        Some(secret) => store.session(&secret).await?,
        None => None,
    };
    Ok(match found {
        Some((session, person)) => {
            let rights = store.rights(&person.id).await?;
            Visitor::session(person, session.digest, rights)
        }
        None => Visitor::nobody(accounts.may_read),
    })
}

//! Sessions, tokens, people, rights and the audit.

use super::call::{Call, boxed};
use super::catalogue::shown;
use super::etag::expected_version;
use super::listing::{self, listed};
use super::operation::{Gives, Handler, Operation, READ, Takes, schema_of};
use super::problem::{BUSY, CHANGED, LOGIN, MISSING, Problem, RIGHTS};
use super::stored::{created, done, versioned, written};
use crate::access::Act;
use crate::accounts::{INVITATION_LIFE, LoginRefused, NewToken, SessionCookie, log_in, log_out};
use crate::page::{QueryKey, key};
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use karat_store::{
    AuditCheck, AuditRow, EVERYTHING, ListPage, PersonRole, PersonRow, RightRow, Store, TokenRow,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

const PERSON: QueryKey = key("person", "the id of a person");
const OBJECT: QueryKey = key("object", "the id of a benchmark, or * for everything");
const OF: QueryKey = key("object", "one object, as `benchmark` and its id; all if it is not given");

pub(super) static OPERATIONS: &[Operation] = &[
    Operation {
        path: "/session",
        id: "getSession",
        about: "Who you are, and what you may do.",
        gives: Gives::Json(schema_of::<Who>),
        handler: Handler::Function(|call| boxed(who(call))),
        ..READ
    },
    Operation {
        method: Method::DELETE,
        path: "/session",
        id: "logOut",
        about: "Ends the session of the cookie.",
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(leave(call))),
        ..READ
    },
    Operation {
        path: "/tokens",
        id: "listTokens",
        about: "Your tokens, without their secrets.",
        gives: Gives::List(schema_of::<TokenRow>),
        handler: Handler::Function(|call| boxed(tokens(call))),
        ..READ
    },
    Operation {
        method: Method::POST,
        path: "/tokens",
        id: "addToken",
        about: "Makes a token for a program; needs a session. The secret is in this answer and nowhere else.",
        takes: Takes::Json(schema_of::<AskedToken>),
        gives: Gives::Created(schema_of::<MadeToken>),
        handler: Handler::Function(|call| boxed(add_token(call))),
        ..READ
    },
    Operation {
        method: Method::DELETE,
        path: "/tokens/{id}",
        id: "endToken",
        about: "Ends a token of yours; owners name the person of others.",
        keys: &[PERSON],
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(end_token(call))),
        ..READ
    },
    Operation {
        path: "/people",
        id: "listPeople",
        about: "The people who have an account, by login.",
        act: Act::Own,
        keys: listing::KEYS,
        gives: Gives::List(schema_of::<PersonRow>),
        handler: Handler::Function(|call| boxed(people(call))),
        ..READ
    },
    Operation {
        path: "/people/{id}",
        id: "getPerson",
        about: "One person.",
        act: Act::Own,
        gives: Gives::Json(schema_of::<PersonRow>),
        handler: Handler::Function(|call| boxed(person(call))),
        ..READ
    },
    Operation {
        method: Method::POST,
        path: "/people",
        id: "invite",
        about: "Makes an invitation: a link that is good once, for a week.",
        act: Act::Own,
        takes: Takes::Json(schema_of::<AskedInvitation>),
        gives: Gives::Created(schema_of::<MadeInvitation>),
        handler: Handler::Function(|call| boxed(invite(call))),
        ..READ
    },
    Operation {
        method: Method::PATCH,
        path: "/people/{id}",
        id: "changePerson",
        about: "Disables an account and ends its sessions, or enables it again.",
        act: Act::Own,
        takes: Takes::Json(schema_of::<PersonChange>),
        gives: Gives::Json(schema_of::<PersonRow>),
        handler: Handler::Function(|call| boxed(change_person(call))),
        ..READ
    },
    Operation {
        path: "/rights",
        id: "listRights",
        about: "The rights of a person.",
        act: Act::Own,
        keys: &[PERSON],
        gives: Gives::List(schema_of::<RightRow>),
        handler: Handler::Function(|call| boxed(rights(call))),
        ..READ
    },
    Operation {
        method: Method::POST,
        path: "/rights",
        id: "grant",
        about: "Gives a person a right, in the place of one for the same object. Their sessions end.",
        act: Act::Own,
        takes: Takes::Json(schema_of::<RightRow>),
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(grant(call))),
        ..READ
    },
    Operation {
        method: Method::DELETE,
        path: "/rights",
        id: "revoke",
        about: "Takes a right from a person. Their sessions end.",
        act: Act::Own,
        keys: &[PERSON, OBJECT],
        gives: Gives::Nothing,
        handler: Handler::Function(|call| boxed(revoke(call))),
        ..READ
    },
    Operation {
        path: "/audit",
        id: "listAudit",
        about: "Who did what, the newest first; as JSON Lines with `Accept: application/jsonl`.",
        act: Act::Own,
        keys: &[OF, listing::LIMIT, listing::AFTER],
        gives: Gives::List(schema_of::<AuditItem>),
        handler: Handler::Function(|call| boxed(audit(call))),
        ..READ
    },
    Operation {
        path: "/audit/check",
        id: "checkAudit",
        about: "Walks the whole chain of the audit: whether every entry is as it was written.",
        act: Act::Own,
        gives: Gives::Json(schema_of::<AuditCheck>),
        handler: Handler::Function(|call| boxed(check_audit(call))),
        ..READ
    },
];

/// The one operation that needs nobody to be logged in.
pub(super) static LOGIN_OPERATIONS: &[Operation] = &[Operation {
    method: Method::POST,
    path: "/session",
    id: "logIn",
    about: "Begins a session: the answer sets a cookie. Programs take tokens instead.",
    is_open: true,
    takes: Takes::Json(schema_of::<Credentials>),
    gives: Gives::Json(schema_of::<PersonRow>),
    handler: Handler::Function(|call| boxed(enter(call))),
    ..READ
}];

/// What one logs in with.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Credentials {
    /// The login.
    login: String,
    /// The password.
    password: String,
}

/// Who asks, and what they may do.
#[derive(Debug, Serialize, ToSchema)]
struct Who {
    /// The person; nobody where there are no accounts.
    person: Option<PersonRow>,
    /// Their rights.
    rights: Vec<RightRow>,
    /// Whether this is a server without accounts, where everything is allowed.
    local: bool,
}

/// A token to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AskedToken {
    /// What you call it.
    name: String,
    /// What it may be used for: `read`, `submit`, `organise`, `judge`.
    scopes: Vec<String>,
    /// How many days it lives; 90 if it is not given.
    days: Option<i64>,
}

/// A token that was made.
#[derive(Debug, Serialize, ToSchema)]
struct MadeToken {
    /// The secret, which is shown this once.
    secret: String,
    /// What is known about it later.
    token: TokenRow,
}

/// An invitation to be made.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct AskedInvitation {
    /// What the person will be.
    role: PersonRole,
    /// Of what: the id of a benchmark, or * for everything.
    object: String,
    /// Whom it is for.
    #[serde(default)]
    note: String,
}

/// An invitation that was made.
#[derive(Debug, Serialize, ToSchema)]
struct MadeInvitation {
    /// The link to send, which is shown this once.
    link: String,
}

/// What to change about a person.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PersonChange {
    /// Whether the account is disabled.
    disabled: bool,
}

/// An entry of the audit.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AuditEntry)]
struct AuditItem {
    /// Its number, from 1.
    seq: i64,
    /// When, in milliseconds since 1970.
    at: i64,
    /// The id of the person; nothing where nobody was logged in.
    who: Option<String>,
    /// By what: `session`, `token`, `local` or `server`.
    via: &'static str,
    /// What was done.
    act: String,
    /// To what.
    object: String,
    /// Before and after.
    #[schema(value_type = Object)]
    detail: Value,
    /// The digest of the entry before.
    before: String,
}

impl From<AuditRow> for AuditItem {
    fn from(row: AuditRow) -> AuditItem {
        AuditItem {
            seq: row.seq,
            at: row.at,
            who: Some(row.who).filter(|who| !who.is_empty()),
            via: row.via.word(),
            act: row.act,
            object: row.object,
            detail: serde_json::from_str(&row.detail).unwrap_or_default(),
            before: row.before,
        }
    }
}

async fn enter(mut call: Call) -> Result<Response, Problem> {
    let Credentials { login, password } = call.json().await?;
    let store = call.store()?;
    let no_accounts = || Problem::new(&MISSING, "this server has no accounts");
    let accounts = call.shared.accounts().ok_or_else(no_accounts)?;
    let given = (login.as_str(), password.as_str());
    let entered = log_in(accounts, &store, given, &call.address, &call.headers).await;
    let (secret, person) = entered.map_err(|refused| match refused {
        LoginRefused::Wrong => {
            Problem::new(&LOGIN, "this login and password do not belong together")
        }
        LoginRefused::TooMany(wait) => {
            let wait = HeaderValue::from(wait.as_secs() + 1);
            Problem::new(&BUSY, "too many tries").with_header(header::RETRY_AFTER, wait)
        }
        LoginRefused::Store(error) => error.into(),
    })?;
    let cookie = SessionCookie::of(accounts).given(&secret);
    let headers = [
        (header::SET_COOKIE, cookie),
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, written(&person)?).into_response())
}

async fn who(call: Call) -> Result<Response, Problem> {
    let visitor = &call.visitor;
    let (person, rights) = (visitor.person().cloned(), visitor.rights().to_vec());
    shown(&call, &Who { person, rights, local: visitor.is_local() })
}

async fn leave(call: Call) -> Result<Response, Problem> {
    let mut response = done();
    if let Some(accounts) = call.shared.accounts() {
        log_out(accounts, &call.store()?, &call.headers).await?;
        if let Ok(cookie) = HeaderValue::from_str(&SessionCookie::of(accounts).taken()) {
            response.headers_mut().insert(header::SET_COOKIE, cookie);
        }
    }
    Ok(response)
}

/// The id of the person who asks.
fn own(call: &Call) -> Result<String, Problem> {
    let person = call.visitor.person().map(|person| person.id.clone());
    person.ok_or_else(|| Problem::new(&MISSING, "this server has no accounts"))
}

async fn tokens(call: Call) -> Result<Response, Problem> {
    let items = call.store()?.tokens(&own(&call)?).await?;
    listed(&call, &ListPage { items, next: None })
}

async fn add_token(mut call: Call) -> Result<Response, Problem> {
    let person = own(&call)?;
    // A token that could make tokens would live for ever.
    if call.visitor.session_digest().is_none() {
        return Err(Problem::new(&RIGHTS, "a token cannot make tokens: log in"));
    }
    let AskedToken { name, scopes, days } = call.json().await?;
    let scopes: Vec<&str> = scopes.iter().map(String::as_str).collect();
    let days = days.map(|days| days.to_string());
    let asked = NewToken { name: &name, scopes: &scopes, days: days.as_deref() };
    let (scopes, life) = asked.checked().map_err(|error| Problem::request(error.to_string()))?;
    let made = call.store()?.add_token(&call.visitor.by(), &person, &name, &scopes, life).await?;
    let (secret, token) = made;
    created(&format!("/tokens/{}", token.id), None, &MadeToken { secret, token })
}

async fn end_token(call: Call) -> Result<Response, Problem> {
    let person = match call.get(PERSON.name) {
        Some(person) => {
            call.allowed(Act::Own, EVERYTHING)?;
            person.to_owned()
        }
        None => own(&call)?,
    };
    call.store()?.end_token(&call.visitor.by(), &person, call.parameter("id")).await?;
    Ok(done())
}

/// The store, for what only owners of everything do.
fn owned(call: &Call) -> Result<Store, Problem> {
    call.allowed(Act::Own, EVERYTHING)?;
    call.store()
}

async fn people(call: Call) -> Result<Response, Problem> {
    let page = owned(&call)?.people(&listing::from(&call)?).await?;
    listed(&call, &page)
}

async fn person(call: Call) -> Result<Response, Problem> {
    let row = owned(&call)?.person(call.parameter("id")).await?;
    versioned(&call, row.version, &row)
}

/// The id of an object of rights: everything, or a benchmark by id or slug.
async fn object_of(store: &Store, object: &str) -> Result<String, Problem> {
    match object {
        EVERYTHING => Ok(EVERYTHING.to_owned()),
        benchmark => Ok(store.benchmark(benchmark).await?.id),
    }
}

async fn invite(mut call: Call) -> Result<Response, Problem> {
    let store = owned(&call)?;
    let AskedInvitation { role, object, note } = call.json().await?;
    let object = object_of(&store, &object).await?;
    let no_accounts = || Problem::new(&MISSING, "this server has no accounts");
    let origin = &call.shared.accounts().ok_or_else(no_accounts)?.origin;
    let by = call.visitor.by();
    let secret = store.invite(&by, &object, role, &note, INVITATION_LIFE).await?;
    let link = format!("{origin}/invitations/{secret}");
    created("/people", None, &MadeInvitation { link })
}

async fn change_person(mut call: Call) -> Result<Response, Problem> {
    let store = owned(&call)?;
    let row = store.person(call.parameter("id")).await?;
    let version = expected_version(&call.headers)?;
    let PersonChange { disabled } = call.json().await?;
    if call.visitor.person().is_some_and(|own| own.id == row.id) {
        return Err(Problem::new(&RIGHTS, "this is your own account: ask another owner"));
    }
    if row.version != version {
        return Err(Problem::new(&CHANGED, format!("the version is {}", row.version)));
    }
    let row = store.disable_person(&call.visitor.by(), &row.id, disabled).await?;
    versioned(&call, row.version, &row)
}

async fn rights(call: Call) -> Result<Response, Problem> {
    let store = owned(&call)?;
    let person = call.get(PERSON.name);
    let person = person.ok_or_else(|| Problem::request("say of which `person`"))?;
    let items = store.rights(&store.person(person).await?.id).await?;
    listed(&call, &ListPage { items, next: None })
}

async fn grant(mut call: Call) -> Result<Response, Problem> {
    let store = owned(&call)?;
    let mut right: RightRow = call.json().await?;
    right.object = object_of(&store, &right.object).await?;
    store.grant(&call.visitor.by(), &right).await?;
    Ok(done())
}

async fn revoke(call: Call) -> Result<Response, Problem> {
    let store = owned(&call)?;
    let (Some(person), Some(object)) = (call.get(PERSON.name), call.get(OBJECT.name)) else {
        return Err(Problem::request("say of which `person`, and for which `object`"));
    };
    let object = object_of(&store, object).await?;
    let known = store.rights(person).await?;
    let right = known.into_iter().find(|right| right.object == object);
    let right = right.ok_or_else(|| Problem::missing("right", &object))?;
    store.revoke(&call.visitor.by(), &right).await?;
    Ok(done())
}

async fn audit(call: Call) -> Result<Response, Problem> {
    let page = owned(&call)?.audit(call.get(OF.name), &listing::from(&call)?).await?;
    let items: Vec<AuditItem> = page.items.into_iter().map(AuditItem::from).collect();
    let accepts = call.headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    if accepts.is_some_and(|accepts| accepts.contains("application/jsonl")) {
        let lines: Result<Vec<String>, Problem> = items.iter().map(written).collect();
        let text = lines?.into_iter().map(|line| line + "\n").collect::<String>();
        return Ok(super::etag::tagged(&call.headers, "application/jsonl", text));
    }
    listed(&call, &ListPage { items, next: page.next })
}

async fn check_audit(call: Call) -> Result<Response, Problem> {
    let check = owned(&call)?.check_audit().await?;
    shown(&call, &check)
}

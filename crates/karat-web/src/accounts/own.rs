//! The page of one's own account: password, sessions and tokens.

use super::check_password;
use super::context::{Context, does, onwards, shows};
use crate::access::{Act, TokenScope};
use crate::components::name::{name, shown};
use crate::components::time::date;
use crate::page::PageContent;
use crate::refusal::Refusal;
use crate::server::Shared;
use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use karat_store::{EVERYTHING, RightRow, SessionRow, TOKEN_LIFE, TokenRow};
use maud::{Markup, html};
use std::sync::Arc;

/// Days in milliseconds.
const DAY: i64 = 24 * 3600 * 1000;
/// The longest life of a token, in days.
pub(crate) const MOST_DAYS: i64 = 366;

pub(super) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/account", shows(show))
        .route("/account/password", does(password))
        .route("/account/sessions", does(end_sessions))
        .route("/account/tokens", does(new_token))
        .route("/account/tokens/end", does(end_token))
}

/// What is said at the head of the page.
enum Told {
    Nothing,
    Wrong(String),
    Token(String),
}

async fn show(context: Context) -> Result<Response, Refusal> {
    page(&context, StatusCode::OK, &Told::Nothing).await
}

async fn page(context: &Context, status: StatusCode, told: &Told) -> Result<Response, Refusal> {
    let person = context.person()?;
    let sessions = context.store.sessions(&person.id).await?;
    let tokens = context.store.tokens(&person.id).await?;
    let body = html! {
        @match told {
            Told::Nothing => {},
            Told::Wrong(why) => p.wrong role="alert" { (shown(why)) },
            Told::Token(token) => div.secret role="status" {
                p { "The new token. It is shown this once: keep it where nobody else reads." }
                pre { code { (token) } }
                pre { code { "curl -H \"Authorization: Bearer " (token) "\" " (origin(context)) "/api/v1/runs" } }
            },
        }
        p { "Logged in as " (name(&person.login)) @if !person.name.is_empty() { ", " (name(&person.name)) } "." }
        (rights(context.visitor.rights()))
        @if context.visitor.may(Act::Own, EVERYTHING) {
            p { a href="/people" { "People and their rights" } " · " a href="/audit" { "What was done, and by whom" } }
        }
        form method="post" action="/logout" { button { "Log out" } }
        h2 { "Tokens" }
        p { "A token lets a program act for you, as far as its scopes and your rights go." }
        (token_table(&tokens))
        (token_form())
        h2 { "Sessions" }
        (session_table(&sessions, context.visitor.session_digest()))
        h2 { "Password" }
        (password_form())
    };
    let title = "Account".to_owned();
    Ok(context.page(status, &PageContent { title, body, ..PageContent::default() }))
}

/// Where programs reach this server.
fn origin(context: &Context) -> &str {
    context.shared.accounts().map_or("", |accounts| &accounts.origin)
}

/// What somebody may do, in words.
fn rights(rights: &[RightRow]) -> Markup {
    html! {
        @if rights.is_empty() { p { "You have no rights yet: ask an owner of this server." } }
        @else {
            ul {
                @for right in rights {
                    li {
                        (right.role.word()) " of "
                        @if right.object == EVERYTHING { "everything" }
                        @else { "benchmark " (name(&right.object)) }
                    }
                }
            }
        }
    }
}

fn token_table(tokens: &[TokenRow]) -> Markup {
    html! {
        @if tokens.is_empty() { p { "You have no tokens." } }
        @else {
            div.scroll tabindex="0" role="region" aria-label="Tokens" {
                table {
                    caption { "Your tokens" }
                    thead { tr {
                        th scope="col" { "name" }
                        th scope="col" { "scopes" }
                        th scope="col" { "made" }
                        th scope="col" { "ends" }
                        th scope="col" { "last used" }
                        th scope="col" { "end it" }
                    } }
                    tbody {
                        @for token in tokens {
                            tr {
                                th scope="row" { (name(&token.name)) }
                                td { (token.scopes) }
                                td { time { (date(token.made)) } }
                                td { time { (date(token.until)) } }
                                td { @match token.used { Some(used) => time { (date(used)) }, None => "never" } }
                                td {
                                    form method="post" action="/account/tokens/end" {
                                        input type="hidden" name="id" value=(token.id);
                                        button aria-label=(format!("End {}", token.name)) { "End" }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn token_form() -> Markup {
    html! {
        form.account method="post" action="/account/tokens" {
            p { label { "Name " input name="name" required maxlength="100"; } }
            fieldset {
                legend { "Scopes" }
                @for scope in TokenScope::ALL {
                    label { input type="checkbox" name="scopes" value=(scope.word()) checked[scope == TokenScope::Read]; " " (scope.word()) " " }
                }
            }
            p { label { "Days " input name="days" type="number" min="1" max=(MOST_DAYS) value=(TOKEN_LIFE / DAY); } }
            button { "Make a token" }
        }
    }
}

fn session_table(sessions: &[SessionRow], own: Option<&str>) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Sessions" {
            table {
                caption { "Where you are logged in" }
                thead { tr {
                    th scope="col" { "browser" }
                    th scope="col" { "since" }
                    th scope="col" { "last seen" }
                    th scope="col" { "end it" }
                } }
                tbody {
                    @for session in sessions {
                        tr {
                            th scope="row" {
                                (name(&session.agent))
                                @if own == Some(&session.digest) { " (this one)" }
                            }
                            td { time { (date(session.made)) } }
                            td { time { (date(session.seen)) } }
                            td {
                                form method="post" action="/account/sessions" {
                                    input type="hidden" name="session" value=(session.digest);
                                    button aria-label=(format!("End the session of {}", date(session.made))) { "End" }
                                }
                            }
                        }
                    }
                }
            }
        }
        form method="post" action="/account/sessions" { button { "End all sessions" } }
    }
}

fn password_form() -> Markup {
    html! {
        form.account method="post" action="/account/password" {
            p { label { "Old password " input name="old" type="password" autocomplete="current-password" required; } }
            p { label { "New password " input name="new" type="password" autocomplete="new-password" minlength=(super::LEAST_PASSWORD) required; } }
            button { "Change the password" }
            " All sessions end."
        }
    }
}

async fn password(context: Context) -> Result<Response, Refusal> {
    let person = context.person()?;
    // Whoever finds a browser open must not take the account, and may not guess either.
    let accounts = context.accounts()?;
    let may_try = accounts.logins.count(&person.login);
    let old = context.store.check_password(&person.login, context.get("old")).await?;
    let why = match (may_try, old, check_password(context.get("new"))) {
        (Err(_), _, _) => "There were too many tries. Wait a minute.".to_owned(),
        (_, None, _) => "The old password is another one.".to_owned(),
        (_, _, Err(why)) => format!("This does not do: {why}."),
        (Ok(()), Some(_), Ok(())) => {
            let by = context.visitor.by();
            context.store.change_password(&by, &person.id, context.get("new")).await?;
            return Ok(onwards("/login"));
        }
    };
    page(&context, StatusCode::BAD_REQUEST, &Told::Wrong(why)).await
}

async fn end_sessions(context: Context) -> Result<Response, Refusal> {
    let digest = Some(context.get("session")).filter(|digest| !digest.is_empty());
    let person = &context.person()?.id;
    context.store.end_sessions(&context.visitor.by(), person, digest).await?;
    Ok(onwards("/account"))
}

async fn new_token(context: Context) -> Result<Response, Refusal> {
    let person = context.person()?;
    let asked = NewToken {
        name: context.get("name"),
        scopes: &context.all("scopes"),
        days: Some(context.get("days")).filter(|days| !days.is_empty()),
    };
    match asked.checked() {
        Ok((scopes, life)) => {
            let by = context.visitor.by();
            let made = context.store.add_token(&by, &person.id, asked.name, &scopes, life).await?;
            page(&context, StatusCode::OK, &Told::Token(made.0)).await
        }
        Err(why) => page(&context, StatusCode::BAD_REQUEST, &Told::Wrong(why.to_string())).await,
    }
}

async fn end_token(context: Context) -> Result<Response, Refusal> {
    let person = &context.person()?.id;
    context.store.end_token(&context.visitor.by(), person, context.get("id")).await?;
    Ok(onwards("/account"))
}

/// A token as a form or a program asks for it.
pub(crate) struct NewToken<'a> {
    pub(crate) name: &'a str,
    pub(crate) scopes: &'a [&'a str],
    pub(crate) days: Option<&'a str>,
}

/// Why a token is not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TokenRefused {
    #[error("A token has a name of at most 100 characters.")]
    Name,
    #[error("There is no scope {0}.")]
    Scope(String),
    #[error("A token without a scope may do nothing: choose one.")]
    NoScope,
    #[error("A token lives from 1 to {MOST_DAYS} days.")]
    Days,
}

impl NewToken<'_> {
    /// The scopes as the store keeps them, and the life in milliseconds.
    pub(crate) fn checked(&self) -> Result<(String, i64), TokenRefused> {
        if self.name.trim().is_empty() || self.name.chars().count() > 100 {
            return Err(TokenRefused::Name);
        }
        if let Some(unknown) = self.scopes.iter().find(|scope| TokenScope::of(scope).is_none()) {
            return Err(TokenRefused::Scope((*unknown).to_owned()));
        }
        let scopes: Vec<&str> = TokenScope::ALL
            .iter()
            .map(|scope| scope.word())
            .filter(|word| self.scopes.contains(word))
            .collect();
        if scopes.is_empty() {
            return Err(TokenRefused::NoScope);
        }
        let days = self.days.map_or(Ok(TOKEN_LIFE / DAY), str::parse::<i64>);
        match days {
            Ok(days) if (1..=MOST_DAYS).contains(&days) => Ok((scopes.join(" "), days * DAY)),
            _ => Err(TokenRefused::Days),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_has_a_name_scopes_and_an_end() {
        let checked = |name, scopes: &[&str], days| NewToken { name, scopes, days }.checked();
        assert_eq!(
            checked("ci", &["submit", "read"], None),
            Ok(("read submit".to_owned(), TOKEN_LIFE))
        );
        assert_eq!(checked("ci", &["read"], Some("1")), Ok(("read".to_owned(), DAY)));
        for (name, scopes, days) in [
            ("", &["read"][..], None),
            ("ci", &[], None),
            ("ci", &["all"], None),
            ("ci", &["read"], Some("0")),
            ("ci", &["read"], Some("367")),
            ("ci", &["read"], Some("x")),
        ] {
            assert!(checked(name, scopes, days).is_err(), "{name} {scopes:?} {days:?}");
        }
    }
}

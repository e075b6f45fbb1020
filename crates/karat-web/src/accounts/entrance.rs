//! The pages on which one comes in: login and invitation.

use super::check_password;
use super::context::{Context, does, onwards, shows};
use super::login::{LoginRefused, SessionCookie, log_in, log_out};
use crate::page::PageContent;
use crate::refusal::Refusal;
use crate::server::Shared;
use axum::Router;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use karat_store::{NewPerson, StoreError};
use maud::{Markup, html};
use std::sync::Arc;

/// Pages that are there for everybody.
pub(super) fn router() -> Router<Arc<Shared>> {
    Router::new()
        .route("/login", shows(show_login).merge(does(enter)))
        .route("/logout", does(leave))
        .route("/invitations/{secret}", shows(show_invitation).merge(does(accept)))
}

async fn show_login(context: Context) -> Result<Response, Refusal> {
    Ok(login_page(&context, StatusCode::OK, None))
}

fn login_page(context: &Context, status: StatusCode, told: Option<&str>) -> Response {
    let body = html! {
        (said(told))
        form.account method="post" action="/login" {
            input type="hidden" name="to" value=(context.get("to"));
            p { label { "Login " input name="login" autocomplete="username" required autocapitalize="none" value=(context.get("login")); } }
            p { label { "Password " input name="password" type="password" autocomplete="current-password" required; } }
            button { "Log in" }
        }
        p { "Accounts are made by invitation: ask an owner of this server." }
    };
    let title = "Log in".to_owned();
    context.page(status, &PageContent { title, body, ..PageContent::default() })
}

/// What went wrong, where screen readers say it at once.
fn said(told: Option<&str>) -> Markup {
    html! { @if let Some(told) = told { p.wrong role="alert" { (told) } } }
}

async fn enter(context: Context) -> Result<Response, Refusal> {
    let accounts = context.accounts()?;
    let given = (context.get("login"), context.get("password"));
    let entered = log_in(accounts, &context.store, given, &context.address, &context.headers).await;
    match entered {
        Ok((secret, _)) => {
            let mut response = onwards(inner_path(context.get("to")));
            let cookie = HeaderValue::from_str(&SessionCookie::of(accounts).given(&secret));
            if let Ok(cookie) = cookie {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            Ok(response)
        }
        Err(LoginRefused::Wrong) => {
            let told = "This login and password do not belong together.";
            Ok(login_page(&context, StatusCode::FORBIDDEN, Some(told)))
        }
        Err(LoginRefused::TooMany(wait)) => {
            let seconds = wait.as_secs() + 1;
            let told = format!("There were too many tries. Wait {seconds} seconds.");
            let mut page = login_page(&context, StatusCode::TOO_MANY_REQUESTS, Some(&told));
            page.headers_mut().insert(header::RETRY_AFTER, seconds.into());
            Ok(page)
        }
        Err(LoginRefused::Store(error)) => Err(error.into()),
    }
}

/// Where somebody wanted to go, if that is a page of ours.
pub(crate) fn inner_path(path: &str) -> &str {
    let is_ours = path.starts_with('/') && !path.starts_with("//") && !path.starts_with("/\\");
    if is_ours && !path.chars().any(char::is_control) { path } else { "/" }
}

async fn leave(context: Context) -> Result<Response, Refusal> {
    let accounts = context.accounts()?;
    log_out(accounts, &context.store, &context.headers).await?;
    let mut response = onwards("/login");
    if let Ok(cookie) = HeaderValue::from_str(&SessionCookie::of(accounts).taken()) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

async fn show_invitation(context: Context) -> Result<Response, Refusal> {
    Ok(invitation_page(&context, StatusCode::OK, None))
}

/// The same page for invitations that are good and those that are not: only taking one tells.
fn invitation_page(context: &Context, status: StatusCode, told: Option<&str>) -> Response {
    let body = html! {
        p { "Choose a login and a password. The password has at least " (super::LEAST_PASSWORD) " characters." }
        (said(told))
        form.account method="post" action=(context.path) {
            p { label { "Login " input name="login" autocomplete="username" required autocapitalize="none" value=(context.get("login")); } }
            p { label { "Name, as others see it " input name="name" autocomplete="name" value=(context.get("name")); } }
            p { label { "Password " input name="password" type="password" autocomplete="new-password" minlength=(super::LEAST_PASSWORD) required; } }
            button { "Make the account" }
        }
    };
    let title = "Invitation".to_owned();
    context.page(status, &PageContent { title, body, ..PageContent::default() })
}

async fn accept(context: Context) -> Result<Response, Refusal> {
    let refused = |told: &str| Ok(invitation_page(&context, StatusCode::BAD_REQUEST, Some(told)));
    let password = context.get("password");
    if let Err(why) = check_password(password) {
        return refused(&format!("This does not do: {why}."));
    }
    let new = NewPerson {
        login: context.get("login").trim().to_owned(),
        name: context.get("name").trim().to_owned(),
        password: Some(password.to_owned()),
    };
    match context.store.accept_invitation(context.last_part(), &new).await {
        Ok(_) => Ok(onwards("/login")),
        Err(StoreError::NotFound { .. }) => {
            refused("This invitation was used, or its time is over. Ask for another.")
        }
        Err(StoreError::Taken { .. }) => refused("Somebody else has this login. Choose another."),
        Err(StoreError::Name(_)) => {
            refused("A login has letters, digits, dots, hyphens and underscores.")
        }
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::inner_path;

    #[test]
    fn nobody_is_sent_elsewhere_after_the_login() {
        assert_eq!(inner_path("/runs/a?show=cases"), "/runs/a?show=cases");
        for bad in ["", "//evil.example", "https://evil.example", "/\\evil.example", "/a\nb"] {
            assert_eq!(inner_path(bad), "/", "{bad}");
        }
    }
}

//! What stands around the pages of those who judge: no navigation, because they came for one thing.

use super::arriving::Seat;
use crate::assets::{JUDGE_SCRIPT, JUDGE_STYLE, STYLE};
use crate::components::name::shown;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use karat::campaigns::platform::Exit;
use maud::{DOCTYPE, Markup, html};

/// A page.
pub(super) fn page(
    seat: Option<&Seat>,
    status: StatusCode,
    title: &str,
    body: &Markup,
) -> Response {
    let name = seat.map_or("", |seat| seat.campaign.title.as_str());
    let markup = html! {
        (DOCTYPE)
        html lang="en" data-judging {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                title { (shown(title)) @if !name.is_empty() { " · " (shown(name)) } }
                link rel="icon" href="data:,";
                link rel="stylesheet" href=(STYLE.path());
                link rel="stylesheet" href=(JUDGE_STYLE.path());
                script src=(JUDGE_SCRIPT.path()) defer {}
            }
            body.judging {
                a.skip href="#content" { "Skip to the content" }
                main id="content" tabindex="-1" { (body) }
            }
        }
    };
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "private, no-store"),
    ];
    let mut response = (status, headers, markup.into_string()).into_response();
    if let Some(policy) = seat.and_then(policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// Where a platform shows our pages in a frame, or ends with a form that is posted to it, browsers are told so; everything else stays
/// forbidden.
fn policy(seat: &Seat) -> Option<HeaderValue> {
    let platform = seat.platform;
    let hosts: &[String] = match &platform.end {
        Exit::Post { hosts, .. } => hosts,
        _ => &[],
    };
    if platform.frames.is_empty() && hosts.is_empty() {
        return None;
    }
    let listed = |sites: &[String]| sites.iter().map(|site| format!(" {site}")).collect::<String>();
    let ancestors =
        if platform.frames.is_empty() { " 'none'".to_owned() } else { listed(&platform.frames) };
    let policy = crate::security::POLICY
        .replace("form-action 'self'", &format!("form-action 'self'{}", listed(hosts)))
        .replace("frame-ancestors 'none'", &format!("frame-ancestors{ancestors}"));
    HeaderValue::from_str(&policy).ok()
}

/// A text that people wrote, in paragraphs.
pub(super) fn paragraphs(text: &str) -> Markup {
    html! {
        @for paragraph in text.split("\n\n").map(str::trim).filter(|it| !it.is_empty()) {
            p dir="auto" { (shown(paragraph)) }
        }
    }
}

/// A record, for the script.
pub(super) fn json(status: StatusCode, record: &impl serde::Serialize) -> Response {
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "private, no-store")];
    // Records are strings and numbers, which JSON can always hold.
    (status, headers, serde_json::to_string(record).unwrap_or_default()).into_response()
}

//! The API, for people who write programs.

use crate::address::Address;
use crate::api::{GROUPS, Handler, Operation, PREFIX, Takes, about_parameter};
use crate::page::{Asked, Page, PageContent, QueryKey};
use crate::refusal::Refusal;
use maud::{Markup, html};

/// What programs can ask for, made from the same list as the routes.
#[derive(Debug)]
pub(crate) struct ApiPage;

impl Page for ApiPage {
    fn path(&self) -> &'static str {
        "/api"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let body = html! {
            p {
                "Everything that these pages do can be done by programs under " code { (PREFIX) }
                ". Answers are JSON; tables and comparisons also come as TSV, CSV, Markdown and LaTeX, as "
                code { "Accept" } " asks. Lists come in pages: give " code { "next" } " as " code { "after" }
                ". Errors are " code { "application/problem+json" } ". A machine-readable description is "
                a href="/openapi.json" { "openapi.json" } "."
            }
            @for (group, operations) in GROUPS {
                section {
                    h2 id=(group) { (capitalised(group)) }
                    @for operation in *operations { (described(operation)) }
                }
            }
        };
        Ok(PageContent {
            title: "API".to_owned(),
            crumbs: vec![("Board".to_owned(), Address::board())],
            sentence: Some("What programs can ask this server for.".to_owned()),
            here: asked.here(Address::path(["api"])),
            body,
            ..PageContent::default()
        })
    }
}

fn described(operation: &Operation) -> Markup {
    let keys = operation.query_keys();
    html! {
        h3 id=(operation.id) { code { (operation.method.as_str()) " " (operation.path) } }
        p { (operation.about) }
        @if operation.parameters().next().is_some() || !keys.is_empty() {
            dl {
                @for name in operation.parameters() {
                    dt { code { "{" (name) "}" } }
                    dd { (about_parameter(name)) }
                }
                @for key in &keys {
                    dt { code { (key.name) "=" } }
                    dd { (key.about) }
                }
            }
        }
        pre { code { (curl(operation)) } }
    }
}

/// The operation as a command, with what differs in capital letters.
fn curl(operation: &Operation) -> String {
    let mut command = String::from("curl -H \"Authorization: Bearer $TOKEN\"");
    if operation.method != axum::http::Method::GET {
        command.push_str(&format!(" -X {}", operation.method));
    }
    match operation.takes {
        Takes::Nothing => {}
        Takes::Json(_) => command.push_str(" --json '{...}'"),
        Takes::File => command.push_str(" --data-binary @FILE"),
    }
    if matches!(operation.handler, Handler::Page(..)) {
        command.push_str(" -H \"Accept: text/markdown\"");
    }
    let mut path = operation.path.to_owned();
    for name in operation.parameters() {
        path = path.replace(&format!("{{{name}}}"), &name.to_uppercase());
    }
    format!("{command} $KARAT{PREFIX}{path}")
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

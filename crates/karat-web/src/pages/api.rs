//! The API, for people who write programs.

use crate::address::Address;
use crate::api::{CurlCommand, GROUPS, Operation, PREFIX, about_parameter};
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
        pre { code { (CurlCommand::in_general(operation)) } }
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

//! The boards that were saved.

use super::saved::in_words;
use crate::address::Address;
use crate::components::frame::link;
use crate::components::name::name;
use crate::components::time::date;
use crate::page::{Asked, Page, PageContent, QueryKey};
use crate::refusal::Refusal;
use karat_store::{ListFrom, MOST_ITEMS, StoredBoard};
use maud::{Markup, html};

/// All boards.
#[derive(Debug)]
pub(crate) struct Boards;

impl Page for Boards {
    fn path(&self) -> &'static str {
        "/boards"
    }

    fn keys(&self) -> &'static [QueryKey] {
        &[]
    }

    fn show(&self, asked: &Asked<'_>) -> Result<PageContent, Refusal> {
        let from = ListFrom { limit: MOST_ITEMS, after: None };
        let boards = match asked.workbench.workspace() {
            Some(workspace) => workspace.wait(workspace.store().boards(&from))?.items,
            None => Vec::new(),
        };
        let published = boards.iter().filter(|board| board.published.is_some()).count();
        let sentence = match boards.len() {
            0 => "No view was saved as a board yet.".to_owned(),
            1 => format!("1 saved board, {published} published."),
            several => format!("{several} saved boards, {published} published."),
        };
        Ok(PageContent {
            title: "Boards".to_owned(),
            sentence: Some(sentence),
            here: Address::path(["boards"]),
            body: body(asked, &boards),
            ..PageContent::default()
        })
    }
}

fn body(asked: &Asked<'_>, boards: &[StoredBoard]) -> Markup {
    html! {
        div.scroll tabindex="0" role="region" aria-label="Boards" {
            table.results data-rows {
                caption { "A board is a named view; a published one keeps its numbers for good" }
                thead { tr {
                    th scope="col" { "board" } th scope="col" { "shows" } th scope="col" { "published" }
                } }
                tbody {
                    tr data-row {
                        th.who scope="row" { (link(asked.links, &Address::board(), &html! { "All results" })) }
                        td { "everything" } td { span.soft { "shows what there is" } }
                    }
                    @for board in boards { tr data-row {
                        th.who scope="row" {
                            (link(asked.links, &Address::path(["boards", &board.slug]), &name(if board.title.is_empty() { &board.slug } else { &board.title })))
                            @if !board.about.is_empty() { br; span.soft { (name(&board.about)) } }
                        }
                        td { (name(&in_words(&board.query))) }
                        td { @match board.published {
                            Some(at) => (date(at)),
                            None => span.soft { "shows what there is" },
                        } }
                    } }
                }
            }
        }
        @if asked.workbench.workspace().is_some() {
            p.legend { "To save a board, choose what is shown on "
                (link(asked.links, &Address::board(), &html! { "the board of all results" })) " and open “save” there. "
                "Boards that were removed are in the " (link(asked.links, &Address::path(["trash"]), &html! { "trash" })) " for 30 days." }
        } @else {
            p.legend { "This server shows files and keeps nothing; " code { "karat serve" } " without files has boards that can be saved." }
        }
    }
}

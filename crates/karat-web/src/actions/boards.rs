//! Saving and publishing boards.

use crate::action::{Action, SentForm};
use crate::address::Address;
use crate::pages::board::saved::{checked_query, publish};
use crate::refusal::Refusal;
use crate::workspace::store_slug;
use karat_store::{BoardChange, NewBoard, StoredBoard};

/// Saves a view as a board.
#[derive(Debug)]
pub(crate) struct SaveBoard;

/// Changes the view of a board that is not published.
#[derive(Debug)]
pub(crate) struct ChangeBoardView;

/// Publishes a board.
#[derive(Debug)]
pub(crate) struct PublishBoard;

fn address(board: &StoredBoard) -> Address {
    Address::path(["boards", &board.slug])
}

fn named(form: &SentForm<'_>) -> Result<StoredBoard, Refusal> {
    let name = form.parameter("board");
    Ok(form.workspace.wait(form.workspace.store().board(name))?)
}

impl Action for SaveBoard {
    fn path(&self) -> &'static str {
        "/boards"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let text = |name: &str| form.field(name).unwrap_or_default().to_owned();
        let title = text("title");
        if title.is_empty() {
            return Err(Refusal::bad_request("a board needs a name", "go back and write one"));
        }
        let query = checked_query(form.workbench, &text("query"))?;
        let new = NewBoard { slug: store_slug(&title), title, about: text("about"), query };
        let row = form.workspace.wait(form.workspace.store().add_board(&form.by, &new))?;
        Ok(address(&row))
    }
}

impl Action for ChangeBoardView {
    fn path(&self) -> &'static str {
        "/boards/{board}/view"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let board = named(form)?;
        let query = checked_query(form.workbench, form.field("query").unwrap_or_default())?;
        let change = BoardChange { query: Some(query), ..BoardChange::default() };
        let (store, by) = (form.workspace.store(), &form.by);
        let changed = store.change_board(by, &board.id, board.version, &change);
        Ok(address(&form.workspace.wait(changed)?))
    }
}

impl Action for PublishBoard {
    fn path(&self) -> &'static str {
        "/boards/{board}/publish"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let board = named(form)?;
        Ok(address(&publish(form.workbench, form.workspace, &form.by, &board)?))
    }
}

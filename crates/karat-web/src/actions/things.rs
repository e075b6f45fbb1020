//! Renaming, removing and restoring.

use crate::action::{Action, SentForm};
use crate::address::Address;
use crate::refusal::Refusal;
use crate::workspace::{EditableThing, ThingRights, store_slug};
use karat_store::{BenchmarkChange, BoardChange, Removable, RunChange, StoreError, SystemChange};

/// Changes the names of something and what is said about it.
#[derive(Debug)]
pub(crate) struct ChangeThing;

/// Puts something into the trash. Its name has to be typed, so that nobody does it by mistake.
#[derive(Debug)]
pub(crate) struct RemoveThing;

/// Takes something out of the trash.
#[derive(Debug)]
pub(crate) struct RestoreThing;

/// The kind of thing that a path names.
pub(crate) fn kind_named(name: &str) -> Result<Removable, Refusal> {
    let known = Removable::ALL.iter().map(|kind| kind.word());
    Removable::from_word(name).ok_or_else(|| Refusal::missing("kind of thing", name, known))
}

fn found(form: &SentForm<'_>) -> Result<EditableThing, Refusal> {
    let kind = kind_named(form.parameter("kind"))?;
    Ok(form.workspace.thing(&form.visitor, kind, form.parameter("id"))?)
}

impl Action for ChangeThing {
    fn path(&self) -> &'static str {
        "/edit/{kind}/{id}"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let thing = found(form)?;
        let (store, by) = (form.workspace.store(), &form.by);
        let text = |name: &str| form.field(name).map(str::to_owned);
        let title = text("title").filter(|title| !title.is_empty());
        // A name in addresses is made of what was written, so that any name will do.
        let slug = text("slug").filter(|slug| !slug.is_empty()).map(|slug| store_slug(&slug));
        let is_set = |name: &str| Some(form.field(name).is_some());
        let (id, version) = (&thing.id, thing.version);
        match thing.kind {
            Removable::Benchmark => {
                let change = BenchmarkChange {
                    slug,
                    title,
                    about: text("about"),
                    licence: text("licence"),
                    gold_hidden: is_set("hidden"),
                    ..BenchmarkChange::default()
                };
                let row = form.workspace.wait(store.change_benchmark(by, id, version, &change))?;
                Ok(Address::benchmark(&row.slug))
            }
            Removable::System => {
                let change = SystemChange {
                    slug,
                    title,
                    about: text("about"),
                    deprecated: is_set("deprecated"),
                    ..SystemChange::default()
                };
                let row = form.workspace.wait(store.change_system(by, id, version, &change))?;
                Ok(Address::system(&row.slug))
            }
            Removable::Run => {
                let change =
                    RunChange { label: text("label"), note: text("about"), ..RunChange::default() };
                form.workspace.wait(store.change_run(by, id, version, &change))?;
                Ok(Address::run(id))
            }
            Removable::Board => {
                let change =
                    BoardChange { slug, title, about: text("about"), ..BoardChange::default() };
                let row = form.workspace.wait(store.change_board(by, id, version, &change))?;
                Ok(Address::path(["boards", &row.slug]))
            }
        }
    }
}

impl Action for RemoveThing {
    fn path(&self) -> &'static str {
        "/edit/{kind}/{id}/remove"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let thing = found(form)?;
        let typed = form.field("name").unwrap_or_default();
        if typed != thing.name {
            return Err(Refusal::bad_request(
                format!("{typed} is not its name"),
                format!("type {} to remove it", thing.name),
            ));
        }
        let store = form.workspace.store();
        let remove = store.remove(&form.by, thing.kind, &thing.id, thing.version);
        form.workspace.wait(remove)?;
        Ok(Address::path(["trash"]))
    }
}

impl Action for RestoreThing {
    fn path(&self) -> &'static str {
        "/trash/restore"
    }

    fn act(&self, form: &SentForm<'_>) -> Result<Address, Refusal> {
        let kind = kind_named(form.field("kind").unwrap_or_default())?;
        let id = form.field("id").unwrap_or_default();
        let row = form.workspace.wait(form.workspace.store().in_trash(kind, id))?;
        if !ThingRights::from(&row).allow(&form.visitor) {
            return Err(StoreError::NotFound { what: kind.word(), id: row.id }.into());
        }
        form.workspace.wait(form.workspace.store().restore(&form.by, kind, id))?;
        Ok(Address::path(["trash"]))
    }
}

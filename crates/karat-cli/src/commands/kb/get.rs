//! `karat kb get`

use super::Asked;
use crate::failure::Failure;
use clap::Args;
use karat::kb::{Entity, Kind, KnowledgeBase};
use karat::report::{Cell, Column, Table};

/// Show what is known of an entity
///
/// The id may be spelled in any way; `--spellings` lists all that the base has. Exit code 1 if the base does not have it.
#[derive(Debug, Args)]
pub(crate) struct Get {
    #[command(flatten)]
    asked: Asked,
    /// Ids of entities
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// List titles, redirects and other ids of it too; goes through all links of the base
    #[arg(long)]
    spellings: bool,
}

impl Get {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let base = self.asked.open()?;
        let columns = ["id", "what", "value"].map(Column::text);
        let mut table = Table::new(columns);
        let mut missing = false;
        for id in &self.ids {
            match base.entity(id) {
                Some(entity) => {
                    rows(&base, &entity, &mut table);
                    if self.spellings {
                        spellings(&base, entity.id(), &mut table);
                    }
                }
                None => {
                    missing = true;
                    crate::show::warning(&format!("the knowledge base does not have `{id}`"));
                }
            }
        }
        self.asked.print(&base, table)?;
        if missing { Err(Failure::Gate) } else { Ok(()) }
    }
}

/// One row for each spelling that leads to an entity.
fn spellings(base: &KnowledgeBase, id: &str, table: &mut Table) {
    for (step, spelling) in base.spellings(id) {
        table.row([id.into(), step.name().into(), spelling.into()]);
    }
}

/// One row for each thing that is known, and for each that may be of interest and is not.
fn rows(base: &KnowledgeBase, entity: &Entity<'_>, table: &mut Table) {
    let mut row = |what: &str, value: Cell| table.row([entity.id().into(), what.into(), value]);
    let named = |id: &str| match base.type_name(id) {
        Some(name) => Cell::from(format!("{id} {name}")),
        None => Cell::from(id),
    };
    row("name", entity.name().into());
    entity.aliases().for_each(|alias| row("alias", alias.into()));
    row("description", entity.description().into());
    match entity.types().known().map(Iterator::collect::<Vec<_>>) {
        None => row("type", Cell::Missing),
        Some(types) if types.is_empty() => row("type", "none".into()),
        Some(types) => types.iter().for_each(|id| row("type", named(id))),
    }
    entity.parents().for_each(|id| row("parent", named(id)));
    row("popularity", entity.popularity().map_or(Cell::Missing, Cell::Count));
    match entity.kind() {
        Kind::Thing => {}
        Kind::Quantity => row("kind", "quantity".into()),
        Kind::DateTime => row("kind", "date or time".into()),
    }
    let yes_or_no = |is_one: bool| if is_one { "yes" } else { "no" };
    row("location", base.is_place(entity).map(yes_or_no).into());
}

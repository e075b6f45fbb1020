//! What is known of entities, and of the spellings of their ids.

use super::Found;
use crate::notices;
use karat_kb::{Entity, EntityKind, KnowledgeBase};
use karat_report::{Cell, Column, Table};

impl Found {
    pub(super) fn entities(&mut self, base: &KnowledgeBase, ids: &[String], spellings: bool) {
        self.table = Table::new(["id", "what", "value"].map(Column::text));
        for id in ids {
            let Some(entity) = base.entity(id) else {
                self.is_incomplete = true;
                let message = format!("the knowledge base does not have `{id}`");
                self.notices.push(notices::NO_ENTITY.notice(message).about(id));
                continue;
            };
            rows(base, &entity, &mut self.table);
            if spellings {
                for (step, spelling) in base.spellings(entity.id()) {
                    self.table.row([entity.id().into(), step.name().into(), spelling.into()]);
                }
            }
        }
    }

    pub(super) fn normalised(&mut self, base: &KnowledgeBase, ids: &[String]) {
        self.table = Table::new(["spelling", "step", "id", "name"].map(Column::text));
        for id in ids {
            for step in base.explain(id) {
                let row = [id.as_str(), step.step.name(), &step.id];
                self.table.row(row.map(Cell::from).into_iter().chain([Cell::Missing]));
            }
            let end = base.resolve(id);
            let name = base.entity(&end).and_then(|entity| entity.name());
            self.table.row([id.as_str().into(), "is".into(), end.as_ref().into(), name.into()]);
        }
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
        EntityKind::Thing => {}
        EntityKind::Quantity => row("kind", "quantity".into()),
        EntityKind::DateTime => row("kind", "date or time".into()),
    }
    let yes_or_no = |is_one: bool| if is_one { "yes" } else { "no" };
    row("location", base.is_place(entity).map(yes_or_no).into());
}

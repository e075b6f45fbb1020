//! Entities by their names.

use super::Found;
use crate::error::Error;
use crate::notices;
use karat_kb::KnowledgeBase;
use karat_report::{Cell, Column, Table};
use karat_search::{SearchError, SearchIndex, folder_of};
use std::path::Path;

impl Found {
    pub(super) fn named(
        &mut self,
        base: &KnowledgeBase,
        path: &Path,
        text: &str,
        number: usize,
    ) -> Result<(), Error> {
        let index = self.index(base, path)?;
        self.table = Table::new([
            Column::text("id"),
            Column::text("name"),
            Column::text("found by"),
            Column::number("prior", 4),
            Column::count("popularity"),
            Column::text("description"),
        ]);
        let hits = index.search(base, text, number)?;
        if hits.is_empty() {
            self.is_incomplete = true;
            let message = format!("no name in the knowledge base fits `{text}`");
            self.notices.push(notices::NO_ENTITY.notice(message).about(text));
        }
        for hit in hits {
            let entity = base.entity(&hit.id);
            let popularity = entity.and_then(|entity| entity.popularity());
            self.table.row([
                Cell::from(hit.id.as_str()),
                Cell::from(entity.and_then(|entity| entity.name())),
                Cell::from(hit.text),
                Cell::from(hit.prior),
                popularity.map_or(Cell::Missing, Cell::Count),
                Cell::from(entity.and_then(|entity| entity.description())),
            ]);
        }
        Ok(())
    }

    /// The index of the base, made if there is none, or only that of another base or of an older karat.
    fn index(&mut self, base: &KnowledgeBase, path: &Path) -> Result<SearchIndex, Error> {
        let folder = folder_of(path);
        match SearchIndex::open(base, &folder) {
            Err(SearchError::Missing { .. } | SearchError::Stale { .. }) => {
                let message = format!("making the index `{}`, once", folder.display());
                self.notices.push(notices::INDEX_MADE.notice(message));
                Ok(SearchIndex::build(base, &folder)?)
            }
            opened => Ok(opened?),
        }
    }
}

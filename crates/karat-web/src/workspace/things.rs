//! What can be renamed and removed, seen alike.

use super::Workspace;
use karat_store::{Removable, StoreError};

/// A benchmark, system, run or board, with what its form needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditableThing {
    /// What it is.
    pub kind: Removable,
    /// Its id.
    pub id: String,
    /// How often it was changed.
    pub version: i64,
    /// What has to be typed to remove it.
    pub name: String,
    /// Its name in addresses; nothing for a run.
    pub slug: Option<String>,
    /// Its name for people; for a run its label.
    pub title: String,
    /// What is said about it.
    pub about: String,
    /// For a benchmark whether gold is hidden, for a system whether something better took its place.
    pub flag: bool,
    /// For a benchmark, what one may do with it.
    pub licence: String,
}

impl Workspace {
    /// Something by its id, or by its name in addresses.
    pub fn thing(&self, kind: Removable, id: &str) -> Result<EditableThing, StoreError> {
        self.wait(self.found_thing(kind, id))
    }

    async fn found_thing(&self, kind: Removable, id: &str) -> Result<EditableThing, StoreError> {
        let store = self.store();
        Ok(match kind {
            Removable::Benchmark => {
                let row = store.benchmark(id).await?;
                EditableThing {
                    kind,
                    id: row.id,
                    version: row.version,
                    name: row.slug.clone(),
                    slug: Some(row.slug),
                    title: row.title,
                    about: row.about,
                    flag: row.gold_hidden,
                    licence: row.licence,
                }
            }
            Removable::System => {
                let row = store.system(id).await?;
                EditableThing {
                    kind,
                    id: row.id,
                    version: row.version,
                    name: row.slug.clone(),
                    slug: Some(row.slug),
                    title: row.title,
                    about: row.about,
                    flag: row.deprecated,
                    licence: String::new(),
                }
            }
            Removable::Run => {
                let row = store.run(id).await?;
                let system = store.system(&row.system).await?;
                EditableThing {
                    kind,
                    id: row.id,
                    version: row.version,
                    name: system.slug,
                    slug: None,
                    title: row.label,
                    about: row.note,
                    flag: false,
                    licence: String::new(),
                }
            }
            Removable::Board => {
                let row = store.board(id).await?;
                EditableThing {
                    kind,
                    id: row.id,
                    version: row.version,
                    name: row.slug.clone(),
                    slug: Some(row.slug),
                    title: row.title,
                    about: row.about,
                    flag: row.published.is_some(),
                    licence: String::new(),
                }
            }
        })
    }
}

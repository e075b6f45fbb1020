//! `karat kb search`

use super::Asked;
use crate::failure::Failure;
use clap::Args;
use karat::kb::KnowledgeBase;
use karat::report::{Cell, Column, Table};
use karat::search::{SearchError, SearchIndex, folder_of};

/// Find entities by their names and aliases
///
/// The last word may be unfinished, and words may be misspelled; accents and capitals do not matter. Well-known entities
/// come first. The first search makes an index beside the base, which takes minutes for millions of names; `karat kb index` makes
/// it beforehand. Exit code 1 if nothing fits.
#[derive(Debug, Args)]
pub(crate) struct Search {
    #[command(flatten)]
    asked: Asked,
    /// What to look for
    #[arg(value_name = "TEXT", required = true)]
    words: Vec<String>,
    /// How many entities to show
    #[arg(long, short = 'n', value_name = "N", default_value_t = 10)]
    number: usize,
}

impl Search {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let base = self.asked.open()?;
        let index = self.index(&base)?;
        let mut table = Table::new([
            Column::text("id"),
            Column::text("name"),
            Column::text("found by"),
            Column::number("prior", 4),
            Column::count("popularity"),
            Column::text("description"),
        ]);
        let text = self.words.join(" ");
        let hits = index.search(&base, &text, self.number)?;
        if hits.is_empty() {
            crate::show::warning(&format!("no name in the knowledge base fits `{text}`"));
        }
        let nothing = hits.is_empty();
        for hit in hits {
            let entity = base.entity(&hit.id);
            let popularity = entity.and_then(|entity| entity.popularity());
            table.row([
                Cell::from(hit.id.as_str()),
                Cell::from(entity.and_then(|entity| entity.name())),
                Cell::from(hit.text),
                Cell::from(hit.prior),
                popularity.map_or(Cell::Missing, Cell::Count),
                Cell::from(entity.and_then(|entity| entity.description())),
            ]);
        }
        self.asked.print(&base, table)?;
        if nothing { Err(Failure::Gate) } else { Ok(()) }
    }

    /// The index of the base, made if there is none, or only that of another base or of an older karat.
    fn index(&self, base: &KnowledgeBase) -> Result<SearchIndex, Failure> {
        let folder = folder_of(&self.asked.file);
        match SearchIndex::open(base, &folder) {
            Err(SearchError::Missing { .. } | SearchError::Stale { .. }) => {
                crate::show::note(&format!("making the index `{}`, once", folder.display()));
                Ok(SearchIndex::build(base, &folder)?)
            }
            opened => Ok(opened?),
        }
    }
}

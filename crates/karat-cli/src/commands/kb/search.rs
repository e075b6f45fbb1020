//! `karat kb search`

use super::Asked;
use crate::failure::Failure;
use clap::Args;
use karat::report::{Cell, Column, Table};
use karat::search::{SearchIndex, folder_of};

/// Find entities by their names and aliases
///
/// The last word may be unfinished, and words may be misspelled; accents and capitals do not matter. Well-known entities
/// come first. Needs an index, which `karat kb index` makes once.
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
        let index = SearchIndex::open(&base, &folder_of(&self.asked.file))?;
        let mut table = Table::new([
            Column::text("id"),
            Column::text("name"),
            Column::text("found by"),
            Column::number("prior", 4),
            Column::count("popularity"),
            Column::text("description"),
        ]);
        for hit in index.search(&base, &self.words.join(" "), self.number)? {
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
        self.asked.print(&base, &table)
    }
}

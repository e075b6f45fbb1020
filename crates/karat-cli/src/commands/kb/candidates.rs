//! `karat kb candidates`

use super::Asked;
use crate::failure::Failure;
use crate::show;
use clap::Args;
use karat::kb::{Evidence, KnowledgeBase, Known};
use karat::report::{Cell, Column, Table};

/// Show which entities a text may mean, the likeliest first
///
/// Exit code 1 if the base cannot know.
#[derive(Debug, Args)]
pub(crate) struct Candidates {
    #[command(flatten)]
    asked: Asked,
    /// Texts of mentions, exactly as they stand in a document
    #[arg(value_name = "MENTION", required = true)]
    mentions: Vec<String>,
    /// How many to show of each
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    number: usize,
}

impl Candidates {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let base = self.asked.open()?;
        let mut table = Table::new([
            Column::text("mention"),
            Column::text("id"),
            Column::text("name"),
            Column::count("count"),
            Column::number("prior", 4),
            Column::text("most popular"),
        ]);
        let mut unknown = false;
        for mention in &self.mentions {
            match base.candidates(mention) {
                Known::Known(candidates) => self.rows(&base, mention, &candidates, &mut table),
                Known::Unknown => {
                    unknown = true;
                    show::warning(&format!(
                        "the knowledge base cannot know what `{mention}` may mean"
                    ));
                }
            }
        }
        self.asked.print(&base, table)?;
        if unknown { Err(Failure::Gate) } else { Ok(()) }
    }

    fn rows(
        &self,
        base: &KnowledgeBase,
        mention: &str,
        candidates: &karat::kb::Candidates<'_>,
        table: &mut Table,
    ) {
        let popular = candidates.most_popular();
        for (candidate, prior) in candidates.priors().take(self.number) {
            let is_popular = match &popular {
                Known::Known(ids) => Cell::from(ids.contains(&candidate.id)),
                Known::Unknown => Cell::Missing,
            };
            table.row([
                Cell::from(mention),
                Cell::from(candidate.id),
                Cell::from(base.entity(candidate.id).and_then(|entity| entity.name())),
                candidate.count.map_or(Cell::Missing, Cell::Count),
                Cell::from(prior),
                is_popular,
            ]);
        }
        if candidates.is_empty() {
            show::note(&format!("`{mention}` means no entity of the knowledge base"));
        }
        if candidates.has_unnamed() {
            let what = if candidates.has_unnamed_location() { "a place" } else { "an entity" };
            show::note(&format!("`{mention}` most often means {what} that the base cannot name"));
        }
        if candidates.evidence() == Evidence::Inferred {
            show::note(&format!("what `{mention}` means was inferred, not read"));
        }
    }
}

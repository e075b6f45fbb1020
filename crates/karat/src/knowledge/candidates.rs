//! What texts may mean.

use super::Found;
use crate::notices;
use karat_kb::{Candidates, Evidence, KnowledgeBase, Known};
use karat_report::{Cell, Column, Table};

impl Found {
    pub(super) fn candidates(&mut self, base: &KnowledgeBase, mentions: &[String], number: usize) {
        self.table = Table::new([
            Column::text("mention"),
            Column::text("id"),
            Column::text("name"),
            Column::count("count"),
            Column::number("prior", 4),
            Column::text("most popular"),
        ]);
        for mention in mentions {
            match base.candidates(mention) {
                Known::Known(candidates) => {
                    self.add_candidates(base, mention, &candidates, number);
                }
                Known::Unknown => {
                    self.is_incomplete = true;
                    let message =
                        format!("the knowledge base cannot know what `{mention}` may mean");
                    self.notices.push(notices::NO_CANDIDATES.notice(message).about(mention));
                }
            }
        }
    }

    fn add_candidates(
        &mut self,
        base: &KnowledgeBase,
        mention: &str,
        candidates: &Candidates<'_>,
        number: usize,
    ) {
        let popular = candidates.most_popular();
        for (candidate, prior) in candidates.priors().take(number) {
            let is_popular = match &popular {
                Known::Known(ids) => Cell::from(ids.contains(&candidate.id)),
                Known::Unknown => Cell::Missing,
            };
            self.table.row([
                Cell::from(mention),
                Cell::from(candidate.id),
                Cell::from(base.entity(candidate.id).and_then(|entity| entity.name())),
                candidate.count.map_or(Cell::Missing, Cell::Count),
                Cell::from(prior),
                is_popular,
            ]);
        }
        let mut note = |message: String| {
            self.notices.push(notices::ABOUT_CANDIDATES.notice(message).about(mention));
        };
        if candidates.is_empty() {
            note(format!("`{mention}` means no entity of the knowledge base"));
        }
        if candidates.has_unnamed() {
            let what = if candidates.has_unnamed_location() { "a place" } else { "an entity" };
            note(format!("`{mention}` most often means {what} that the base cannot name"));
        }
        if candidates.evidence() == Evidence::Inferred {
            note(format!("what `{mention}` means was inferred, not read"));
        }
    }
}

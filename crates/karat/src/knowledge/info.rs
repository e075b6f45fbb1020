//! What a knowledge base holds.

use super::Found;
use crate::error::Error;
use karat_kb::{FactCoverage, KnowledgeBase};
use karat_report::{Cell, Column, Table};
use std::path::Path;

impl Found {
    pub(super) fn info(
        &mut self,
        base: &KnowledgeBase,
        path: &Path,
        verify: bool,
    ) -> Result<(), Error> {
        self.table = table(base);
        if verify {
            base.verify()?;
            self.verified("every byte is as it was written");
            self.verify_index(base, path)?;
        }
        Ok(())
    }

    #[cfg(feature = "search")]
    fn verify_index(&mut self, base: &KnowledgeBase, path: &Path) -> Result<(), Error> {
        let folder = karat_search::folder_of(path);
        if folder.exists() {
            karat_search::SearchIndex::verify(base, &folder)?;
            self.verified("so is that of the index for search");
        }
        Ok(())
    }

    #[cfg(not(feature = "search"))]
    fn verify_index(&mut self, _: &KnowledgeBase, _: &Path) -> Result<(), Error> {
        Ok(())
    }

    fn verified(&mut self, what: &str) {
        self.table.row(["verified".into(), what.into(), Cell::Missing]);
    }
}

fn table(base: &KnowledgeBase) -> Table {
    let mut table = Table::new(["what", "value", "an absent one"].map(Column::text));
    let absent = |coverage| match base.covers(coverage) {
        true => Cell::from("does not exist"),
        false => Cell::from("is unknown"),
    };
    let sizes = base.sizes();
    let counts = [
        ("entities", sizes.entities, Cell::from("is unknown")),
        ("mentions", sizes.mentions, absent(FactCoverage::Mentions)),
        ("links", sizes.links, Cell::from("stands for itself")),
        ("demonyms and others", sizes.demonyms, absent(FactCoverage::Demonyms)),
        ("documents with counted words", sizes.documents, Cell::from("is unknown")),
        ("types to report", sizes.whitelist, Cell::Missing),
        ("bytes", sizes.bytes, Cell::Missing),
    ];
    table.row([Cell::from("signature"), Cell::from(base.signature()), Cell::Missing]);
    for (what, count, absent) in counts {
        table.row([Cell::from(what), Cell::Count(count), absent]);
    }
    table.row([Cell::from("quantities and dates"), Cell::Missing, absent(FactCoverage::Kinds)]);
    for source in base.sources() {
        table.row([Cell::from("built from"), Cell::from(source), Cell::Missing]);
    }
    table
}

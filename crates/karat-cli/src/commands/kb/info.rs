//! `karat kb info`

use super::Asked;
use crate::failure::Failure;
use clap::Args;
use karat::kb::{Coverage, KnowledgeBase};
use karat::report::{Cell, Column, Table};
use karat::search::{SearchIndex, folder_of};

/// Show what a knowledge base holds
#[derive(Debug, Args)]
pub(crate) struct Info {
    #[command(flatten)]
    asked: Asked,
    /// Read the whole file, and its index for search if there is one, and check that nothing was changed
    #[arg(long)]
    verify: bool,
}

impl Info {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let base = self.asked.open()?;
        let mut table = table(&base);
        if self.verify {
            base.verify()?;
            table.row(["verified".into(), "every byte is as it was written".into(), Cell::Missing]);
            let folder = folder_of(&self.asked.file);
            if folder.exists() {
                SearchIndex::verify(&base, &folder)?;
                let index = "so is that of the index for search";
                table.row(["verified".into(), index.into(), Cell::Missing]);
            }
        }
        self.asked.print(&base, table)
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
        ("mentions", sizes.mentions, absent(Coverage::Mentions)),
        ("links", sizes.links, Cell::from("stands for itself")),
        ("demonyms and others", sizes.demonyms, absent(Coverage::Demonyms)),
        ("documents with counted words", sizes.documents, Cell::from("is unknown")),
        ("types to report", sizes.whitelist, Cell::Missing),
        ("bytes", sizes.bytes, Cell::Missing),
    ];
    table.row([Cell::from("signature"), Cell::from(base.signature()), Cell::Missing]);
    for (what, count, absent) in counts {
        table.row([Cell::from(what), Cell::Count(count), absent]);
    }
    table.row([Cell::from("quantities and dates"), Cell::Missing, absent(Coverage::Kinds)]);
    for source in base.sources() {
        table.row([Cell::from("built from"), Cell::from(source), Cell::Missing]);
    }
    table
}

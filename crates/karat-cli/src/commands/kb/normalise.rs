//! `karat kb normalise`

use super::Asked;
use crate::failure::Failure;
use clap::Args;
use karat::report::{Cell, Column, Table};

/// Show the one id that a spelling leads to, and each step on the way
#[derive(Debug, Args)]
pub(crate) struct Normalise {
    #[command(flatten)]
    asked: Asked,
    /// Spellings of ids: titles, addresses, ids of other knowledge bases
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
}

impl Normalise {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let base = self.asked.open()?;
        let mut table = Table::new(["spelling", "step", "id", "name"].map(Column::text));
        for id in &self.ids {
            for step in base.explain(id) {
                let row = [id.as_str(), step.step.name(), &step.id];
                table.row(row.map(Cell::from).into_iter().chain([Cell::Missing]));
            }
            let end = base.resolve(id);
            let name = base.entity(&end).and_then(|entity| entity.name());
            table.row([id.as_str().into(), "is".into(), end.as_ref().into(), name.into()]);
        }
        self.asked.print(&base, table)
    }
}

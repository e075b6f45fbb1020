//! `karat kb normalise`

use super::Asked;
use crate::failure::Failure;
use clap::Args;
use karat::knowledge::KnowledgeQuestion;

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
        self.asked.answer(KnowledgeQuestion::Normalise { ids: self.ids })
    }
}

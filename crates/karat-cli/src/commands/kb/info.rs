//! `karat kb info`

use super::Asked;
use crate::failure::Failure;
use clap::Args;
use karat::knowledge::KnowledgeQuestion;

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
        self.asked.answer(KnowledgeQuestion::Info { verify: self.verify })
    }
}

//! `karat kb get`

use super::Asked;
use crate::failure::Failure;
use clap::Args;
use karat::knowledge::KnowledgeQuestion;

/// Show what is known of an entity
///
/// The id may be spelled in any way; `--spellings` lists all that the base has. Exit code 1 if the base does not have it.
#[derive(Debug, Args)]
pub(crate) struct Get {
    #[command(flatten)]
    asked: Asked,
    /// Ids of entities
    #[arg(value_name = "ID", required = true)]
    ids: Vec<String>,
    /// List titles, redirects and other ids of it too; goes through all links of the base
    #[arg(long)]
    spellings: bool,
}

impl Get {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Get { asked, ids, spellings } = self;
        asked.answer(KnowledgeQuestion::Entities { ids, spellings })
    }
}

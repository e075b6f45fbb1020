//! `karat kb candidates`

use super::Asked;
use crate::failure::Failure;
use clap::Args;
use karat::knowledge::KnowledgeQuestion;

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
        let Candidates { asked, mentions, number } = self;
        asked.answer(KnowledgeQuestion::Candidates { mentions, number })
    }
}

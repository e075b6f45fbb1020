//! `karat kb search`

use super::Asked;
use crate::failure::Failure;
use clap::Args;
use karat::knowledge::KnowledgeQuestion;

/// Find entities by their names and aliases
///
/// The last word may be unfinished, and words may be misspelled; accents and capitals do not matter. Well-known entities
/// come first. The first search makes an index beside the base, which takes minutes for millions of names; `karat kb index` makes
/// it beforehand. Exit code 1 if nothing fits.
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
        let Search { asked, words, number } = self;
        asked.answer(KnowledgeQuestion::Search { text: words.join(" "), number })
    }
}

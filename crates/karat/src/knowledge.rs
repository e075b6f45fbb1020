//! Questions about a knowledge base, and their answers.

mod build;
mod candidates;
mod entities;
mod info;
#[cfg(feature = "search")]
mod search;

use crate::error::Error;
use crate::request::{Answer, Request};
use crate::work::Work;
use karat_kb::KnowledgeBase;
use karat_model::Notice;
use karat_report::{Report, RowsRecord, Table};
use serde::{Deserialize, Serialize};
use std::path::Path;

pub use build::{CompleteFacts, HarvestedRecord, KnowledgeBuildAnswer, KnowledgeBuildRequest};

/// Asks a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeRequest {
    /// The file of the base.
    pub kb: String,
    /// What is asked.
    pub question: KnowledgeQuestion,
}

/// What can be asked of a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum KnowledgeQuestion {
    /// What it holds.
    Info {
        /// Whether all of it is read, to see that nothing was changed.
        #[serde(default)]
        verify: bool,
    },
    /// What is known of entities.
    Entities {
        /// Their ids, in any spelling.
        ids: Vec<String>,
        /// Whether all spellings of them are listed as well.
        #[serde(default)]
        spellings: bool,
    },
    /// The one id that a spelling leads to, step by step.
    Normalise {
        /// Spellings of ids.
        ids: Vec<String>,
    },
    /// Which entities texts may mean, the likeliest first.
    Candidates {
        /// The texts, exactly as they stand in a document.
        mentions: Vec<String>,
        /// How many are listed of each.
        number: usize,
    },
    /// Which entities have such names.
    #[cfg(feature = "search")]
    Search {
        /// What is looked for; the last word may be unfinished.
        text: String,
        /// How many are listed.
        number: usize,
    },
}

/// What a knowledge base says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct KnowledgeAnswer {
    /// What was found.
    #[serde(flatten)]
    pub table: RowsRecord,
    /// Whether the base could say something about everything that it was asked.
    pub complete: bool,
    /// What has to be known beside it.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

impl Request for KnowledgeRequest {
    type Answer = KnowledgeAnswer;

    const NAME: &'static str = "knowledge";

    fn answer(&self, work: &Work) -> Result<KnowledgeAnswer, Error> {
        work.check()?;
        let path = Path::new(&self.kb);
        let base = KnowledgeBase::open(path)?;
        let mut found = Found::default();
        match &self.question {
            KnowledgeQuestion::Info { verify } => found.info(&base, path, *verify)?,
            KnowledgeQuestion::Entities { ids, spellings } => {
                found.entities(&base, ids, *spellings);
            }
            KnowledgeQuestion::Normalise { ids } => found.normalised(&base, ids),
            KnowledgeQuestion::Candidates { mentions, number } => {
                found.candidates(&base, mentions, *number);
            }
            #[cfg(feature = "search")]
            KnowledgeQuestion::Search { text, number } => {
                found.named(&base, path, text, *number)?;
            }
        }
        // Answers are plain values, so damage that was met on the way is told apart.
        base.check()?;
        Ok(KnowledgeAnswer {
            table: RowsRecord::from(&found.table),
            complete: !found.is_incomplete,
            notices: found.notices,
        })
    }
}

/// What was found so far.
#[derive(Default)]
struct Found {
    table: Table,
    is_incomplete: bool,
    notices: Vec<Notice>,
}

impl Answer for KnowledgeAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        Report::of(self.table.table())
    }

    fn passes(&self) -> bool {
        self.complete
    }
}

/// Makes the index that searching by name needs, and says how many texts it has.
#[cfg(feature = "search")]
pub fn make_index(kb: &Path) -> Result<(std::path::PathBuf, u64), Error> {
    let base = KnowledgeBase::open(kb)?;
    let folder = karat_search::folder_of(kb);
    let index = karat_search::SearchIndex::build(&base, &folder)?;
    Ok((folder, index.len()))
}

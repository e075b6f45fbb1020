//! `karat kb build`

use crate::failure::Failure;
use crate::interrupt::cancelled_by_interrupt;
use crate::progress::Bar;
use crate::show;
use clap::Args;
use karat::harvest::{KbSource, SOURCES, headings};
use karat::knowledge::{CompleteFacts, KnowledgeBuildRequest};
use karat::request::{Answer, Request};
use karat::work::Work;

/// Build a knowledge base from tables and dumps
///
/// Each INPUT is a file, a folder, or several joined by commas, recognised by content. Tables (TSV, CSV, JSONL,
/// Parquet) have headings. Lists within a cell are separated by `|`. The first input that says something about an entity,
/// a title or a redirect is believed; what else was said of titles and redirects is counted.
///
/// The file appears when it is complete; until then temporary files lie beside it, and Ctrl-C removes them. Memory does
/// not grow with the inputs.
#[derive(Debug, Args)]
#[command(after_long_help = after_help())]
pub(crate) struct Build {
    /// What the base is built from
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: String,
    /// The language whose names are taken from a dump of Wikidata, and whose Wikipedia dumps and their titles are of; of others after
    /// a comma, the titles that the dump of Wikidata has
    #[arg(long, value_name = "CODE", value_delimiter = ',', default_value = "en")]
    language: Vec<String>,
    /// What the inputs have all of: what they do not list does not exist then, and is not unknown
    #[arg(long, value_name = "WHAT", value_enum, value_delimiter = ',')]
    complete: Vec<Complete>,
    /// How much memory sorting may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    memory: usize,
    /// No progress bar and no remarks
    #[arg(long, short)]
    quiet: bool,
}

/// What inputs may have all of.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Complete {
    /// Every text that is a demonym
    Demonyms,
    /// Every entity that is a quantity or a date
    Kinds,
}

impl From<Complete> for CompleteFacts {
    fn from(complete: Complete) -> CompleteFacts {
        match complete {
            Complete::Demonyms => CompleteFacts::Demonyms,
            Complete::Kinds => CompleteFacts::Kinds,
        }
    }
}

const EXAMPLES: &str = "Examples:
  karat kb build facts -o elevant.kb
      the facts that ELEVANT's categories of errors need
  karat kb build facts --complete demonyms,kinds -o elevant-2023.kb
      the same for the runs of 2023: what is listed neither as a demonym nor as a date is none
  karat kb build entities.csv redirects.tsv same_as.tsv aliases.tsv.gz -o mine.kb
      a base of your own
  karat kb build wikidata.json.bz2 enwiki-page.sql.gz enwiki-redirect.sql.gz -o wikidata.kb
      all of Wikidata, by the titles of Wikipedia too";

fn after_help() -> String {
    let source = |source: &&dyn KbSource| {
        let info = source.info();
        let known_by = info.file_name.map(|name| format!(" (`{name}`, without headings)"));
        format!("  {}{}: {}\n", info.title, known_by.unwrap_or_default(), info.about)
    };
    let sources: String = SOURCES.iter().map(source).collect();
    format!("Inputs:\n{sources}\nHeadings: {}\n\n{EXAMPLES}", headings().join(", "))
}

impl Build {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let request = KnowledgeBuildRequest {
            inputs: self.inputs,
            output: self.output,
            languages: self.language,
            complete: self.complete.into_iter().map(Into::into).collect(),
            memory: self.memory,
        };
        let bar = Bar::new(0, self.quiet);
        let work = Work {
            progress: Some(bar.clone()),
            cancel: cancelled_by_interrupt(),
            ..Work::default()
        };
        let answer = request.answer(&work);
        bar.clear();
        show::notices(answer?.notices(), self.quiet);
        Ok(())
    }
}

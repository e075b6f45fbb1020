//! `karat collection stats`

use crate::arguments::{FormArgument, ReadArguments};
use crate::failure::Failure;
use crate::show;
use clap::Args;
use karat::collection::{Dictionary, Profile, tables};
use karat::formats::{Input, Problem, Text};

/// Say what a benchmark is made of, or several side by side
///
/// Counts of documents, mentions, links and NIL; how dense the annotation is; how many entities a form
/// stands for here and how many forms an entity has, over all mentions and as a mean over documents; how often
/// the most frequent entity of a form is meant; how much is repeated in a document; and the share of each type,
/// category tag, length, case and popularity. Forms are compared without regard to case. A mention is
/// what a score counts once; types, tags, lengths and cases are counted for the parts of alternatives too, as
/// ELEVANT does.
///
/// Popularity: of all linked mentions, which share belongs to the most popular tenth of the entities, and so on.
/// Without --counts the entities are ranked by how often they occur in the benchmark itself.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Stats {
    /// The benchmark; may be given several times
    #[arg(long, short, value_name = "[NAME=]INPUT", required = true)]
    gold: Vec<String>,
    /// Names of a knowledge base: name, tab, entity. Gives the ambiguity, dominance and maximum recall that
    /// GERBIL's analysis of datasets reports
    #[arg(long, value_name = "FILE")]
    names: Option<String>,
    /// How popular entities are: entity, tab, count
    #[arg(long, value_name = "FILE")]
    counts: Option<String>,
    #[command(flatten)]
    reading: ReadArguments,
    /// Form of the result
    #[arg(long, value_enum, default_value = "table")]
    format: FormArgument,
}

const EXAMPLES: &str = "Examples:
  karat collection stats -g gold.ttl
      what is in one benchmark
  karat collection stats -g aida=aida.tsv -g kore=kore50.jsonl --format latex
      a table of two for a paper
  karat collection stats -g gold.jsonl --names names.tsv --counts pagerank.tsv
      with what a knowledge base knows";

impl Stats {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut dictionary = Dictionary::default();
        if let Some(path) = &self.names {
            with_text(path, |text| dictionary.read_names(text))?;
        }
        if let Some(path) = &self.counts {
            with_text(path, |text| dictionary.read_counts(text))?;
        }
        let read = self.reading.read_all(&self.gold.iter().collect::<Vec<_>>())?;
        let profiles: Vec<Profile> = read
            .iter()
            .map(|(name, outcome)| Profile::new(name, &outcome.corpus, &dictionary))
            .collect();
        for (name, outcome) in &read {
            if outcome.corpus.documents().all(|document| document.text().is_none()) {
                show::note(&format!(
                    "`{name}` has no texts: nothing can be said about words; --documents names a corpus that has them"
                ));
            }
        }
        let (figures, shares) = (tables::figures(&profiles), tables::shares(&profiles));
        let tables = match self.format {
            FormArgument::Tsv | FormArgument::Csv => {
                vec![("", "figures", tables::everything(&profiles))]
            }
            _ => vec![("In numbers", "figures", figures), ("By property", "shares", shares)],
        };
        super::print(self.format, &tables, &[], &[])
    }
}

/// Does something with the text of each file of an argument.
fn with_text(
    argument: &str,
    mut each: impl FnMut(&Text<'_>) -> Result<(), Problem>,
) -> Result<(), Failure> {
    for source in Input::named(argument)?.1.sources() {
        each(&source.text()?)?;
    }
    Ok(())
}

//! `karat collection stats`

use crate::arguments::{ReadArguments, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;
use karat::collection::CollectionStatsRequest;
use karat::request::Answer;
use std::path::PathBuf;

/// Say what a benchmark is made of, or several side by side
///
/// Counts of documents, mentions, links and NIL; how dense the annotation is; how many entities a form
/// stands for here and how many forms an entity has, over all mentions and as a mean over documents; how often
/// the most frequent entity of a form is meant; how much is repeated in a document; and the share of each type,
/// category tag, length, case and popularity. Forms are compared without regard to case. A mention is
/// what a score counts once; types, tags, lengths and cases are counted for the parts of alternatives too, as
/// ELEVANT does, and so is what they are: roots or children, optional, named or not, unknown.
///
/// With --kb, ELEVANT's difficulties are counted too: demonyms, metonyms, parts of names, and rare meanings of a text,
/// the first of them that applies. What cannot be told is said to be so, and never guessed.
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
    /// A knowledge base of `karat kb build`, for what is named, a demonym, a metonym, a part of a name or rare,
    /// and for words that were counted without punctuation
    #[arg(long, value_name = "FILE")]
    kb: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadArguments,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

const EXAMPLES: &str = "Examples:
  karat collection stats -g gold.ttl
      what is in one benchmark
  karat collection stats -g aida=aida.tsv -g kore=kore50.jsonl --format latex
      a table of two for a paper
  karat collection stats -g gold.jsonl --names names.tsv --counts pagerank.tsv
      with what a dictionary knows
  karat collection stats -g wiki-fair.benchmark.jsonl --kb elevant.kb
      with the difficulties that ELEVANT counts";

impl Stats {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let answer = self.reading.asked(&self.request()?)?;
        printing::print(&answer.report(), self.format, terminal_width())
    }

    fn request(&self) -> Result<CollectionStatsRequest, Failure> {
        Ok(CollectionStatsRequest {
            gold: self.reading.inputs(&self.gold)?,
            names: self.names.clone(),
            counts: self.counts.clone(),
            kb: self.kb.as_ref().map(|path| path.to_string_lossy().into_owned()),
            reading: self.reading.request(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::{described_inputs, read_back};
    use karat::inputs::Inputs;

    #[test]
    fn a_request_as_a_command_is_the_same_request() {
        let Inputs { systems, reading, .. } = described_inputs();
        let request = CollectionStatsRequest {
            gold: systems,
            names: Some("names.tsv".to_owned()),
            counts: Some("counts.tsv".to_owned()),
            kb: Some("my base.kb".to_owned()),
            reading,
        };
        let read: Stats = read_back(&request, 2);
        assert_eq!(read.request().ok(), Some(request));
    }
}

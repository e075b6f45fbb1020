//! `karat collection stats`

use crate::arguments::{ReadArguments, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::show;
use clap::Args;
use karat::collection::{Amount, Dictionary, MAXIMUM_RECALL, Profile, tables};
use karat::formats::{Input, Outcome, Problem, Text};
use karat::kb::KnowledgeBase;
use karat::measures::Signature;
use karat::report::{Deferred, Report};
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
        let mut dictionary = Dictionary::default();
        if let Some(path) = &self.names {
            with_text(path, |text| dictionary.read_names(text))?;
        }
        if let Some(path) = &self.counts {
            with_text(path, |text| dictionary.read_counts(text))?;
        }
        let base = self.kb.as_deref().map(KnowledgeBase::open).transpose()?;
        let read = self.reading.read_all(&self.gold.iter().collect::<Vec<_>>())?;
        super::check_names(&read)?;
        let profile = |(name, outcome): &(String, Outcome)| {
            Profile::with_base(name, &outcome.corpus, &dictionary, base.as_ref())
        };
        let profiles: Vec<Profile> = read.iter().map(profile).collect();
        if let Some(base) = &base {
            base.check()?;
        }
        if let Some(name) = tables::repeated_heading(&profiles) {
            return Err(Failure::usage(
                format!("two columns would be called `{name}`"),
                "give the benchmark another name: NAME=INPUT",
            ));
        }
        self.say_what_has_no_text(&read);
        self.say_whose_names_are_unknown(&profiles);
        let signature = self.signature(&read, base.as_ref())?;
        let tables = [
            ("In numbers", "figures", tables::figures(&profiles)),
            ("By property", "shares", tables::shares(&profiles)),
        ];
        let report = Report {
            rows: Some(Deferred::by(|| tables::everything(&profiles))),
            record: Some(Deferred::by(|| {
                let keyed = tables.each_ref().map(|(_, key, table)| (*key, table));
                let mut object = tables::json(&keyed, &[signature.to_string()]);
                object["benchmarks"] = tables::benchmarks(&profiles);
                object
            })),
            ..super::report(&tables, &signature)
        };
        printing::print(&report, self.format, terminal_width())
    }

    fn say_what_has_no_text(&self, read: &[(String, Outcome)]) {
        for (name, outcome) in read.iter().filter(|_| !self.reading.quiet) {
            if outcome.corpus.documents().all(|document| document.text().is_none()) {
                show::note(&format!(
                    "`{name}` has no texts: nothing can be said about words; --documents names a corpus that has them"
                ));
            }
        }
    }

    /// A dictionary that knows no form was hardly meant for the benchmark.
    fn say_whose_names_are_unknown(&self, profiles: &[Profile]) {
        let Some(path) = &self.names else { return };
        let has_none =
            |profile: &&Profile| profile.figure(MAXIMUM_RECALL) == Some(Amount::Number(0.0));
        for profile in profiles.iter().filter(has_none) {
            show::warning_with(
                &format!("`{path}` has no form of `{}`", profile.name),
                "its lines are name, tab, entity, in this order",
            );
        }
    }

    /// The benchmarks, and what else the figures depend on.
    fn signature(
        &self,
        read: &[(String, Outcome)],
        base: Option<&KnowledgeBase>,
    ) -> Result<Signature, Failure> {
        let mut signature = Signature::without_convention();
        for (name, outcome) in read {
            signature.push("gold", &format!("{name}@{}", outcome.corpus.digest().short()));
        }
        for (key, path) in [("names", &self.names), ("counts", &self.counts)] {
            if let Some(path) = path {
                signature.push(key, &format!("@{}", karat::inputs::plain_text(path)?.1));
            }
        }
        if let Some(base) = base {
            signature.push("kb", &base.signature());
        }
        Ok(signature)
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

//! `karat kb build`

use crate::failure::Failure;
use crate::interrupt::cancelled_by_interrupt;
use crate::progress::Bar;
use crate::show::{self, counted};
use crate::written::check_is_none_of;
use clap::Args;
use karat::formats::{Input, Source};
use karat::harvest::{Harvested, KbSource, Options, SOURCES, harvest, headings};
use karat::kb::{Builder, Built, FactCoverage};
use karat::model::Watch;
use karat::search::is_index;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    output: PathBuf,
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

impl From<Complete> for FactCoverage {
    fn from(complete: Complete) -> FactCoverage {
        match complete {
            Complete::Demonyms => FactCoverage::Demonyms,
            Complete::Kinds => FactCoverage::Kinds,
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
        let open = |input: &String| without_indexes(input, Input::open(input)?);
        let inputs: Vec<Input> = self.inputs.iter().map(open).collect::<Result<_, _>>()?;
        let files = inputs.iter().flat_map(Input::sources).filter_map(Source::path);
        check_is_none_of(&self.output, files)?;
        let bar = Bar::new(inputs.iter().map(Input::size).sum(), self.quiet);
        bar.message("reading");
        let watch = Watch::new(Some(bar.clone()), cancelled_by_interrupt());
        let mut builder = Builder::watched(&self.output, self.memory.max(1) << 20, &watch)?;
        self.complete.iter().for_each(|&complete| builder.covers(complete.into()));
        let mut languages = self.language.iter().cloned();
        let options = Options {
            language: languages.next().unwrap_or_default(),
            titles: languages.collect(),
            progress: Some(Arc::new(watch)),
        };
        let harvested = harvest(&inputs, &mut builder, &options);
        bar.message("sorting");
        let built = match &harvested {
            Ok(_) => Some(builder.complete()),
            Err(_) => None,
        };
        bar.clear();
        let harvested = harvested?;
        let Some(Built { base, conflicts }) = built.transpose()? else { return Ok(()) };
        if !self.quiet {
            harvested.iter().for_each(say);
        }
        // Quiet or not, nothing is left out without a word.
        for conflict in &conflicts {
            show::warning(&conflict.to_string());
        }
        if !self.quiet {
            let sizes = base.sizes();
            show::note(&format!(
                "`{}` is built: entities {}, mentions {}, links {}",
                self.output.display(),
                sizes.entities,
                sizes.mentions,
                sizes.links,
            ));
        }
        Ok(())
    }
}

/// An input without the files of search indexes, which lie beside the bases they are of and hold nothing that
/// a base could be built from.
fn without_indexes(argument: &str, input: Input) -> Result<Input, Failure> {
    let index_of = |source: &Source| -> Option<PathBuf> {
        source.path()?.parent().filter(|folder| is_index(folder)).map(Path::to_owned)
    };
    let indexes: BTreeSet<PathBuf> = input.sources().iter().filter_map(index_of).collect();
    for index in &indexes {
        // Quiet or not, nothing is left out without a word.
        show::note(&format!(
            "`{}` was left out: it is the search index of a base",
            index.display()
        ));
    }
    let kept = input.sources().iter().filter(|source| index_of(source).is_none());
    let kept: Input = kept.cloned().collect();
    match kept.sources().is_empty() {
        true => Err(Failure::usage(
            format!("`{argument}` has nothing but a search index"),
            "give the tables and dumps that the base should be built from",
        )),
        false => Ok(kept),
    }
}

fn say(harvested: &Harvested) {
    let ignored: Vec<String> =
        harvested.taken.ignored.iter().map(|heading| format!("`{heading}`")).collect();
    match harvested.kind {
        Some(kind) => show::note(&format!(
            "`{}`: {}, {}",
            harvested.source,
            kind.info().title,
            counted(harvested.taken.records as usize, "record")
        )),
        None => show::note(&format!(
            "`{}` was left out: it is nothing that a knowledge base can be built from",
            harvested.source
        )),
    }
    if !ignored.is_empty() {
        let columns = if ignored.len() == 1 { "a column was" } else { "columns were" };
        show::note(&format!("`{}`: {columns} not used: {}", harvested.source, ignored.join(", ")));
    }
}

//! `karat kb build`

use crate::failure::Failure;
use crate::progress::Bar;
use crate::show::{self, counted};
use clap::Args;
use karat::formats::Input;
use karat::harvest::{Harvested, Options, harvest};
use karat::kb::Builder;
use std::path::PathBuf;

/// Build a knowledge base from tables and dumps
///
/// Each INPUT is a file, a folder, or several joined by commas, recognised by content. Tables (TSV, CSV, JSONL,
/// Parquet) have headings: id, name, aliases, description, types, popularity, title, same_as, parents; mention, id,
/// count; from, to. Lists within a cell are separated by `|`. The first input that says something about an entity is believed.
///
/// The file appears when it is complete; until then temporary files lie beside it. Memory does not grow with the inputs.
#[derive(Debug, Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Build {
    /// What the base is built from
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The language whose names are taken from a dump of Wikidata
    #[arg(long, value_name = "CODE", default_value = "en")]
    language: String,
    /// How much memory sorting may take, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    memory: usize,
    /// No progress bar and no remarks
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  karat kb build facts -o elevant.kb
      the facts that ELEVANT's categories of errors need
  karat kb build entities.csv redirects.tsv same_as.tsv aliases.tsv.gz -o mine.kb
      a base of your own
  karat kb build wikidata.json.bz2 enwiki-page.sql.gz enwiki-redirect.sql.gz -o wikidata.kb
      all of Wikidata, by the titles of Wikipedia too";

impl Build {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let inputs: Vec<Input> =
            self.inputs.iter().map(|input| Input::open(input)).collect::<Result<_, _>>()?;
        let bar = Bar::new(inputs.iter().map(Input::size).sum(), self.quiet);
        bar.message("reading");
        let mut builder = Builder::bounded(&self.output, self.memory.max(1) << 20)?;
        let options = Options { language: self.language.clone(), progress: Some(bar.clone()) };
        let harvested = harvest(&inputs, &mut builder, &options);
        bar.message("sorting");
        let base = match &harvested {
            Ok(_) => Some(builder.finish()),
            Err(_) => None,
        };
        bar.clear();
        let harvested = harvested?;
        let Some(base) = base.transpose()? else { return Ok(()) };
        if !self.quiet {
            harvested.iter().for_each(say);
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

fn say(harvested: &Harvested) {
    match harvested.kind {
        Some(kind) => show::note(&format!(
            "`{}`: {}, {}",
            harvested.source,
            kind.name(),
            counted(harvested.records as usize, "record")
        )),
        None => show::note(&format!(
            "`{}` was left out: it is nothing that a knowledge base can be built from",
            harvested.source
        )),
    }
}

//! `karat convert`

use crate::arguments::ReadArguments;
use crate::failure::Failure;
use crate::show;
use clap::Args;
use karat::formats::Format;

/// Convert a corpus from one format to another
///
/// Offsets are translated between units (bytes, UTF-16, code points; inclusive or exclusive end)
/// and every mention is checked against the text. What the target format cannot hold is left out
/// and counted; `karat formats NAME` says what that is. The output appears only when everything
/// was written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  karat convert gold.ttl gold.tsv
  karat convert AIDA-YAGO2-dataset.tsv aida.jsonl.zst --to elevant
  karat convert predictions.csv - --to neleval --columns doc=docid,start=begin,end=stop,link=qid
  karat convert tac.xml,tac.tab tac.tsv --to neleval
  cat system.tsv | karat convert - system.parquet")]
pub(crate) struct Convert {
    /// The corpus to read: a file, a directory, `-`, or several joined by commas
    input: String,
    /// Where to write: a file or directory, or `-` for standard output
    output: String,
    /// Format of the output; without it, the extension of OUTPUT decides
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    #[command(flatten)]
    reading: ReadArguments,
}

impl Convert {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let target = self.target()?;
        let outcome = self.reading.read(&self.input)?;
        let info = target.info();
        let loss = karat::registry()
            .write_to(&outcome.corpus, target, &self.output)
            .map_err(|error| Failure::output(&self.output, error))?;
        if !self.reading.quiet {
            show::loss(info.name, &loss);
            if self.output != "-" {
                show::note(&format!(
                    "read {} documents and {} annotations ({}), wrote `{}` ({})",
                    outcome.corpus.len(),
                    outcome.corpus.annotations().len(),
                    outcome.formats.join(", "),
                    self.output,
                    info.name
                ));
            }
        }
        Ok(())
    }

    fn target(&self) -> Result<&'static dyn Format, Failure> {
        let registry = karat::registry();
        if let Some(name) = &self.to {
            return Ok(registry.named(name)?);
        }
        registry.for_output(&self.output).ok_or_else(|| {
            Failure::usage(
                format!("cannot tell the format of `{}` from its name", self.output),
                "name it with --to; `karat formats` lists the formats",
            )
        })
    }
}

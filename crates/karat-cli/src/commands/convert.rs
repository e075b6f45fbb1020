//! `karat convert`

use crate::arguments::{ReadArguments, VocabularyArgument};
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use karat::conversion::{ConversionRequest, WrittenSide};
use karat::formats::Format;
use karat::report::prose;

/// Convert a corpus from one format to another
///
/// Offsets are translated between units (bytes, UTF-16, code points; inclusive or exclusive end)
/// and every mention is checked against the text. What the target format cannot hold is left out
/// and counted; `karat formats NAME` says what that is. The output appears only when everything
/// was written.
#[derive(Debug, Args)]
#[command(after_help = examples())]
pub(crate) struct Convert {
    /// The corpus to read: a file, a directory, `-`, or several joined by commas
    input: String,
    /// Where to write: a file or directory, or `-` for standard output
    output: String,
    /// Format of the output; without it, the extension of OUTPUT decides, and where several formats
    /// share that, the format of the input
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// Names of category tags in the output; by default those that are usual in its format
    #[arg(long, value_enum, value_name = "VOCABULARY")]
    tags: Option<VocabularyArgument>,
    /// Which annotations to write of a file that has those of a gold standard and of a system, as
    /// ELEVANT's linked articles; most formats cannot hold both
    #[arg(long, value_enum, value_name = "SIDE")]
    side: Option<SideArgument>,
    #[command(flatten)]
    reading: ReadArguments,
}

/// The sides of a file that has both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SideArgument {
    /// What should be found
    Gold,
    /// What was found
    System,
}

impl From<SideArgument> for WrittenSide {
    fn from(side: SideArgument) -> WrittenSide {
        match side {
            SideArgument::Gold => WrittenSide::Gold,
            SideArgument::System => WrittenSide::System,
        }
    }
}

fn examples() -> String {
    let names = |written: bool| {
        let formats = karat::registry();
        let infos = formats.formats().map(Format::info);
        let names = infos.filter(|info| info.writes.is_some() == written).map(|info| info.name);
        prose::words(&names.collect::<Vec<_>>().join(", "), 96).replace('\n', "\n  ")
    };
    format!(
        "Formats (`karat formats NAME` describes one):
  {}
Formats that are only read:
  {}

Examples:
  karat convert gold.ttl gold.tsv
      NIF to neleval's TSV, by the names of the files
  karat convert AIDA-YAGO2-dataset.tsv aida.jsonl.zst --to elevant
      compressed because of its name
  karat convert predictions.csv - --to neleval --columns doc=docid,start=begin,end=stop,link=qid
      a table with columns of its own; to standard output
  karat convert system.jsonl fixed.jsonl --to jsonl --unit utf16
      offsets that were counted by a Java or JavaScript program
  karat convert tac.xml,tac.tab tac.tsv
      one corpus in two files
  karat convert gold.tsv gold.ttl --documents texts.jsonl
      texts from another file, for a format that needs them
  karat convert gold.ttl gold.fel.ttl --to nif-categorised --tags fel
      category tags in the published vocabulary
  karat convert gold.ttl corpus --to brat
      a format of several files: `corpus` becomes a directory
  zcat system.tsv.gz | karat convert - system.parquet",
        names(true),
        names(false)
    )
}

impl Convert {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let request = ConversionRequest {
            input: self.reading.only(&self.input)?,
            output: self.output.clone(),
            to: self.to.clone(),
            tags: self.tags.map(Into::into),
            side: self.side.map(Into::into),
            reading: self.reading.request(),
        };
        self.reading.answer(&request)?;
        Ok(())
    }
}

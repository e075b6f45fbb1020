//! `karat tag`

use crate::arguments::{ReadArguments, VocabularyArgument, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;
use karat::request::Answer;
use karat::tagging::TaggingRequest;

/// Derive category tags, as far as they follow from what is there
///
/// The overlap of a mention follows from the spans around it; its base form (full name, short name,
/// alias, common noun, number, pronoun) from its words and the name of its entity, which a
/// knowledge base gives or else the title in the link; its type (person, organisation, place,
/// miscellany) from the classes that the knowledge base has for the entity. Of parts of speech and
/// references only those of pronouns, numbers, days and months are derived, the rest stays unknown.
///
/// Derived tags are marked as such in the attribute `derived` of their mention. A tag without that
/// mark was given by a person, and stays unless --overwrite says otherwise.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  karat tag run.ttl -o tagged.ttl
  karat tag gold.karat.jsonl -o tagged.karat.jsonl --dimensions overlap --overwrite
  karat tag aida.tsv -o aida.ttl --to nif-categorised --documents aida.jsonl --kb wikidata.kb
  karat tag --accuracy categorizedVoxEL.ttl
      how well derived tags agree with those of the file")]
pub(crate) struct Tag {
    /// The corpus to tag: a file, a directory, `-`, or several joined by commas
    #[arg(value_name = "INPUT", required_unless_present = "accuracy")]
    input: Option<String>,
    /// Where to write: a file or directory, or `-` for standard output
    #[arg(long, short, value_name = "OUTPUT", required_unless_present = "accuracy")]
    output: Option<String>,
    /// Instead of writing tags, compare derived ones with the tags that this corpus has
    #[arg(long, value_name = "GOLD", conflicts_with_all = ["input", "output", "overwrite", "to"])]
    accuracy: Option<String>,
    /// Format of the output; without it, that of the input
    #[arg(long, value_name = "FORMAT")]
    to: Option<String>,
    /// A knowledge base of `karat kb build`, for the names and types of entities
    #[arg(long, value_name = "FILE")]
    kb: Option<String>,
    /// What to derive, joined by commas: base-form, pos, overlap, reference, type; all by default
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    dimensions: Vec<String>,
    /// Names of category tags in the output; by default those that are usual in its format
    #[arg(long, value_enum, value_name = "VOCABULARY")]
    vocabulary: Option<VocabularyArgument>,
    /// Overwrite tags that were not derived, too
    #[arg(long)]
    overwrite: bool,
    /// Form of the comparison
    #[arg(long, value_parser = forms(), default_value = "table", requires = "accuracy")]
    format: Form,
    #[command(flatten)]
    reading: ReadArguments,
}

impl Tag {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let (input, output) = match (&self.accuracy, &self.input, &self.output) {
            (Some(gold), ..) => (gold, None),
            (None, Some(input), Some(output)) => (input, Some(output.clone())),
            _ => return Err(Failure::usage("nothing to tag", "name an INPUT and an --output")),
        };
        let request = TaggingRequest {
            input: self.reading.only(input)?,
            output,
            to: self.to.clone(),
            kb: self.kb.clone(),
            dimensions: self.dimensions.clone(),
            vocabulary: self.vocabulary.map(Into::into),
            overwrite: self.overwrite,
            reading: self.reading.request(),
        };
        let answer = self.reading.answer(&request)?;
        match answer.written {
            Some(_) => Ok(()),
            None => printing::print(&answer.report(), self.format, terminal_width()),
        }
    }
}

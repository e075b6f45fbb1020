//! `karat merge`

use crate::arguments::terminal_width;
use crate::commands::eval::show_and_judge;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::progress::Bar;
use clap::Args;
use karat::request::{Answer, Request};
use karat::scoring::counts::MergeRequest;
use karat::work::Work;

/// Put the counts of several jobs together and score them
///
/// `karat eval --counts-to FILE` writes what it counted in each document. Here the counts of all parts become
/// the scores of the whole: the digits, intervals and signature are those of one evaluation of all documents.
/// Measures, convention and gates are those that were given when the parts were counted. Parts that were counted in
/// different ways, a document that is in two parts and a part that is missing are refused.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Merge {
    /// Files of `karat eval --counts-to`
    #[arg(value_name = "FILE", required = true)]
    parts: Vec<String>,
    /// Score what is there, although parts are missing; the signature says how many are there
    #[arg(long)]
    partial: bool,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
    /// No remarks
    #[arg(long, short)]
    quiet: bool,
}

const EXAMPLES: &str = "Examples:
  karat eval -g gold.tsv -s mine=system.tsv --counts-to 0.counts --shard 0/2
  karat eval -g gold.tsv -s mine=system.tsv --counts-to 1.counts --shard 1/2
  karat merge 0.counts 1.counts
      two jobs, perhaps on two machines, and what one would have printed";

impl Merge {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let bar = Bar::new(0, self.quiet);
        let work = Work { progress: Some(bar.clone()), ..Work::default() };
        let request = MergeRequest { parts: self.parts, partial: self.partial };
        let answer = request.answer(&work);
        bar.clear();
        let answer = answer?;
        show_and_judge(&answer, self.quiet, || {
            printing::print(&answer.report(), self.format, terminal_width())
        })
    }
}

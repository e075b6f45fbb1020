//! `karat report diff`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;
use karat::request::{Answer, Request};
use karat::shared::DifferenceRequest;
use karat::work::Work;

/// Say what changes between two sites of a shared evaluation
///
/// Scores that are new, gone or other than before, with their ranks: `--format md` is a comment for a pull request.
#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The site before: a folder that `karat report` wrote, or its results.json
    old: String,
    /// The site after
    new: String,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Diff {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let answer = DifferenceRequest { old: self.old, new: self.new }.answer(&Work::default())?;
        printing::print(&answer.report(), self.format, terminal_width())
    }
}

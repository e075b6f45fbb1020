//! `karat report check`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::{printing, show};
use clap::Args;
use karat::request::{Answer, Request};
use karat::shared::CheckRequest;
use karat::work::Work;

/// Check the folder of a shared evaluation
///
/// Every file is read, every output against its gold standard, and the digests of editions are compared. A bad submission
/// is shown with its place, and the others go on. Exit code 1 if something is wrong.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The folder with evaluation.toml
    folder: String,
    /// Look only at what changed since this revision of git, as origin/main
    #[arg(long, value_name = "REVISION")]
    changed_since: Option<String>,
    /// Form of the list of files
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
    /// No remarks
    #[arg(long, short)]
    quiet: bool,
}

impl Check {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let request = CheckRequest { folder: self.folder, changed_since: self.changed_since };
        let answer = request.answer(&Work::default())?;
        show::notices(answer.notices(), self.quiet);
        printing::print(&answer.report(), self.format, terminal_width())?;
        if answer.passes() { Ok(()) } else { Err(Failure::Gate) }
    }
}

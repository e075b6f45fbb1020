//! `karat formats`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;

/// List the formats karat reads and writes, or describe one
///
/// Every input is recognised by its content, so the names are needed only for `--to`, and for
/// `--from` when a file could be several things or none.
#[derive(Debug, Args)]
pub(crate) struct Formats {
    /// The format to describe in full
    name: Option<String>,
    /// Form of the list
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Formats {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let width = usize::from(terminal_width().unwrap_or(100));
        let report = karat::listings::formats(self.name.as_deref(), width)?;
        printing::print(&report, self.format, terminal_width())
    }
}

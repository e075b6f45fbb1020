//! `karat presets`

use crate::arguments::{prose_width, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;
use karat::listings;

/// List the conventions of the literature, or describe one
///
/// A preset fixes every setting that changes a number. `--preset NAME` chooses one, single settings
/// override it (`karat settings` lists them), and the signature under every table says what was used.
#[derive(Debug, Args)]
pub(crate) struct Presets {
    /// The preset to describe, with all its settings
    name: Option<String>,
    /// Form of the list
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Presets {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let report = listings::presets(self.name.as_deref(), prose_width())?;
        printing::print(&report, self.format, terminal_width())
    }
}

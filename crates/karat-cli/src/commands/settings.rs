//! `karat settings`

use crate::arguments::{prose_width, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;
use karat::listings;

/// List the settings of conventions, or describe one
///
/// A setting is something that a convention decides and that changes a number. A preset gives all of them a
/// value; `--set NAME=VALUE` changes one. Those that decide who meets whom can also stand in the brackets of a
/// measure, as `link(match=overlap)`.
#[derive(Debug, Args)]
pub(crate) struct SettingsCommand {
    /// The setting to describe, with all its values
    name: Option<String>,
    /// Form of the list
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl SettingsCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let report = listings::settings(self.name.as_deref(), prose_width())?;
        printing::print(&report, self.format, terminal_width())
    }
}

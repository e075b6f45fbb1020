//! `karat measures`

use crate::arguments::{prose_width, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;
use karat::listings;

/// List the measures, or describe one
///
/// A measure is asked for by name, `link`; a score of it as `link.f1`; the mean over documents as
/// `link.f1@macro`; under another matching as `link(match=overlap)`. The names of other tools work
/// too: `strong_link_match`, and neleval's notation `sets:is_linked:span+kbid`.
#[derive(Debug, Args)]
pub(crate) struct Measures {
    /// A measure to describe, or a group to list
    name: Option<String>,
    /// Form of the list
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Measures {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let report = listings::measures(self.name.as_deref(), prose_width())?;
        printing::print(&report, self.format, terminal_width())
    }
}

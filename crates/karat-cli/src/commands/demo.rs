//! `karat demo`

use crate::failure::Failure;
use clap::Args;

/// Show what karat does on a built-in sample, offline, in seconds
#[derive(Debug, Args)]
pub(crate) struct Demo {}

impl Demo {
    pub(crate) fn run(self) -> Result<(), Failure> {
        Ok(())
    }
}

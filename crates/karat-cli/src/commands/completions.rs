//! `karat completions`

use super::Cli;
use crate::failure::Failure;
use clap::Args;
use std::io::Write;

/// Print a completion script for a shell
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    shell: clap_complete::Shell,
}

impl Completions {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::described(), "karat", &mut script);
        Ok(std::io::stdout().write_all(&script)?)
    }
}

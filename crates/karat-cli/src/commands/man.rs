//! `karat man`

use super::Cli;
use crate::failure::Failure;
use clap::Args;
use std::io::Write;

/// Print the manual page, for `karat man | man -l -`
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The command to describe; karat itself by default
    command: Option<String>,
}

impl Man {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut cli = Cli::described();
        cli.build();
        let command = match &self.command {
            None => cli,
            Some(name) => cli.find_subcommand(name).cloned().ok_or_else(|| {
                Failure::usage(format!("no command `{name}`"), "`karat --help` lists the commands")
            })?,
        };
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page)?;
        Ok(std::io::stdout().write_all(&page)?)
    }
}

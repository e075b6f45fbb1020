//! `karat man`

use super::Cli;
use crate::failure::Failure;
use clap::{Args, Command};
use karat::outputs::write_files;
use std::io::Write;
use std::path::PathBuf;

/// Print a manual page, for `karat man | man -l -`, or write those of all commands
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Man {
    /// The command to describe, as `eval` or `kb build`; karat itself by default
    command: Vec<String>,
    /// Write the pages of all commands to this folder, one file each, as karat-kb-build.1
    #[arg(long, short, value_name = "FOLDER", conflicts_with = "command")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  karat man kb build | man -l -
      shows one page
  karat man -o ~/.local/share/man/man1
      installs all of them, for `man karat-kb-build`";

impl Man {
    pub(crate) fn run(self) -> Result<(), Failure> {
        // `help` says what the pages say, and has none itself.
        let mut cli = Cli::described().disable_help_subcommand(true);
        cli.build();
        if let Some(folder) = &self.output {
            let mut pages = Vec::new();
            add_pages(&cli, &mut pages)?;
            return Ok(write_files(folder, pages)?);
        }
        Ok(std::io::stdout().write_all(&page(self.described(&cli)?)?)?)
    }

    /// The command that is asked for.
    fn described<'c>(&self, cli: &'c Command) -> Result<&'c Command, Failure> {
        let mut command = cli;
        for (at, name) in self.command.iter().enumerate() {
            command = command.find_subcommand(name).ok_or_else(|| {
                let of = command.get_bin_name().unwrap_or_default();
                let names = command.get_subcommands().map(Command::get_name);
                match command.has_subcommands() {
                    true => Failure::unknown("command", name, names),
                    false => Failure::usage(
                        format!("`{of}` has no commands, and so no `{name}`"),
                        format!("`karat man {}` describes it", self.command[..at].join(" ")),
                    ),
                }
            })?;
        }
        Ok(command)
    }
}

fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    let source = concat!("karat ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command.clone()).source(source).render(&mut page)?;
    Ok(page)
}

/// Adds the pages of a command and of those within it, by the names of their files.
fn add_pages(command: &Command, pages: &mut Vec<(String, String)>) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let text = String::from_utf8_lossy(&page(command)?).into_owned();
    pages.push((format!("{name}.1"), text));
    command.get_subcommands().try_for_each(|command| add_pages(command, pages))
}

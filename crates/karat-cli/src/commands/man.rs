//! `karat man`

use super::Cli;
use crate::failure::Failure;
use crate::written::write_file;
use clap::{Args, Command};
use std::io::Write;
use std::path::{Path, PathBuf};

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
            let unwritable =
                |error: std::io::Error| Failure::output(&folder.to_string_lossy(), error.into());
            std::fs::create_dir_all(folder).map_err(unwritable)?;
            return write_all(&cli, folder);
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

/// Writes the pages of a command and of those within it.
fn write_all(command: &Command, folder: &Path) -> Result<(), Failure> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    write_file(&path.to_string_lossy(), &String::from_utf8_lossy(&page(command)?))?;
    command.get_subcommands().try_for_each(|command| write_all(command, folder))
}

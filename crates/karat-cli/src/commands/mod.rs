//! The commands, one file each.

mod collection;
mod compare;
mod completions;
mod convert;
mod curves;
mod demo;
mod elevant;
mod errors;
pub(crate) mod eval;
mod formats;
mod kb;
mod man;
mod measures;
mod presets;
mod reproduce;
mod tag;
mod validate;

use crate::failure::Failure;
use clap::{Parser, Subcommand};

/// The assay office for entity linking.
///
/// karat scores systems that link mentions in text to a knowledge base, under
/// conventions of the literature and its own, each number with the signature that reproduces it, and says which
/// differences between systems are real. It reads, checks, converts and writes the files of the field; bad input is named with file, line and column, and nothing is
/// half-written.
///
/// An INPUT is a file, a directory (all files in it), `-` for standard input, or several joined by
/// commas. Formats are recognised by content; .gz, .zst and .bz2 are read as they are.
///
/// Data goes to standard output, remarks to standard error. Colours are for terminals only; NO_COLOR
/// turns them off.
///
/// Exit codes: 0 fine; 1 a check found something or a gate failed; 2 bad usage or bad input.
#[derive(Debug, Parser)]
#[command(name = "karat", version, max_term_width = 100)]
#[command(
    after_help = "New here? `karat demo` shows what karat does on a built-in sample, offline."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Eval(eval::Eval),
    Compare(compare::Compare),
    Errors(errors::Errors),
    Curves(curves::CurvesCommand),
    Collection(collection::Collection),
    Measures(measures::Measures),
    Presets(presets::Presets),
    Reproduce(reproduce::Reproduce),
    Demo(demo::Demo),
    Convert(convert::Convert),
    Validate(validate::Validate),
    Tag(tag::Tag),
    Formats(formats::Formats),
    Kb(kb::Kb),
    Completions(completions::Completions),
    Man(man::Man),
}

impl Cli {
    /// Runs the command.
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Eval(command) => command.run(),
            Command::Compare(command) => command.run(),
            Command::Errors(command) => command.run(),
            Command::Curves(command) => command.run(),
            Command::Collection(command) => command.run(),
            Command::Measures(command) => command.run(),
            Command::Presets(command) => command.run(),
            Command::Reproduce(command) => command.run(),
            Command::Demo(command) => command.run(),
            Command::Convert(command) => command.run(),
            Command::Validate(command) => command.run(),
            Command::Tag(command) => command.run(),
            Command::Formats(command) => command.run(),
            Command::Kb(command) => command.run(),
            Command::Completions(command) => command.run(),
            Command::Man(command) => command.run(),
        }
    }
}

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
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

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

/// One line for each command, in the order of the help: what the parser makes of the arguments, what
/// describes them to it, and what runs.
macro_rules! commands {
    ($($name:literal $variant:ident($arguments:ty),)*) => {
        // What a command takes is described when it is called: describing all of them takes longer
        // than scoring a small file.
        #[derive(Debug, Subcommand)]
        #[command(defer = true)]
        enum Command {
            $(#[command(name = $name)] $variant($arguments),)*
        }

        impl Cli {
            /// Everything that karat takes, with all commands described.
            fn described() -> clap::Command {
                let commands: &[(&'static str, fn(clap::Command) -> clap::Command)] =
                    &[$(($name, <$arguments>::augment_args)),*];
                let mut cli = Cli::command();
                for (place, &(name, describe)) in commands.iter().enumerate() {
                    let described = |_| describe(clap::Command::new(name)).display_order(place);
                    cli = cli.mut_subcommand(name, described);
                }
                cli
            }

            /// Runs the command.
            pub(crate) fn run(self) -> Result<(), Failure> {
                match self.command {
                    $(Command::$variant(command) => command.run(),)*
                }
            }
        }
    };
}

commands! {
    "eval" Eval(eval::Eval),
    "compare" Compare(compare::Compare),
    "errors" Errors(errors::Errors),
    "curves" Curves(curves::CurvesCommand),
    "collection" Collection(collection::Collection),
    "measures" Measures(measures::Measures),
    "presets" Presets(presets::Presets),
    "reproduce" Reproduce(reproduce::Reproduce),
    "demo" Demo(demo::Demo),
    "convert" Convert(convert::Convert),
    "validate" Validate(validate::Validate),
    "tag" Tag(tag::Tag),
    "formats" Formats(formats::Formats),
    "kb" Kb(kb::Kb),
    "completions" Completions(completions::Completions),
    "man" Man(man::Man),
}

impl Cli {
    /// The command that the arguments name; where they name none, karat ends here, with help or with what
    /// is wrong.
    pub(crate) fn of_arguments() -> Cli {
        let name = std::env::args_os().nth(1).unwrap_or_default();
        let mut cli = Cli::command();
        if cli.find_subcommand(name).is_none() {
            cli = Cli::described();
        }
        let mut matches = cli.get_matches();
        Cli::from_arg_matches_mut(&mut matches)
            .unwrap_or_else(|error| error.format(&mut Cli::described()).exit())
    }
}

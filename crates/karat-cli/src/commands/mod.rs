//! The commands, one file each.

mod collection;
mod compare;
mod completions;
mod convert;
mod curves;
mod demo;
mod errors;
pub(crate) mod eval;
mod formats;
mod gold;
mod import;
mod kb;
mod link;
mod man;
mod measures;
mod merge;
mod presets;
mod report;
mod reproduce;
mod serve;
mod settings;
mod tag;
mod validate;
mod verify;

use crate::failure::Failure;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use std::ffi::OsString;

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
            pub(crate) fn described() -> clap::Command {
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
    "merge" Merge(merge::Merge),
    "compare" Compare(compare::Compare),
    "errors" Errors(errors::Errors),
    "curves" Curves(curves::CurvesCommand),
    "link" Link(link::Link),
    "linkers" Linkers(link::Linkers),
    "collection" Collection(collection::Collection),
    "serve" Serve(serve::Serve),
    "import" Import(import::Import),
    "report" Report(report::Report),
    "measures" Measures(measures::Measures),
    "presets" Presets(presets::Presets),
    "settings" Settings(settings::SettingsCommand),
    "verify" Verify(verify::Verify),
    "reproduce" Reproduce(reproduce::Reproduce),
    "demo" Demo(demo::Demo),
    "convert" Convert(convert::Convert),
    "validate" Validate(validate::Validate),
    "gold" Gold(gold::Gold),
    "tag" Tag(tag::Tag),
    "formats" Formats(formats::Formats),
    "kb" Kb(kb::Kb),
    "completions" Completions(completions::Completions),
    "man" Man(man::Man),
}

impl Cli {
    /// The command that the arguments name; where they name none, the help or what is wrong.
    pub(crate) fn of_arguments(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
        let mut cli = Cli::command();
        let known = arguments.get(1).is_some_and(|name| cli.find_subcommand(name).is_some());
        if !known {
            cli = Cli::described();
        }
        let mut matches = cli.try_get_matches_from(arguments)?;
        Cli::from_arg_matches_mut(&mut matches).map_err(|error| error.format(&mut Cli::described()))
    }
}

/// What a command makes of the words of a request, of which so many name the command.
#[cfg(test)]
pub(crate) fn read_back<A: Args>(request: &impl karat::request::Request, name: usize) -> A {
    let commands = request.commands();
    let [command] = commands.as_slice() else { panic!("{commands:?}") };
    let words = command.words()[name..].iter();
    let matches = A::augment_args(clap::Command::new("karat")).try_get_matches_from(words);
    let read = matches.and_then(|matches| A::from_arg_matches(&matches));
    read.unwrap_or_else(|error| panic!("{command}: {error}"))
}

/// Inputs about which everything is said that can be.
#[cfg(test)]
pub(crate) fn described_inputs() -> karat::inputs::Inputs {
    use karat::inputs::{DocumentsBy, FileDescription, InputRequest, Inputs, ReadingRequest};
    use karat::model::{End, OffsetUnit};
    let describe = |from: &str, unit, end| FileDescription {
        from: Some(from.to_owned()),
        unit: Some(unit),
        end: Some(end),
        columns: [("doc", "article id"), ("link", "qid")].map(|(a, b)| (a.into(), b.into())).into(),
        shift: Some(-1),
    };
    let own = describe("csv", OffsetUnit::Bytes, End::Exclusive);
    let input = |text: &str| InputRequest { describe: own.clone(), ..InputRequest::parse(text) };
    Inputs {
        gold: vec![InputRequest::parse("news=it's gold.tsv"), InputRequest::parse("other.ttl")],
        systems: vec![input("my system@news=a b.csv"), InputRequest::parse("second=b.tsv")],
        unified: true,
        sentences: Some("sentences.tsv".to_owned()),
        documents_by: DocumentsBy::Title,
        reading: ReadingRequest {
            describe: describe("neleval", OffsetUnit::Tokens, End::Inclusive),
            strict: false,
            lenient: true,
            documents: Some("texts.jsonl".to_owned()),
            list_all: true,
            offsets_decide: false,
        },
    }
}

/// A convention in which everything is changed.
#[cfg(test)]
pub(crate) fn changed_convention() -> karat::convention::ConventionRequest {
    let mut convention: karat::convention::ConventionRequest =
        "gerbil;match=overlap;nil=missed".parse().unwrap_or_else(|error| panic!("{error}"));
    convention.redirects = Some("redirects.tsv".to_owned());
    convention.kb = Some("my base.kb".to_owned());
    convention
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::ReadArguments;
    use crate::drawing::DrawingArguments;
    use crate::scoring::ConventionArguments;

    /// The names of the arguments under each heading, of a command and those within it.
    fn check_headings(command: &clap::Command, groups: &[(&str, Vec<String>)]) {
        for argument in command.get_arguments() {
            let Some(heading) = argument.get_help_heading() else { continue };
            let group = groups.iter().find(|(name, _)| *name == heading);
            let known = &group.unwrap_or_else(|| panic!("`{heading}` is no heading")).1;
            let name = argument.get_id().as_str();
            let of = command.get_name();
            assert!(known.iter().any(|id| id == name), "`{name}` of `{of}` is under `{heading}`");
        }
        command.get_subcommands().for_each(|command| check_headings(command, groups));
    }

    #[test]
    fn arguments_stand_under_the_heading_of_their_group_and_no_others_do() {
        fn names_of<A: Args>() -> Vec<String> {
            let group = A::augment_args(clap::Command::new("group"));
            group.get_arguments().map(|argument| argument.get_id().to_string()).collect()
        }
        let tests = ["alpha", "power", "correction"].map(str::to_owned).to_vec();
        let groups = [
            ("Reading", names_of::<ReadArguments>()),
            ("Convention", names_of::<ConventionArguments>()),
            ("Intervals", names_of::<DrawingArguments>()),
            ("Tests", tests),
        ];
        check_headings(&Cli::described(), &groups);
    }
}

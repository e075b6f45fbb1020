//! `karat kb`

mod build;
mod candidates;
mod get;
mod index;
mod info;
mod normalise;
mod search;

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::show;
use clap::{Args, Subcommand};
use karat::knowledge::{KnowledgeQuestion, KnowledgeRequest};
use karat::request::{Answer, Request};
use karat::work::Work;
use std::path::PathBuf;

/// Build a knowledge base, and ask it
///
/// A knowledge base is one file, built once from what you have: tables of entities, redirects, other
/// ids of the same entities, counts of what texts mean, dumps of Wikidata and Wikipedia. `--kb FILE` makes eval, errors
/// and compare take all spellings of an id for one. What a base was not given is unknown, not zero.
#[derive(Debug, Args)]
pub(crate) struct Kb {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(build::Build),
    Info(info::Info),
    Get(get::Get),
    Normalise(normalise::Normalise),
    Candidates(candidates::Candidates),
    Search(search::Search),
    Index(index::Index),
}

impl Kb {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Build(command) => command.run(),
            Command::Info(command) => command.run(),
            Command::Get(command) => command.run(),
            Command::Normalise(command) => command.run(),
            Command::Candidates(command) => command.run(),
            Command::Search(command) => command.run(),
            Command::Index(command) => command.run(),
        }
    }
}

/// The base that is asked, and the form of the answer.
#[derive(Debug, Args)]
struct Asked {
    /// The knowledge base, a file of `karat kb build`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Form of the answer
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Asked {
    /// Asks the base and prints the answer. Exit code 1 if there is something that it cannot say.
    fn answer(self, question: KnowledgeQuestion) -> Result<(), Failure> {
        let kb = self.file.to_string_lossy().into_owned();
        let answer = KnowledgeRequest { kb, question }.answer(&Work::default())?;
        show::notices(answer.notices(), false);
        printing::print(&answer.report(), self.format, terminal_width())?;
        if answer.passes() { Ok(()) } else { Err(Failure::Gate) }
    }
}

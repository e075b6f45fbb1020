//! `karat collection`

mod model;
mod sample;
mod size;
mod stats;

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::Form;
use crate::printing;
use clap::{Args, Subcommand};
use karat::report::Report;
use karat::report::plot::Plot;
use karat::request::Answer;

/// Look at a test collection: what is in it, what to add to it, and what its scores are worth
///
/// A score says something about a system and something about the queries that happen to be in the test
/// set. `stats` says what a benchmark is made of. `sample` chooses mentions to annotate from a large
/// corpus, at random among documents or among mentions. `model` says how far precision, recall and F1 can move,
/// and how far they are likely to move, when queries are removed or added. `size` says how many queries are
/// enough: to narrow an interval, and to tell systems apart.
///
/// A query is a gold mention: an entity or NIL, answered with an entity or NIL. Scores are those of
/// Mertens et al. (2014), `--preset mertens-2014` of `karat eval`.
#[derive(Debug, Args)]
pub(crate) struct Collection {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Stats(stats::Stats),
    Sample(sample::Sample),
    Model(model::Model),
    Size(size::Size),
}

impl Collection {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Stats(command) => command.run(),
            Command::Sample(command) => command.run(),
            Command::Model(command) => command.run(),
            Command::Size(command) => command.run(),
        }
    }
}

/// Prints an answer, with plots if there are any.
fn print(
    answer: &impl Answer,
    plots: impl Iterator<Item = impl Plot + 'static>,
    form: Form,
) -> Result<(), Failure> {
    let plots = plots.map(|plot| Box::new(plot) as Box<dyn Plot>).collect();
    printing::print(&Report { plots, ..answer.report() }, form, terminal_width())
}

//! `karat verify`

mod create;
mod demo;
mod exchange;
mod life;
mod looking;
mod merge;
mod patch;
mod report;
mod simulate;
mod stored;

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::Form;
use crate::printing;
use crate::progress::Bar;
use crate::show;
use crate::threads;
use clap::{Args, Subcommand};
use karat::report::Report;
use karat::report::plot::Plot;
use karat::request::{Answer, Request};
use karat::work::Work;

/// Verify what gold and systems say: what people judged, and what a design would cost
///
/// In a verification campaign people see a mention with a link, without knowing who proposed it, and verify, modify or remove
/// it. `create`, `open` and `close` are the life of a campaign in the workspace, and `demo` shows a small one. `report` says what follows from their judgements: how often each source is right, precision and recall after
/// verification, what the gold standard lacks, how far people agree, and whom to trust. `simulate` says what a design
/// costs and how sure its rates will be, before anybody is asked.
#[derive(Debug, Args)]
pub(crate) struct Verify {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    // Boxed, because it has many more arguments than the others.
    Create(Box<create::Create>),
    Open(life::Open),
    Pause(life::Pause),
    Reopen(life::Reopen),
    Close(life::Close),
    Status(looking::Status),
    People(looking::People),
    Controls(looking::Controls),
    Merge(merge::Merge),
    Patch(Box<patch::Patch>),
    Export(exchange::Export),
    Import(exchange::Import),
    Invite(looking::Invite),
    Forget(looking::Forget),
    Demo(demo::Demo),
    Report(report::VerifyReport),
    Simulate(simulate::Simulate),
}

impl Verify {
    pub(crate) fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Create(command) => command.run(),
            Command::Open(command) => command.run(),
            Command::Pause(command) => command.run(),
            Command::Reopen(command) => command.run(),
            Command::Close(command) => command.run(),
            Command::Status(command) => command.run(),
            Command::People(command) => command.run(),
            Command::Controls(command) => command.run(),
            Command::Merge(command) => command.run(),
            Command::Patch(command) => command.run(),
            Command::Export(command) => command.run(),
            Command::Import(command) => command.run(),
            Command::Invite(command) => command.run(),
            Command::Forget(command) => command.run(),
            Command::Demo(command) => command.run(),
            Command::Report(command) => command.run(),
            Command::Simulate(command) => command.run(),
        }
    }
}

/// Answers a request and shows what has to be known of the answer.
fn answered<R: Request>(request: &R) -> Result<R::Answer, Failure> {
    let bar = Bar::new(0, false);
    let work = Work { threads: threads::start(0), progress: Some(bar.clone()), ..Work::default() };
    let answer = request.answer(&work);
    bar.clear();
    let answer = answer?;
    show::notices(answer.notices(), false);
    Ok(answer)
}

/// Prints an answer, with plots if there are any.
fn print(answer: &impl Answer, plots: Vec<Box<dyn Plot>>, form: Form) -> Result<(), Failure> {
    printing::print(&Report { plots, ..answer.report() }, form, terminal_width())
}

//! `karat verify open`, `pause`, `reopen`, `close`

use super::stored::{StoreArguments, refused};
use crate::failure::Failure;
use clap::Args;
use karat_store::{By, CampaignRow, Store};
use karat_web::campaigns::{StepError, StepWanted, begin, end, step};
use std::io::Write;

/// Begin a campaign: people may judge
///
/// A draft first goes to calibration, where invited people try it; opened again it is there for all. It needs
/// three confirmed controls of each kind, or --no-controls, and two people who judged the same thirty items, or
/// --skip-calibration.
#[derive(Debug, Args)]
pub(crate) struct Open {
    /// The campaign
    name: String,
    /// Open at once, without calibration
    #[arg(long)]
    skip_calibration: bool,
    /// Do without controls: who does not look closely is then hard to find
    #[arg(long)]
    no_controls: bool,
    #[command(flatten)]
    store: StoreArguments,
}

/// Pause a campaign: no new tasks are given out, and those that are out may be submitted
#[derive(Debug, Args)]
pub(crate) struct Pause {
    /// The campaign
    name: String,
    /// Why; it is kept in the log
    #[arg(long, value_name = "TEXT")]
    reason: String,
    #[command(flatten)]
    store: StoreArguments,
}

/// Go on with a campaign where it was paused
#[derive(Debug, Args)]
pub(crate) struct Reopen {
    /// The campaign
    name: String,
    #[command(flatten)]
    store: StoreArguments,
}

/// End a campaign: judging, then adjudication, then its results are frozen
///
/// It goes as far as it can: while people still hold tasks it waits for them, and while disputes are not decided it
/// stays in adjudication.
#[derive(Debug, Args)]
pub(crate) struct Close {
    /// The campaign
    name: String,
    /// End although not everything is judged
    #[arg(long)]
    unfinished: bool,
    /// Accept disputes that nobody decided as unresolved
    #[arg(long)]
    accept_rest: bool,
    #[command(flatten)]
    store: StoreArguments,
}

/// What a step is refused for.
pub(super) fn failed(error: StepError) -> Failure {
    match error {
        StepError::Store(error) => refused(error),
        StepError::Results(error) => error.into(),
        StepError::Unknown(_) => Failure::usage(error.to_string(), "this is a mistake of karat"),
    }
}

/// Takes a step in the life of a campaign, and tells where it is now.
fn stepped(
    name: String,
    store: &StoreArguments,
    wanted: StepWanted,
    step: impl AsyncFnOnce(&Store, &By, &CampaignRow, &StepWanted) -> Result<CampaignRow, StepError>,
) -> Result<(), Failure> {
    let row = store.with(async move |store| {
        let row = store.campaign(&name).await.map_err(refused)?;
        step(&store, &By::local(), &row, &wanted).await.map_err(failed)
    })?;
    writeln!(std::io::stdout(), "{}: {}", row.name, row.state.name())?;
    Ok(())
}

impl Open {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Open { name, skip_calibration, no_controls, store } = self;
        let wanted = StepWanted { skip_calibration, no_controls, ..StepWanted::default() };
        stepped(name, &store, wanted, begin)
    }
}

impl Pause {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Pause { name, reason, store } = self;
        let wanted = StepWanted { reason, ..StepWanted::default() }.going("paused");
        stepped(name, &store, wanted, step)
    }
}

impl Reopen {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Reopen { name, store } = self;
        stepped(name, &store, StepWanted::default().going("resumed"), step)
    }
}

impl Close {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Close { name, unfinished, accept_rest, store } = self;
        let wanted = StepWanted { unfinished, accept_rest, ..StepWanted::default() };
        stepped(name, &store, wanted, end)
    }
}

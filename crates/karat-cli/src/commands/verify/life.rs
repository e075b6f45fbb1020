//! `karat verify open`, `pause`, `reopen`, `close`

use super::stored::{StoreArguments, refused};
use crate::failure::Failure;
use clap::Args;
use karat::campaigns::life::CampaignState;
use karat_store::{By, CampaignRow, Store};
use karat_web::campaigns::{StepError, StepWanted, step};
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

fn failed(error: StepError) -> Failure {
    match error {
        StepError::Store(error) => refused(error),
        StepError::Results(error) => error.into(),
        StepError::Unknown(_) => Failure::usage(error.to_string(), "this is a mistake of karat"),
    }
}

async fn to(store: &Store, row: &CampaignRow, wanted: StepWanted) -> Result<CampaignRow, Failure> {
    step(store, &By::local(), row, &wanted).await.map_err(failed)
}

fn told(row: &CampaignRow) -> Result<(), Failure> {
    writeln!(std::io::stdout(), "{}: {}", row.name, row.state.name())?;
    Ok(())
}

impl Open {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Open { name, skip_calibration, no_controls, store } = self;
        let row = store.with(async move |store| {
            let mut row = store.campaign(&name).await.map_err(refused)?;
            let wanted = |state: &str| StepWanted {
                to: state.to_owned(),
                skip_calibration,
                no_controls,
                ..StepWanted::default()
            };
            if row.state == CampaignState::Draft {
                row = to(&store, &row, wanted("calibrating")).await?;
                if !skip_calibration {
                    return Ok(row);
                }
            }
            to(&store, &row, wanted("open")).await
        })?;
        told(&row)
    }
}

impl Pause {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Pause { name, reason, store } = self;
        let row = store.with(async move |store| {
            let row = store.campaign(&name).await.map_err(refused)?;
            let wanted = StepWanted { to: "paused".to_owned(), reason, ..StepWanted::default() };
            to(&store, &row, wanted).await
        })?;
        told(&row)
    }
}

impl Reopen {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Reopen { name, store } = self;
        let row = store.with(async move |store| {
            let row = store.campaign(&name).await.map_err(refused)?;
            to(&store, &row, StepWanted { to: "resumed".to_owned(), ..StepWanted::default() }).await
        })?;
        told(&row)
    }
}

impl Close {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Close { name, unfinished, accept_rest, store } = self;
        let row = store.with(async move |store| {
            let mut row = store.campaign(&name).await.map_err(refused)?;
            let wanted = |state: &str| StepWanted {
                to: state.to_owned(),
                unfinished,
                accept_rest,
                ..StepWanted::default()
            };
            if matches!(row.state, CampaignState::Open | CampaignState::Paused) {
                row = to(&store, &row, wanted("closing")).await?;
            }
            if row.state == CampaignState::Closing {
                row = to(&store, &row, wanted("adjudicating")).await?;
            }
            to(&store, &row, wanted("closed")).await
        })?;
        told(&row)
    }
}

//! `karat verify status`, `people`, `controls`, `forget`, `invite`

use super::stored::{StoreArguments, refused};
use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;
use karat::report::{Report, Table};
use karat_store::{By, CampaignRow, KeyState, NewCampaignLink, Store};
use karat_web::campaigns::{campaigns_table, controls_table, find_worker, people_table};
use std::io::Write;

/// Say how far campaigns are
#[derive(Debug, Args)]
pub(crate) struct Status {
    /// One campaign; all if it is not named
    name: Option<String>,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
    #[command(flatten)]
    store: StoreArguments,
}

/// Say who judges in a campaign, by pseudonym
#[derive(Debug, Args)]
pub(crate) struct People {
    /// The campaign
    name: String,
    /// Exclude this person: nothing they said counts, and their tasks are given out again
    #[arg(long, value_name = "PSEUDONYM", requires = "reason")]
    exclude: Option<String>,
    /// Take an exclusion back
    #[arg(long, value_name = "PSEUDONYM", requires = "reason", conflicts_with = "exclude")]
    restore: Option<String>,
    /// Why; it is kept in the log
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
    #[command(flatten)]
    store: StoreArguments,
}

/// Show the controls of a campaign, confirm them or take them out
#[derive(Debug, Args)]
pub(crate) struct Controls {
    /// The campaign
    name: String,
    /// Confirm these controls, by their numbers; generated ones are not used before somebody has looked at them
    #[arg(long, value_name = "ITEM", num_args = 1..)]
    confirm: Vec<i64>,
    /// Take these controls out
    #[arg(long, value_name = "ITEM", num_args = 1..)]
    withdraw: Vec<i64>,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
    #[command(flatten)]
    store: StoreArguments,
}

/// Forget somebody: ids of platforms, notes and times go, and answers stay under a new pseudonym
#[derive(Debug, Args)]
pub(crate) struct Forget {
    /// The campaign
    name: String,
    /// Who
    pseudonym: String,
    /// Remove the answers too; their tasks are given out again
    #[arg(long)]
    answers: bool,
    #[command(flatten)]
    store: StoreArguments,
}

/// Make an invitation: a link by which people come to judge
#[derive(Debug, Args)]
pub(crate) struct Invite {
    /// The campaign
    name: String,
    /// For one person only
    #[arg(long)]
    single: bool,
    /// For how many days it is good
    #[arg(long, value_name = "N", default_value_t = 30)]
    days: u32,
    /// For whom; only organisers see it
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    note: String,
    #[command(flatten)]
    store: StoreArguments,
}

impl Invite {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Invite { name, single, days, note, store } = self;
        let lasts = i64::from(days) * 24 * 3600 * 1000;
        let link = store.with(async move |store| {
            let row = store.campaign(&name).await.map_err(refused)?;
            let new = NewCampaignLink { note, single, lasts };
            let made = store.add_campaign_link(&By::local(), row.id, &new).await;
            let (_, secret) = made.map_err(refused)?;
            Ok(karat_web::campaigns::judging_path(&row.name, &secret))
        })?;
        // Where the server is reached is known to who runs it.
        writeln!(std::io::stdout(), "{link}")?;
        Ok(())
    }
}

fn print(table: Table, form: Form) -> Result<(), Failure> {
    printing::print(&Report::of(table), form, terminal_width())
}

impl Status {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Status { name, format, store } = self;
        let table = store.with(async move |store| {
            campaigns_table(&store, name.as_deref()).await.map_err(refused)
        })?;
        print(table, format)
    }
}

/// Somebody of a campaign by pseudonym.
async fn worker(store: &Store, campaign: &CampaignRow, pseudonym: &str) -> Result<i64, Failure> {
    let found = find_worker(store, campaign, pseudonym).await.map_err(refused)?;
    found.ok_or_else(|| {
        let hint = "`karat verify people NAME` lists everybody";
        Failure::usage(format!("there is nobody called `{pseudonym}`"), hint)
    })
}

impl People {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let People { name, exclude, restore, reason, format, store } = self;
        let reason = reason.unwrap_or_default();
        let table = store.with(async move |store| {
            let row = store.campaign(&name).await.map_err(refused)?;
            if let Some(who) = exclude {
                let worker = worker(&store, &row, &who).await?;
                store.exclude_worker(&By::local(), worker, &reason).await.map_err(refused)?;
            }
            if let Some(who) = restore {
                let worker = worker(&store, &row, &who).await?;
                store.restore_worker(&By::local(), worker, &reason).await.map_err(refused)?;
            }
            people_table(&store, &row).await.map_err(refused)
        })?;
        print(table, format)
    }
}

impl Controls {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Controls { name, confirm, withdraw, format, store } = self;
        let table = store.with(async move |store| {
            let row = store.campaign(&name).await.map_err(refused)?;
            for (items, state) in [(confirm, KeyState::Confirmed), (withdraw, KeyState::Withdrawn)]
            {
                if !items.is_empty() {
                    let set = store.set_key_states(&By::local(), row.id, &items, state).await;
                    set.map_err(refused)?;
                }
            }
            controls_table(&store, &row).await.map_err(refused)
        })?;
        print(table, format)
    }
}

impl Forget {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Forget { name, pseudonym, answers, store } = self;
        let forgotten = store.with(async move |store| {
            let row = store.campaign(&name).await.map_err(refused)?;
            let worker = worker(&store, &row, &pseudonym).await?;
            store.forget_worker(&By::local(), worker, answers, "").await.map_err(refused)
        })?;
        writeln!(std::io::stdout(), "forgotten; now called {}", forgotten.pseudonym)?;
        Ok(())
    }
}

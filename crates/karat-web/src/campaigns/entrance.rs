//! How people come to a campaign, and how they go back.

use super::tokens::WorkerToken;
use karat::campaigns::CampaignSettings;
use karat::campaigns::life::{AssignmentState, CampaignState};
use karat::campaigns::platform::{
    Arrival, ArrivalError, KnownBy, Leaving, LeavingError, LeavingFacts, Platform, platform,
};
use karat_store::{
    AssignmentRow, CampaignArrival, CampaignPerson, CampaignRow, ExternalId, Store, StoreError,
};
use std::collections::BTreeMap;

/// Somebody at the door of a campaign.
#[derive(Clone, Debug, Default)]
pub struct CampaignEntrance {
    /// The platform that they say they come from.
    pub platform: String,
    /// The parameters of the address.
    pub parameters: BTreeMap<String, String>,
    /// A token that they have from before.
    pub token: Option<String>,
    /// The id of their account, if they are logged in and may annotate.
    pub account: Option<String>,
    /// The language of their browser.
    pub locale: String,
    /// The class of their device.
    pub device: String,
}

/// What they are let in as.
#[derive(Clone, Debug)]
pub enum Entered {
    /// Somebody who only looks: nothing is stored, nothing is leased.
    Preview,
    /// A person, with the token that they work with.
    Person(Box<CampaignPerson>, String),
}

/// Why nobody is let in.
#[derive(Debug, thiserror::Error)]
pub enum EntranceError {
    /// The campaign does not take people from there.
    #[error("this campaign takes nobody from `{0}`")]
    Platform(String),
    /// Something is wrong with the address.
    #[error(transparent)]
    Arrival(#[from] ArrivalError),
    /// The invitation is for another campaign.
    #[error("this invitation is for another campaign")]
    OtherCampaign,
    /// The store did not do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How an assignment that ended goes back.
pub type WayBack = Result<Leaving, LeavingError>;

/// Whether people may come to a campaign from a platform: invitations and accounts are given by the organiser one by one, and everything
/// else has to be named, because anybody can write what stands in an address.
pub(crate) fn takes_from(settings: &CampaignSettings, platform: &Platform) -> bool {
    platform.enter.by != KnownBy::Parameters || settings.platforms.contains_key(&platform.name)
}

impl CampaignEntrance {
    /// Lets somebody in: always as the same person with the same ids.
    pub async fn enter(
        &self,
        store: &Store,
        campaign: &CampaignRow,
    ) -> Result<Entered, EntranceError> {
        if let Some(person) = self.known(store, campaign).await? {
            let token = WorkerToken::make(store, person.assignment.id)?;
            return Ok(Entered::Person(Box::new(person), token));
        }
        let platform = self.platform_of(campaign)?;
        let external = match self.external(store, campaign, platform).await? {
            Some(external) => external,
            None => return Ok(Entered::Preview),
        };
        let arrival = CampaignArrival {
            platform: platform.name.clone(),
            external,
            person: self.account.clone(),
            locale: self.locale.chars().take(20).collect(),
            device: self.device.chars().take(20).collect(),
        };
        let person = store.enter_campaign(campaign.id, &arrival).await?;
        let token = WorkerToken::make(store, person.assignment.id)?;
        Ok(Entered::Person(Box::new(person), token))
    }

    /// Who has a token from before, with their assignment while it goes on.
    async fn known(
        &self,
        store: &Store,
        campaign: &CampaignRow,
    ) -> Result<Option<CampaignPerson>, EntranceError> {
        let Some(token) = &self.token else { return Ok(None) };
        let Some(token) = WorkerToken::check(store, token)? else { return Ok(None) };
        let assignment = store.assignment(token.assignment).await?;
        if assignment.campaign != campaign.id {
            return Ok(None);
        }
        let worker = store.worker(assignment.worker).await?;
        Ok(Some(CampaignPerson { worker, assignment }))
    }

    fn platform_of(&self, campaign: &CampaignRow) -> Result<&'static Platform, EntranceError> {
        platform(&self.platform)
            .filter(|platform| takes_from(&campaign.settings, platform))
            .ok_or_else(|| EntranceError::Platform(self.platform.clone()))
    }

    /// The ids of the person; `None` for a preview.
    async fn external(
        &self,
        store: &Store,
        campaign: &CampaignRow,
        platform: &Platform,
    ) -> Result<Option<ExternalId>, EntranceError> {
        match platform.enter.by {
            KnownBy::Account => {
                let account = self.account.clone().ok_or(ArrivalError::NeedsAccount)?;
                Ok(Some(ExternalId { worker: account, ..ExternalId::default() }))
            }
            KnownBy::Invitation => {
                let name = platform.enter.worker.clone().unwrap_or_else(|| "key".to_owned());
                let secret = self.parameters.get(&name);
                let secret = secret.ok_or(ArrivalError::Missing(name))?;
                let (link, worker) = store.take_campaign_link(secret, None).await?;
                match link.campaign == campaign.id {
                    true => Ok(Some(ExternalId { worker, ..ExternalId::default() })),
                    false => Err(EntranceError::OtherCampaign),
                }
            }
            KnownBy::Parameters => {
                match platform.arrival(|name| self.parameters.get(name).cloned())? {
                    Arrival::Preview => Ok(None),
                    Arrival::Person(who) => Ok(Some(who)),
                }
            }
        }
    }

    /// The way back for an assignment that has ended; nothing while it goes on.
    pub async fn way_back(
        store: &Store,
        campaign: &CampaignRow,
        assignment: &AssignmentRow,
    ) -> Result<Option<WayBack>, StoreError> {
        let AssignmentState::Ended { how, .. } = assignment.state else { return Ok(None) };
        let Some(platform) = platform(&assignment.platform) else { return Ok(None) };
        let settings = campaign.settings.platforms.get(&assignment.platform);
        let facts = LeavingFacts {
            code: assignment.code.clone(),
            arrived: store.external_id(assignment.id).await?.unwrap_or_default(),
            submission: assignment.code.clone().unwrap_or_else(|| assignment.id.to_string()),
            options: settings.map(|settings| settings.options.clone()).unwrap_or_default(),
        };
        Ok(Some(platform.leaving(how, &facts)))
    }

    /// Whether leases of somebody from this platform are short, because they are paid for each assignment.
    pub fn is_paid(platform_name: &str) -> bool {
        platform(platform_name).is_some_and(|platform| platform.paid)
    }

    /// Whether a campaign lets anybody in now.
    pub fn is_open(campaign: &CampaignRow) -> bool {
        campaign.state.leases() || campaign.state == CampaignState::Paused
    }
}

//! Making a campaign of what was built.

use karat::verify::BuiltCampaign;
use karat_store::{By, CampaignRow, NewCampaign, Store, StoreError};

/// What people read. Without own words the usual ones are taken, so that nobody begins without any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CampaignTexts {
    /// What is to be done, and how to decide.
    pub guidelines: Option<String>,
    /// What is recorded, and what happens to it.
    pub consent: Option<String>,
}

/// The usual guidelines.
const GUIDELINES: &str = include_str!("guidelines.txt");
/// The usual consent.
const CONSENT: &str = include_str!("consent.txt");

/// Stores a campaign as a draft.
pub async fn make(
    store: &Store,
    by: &By,
    (name, title): (&str, &str),
    built: BuiltCampaign,
    texts: CampaignTexts,
) -> Result<CampaignRow, StoreError> {
    let BuiltCampaign { plan, settings, base_digest, kb_digest, .. } = built;
    let new = NewCampaign {
        name: name.to_owned(),
        title: if title.trim().is_empty() { name } else { title }.to_owned(),
        settings,
        base_digest,
        kb_digest,
        plan,
        guidelines: texts.guidelines.unwrap_or_else(|| GUIDELINES.to_owned()),
        consent: texts.consent.unwrap_or_else(|| CONSENT.to_owned()),
    };
    store.add_campaign(by, &new).await
}

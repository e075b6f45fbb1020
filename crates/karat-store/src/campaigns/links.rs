//! Invitation links.

use super::life;
use crate::audit::{self, By};
use crate::ids::{new_secret, sha256};
use crate::sql::{Columns, Stored, args};
use crate::{Result, Store, StoreError};
use serde::{Deserialize, Serialize};

/// In milliseconds.
const DAY: i64 = 24 * 3600 * 1000;

/// The longest life of an invitation.
const MOST_DAYS: i64 = 366;

/// No note is longer, in characters.
const LONGEST_NOTE: usize = 200;

/// An invitation to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewCampaignLink {
    /// For whom; only organisers see it.
    pub note: String,
    /// Whether it is for one person. An open one is for everybody who has it.
    pub single: bool,
    /// For how long, in milliseconds.
    pub lasts: i64,
}

/// An invitation. The secret itself is given once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CampaignLinkRow {
    /// Its number.
    pub id: i64,
    /// The campaign.
    pub campaign: i64,
    /// For whom.
    pub note: String,
    /// Whether it is for one person.
    pub single: bool,
    /// How often it was taken.
    pub used: i64,
    /// When it was made.
    pub made: i64,
    /// Until when it holds.
    pub until: i64,
}

impl Stored for CampaignLinkRow {
    fn read(columns: &mut Columns) -> Result<CampaignLinkRow> {
        Ok(CampaignLinkRow {
            id: columns.take()?,
            campaign: columns.take()?,
            note: columns.take()?,
            single: columns.take()?,
            used: columns.take()?,
            made: columns.take()?,
            until: columns.take()?,
        })
    }
}

impl Store {
    /// Makes an invitation and gives its secret, which is part of the address.
    pub async fn add_campaign_link(
        &self,
        by: &By,
        campaign: i64,
        new: &NewCampaignLink,
    ) -> Result<(CampaignLinkRow, String)> {
        if !(DAY..=MOST_DAYS * DAY).contains(&new.lasts) {
            let why = format!("an invitation lasts from 1 to {MOST_DAYS} days");
            return Err(StoreError::Unfit(why));
        }
        if new.note.chars().count() > LONGEST_NOTE {
            let why = format!("a note has at most {LONGEST_NOTE} characters");
            return Err(StoreError::Unfit(why));
        }
        let secret = new_secret()?;
        let mut act = self.write().await?;
        life::by_id(&mut act, campaign).await?;
        let now = self.now();
        let id = crate::numbers::numbers_within(&mut act, 1).await?.start;
        let until = now.saturating_add(new.lasts);
        let sql = "INSERT INTO campaign_link (id, campaign, digest, note, role, single, used, made, until) \
                   VALUES ($1, $2, $3, $4, 'annotator', $5, 0, $6, $7)";
        let digest = sha256(secret.as_bytes());
        act.run(sql, args![id, campaign, &digest, &new.note, new.single, now, until]).await?;
        let detail = serde_json::json!({ "link": id, "single": new.single, "until": until });
        let object = life::object(campaign);
        audit::append(&mut act, by, "link.add", &object, &detail.to_string(), now).await?;
        act.commit().await?;
        let (note, single) = (new.note.clone(), new.single);
        Ok((CampaignLinkRow { id, campaign, note, single, used: 0, made: now, until }, secret))
    }

    /// The invitation with this secret, and who comes by it: with one for one person always the same, with an open one
    /// whoever the caller says (`None` for somebody new).
    pub async fn take_campaign_link(
        &self,
        secret: &str,
        known_as: Option<&str>,
    ) -> Result<(CampaignLinkRow, String)> {
        let mut act = self.write().await?;
        let sql = "SELECT id, campaign, note, single, used, made, until FROM campaign_link WHERE digest = $1";
        let digest = sha256(secret.as_bytes());
        let row: Option<CampaignLinkRow> = act.one(sql, args![&digest]).await?;
        let row = row.filter(|row| row.until >= self.now());
        let row = row.ok_or_else(|| StoreError::not_found("invitation", "(this address)"))?;
        let external = match (row.single, known_as) {
            (true, _) => format!("link {}", row.id),
            (false, Some(known)) => known.to_owned(),
            (false, None) => format!("link {} {}", row.id, new_secret()?),
        };
        if row.single && row.used == 0 || !row.single && known_as.is_none() {
            act.run("UPDATE campaign_link SET used = used + 1 WHERE id = $1", args![row.id])
                .await?;
        }
        act.commit().await?;
        Ok((row, external))
    }

    /// All invitations of a campaign.
    pub async fn campaign_links(&self, campaign: i64) -> Result<Vec<CampaignLinkRow>> {
        let sql = "SELECT id, campaign, note, single, used, made, until FROM campaign_link \
                   WHERE campaign = $1 ORDER BY id";
        self.read().await?.all(sql, args![campaign]).await
    }

    /// Ends an invitation. Who came by it stays.
    pub async fn end_campaign_link(&self, by: &By, campaign: i64, link: i64) -> Result<()> {
        let mut act = self.write().await?;
        let now = self.now();
        let sql = "UPDATE campaign_link SET until = $3 WHERE id = $1 AND campaign = $2";
        if act.run(sql, args![link, campaign, now - 1]).await? == 0 {
            return Err(StoreError::not_found("invitation", &link.to_string()));
        }
        let detail = serde_json::json!({ "link": link }).to_string();
        let object = life::object(campaign);
        audit::append(&mut act, by, "link.end", &object, &detail, now).await?;
        act.commit().await
    }
}

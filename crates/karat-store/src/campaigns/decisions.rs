//! Adjudication: decisions about items, a layer of its own with its history.

use super::life;
use super::rows::{count, worded};
use crate::audit::{self, By};
use crate::sql::{Columns, Stored, args};
use crate::{Result, Store, StoreError};
use karat_verify::{LinkTarget, VerifyAction};
use serde::{Deserialize, Serialize};

/// A decision to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct NewDecision {
    /// The number of the item.
    pub item: i64,
    /// What it is; `None` takes the last decision back.
    #[schema(value_type = Option<String>)]
    pub action: Option<VerifyAction>,
    /// The link, where it is another than the one that was asked about.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    pub link: Option<LinkTarget>,
    /// A code: `ambiguous-text`, `guideline-gap`, `worker-error`, `bad-control`, `kb-gap`, `other`; empty for rules.
    #[serde(default)]
    pub reason: String,
    /// A note.
    #[serde(default)]
    pub note: String,
}

/// A decision that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct DecisionRow {
    /// Its number.
    pub id: i64,
    /// The item.
    pub item: i64,
    /// A person, or `rule:NAME`.
    pub who: String,
    /// What it is; nothing if the decision before it was taken back.
    #[schema(value_type = Option<String>)]
    pub action: Option<VerifyAction>,
    /// The link, where it is another than the one that was asked about.
    #[schema(value_type = Option<String>)]
    pub link: Option<LinkTarget>,
    /// A code.
    pub reason: String,
    /// A note.
    pub note: String,
    /// The decision that it takes the place of.
    pub supersedes: Option<i64>,
    /// When.
    pub at: i64,
}

impl DecisionRow {
    /// Whether a rule decided.
    pub fn is_by_rule(&self) -> bool {
        self.who.starts_with("rule:")
    }
}

impl Stored for DecisionRow {
    fn read(columns: &mut Columns) -> Result<DecisionRow> {
        Ok(DecisionRow {
            id: columns.take()?,
            item: columns.take()?,
            who: columns.take()?,
            action: columns
                .take::<Option<String>>()?
                .map(|name| name.parse().map_err(|_| StoreError::Malformed("action of a decision")))
                .transpose()?,
            link: columns.take::<Option<String>>()?.map(LinkTarget::from),
            reason: columns.take()?,
            note: columns.take()?,
            supersedes: columns.take()?,
            at: columns.take()?,
        })
    }
}

impl Store {
    /// Makes decisions in one transaction. `who` is a person or `rule:NAME`; a rule never touches what a person decided.
    /// Gives how many were made.
    pub async fn decide(
        &self,
        by: &By,
        campaign: i64,
        who: &str,
        decisions: &[NewDecision],
    ) -> Result<usize> {
        let mut act = self.write().await?;
        life::unsettled(&mut act, campaign).await?;
        let (now, mut made) = (self.now(), 0);
        for one in decisions {
            let sql = "SELECT COUNT(*) FROM item WHERE id = $1 AND campaign = $2";
            if act.number(sql, args![one.item, campaign]).await? == 0 {
                return Err(StoreError::not_found("item", &one.item.to_string()));
            }
            let sql = "SELECT id, item, who, action, link, reason, note, supersedes, at FROM decision \
                       WHERE item = $1 ORDER BY id DESC LIMIT 1";
            let last: Option<DecisionRow> = act.one(sql, args![one.item]).await?;
            let by_person =
                last.as_ref().is_some_and(|last| !last.is_by_rule() && last.action.is_some());
            if who.starts_with("rule:") && by_person {
                continue;
            }
            let action = one.action.as_ref().map(worded).transpose()?;
            let link = one.link.as_ref().map(ToString::to_string);
            let id = crate::numbers::numbers_within(&mut act, 1).await?.start;
            let sql = "INSERT INTO decision (id, campaign, item, who, action, link, reason, note, supersedes, at) \
                       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
            let supersedes = last.map(|last| last.id);
            let NewDecision { item, reason, note, .. } = one;
            let args =
                args![id, campaign, *item, who, &action, &link, reason, note, supersedes, now];
            act.run(sql, args).await?;
            made += 1;
        }
        let first = decisions.first().map(|one| one.item);
        let detail = serde_json::json!({ "who": who, "decisions": count(made), "first": first });
        let object = life::object(campaign);
        audit::append(&mut act, by, "item.decide", &object, &detail.to_string(), now).await?;
        act.commit().await?;
        Ok(made)
    }

    /// The decisions that hold: the last one of each item, without those that were taken back.
    pub async fn decisions(&self, campaign: i64) -> Result<Vec<DecisionRow>> {
        let sql = "SELECT d.id, d.item, d.who, d.action, d.link, d.reason, d.note, d.supersedes, d.at \
                   FROM decision d WHERE d.campaign = $1 AND d.action IS NOT NULL AND NOT EXISTS \
                   (SELECT 1 FROM decision n WHERE n.item = d.item AND n.id > d.id) ORDER BY d.item";
        self.read().await?.all(sql, args![campaign]).await
    }

    /// All decisions about an item, the oldest first.
    pub async fn decision_history(&self, item: i64) -> Result<Vec<DecisionRow>> {
        let sql = "SELECT id, item, who, action, link, reason, note, supersedes, at FROM decision \
                   WHERE item = $1 ORDER BY id";
        self.read().await?.all(sql, args![item]).await
    }

    /// All decisions of a campaign, the oldest first.
    pub async fn all_decisions(&self, campaign: i64) -> Result<Vec<DecisionRow>> {
        let sql = "SELECT id, item, who, action, link, reason, note, supersedes, at FROM decision \
                   WHERE campaign = $1 ORDER BY id";
        self.read().await?.all(sql, args![campaign]).await
    }
}

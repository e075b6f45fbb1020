//! Items whose answer is known.

use super::life;
use super::rows::json;
use crate::audit::{self, By};
use crate::sql::{Columns, Stored, args};
use crate::words::words;
use crate::{Result, Store, StoreError};
use karat_verify::plan::{ControlKind, ControlPool, ItemKey};
use karat_verify::{LinkTarget, VerifyAction};
use serde::{Deserialize, Serialize};

words! {
    /// Where the known answer of an item is.
    KeyState {
        /// Nobody has looked at it yet; it is not used.
        Proposed = "proposed",
        /// It is used.
        Confirmed = "confirmed",
        /// It was taken out: a bad control.
        Withdrawn = "withdrawn",
    }
}

/// The known answer of an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct KeyRow {
    /// The item.
    pub item: i64,
    /// The place of the item in the plan.
    pub n: i64,
    /// `control` or `practice`.
    pub kind: String,
    /// The actions that are right.
    #[schema(value_type = Vec<String>)]
    pub actions: Vec<VerifyAction>,
    /// The entities that are right.
    #[schema(value_type = Vec<String>)]
    pub links: Vec<LinkTarget>,
    /// What is said to somebody who practises.
    pub explanation: String,
    /// Where it comes from.
    pub origin: String,
    /// Whether it is used.
    pub state: KeyState,
}

impl KeyRow {
    /// The same as the plan has it.
    pub fn key(&self) -> ItemKey {
        ItemKey {
            item: usize::try_from(self.n).unwrap_or(usize::MAX),
            actions: self.actions.clone(),
            links: self.links.clone(),
            explanation: self.explanation.clone(),
            origin: self.origin.clone(),
            confirmed: self.state == KeyState::Confirmed,
        }
    }
}

impl Stored for KeyRow {
    fn read(columns: &mut Columns) -> Result<KeyRow> {
        Ok(KeyRow {
            item: columns.take()?,
            n: columns.take()?,
            kind: columns.take()?,
            actions: json(&columns.take::<String>()?, "actions of a key")?,
            links: json(&columns.take::<String>()?, "links of a key")?,
            explanation: columns.take()?,
            origin: columns.take()?,
            state: columns.take()?,
        })
    }
}

impl Store {
    /// The known answers of a campaign, by item.
    pub async fn campaign_keys(&self, campaign: i64) -> Result<Vec<KeyRow>> {
        let sql = "SELECT k.item, i.n, i.kind, k.actions, k.links, k.explanation, k.origin, k.state \
                   FROM item_key k JOIN item i ON i.id = k.item WHERE k.campaign = $1 ORDER BY k.item";
        self.read().await?.all(sql, args![campaign]).await
    }

    /// How many confirmed controls there are of each kind.
    pub async fn control_pool(&self, campaign: i64) -> Result<ControlPool> {
        let mut pool = ControlPool::default();
        let keys = self.campaign_keys(campaign).await?;
        let used = |key: &&KeyRow| key.kind == "control" && key.state == KeyState::Confirmed;
        for key in keys.iter().filter(used) {
            match ControlKind::of(&key.key()) {
                Some(ControlKind::Right) => pool.right += 1,
                Some(ControlKind::Corrupted) => pool.corrupted += 1,
                Some(ControlKind::NoEntity) => pool.no_entity += 1,
                None => {}
            }
        }
        Ok(pool)
    }

    /// Confirms known answers, or takes them out. A control task is given out only while all of its items are confirmed.
    pub async fn set_key_states(
        &self,
        by: &By,
        campaign: i64,
        items: &[i64],
        state: KeyState,
    ) -> Result<()> {
        let mut act = self.write().await?;
        life::unsettled(&mut act, campaign).await?;
        for item in items {
            let sql = "UPDATE item_key SET state = $3 WHERE item = $1 AND campaign = $2";
            if act.run(sql, args![*item, campaign, state]).await? == 0 {
                return Err(StoreError::not_found("control", &item.to_string()));
            }
        }
        let detail = serde_json::json!({ "items": items }).to_string();
        let (name, object) = (format!("control.{}", state.word()), life::object(campaign));
        audit::append(&mut act, by, &name, &object, &detail, self.now()).await?;
        act.commit().await
    }
}

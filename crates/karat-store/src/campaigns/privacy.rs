//! Forgetting people: the only deletions there are.

use super::life;
use super::people;
use crate::audit::{self, By};
use crate::ids::new_id;
use crate::sql::{Access, args};
use crate::{Result, Store};
use serde::{Deserialize, Serialize};

/// What was forgotten of somebody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forgotten {
    /// The new pseudonym, under which answers are kept.
    pub pseudonym: String,
    /// Whether the answers were removed as well; then their tasks have new slots.
    pub answers: bool,
}

impl Store {
    /// Forgets somebody: ids of the platform, free texts and times go; answers stay under a new pseudonym. With `answers` they
    /// go too, and their tasks get new slots.
    pub async fn forget_worker(
        &self,
        by: &By,
        worker: i64,
        answers: bool,
        reason: &str,
    ) -> Result<Forgotten> {
        if answers {
            self.exclude_worker(by, worker, "answers are removed").await?;
        }
        let mut act = self.write().await?;
        let found = people::worker_by_id(&mut act, worker).await?;
        life::locked(&mut act, found.campaign).await?;
        let before = people::worker_locked(&mut act, worker).await?;
        let pseudonym = new_id()?;
        forget(&mut act, worker, &pseudonym).await?;
        if answers {
            act.run("DELETE FROM judgement WHERE worker = $1", args![worker]).await?;
            let sql = "DELETE FROM flag WHERE worker = $1";
            act.run(sql, args![worker]).await?;
            let sql =
                "DELETE FROM receipt WHERE token IN (SELECT token FROM lease WHERE worker = $1)";
            act.run(sql, args![worker]).await?;
            // Nothing is left that could count again.
            let sql =
                "UPDATE slot SET worker = NULL, token = NULL WHERE worker = $1 AND state = 'void'";
            act.run(sql, args![worker]).await?;
        }
        let detail = serde_json::json!({ "answers": answers, "now": pseudonym, "reason": reason })
            .to_string();
        let object = life::object(before.campaign);
        audit::append(&mut act, by, "person.forget", &object, &detail, self.now()).await?;
        act.commit().await?;
        Ok(Forgotten { pseudonym, answers })
    }

    /// Forgets everybody of a campaign that was closed before a time, with their answers kept. Gives how many.
    pub async fn forget_after_retention(
        &self,
        by: &By,
        campaign: i64,
        before: i64,
    ) -> Result<usize> {
        let mut act = self.write().await?;
        let row = life::locked(&mut act, campaign).await?;
        if row.closed.is_none_or(|closed| closed >= before) {
            return Ok(0);
        }
        let sql = "SELECT id FROM worker WHERE campaign = $1 AND known IS NOT NULL ORDER BY id";
        let workers: Vec<(i64,)> = act.all(sql, args![campaign]).await?;
        for (worker,) in &workers {
            forget(&mut act, *worker, &new_id()?).await?;
        }
        if !workers.is_empty() {
            let detail = serde_json::json!({ "people": workers.len() }).to_string();
            let object = life::object(campaign);
            audit::append(&mut act, by, "campaign.retention", &object, &detail, self.now()).await?;
        }
        act.commit().await?;
        Ok(workers.len())
    }
}

async fn forget(act: &mut Access, worker: i64, pseudonym: &str) -> Result<()> {
    let sql = "UPDATE worker SET external = NULL, known = NULL, person = NULL, pseudonym = $2, locale = '', \
               device = '', settings = '{}' WHERE id = $1";
    act.run(sql, args![worker, pseudonym]).await?;
    let sql = "UPDATE assignment SET external = NULL, known = NULL, code = NULL WHERE worker = $1";
    act.run(sql, args![worker]).await?;
    let sql =
        "UPDATE judgement SET comment = '', active_ms = NULL, total_ms = NULL WHERE worker = $1";
    act.run(sql, args![worker]).await?;
    act.run("UPDATE flag SET comment = '' WHERE worker = $1", args![worker]).await?;
    // A receipt holds what was sent, notes and times included.
    let sql =
        "UPDATE receipt SET body = '{}' WHERE token IN (SELECT token FROM lease WHERE worker = $1)";
    act.run(sql, args![worker]).await?;
    Ok(())
}

//! How far a campaign is.

use crate::sql::args;
use crate::{Result, Store};
use karat_verify::plan::ItemProgress;
use serde::{Deserialize, Serialize};

/// Slots by state, of first judgements and follow-ups.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SlotCounts {
    /// Free.
    pub open: i64,
    /// Somebody works on them.
    pub leased: i64,
    /// Judged.
    pub done: i64,
    /// Taken out.
    pub void: i64,
}

impl SlotCounts {
    /// Whether all are judged.
    pub fn all_done(&self) -> bool {
        self.open == 0 && self.leased == 0
    }
}

/// How far a campaign is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CampaignProgress {
    /// Slots of first judgements and follow-ups.
    pub slots: SlotCounts,
    /// Live leases of all kinds.
    pub live_leases: i64,
    /// Judgements that count, without controls and skips.
    pub judgements: i64,
    /// Judgements of the last hour.
    pub last_hour: i64,
    /// Items that are judged.
    pub items: i64,
    /// Items with as many counted judgements as the design asks for at least.
    pub items_judged: i64,
    /// People who came.
    pub people: i64,
    /// Assignments that were entered.
    pub assignments: i64,
    /// Assignments that ended and are paid.
    pub paid: i64,
}

impl Store {
    /// How far a campaign is.
    pub async fn campaign_progress(&self, campaign: i64) -> Result<CampaignProgress> {
        let row = self.campaign_by_id(campaign).await?;
        let now = self.now();
        let mut read = self.read().await?;
        let mut progress = CampaignProgress::default();
        let sql = "SELECT state, COUNT(*) FROM slot WHERE campaign = $1 AND purpose IN ('main', 'more') \
                   GROUP BY state";
        let slots: Vec<(String, i64)> = read.all(sql, args![campaign]).await?;
        for (state, number) in slots {
            match &*state {
                "open" => progress.slots.open = number,
                "leased" => progress.slots.leased = number,
                "done" => progress.slots.done = number,
                _ => progress.slots.void = number,
            }
        }
        let sql =
            "SELECT COUNT(*) FROM slot WHERE campaign = $1 AND state = 'leased' AND expires >= $2";
        progress.live_leases = read.number(sql, args![campaign, now]).await?;
        let sql = "SELECT COUNT(*), COUNT(CASE WHEN j.at >= $2 THEN 1 END) FROM judgement j \
                   JOIN item i ON i.id = j.item WHERE j.campaign = $1 AND j.counted = 1 \
                   AND j.action <> 'skip' AND i.kind = 'real'";
        let found: Option<(i64, i64)> = read.one(sql, args![campaign, now - 3_600_000]).await?;
        (progress.judgements, progress.last_hour) = found.unwrap_or_default();
        let sql =
            "SELECT COUNT(*) FROM item WHERE campaign = $1 AND kind = 'real' AND probability > 0";
        progress.items = read.number(sql, args![campaign]).await?;
        let least = super::rows::count(row.settings.design.redundancy.first());
        let sql = "SELECT COUNT(*) FROM (SELECT j.item FROM judgement j JOIN item i ON i.id = j.item \
                   WHERE j.campaign = $1 AND j.counted = 1 AND j.action <> 'skip' AND i.kind = 'real' \
                   GROUP BY j.item HAVING COUNT(*) >= $2) judged";
        progress.items_judged = read.number(sql, args![campaign, least]).await?;
        let sql = "SELECT COUNT(*) FROM worker WHERE campaign = $1";
        progress.people = read.number(sql, args![campaign]).await?;
        let sql = "SELECT COUNT(*) FROM assignment WHERE campaign = $1";
        progress.assignments = read.number(sql, args![campaign]).await?;
        let sql = "SELECT COUNT(*) FROM assignment WHERE campaign = $1 AND state = 'ended' AND ( \
                   body LIKE '%\"finished\"%' OR body LIKE '%\"no-work-left\"%' OR body LIKE '%\"excluded\"%')";
        progress.paid = read.number(sql, args![campaign]).await?;
        Ok(progress)
    }

    /// How far the judging of each item is, by the place of the item in the plan: what follow-ups are made from.
    pub async fn item_progress(&self, campaign: i64) -> Result<Vec<ItemProgress>> {
        let mut read = self.read().await?;
        let sql = "SELECT COUNT(*) FROM item WHERE campaign = $1";
        let items = usize::try_from(read.number(sql, args![campaign]).await?).unwrap_or(0);
        let mut progress = vec![ItemProgress::default(); items];
        let mut note = |rows: Vec<(i64, i64)>, of: fn(&mut ItemProgress) -> &mut usize| {
            for (n, number) in rows {
                if let Some(one) = usize::try_from(n).ok().and_then(|at| progress.get_mut(at)) {
                    *of(one) = usize::try_from(number).unwrap_or(0);
                }
            }
        };
        let sql = "SELECT i.n, COUNT(*) FROM judgement j JOIN item i ON i.id = j.item \
                   WHERE j.campaign = $1 AND j.counted = 1 AND j.action <> 'skip' GROUP BY i.n";
        note(read.all(sql, args![campaign]).await?, |one| &mut one.judgements);
        let sql = "SELECT i.n, COUNT(*) FROM judgement j JOIN item i ON i.id = j.item \
                   WHERE j.campaign = $1 AND j.counted = 1 AND j.action = 'skip' GROUP BY i.n";
        note(read.all(sql, args![campaign]).await?, |one| &mut one.skips);
        let sql = "SELECT i.n, COUNT(*) FROM slot s JOIN task_item ti ON ti.task = s.task \
                   JOIN item i ON i.id = ti.item WHERE s.campaign = $1 \
                   AND s.state IN ('open', 'leased') AND s.purpose IN ('main', 'more') GROUP BY i.n";
        note(read.all(sql, args![campaign]).await?, |one| &mut one.coming);
        Ok(progress)
    }

    /// How the last assignments that ended did on their controls, the oldest first: whether all were right.
    pub async fn passed_assignments(&self, campaign: i64, most: i64) -> Result<Vec<bool>> {
        let keys = self.campaign_keys(campaign).await?;
        let mut read = self.read().await?;
        let sql = "SELECT a.id, j.item, j.action FROM assignment a JOIN lease l ON l.assignment = a.id \
                   JOIN judgement j ON j.token = l.token WHERE l.purpose = 'control' AND j.counted = 1 \
                   AND a.id IN (SELECT b.id FROM assignment b WHERE b.campaign = $1 \
                   AND b.finished IS NOT NULL ORDER BY b.finished DESC, b.id DESC LIMIT $2) \
                   ORDER BY a.finished, a.id, j.id";
        let rows: Vec<(i64, i64, String)> = read.all(sql, args![campaign, most]).await?;
        let mut passed: Vec<(i64, bool)> = Vec::new();
        for (assignment, item, action) in rows {
            let key =
                keys.binary_search_by_key(&item, |key| key.item).ok().map(|at| keys[at].key());
            let right = key.zip(action.parse().ok()).and_then(|(key, action)| key.accepts(action));
            let right = right.unwrap_or(true);
            match passed.last_mut() {
                Some((last, all)) if *last == assignment => *all &= right,
                _ => passed.push((assignment, right)),
            }
        }
        Ok(passed.into_iter().map(|(_, right)| right).collect())
    }
}

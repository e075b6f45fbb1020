//! What was said, to be read.

use super::rows::{place, word};
use crate::sql::{Columns, Stored, args};
use crate::{Result, Store, StoreError};
use karat_verify::{ItemJudgement, JudgementReason, LinkTarget, VerifyAction};
use serde::{Deserialize, Serialize};

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredJudgement {
    /// Its number: later answers have higher ones.
    pub id: i64,
    /// The item.
    pub item: i64,
    /// The place of the item in the plan.
    pub n: i64,
    /// Who answered.
    pub worker: i64,
    /// Who answered, by pseudonym.
    pub pseudonym: String,
    /// The assignment.
    pub assignment: i64,
    /// The slot.
    pub slot: i64,
    /// What the task was for.
    pub purpose: String,
    /// The revision.
    pub revision: i64,
    /// The answer.
    pub action: VerifyAction,
    /// The link of a modification.
    pub link: Option<LinkTarget>,
    /// Why.
    pub reason: Option<JudgementReason>,
    /// How sure, from 1 to 3.
    pub confidence: Option<i64>,
    /// Where the mention should begin.
    pub span_start: Option<i64>,
    /// Where it should end.
    pub span_end: Option<i64>,
    /// A note.
    pub comment: String,
    /// How long the person worked on it.
    pub active_ms: Option<i64>,
    /// How long it was in view.
    pub total_ms: Option<i64>,
    /// How often it was changed.
    pub changes: Option<i64>,
    /// How often entities were searched for.
    pub searches: Option<i64>,
    /// Whether it counts.
    pub counted: bool,
    /// When it was stored.
    pub at: i64,
}

impl Stored for StoredJudgement {
    fn read(columns: &mut Columns) -> Result<StoredJudgement> {
        Ok(StoredJudgement {
            id: columns.take()?,
            item: columns.take()?,
            n: columns.take()?,
            worker: columns.take()?,
            pseudonym: columns.take()?,
            assignment: columns.take()?,
            slot: columns.take()?,
            purpose: columns.take()?,
            revision: columns.take()?,
            action: columns
                .take::<String>()?
                .parse()
                .map_err(|_| StoreError::Malformed("action of a judgement"))?,
            link: columns.take::<Option<String>>()?.map(LinkTarget::from),
            reason: columns
                .take::<Option<String>>()?
                .map(|text| word(&text, "reason of a judgement"))
                .transpose()?,
            confidence: columns.take()?,
            span_start: columns.take()?,
            span_end: columns.take()?,
            comment: columns.take()?,
            active_ms: columns.take()?,
            total_ms: columns.take()?,
            changes: columns.take()?,
            searches: columns.take()?,
            counted: columns.take()?,
            at: columns.take()?,
        })
    }
}

/// The answers of a campaign, as its results are computed from them.
pub type StoredJudgements = Vec<ItemJudgement>;

/// Something said of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagRow {
    /// Its number.
    pub id: i64,
    /// Who, by pseudonym.
    pub pseudonym: String,
    /// The text.
    pub text: i64,
    /// `missing-mention`, `bad-text` or `other`.
    pub kind: String,
    /// Where it begins.
    pub span_start: Option<i64>,
    /// Where it ends.
    pub span_end: Option<i64>,
    /// What it means.
    pub link: Option<LinkTarget>,
    /// A note.
    pub comment: String,
    /// When.
    pub at: i64,
}

impl Stored for FlagRow {
    fn read(columns: &mut Columns) -> Result<FlagRow> {
        Ok(FlagRow {
            id: columns.take()?,
            pseudonym: columns.take()?,
            text: columns.take()?,
            kind: columns.take()?,
            span_start: columns.take()?,
            span_end: columns.take()?,
            link: columns.take::<Option<String>>()?.map(LinkTarget::from),
            comment: columns.take()?,
            at: columns.take()?,
        })
    }
}

/// A place of a judgement, as it is now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignSlotRow {
    /// Its number.
    pub id: i64,
    /// The place of its task in the plan.
    pub task: i64,
    /// Slots that took the place of one another have the same; all of them but one are void.
    pub place: i64,
    /// `main`, `more`, `control`, `practice` or `repeat`.
    pub purpose: String,
    /// `open`, `leased`, `done` or `void`.
    pub state: String,
    /// Who has or had it.
    pub worker: Option<i64>,
    /// When its lease ends.
    pub expires: Option<i64>,
}

impl Stored for CampaignSlotRow {
    fn read(columns: &mut Columns) -> Result<CampaignSlotRow> {
        Ok(CampaignSlotRow {
            id: columns.take()?,
            task: columns.take()?,
            place: columns.take()?,
            purpose: columns.take()?,
            state: columns.take()?,
            worker: columns.take()?,
            expires: columns.take()?,
        })
    }
}

/// The columns of [`StoredJudgement`], in order.
macro_rules! judgement_columns {
    ($rest:literal) => {
        concat!(
            "SELECT j.id, j.item, i.n, j.worker, w.pseudonym, l.assignment, j.slot, l.purpose, j.revision, \
             j.action, j.link, j.reason, j.confidence, j.span_start, j.span_end, j.comment, j.active_ms, \
             j.total_ms, j.changes, j.searches, j.counted, j.at FROM judgement j \
             JOIN item i ON i.id = j.item JOIN worker w ON w.id = j.worker \
             JOIN lease l ON l.token = j.token ",
            $rest
        )
    };
}

impl Store {
    /// All answers of a campaign, earlier revisions and surplus included, in the order in which they came.
    pub async fn campaign_judgements(&self, campaign: i64) -> Result<Vec<StoredJudgement>> {
        let sql = judgement_columns!("WHERE j.campaign = $1 ORDER BY j.at, j.id");
        self.read().await?.all(sql, args![campaign]).await
    }

    /// All answers on one item, in the order in which they came.
    pub async fn item_judgements(&self, item: i64) -> Result<Vec<StoredJudgement>> {
        let sql = judgement_columns!("WHERE j.item = $1 ORDER BY j.at, j.id");
        self.read().await?.all(sql, args![item]).await
    }

    /// All answers of one person, in the order in which they came.
    pub async fn worker_judgements(&self, worker: i64) -> Result<Vec<StoredJudgement>> {
        let sql = judgement_columns!("WHERE j.worker = $1 ORDER BY j.at, j.id");
        self.read().await?.all(sql, args![worker]).await
    }

    /// The answers of a campaign as results are computed from them: of each task the last revision, in the order in which
    /// they came.
    pub async fn judged_items(&self, campaign: i64) -> Result<StoredJudgements> {
        let rows = self.campaign_judgements(campaign).await?;
        rows.iter().filter(|row| row.counted).map(StoredJudgement::judgement).collect()
    }

    /// All slots of a campaign, in the order in which they were made.
    pub async fn campaign_slots(&self, campaign: i64) -> Result<Vec<CampaignSlotRow>> {
        let sql = "SELECT s.id, t.n, s.place, s.purpose, s.state, s.worker, s.expires FROM slot s \
                   JOIN task t ON t.id = s.task WHERE s.campaign = $1 ORDER BY s.id";
        self.read().await?.all(sql, args![campaign]).await
    }

    /// What was said of texts, in the order in which it came.
    pub async fn campaign_flags(&self, campaign: i64) -> Result<Vec<FlagRow>> {
        let sql = "SELECT f.id, w.pseudonym, f.text, f.kind, f.span_start, f.span_end, f.link, f.comment, f.at \
                   FROM flag f JOIN worker w ON w.id = f.worker WHERE f.campaign = $1 ORDER BY f.id";
        self.read().await?.all(sql, args![campaign]).await
    }
}

/// A count as a plan has it.
fn whole(column: Option<i64>) -> Option<u64> {
    column.and_then(|value| u64::try_from(value).ok())
}

impl StoredJudgement {
    fn span(&self) -> Option<(u32, u32)> {
        Some((u32::try_from(self.span_start?).ok()?, u32::try_from(self.span_end?).ok()?))
    }

    /// The same for the computing of results.
    pub fn judgement(&self) -> Result<ItemJudgement> {
        Ok(ItemJudgement {
            item: place(self.n)?,
            worker: self.pseudonym.clone(),
            action: self.action,
            link: self.link.clone(),
            reason: self.reason,
            confidence: self.confidence.and_then(|value| u8::try_from(value).ok()),
            span: self.span(),
            note: self.comment.clone(),
            active_ms: whole(self.active_ms),
            total_ms: whole(self.total_ms),
            changes: whole(self.changes),
            searches: whole(self.searches),
            at: Some(self.at),
            counted: self.counted,
        })
    }
}

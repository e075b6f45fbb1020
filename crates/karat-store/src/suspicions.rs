//! Suspicions: places where gold may be wrong.

use crate::audit::{self, By};
use crate::ids::new_id;
use crate::listing::Position;
use crate::sql::{Access, Columns, Stored, args};
use crate::words::words;
use crate::{ListFrom, ListPage, Result, Store, StoreError};
use serde::{Deserialize, Serialize};

words! {
    /// What was decided about a suspicion.
    SuspicionState {
        /// Nothing yet.
        Open = "open",
        /// Gold is wrong here.
        Confirmed = "confirmed",
        /// Gold is right here.
        Refuted = "refuted",
        /// Somebody looked and could not tell.
        Later = "later",
    }
}

/// A suspicion to be kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct NewSuspicion {
    /// The id of the edition.
    pub edition: String,
    /// The number of the document.
    pub document: i64,
    /// Where the mention begins.
    pub start: i64,
    /// Where it ends.
    pub end: i64,
    /// What gold says; nothing if it has no mention here.
    pub gold: String,
    /// What may be right instead; nothing for no mention.
    pub proposed: String,
    /// The runs that agree with gold, as a JSON list.
    pub agree: String,
    /// The runs that say what is proposed, as a JSON list.
    pub differ: String,
    /// How strong it is; lists begin with the strongest.
    pub weight: i64,
}

/// A suspicion that is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct SuspicionRow {
    /// Its id.
    pub id: String,
    /// What it says.
    #[serde(flatten)]
    pub what: NewSuspicion,
    /// What was decided.
    pub state: SuspicionState,
    /// Why.
    pub note: String,
    /// The id of the person who decided.
    pub judged_by: Option<String>,
    /// When it was decided.
    pub judged: Option<i64>,
    /// The id of the person who noted it.
    pub made_by: Option<String>,
    /// When it was made.
    pub made: i64,
    /// How often it was changed.
    pub version: i64,
}

impl Stored for SuspicionRow {
    fn read(columns: &mut Columns) -> Result<SuspicionRow> {
        Ok(SuspicionRow {
            id: columns.take()?,
            what: NewSuspicion {
                edition: columns.take()?,
                document: columns.take()?,
                start: columns.take()?,
                end: columns.take()?,
                gold: columns.take()?,
                proposed: columns.take()?,
                agree: columns.take()?,
                differ: columns.take()?,
                weight: columns.take()?,
            },
            state: columns.take()?,
            note: columns.take()?,
            judged_by: columns.take()?,
            judged: columns.take()?,
            made_by: columns.take()?,
            made: columns.take()?,
            version: columns.take()?,
        })
    }
}

impl Store {
    /// Keeps suspicions. One that is there already gets the new runs and weight, and what was
    /// decided about it stays.
    pub async fn add_suspicions(&self, by: &By, new: &[NewSuspicion]) -> Result<()> {
        let mut act = self.write().await?;
        for one in new {
            put(&mut act, by, one, self.now()).await?;
        }
        let detail = format!("{{\"count\":{}}}", new.len());
        audit::append(&mut act, by, "suspicion.add", "suspicions", &detail, self.now()).await?;
        act.commit().await
    }

    /// A suspicion by its id.
    pub async fn suspicion(&self, id: &str) -> Result<SuspicionRow> {
        find(&mut self.read().await?, id).await
    }

    /// The suspicions of an edition, the strongest first.
    pub async fn suspicions(
        &self,
        edition: &str,
        state: Option<SuspicionState>,
        from: &ListFrom,
    ) -> Result<ListPage<SuspicionRow>> {
        let after = from.position(Position::last())?;
        let sql = "SELECT id, edition, document, span_start, span_end, gold, proposed, agree, \
                   differ, weight, state, note, judged_by, judged, made_by, made, version \
                   FROM suspicion \
                   WHERE edition = $1 AND ($2 IS NULL OR state = $2) \
                   AND (weight < $3 OR (weight = $3 AND id > $4)) \
                   ORDER BY weight DESC, id LIMIT $5";
        let state = state.map(SuspicionState::word);
        let args = args![edition, state, after.number, &after.word, from.fetch()];
        let rows = self.read().await?.all(sql, args).await?;
        Ok(from.page(rows, |row: &SuspicionRow| Position::new(row.what.weight, &row.id)))
    }

    /// Decides about a suspicion that has this version.
    pub async fn judge_suspicion(
        &self,
        by: &By,
        id: &str,
        version: i64,
        state: SuspicionState,
        note: &str,
    ) -> Result<SuspicionRow> {
        let mut act = self.write().await?;
        let before = find(&mut act, id).await?;
        let after = judge(&mut act, by, &before, version, (state, note), self.now()).await?;
        act.commit().await?;
        Ok(after)
    }

    /// Notes a place and decides about it at once. One that is there already is decided about anew; `Open` only notes
    /// it and changes no decision.
    pub async fn judge_place(
        &self,
        by: &By,
        new: &NewSuspicion,
        state: SuspicionState,
        note: &str,
    ) -> Result<SuspicionRow> {
        let mut act = self.write().await?;
        let now = self.now();
        let known = find_place(&mut act, new).await?;
        if known.is_none() {
            put(&mut act, by, new, now).await?;
        }
        let found = find_place(&mut act, new).await?;
        let found = found.ok_or_else(|| StoreError::not_found("suspicion", &new.edition))?;
        if known.is_none() {
            let detail = audit::change(None, Some(&found))?;
            let object = format!("suspicion {}", found.id);
            audit::append(&mut act, by, "suspicion.add", &object, &detail, now).await?;
        }
        let after = match state {
            SuspicionState::Open => found,
            _ => judge(&mut act, by, &found, found.version, (state, note), now).await?,
        };
        act.commit().await?;
        Ok(after)
    }

    /// The suspicions in one document of an edition, by place.
    pub async fn suspicions_in(&self, edition: &str, document: i64) -> Result<Vec<SuspicionRow>> {
        let sql = "SELECT id, edition, document, span_start, span_end, gold, proposed, agree, \
                   differ, weight, state, note, judged_by, judged, made_by, made, version \
                   FROM suspicion WHERE edition = $1 AND document = $2 \
                   ORDER BY span_start, span_end, id LIMIT 1000";
        self.read().await?.all(sql, args![edition, document]).await
    }
}

async fn judge(
    act: &mut Access,
    by: &By,
    before: &SuspicionRow,
    version: i64,
    (state, note): (SuspicionState, &str),
    now: i64,
) -> Result<SuspicionRow> {
    let id = &before.id;
    let sql = "UPDATE suspicion SET state = $3, note = $4, judged_by = $5, judged = $6, \
               version = version + 1 WHERE id = $1 AND version = $2";
    if act.run(sql, args![id, version, state, note, &by.person, now]).await? == 0 {
        return Err(StoreError::Stale { what: "suspicion", id: id.clone() });
    }
    let after = find(act, id).await?;
    let detail = audit::change(Some(before), Some(&after))?;
    let object = format!("suspicion {id}");
    audit::append(act, by, "suspicion.judge", &object, &detail, now).await?;
    Ok(after)
}

async fn find_place(access: &mut Access, new: &NewSuspicion) -> Result<Option<SuspicionRow>> {
    let sql = "SELECT id, edition, document, span_start, span_end, gold, proposed, agree, differ, \
               weight, state, note, judged_by, judged, made_by, made, version FROM suspicion \
               WHERE edition = $1 AND document = $2 AND span_start = $3 AND span_end = $4 \
               AND gold = $5 AND proposed = $6";
    let NewSuspicion { edition, document, start, end, gold, proposed, .. } = new;
    access.one(sql, args![edition, *document, *start, *end, gold, proposed]).await
}

async fn find(access: &mut Access, id: &str) -> Result<SuspicionRow> {
    let sql = "SELECT id, edition, document, span_start, span_end, gold, proposed, agree, differ, \
               weight, state, note, judged_by, judged, made_by, made, version FROM suspicion \
               WHERE id = $1";
    let row = access.one(sql, args![id]).await?;
    row.ok_or_else(|| StoreError::not_found("suspicion", id))
}

async fn put(act: &mut Access, by: &By, new: &NewSuspicion, now: i64) -> Result<()> {
    let sql = "INSERT INTO suspicion (id, edition, document, span_start, span_end, gold, proposed, \
               agree, differ, weight, state, note, judged_by, made_by, made, version) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'open', '', NULL, $12, $11, 1) \
               ON CONFLICT (edition, document, span_start, span_end, gold, proposed) \
               DO UPDATE SET agree = excluded.agree, differ = excluded.differ, \
               weight = excluded.weight";
    let id = new_id()?;
    let args = args![
        &id,
        &new.edition,
        new.document,
        new.start,
        new.end,
        &new.gold,
        &new.proposed,
        &new.agree,
        &new.differ,
        new.weight,
        now,
        &by.person,
    ];
    act.run(sql, args).await?;
    Ok(())
}

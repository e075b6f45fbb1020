//! What is judged: from a plan into rows, and back.

use super::rows::{
    ItemRow, TaskRow, TextRow, as_json, count, json, ordered, place, unordered, word, worded,
};
use super::slots;
use crate::numbers::numbers_within;
use crate::sql::{Access, Arg, Bulk, Columns, Stored, args};
use crate::{Result, Store, StoreError};
use karat_verify::plan::{
    CampaignPlan, CampaignTask, CampaignText, ItemKey, Proposal, TaskPurpose, VerifyItem,
};
use std::collections::BTreeMap;
use std::sync::LazyLock;

static TEXTS: LazyLock<Bulk> = LazyLock::new(|| {
    let head = "INSERT INTO campaign_text (id, campaign, n, document, dataset, span_start, span_end, words)";
    Bulk::new(head, 8, "")
});
static ITEMS: LazyLock<Bulk> = LazyLock::new(|| {
    let head = "INSERT INTO item (id, campaign, n, text, span_start, span_end, link, kind, stratum, \
                probability, weight)";
    Bulk::new(head, 11, "")
});
static PROPOSALS: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new("INSERT INTO proposal (id, campaign, item, source, spelled, confidence)", 6, "")
});
static TASKS: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new("INSERT INTO task (id, campaign, n, text, purpose, priority, shuffle, source)", 8, "")
});
static TASK_ITEMS: LazyLock<Bulk> =
    LazyLock::new(|| Bulk::new("INSERT INTO task_item (task, place, item)", 3, ""));
static KEYS: LazyLock<Bulk> = LazyLock::new(|| {
    let head = "INSERT INTO item_key (item, campaign, actions, links, explanation, origin, state)";
    Bulk::new(head, 7, "")
});

/// The numbers of rows by their places in a plan.
struct Numbered {
    texts: i64,
    items: i64,
}

/// Writes a plan. Main tasks get so many slots each; slots of controls and practice are made when somebody gets them.
pub(super) async fn write(
    act: &mut Access,
    campaign: i64,
    plan: &CampaignPlan,
    judgements: usize,
) -> Result<()> {
    let texts = numbers_within(act, count(plan.texts.len())).await?.start;
    let items = numbers_within(act, count(plan.items.len())).await?.start;
    let first = Numbered { texts, items };
    for text in &plan.tasks {
        let fits =
            text.text < plan.texts.len() && text.items.iter().all(|&at| at < plan.items.len());
        if !fits {
            return Err(StoreError::Unfit(
                "a task names a text or an item that is not there".into(),
            ));
        }
    }
    write_texts(act, campaign, &first, &plan.texts).await?;
    write_items(act, campaign, &first, plan).await?;
    write_proposals(act, campaign, &first, &plan.proposals).await?;
    write_keys(act, campaign, &first, &plan.keys).await?;
    let of_items: Vec<i64> = (0..count(plan.items.len())).map(|at| items + at).collect();
    let of_texts: Vec<i64> = (0..count(plan.texts.len())).map(|at| texts + at).collect();
    let numbers = (&of_texts[..], &of_items[..]);
    write_tasks(act, campaign, numbers, &plan.tasks, judgements).await?;
    Ok(())
}

async fn write_texts(
    act: &mut Access,
    campaign: i64,
    first: &Numbered,
    texts: &[CampaignText],
) -> Result<()> {
    let mut values = Vec::new();
    for (at, text) in texts.iter().enumerate() {
        let (n, start, end) = (count(at), i64::from(text.begin), i64::from(text.end));
        let CampaignText { document, dataset, words, .. } = text;
        values.extend_from_slice(args![
            first.texts + n,
            campaign,
            n,
            document,
            dataset,
            start,
            end,
            words
        ]);
    }
    act.insert(&TEXTS, &values).await
}

async fn write_items(
    act: &mut Access,
    campaign: i64,
    first: &Numbered,
    plan: &CampaignPlan,
) -> Result<()> {
    let words: Vec<(String, String)> = { plan.items.iter() }
        .map(|item| Ok((item.link.to_string(), worded(&item.kind)?)))
        .collect::<Result<_>>()?;
    let mut values: Vec<Arg<'_>> = Vec::new();
    for (at, (item, (link, kind))) in plan.items.iter().zip(&words).enumerate() {
        let (n, start, end) = (count(at), i64::from(item.begin), i64::from(item.end));
        let (id, text) = (first.items + n, first.texts + count(item.text));
        let VerifyItem { stratum, probability, weight, .. } = item;
        values.extend_from_slice(args![
            id,
            campaign,
            n,
            text,
            start,
            end,
            link,
            kind,
            stratum,
            *probability,
            *weight
        ]);
    }
    act.insert(&ITEMS, &values).await
}

async fn write_proposals(
    act: &mut Access,
    campaign: i64,
    first: &Numbered,
    proposals: &[Proposal],
) -> Result<()> {
    let id = numbers_within(act, count(proposals.len())).await?.start;
    let mut values = Vec::new();
    for (at, one) in proposals.iter().enumerate() {
        let item = first.items + count(one.item);
        let Proposal { source, spelled, confidence, .. } = one;
        values.extend_from_slice(args![
            id + count(at),
            campaign,
            item,
            source,
            spelled,
            *confidence
        ]);
    }
    act.insert(&PROPOSALS, &values).await
}

async fn write_keys(
    act: &mut Access,
    campaign: i64,
    first: &Numbered,
    keys: &[ItemKey],
) -> Result<()> {
    let texts: Vec<(String, String)> = { keys.iter() }
        .map(|key| Ok((as_json(&key.actions)?, as_json(&key.links)?)))
        .collect::<Result<_>>()?;
    let mut values: Vec<Arg<'_>> = Vec::new();
    for (key, (actions, links)) in keys.iter().zip(&texts) {
        let item = first.items + count(key.item);
        let state = if key.confirmed { "confirmed" } else { "proposed" };
        let ItemKey { explanation, origin, .. } = key;
        values.extend_from_slice(args![item, campaign, actions, links, explanation, origin, state]);
    }
    act.insert(&KEYS, &values).await
}

/// Writes tasks after those that are there, with their slots, and gives their numbers.
pub(super) async fn write_tasks(
    act: &mut Access,
    campaign: i64,
    (texts, items): (&[i64], &[i64]),
    tasks: &[CampaignTask],
    judgements: usize,
) -> Result<Vec<i64>> {
    let sql = "SELECT COALESCE(MAX(n), -1) + 1 FROM task WHERE campaign = $1";
    let next = act.number(sql, args![campaign]).await?;
    let id = numbers_within(act, count(tasks.len())).await?.start;
    let mut rows: Vec<Arg<'_>> = Vec::new();
    let mut members = Vec::new();
    let purposes: Vec<String> =
        tasks.iter().map(|task| worded(&task.purpose)).collect::<Result<_>>()?;
    for (at, (task, purpose)) in tasks.iter().zip(&purposes).enumerate() {
        let (at, priority, shuffle) = (count(at), i64::from(task.priority), ordered(task.shuffle));
        let text = texts[task.text];
        rows.extend_from_slice(args![
            id + at,
            campaign,
            next + at,
            text,
            purpose,
            priority,
            shuffle,
            &task.source
        ]);
        for (place, item) in task.items.iter().enumerate() {
            members.extend_from_slice(args![id + at, count(place), items[*item]]);
        }
    }
    act.insert(&TASKS, &rows).await?;
    act.insert(&TASK_ITEMS, &members).await?;
    let mut wanted = Vec::new();
    for (at, (task, purpose)) in tasks.iter().zip(&purposes).enumerate() {
        let many = match task.purpose {
            TaskPurpose::Main => judgements,
            TaskPurpose::More => 1,
            TaskPurpose::Control | TaskPurpose::Practice | TaskPurpose::Repeat => 0,
        };
        let priority = i64::from(task.priority);
        let slot = slots::NewSlot {
            campaign,
            task: id + count(at),
            text: texts[task.text],
            purpose,
            place: None,
            priority,
            shuffle: ordered(task.shuffle),
        };
        wanted.extend(std::iter::repeat_n(slot, many));
    }
    slots::add(act, &wanted).await?;
    Ok((0..count(tasks.len())).map(|at| id + at).collect())
}

struct KeyColumns {
    item: i64,
    key: ItemKey,
}

impl Stored for KeyColumns {
    fn read(columns: &mut Columns) -> Result<KeyColumns> {
        Ok(KeyColumns {
            item: columns.take()?,
            key: ItemKey {
                item: 0,
                actions: json(&columns.take::<String>()?, "actions of a key")?,
                links: json(&columns.take::<String>()?, "links of a key")?,
                explanation: columns.take()?,
                origin: columns.take()?,
                confirmed: columns.take::<String>()? == "confirmed",
            },
        })
    }
}

struct ProposalColumns {
    item: i64,
    source: String,
    spelled: Option<String>,
    confidence: Option<f64>,
}

impl Stored for ProposalColumns {
    fn read(columns: &mut Columns) -> Result<ProposalColumns> {
        Ok(ProposalColumns {
            item: columns.take()?,
            source: columns.take()?,
            spelled: columns.take()?,
            confidence: columns.take()?,
        })
    }
}

impl Store {
    /// The texts of a campaign, in order.
    pub async fn campaign_texts(&self, campaign: i64) -> Result<Vec<TextRow>> {
        let sql = "SELECT id, n, document, dataset, span_start, span_end, words \
                   FROM campaign_text WHERE campaign = $1 ORDER BY n";
        self.read().await?.all(sql, args![campaign]).await
    }

    /// The items of a campaign, in order.
    pub async fn campaign_items(&self, campaign: i64) -> Result<Vec<ItemRow>> {
        let sql = "SELECT id, n, text, span_start, span_end, link, kind, stratum, probability, weight \
                   FROM item WHERE campaign = $1 ORDER BY n";
        self.read().await?.all(sql, args![campaign]).await
    }

    /// The plan of a campaign, with the tasks that came to it since. Places in it are the columns `n`; a key that is not
    /// confirmed, or was taken out, is not confirmed.
    pub async fn campaign_plan(&self, campaign: i64) -> Result<CampaignPlan> {
        let mut read = self.read().await?;
        let sql = "SELECT id, n, document, dataset, span_start, span_end, words \
                   FROM campaign_text WHERE campaign = $1 ORDER BY n";
        let texts: Vec<TextRow> = read.all(sql, args![campaign]).await?;
        let sql = "SELECT id, n, text, span_start, span_end, link, kind, stratum, probability, weight \
                   FROM item WHERE campaign = $1 ORDER BY n";
        let items: Vec<ItemRow> = read.all(sql, args![campaign]).await?;
        let sql = "SELECT item, source, spelled, confidence FROM proposal \
                   WHERE campaign = $1 ORDER BY id";
        let proposals: Vec<ProposalColumns> = read.all(sql, args![campaign]).await?;
        let sql = "SELECT item, actions, links, explanation, origin, state FROM item_key \
                   WHERE campaign = $1 ORDER BY item";
        let keys: Vec<KeyColumns> = read.all(sql, args![campaign]).await?;
        let sql = "SELECT id, n, text, purpose, priority, shuffle, source FROM task \
                   WHERE campaign = $1 ORDER BY n";
        let tasks: Vec<TaskRow> = read.all(sql, args![campaign]).await?;
        let sql = "SELECT ti.task, ti.item FROM task_item ti JOIN task t ON t.id = ti.task \
                   WHERE t.campaign = $1 ORDER BY ti.task, ti.place";
        let members: Vec<(i64, i64)> = read.all(sql, args![campaign]).await?;
        let sql = "SELECT left_out FROM campaign WHERE id = $1";
        let left_out: Option<(String,)> = read.one(sql, args![campaign]).await?;
        let (left_out, vanished) = match &left_out {
            Some((text,)) => json(text, "what a campaign leaves out")?,
            None => return Err(StoreError::not_found("campaign", &campaign.to_string())),
        };
        let text_at: BTreeMap<i64, usize> = places(texts.iter().map(|row| row.id));
        let item_at: BTreeMap<i64, usize> = places(items.iter().map(|row| row.id));
        let task_at: BTreeMap<i64, usize> = places(tasks.iter().map(|row| row.id));
        let mut plan = CampaignPlan { left_out, vanished, ..CampaignPlan::default() };
        for row in texts {
            plan.texts.push(CampaignText {
                begin: position(row.start)?,
                end: position(row.end)?,
                document: row.document,
                dataset: row.dataset,
                words: row.words,
            });
        }
        for row in items {
            plan.items.push(VerifyItem {
                text: found(&text_at, row.text)?,
                begin: position(row.start)?,
                end: position(row.end)?,
                link: row.link,
                kind: word(&row.kind, "kind of an item")?,
                stratum: row.stratum,
                probability: row.probability,
                weight: row.weight,
            });
        }
        for row in proposals {
            let item = found(&item_at, row.item)?;
            let ProposalColumns { source, spelled, confidence, .. } = row;
            plan.proposals.push(Proposal { item, source, spelled, confidence });
        }
        for row in keys {
            plan.keys.push(ItemKey { item: found(&item_at, row.item)?, ..row.key });
        }
        for row in tasks {
            plan.tasks.push(CampaignTask {
                text: found(&text_at, row.text)?,
                purpose: word(&row.purpose, "purpose of a task")?,
                priority: position(row.priority)?,
                shuffle: unordered(row.shuffle),
                items: Vec::new(),
                source: row.source,
            });
        }
        for (task, item) in members {
            plan.tasks[found(&task_at, task)?].items.push(found(&item_at, item)?);
        }
        Ok(plan)
    }

    /// Adds tasks to a campaign that runs, such as follow-ups ([`CampaignPlan::follow_ups`]): each with one slot. Items that
    /// meanwhile have another judgement coming are left out, so two who do this at once do it once.
    pub async fn add_follow_ups(&self, campaign: i64, tasks: &[CampaignTask]) -> Result<usize> {
        if tasks.is_empty() {
            return Ok(0);
        }
        let mut act = self.write().await?;
        super::life::locked(&mut act, campaign).await?;
        let sql = "SELECT id FROM campaign_text WHERE campaign = $1 ORDER BY n";
        let texts: Vec<i64> = singles(act.all(sql, args![campaign]).await?);
        let sql = "SELECT id FROM item WHERE campaign = $1 ORDER BY n";
        let items: Vec<i64> = singles(act.all(sql, args![campaign]).await?);
        let sql = "SELECT DISTINCT ti.item FROM slot s JOIN task_item ti ON ti.task = s.task \
                   WHERE s.campaign = $1 AND s.state IN ('open', 'leased') AND s.purpose IN ('main', 'more')";
        let coming: std::collections::BTreeSet<i64> =
            singles(act.all(sql, args![campaign]).await?).into_iter().collect();
        let fits = |task: &&CampaignTask| {
            task.text < texts.len()
                && !task.items.is_empty()
                && task.items.iter().all(|&at| at < items.len() && !coming.contains(&items[at]))
        };
        let tasks: Vec<CampaignTask> = tasks.iter().filter(fits).cloned().collect();
        let made = write_tasks(&mut act, campaign, (&texts, &items), &tasks, 1).await?;
        act.commit().await?;
        Ok(made.len())
    }
}

fn singles(rows: Vec<(i64,)>) -> Vec<i64> {
    rows.into_iter().map(|(one,)| one).collect()
}

fn places(ids: impl Iterator<Item = i64>) -> BTreeMap<i64, usize> {
    ids.enumerate().map(|(at, id)| (id, at)).collect()
}

fn found(places: &BTreeMap<i64, usize>, id: i64) -> Result<usize> {
    places.get(&id).copied().ok_or(StoreError::Malformed("a row that refers to nothing"))
}

fn position(column: i64) -> Result<u32> {
    u32::try_from(place(column)?).map_err(|_| StoreError::Malformed("a position that is too large"))
}

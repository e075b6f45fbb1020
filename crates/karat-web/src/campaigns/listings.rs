//! What organisers look at, as tables: how far campaigns are, who judges, which controls there are.

use super::judged_file;
use karat::campaigns::life::AssignmentState;
use karat::campaigns::quality::controls as quality;
use karat::report::{Cell, Column, Table};
use karat_store::{AssignmentRow, CampaignRow, Store, StoreError};

/// How far campaigns are: the one that is named, or all.
pub async fn campaigns_table(store: &Store, name: Option<&str>) -> Result<Table, StoreError> {
    let rows = match name {
        Some(name) => vec![store.campaign(name).await?],
        None => store.campaigns().await?,
    };
    let slots = ["open", "leased", "done", "void"];
    let judged = ["items", "judged", "judgements", "people", "paid"];
    let counts = slots.into_iter().chain(judged).map(Column::count);
    let mut table = Table::new(["campaign", "state"].map(Column::text).into_iter().chain(counts));
    for row in rows {
        let progress = store.campaign_progress(row.id).await?;
        let slots = progress.slots;
        let slots = [slots.open, slots.leased, slots.done, slots.void];
        let judged = [progress.items, progress.items_judged, progress.judgements];
        let others = [progress.people, progress.paid];
        let numbers = slots.into_iter().chain(judged).chain(others);
        let counts = numbers.map(|number| Cell::Count(u64::try_from(number).unwrap_or(0)));
        let names = [Cell::from(row.name), Cell::from(row.state.name())];
        table.row(names.into_iter().chain(counts));
    }
    Ok(table)
}

/// Who judges in a campaign, by pseudonym.
pub async fn people_table(store: &Store, campaign: &CampaignRow) -> Result<Table, StoreError> {
    let people = store.campaign_workers(campaign.id).await?;
    let assignments = store.campaign_assignments(campaign.id).await?;
    let judged = store.campaign_judgements(campaign.id).await?;
    let counts = ["assignments", "ended", "judgements"].map(Column::count);
    let texts = ["person", "platform", "state"].map(Column::text);
    let mut table = Table::new(texts.into_iter().chain(counts));
    let has_ended = |it: &&AssignmentRow| matches!(it.state, AssignmentState::Ended { .. });
    for one in people {
        let own = || assignments.iter().filter(|it| it.worker == one.id);
        let counted = judged.iter().filter(|it| it.worker == one.id && it.counted).count();
        let state = one.state.word();
        let texts = [Cell::from(one.pseudonym), Cell::from(one.platform), Cell::from(state)];
        let counts = [own().count(), own().filter(has_ended).count(), counted];
        table.row(texts.into_iter().chain(counts.map(|count| Cell::Count(count as u64))));
    }
    Ok(table)
}

/// Somebody of a campaign by pseudonym; nothing if there is nobody.
pub async fn find_worker(
    store: &Store,
    campaign: &CampaignRow,
    pseudonym: &str,
) -> Result<Option<i64>, StoreError> {
    let people = store.campaign_workers(campaign.id).await?;
    Ok(people.iter().find(|one| one.pseudonym == pseudonym).map(|one| one.id))
}

/// The controls of a campaign, each with its place in the text.
pub async fn controls_table(store: &Store, campaign: &CampaignRow) -> Result<Table, StoreError> {
    let keys = store.campaign_keys(campaign.id).await?;
    let items = store.campaign_items(campaign.id).await?;
    let texts = store.campaign_texts(campaign.id).await?;
    let (file, _) = judged_file(store, campaign).await?;
    let judged = quality(&file.plan, &file.judgements);
    let columns = ["item", "state", "kind", "right", "link", "origin"].map(Column::text);
    let counts = ["answers", "right answers"].map(Column::count);
    let ends = ["note", "in the text"].map(Column::text);
    let mut table = Table::new(columns.into_iter().chain(counts).chain(ends));
    for key in keys {
        let item = items.iter().find(|item| item.id == key.item);
        let text = item.and_then(|item| texts.iter().find(|text| text.id == item.text));
        let shown = item.zip(text).map(|(item, text)| {
            marked(&text.words, item.start - text.start, item.end - text.start)
        });
        let right: Vec<&str> = key.actions.iter().map(|action| action.name()).collect();
        let known = judged.iter().find(|one| i64::try_from(one.item) == Ok(key.n));
        let bad = known.filter(|one| one.is_bad).map_or("", |_| "bad control: good people fail it");
        table.row([
            Cell::from(key.item.to_string()),
            Cell::from(key.state.word()),
            Cell::from(key.kind),
            Cell::from(right.join(" or ")),
            Cell::from(item.map(|item| item.link.to_string()).unwrap_or_default()),
            Cell::from(key.origin),
            Cell::from(known.map_or(0, |one| one.answers)),
            Cell::from(known.map_or(0, |one| one.right)),
            Cell::from(bad),
            Cell::from(shown.unwrap_or_default()),
        ]);
    }
    Ok(table)
}

/// Words in brackets, with a little of what stands around them.
fn marked(text: &str, start: i64, end: i64) -> String {
    const AROUND: usize = 30;
    let (start, end) = (usize::try_from(start).unwrap_or(0), usize::try_from(end).unwrap_or(0));
    let part = |from: usize, to: usize| -> String {
        text.chars().skip(from).take(to.saturating_sub(from)).collect()
    };
    let before = part(start.saturating_sub(AROUND), start);
    format!("{before}[{}]{}", part(start, end), part(end, end + AROUND))
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn words_are_marked_by_code_points_with_what_is_around_them() {
        assert_eq!(marked("In Köln, yes", 3, 7), "In [Köln], yes");
        let long = "x".repeat(100);
        assert_eq!(marked(&long, 50, 51).len(), 30 + 3 + 30);
        // Where a text was cut otherwise, nothing is marked and nothing breaks.
        assert_eq!(marked("short", -3, 900), "[short]");
    }
}

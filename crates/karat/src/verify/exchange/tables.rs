//! Tables of a campaign for programs: items, people, decisions.

use super::records::CampaignRecords;
use karat_model::{Span, TextIndex};
use karat_report::{Cell, Column, Table};
use karat_verify::VerifyAction;
use karat_verify::plan::{CampaignText, ItemKind};
use karat_verify::quality::people as quality;

/// The votes on an item: verify, modify, remove, skip.
fn votes(records: &CampaignRecords) -> Vec<[usize; 4]> {
    let mut votes = vec![[0; 4]; records.file.plan.items.len()];
    for one in records.file.judgements.iter().filter(|one| one.counted) {
        if let Some(votes) = votes.get_mut(one.item) {
            votes[one.action.index().unwrap_or(3)] += 1;
        }
    }
    votes
}

/// The words of a mention, where the text has any.
fn words(text: &CampaignText, begin: u32, end: u32) -> Option<String> {
    let within = Span::new(begin.checked_sub(text.begin)?, end.checked_sub(text.begin)?);
    TextIndex::new(&text.words).slice(within).map(str::to_owned)
}

fn text(value: Option<impl ToString>) -> Cell {
    value.map_or(Cell::Missing, |value| Cell::from(value.to_string()))
}

/// Items with votes, chances and outcomes.
pub(super) fn items(records: &CampaignRecords) -> Table {
    let plan = &records.file.plan;
    let texts = ["item", "document"].into_iter().map(Column::text);
    let places = ["begin", "end"].into_iter().map(Column::count);
    let what = ["words", "link", "kind", "stratum"].into_iter().map(Column::text);
    let drawn = ["probability", "weight"].into_iter().map(Column::exact);
    let sources = std::iter::once(Column::text("sources"));
    let counts = ["verify", "modify", "remove", "skip"].into_iter().map(Column::count);
    let chances = ["p_verify", "p_modify", "p_remove"].into_iter().map(Column::exact);
    let ends = ["outcome", "new_link", "by"].into_iter().map(Column::text);
    let columns = texts.chain(places).chain(what).chain(drawn).chain(sources);
    let mut table = Table::new(columns.chain(counts).chain(chances).chain(ends));
    let (votes, found) = (votes(records), records.outcomes());
    let mut sources: Vec<Vec<&str>> = vec![Vec::new(); plan.items.len()];
    for one in &plan.proposals {
        sources[one.item].push(&one.source);
    }
    for (at, item) in plan.items.iter().enumerate() {
        let place = &plan.texts[item.text];
        let outcome = found.items.get(at).filter(|_| item.kind == ItemKind::Real);
        let name = records.file.names.get(at).cloned().unwrap_or_else(|| at.to_string());
        let is_modified = outcome.is_some_and(|one| one.action == Some(VerifyAction::Modify));
        let link = outcome.and_then(|one| one.links.first()).filter(|_| is_modified);
        let by = outcome.and_then(|one| {
            let decided = one.is_decided.then_some("decision");
            decided.or(one.action.map(|_| found.model.as_str()))
        });
        let mut row = vec![
            Cell::from(name),
            Cell::from(place.document.as_str()),
            Cell::from(item.begin as usize),
            Cell::from(item.end as usize),
            text(words(place, item.begin, item.end)),
            Cell::from(item.link.to_string()),
            Cell::from(item.kind.name()),
            Cell::from(item.stratum.as_str()),
            Cell::from(item.probability),
            Cell::from(item.weight),
            Cell::from(sources[at].join("|")),
        ];
        row.extend(votes[at].map(Cell::from));
        let chances = outcome.and_then(|one| one.chances).map(|chances| chances.map(Cell::from));
        row.extend(chances.unwrap_or([Cell::Missing, Cell::Missing, Cell::Missing]));
        row.push(text(outcome.and_then(|one| one.action)));
        row.push(text(link.map(|(link, _)| link)));
        row.push(text(by));
        table.row(row);
    }
    table
}

/// People by pseudonym.
pub(super) fn people(records: &CampaignRecords) -> Table {
    let texts = ["person", "platform", "state", "device", "consent"].into_iter().map(Column::text);
    let counts = ["judgements", "controls", "controls_right"].into_iter().map(Column::count);
    let numbers = ["accuracy", "weight", "verify", "modify", "remove", "median_ms"];
    let numbers = numbers.into_iter().map(Column::exact);
    let ends = ["longest_run"].into_iter().map(Column::count);
    let flags = std::iter::once(Column::text("flags"));
    let mut table = Table::new(texts.chain(counts).chain(numbers).chain(ends).chain(flags));
    let plan = &records.file.plan;
    let known = quality(plan, &records.file.judgements, &records.outcomes());
    let unseen = |name: &str| !known.iter().any(|one| one.person == name);
    for one in &known {
        let person = records.people.iter().find(|person| person.pseudonym == one.person);
        let of = |get: fn(&super::PersonRecord) -> &String| text(person.map(get));
        let flags: Vec<&str> = one.flags.iter().map(|flag| flag.words()).collect();
        let mut row = vec![
            Cell::from(one.person.as_str()),
            of(|person| &person.platform),
            of(|person| &person.state),
            of(|person| &person.device),
            text(person.and_then(|person| person.consent)),
            Cell::from(one.judgements),
            Cell::from(one.controls),
            Cell::from(one.controls_right),
            one.accuracy.into(),
            one.weight.into(),
        ];
        row.extend(one.shares.map(Cell::from));
        row.push(one.median_ms.into());
        row.push(Cell::from(one.longest_run));
        row.push(Cell::from(flags.join(", ")));
        table.row(row);
    }
    for person in records.people.iter().filter(|person| unseen(&person.pseudonym)) {
        let mut row = vec![
            Cell::from(person.pseudonym.as_str()),
            Cell::from(person.platform.as_str()),
            Cell::from(person.state.as_str()),
            Cell::from(person.device.as_str()),
            text(person.consent),
        ];
        row.extend([0_usize; 3].map(Cell::from));
        // Nothing was measured: six numbers, and then the run and the flags.
        row.extend(std::iter::repeat_n(Cell::Missing, 6));
        row.extend([Cell::from(0_usize), Cell::from("")]);
        table.row(row);
    }
    table
}

/// Decisions with their history.
pub(super) fn decisions(records: &CampaignRecords) -> Table {
    let columns =
        ["decision", "item", "who", "action", "link", "reason", "supersedes", "at", "note"];
    let mut table = Table::new(columns.map(Column::text));
    for one in &records.decisions {
        let name = records.file.names.get(one.item).cloned();
        table.row([
            Cell::from(one.id.to_string()),
            Cell::from(name.unwrap_or_else(|| one.item.to_string())),
            Cell::from(one.who.as_str()),
            text(one.action),
            text(one.link.as_ref()),
            Cell::from(one.reason.as_str()),
            text(one.supersedes),
            Cell::from(one.at.to_string()),
            Cell::from(one.note.as_str()),
        ]);
    }
    table
}

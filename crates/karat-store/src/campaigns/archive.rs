//! A campaign as one file, to be taken to another database.
//!
//! The file has a JSON object on each line: first the campaign, then the rows of its tables, each with the name of its table.
//! Ids in it are places in one list of all ids, so that a campaign that was taken elsewhere and back is the same file. What is
//! left out is what must not travel: ids and codes of platforms, accounts of those who judge, the settings of platforms (which have
//! secrets), and the tokens of leases. Who decided stands in it by login, and notes are part of it only where they are wanted. A task that somebody holds is open in the file, because nobody could come back to it; receipts stay behind.

mod tables;

use self::tables::{Kind, TABLES, Table};
use super::life::{by_id, object};
use super::rows::{CampaignRow, as_json, count, json};
use crate::audit::{self, By};
use crate::ids::{checked_name, new_secret, sha256};
use crate::sql::{Arg, Cells, args};
use crate::{Result, Store, StoreError};
use karat_verify::CampaignSettings;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The version of the file.
const VERSION: i64 = 1;

/// A row of a file: the table, and its values by column.
struct Row {
    table: &'static Table,
    values: Vec<Value>,
}

impl Store {
    /// A campaign as a file. Notes, which may be personal, are part of it only where they are wanted.
    pub async fn campaign_archive(&self, campaign: i64, notes: bool) -> Result<String> {
        let mut read = self.read().await?;
        let mut rows = Vec::new();
        for table in TABLES {
            let found: Vec<Cells> = read.all(table.select(), args![campaign]).await?;
            for cells in found {
                rows.push(Row { table, values: table.values(cells, notes)? });
            }
        }
        if rows.first().is_none_or(|row| row.table.name != "campaign") {
            return Err(StoreError::not_found("campaign", &campaign.to_string()));
        }
        settled(&mut rows[0])?;
        let names = Names::of(&rows);
        let mut text = String::new();
        for row in &mut rows {
            let table = row.table;
            names.apply(row, &BTreeMap::new())?;
            let mut line = Map::new();
            line.insert("table".to_owned(), Value::from(table.name));
            if table.name == "campaign" {
                line.insert("karat-campaign".to_owned(), Value::from(VERSION));
            }
            let written = table.columns.iter().zip(std::mem::take(&mut row.values));
            line.extend(
                written
                    .filter(|(_, value)| !value.is_null())
                    .map(|((name, _), value)| ((*name).to_owned(), value)),
            );
            let _ = writeln!(text, "{}", Value::Object(line));
        }
        Ok(text)
    }

    /// Makes a campaign of a file. It gets the name in the file if no other is given.
    pub async fn import_campaign(
        &self,
        by: &By,
        file: &str,
        name: Option<&str>,
    ) -> Result<CampaignRow> {
        let mut rows = read_rows(file)?;
        let header = &mut rows[0];
        if let (Some(name), Some(at)) = (name, header.table.place("name")) {
            header.values[at] = Value::from(name);
        }
        let at = header.table.place("name").unwrap_or(0);
        let name = header.values[at].as_str().unwrap_or_default().to_owned();
        checked_name(&name)?;
        let names = Names::of(&rows);
        let own = rows[0].values.first().and_then(Value::as_i64).unwrap_or_default();
        let own = names.ids.get(&own).copied().unwrap_or_default();
        let mut act = self.write().await?;
        let first = crate::numbers::numbers_within(&mut act, count(names.ids.len())).await?.start;
        let mut tokens = BTreeMap::new();
        for token in names.tokens.values() {
            tokens.insert(token.clone(), new_secret()?);
        }
        let numbered = Names { first, ..names };
        for table in TABLES {
            let mut values: Vec<Vec<Value>> = Vec::new();
            for row in rows.iter_mut().filter(|row| row.table.name == table.name) {
                numbered.apply(row, &tokens)?;
                values.push(std::mem::take(&mut row.values));
            }
            let mut flat: Vec<Arg<'_>> = Vec::new();
            for row in &values {
                for ((column, kind), value) in table.columns.iter().zip(row) {
                    flat.push(kind.arg(value).ok_or_else(|| wrong_value(table, column))?);
                }
            }
            act.insert(table.insert(), &flat).await.map_err(|error| match table.name {
                "campaign" => error.named("campaign", &name),
                _ => unfit(error),
            })?;
        }
        let row = by_id(&mut act, first + own).await?;
        let detail = serde_json::json!({ "digest": sha256(file.as_bytes()), "name": row.name });
        let now = self.now();
        audit::append(&mut act, by, "campaign.import", &object(row.id), &detail.to_string(), now)
            .await?;
        act.commit().await?;
        Ok(row)
    }
}

/// What a database says of rows that contradict each other.
fn unfit(error: StoreError) -> StoreError {
    match error {
        StoreError::Database(error) => {
            StoreError::Unfit(format!("the rows of the file contradict each other: {error}"))
        }
        other => other,
    }
}

fn wrong_value(table: &Table, column: &str) -> StoreError {
    StoreError::Unfit(format!("a row of `{}` has a wrong value for `{column}`", table.name))
}

/// Settings of platforms have secrets and codes.
fn settled(campaign: &mut Row) -> Result<()> {
    let at = campaign.table.place("settings").ok_or(StoreError::Malformed("no settings"))?;
    let text = campaign.values[at].as_str().unwrap_or_default();
    let mut settings: CampaignSettings = json(text, "settings of a campaign")?;
    settings.platforms.clear();
    campaign.values[at] = Value::from(as_json(&settings)?);
    Ok(())
}

/// Ids and tokens of rows, and what they are called in a file or in a database.
struct Names {
    /// Places in the list of all ids.
    ids: BTreeMap<i64, i64>,
    /// The number of the first id.
    first: i64,
    tokens: BTreeMap<String, String>,
}

impl Names {
    fn of(rows: &[Row]) -> Names {
        let mut ids = BTreeSet::new();
        let mut leases = Vec::new();
        for row in rows {
            for ((_, kind), value) in row.table.columns.iter().zip(&row.values) {
                if let (Kind::Id, Some(id)) = (kind, value.as_i64()) {
                    ids.insert(id);
                }
            }
            if row.table.name == "lease" {
                let of = |column| row.table.place(column).map(|at| &row.values[at]);
                let number = |column| of(column).and_then(Value::as_i64).unwrap_or_default();
                let token = of("token").and_then(Value::as_str).unwrap_or_default();
                let key = ["slot", "worker", "given", "n"].map(number);
                leases.push((key, token.to_owned()));
            }
        }
        leases.sort();
        let token = |(at, (_, token)): (usize, ([i64; 4], String))| (token, format!("t{}", at + 1));
        Names {
            ids: ids.into_iter().enumerate().map(|(at, id)| (id, count(at))).collect(),
            first: 1,
            tokens: leases.into_iter().enumerate().map(token).collect(),
        }
    }

    /// Renames what a row refers to. Tokens get other names still, where some are given.
    fn apply(&self, row: &mut Row, tokens: &BTreeMap<String, String>) -> Result<()> {
        let table = row.table;
        for ((column, kind), value) in table.columns.iter().zip(&mut row.values) {
            let nowhere = || {
                StoreError::Unfit(format!(
                    "a row of `{}` refers to nothing: `{column}`",
                    table.name
                ))
            };
            match kind {
                Kind::Id | Kind::Ref | Kind::MaybeRef => {
                    if let Some(id) = value.as_i64() {
                        let at = self.ids.get(&id).ok_or_else(nowhere)?;
                        *value = Value::from(self.first + at);
                    }
                }
                Kind::Token | Kind::MaybeToken => {
                    if let Some(token) = value.as_str() {
                        let name = self.tokens.get(token).ok_or_else(nowhere)?;
                        *value = Value::from(tokens.get(name).unwrap_or(name).as_str());
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The rows of a file, the campaign first.
fn read_rows(file: &str) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (at, line) in file.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |why: String| StoreError::Unfit(format!("line {}: {why}", at + 1));
        let value: Map<String, Value> =
            serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?;
        let name = value.get("table").and_then(Value::as_str).unwrap_or_default();
        let table = TABLES.iter().find(|table| table.name == name);
        let table = table.ok_or_else(|| wrong(format!("there is no table `{name}`")))?;
        let is_first = rows.is_empty();
        if is_first != (table.name == "campaign") {
            return Err(wrong("a file has one campaign, which stands first".to_owned()));
        }
        if is_first && value.get("karat-campaign").and_then(Value::as_i64) != Some(VERSION) {
            return Err(wrong(format!("`karat-campaign` is not {VERSION}")));
        }
        let mut values = Vec::new();
        for (column, kind) in table.columns {
            let cell = value.get(*column).cloned().unwrap_or(Value::Null);
            if !kind.fits(&cell) {
                return Err(wrong(format!("`{column}` of `{name}` is {cell}")));
            }
            values.push(cell);
        }
        rows.push(Row { table, values });
    }
    match rows.is_empty() {
        true => Err(StoreError::Unfit("there is no campaign in the file".into())),
        false => Ok(rows),
    }
}

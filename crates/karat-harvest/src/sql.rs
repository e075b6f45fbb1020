//! Dumps of Wikipedia's tables `page`, `redirect` and `page_props`, as mysqldump writes them.
//!
//! Redirects and items name pages by number, so they need the pages too.

mod values;

use crate::Options;
use crate::error::HarvestError;
use crate::lines::Lines;
use karat_formats::{Kind, Problem, Source};
use karat_kb::Builder;
use values::{Value, Values};

/// The tables that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SqlTable {
    /// Numbers and titles of pages.
    Page,
    /// Where pages that are redirects lead.
    Redirect,
    /// Facts about pages; the items of Wikidata are taken.
    PageProperties,
}

impl SqlTable {
    const ALL: [SqlTable; 3] = [SqlTable::Page, SqlTable::Redirect, SqlTable::PageProperties];

    fn name(self) -> &'static str {
        match self {
            SqlTable::Page => "page",
            SqlTable::Redirect => "redirect",
            SqlTable::PageProperties => "page_props",
        }
    }

    /// The columns that are needed, and where they are if the dump does not say.
    fn columns(self) -> &'static [(&'static str, usize)] {
        match self {
            SqlTable::Page => &[("page_id", 0), ("page_namespace", 1), ("page_title", 2)],
            SqlTable::Redirect => {
                &[("rd_from", 0), ("rd_namespace", 1), ("rd_title", 2), ("rd_interwiki", 3)]
            }
            SqlTable::PageProperties => &[("pp_page", 0), ("pp_propname", 1), ("pp_value", 2)],
        }
    }
}

/// The table that a dump holds, by its first lines.
pub(crate) fn table_of(head: &str) -> Option<SqlTable> {
    let named = |table: &SqlTable| {
        let name = table.name();
        ["CREATE TABLE", "INSERT INTO", "DROP TABLE IF EXISTS"]
            .iter()
            .any(|verb| head.contains(&format!("{verb} `{name}`")))
    };
    SqlTable::ALL.into_iter().find(named)
}

pub(crate) fn harvest(
    source: &Source,
    table: SqlTable,
    builder: &mut Builder,
    options: &Options,
) -> Result<u64, HarvestError> {
    let mut lines = Lines::open(source, options.progress())?;
    let mut places: Vec<usize> = table.columns().iter().map(|(_, place)| *place).collect();
    let (mut column, mut inside, mut records) = (0, false, 0);
    let start = format!("INSERT INTO `{}`", table.name());
    while let Some((number, line)) = lines.next_bytes()? {
        let bad = |at: usize| {
            let message =
                format!("line {number}, byte {}: expected rows as `(1,0,'Title'),`", at + 1);
            Problem::new(Kind::Malformed, source.name(), message)
                .hint("this is no dump of mysqldump, or it is damaged")
        };
        let rest = match line.strip_prefix(start.as_bytes()) {
            Some(rest) => {
                values_of(rest, table, &mut places).ok_or_else(|| bad(line.len() - rest.len()))?
            }
            None if inside => line,
            None => {
                note_column(line, table, &mut column, &mut places);
                continue;
            }
        };
        let mut values = Values::new(rest);
        while let Some(row) = values.row().map_err(|at| bad(line.len() - rest.len() + at))? {
            let cell = |at: usize| places.get(at).and_then(|&place| row.get(place));
            records += u64::from(take(table, cell, builder)?);
        }
        inside = !values.ended();
    }
    Ok(records)
}

/// What stands behind `VALUES`. Columns may be named before it, in an order of their own.
fn values_of<'l>(rest: &'l [u8], table: SqlTable, places: &mut [usize]) -> Option<&'l [u8]> {
    let rest = rest.trim_ascii_start();
    let rest = match rest.strip_prefix(b"(") {
        None => rest,
        Some(list) => {
            let end = list.iter().position(|&byte| byte == b')')?;
            let names = std::str::from_utf8(&list[..end]).ok()?;
            let names: Vec<&str> =
                names.split(',').map(|name| name.trim().trim_matches('`')).collect();
            for (place, (wanted, _)) in places.iter_mut().zip(table.columns()) {
                *place = names.iter().position(|name| name == wanted)?;
            }
            list[end + 1..].trim_ascii_start()
        }
    };
    rest.strip_prefix(b"VALUES")
}

/// Notes where a column is, from the lines of `CREATE TABLE`.
fn note_column(line: &[u8], table: SqlTable, column: &mut usize, places: &mut [usize]) {
    let line = String::from_utf8_lossy(line);
    if line.starts_with("CREATE TABLE") {
        *column = 0;
        return;
    }
    let Some((name, _)) = line.trim_start().strip_prefix('`').and_then(|rest| rest.split_once('`'))
    else {
        return;
    };
    if let Some(at) = table.columns().iter().position(|(wanted, _)| *wanted == name) {
        places[at] = *column;
    }
    *column += 1;
}

/// Takes a row, if it is about an article.
fn take<'v>(
    table: SqlTable,
    cell: impl Fn(usize) -> Option<&'v Value>,
    builder: &mut Builder,
) -> Result<bool, HarvestError> {
    let number = |at| cell(at).and_then(Value::number);
    let text = |at| cell(at).and_then(Value::text);
    let Some(page) = number(0) else { return Ok(false) };
    match table {
        SqlTable::Page => match (number(1), text(2)) {
            (Some(0), Some(title)) => builder.page(page, &title)?,
            _ => return Ok(false),
        },
        // A redirect to another wiki leads nowhere here.
        SqlTable::Redirect => match (number(1), text(2), text(3)) {
            (Some(0), Some(target), None) => builder.page_redirect(page, &target)?,
            _ => return Ok(false),
        },
        SqlTable::PageProperties => match (text(1).as_deref(), text(2)) {
            (Some("wikibase_item"), Some(item)) => builder.page_item(page, &item)?,
            _ => return Ok(false),
        },
    }
    Ok(true)
}

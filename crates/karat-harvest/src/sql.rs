//! Dumps of tables of a wiki, as mysqldump writes them.

mod values;

use crate::error::HarvestError;
use crate::lines::SourceLines;
use crate::registry::has;
use crate::{Harvested, Options, Taken};
use karat_formats::{Kind, Problem, Sample, Source};
use std::borrow::Cow;
use values::{Value, Values};

/// A table of a wiki.
#[derive(Debug)]
pub(crate) struct SqlTable {
    /// What it is called in the dump.
    pub(crate) name: &'static str,
    /// The columns that are needed, and where they are if the dump does not say.
    pub(crate) columns: &'static [(&'static str, usize)],
}

/// The cells of a row, in the order of the columns of its table.
pub(crate) struct SqlRow<'v> {
    values: &'v [Value],
    places: &'v [usize],
}

impl SqlRow<'_> {
    pub(crate) fn number(&self, column: usize) -> Option<u64> {
        self.cell(column).and_then(Value::number)
    }

    pub(crate) fn text(&self, column: usize) -> Option<Cow<'_, str>> {
        self.cell(column).and_then(Value::text)
    }

    fn cell(&self, column: usize) -> Option<&Value> {
        self.places.get(column).and_then(|&place| self.values.get(place))
    }
}

impl SqlTable {
    /// How sure one may be that a file is a dump of this table.
    pub(crate) fn detect(&self, sample: &Sample<'_>) -> u8 {
        let says = |verb: &&str| sample.text.contains(&format!("{verb} `{}`", self.name));
        let verbs = ["CREATE TABLE", "INSERT INTO", "DROP TABLE IF EXISTS"];
        if verbs.iter().any(says) { 90 } else { 0 }
    }

    /// Gives each row to `take`, which says whether it was about an article.
    pub(crate) fn read(
        &self,
        source: &Source,
        options: &Options,
        mut take: impl FnMut(&SqlRow<'_>) -> Result<bool, HarvestError>,
    ) -> Result<Taken, HarvestError> {
        let mut lines = SourceLines::open(source, options.progress())?;
        // The usual places of columns, in case the dump was cut and its `CREATE TABLE` is missing.
        let mut places: Vec<usize> = self.columns.iter().map(|(_, place)| *place).collect();
        let (mut column, mut inside, mut records) = (0, false, 0);
        let start = format!("INSERT INTO `{}`", self.name);
        while let Some((number, line)) = lines.next_bytes()? {
            let bad = |at: usize| {
                let message =
                    format!("line {number}, byte {}: expected rows as `(1,0,'Title'),`", at + 1);
                Problem::new(Kind::Malformed, source.name(), message)
                    .hint("this is no dump of mysqldump, or it is damaged")
            };
            let rest = match line.strip_prefix(start.as_bytes()) {
                Some(rest) => values_of(rest, self, &mut places)
                    .ok_or_else(|| bad(line.len() - rest.len()))?,
                // Rows of one statement may be spread over several lines.
                None if inside => line,
                None => {
                    note_column(line, self, &mut column, &mut places);
                    continue;
                }
            };
            let mut values = Values::new(rest);
            while let Some(row) = values.row().map_err(|at| bad(line.len() - rest.len() + at))? {
                records += u64::from(take(&SqlRow { values: &row, places: &places })?);
            }
            inside = !values.ended();
        }
        Ok(Taken::of(records))
    }
}

/// Redirects and items name pages by number; without the titles of these they say nothing.
pub(crate) fn needs_pages(name: &str, harvested: &[Harvested]) -> Result<(), HarvestError> {
    let by_number = harvested.iter().find(|one| one.is_of(name));
    match by_number.filter(|_| !has(harvested, PAGES)) {
        None => Ok(()),
        Some(one) => {
            let message = "this dump names pages by number, and no input has their titles";
            Err(Problem::new(Kind::Format, &one.source, message)
                .hint(
                    "give the dump of the table `page` of the same wiki too, as enwiki-page.sql.gz",
                )
                .into())
        }
    }
}

/// The source that has the titles of pages.
pub(crate) const PAGES: &str = "wikipedia-pages";

/// What stands behind `VALUES`. Columns may be named before it, in an order of their own.
fn values_of<'l>(rest: &'l [u8], table: &SqlTable, places: &mut [usize]) -> Option<&'l [u8]> {
    let rest = rest.trim_ascii_start();
    let rest = match rest.strip_prefix(b"(") {
        None => rest,
        Some(list) => {
            // Names of columns have no brackets, so that the first one ends the list.
            let end = list.iter().position(|&byte| byte == b')')?;
            let names = std::str::from_utf8(&list[..end]).ok()?;
            let names: Vec<&str> =
                names.split(',').map(|name| name.trim().trim_matches('`')).collect();
            for (place, (wanted, _)) in places.iter_mut().zip(table.columns) {
                *place = names.iter().position(|name| name == wanted)?;
            }
            list[end + 1..].trim_ascii_start()
        }
    };
    rest.strip_prefix(b"VALUES")
}

/// Notes where a column is, from the lines of `CREATE TABLE`.
fn note_column(line: &[u8], table: &SqlTable, column: &mut usize, places: &mut [usize]) {
    // Lossy, as titles in dumps may be any bytes; names of columns are ASCII.
    let line = String::from_utf8_lossy(line);
    if line.starts_with("CREATE TABLE") {
        *column = 0;
        return;
    }
    let Some((name, _)) = line.trim_start().strip_prefix('`').and_then(|rest| rest.split_once('`'))
    else {
        return;
    };
    if let Some(at) = table.columns.iter().position(|(wanted, _)| *wanted == name) {
        places[at] = *column;
    }
    *column += 1;
}

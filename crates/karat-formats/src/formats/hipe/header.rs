//! Which column is what: from the header line, from the custom where there is none, and from what the user says.

use super::cells::Tag;
use super::{COARSE, COLUMNS, FINE, LINK, METONYMIC_LINK, MISC, NOTHING, TOKEN};
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use std::collections::BTreeMap;

/// The cells of a row in the order of [`COLUMNS`].
pub(super) type Cells<'t> = [&'t str; COLUMNS.len()];

/// Where in a row each column is.
pub(super) struct Header {
    positions: [Option<usize>; COLUMNS.len()],
    width: usize,
    /// Whether rows of another width were noted: one note tells of all of them.
    noted: bool,
}

/// The names by which the user says which column marks mentions and which has their links.
const MARKS: &str = "type";
const LINKS: &str = "link";

impl Header {
    /// The header of a file, and its rows. A file that begins with a row has the columns of the custom.
    pub(super) fn of<'f>(
        text: &'f Text<'_>,
        reading: &mut Reading<'_>,
    ) -> Result<(Header, &'f str), Problem> {
        let all = text.as_str();
        let first = all.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let mut header = if has_header(first) {
            Header::parse(text, first)?
        } else if all.lines().any(is_row) {
            let message = "no header line; the columns are taken to be the usual ten";
            reading.repaired(text.problem_at(Kind::Malformed, first, message));
            Header::usual()
        } else {
            let message = format!("expected the header `{}`", COLUMNS.join("  "));
            return Err(text
                .problem_at(Kind::Malformed, first, message)
                .hint("the first line names the columns, separated by tabs"));
        };
        let columns = &reading.options.columns;
        if names_columns(columns) {
            header.choose(text, first, columns)?;
            reading.findings.remarks.used.columns = true;
        }
        let rows = if has_header(first) { text.offset_of(first) + first.len() } else { 0 };
        Ok((header, &all[rows..]))
    }

    fn usual() -> Header {
        let width = COLUMNS.len();
        Header { positions: std::array::from_fn(Some), width, noted: false }
    }

    fn parse(text: &Text<'_>, line: &str) -> Result<Header, Problem> {
        let names: Vec<&str> = line.split('\t').map(str::trim).collect();
        let positions = COLUMNS.map(|column| names.iter().position(|&name| name == column));
        if positions[COARSE].or(positions[FINE]).or(positions[LINK]).is_none() {
            let message = "the header names no column with types or links";
            return Err(text
                .problem_at(Kind::Malformed, line, message)
                .hint("mentions are in `NE-COARSE-LIT`, `NE-FINE-LIT` or `NEL-LIT`"));
        }
        Ok(Header { positions, width: names.len(), noted: false })
    }

    /// Other columns take the places of the coarse literal type and the literal link.
    fn choose(
        &mut self,
        text: &Text<'_>,
        line: &str,
        columns: &BTreeMap<String, String>,
    ) -> Result<(), Problem> {
        for (field, place) in [(MARKS, COARSE), (LINKS, LINK)] {
            let Some(name) = columns.get(field) else { continue };
            let chosen = COLUMNS.iter().position(|column| column == name);
            let position = chosen.and_then(|column| self.positions[column]);
            let (Some(chosen), Some(position)) = (chosen, position) else {
                let message = format!("no column `{name}`");
                let hint = format!("the columns are {}", COLUMNS[COARSE..MISC].join(", "));
                return Err(text.problem_at(Kind::Malformed, line, message).hint(hint));
            };
            if chosen != place {
                self.positions[place] = Some(position);
                self.positions[chosen] = None;
            }
            if place == COARSE {
                // The fine column marks nothing where another was asked for.
                self.positions[FINE] = None;
            }
            if place == LINK {
                self.positions[METONYMIC_LINK] = None;
            }
        }
        Ok(())
    }

    /// The cells of a row. Rows often lack MISC, the last column, or have empty cells behind it; both are mended.
    pub(super) fn cells<'t>(
        &mut self,
        text: &Text<'_>,
        line: &'t str,
        reading: &mut Reading<'_>,
    ) -> Result<Cells<'t>, Problem> {
        let mut fields: Vec<&str> = line.split('\t').collect();
        let found = fields.len();
        if found > self.width && fields[self.width..].iter().all(|field| field.trim().is_empty()) {
            fields.truncate(self.width);
        }
        if found + 1 == self.width && self.positions[MISC] == Some(found) && found > LINK {
            fields.push(NOTHING);
        }
        if fields.len() != self.width || fields[TOKEN].is_empty() {
            let message = format!(
                "expected a token and {} columns, found {}",
                self.width.saturating_sub(1),
                found.saturating_sub(1)
            );
            return Err(text
                .problem_at(Kind::Malformed, line, message)
                .hint("every row has the columns of the header; what is not known is `_`"));
        }
        if found != self.width && !std::mem::replace(&mut self.noted, true) {
            let what = if found < self.width { "no MISC" } else { "empty columns at the end" };
            let message =
                format!("rows from here on have {what}; they are read as if they had it as `_`");
            reading.repaired(text.problem_at(Kind::Malformed, line, message));
        }
        Ok(self.arranged(&fields))
    }

    /// The cells of a row that has all columns.
    pub(super) fn whole<'t>(&self, line: &'t str) -> Option<Cells<'t>> {
        let fields: Vec<&str> = line.split('\t').collect();
        (fields.len() == self.width).then(|| self.arranged(&fields))
    }

    /// A data set without a column is read as if every cell of it said "nothing".
    fn arranged<'t>(&self, fields: &[&'t str]) -> Cells<'t> {
        self.positions.map(|at| at.and_then(|at| fields.get(at).copied()).unwrap_or(NOTHING))
    }
}

/// Whether the user says which column is what in words that a file of this format knows.
pub(super) fn names_columns(columns: &BTreeMap<String, String>) -> bool {
    let known = |field: &String| [MARKS, LINKS].contains(&field.as_str());
    !columns.is_empty()
        && columns.keys().all(known)
        && columns.values().all(|name| COLUMNS.contains(&name.as_str()))
}

/// Whether a line is a header.
pub(super) fn has_header(line: &str) -> bool {
    let mut columns = line.trim_end().split('\t');
    columns.next() == Some(COLUMNS[TOKEN])
        && columns.any(|column| column.starts_with("NE-") || column.starts_with("NEL-"))
}

/// Whether a line is a row with the usual ten columns, or all but the last: five tags or more, then two links.
pub(super) fn is_row(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').collect();
    let is_tag = |&field: &&str| {
        matches!(field, "O" | "_" | "-")
            || (field.get(1..2) == Some("-") && Tag::parse(field).is_some())
    };
    matches!(fields.len(), 9 | 10)
        && !fields[TOKEN].is_empty()
        && fields[COARSE..LINK].iter().all(is_tag)
        && !fields[LINK].contains(' ')
}

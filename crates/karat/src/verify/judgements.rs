//! Judgements in files: one row each, as CSV, TSV or JSON lines.
//!
//! A row names the item with everything that is known of it, so that a file is whole in itself. A row without an action is
//! an item that nobody has judged yet.

use karat_formats::table::{DelimitedRecord, for_each_record};
use karat_formats::{Kind, Problem, Source};
use karat_verify::plan::{CampaignPlan, CampaignText, ItemKey, ItemKind, Proposal, VerifyItem};
use karat_verify::{ItemJudgement, LinkTarget, VerifyAction};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;

/// A campaign as a file has it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JudgementFile {
    /// Items and who proposed them; texts have no words.
    pub plan: CampaignPlan,
    /// The judgements, in the order of the file.
    pub judgements: Vec<ItemJudgement>,
    /// What the file calls each item.
    pub names: Vec<String>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JudgementRow {
    /// What the item is called; items without a name are told apart by what they say.
    pub item: String,
    /// The benchmark of the document.
    pub dataset: String,
    /// The document.
    pub document: String,
    /// The text that the item was shown in.
    pub text: String,
    /// Where the mention begins, in code points.
    pub begin: u32,
    /// Where it ends.
    pub end: u32,
    /// The link that was judged; `NIL` for none.
    pub link: String,
    /// Who proposed it, joined by `|`.
    pub sources: String,
    /// `real`, `control`, `repeat` or `practice`; empty is real.
    pub kind: String,
    /// Right actions of a control, joined by `|`.
    pub accepts: String,
    /// Right entities of a control, joined by `|`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub accepts_links: String,
    /// 1 for a control that was taken out: it tells nothing about people.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub withdrawn: String,
    /// For how many items it stands; empty is 1.
    pub weight: String,
    /// The chance with which it was drawn; empty is 1 over the weight.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub probability: String,
    /// The stratum that it was drawn from.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub stratum: String,
    /// Who judged, by pseudonym.
    pub worker: String,
    /// `verify`, `modify`, `remove` or `skip`; empty if nobody has judged it.
    pub action: String,
    /// The link that a modification names.
    pub new_link: String,
    /// 0 for an answer that does not count; empty counts.
    pub counted: String,
    /// How long it took, in milliseconds.
    pub active_ms: String,
    /// Why: `wrong-entity`, `too-general`, `too-specific`, `not-an-entity` or `bad-span`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// How sure, from 1 to 3.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub confidence: String,
    /// Where the mention should begin.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub new_begin: String,
    /// Where it should end.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub new_end: String,
    /// How long it was in view, in milliseconds.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub total_ms: String,
    /// How often the answer was changed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub changes: String,
    /// How often entities were searched for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub searches: String,
    /// When it came, in milliseconds since 1970.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// A note. It may be personal.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A cell that should be an offset.
#[derive(Debug, thiserror::Error)]
#[error("`{0}` is no offset")]
struct NoOffset(String);

/// A column of a table: its name, how it is read, how it is written.
struct RowColumn {
    name: &'static str,
    put: fn(&mut JudgementRow, &str) -> Result<(), NoOffset>,
    get: fn(&JudgementRow) -> String,
}

macro_rules! text_column {
    ($field:ident) => {
        RowColumn {
            name: stringify!($field),
            put: |row, cell| {
                cell.clone_into(&mut row.$field);
                Ok(())
            },
            get: |row| row.$field.clone(),
        }
    };
}

macro_rules! offset_column {
    ($field:ident) => {
        RowColumn {
            name: stringify!($field),
            put: |row, cell| {
                row.$field = cell.parse().map_err(|_| NoOffset(cell.to_owned()))?;
                Ok(())
            },
            get: |row| row.$field.to_string(),
        }
    };
}

static COLUMNS: &[RowColumn] = &[
    text_column!(item),
    text_column!(dataset),
    text_column!(document),
    text_column!(text),
    offset_column!(begin),
    offset_column!(end),
    text_column!(link),
    text_column!(sources),
    text_column!(kind),
    text_column!(accepts),
    text_column!(accepts_links),
    text_column!(withdrawn),
    text_column!(weight),
    text_column!(probability),
    text_column!(stratum),
    text_column!(worker),
    text_column!(action),
    text_column!(new_link),
    text_column!(counted),
    text_column!(active_ms),
    text_column!(reason),
    text_column!(confidence),
    text_column!(new_begin),
    text_column!(new_end),
    text_column!(total_ms),
    text_column!(changes),
    text_column!(searches),
    text_column!(at),
    text_column!(note),
];

/// Columns that are written only where some row has something in them.
const SELDOM: [&str; 13] = [
    "accepts_links",
    "withdrawn",
    "probability",
    "stratum",
    "reason",
    "confidence",
    "new_begin",
    "new_end",
    "total_ms",
    "changes",
    "searches",
    "at",
    "note",
];

/// Columns without which a table says nothing.
const NEEDED: [&str; 7] = ["document", "begin", "end", "link", "sources", "worker", "action"];

impl JudgementFile {
    /// Reads a file.
    pub fn read(source: &Source) -> Result<JudgementFile, Problem> {
        let mut file = Collected::default();
        let beginning = source.text()?.as_str().trim_start().chars().next();
        let read = match beginning {
            Some('{') => read_lines(source, &mut file),
            _ => read_table(source, &mut file),
        };
        // No row is ever skipped: a judgement that is missing would change results without a word.
        read.map_err(|problem| match problem.kind {
            Kind::Malformed => Problem { kind: Kind::Format, ..problem },
            _ => problem,
        })?;
        if file.file.plan.items.is_empty() {
            return Err(Problem::new(Kind::Malformed, source.name(), "there are no judgements"));
        }
        Ok(file.file)
    }

    /// A file of rows that were read elsewhere.
    pub(super) fn of_rows(
        rows: impl IntoIterator<Item = JudgementRow>,
        source: &Source,
    ) -> Result<JudgementFile, Problem> {
        let mut file = Collected::default();
        for row in rows {
            let about = format!("{} {}-{}", row.document, row.begin, row.end);
            file.take(row).map_err(|(column, message)| {
                let message = format!("{about}: {column}: {message}");
                Problem::new(Kind::Format, source.name(), message)
            })?;
        }
        match file.file.plan.items.is_empty() {
            true => Err(Problem::new(Kind::Format, source.name(), "there are no judgements")),
            false => Ok(file.file),
        }
    }

    /// The row of an item without an answer.
    pub(super) fn unjudged(&self, item: usize) -> JudgementRow {
        let sources: Vec<&str> = { self.plan.proposals.iter() }
            .filter(|one| one.item == item)
            .map(|one| one.source.as_str())
            .collect();
        self.row(item, &sources, self.plan.keys.iter().find(|key| key.item == item))
    }

    /// All rows: judgements in order, then the items that nobody has judged.
    pub fn rows(&self) -> Vec<JudgementRow> {
        let keys: BTreeMap<usize, &ItemKey> =
            self.plan.keys.iter().map(|key| (key.item, key)).collect();
        let mut sources: Vec<Vec<&str>> = vec![Vec::new(); self.plan.items.len()];
        for proposal in &self.plan.proposals {
            sources[proposal.item].push(&proposal.source);
        }
        let row = |item: usize| self.row(item, &sources[item], keys.get(&item).copied());
        let mut judged = BTreeSet::new();
        let mut rows = Vec::new();
        for one in &self.judgements {
            judged.insert(one.item);
            rows.push(JudgementRow {
                worker: one.worker.clone(),
                action: one.action.to_string(),
                new_link: one.link.as_ref().map(ToString::to_string).unwrap_or_default(),
                counted: if one.counted { String::new() } else { "0".to_owned() },
                active_ms: cell(one.active_ms),
                reason: one.reason.map(|reason| reason.name().to_owned()).unwrap_or_default(),
                confidence: cell(one.confidence),
                new_begin: cell(one.span.map(|(begin, _)| begin)),
                new_end: cell(one.span.map(|(_, end)| end)),
                total_ms: cell(one.total_ms),
                changes: cell(one.changes),
                searches: cell(one.searches),
                at: cell(one.at),
                note: one.note.clone(),
                ..row(one.item)
            });
        }
        let unjudged = (0..self.plan.items.len()).filter(|item| !judged.contains(item));
        rows.extend(unjudged.map(row));
        rows
    }

    /// The file as CSV.
    pub fn csv(&self) -> String {
        let rows = self.rows();
        let has = |column: &&RowColumn| {
            !SELDOM.contains(&column.name) || rows.iter().any(|row| !(column.get)(row).is_empty())
        };
        let columns: Vec<&RowColumn> = COLUMNS.iter().filter(has).collect();
        let mut text = columns.iter().map(|column| column.name).collect::<Vec<_>>().join(",");
        text.push('\n');
        for row in &rows {
            let cells: Vec<String> =
                columns.iter().map(|column| quoted((column.get)(row))).collect();
            let _ = writeln!(text, "{}", cells.join(","));
        }
        text
    }

    /// The file as JSON lines.
    pub fn jsonl(&self) -> String {
        let mut text = String::new();
        for row in self.rows() {
            // Rows are strings and numbers, which JSON can always hold.
            let _ = writeln!(text, "{}", serde_json::to_string(&row).unwrap_or_default());
        }
        text
    }

    fn row(&self, at: usize, sources: &[&str], key: Option<&ItemKey>) -> JudgementRow {
        let item = &self.plan.items[at];
        let text = &self.plan.texts[item.text];
        let actions = |key: &ItemKey| {
            key.actions.iter().map(ToString::to_string).collect::<Vec<_>>().join("|")
        };
        let links =
            |key: &ItemKey| key.links.iter().map(ToString::to_string).collect::<Vec<_>>().join("|");
        let weight = if item.weight == 1.0 { String::new() } else { item.weight.to_string() };
        let usual = item.probability == usual_probability(item.weight);
        JudgementRow {
            item: self.names.get(at).cloned().unwrap_or_else(|| at.to_string()),
            dataset: text.dataset.clone(),
            document: text.document.clone(),
            text: format!("{}-{}", text.begin, text.end),
            begin: item.begin,
            end: item.end,
            link: item.link.to_string(),
            sources: sources.join("|"),
            kind: item.kind.name().to_owned(),
            accepts: key.map(actions).unwrap_or_default(),
            accepts_links: key.map(links).unwrap_or_default(),
            withdrawn: cell(key.filter(|key| !key.confirmed).map(|_| 1)),
            weight,
            probability: if usual { String::new() } else { item.probability.to_string() },
            stratum: item.stratum.clone(),
            ..JudgementRow::default()
        }
    }
}

impl JudgementRow {
    /// Fills a column by its name; other names are passed over.
    pub(super) fn put(&mut self, column: &str, cell: &str) -> Result<(), String> {
        match COLUMNS.iter().find(|known| known.name == column) {
            Some(known) => {
                (known.put)(self, cell).map_err(|message| format!("{column}: {message}"))
            }
            None => Ok(()),
        }
    }
}

fn read_lines(source: &Source, file: &mut Collected) -> Result<(), Problem> {
    let text = source.text()?;
    for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
        let row: JudgementRow =
            serde_json::from_str(line).map_err(|error| text.json_problem(line, &error))?;
        file.take(row).map_err(|(_, message)| text.problem_at(Kind::Malformed, line, message))?;
    }
    Ok(())
}

fn read_table(source: &Source, file: &mut Collected) -> Result<(), Problem> {
    let first = source.text()?.as_str().lines().next().unwrap_or_default().contains('\t');
    let delimiter = if first { b'\t' } else { b',' };
    let mut columns: Option<Vec<&'static RowColumn>> = None;
    for_each_record(source, delimiter, None, |record| {
        let Some(columns) = &columns else {
            columns = Some(headings(record)?);
            return Ok(());
        };
        let mut row = JudgementRow::default();
        for (at, (column, cell)) in columns.iter().zip(record.cells()).enumerate() {
            (column.put)(&mut row, cell).map_err(|error| record.problem(at, error.to_string()))?;
        }
        if record.width() != columns.len() {
            let message = format!("{} cells under {} headings", record.width(), columns.len());
            return Err(record.problem(record.width().min(columns.len()), message));
        }
        let place = |name: &str| columns.iter().position(|column| column.name == name).unwrap_or(0);
        file.take(row).map_err(|(column, message)| record.problem(place(column), message))
    })
}

fn headings(record: &DelimitedRecord<'_>) -> Result<Vec<&'static RowColumn>, Problem> {
    let mut columns = Vec::new();
    for (at, name) in record.cells().enumerate() {
        let known = COLUMNS.iter().find(|column| column.name == name);
        let names: Vec<&str> = COLUMNS.iter().map(|column| column.name).collect();
        let unknown = || {
            let problem = record.problem(at, format!("there is no column `{name}`"));
            problem.hint(format!("columns are {}", names.join(", ")))
        };
        columns.push(known.ok_or_else(unknown)?);
    }
    if let Some(missing) = NEEDED.iter().find(|name| !columns.iter().any(|one| one.name == **name))
    {
        let problem =
            record.problem(record.width(), format!("the column `{missing}` is not there"));
        return Err(problem.hint(format!("a table of judgements needs {}", NEEDED.join(", "))));
    }
    Ok(columns)
}

/// What was read so far.
#[derive(Default)]
struct Collected {
    file: JudgementFile,
    texts: HashMap<(String, String), usize>,
    items: HashMap<String, usize>,
}

/// Something wrong with a column of a row.
type Wrong = (&'static str, String);

impl Collected {
    fn take(&mut self, row: JudgementRow) -> Result<(), Wrong> {
        if row.end <= row.begin {
            return Err((
                "end",
                format!("the mention ends at {} and begins at {}", row.end, row.begin),
            ));
        }
        let item = self.item(&row)?;
        if row.action.is_empty() {
            return match row.worker.is_empty() {
                true => Ok(()),
                false => Err(("action", format!("`{}` has no action", row.worker))),
            };
        }
        if row.worker.is_empty() {
            return Err(("worker", "nobody is named who judged".to_owned()));
        }
        let action: VerifyAction =
            row.action.parse().map_err(|error| ("action", format!("{error}")))?;
        let link = (!row.new_link.is_empty()).then(|| LinkTarget::from(row.new_link));
        let reason = match row.reason.as_str() {
            "" => None,
            name => Some(name.parse().map_err(|error| ("reason", format!("{error}")))?),
        };
        let confidence: Option<u8> = number("confidence", &row.confidence)?;
        if confidence.is_some_and(|sure| !(1..=3).contains(&sure)) {
            return Err(("confidence", "confidence is 1, 2 or 3".to_owned()));
        }
        let span = number("new_begin", &row.new_begin)?.zip(number("new_end", &row.new_end)?);
        if span.is_some_and(|(begin, end): (u32, u32)| begin >= end) {
            return Err(("new_end", "the mention would end before it begins".to_owned()));
        }
        let counted = match row.counted.as_str() {
            "" | "1" | "true" => true,
            "0" | "false" => false,
            other => return Err(("counted", format!("`{other}` is neither 0 nor 1"))),
        };
        let judgement = ItemJudgement {
            link,
            reason,
            confidence,
            span,
            note: row.note,
            active_ms: number("active_ms", &row.active_ms)?,
            total_ms: number("total_ms", &row.total_ms)?,
            changes: number("changes", &row.changes)?,
            searches: number("searches", &row.searches)?,
            at: number("at", &row.at)?,
            counted,
            ..ItemJudgement::new(item, row.worker, action)
        };
        self.file.judgements.push(judgement);
        Ok(())
    }

    /// The item of a row: a new one, or one that is known and says the same.
    fn item(&mut self, row: &JudgementRow) -> Result<usize, Wrong> {
        let kind = kind(&row.kind)?;
        let name = match row.item.as_str() {
            "" => format!(
                "{} {}-{} {} {} {}",
                row.document, row.begin, row.end, row.link, row.sources, row.kind
            ),
            name => name.to_owned(),
        };
        let link = LinkTarget::from(row.link.clone());
        if let Some(&known) = self.items.get(&name) {
            let item = &self.file.plan.items[known];
            let same = item.begin == row.begin
                && item.end == row.end
                && item.link == link
                && item.kind == kind;
            return match same {
                true => Ok(known),
                false => Err((
                    "item",
                    format!("the item `{name}` has another span, link or kind in an earlier row"),
                )),
            };
        }
        let weight = match row.weight.as_str() {
            "" => 1.0,
            text => text
                .parse()
                .ok()
                .filter(|weight: &f64| weight.is_finite() && *weight >= 0.0)
                .ok_or_else(|| ("weight", format!("`{text}` is no weight")))?,
        };
        let probability = match row.probability.as_str() {
            "" => usual_probability(weight),
            text => { text.parse().ok() }
                .filter(|chance| (0.0..=1.0).contains(chance))
                .ok_or_else(|| ("probability", format!("`{text}` is no chance")))?,
        };
        let text = self.text(row);
        let at = self.file.plan.items.len();
        self.file.plan.items.push(VerifyItem {
            text,
            begin: row.begin,
            end: row.end,
            link,
            kind,
            stratum: row.stratum.clone(),
            probability,
            weight,
        });
        self.propose(row, at, kind)?;
        self.file.names.push(name.clone());
        self.items.insert(name, at);
        Ok(at)
    }

    fn propose(&mut self, row: &JudgementRow, item: usize, kind: ItemKind) -> Result<(), Wrong> {
        for source in row.sources.split('|').filter(|source| !source.is_empty()) {
            let source = source.to_owned();
            self.file.plan.proposals.push(Proposal {
                item,
                source,
                spelled: None,
                confidence: None,
            });
        }
        if kind == ItemKind::Real && row.sources.is_empty() {
            return Err(("sources", "nobody is named who proposed this".to_owned()));
        }
        if matches!(kind, ItemKind::Control | ItemKind::Practice) {
            let actions = row.accepts.split('|').filter(|action| !action.is_empty());
            let actions: Result<Vec<VerifyAction>, _> = actions.map(str::parse).collect();
            let actions = actions.map_err(|error| ("accepts", format!("{error}")))?;
            if actions.is_empty() {
                return Err(("accepts", "a control says which actions are right".to_owned()));
            }
            let origin = "file".to_owned();
            let confirmed = match row.withdrawn.as_str() {
                "" | "0" => true,
                "1" => false,
                other => return Err(("withdrawn", format!("`{other}` is neither 0 nor 1"))),
            };
            self.file.plan.keys.push(ItemKey {
                item,
                actions,
                links: { row.accepts_links.split('|') }
                    .filter(|link| !link.is_empty())
                    .map(|link| LinkTarget::from(link.to_owned()))
                    .collect(),
                explanation: String::new(),
                origin,
                confirmed,
            });
        }
        Ok(())
    }

    /// The text of a row; without one, the whole document.
    fn text(&mut self, row: &JudgementRow) -> usize {
        let texts = &mut self.file.plan.texts;
        let key = (row.document.clone(), row.text.clone());
        *self.texts.entry(key).or_insert_with(|| {
            let offsets = row
                .text
                .rsplit_once('-')
                .and_then(|(begin, end)| Some((begin.parse().ok()?, end.parse().ok()?)));
            let (begin, end) = offsets.unwrap_or((0, 0));
            texts.push(CampaignText {
                document: row.document.clone(),
                dataset: row.dataset.clone(),
                begin,
                end,
                words: String::new(),
            });
            texts.len() - 1
        })
    }
}

/// The chance of an item of which only the weight is known.
fn usual_probability(weight: f64) -> f64 {
    if weight > 0.0 { 1.0 / weight.max(1.0) } else { 0.0 }
}

/// A cell of what may not be known.
fn cell(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// A number, if there is one.
fn number<T: std::str::FromStr>(column: &'static str, cell: &str) -> Result<Option<T>, Wrong> {
    match cell {
        "" => Ok(None),
        cell => cell.parse().map(Some).map_err(|_| (column, format!("`{cell}` is no number"))),
    }
}

fn kind(name: &str) -> Result<ItemKind, Wrong> {
    Ok(match name {
        "" | "real" => ItemKind::Real,
        "control" => ItemKind::Control,
        "repeat" => ItemKind::Repeat,
        "practice" => ItemKind::Practice,
        _ => {
            return Err((
                "kind",
                format!("`{name}` is no kind: expected real, control, repeat or practice"),
            ));
        }
    })
}

/// A cell as CSV has it.
pub(super) fn quoted(cell: String) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    }
}

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
    /// For how many items it stands; empty is 1.
    pub weight: String,
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
    text_column!(weight),
    text_column!(worker),
    text_column!(action),
    text_column!(new_link),
    text_column!(counted),
    text_column!(active_ms),
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
                active_ms: one.active_ms.map(|ms| ms.to_string()).unwrap_or_default(),
                ..row(one.item)
            });
        }
        let unjudged = (0..self.plan.items.len()).filter(|item| !judged.contains(item));
        rows.extend(unjudged.map(row));
        rows
    }

    /// The file as CSV.
    pub fn csv(&self) -> String {
        let mut text = COLUMNS.iter().map(|column| column.name).collect::<Vec<_>>().join(",");
        text.push('\n');
        for row in self.rows() {
            let cells: Vec<String> =
                COLUMNS.iter().map(|column| quoted((column.get)(&row))).collect();
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
        let weight = if item.weight == 1.0 { String::new() } else { item.weight.to_string() };
        JudgementRow {
            item: self.names.get(at).cloned().unwrap_or_else(|| at.to_string()),
            dataset: text.dataset.clone(),
            document: text.document.clone(),
            text: format!("{}-{}", text.begin, text.end),
            begin: item.begin,
            end: item.end,
            link: item.link.to_string(),
            sources: sources.join("|"),
            kind: kind_name(item.kind).to_owned(),
            accepts: key.map(actions).unwrap_or_default(),
            weight,
            ..JudgementRow::default()
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
        let active_ms = match row.active_ms.as_str() {
            "" => None,
            ms => Some(
                ms.parse()
                    .map_err(|_| ("active_ms", format!("`{ms}` is no number of milliseconds")))?,
            ),
        };
        let counted = match row.counted.as_str() {
            "" | "1" | "true" => true,
            "0" | "false" => false,
            other => return Err(("counted", format!("`{other}` is neither 0 nor 1"))),
        };
        let judgement = ItemJudgement {
            link,
            active_ms,
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
        let text = self.text(row);
        let at = self.file.plan.items.len();
        self.file.plan.items.push(VerifyItem {
            text,
            begin: row.begin,
            end: row.end,
            link,
            kind,
            stratum: String::new(),
            probability: if weight > 0.0 { 1.0 / weight.max(1.0) } else { 0.0 },
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
            self.file.plan.keys.push(ItemKey {
                item,
                actions,
                links: Vec::new(),
                explanation: String::new(),
                origin,
                confirmed: true,
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

fn kind_name(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Real => "real",
        ItemKind::Control => "control",
        ItemKind::Repeat => "repeat",
        ItemKind::Practice => "practice",
    }
}

fn quoted(cell: String) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    }
}

//! What is said about patches, as a record.

use super::file::PatchFile;
use crate::inputs::counted;
use crate::request::{Answer, record};
use karat_model::{Corpus, Digest, Document, Notice, Span, TextIndex};
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use karat_verify::patch::{ChangeState, GoldChange, JudgedChange, StateCounts};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// What a request about patches gives.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PatchAnswer {
    /// The version of karat.
    pub karat: String,
    /// What is shown of it.
    pub view: PatchView,
    /// The patches that were read or made.
    pub patches: Vec<PatchRecord>,
    /// Their changes, in the order of the patches.
    pub changes: Vec<ChangeRecord>,
    /// The file that was written; `None` where nothing was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// The file with what could not be applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
    /// Whether everything that was asked for was done.
    pub done: bool,
    /// What has to be known beside it.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// What is shown of patches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PatchView {
    /// Each change with its words in their text.
    #[default]
    Show,
    /// Who changed what, one change after the other.
    Log,
    /// What becomes of changes.
    States,
}

/// A patch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PatchRecord {
    /// What it is called.
    pub name: String,
    /// Where it is.
    pub path: String,
    /// Its digest.
    pub digest: Digest,
    /// What it is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Under which licence it may be passed on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// How many changes it has.
    pub changes: usize,
    /// How many are in which state, where there is a gold standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub states: Option<StateCounts>,
}

/// A change of a patch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeRecord {
    /// The patch.
    pub patch: String,
    /// The id of the change.
    pub id: String,
    /// The document.
    pub document: String,
    /// Where the mention starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// The words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// The text before the words, the words, and the text behind them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<[String; 3]>,
    /// `set`, `add` or `remove`.
    pub action: String,
    /// What is changed, in words.
    pub change: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Who made the patch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Votes, judgements, decisions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub from: Vec<Value>,
    /// Who refused it and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Value>,
    /// The ids of changes that say something else of the same: somebody has to choose.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub open: Vec<String>,
    /// What becomes of it, where there is a gold standard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<ChangeState>,
    /// Why it does not apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// So many code points of the text are shown before and behind the words.
const AROUND: u32 = 40;

impl ChangeRecord {
    /// A change, with what is around it where its text is known.
    pub(super) fn of(
        file: &PatchFile,
        change: &GoldChange,
        index: Option<&TextIndex<'_>>,
    ) -> ChangeRecord {
        let context = index.and_then(|index| {
            let hull = change.hull();
            let slice =
                |start: u32, end: u32| index.slice(Span::new(start, end)).map(str::to_owned);
            let before = slice(hull.start.saturating_sub(AROUND), hull.start)?;
            let after = slice(hull.end, hull.end.saturating_add(AROUND).min(index.len()))?;
            Some([before, slice(hull.start, hull.end)?, after])
        });
        ChangeRecord {
            patch: file.name.clone(),
            id: change.id(),
            document: change.document.clone(),
            start: change.span.start,
            end: change.span.end,
            words: change.words.clone(),
            context,
            action: change.action.name().to_owned(),
            change: change.described(),
            why: change.why.clone(),
            note: change.note.clone(),
            by: file.patch.by.clone(),
            from: change.from.clone(),
            refused: change.refused.clone(),
            open: change.open.iter().cloned().collect(),
            state: None,
            reason: None,
        }
    }

    fn judged(self, judged: &JudgedChange) -> ChangeRecord {
        ChangeRecord { state: Some(judged.state), reason: judged.reason.clone(), ..self }
    }

    fn place(&self) -> String {
        format!("{}..{}", self.start, self.end)
    }

    /// Who says so: votes where there are some, and who refused it.
    pub fn source(&self) -> String {
        let key = |from: &Value, key: &str| match from.get(key) {
            Some(Value::String(text)) => Some(format!("{key} {text}")),
            Some(Value::Number(number)) => Some(format!("{key} {number}")),
            _ => None,
        };
        let keys = ["votes", "posterior", "decision", "source", "system"];
        let from =
            self.from.iter().flat_map(|from| keys.iter().filter_map(move |it| key(from, it)));
        let by = |from: &Value| from.get("by").and_then(Value::as_str).map(str::to_owned);
        let mut said: Vec<String> = self.from.iter().filter_map(by).collect();
        if said.is_empty() {
            said.extend(self.by.clone());
        }
        said.extend(from);
        if let Some(refused) = &self.refused {
            let text = |key: &str| refused.get(key).and_then(Value::as_str).unwrap_or_default();
            said.push(format!("refused by {}: {}", text("who"), text("why")));
        }
        said.join(", ")
    }
}

impl PatchRecord {
    pub(super) fn of(file: &PatchFile) -> PatchRecord {
        let base = &file.patch.base;
        PatchRecord {
            name: file.name.clone(),
            path: file.path.clone(),
            digest: file.patch.digest(),
            base: base.name.clone().map(|name| match &base.short {
                Some(short) => format!("{name}@{short}"),
                None => name,
            }),
            by: file.patch.by.clone(),
            licence: file.patch.licence.clone(),
            changes: file.patch.changes.len(),
            states: None,
        }
    }
}

impl PatchAnswer {
    /// An answer about nothing yet.
    pub(crate) fn new(view: PatchView, notices: Vec<Notice>) -> PatchAnswer {
        let karat = env!("CARGO_PKG_VERSION").to_owned();
        PatchAnswer { karat, view, notices, done: true, ..PatchAnswer::default() }
    }

    /// Enters a patch with its changes and what becomes of them.
    pub(crate) fn enter(
        &mut self,
        file: &PatchFile,
        corpus: Option<&Corpus>,
        judged: Option<&[JudgedChange]>,
    ) {
        let states = judged.map(StateCounts::of);
        self.patches.push(PatchRecord { states, ..PatchRecord::of(file) });
        let mut judged = judged.into_iter().flatten();
        // Changes of a document lie together, so that its text is looked at once.
        let same = |one: &GoldChange, other: &GoldChange| one.document == other.document;
        for changes in file.patch.changes.chunk_by(same) {
            let document = corpus.and_then(|corpus| corpus.document(&changes[0].document));
            let index = document.as_ref().and_then(Document::text_index);
            for change in changes {
                let record = ChangeRecord::of(file, change, index.as_ref());
                self.changes.push(match judged.next() {
                    Some(judged) => record.judged(judged),
                    None => record,
                });
            }
        }
    }

    fn result(&self) -> String {
        let (changes, documents) = (self.changes.len(), self.documents().len());
        let in_effect = |it: &&ChangeRecord| it.state.is_some_and(ChangeState::is_in_effect);
        let trouble =
            self.changes.iter().filter(|it| it.state.is_some_and(ChangeState::is_trouble));
        let patches = match self.patches.as_slice() {
            [one] => format!("`{}`", one.name),
            several => format!("{} patches", several.len()),
        };
        match self.view {
            PatchView::States => {
                let held = self.changes.iter().filter(in_effect).count();
                let active = held + trouble.count();
                format!("{held} of {} of {patches} hold or apply.", counted(active, "change"))
            }
            _ => format!(
                "{patches}: {} in {}.",
                counted(changes, "change"),
                counted(documents, "document")
            ),
        }
    }

    fn documents(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.changes.iter().map(|it| it.document.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// How many changes are in which state, a row for each patch.
    fn counts(&self) -> Table {
        let mut table = Table::new([
            Column::text("patch"),
            Column::count("applies"),
            Column::count("already there"),
            Column::count("conflict"),
            Column::count("lost"),
            Column::count("refused"),
            Column::count("open"),
        ]);
        for patch in &self.patches {
            let Some(it) = patch.states else { continue };
            let counts = [it.applies, it.already_there, it.conflict, it.lost, it.refused, it.open];
            table.row(
                std::iter::once(Cell::from(patch.name.as_str())).chain(counts.map(Cell::from)),
            );
        }
        table
    }

    /// A row for each change.
    pub fn table(&self) -> Table {
        self.rows(|_| true, true)
    }

    fn rows(&self, keep: impl Fn(&ChangeRecord) -> bool, all: bool) -> Table {
        let with_state = self.view == PatchView::States;
        let with_source = all || self.view == PatchView::Log;
        let mut columns = vec![
            Column::text("id"),
            Column::text("document"),
            Column::text("span"),
            Column::text("words"),
            Column::text("change"),
        ];
        let optional = [
            (with_state, "state"),
            (with_state, "reason"),
            (with_source, "why"),
            (with_source, "from"),
        ];
        columns.extend(optional.iter().filter(|(it, _)| *it).map(|(_, name)| Column::text(*name)));
        let mut table = Table::new(columns);
        for change in self.changes.iter().filter(|change| keep(change)) {
            let mut cells = vec![
                Cell::from(change.id.as_str()),
                Cell::from(change.document.as_str()),
                Cell::from(change.place()),
                Cell::from(change.words.as_deref()),
                Cell::from(change.change.as_str()),
            ];
            if with_state {
                cells.push(Cell::from(change.state.map(ChangeState::name)));
                cells.push(Cell::from(change.reason.as_deref()));
            }
            if with_source {
                cells.push(Cell::from(change.why.as_deref()));
                cells.push(Cell::from(change.source()));
            }
            table.row(cells);
        }
        table
    }

    /// Documents with their changes, each in its text, to be read.
    fn in_texts(&self) -> Vec<ReportSection<'_>> {
        let mut by_document: BTreeMap<&str, Vec<&ChangeRecord>> = BTreeMap::new();
        for change in &self.changes {
            by_document.entry(&change.document).or_default().push(change);
        }
        let section = |(document, changes): (&str, Vec<&ChangeRecord>)| {
            let mut table = Table::new([
                Column::text("span"),
                Column::text("text"),
                Column::text("change"),
                Column::text("why"),
            ]);
            for change in changes {
                let text = match &change.context {
                    Some([before, words, after]) => {
                        format!("{}[{words}]{}", last_words(before), first_words(after))
                    }
                    None => change.words.clone().unwrap_or_default(),
                };
                let note = change.note.iter().cloned();
                let refused = change.refused.iter().map(|_| "refused".to_owned());
                let why: Vec<String> =
                    change.why.iter().cloned().chain(note).chain(refused).collect();
                table.row([
                    Cell::from(change.place()),
                    Cell::from(text.replace('\n', " ")),
                    Cell::from(change.change.as_str()),
                    Cell::from(why.join(": ")),
                ]);
            }
            ReportSection::new(document, table)
        };
        by_document.into_iter().map(section).collect()
    }
}

/// What stands before the words, from a whole word on.
fn last_words(text: &str) -> &str {
    text.char_indices().rev().nth(23).map_or(text, |(at, _)| {
        let cut = &text[at..];
        cut.find(' ').map_or(cut, |space| &cut[space + 1..])
    })
}

/// What stands behind the words, up to the end of a word.
fn first_words(text: &str) -> &str {
    text.char_indices().nth(24).map_or(text, |(at, _)| {
        let cut = &text[..at];
        cut.rfind(' ').map_or(cut, |space| &cut[..space])
    })
}

impl Answer for PatchAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let is_trouble = |it: &ChangeRecord| it.state.is_some_and(ChangeState::is_trouble);
        let sections = match self.view {
            PatchView::Show => self.in_texts(),
            PatchView::Log => {
                vec![ReportSection::new("", Deferred::by(|| self.rows(|_| true, false)))]
            }
            PatchView::States => vec![
                ReportSection::new("states", self.counts()),
                ReportSection::unless_empty(
                    "changes that do not apply",
                    self.rows(is_trouble, false),
                ),
            ],
        };
        Report {
            result: Some(self.result()),
            sections,
            rows: Some(Deferred::by(|| self.table())),
            record: Some(Deferred::by(|| record(self))),
            ..Report::default()
        }
    }

    fn passes(&self) -> bool {
        self.done
    }
}

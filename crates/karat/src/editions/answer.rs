//! Two editions as a record.

use crate::board::BoardAnswer;
use crate::errors::MentionInText;
use crate::request::{Answer, record};
use karat_model::{Digest, Notice};
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use serde::{Deserialize, Serialize};

/// What differs between two editions of a benchmark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditionsAnswer {
    /// The version of karat.
    pub karat: String,
    /// The older edition.
    pub old: EditionRecord,
    /// The newer edition.
    pub new: EditionRecord,
    /// How many annotations are in both, alike, in documents with the same text.
    pub same: usize,
    /// How many annotations were added.
    pub added: usize,
    /// How many were removed.
    pub removed: usize,
    /// How many are on the same span and say something else.
    pub changed: usize,
    /// Documents that only the newer edition has.
    pub added_documents: Vec<String>,
    /// Documents that only the older edition has.
    pub removed_documents: Vec<String>,
    /// Documents whose texts differ, so that places in them may not mean the same.
    pub other_texts: Vec<String>,
    /// How many changes were passed over.
    pub first: usize,
    /// The changes that are listed.
    pub changes: Vec<EditionChange>,
    /// The runs on the older edition, scored on both: the older edition is the first column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<BoardAnswer>,
    /// What a reader has to know.
    pub notices: Vec<Notice>,
}

/// An edition.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditionRecord {
    /// What it is called.
    pub name: String,
    /// How many documents it has.
    pub documents: usize,
    /// How many annotations.
    pub annotations: usize,
    /// Its digest.
    pub digest: Digest,
}

/// One annotation that was added, removed or changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EditionChange {
    /// What happened.
    pub kind: EditionChangeKind,
    /// The document.
    pub document: String,
    /// Its number in the newer edition, from 1.
    pub number: Option<usize>,
    /// Where it stands, with the text around it.
    #[serde(flatten)]
    pub in_text: MentionInText,
    /// What it meant; nothing if it was not there.
    pub old: Option<String>,
    /// What it means; nothing if it is not there any more.
    pub new: Option<String>,
    /// What of it is different, where it is in both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<ChangedField>,
}

/// Something that is said otherwise of a mention.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangedField {
    /// What: `link`, `nil`, `types`, `tags`, `flags`, `span` and others, as gold patches have them.
    pub field: String,
    /// What was said.
    pub old: serde_json::Value,
    /// What is said.
    pub new: serde_json::Value,
}

/// What happened to an annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditionChangeKind {
    /// Only the newer edition has it.
    Added,
    /// Only the older edition has it.
    Removed,
    /// Both have it and say different things of it.
    Changed,
}

impl EditionChangeKind {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            EditionChangeKind::Added => "added",
            EditionChangeKind::Removed => "removed",
            EditionChangeKind::Changed => "changed",
        }
    }
}

impl EditionChange {
    /// What is different, in words: `types: PER → ORG`. The link is told by `old` and `new`.
    pub fn in_words(&self) -> String {
        let told = self.fields.iter().filter(|it| !["link", "nil"].contains(&it.field.as_str()));
        let words =
            told.map(|it| format!("{}: {} → {}", it.field, written(&it.old), written(&it.new)));
        words.collect::<Vec<_>>().join("; ")
    }
}

/// A value as people write it.
fn written(value: &serde_json::Value) -> String {
    use serde_json::Value;
    match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "nothing".to_owned(),
        Value::Array(items) => items.iter().map(written).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

impl EditionsAnswer {
    /// How many annotations differ.
    pub fn total(&self) -> usize {
        self.added + self.removed + self.changed
    }

    /// The result in words.
    pub fn sentence(&self) -> String {
        let others = [
            (self.added_documents.len(), "new"),
            (self.removed_documents.len(), "gone"),
            (self.other_texts.len(), "with another text, which cannot be compared"),
        ];
        let others: Vec<String> = others
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| match count {
                1 => format!("1 document is {what}"),
                count => format!("{count} documents are {what}"),
            })
            .collect();
        let others = match others.is_empty() {
            true => String::new(),
            false => format!(" {}.", others.join(", ")),
        };
        let moved = match self.moved() {
            None => String::new(),
            Some(0) => " No system changes its rank.".to_owned(),
            Some(1) => " 1 system changes its rank.".to_owned(),
            Some(moved) => format!(" {moved} systems change their rank."),
        };
        let annotations = match self.total() {
            0 => format!("All {} annotations in common documents are alike.", self.same),
            _ => format!(
                "Annotations in common documents: {} added, {} removed, {} changed, {} alike.",
                self.added, self.removed, self.changed, self.same
            ),
        };
        format!("{annotations}{others}{moved}")
    }

    /// How many systems have another rank in the newer edition; nothing where systems were not ranked.
    pub fn moved(&self) -> Option<usize> {
        let board = self.board.as_ref().filter(|board| board.rows.len() > 1)?;
        let moves = |row: &&crate::board::BoardRow| match row.cells.as_slice() {
            [old, new] => old.rank != new.rank,
            _ => false,
        };
        Some(board.rows.iter().filter(moves).count())
    }

    fn table(&self) -> Table {
        let names = ["change", "document", "start", "end", "mention", "old", "new", "further"];
        let mut table = Table::new(names.map(Column::text).to_vec());
        for change in &self.changes {
            let text = |text: &Option<String>| Cell::from(text.as_deref().unwrap_or_default());
            table.row(vec![
                Cell::from(change.kind.name()),
                Cell::from(change.document.as_str()),
                Cell::from(change.in_text.start.to_string().as_str()),
                Cell::from(change.in_text.end.to_string().as_str()),
                text(&change.in_text.mention),
                text(&change.old),
                text(&change.new),
                Cell::from(change.in_words().as_str()),
            ]);
        }
        table
    }
}

impl Answer for EditionsAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        Report {
            result: Some(self.sentence()),
            sections: vec![ReportSection::new("", Deferred::by(|| self.table()))],
            rows: Some(Deferred::by(|| self.table())),
            record: Some(Deferred::by(|| record(self))),
            ..Report::default()
        }
    }
}

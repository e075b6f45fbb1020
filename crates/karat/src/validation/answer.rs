//! What a validation found, as a record.

use super::text;
use crate::request::Answer;
use karat_model::{Hint, Notice, Severity};
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is wrong with files.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ValidationAnswer {
    /// The version of karat.
    pub karat: String,
    /// What is wrong with each input that could be read.
    pub inputs: Vec<ValidatedInput>,
    /// The inputs that could not be read at all; a notice says why.
    pub unreadable: Vec<String>,
    /// The files that were mended.
    pub fixes: Vec<FixedFile>,
    /// Whether text shows all findings, and not only the first few of each check.
    pub list_all: bool,
    /// What has to be known beside the findings.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// What is wrong with one input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ValidatedInput {
    /// The input, as the user wrote it.
    pub input: String,
    /// The formats it was read as.
    pub formats: Vec<String>,
    /// Documents.
    pub documents: usize,
    /// Annotations.
    pub annotations: usize,
    /// Annotations linked to an entity.
    pub linked: usize,
    /// Annotations that are NIL.
    pub nil: usize,
    /// Annotations without an answer.
    pub unlinked: usize,
    /// How many records could not be read, and would be lost if the input was written again.
    pub unreadable: usize,
    /// How bad the worst finding is, apart from records that could not be read.
    pub worst: Option<Severity>,
    /// How many findings a fix mends.
    pub fixable: usize,
    /// How many findings there are of each kind, apart from records that could not be read.
    pub counts: BTreeMap<String, usize>,
    /// Records that could not be read, then those that were repaired.
    pub records: Vec<FindingRecord>,
    /// What the checks found.
    pub findings: Vec<FindingRecord>,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FindingRecord {
    /// For a record: the file it is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// How bad it is.
    pub severity: Severity,
    /// The check, or what is wrong with the record.
    pub check: String,
    /// The document.
    pub document: Option<String>,
    /// Where the mention starts.
    pub start: Option<u32>,
    /// Where it ends.
    pub end: Option<u32>,
    /// The text before the mention, the mention, and the text behind it.
    pub context: Option<[String; 3]>,
    /// What is wrong.
    pub message: String,
    /// Whether a fix mends it.
    pub fixable: bool,
}

/// A file that was mended and written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedFile {
    /// The input.
    pub input: String,
    /// The file that was written.
    pub path: String,
    /// What the file was before, if it was written over.
    pub original: Option<String>,
    /// How many findings were mended.
    pub mended: usize,
    /// How many were mended that only came up on the way.
    pub came_up: usize,
    /// How many could be mended again and again.
    pub left: usize,
    /// What the format cannot hold and was left out, and how often.
    pub lost: BTreeMap<String, usize>,
}

impl ValidationAnswer {
    /// Whether an input, or a record of one, could not be read.
    pub fn is_unreadable(&self) -> bool {
        !self.unreadable.is_empty() || self.inputs.iter().any(|input| input.unreadable > 0)
    }

    /// What is shown of it, with hints in the words of a front end.
    pub fn worded(&self, hint: impl Fn(&Hint) -> String) -> Report<'_> {
        let lines = self.inputs.iter().map(|input| text::lines(input, self.list_all, &hint));
        let table = || Deferred::by(|| self.table());
        Report {
            sections: vec![ReportSection::lines(lines.collect::<String>())],
            page: vec![ReportSection::new("", table())],
            // Findings are a list, in JSON as well.
            rows: Some(table()),
            ..Report::default()
        }
    }

    /// A row for each finding.
    pub fn table(&self) -> Table {
        let mut table = Table::new([
            Column::text("input"),
            Column::text("severity"),
            Column::text("check"),
            Column::text("document"),
            Column::count("start"),
            Column::count("end"),
            Column::text("mention"),
            Column::text("message"),
            Column::text("fixable"),
        ]);
        for input in &self.inputs {
            for finding in input.records.iter().chain(&input.findings) {
                table.row(finding.row(&input.input));
            }
        }
        table
    }
}

impl Answer for ValidationAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        self.worded(Hint::to_string)
    }

    fn passes(&self) -> bool {
        let is_bad = |input: &ValidatedInput| input.worst >= Some(Severity::Warning);
        !self.is_unreadable() && !self.inputs.iter().any(is_bad)
    }
}

impl FindingRecord {
    fn row(&self, input: &str) -> [Cell; 9] {
        let offset = |offset: Option<u32>| Cell::from(offset.map(|offset| offset as usize));
        let mention = self.context.as_ref().map(|[_, mention, _]| mention.as_str());
        [
            Cell::from(self.file.as_deref().unwrap_or(input)),
            Cell::from(self.severity.name()),
            Cell::from(self.check.as_str()),
            Cell::from(self.document.as_deref()),
            offset(self.start),
            offset(self.end),
            Cell::from(mention),
            Cell::from(self.message.as_str()),
            Cell::from(self.fixable),
        ]
    }
}

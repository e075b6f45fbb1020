//! An input that was checked, on its way to a record.

use super::answer::{FindingRecord, ValidatedInput};
use crate::inputs::InputRequest;
use karat_checks::{CheckFinding, CheckReport};
use karat_formats::{Findings, Kind, Problem, ReadOutcome};
use karat_model::{Corpus, Severity};
use std::collections::{BTreeMap, HashSet};

/// An input as it was read, once or twice.
#[derive(Debug)]
pub(super) struct ReadTwice {
    pub(super) outcome: ReadOutcome,
    /// The same with the words of the text for all mentions.
    pub(super) relabelled: Option<ReadOutcome>,
}

impl ReadTwice {
    fn whole(&self) -> &ReadOutcome {
        self.relabelled.as_ref().unwrap_or(&self.outcome)
    }

    /// What is checked and mended.
    pub(super) fn corpus(&self) -> &Corpus {
        &self.whole().corpus
    }

    /// What is still wrong with records of it.
    pub(super) fn left(&self) -> &Findings {
        &self.whole().findings
    }

    /// How many mentions got the words of the text.
    fn renamed(&self) -> usize {
        // Records that could not be read at first, but can where the text decides about the words
        // of a mention.
        skipped(&self.outcome.findings).saturating_sub(skipped(self.left()))
    }

    /// Whether what was repaired can be written as it was read.
    fn is_writable(&self) -> bool {
        let registry = crate::registry();
        let mut formats = self.outcome.formats.iter();
        formats.all(|name| registry.find(name).is_some_and(|format| format.info().writes.is_some()))
    }

    /// The records that could not be read or were repaired.
    fn records(&self) -> Vec<FindingRecord> {
        // By their texts, since the two readings make separate problems of the same place.
        let left: HashSet<String> = self.left().skipped().iter().map(Problem::to_string).collect();
        let is_writable = self.is_writable();
        let unreadable = self.outcome.findings.skipped().iter().map(|problem| {
            let is_mended = !left.contains(&problem.to_string());
            of_record(problem, Severity::Error, is_mended)
        });
        let repaired = self.left().repaired().iter();
        let repaired = repaired.map(|problem| of_record(problem, Severity::Warning, is_writable));
        unreadable.chain(repaired).collect()
    }
}

/// An input and what is wrong with it.
#[derive(Debug)]
pub(super) struct Checked<'r> {
    pub(super) input: &'r InputRequest,
    pub(super) read: ReadTwice,
    pub(super) report: CheckReport,
}

impl Checked<'_> {
    pub(super) fn record(&self) -> ValidatedInput {
        let counts = self.read.corpus().statistics();
        ValidatedInput {
            input: self.input.written(),
            formats: self.read.outcome.formats.iter().map(|&name| name.to_owned()).collect(),
            documents: counts.documents,
            annotations: counts.annotations,
            linked: counts.linked,
            nil: counts.nil,
            unlinked: counts.unlinked,
            unreadable: skipped(self.read.left()),
            worst: self.worst(),
            fixable: self.fixable(),
            counts: self.counts(),
            records: self.read.records(),
            findings: self.report.findings().iter().map(of_check).collect(),
        }
    }

    fn worst(&self) -> Option<Severity> {
        let is_repaired = !self.read.left().repaired_counts().is_empty();
        let repaired = is_repaired.then_some(Severity::Warning);
        let renamed = (self.read.renamed() > 0).then_some(Severity::Error);
        self.report.worst().max(repaired).max(renamed)
    }

    /// How many findings a fix mends.
    pub(super) fn fixable(&self) -> usize {
        let repaired: usize = self.read.left().repaired_counts().values().sum();
        let repaired = if self.read.is_writable() { repaired } else { 0 };
        self.report.fixable() + repaired + self.read.renamed()
    }

    /// How many findings there are of each kind, without records that could not be read.
    fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let of_checks = self.report.counts().into_iter();
        let repaired = self.read.left().repaired_counts().iter();
        let of_records = repaired.map(|(kind, &count)| (kind.name(), count));
        let renamed = [(Kind::Surface.name(), self.read.renamed())];
        for (name, count) in of_checks.chain(of_records).chain(renamed) {
            if count > 0 {
                *counts.entry(name.to_owned()).or_default() += count;
            }
        }
        counts
    }
}

/// How many records could not be read.
pub(super) fn skipped(findings: &Findings) -> usize {
    findings.skipped_counts().values().sum()
}

/// A record that could not be read, or was repaired.
fn of_record(problem: &Problem, severity: Severity, is_fixable: bool) -> FindingRecord {
    let about = problem.about.as_deref();
    let span = about.and_then(|about| about.span);
    FindingRecord {
        file: Some(problem.source_name.clone()),
        severity,
        check: problem.kind.name().to_owned(),
        document: about.and_then(|about| about.document.clone()),
        start: span.map(|span| span.start),
        end: span.map(|span| span.end),
        context: None,
        message: problem.to_string(),
        fixable: is_fixable,
    }
}

/// What a check found.
fn of_check(finding: &CheckFinding) -> FindingRecord {
    FindingRecord {
        file: None,
        severity: finding.severity,
        check: finding.check.to_owned(),
        document: Some(finding.document.clone()),
        start: finding.span.map(|span| span.start),
        end: finding.span.map(|span| span.end),
        context: finding.context.clone(),
        message: finding.message.clone(),
        fixable: !finding.fixes.is_empty(),
    }
}

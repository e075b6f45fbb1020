//! What comes out of a paper, as it is shown.

use super::{PAPERS, Paper, Section, Verdict};
use crate::error::Error;
use crate::outputs::write_files;
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use std::path::Path;

impl Paper {
    /// The paper of this name.
    pub fn named(name: &str) -> Result<&'static Paper, Error> {
        let found = PAPERS.iter().find(|paper| paper.name == name);
        found
            .copied()
            .ok_or_else(|| Error::unknown("paper", name, PAPERS.iter().map(|paper| paper.name)))
    }
}

/// All papers, and what of the data each needs.
pub fn papers() -> Table {
    let mut table = Table::new(["name", "paper", "needs"].map(Column::text));
    for paper in PAPERS {
        table.row([Cell::from(paper.name), Cell::from(paper.title), Cell::from(paper.needs)]);
    }
    table
}

/// The tables of a paper.
pub fn report<'s>(title: &'s str, sections: &'s [Section]) -> Report<'s> {
    let section = |section: &'s Section| ReportSection {
        remarks: section.remarks.clone(),
        ..ReportSection::new(section.title.as_str(), Deferred::by(|| section.table()))
    };
    Report {
        title: Some(title.to_owned()),
        sections: sections.iter().map(section).collect(),
        record: Some(Deferred::by(move || super::json(title, sections))),
        ..Report::default()
    }
}

/// How many numbers come out as printed, and how many do not.
pub fn sentence(sections: &[Section]) -> String {
    let rows = || sections.iter().flat_map(|section| &section.rows);
    let count = |verdict| rows().filter(|row| row.verdict == verdict).count();
    let uncomputed = rows().filter(|row| row.is_uncomputed()).count();
    let some = |number: usize, what: &str| match number {
        0 => String::new(),
        number => format!(", {number} {what}"),
    };
    format!(
        "{} numbers come out as printed{}{}{}, {} do not{}, {} have nothing to compare with",
        count(Verdict::Same),
        some(count(Verdict::Agrees), "agree as far as chance allows"),
        some(count(Verdict::Slip), "are slips of the paper"),
        some(count(Verdict::OtherFacts), "rest on other facts"),
        count(Verdict::Differs),
        some(uncomputed, "could not be computed"),
        count(Verdict::Open) - uncomputed
    )
}

/// Whether a number does not come out.
pub fn differs(sections: &[Section]) -> bool {
    sections.iter().flat_map(|section| &section.rows).any(|row| row.verdict == Verdict::Differs)
}

/// Writes the figures of a paper, as SVG and as data, to a folder. Says whether there are any.
pub fn write_figures(sections: &[Section], folder: &Path) -> Result<bool, Error> {
    let files = || sections.iter().flat_map(|section| &section.files);
    if files().next().is_none() {
        return Ok(false);
    }
    write_files(folder, files().map(|file| (file.name.clone(), file.text.clone())))?;
    Ok(true)
}

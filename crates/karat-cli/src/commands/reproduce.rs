//! `karat reproduce`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::show;
use crate::written::write_file;
use clap::Args;
use karat::report::{Cell, Column, Deferred, Report, ReportSection, Table};
use karat::reproduce::{Data, PAPERS, Section, Verdict};
use std::path::PathBuf;

/// Compute the published tables of the literature again, number by number
///
/// What the paper prints stands beside what comes out, with the reason where they differ. Without a
/// name, lists the papers.
#[derive(Debug, Args)]
pub(crate) struct Reproduce {
    /// The paper
    paper: Option<String>,
    /// The folder with the public data
    #[arg(long, value_name = "FOLDER", env = "KARAT_DATA", default_value = "data")]
    data: PathBuf,
    /// Write the figures of the paper, as SVG and as data, to this folder
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Form of the tables
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Reproduce {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let Some(name) = &self.paper else { return self.list() };
        let Some(paper) = PAPERS.iter().find(|paper| paper.name == name) else {
            return Err(Failure::unknown("paper", name, PAPERS.iter().map(|paper| paper.name)));
        };
        let sections = (paper.run)(&Data::new(&self.data))?;
        self.write(&sections)?;
        printing::print(&report(paper.title, &sections), self.format, terminal_width())?;
        let verdicts = || sections.iter().flat_map(|section| &section.rows).map(|row| row.verdict);
        let count = |verdict| verdicts().filter(|&other| other == verdict).count();
        let uncomputed = sections.iter().flat_map(|section| &section.rows);
        let uncomputed = uncomputed.filter(|row| row.is_uncomputed()).count();
        let some = |number: usize, what: &str| match number {
            0 => String::new(),
            number => format!(", {number} {what}"),
        };
        show::note(&format!(
            "{} numbers come out as printed{}{}{}, {} do not{}, {} have nothing to compare with",
            count(Verdict::Same),
            some(count(Verdict::Agrees), "agree as far as chance allows"),
            some(count(Verdict::Slip), "are slips of the paper"),
            some(count(Verdict::OtherFacts), "rest on other facts"),
            count(Verdict::Differs),
            some(uncomputed, "could not be computed"),
            count(Verdict::Open) - uncomputed
        ));
        if count(Verdict::Differs) > 0 { Err(Failure::Gate) } else { Ok(()) }
    }

    fn write(&self, sections: &[Section]) -> Result<(), Failure> {
        let Some(folder) = &self.output else { return Ok(()) };
        let mut files = sections.iter().flat_map(|section| &section.files).peekable();
        if files.peek().is_none() {
            show::note("no figures of this paper are drawn");
            return Ok(());
        }
        let failed =
            |error: std::io::Error| Failure::output(&folder.to_string_lossy(), error.into());
        std::fs::create_dir_all(folder).map_err(failed)?;
        for file in files {
            write_file(&folder.join(&file.name).to_string_lossy(), &file.text)?;
        }
        Ok(())
    }

    fn list(&self) -> Result<(), Failure> {
        let mut table = Table::new(["name", "paper", "needs"].map(Column::text));
        for paper in PAPERS {
            table.row([Cell::from(paper.name), Cell::from(paper.title), Cell::from(paper.needs)]);
        }
        printing::print(&Report::of(table), self.format, terminal_width())
    }
}

fn report<'s>(title: &'s str, sections: &'s [Section]) -> Report<'s> {
    let section = |section: &'s Section| ReportSection {
        remarks: section.remarks.clone(),
        ..ReportSection::new(section.title.as_str(), Deferred::by(|| section.table()))
    };
    Report {
        title: Some(title.to_owned()),
        sections: sections.iter().map(section).collect(),
        record: Some(Deferred::by(move || karat::reproduce::json(title, sections))),
        ..Report::default()
    }
}

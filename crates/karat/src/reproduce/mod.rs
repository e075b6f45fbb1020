//! Published tables, computed again from public data: one file for each paper.
//!
//! A number that does not come out is shown as such, with the reason; nothing is
//! adjusted.

mod bast_2023;
mod ding_2022;
mod hachey_2014;
mod hipe_2022;
mod mertens_2014;
mod rosales_2019;
mod told;

use karat_formats::{Input, Kind, Problem, ReadOptions, Source};
use karat_model::{Corpus, Hint};
use karat_report::{Cell, Column, Table};
use std::path::{Path, PathBuf};

pub use told::{differs, papers, report, sentence, write_figures};

/// A paper whose tables karat computes again.
#[derive(Debug)]
pub struct Paper {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// What of the data it needs.
    pub needs: &'static str,
    /// Computes its tables.
    pub run: fn(&Data) -> Result<Vec<Section>, Problem>,
}

/// All papers.
pub static PAPERS: &[&Paper] = &[
    &hachey_2014::PAPER,
    &mertens_2014::PAPER,
    &rosales_2019::PAPER,
    &ding_2022::PAPER,
    &bast_2023::PAPER,
    &hipe_2022::PAPER,
];

/// The folder with the public data.
#[derive(Debug, Clone)]
pub struct Data {
    folder: PathBuf,
}

/// A table or figure of a paper.
#[derive(Debug, Clone)]
pub struct Section {
    /// What the paper calls it.
    pub title: String,
    /// What the labels of its numbers say.
    pub headings: &'static [&'static str],
    /// Its numbers.
    pub rows: Vec<Row>,
    /// What must be known about them.
    pub remarks: Vec<String>,
    /// Plots and data of a figure.
    pub files: Vec<Attachment>,
}

/// A file that shows a figure, or holds its data.
#[derive(Debug, Clone)]
pub struct Attachment {
    /// What it is called.
    pub name: String,
    /// What is in it.
    pub text: String,
}

impl Attachment {
    fn new(name: String, text: String) -> Attachment {
        Attachment { name, text }
    }
}

/// A number as the paper prints it and as it comes out.
#[derive(Debug, Clone)]
pub struct Row {
    /// Which number: system, measure.
    pub labels: Vec<String>,
    /// As printed; empty if the paper prints none.
    pub printed: String,
    /// As computed, in the manner of the paper; empty if it cannot be computed.
    pub computed: String,
    /// Whether they agree.
    pub verdict: Verdict,
    /// Why not, or what is right.
    pub note: String,
}

/// How a printed number compares with the computed one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The same digits.
    Same,
    /// Within what chance allows, for numbers that were drawn at random.
    Agrees,
    /// Other digits, and the definitions of the paper give the computed ones.
    Slip,
    /// Other digits, because the facts that are public are other ones than the paper's.
    OtherFacts,
    /// Other digits.
    Differs,
    /// There is nothing to compare with.
    Open,
}

impl Verdict {
    fn of(printed: &str, computed: &str) -> Verdict {
        match (printed, computed) {
            ("", _) | (_, "") => Verdict::Open,
            _ if printed == computed => Verdict::Same,
            _ => Verdict::Differs,
        }
    }

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Same => "same",
            Verdict::Agrees => "agrees",
            Verdict::Slip => "slip",
            Verdict::OtherFacts => "other facts",
            Verdict::Differs => "differs",
            Verdict::Open => "",
        }
    }
}

impl Row {
    /// A number that is printed and computed.
    pub fn new(labels: &[&str], printed: &str, computed: String) -> Row {
        let verdict = Verdict::of(printed, &computed);
        let labels = labels.iter().map(|label| (*label).to_owned()).collect();
        Row { labels, printed: printed.to_owned(), computed, verdict, note: String::new() }
    }

    /// Whether it is printed, and could not be computed.
    pub fn is_uncomputed(&self) -> bool {
        !self.printed.is_empty() && self.computed.is_empty()
    }

    /// The same, judged otherwise than by its digits.
    pub fn judged(mut self, verdict: Verdict) -> Row {
        self.verdict = verdict;
        self
    }

    /// The same with a remark.
    pub fn note(mut self, note: &str) -> Row {
        note.clone_into(&mut self.note);
        self
    }
}

impl Section {
    /// A section without files.
    fn new(
        title: &str,
        headings: &'static [&'static str],
        rows: Vec<Row>,
        remarks: &[&str],
    ) -> Section {
        let remarks = remarks.iter().map(|remark| (*remark).to_owned()).collect();
        Section { title: title.to_owned(), headings, rows, remarks, files: Vec::new() }
    }

    /// The section as a table.
    pub fn table(&self) -> Table {
        let names = self.headings.iter().copied();
        let columns = names.chain(["printed", "computed", "verdict", "note"]);
        let mut table = Table::new(columns.map(|name| match name {
            "printed" | "computed" => Column::count(name),
            _ => Column::text(name),
        }));
        for row in &self.rows {
            let labels = row.labels.iter().map(|label| Cell::from(label.as_str()));
            let text = |text: &str| if text.is_empty() { Cell::Missing } else { Cell::from(text) };
            let numbers = [text(&row.printed), text(&row.computed)];
            let words = [Cell::from(row.verdict.word()), Cell::from(row.note.as_str())];
            table.row(labels.chain(numbers).chain(words));
        }
        table
    }
}

/// The sections of a paper as JSON.
pub fn json(title: &str, sections: &[Section]) -> serde_json::Value {
    let sections: Vec<serde_json::Value> = sections
        .iter()
        .map(|section| {
            serde_json::json!({
                "title": section.title,
                "rows": section.table().json(),
                "remarks": section.remarks,
            })
        })
        .collect();
    serde_json::json!({ "karat": env!("CARGO_PKG_VERSION"), "paper": title, "sections": sections })
}

impl Data {
    /// The data in a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Data {
        Data { folder: folder.into() }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Whether there is such a file.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.path(name).is_file()
    }

    /// Reads a corpus.
    pub(crate) fn corpus(&self, name: &str) -> Result<Corpus, Problem> {
        let input = self.input(name)?;
        Ok(crate::registry().read(&input, None, &ReadOptions::default())?.corpus)
    }

    /// A file or a folder.
    pub(crate) fn input(&self, name: &str) -> Result<Input, Problem> {
        Input::open(&shown(&self.path(name))).map_err(|problem| missing(problem, name))
    }

    /// Something that is wrong with a file.
    pub(crate) fn problem(&self, name: &str, message: String) -> Problem {
        Problem::new(Kind::Unreadable, shown(&self.path(name)), message)
    }

    /// Reads a text.
    pub(crate) fn text(&self, name: &str) -> Result<String, Problem> {
        let source = Source::file(self.path(name));
        let text = source.text().map_err(|problem| missing(problem, name))?;
        Ok(text.as_str().to_owned())
    }
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn missing(problem: Problem, name: &str) -> Problem {
    let held = match name.split_once('/') {
        Some((folder, _)) => format!("{folder}/"),
        None => name.to_owned(),
    };
    problem.hint(Hint::template("{data} names the folder that holds ").text(format!("`{held}`")))
}

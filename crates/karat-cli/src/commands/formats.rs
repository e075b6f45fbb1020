//! `karat formats`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;
use karat::formats::{Info, Layout};
use karat::report::{Cell, Column, Report, ReportSection, Table, prose};

/// List the formats karat reads and writes, or describe one
///
/// Every input is recognised by its content, so the names are needed only for `--to`, and for
/// `--from` when a file could be several things or none.
#[derive(Debug, Args)]
pub(crate) struct Formats {
    /// The format to describe in full
    name: Option<String>,
    /// Form of the list
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Formats {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let report = match &self.name {
            Some(name) => described(karat::registry().named(name)?.info()),
            None => Report::of(table()),
        };
        printing::print(&report, self.format, terminal_width())
    }
}

fn table() -> Table {
    let mut table = Table::new([
        Column::text("name"),
        Column::text("read"),
        Column::text("write"),
        Column::text("format"),
        Column::text("offsets"),
    ]);
    for format in karat::registry().formats() {
        let info = format.info();
        table.row([
            Cell::from(info.name),
            Cell::from(true),
            Cell::from(info.writes.is_some()),
            Cell::from(info.title),
            Cell::from(format!("{}, end {}", info.offsets.unit, info.offsets.end)),
        ]);
    }
    table
}

fn described(info: &Info) -> Report<'_> {
    let facts = facts(info);
    let in_words = [("name", info.name), ("format", info.title), ("about", info.about)];
    let in_words = in_words.map(|(name, value)| (name, value.to_owned()));
    let about = || ReportSection::prose(info.about);
    Report {
        title: Some(format!("{}: {}", info.name, info.title)),
        sections: vec![about(), ReportSection::lines(facts.iter().map(line).collect::<String>())],
        page: vec![about(), ReportSection::new("", listed(facts.iter()))],
        rows: Some(listed(in_words.iter().chain(&facts)).into()),
        ..Report::default()
    }
}

fn listed<'f>(facts: impl Iterator<Item = &'f (&'static str, String)>) -> Table {
    let mut table = Table::new(["what", "value"].map(Column::text));
    for (name, value) in facts {
        table.row([Cell::from(*name), Cell::from(value.as_str())]);
    }
    table
}

/// A fact as it stands in a terminal, with what does not fit into its line below its beginning.
fn line((name, value): &(&str, String)) -> String {
    let width = usize::from(terminal_width().unwrap_or(100)).saturating_sub(23);
    let value = prose::words(value, width);
    format!("{name:<23}{}\n", value.replace('\n', &format!("\n{:23}", "")))
}

fn facts(info: &Info) -> [(&'static str, String); 7] {
    let written = match info.writes {
        None => "read only",
        Some(Layout::File) => "read and written, one file",
        Some(Layout::Directory) => "read and written, a directory",
    };
    let kept: Vec<String> = info
        .keeps
        .features
        .iter_names()
        .map(|(name, _)| name.to_lowercase().replace('_', " "))
        .collect();
    let list = |keys: &[&str]| match keys {
        [] => "none".to_owned(),
        ["*"] => "all".to_owned(),
        ["*", excluded @ ..] => format!("all but {}", excluded.join(", ").replace('!', "")),
        keys => keys.join(", "),
    };
    [
        ("access", written.to_owned()),
        ("extensions", info.extensions.join(", ")),
        ("offsets", format!("{}, end {}", info.offsets.unit, info.offsets.end)),
        ("keeps", if info.writes.is_some() { kept.join(", ") } else { "-".to_owned() }),
        ("document attributes", list(info.keeps.document_attributes)),
        ("annotation attributes", list(info.keeps.annotation_attributes)),
        ("reference", info.reference.to_owned()),
    ]
}

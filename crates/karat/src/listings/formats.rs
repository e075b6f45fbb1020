//! Formats, listed and described.

use crate::error::Error;
use karat_formats::{Info, Layout};
use karat_report::{Cell, Column, Report, ReportSection, Table, prose};

/// Where the values of a format begin in a terminal.
const VALUES: usize = 23;

/// All formats, or one in full. Lines are broken at this width.
pub fn formats(name: Option<&str>, width: usize) -> Result<Report<'static>, Error> {
    match name {
        Some(name) => Ok(described(crate::registry().named(name)?.info(), width)),
        None => Ok(Report::of(table())),
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
    for format in crate::registry().formats() {
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

fn described(info: &'static Info, width: usize) -> Report<'static> {
    let facts = facts(info);
    let in_words = [("name", info.name), ("format", info.title), ("about", info.about)];
    let in_words = in_words.map(|(name, value)| (name, value.to_owned()));
    let about = || ReportSection::prose(info.about);
    let lines = facts.iter().map(|fact| line(fact, width)).collect::<String>();
    Report {
        title: Some(format!("{}: {}", info.name, info.title)),
        sections: vec![about(), ReportSection::lines(lines)],
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
fn line((name, value): &(&str, String), width: usize) -> String {
    let value = prose::words(value, width.saturating_sub(VALUES));
    format!("{name:<VALUES$}{}\n", value.replace('\n', &format!("\n{:VALUES$}", "")))
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

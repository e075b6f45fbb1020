//! `karat formats`

use crate::arguments::{FormArgument, terminal_width};
use crate::failure::Failure;
use crate::wrap;
use clap::Args;
use karat::formats::{Info, Layout};
use karat::report::{Cell, Column, Table};
use std::io::Write;

/// List the formats karat reads and writes, or describe one
///
/// Every input is recognised by its content, so the names are needed only for `--to`, and for
/// `--from` when a file could be several things or none.
#[derive(Debug, Args)]
pub(crate) struct Formats {
    /// The format to describe in full
    name: Option<String>,
    /// Form of the list
    #[arg(long, value_enum, default_value = "table")]
    format: FormArgument,
}

impl Formats {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        match &self.name {
            Some(name) => {
                let format = karat::registry().named(name)?;
                describe(&mut out, format.info())
            }
            None => {
                let table = table();
                Ok(write!(out, "{}", table.render(self.format.into(), terminal_width()))?)
            }
        }
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

fn describe(out: &mut impl Write, info: &Info) -> Result<(), Failure> {
    writeln!(out, "{}: {}\n", info.name, info.title)?;
    writeln!(out, "{}\n", wrap::words(info.about, terminal_width().unwrap_or(100).into()))?;
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
    for (name, value) in [
        ("access", written.to_owned()),
        ("extensions", info.extensions.join(", ")),
        ("offsets", format!("{}, end {}", info.offsets.unit, info.offsets.end)),
        ("keeps", if info.writes.is_some() { kept.join(", ") } else { "-".to_owned() }),
        ("document attributes", list(info.keeps.document_attributes)),
        ("annotation attributes", list(info.keeps.annotation_attributes)),
        ("reference", info.reference.to_owned()),
    ] {
        let value =
            wrap::words(&value, usize::from(terminal_width().unwrap_or(100)).saturating_sub(23));
        writeln!(out, "{name:<23}{}", value.replace('\n', &format!("\n{:23}", "")))?;
    }
    Ok(())
}

//! `karat presets`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::scoring::preset;
use clap::Args;
use karat::measures::{PRESETS, Preset};
use karat::report::{Cell, Column, Report, ReportSection, Table, prose};

/// List the conventions of the literature, or describe one
///
/// A preset fixes every setting that changes a number. `--preset NAME` chooses one, single settings
/// override it, and the signature under every table says what was used.
#[derive(Debug, Args)]
pub(crate) struct Presets {
    /// The preset to describe, with all its settings
    name: Option<String>,
    /// Form of the list
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Presets {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let report = match &self.name {
            None => Report::of(table()),
            Some(name) => described(preset(name)?),
        };
        printing::print(&report, self.format, terminal_width())
    }
}

fn table() -> Table {
    let mut table = Table::new(["name", "what it is", "measures"].map(Column::text));
    for preset in PRESETS {
        let documentation = preset.documentation();
        let title = documentation.lines().take_while(|line| !line.trim().is_empty());
        let title = title.collect::<Vec<_>>().join(" ");
        let summary = title.trim_end_matches('.');
        table.row([
            Cell::from(preset.name),
            Cell::from(summary),
            Cell::from(preset.measures.join(", ")),
        ]);
    }
    table
}

fn described(preset: &Preset) -> Report<'static> {
    let mut settings = Table::new(["setting", "value"].map(Column::text));
    for (name, value) in (preset.convention)().parts() {
        settings.row([Cell::from(name), Cell::from(value)]);
    }
    let width = terminal_width().unwrap_or(100).into();
    let about = prose::paragraphs(&preset.documentation(), width);
    let measures = preset.measures.join(", ");
    Report {
        page: vec![ReportSection::new("", settings.clone())],
        sections: vec![
            ReportSection::lines(format!("{}: {about}", preset.name)),
            ReportSection::new("", settings),
            ReportSection::lines(format!("Measures when none are asked for: {measures}")),
        ],
        ..Report::default()
    }
}

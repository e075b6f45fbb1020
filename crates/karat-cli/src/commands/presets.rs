//! `karat presets`

use crate::arguments::{FormArgument, terminal_width};
use crate::failure::Failure;
use crate::scoring::preset;
use crate::wrap;
use clap::Args;
use karat::measures::{PRESETS, setting};
use karat::report::{Cell, Column, Form, Table};
use std::io::Write;

/// List the conventions of the literature, or describe one
///
/// A preset fixes every setting that changes a number. `--preset NAME` chooses one, single settings
/// override it (`karat settings` lists them), and the signature under every table says what was used.
#[derive(Debug, Args)]
pub(crate) struct Presets {
    /// The preset to describe, with all its settings
    name: Option<String>,
    /// Form of the list
    #[arg(long, value_enum, default_value = "table")]
    format: FormArgument,
}

impl Presets {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        let Some(name) = &self.name else {
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
            return Ok(write!(out, "{}", table.render(self.format.into(), terminal_width()))?);
        };
        let preset = preset(name)?;
        let mut table = Table::new(["setting", "value", "what that means"].map(Column::text));
        for (name, value) in (preset.convention)().parts() {
            let meaning = setting(name).map(|setting| setting.meaning(&value));
            table.row([Cell::from(name), Cell::from(value), Cell::from(meaning)]);
        }
        if self.format != FormArgument::Table {
            return Ok(write!(out, "{}", table.render(self.format.into(), None))?);
        }
        let width = terminal_width().unwrap_or(100).into();
        writeln!(out, "{}: {}\n", preset.name, wrap::paragraphs(&preset.documentation(), width))?;
        writeln!(out, "{}", table.render(Form::Text, terminal_width()))?;
        writeln!(out, "Measures when none are asked for: {}", preset.measures.join(", "))?;
        Ok(())
    }
}

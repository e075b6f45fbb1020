//! `karat settings`

use crate::arguments::{FormArgument, terminal_width};
use crate::failure::Failure;
use crate::wrap;
use clap::Args;
use karat::measures::{SETTINGS, Setting, SettingError, ValueAbout, setting, values_in_presets};
use karat::report::{Cell, Column, Form, Table};
use std::io::Write;

/// List the settings of conventions, or describe one
///
/// A setting is something that a convention decides and that changes a number. A preset gives all of them a
/// value; `--set NAME=VALUE` changes one. Those that decide who meets whom can also stand in the brackets of a
/// measure, as `link(match=overlap)`.
#[derive(Debug, Args)]
pub(crate) struct SettingsCommand {
    /// The setting to describe, with all its values
    name: Option<String>,
    /// Form of the list
    #[arg(long, value_enum, default_value = "table")]
    format: FormArgument,
}

impl SettingsCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        match &self.name {
            None => Ok(write!(out, "{}", list().render(self.format.into(), terminal_width()))?),
            Some(name) => {
                let unknown = || SettingError::Name { name: name.clone() };
                self.describe(&mut out, setting(name).ok_or_else(unknown)?)
            }
        }
    }

    fn describe(&self, out: &mut impl Write, setting: &dyn Setting) -> Result<(), Failure> {
        let values = values(&setting.values());
        if self.format != FormArgument::Table {
            return Ok(write!(out, "{}", values.render(self.format.into(), None))?);
        }
        let width = terminal_width().unwrap_or(100).into();
        let about = format!("{}: {}", setting.name(), setting.about());
        writeln!(out, "{}\n", wrap::words(&about, width))?;
        writeln!(out, "{}", values.render(Form::Text, terminal_width()))?;
        writeln!(out, "{}", wrap::words(&presets(setting), width))?;
        if setting.is_of_matching() {
            let example = setting.values().first().map_or("", |value| value.name);
            writeln!(out, "For one measure: link({}={example})", setting.name())?;
        }
        Ok(())
    }
}

fn list() -> Table {
    let mut table = Table::new(["name", "what it decides", "values"].map(Column::text));
    for setting in SETTINGS {
        table.row([
            Cell::from(setting.name()),
            Cell::from(setting.about()),
            Cell::from(setting.expected()),
        ]);
    }
    table
}

/// The values of a setting, a row each.
fn values(values: &[ValueAbout]) -> Table {
    let mut table = Table::new(["value", "what it does"].map(Column::text));
    for value in values {
        let about = match value.is_example {
            true => format!("An example of {}.", value.about),
            false => value.about.to_owned(),
        };
        table.row([Cell::from(value.name), Cell::from(about)]);
    }
    table
}

/// Which presets have which value.
fn presets(setting: &dyn Setting) -> String {
    let values = values_in_presets(setting);
    match values.as_slice() {
        [(only, _)] => format!("In all presets: {only}"),
        values => {
            let said = values.iter().map(|(value, presets)| {
                let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
                format!("{value} in {}", names.join(", "))
            });
            format!("In presets: {}", said.collect::<Vec<_>>().join("; "))
        }
    }
}

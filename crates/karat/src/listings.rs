//! What there is to choose from, listed and described: measures, presets, settings, formats, checks and categories.

mod findings;
mod formats;

pub use findings::{categories, checks};
pub use formats::formats;

use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::scoring::Scoring;
use karat_measures::{
    Definition, MEASURES, Name, PRESETS, Preset, SETTINGS, Setting, SettingError, ValueAbout,
    definition, group, groups, setting, values_in_presets,
};
use karat_report::{Cell, Column, Report, ReportSection, Table, prose};

/// All measures, or one, or the members of a group. Prose is broken into lines of this width.
pub fn measures(name: Option<&str>, width: usize) -> Result<Report<'static>, Error> {
    let Some(name) = name else {
        let groups = format!("Groups: {}", groups().join(", "));
        return Ok(Report {
            sections: vec![
                ReportSection::new("", measure_table(MEASURES)),
                ReportSection::lines(groups),
            ],
            page: vec![ReportSection::new("", measure_table(MEASURES))],
            ..Report::default()
        });
    };
    if let Some(measure) = definition(name) {
        return Ok(described_measure(measure, width));
    }
    let members = group(name);
    if !members.is_empty() {
        return Ok(Report::of(measure_table(&members)));
    }
    Scoring::named("karat", &[name])?;
    let parsed = Name::parse(name)?;
    match (definition(&parsed.family), group(&parsed.family).as_slice()) {
        (Some(measure), _) => Ok(described_measure(measure, width)),
        (None, []) => Err(Error::bad_request(
            format!("`{name}` is written in neleval's notation"),
            "give it to `karat eval -m`",
        )),
        (None, members) => Ok(Report::of(measure_table(members))),
    }
}

fn measure_table(measures: &[&'static Definition]) -> Table {
    let columns = ["name", "what it is", "also called", "groups"].map(Column::text);
    let mut table = Table::new(columns);
    for measure in measures {
        table.row([
            Cell::from(measure.name),
            Cell::from(measure.summary()),
            Cell::from(measure.aliases.join(", ")),
            Cell::from(measure.groups.join(", ")),
        ]);
    }
    table
}

fn described_measure(measure: &'static Definition, width: usize) -> Report<'static> {
    let documentation = measure.documentation();
    let body = documentation.split_once('\n').map_or("", |(_, body)| body).trim();
    let mut lines = prose::paragraphs(body, width);
    if !measure.parameters.is_empty() {
        lines += &format!("\n\nParameters\n\n{}", parameters(measure, width).trim_end());
    }
    if !measure.aliases.is_empty() {
        lines += &format!("\n\nAlso called: {}", measure.aliases.join(", "));
    }
    if !measure.groups.is_empty() {
        lines += &format!("\nIn the groups: {}", measure.groups.join(", "));
    }
    let mut row = measure_table(&[measure]);
    row.detail("documentation", body);
    Report {
        title: Some(format!("{}: {}", measure.name, measure.summary())),
        sections: vec![ReportSection::lines(lines)],
        page: vec![ReportSection::prose(body), ReportSection::new("", row.clone())],
        rows: Some(row.into()),
        ..Report::default()
    }
}

/// The parameters of a measure: what each decides, and a line for each value that has a name.
fn parameters(measure: &Definition, width: usize) -> String {
    let mut text = String::new();
    for parameter in measure.parameters {
        let usual = parameter.default().unwrap_or_else(|| "as the convention has it".to_owned());
        let (name, about, expected) = (parameter.name(), parameter.about(), parameter.expected());
        let line = format!("{name}: {about} Takes {expected}. If not given: {usual}.");
        text.push_str(&prose::words(&line, width));
        text.push('\n');
        for value in parameter.values().iter().filter(|value| !value.is_example) {
            text.push_str(&format!("  {:<14} {}\n", value.name, value.about));
        }
    }
    text
}

/// All presets, or one with all its settings.
pub fn presets(name: Option<&str>, width: usize) -> Result<Report<'static>, Error> {
    let Some(name) = name else { return Ok(Report::of(preset_table())) };
    let request = ConventionRequest { preset: name.to_owned(), ..ConventionRequest::default() };
    Ok(described_preset(request.preset()?, width))
}

fn preset_table() -> Table {
    let mut table = Table::new(["name", "what it is", "measures"].map(Column::text));
    for preset in PRESETS {
        table.row([
            Cell::from(preset.name),
            Cell::from(preset.summary()),
            Cell::from(preset.measures.join(", ")),
        ]);
    }
    table
}

fn described_preset(preset: &Preset, width: usize) -> Report<'static> {
    let mut settings = Table::new(["setting", "value", "what that means"].map(Column::text));
    for (name, value) in (preset.convention)().parts() {
        let meaning = setting(name).map(|setting| setting.meaning(&value));
        settings.row([Cell::from(name), Cell::from(value), Cell::from(meaning)]);
    }
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

/// All settings, or one with all its values.
pub fn settings(name: Option<&str>, width: usize) -> Result<Report<'static>, Error> {
    let Some(name) = name else { return Ok(Report::of(setting_table())) };
    let unknown = || SettingError::Name { name: name.to_owned() };
    Ok(described_setting(setting(name).ok_or_else(unknown)?, width))
}

fn setting_table() -> Table {
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

fn described_setting(setting: &dyn Setting, width: usize) -> Report<'static> {
    let values = value_table(&setting.values());
    let about = format!("{}: {}", setting.name(), setting.about());
    let mut below = prose::words(&in_presets(setting), width);
    if setting.is_of_matching() {
        let example = setting.values().first().map_or("", |value| value.name);
        below += &format!("\nFor one measure: link({}={example})", setting.name());
    }
    Report {
        page: vec![ReportSection::new("", values.clone())],
        sections: vec![
            ReportSection::lines(prose::words(&about, width)),
            ReportSection::new("", values),
            ReportSection::lines(below),
        ],
        ..Report::default()
    }
}

/// The values of a setting, a row each.
fn value_table(values: &[ValueAbout]) -> Table {
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
fn in_presets(setting: &dyn Setting) -> String {
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

/// The names of the presets.
pub fn preset_names() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|preset| preset.name)
}

/// The names of the settings of a convention.
pub fn setting_names() -> impl Iterator<Item = &'static str> {
    SETTINGS.iter().map(|setting| setting.name())
}

/// The values of a setting that have names, each with what it does. Others cannot be listed.
pub fn named_values(name: &str) -> Vec<(&'static str, &'static str)> {
    let values = setting(name).map(Setting::values).unwrap_or_default();
    let named = values.into_iter().filter(|value| !value.is_example);
    named.map(|value| (value.name, value.about)).collect()
}

//! `karat measures`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use clap::Args;
use karat::measures::{Definition, MEASURES, Name, definition, group, groups};
use karat::report::{Cell, Column, Report, ReportSection, Table, prose};

/// List the measures, or describe one
///
/// A measure is asked for by name, `link`; a score of it as `link.f1`; the mean over documents as
/// `link.f1@macro`; under another matching as `link(match=overlap)`. The names of other tools work
/// too: `strong_link_match`, and neleval's notation `sets:is_linked:span+kbid`.
#[derive(Debug, Args)]
pub(crate) struct Measures {
    /// A measure to describe, or a group to list
    name: Option<String>,
    /// Form of the list
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

impl Measures {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let report = match &self.name {
            None => all(),
            Some(name) => asked(name)?,
        };
        printing::print(&report, self.format, terminal_width())
    }
}

fn all() -> Report<'static> {
    let groups = format!("Groups: {}", groups().join(", "));
    Report {
        sections: vec![ReportSection::new("", table(MEASURES)), ReportSection::lines(groups)],
        page: vec![ReportSection::new("", table(MEASURES))],
        ..Report::default()
    }
}

/// What a name stands for: a measure, which is described, or a group, which is listed.
fn asked(name: &str) -> Result<Report<'static>, Failure> {
    if let Some(measure) = definition(name) {
        return Ok(described(measure));
    }
    let members = group(name);
    if !members.is_empty() {
        return Ok(Report::of(table(&members)));
    }
    karat::scoring::Scoring::named("karat", &[name])?;
    let parsed = Name::parse(name)?;
    match (definition(&parsed.family), group(&parsed.family).as_slice()) {
        (Some(measure), _) => Ok(described(measure)),
        (None, []) => Err(Failure::usage(
            format!("`{name}` is written in neleval's notation"),
            "give it to `karat eval -m`",
        )),
        (None, members) => Ok(Report::of(table(members))),
    }
}

fn table(measures: &[&'static Definition]) -> Table {
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

fn described(measure: &'static Definition) -> Report<'static> {
    let documentation = measure.documentation();
    let body = documentation.split_once('\n').map_or("", |(_, body)| body).trim();
    let mut lines = prose::paragraphs(body, terminal_width().unwrap_or(100).into());
    if !measure.aliases.is_empty() {
        lines += &format!("\n\nAlso called: {}", measure.aliases.join(", "));
    }
    if !measure.groups.is_empty() {
        lines += &format!("\nIn the groups: {}", measure.groups.join(", "));
    }
    let mut row = table(&[measure]);
    row.detail("documentation", body);
    Report {
        title: Some(format!("{}: {}", measure.name, measure.summary())),
        sections: vec![ReportSection::lines(lines)],
        page: vec![ReportSection::prose(body), ReportSection::new("", row.clone())],
        rows: Some(row.into()),
        ..Report::default()
    }
}

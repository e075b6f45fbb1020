//! `karat measures`

use crate::arguments::{FormArgument, terminal_width};
use crate::failure::Failure;
use crate::wrap;
use clap::Args;
use karat::measures::{Definition, MEASURES, Name, definition, group, groups};
use karat::report::{Cell, Column, Table};
use std::io::Write;

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
    #[arg(long, value_enum, default_value = "table")]
    format: FormArgument,
}

impl Measures {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        let Some(name) = &self.name else {
            let all = table(MEASURES);
            write!(out, "{}", all.render(self.format.into(), terminal_width()))?;
            if self.format == FormArgument::Table {
                writeln!(out, "\nGroups: {}", groups().join(", "))?;
            }
            return Ok(());
        };
        if let Some(measure) = definition(name) {
            return describe(&mut out, measure);
        }
        let mut list = |members: &[&'static Definition]| {
            write!(out, "{}", table(members).render(self.format.into(), terminal_width()))
        };
        let members = group(name);
        if !members.is_empty() {
            return Ok(list(&members)?);
        }
        karat::scoring::Scoring::named("karat", &[name.as_str()])?;
        let parsed = Name::parse(name)?;
        match (definition(&parsed.family), group(&parsed.family).as_slice()) {
            (Some(measure), _) => describe(&mut out, measure),
            (None, []) => Err(Failure::usage(
                format!("`{name}` is written in neleval's notation"),
                "give it to `karat eval -m`",
            )),
            (None, members) => Ok(list(members)?),
        }
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

/// The parameters of a measure: what each decides, and a line for each value that has a name.
fn parameters(measure: &Definition, width: usize) -> String {
    let mut text = String::new();
    for parameter in measure.parameters {
        let usual = parameter.default().unwrap_or_else(|| "as the convention has it".to_owned());
        let (name, about, expected) = (parameter.name(), parameter.about(), parameter.expected());
        let line = format!("{name}: {about} Takes {expected}. If not given: {usual}.");
        text.push_str(&wrap::words(&line, width));
        text.push('\n');
        for value in parameter.values().iter().filter(|value| !value.is_example) {
            text.push_str(&format!("  {:<14} {}\n", value.name, value.about));
        }
    }
    text
}

fn describe(out: &mut impl Write, measure: &Definition) -> Result<(), Failure> {
    writeln!(out, "{}: {}", measure.name, measure.summary())?;
    let width = terminal_width().unwrap_or(100).into();
    let documentation = measure.documentation();
    let body = documentation.split_once('\n').map_or("", |(_, body)| body);
    writeln!(out, "\n{}", wrap::paragraphs(body.trim(), width))?;
    if !measure.parameters.is_empty() {
        write!(out, "\nParameters\n\n{}", parameters(measure, width))?;
    }
    if !measure.aliases.is_empty() {
        writeln!(out, "\nAlso called: {}", measure.aliases.join(", "))?;
    }
    if !measure.groups.is_empty() {
        writeln!(out, "In the groups: {}", measure.groups.join(", "))?;
    }
    Ok(())
}

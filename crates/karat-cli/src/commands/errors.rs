//! `karat errors`

use crate::arguments::{ResultForm, terminal_width};
use crate::failure::Failure;
use crate::scoring::{self, Compared, ConventionArguments};
use clap::Args;
use karat::analysis::{self, Answer, Incident};
use karat::facets::Finding;
use karat::measures::Signature;
use karat::report::{Cell, Column, Table};
use karat::scoring::json;
use std::io::Write;

/// Count and list what went wrong
///
/// Each gold mention is set beside the prediction on its span: missing, extra, wrong-link,
/// link-as-nil, nil-as-link, or correct. Missing and extra mentions may be NIL.
#[derive(Debug, Args)]
pub(crate) struct Errors {
    #[command(flatten)]
    compared: Compared,
    #[command(flatten)]
    convention: ConventionArguments,
    /// List the mentions instead of counting them; implied by --category
    #[arg(long)]
    list: bool,
    /// List only these kinds, as `missing,wrong-link`; by default everything but what is correct, and in
    /// the format of neleval that as well
    #[arg(long, value_name = "KIND,...", value_delimiter = ',')]
    category: Vec<String>,
    /// Form of the result
    #[arg(long, value_enum, default_value = "table")]
    format: ResultForm,
}

impl Errors {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let kept = self.kept()?;
        let mut convention = self.convention.convention()?;
        // A threshold that is best for a score is none for a list of mentions.
        convention.oracle = false;
        let identity = self.convention.identity(&convention)?;
        let contests = self.compared.read()?;
        let mut found = Vec::new();
        let mut signatures = Vec::new();
        for contest in &contests {
            for system in &contest.systems {
                let settings = &convention.settings;
                let incidents =
                    analysis::incidents(&contest.gold, &system.corpus, &identity, settings);
                found.push((contest.name.as_str(), system.name.as_str(), incidents));
            }
            let mut signature = Signature::new(&convention);
            if let Some(kb) = identity.signature() {
                signature.push("kb", &kb);
            }
            signature.push("gold", &format!("{}@{}", contest.name, contest.gold.fingerprint()));
            signatures.push(signature.to_string());
        }
        identity.check()?;
        if self.format == ResultForm::Neleval {
            return self.print_neleval(&found, &kept);
        }
        let several = contests.len() > 1;
        let table = match self.lists() {
            true => list(&found, several, &kept),
            false => counts(&found, several),
        };
        if self.format == ResultForm::Json {
            let rows = json::rows(&table, &signatures);
            return Ok(writeln!(anstream::stdout(), "{rows:#}")?);
        }
        scoring::print(self.format, &[("", &table)], &signatures, terminal_width())
    }

    fn lists(&self) -> bool {
        self.list || !self.category.is_empty()
    }

    fn kept(&self) -> Result<Vec<Finding>, Failure> {
        if self.category.is_empty() {
            // neleval lists what is right as well.
            let right = self.format == ResultForm::Neleval;
            let kept = |finding: &Finding| right || !finding.is_right();
            return Ok(Finding::ALL.into_iter().filter(kept).collect());
        }
        let named = |name: &String| {
            Finding::ALL.into_iter().find(|finding| finding.name() == name).ok_or_else(|| {
                let names: Vec<&str> = Finding::ALL.iter().map(|finding| finding.name()).collect();
                Failure::usage(
                    format!("there is no kind `{name}`"),
                    format!("kinds are {}", names.join(", ")),
                )
            })
        };
        self.category.iter().map(named).collect()
    }

    fn print_neleval(&self, found: &[Found<'_>], kept: &[Finding]) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        for (_, system, incidents) in found {
            if found.len() > 1 {
                writeln!(out, "# {system}")?;
            }
            if self.lists() {
                for incident in incidents.iter().filter(|incident| kept.contains(&incident.finding))
                {
                    let answer = |side: &str, answer: &Option<Answer>| match answer {
                        Some(Answer::Entity(entity)) => format!("{side}\"{entity}\""),
                        Some(Answer::Nil) => format!("{side}NIL"),
                        None => String::new(),
                    };
                    writeln!(
                        out,
                        "{}\t{}\t{}\t{}",
                        incident.finding.name(),
                        incident.document,
                        answer("g", &incident.gold),
                        answer("s", &incident.system)
                    )?;
                }
            } else {
                write!(out, "{}", analysis::neleval(&analysis::counts(incidents)))?;
            }
        }
        Ok(())
    }
}

/// Benchmark, system, and what became of every mention.
type Found<'a> = (&'a str, &'a str, Vec<Incident>);

fn counts(found: &[Found<'_>], several: bool) -> Table {
    let benchmark = several.then(|| Column::text("benchmark"));
    let kinds = Finding::ALL.iter().flat_map(|&finding| {
        let nil = may_be_nil(finding).then(|| Column::count(format!("{} NIL", finding.name())));
        std::iter::once(Column::count(finding.name())).chain(nil)
    });
    let mut table = Table::new(benchmark.into_iter().chain([Column::text("system")]).chain(kinds));
    for (benchmark, system, incidents) in found {
        let counts = analysis::counts(incidents);
        let count = |&finding: &Finding| {
            let all = Cell::from(counts.get(&finding).copied().unwrap_or_default());
            let nil = may_be_nil(finding).then(|| Cell::from(nil_among(incidents, finding)));
            std::iter::once(all).chain(nil)
        };
        let named = several.then(|| Cell::from(*benchmark));
        let cells = named.into_iter().chain([Cell::from(*system)]);
        table.row(cells.chain(Finding::ALL.iter().flat_map(count)));
    }
    table
}

/// Whether the name of a finding leaves open if the answer is NIL. The counts say it, so that
/// they add up to those of `link`.
fn may_be_nil(finding: Finding) -> bool {
    matches!(finding, Finding::Missing | Finding::Extra)
}

/// How many of a finding, which concerns one side only, are NIL.
fn nil_among(incidents: &[Incident], finding: Finding) -> usize {
    let of_finding = incidents.iter().filter(|incident| incident.finding == finding);
    of_finding
        .filter(|incident| [&incident.gold, &incident.system].contains(&&Some(Answer::Nil)))
        .count()
}

fn list(found: &[Found<'_>], several: bool, kept: &[Finding]) -> Table {
    let benchmark = several.then(|| Column::text("benchmark"));
    let columns = ["system", "document", "start", "end", "mention", "error", "gold", "prediction"];
    let column = |name: &str| match name {
        "start" | "end" => Column::count(name),
        _ => Column::text(name),
    };
    let mut table = Table::new(benchmark.into_iter().chain(columns.map(column)));
    for (benchmark, system, incidents) in found {
        for incident in incidents.iter().filter(|incident| kept.contains(&incident.finding)) {
            let answer =
                |answer: &Option<Answer>| Cell::from(answer.as_ref().map(ToString::to_string));
            let named = several.then(|| Cell::from(*benchmark));
            let cells = [
                Cell::from(*system),
                Cell::from(incident.document.as_str()),
                Cell::from(incident.span.start as usize),
                Cell::from(incident.span.end as usize),
                Cell::from(incident.surface.clone()),
                Cell::from(incident.finding.name()),
                answer(&incident.gold),
                answer(&incident.system),
            ];
            table.row(named.into_iter().chain(cells));
        }
    }
    table
}

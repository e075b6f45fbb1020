//! `karat errors`

mod inspect;

use crate::arguments::{ResultForm, terminal_width};
use crate::failure::Failure;
use crate::printing;
use crate::scoring::{Compared, ConventionArguments};
use clap::Args;
use karat::analysis::{self, Answer, Incident};
use karat::facets::Finding;
use karat::facets::taxonomy::Category;
use karat::measures::Signature;
use karat::report::{Cell, Column, Table};
use karat::scoring::json;
use std::io::Write;

/// Count and list what went wrong
///
/// Each gold mention is set beside the prediction on its span: missing, extra, wrong-link,
/// link-as-nil, nil-as-link, or correct. Missing and extra mentions may be NIL. With `--by category`
/// errors are told apart by what makes them hard, as in ELEVANT; a knowledge base (--kb) is needed for
/// some categories, and what is not known without is shown as a dash.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Errors {
    #[command(flatten)]
    compared: Compared,
    #[command(flatten)]
    convention: ConventionArguments,
    /// List the mentions instead of counting them; implied by --category
    #[arg(long)]
    list: bool,
    /// List only these kinds, as `missing,wrong-link`, or categories, as `metonymy`; by default everything
    /// but what is correct, and in the format of neleval that as well
    #[arg(long, value_name = "KIND,...", value_delimiter = ',')]
    category: Vec<String>,
    /// What errors are told apart by
    #[arg(long, value_enum, default_value = "error")]
    by: By,
    /// What is done about entities that the knowledge base does not have
    #[arg(long, value_enum, default_value = "ignored")]
    unknowns: UnknownsArgument,
    /// Only mentions with this label, as `type=PER`; may be given several times, for any facet
    #[arg(long = "where", value_name = "FACET=LABEL")]
    filters: Vec<String>,
    /// What the first of two systems gets right and the second wrong, the reverse, and what both get wrong
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    diff: Vec<String>,
    /// Where several systems agree against gold, the most suspicious first, as tasks for verification
    #[arg(long, conflicts_with = "diff")]
    suspects: bool,
    /// How many systems must agree for a suspect
    #[arg(long, value_name = "N", default_value_t = 2, requires = "suspects")]
    agree: usize,
    /// Form of the result
    #[arg(long, value_enum, default_value = "table")]
    format: ResultForm,
}

const EXAMPLES: &str = "Examples:
  karat errors -g gold.tsv -s mine=system.tsv
      how many mentions are missing, extra or linked wrongly
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --kb facts.kb --by category
      errors by category, with the share of mentions in which they could be made
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --category metonymy --system a --where type=PER
      the mentions behind a number, of one of the systems
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl --diff a b
      what one gets right and the other wrong
  karat errors -g gold.jsonl -s a=a.jsonl -s b=b.jsonl -s c=c.jsonl --suspects --format jsonl
      where gold itself may be wrong";

/// What errors are told apart by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum By {
    /// The kinds of neleval
    Error,
    /// The categories of ELEVANT, under the taxonomy of the convention
    Category,
    /// The relation of each mention to the other side
    Relation,
    /// What is wrong with spans
    SpanError,
}

/// What is done about unknown entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum UnknownsArgument {
    /// They are left out, and NIL is no answer
    Ignored,
    /// They are to be found
    Required,
}

impl Errors {
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        self.format.check_table()?;
        let named = self.compared.take_named();
        if !matches!(self.by, By::Error) || self.asks_for_categories() || !named.is_empty() {
            return inspect::run(&self, &named);
        }
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
        printing::print(self.format, &[("", &table)], &signatures, terminal_width())
    }

    /// Whether something is asked for that only labelled cases can tell.
    fn asks_for_categories(&self) -> bool {
        let is_kind = |name: &String| Finding::ALL.iter().any(|finding| finding.name() == name);
        let is_category = |name: &String| !is_kind(name) && !Category::named(name).is_empty();
        self.suspects
            || !self.diff.is_empty()
            || !self.filters.is_empty()
            || self.category.iter().any(is_category)
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
                let categories: Vec<&str> = Category::all().map(Category::name).collect();
                Failure::usage(
                    format!("there is no kind `{name}`"),
                    format!(
                        "kinds are {}; categories are {}",
                        names.join(", "),
                        categories.join(", ")
                    ),
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

//! `karat errors`

mod asked;
mod inspect;
mod kind;

use crate::arguments::{ResultForm, terminal_width};
use crate::failure::Failure;
use crate::printing;
use crate::scoring::{Compared, Contest, ConventionArguments};
use clap::Args;
use karat::analysis::{self, Answer, Incident};
use karat::errors::columns;
use karat::kb::Identity;
use karat::measures::{Convention, Signature};
use karat::report::{Cell, Column, Table};
use karat::scoring::json;
use kind::Kind;
use std::io::Write;

/// Count and list what went wrong
///
/// Each gold mention is set beside the prediction on its span: missing, extra, wrong-link,
/// link-as-nil, nil-as-link, or correct. Missing and extra mentions may be NIL. With `--by category`
/// errors are told apart by what makes them hard, as in ELEVANT; a knowledge base (--kb) is needed for
/// some categories, and what is not known without is shown as a dash. Of several systems, `--system NAME`
/// beside those that have an input leaves only these names in the result.
#[derive(Debug, Args)]
#[command(after_help = asked::help())]
pub(crate) struct Errors {
    #[command(flatten)]
    compared: Compared,
    #[command(flatten)]
    convention: ConventionArguments,
    /// List the mentions instead of counting them; implied by --category
    #[arg(long)]
    list: bool,
    /// List only these kinds, as `missing,wrong-link` or `missing NIL`, or categories, as `metonymy`, `ner_fn.other` or all of
    /// `ner_fn`; by default everything but what is correct, and in the format of neleval that as well
    #[arg(long, value_name = "KIND,...", value_delimiter = ',')]
    category: Vec<String>,
    /// Count and list what gold and the system say of a document once, however many mentions say it
    #[arg(long)]
    unique: bool,
    /// What errors are told apart by [default: error]
    #[arg(long, value_enum)]
    by: Option<By>,
    /// What is done about entities that the knowledge base does not have [default: ignored]
    #[arg(long, value_enum)]
    unknowns: Option<UnknownsArgument>,
    /// Only mentions with this label, as `type=PER`; may be given several times, for any facet
    #[arg(long = "where", value_name = "FACET=LABEL")]
    filters: Vec<String>,
    /// What the first of two systems gets right and the second wrong, the reverse, and what both get wrong
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    diff: Vec<String>,
    /// By which label of this facet links are right, for each that gold mentions have, as `base-form`: they
    /// differ where a link is right by an alternative of another category
    #[arg(long, value_name = "FACET", conflicts_with_all = ["diff", "suspects", "list", "category", "by", "filters", "partial_spans"])]
    confusion: Option<String>,
    /// Pairs of a gold mention and a prediction that overlap on different spans and share a link
    #[arg(long, conflicts_with_all = ["diff", "suspects", "list", "category", "by", "filters"])]
    partial_spans: bool,
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
        let named = self.compared.take_named()?;
        self.check()?;
        let kept = if self.is_about_kinds() { self.kinds()? } else { Vec::new() };
        let ground = self.ground(&named)?;
        match self.is_about_kinds() {
            true => self.print_kinds(&ground, &kept),
            false => inspect::run(&self, &ground),
        }
    }

    /// Reads everything; of the systems only those stay that are named, if any are.
    fn ground(&self, named: &[String]) -> Result<Ground, Failure> {
        let mut convention = self.convention.convention()?;
        // A threshold that is best for a score is none for a list of mentions.
        convention.oracle = false;
        let identity = self.convention.identity(&convention)?;
        let mut contests = self.compared.read()?;
        for contest in &mut contests {
            contest.systems.retain(|system| named.is_empty() || named.contains(&system.name));
            contest.say_what_is_missing();
            contest.say_if_nothing_is_known(&convention);
        }
        let provenance = self.compared.provenance()?;
        let signature = |contest: &Contest| {
            let mut signature = Signature::new(&convention);
            if let Some(kb) = identity.signature() {
                signature.push("kb", &kb);
            }
            if self.unknowns == Some(UnknownsArgument::Required) {
                signature.push("unknowns", "required");
            }
            signature.push("gold", &format!("{}@{}", contest.name, contest.gold.digest().short()));
            if let Some((name, value)) = &provenance {
                signature.push(name, value);
            }
            signature.to_string()
        };
        let signatures = contests.iter().map(signature).collect();
        Ok(Ground { convention, identity, contests, signatures })
    }

    fn print_kinds(&self, ground: &Ground, kept: &[Kind]) -> Result<(), Failure> {
        let Ground { convention, identity, contests, .. } = ground;
        let mut found = Vec::new();
        for contest in contests {
            for system in &contest.systems {
                let settings = &convention.settings;
                let incidents =
                    analysis::incidents(&contest.gold, &system.corpus, identity, settings);
                let incidents = match self.unique {
                    true => analysis::unique(incidents),
                    false => incidents,
                };
                found.push((contest.name.as_str(), system.name.as_str(), incidents));
            }
        }
        identity.check()?;
        if self.format == ResultForm::Neleval {
            return self.print_neleval(&found, kept);
        }
        let several = contests.len() > 1;
        self.print(
            ground,
            &match self.lists() {
                true => list(&found, several, kept),
                false => counts(&found, several),
            },
        )
    }

    fn print(&self, ground: &Ground, table: &Table) -> Result<(), Failure> {
        ground.identity.check()?;
        let signatures = &ground.signatures;
        if self.format == ResultForm::Json {
            let rows = json::rows(table, signatures);
            return Ok(writeln!(anstream::stdout(), "{rows:#}")?);
        }
        printing::print(self.format, &[("", table)], signatures, terminal_width())
    }

    fn print_neleval(&self, found: &[Found<'_>], kept: &[Kind]) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        let several = |name: fn(&Found<'_>) -> String| {
            found.iter().any(|one| found.first().is_some_and(|first| name(first) != name(one)))
        };
        let several_benchmarks = several(|(benchmark, ..)| (*benchmark).to_owned());
        let several_systems = several(|(_, system, _)| (*system).to_owned());
        let mut last = None;
        for (benchmark, system, incidents) in found {
            if several_benchmarks && last.replace(benchmark) != Some(benchmark) {
                writeln!(out, "# {benchmark}")?;
            }
            if several_systems {
                writeln!(out, "# {system}")?;
            }
            if self.lists() {
                for incident in incidents.iter().filter(|incident| is_of(incident, kept)) {
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

/// What errors are looked for in.
struct Ground {
    convention: Convention,
    identity: Identity,
    contests: Vec<Contest>,
    /// One for each contest.
    signatures: Vec<String>,
}

/// Benchmark, system, and what became of every mention.
type Found<'a> = (&'a str, &'a str, Vec<Incident>);

fn counts(found: &[Found<'_>], several: bool) -> Table {
    let benchmark = several.then(|| Column::text("benchmark"));
    let kinds = Kind::all().map(|kind| Column::count(kind.name()));
    let mut table = Table::new(benchmark.into_iter().chain([Column::text("system")]).chain(kinds));
    for (benchmark, system, incidents) in found {
        let count =
            |kind: Kind| Cell::from(incidents.iter().filter(|incident| kind.has(incident)).count());
        let named = several.then(|| Cell::from(*benchmark));
        let cells = named.into_iter().chain([Cell::from(*system)]);
        table.row(cells.chain(Kind::all().map(count)));
    }
    table
}

/// Whether this is of one of the kinds.
fn is_of(incident: &Incident, kinds: &[Kind]) -> bool {
    kinds.iter().any(|kind| kind.has(incident))
}

fn list(found: &[Found<'_>], several: bool, kept: &[Kind]) -> Table {
    let names = ["system", "document", "start", "end", "mention", "error", "gold", "prediction"];
    let mut table = Table::new(columns(several.then_some("benchmark").into_iter().chain(names)));
    for (benchmark, system, incidents) in found {
        for incident in incidents.iter().filter(|incident| is_of(incident, kept)) {
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
            table.detail("span", vec![incident.span.start, incident.span.end]);
            for (key, answer) in
                [("gold_entity", &incident.gold), ("prediction_entity", &incident.system)]
            {
                let entity = match answer {
                    Some(Answer::Entity(entity)) => Some(entity.clone()),
                    Some(Answer::Nil) | None => None,
                };
                table.detail(key, entity);
            }
        }
    }
    table
}

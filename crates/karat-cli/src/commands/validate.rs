//! `karat validate`

mod fix;

use crate::arguments::{ReadArguments, terminal_width};
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::show::{self, BOLD, Level, PLAIN, counted};
use clap::Args;
use karat::checks::{CHECKS, CheckReport, Finding, Rule, Severity, Subject};
use karat::formats::{Findings, Kind, Outcome, Problem};
use karat::inputs::{InputRequest, ReadInput, ReadingRequest, check_offsets, plain_text};
use karat::kb::KnowledgeBase;
use karat::model::Corpus;
use karat::report::{Audience, Cell, Column, Deferred, Report, ReportSection, Table};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

/// Check files, list what is wrong, and mend what can be mended
///
/// First every record is read against its format: shape, offsets, surface forms. Then the corpus
/// is checked: mentions with white space at their edges or inside a word, duplicate and crossing
/// mentions, damaged links, category tags that contradict their scheme or the spans, with
/// --gold, documents that are missing, unknown or differ in their text, and, with --kb, links to what
/// is not there, to redirects and to lists of meanings.
///
/// Records that are wrong in a way that can be told from the rest are repaired while they are read. They are
/// findings too, and --fix writes them as they should be. Bad records never stop a validation; --lenient
/// is about those of --gold.
///
/// Exit code 0: nothing but notes; 1: warnings or errors of the checks, or repaired records; 2: records that
/// could not be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  karat validate gold.ttl
  karat validate runs/*.tsv --gold gold.tsv
  karat validate gold.ttl --fix --output gold.fixed.ttl
  karat validate gold.ttl --fix --fix-surface
      where the words of a mention are not those of the text, take the text's
  karat validate gold.ttl --rule '{tag@el:Mnt-ProForm}[el:Ref-Anaphoric](el:Ref-Direct)'
  karat validate gold.ttl --rules my-rules.txt --kb wikipedia.kb
  karat validate --list")]
pub(crate) struct Validate {
    /// What to check, each an input of its own: a file, a directory, `-`, or several joined by commas
    #[arg(value_name = "INPUT", required_unless_present = "list")]
    inputs: Vec<String>,
    /// The gold standard the files belong to
    #[arg(long, short, value_name = "GOLD")]
    gold: Option<String>,
    /// Apply the proposed fixes and write the file again
    #[arg(long)]
    fix: bool,
    /// With --fix: where the words of a mention are not those of the text at its offsets, take the text's
    #[arg(long, requires = "fix")]
    fix_surface: bool,
    /// Where --fix writes; by default over the input, which is kept as FILE.orig, FILE.orig.1 and so on
    #[arg(long, short, value_name = "FILE", requires = "fix")]
    output: Option<String>,
    /// A rule of your own, `{CONDITIONS}[TAGS TO ADD](TAGS TO REMOVE)`; may be given several times
    ///
    /// A condition is `tag@NAME`, the mention has this tag, or `mnt@TEXT`, its text is this. Those in
    /// `{a,b}` must all hold, of those in `<a,b>` one.
    #[arg(long, value_name = "RULE")]
    rule: Vec<String>,
    /// A file of rules, one on a line; a rule may have a name, as in `pronouns: {mnt@it}[el:Mnt-ProForm]`
    #[arg(long, value_name = "FILE")]
    rules: Option<String>,
    /// A knowledge base of `karat kb build`, to look the links up in
    #[arg(long, value_name = "FILE")]
    kb: Option<PathBuf>,
    /// Only these checks, joined by commas; `rule` are all rules, the name of a rule that one
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    check: Vec<String>,
    /// List the checks there are
    #[arg(long)]
    list: bool,
    /// Form of the output
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
    #[command(flatten)]
    reading: ReadArguments,
}

impl Validate {
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        if self.list {
            return self.list_checks();
        }
        if self.fix && self.inputs.len() > 1 && self.output.is_some() {
            let message = "--output names one file, but there are several inputs";
            return Err(Failure::usage(message, "fix them one by one, or leave --output out"));
        }
        let mut rules = self.rules()?;
        let checks = self.checks(&rules)?;
        self.keep_asked(&mut rules);
        let gold = match &self.gold {
            Some(gold) => Some(self.reading.read_input(gold)?),
            None => None,
        };
        let base = self.kb.as_deref().map(KnowledgeBase::open).transpose()?;
        // A validation lists everything that is wrong, not only the first.
        self.reading.lenient = true;
        // Whoever reads the list elsewhere cannot ask for the rest of it.
        self.reading.list_all = self.format.audience() != Audience::Terminal;
        let mut all = Vec::new();
        let mut unreadable = false;
        for input in &self.inputs {
            let read = match self.read_beside(input, gold.as_ref()) {
                Ok(read) => read,
                // The other inputs are checked all the same.
                Err(Failure::Input(problem)) => {
                    show::problem(&problem, Level::Error);
                    unreadable = true;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            let gold = gold.as_ref().map(|gold| &gold.outcome.corpus);
            let subject = Subject { corpus: read.corpus(), gold, base: base.as_ref() };
            let report = CheckReport::with_rules(&subject, &checks, &rules);
            let checked = Checked { input, read, report };
            unreadable |= !checked.read.left().skipped_counts().is_empty();
            all.push(checked);
        }
        base.as_ref().map_or(Ok(()), KnowledgeBase::check)?;
        self.print(&all)?;
        if self.fix {
            let gold = gold.as_ref().map(|gold| &gold.outcome.corpus);
            for checked in &all {
                let subject = Subject { corpus: checked.read.corpus(), gold, base: base.as_ref() };
                let mend = || karat::checks::mend(&subject, &checks, &rules);
                self.write_fixed(checked, mend)?;
            }
        }
        match all.iter().filter_map(Checked::worst).max() {
            _ if unreadable => Err(Failure::BadInput),
            Some(Severity::Error | Severity::Warning) => Err(Failure::Gate),
            Some(Severity::Note) | None => Ok(()),
        }
    }

    /// Reads an input and, if there is a gold standard, makes sure that both count alike.
    fn read_beside(&self, input: &str, gold: Option<&ReadInput>) -> Result<Read, Failure> {
        let read = self.reading.read_input(input)?;
        if let Some(gold) = gold {
            // What is checked, and mended, is the file as it is.
            show::notices(&check_offsets(gold, &read)?, self.reading.quiet);
        }
        let relabelled = self.relabelled(input)?;
        Ok(Read { outcome: read.outcome, relabelled })
    }

    /// The input with the words of the text for all mentions, if these are to be taken.
    fn relabelled(&self, input: &str) -> Result<Option<Outcome>, Failure> {
        if !self.fix_surface {
            return Ok(None);
        }
        if input == "-" {
            let message = "standard input cannot be read twice, as --fix-surface does";
            return Err(Failure::usage(message, "name a file"));
        }
        let (work, _) = self.reading.work();
        let reading = ReadingRequest { offsets_decide: true, ..self.reading.request() };
        Ok(Some(reading.read_alone(&InputRequest::parse(input), &work)?.outcome))
    }

    fn rules(&self) -> Result<Vec<Rule>, Failure> {
        let hint = "a rule looks like `{tag@A,mnt@text}[tags to add](tags to remove)`";
        let parse =
            |rule: &String| Rule::parse(rule).map_err(|bad| Failure::usage(bad.message, hint));
        let mut rules: Vec<Rule> = self.rule.iter().map(parse).collect::<Result<_, _>>()?;
        if let Some(path) = &self.rules {
            let (text, _) = plain_text(path)?;
            let bad = |bad: karat::checks::BadRule| {
                Failure::usage(format!("`{path}`: {}", bad.message), hint)
            };
            rules.extend(Rule::parse_all(&text).map_err(bad)?);
        }
        Ok(rules)
    }

    fn checks(&self, rules: &[Rule]) -> Result<Vec<&'static dyn karat::checks::Check>, Failure> {
        let is_rule = |name: &str| rules.iter().any(|rule| is_called(rule, name));
        if rules.is_empty() && self.check.iter().any(|name| name == Rule::CHECK) {
            let message = "there are no rules to check";
            return Err(Failure::usage(message, "give some with --rule or --rules"));
        }
        let unknown = |name: &&String| {
            !CHECKS.iter().any(|check| check.info().name == *name) && !is_rule(name)
        };
        if let Some(name) = self.check.iter().find(unknown) {
            let message = format!("no check is called `{name}`");
            return Err(Failure::usage(message, "`karat validate --list` lists the checks"));
        }
        if self.kb.is_none() && self.check.iter().any(|name| name == "link-target") {
            return Err(Failure::usage(
                "links cannot be looked up without a knowledge base",
                "name one with --kb; `karat kb build` makes it",
            ));
        }
        let wanted = |name: &str| self.check.is_empty() || self.check.iter().any(|c| c == name);
        Ok(CHECKS.iter().copied().filter(|check| wanted(check.info().name)).collect())
    }

    /// Leaves out the rules that were not asked for, if only some checks were.
    fn keep_asked(&self, rules: &mut Vec<Rule>) {
        if self.check.is_empty() || rules.is_empty() {
            return;
        }
        rules.retain(|rule| self.check.iter().any(|name| is_called(rule, name)));
        if rules.is_empty() {
            self.reading.note("no rules are checked, as --check names none; `rule` are all rules");
        }
    }

    fn list_checks(&self) -> Result<(), Failure> {
        let mut table = Table::new([
            Column::text("check"),
            Column::text("severity"),
            Column::text("what it looks for"),
            Column::text("fix"),
        ]);
        for check in CHECKS {
            let info = check.info();
            table.row([
                Cell::from(info.name),
                Cell::from(info.severity.name()),
                Cell::from(info.about),
                Cell::from(info.fix),
            ]);
        }
        printing::print(&Report::of(table), self.format, terminal_width().or(Some(100)))
    }

    fn print(&self, all: &[Checked<'_>]) -> Result<(), Failure> {
        let lines: String = all.iter().map(|checked| self.lines(checked)).collect();
        let table = || Deferred::by(|| findings_table(all));
        let report = Report {
            sections: vec![ReportSection::lines(lines)],
            page: vec![ReportSection::new("", table())],
            rows: Some(table()),
            ..Report::default()
        };
        printing::print(&report, self.format, terminal_width())
    }

    /// An input for a terminal: what is in it, the first findings, and how many there are.
    fn lines(&self, checked: &Checked<'_>) -> String {
        let Checked { input, read, report } = checked;
        let counts = read.corpus().statistics();
        let mut text = format!(
            "{BOLD}{}{PLAIN} ({}): {}, {}: {} linked, {} NIL, {} without answer\n",
            show::visible(input),
            read.outcome.formats.join(", "),
            counted(counts.documents, "document"),
            counted(counts.annotations, "annotation"),
            counts.linked,
            counts.nil,
            counts.unlinked
        );
        let shown = self.shown(report);
        text.extend(shown.iter().map(|finding| lines(finding)));
        let hidden = report.findings().len() - shown.len();
        if hidden > 0 {
            text += &format!("  and {hidden} more; --verbose lists all\n");
        }
        text + &format!("  {}\n", checked.summary())
    }

    /// The findings to print: the first few of each check, or all.
    fn shown<'r>(&self, report: &'r CheckReport) -> Vec<&'r Finding> {
        const SHOWN: usize = 10;
        let mut counts = BTreeMap::new();
        let few = |finding: &&Finding| {
            let count: &mut usize = counts.entry(finding.check).or_default();
            *count += 1;
            self.reading.verbose || *count <= SHOWN
        };
        report.findings().iter().filter(few).collect()
    }
}

/// A finding in two lines: what and where, and the text around it.
fn lines(finding: &Finding) -> String {
    let colour = match finding.severity {
        Severity::Error => "\x1b[1m\x1b[91m",
        Severity::Warning => "\x1b[1m\x1b[93m",
        Severity::Note => "\x1b[1m\x1b[92m",
    };
    let place = match finding.span {
        Some(span) => format!("{} {span}", show::visible(&finding.document)),
        None => show::visible(&finding.document),
    };
    let fix = if finding.fixes.is_empty() { "" } else { " (can be fixed)" };
    let mut lines = format!(
        "  {colour}{}{PLAIN} [{}] {place}: {}{fix}\n",
        finding.severity.name(),
        finding.check,
        show::visible(&finding.message)
    );
    if let Some([before, mention, after]) = &finding.context {
        let clean = |text: &str| show::visible(&text.replace(['\n', '\r', '\t'], " "));
        let (before, mention, after) = (clean(before), clean(mention), clean(after));
        lines += &format!("      {before}⟦{BOLD}{mention}{PLAIN}⟧{after}\n");
    }
    lines
}

/// Whether a name is that of a rule, or that of all rules.
fn is_called(rule: &Rule, name: &str) -> bool {
    name == Rule::CHECK || rule.name() == Some(name)
}

/// An input as it was read.
struct Read {
    outcome: Outcome,
    /// The same with the words of the text for all mentions.
    relabelled: Option<Outcome>,
}

impl Read {
    fn whole(&self) -> &Outcome {
        self.relabelled.as_ref().unwrap_or(&self.outcome)
    }

    /// What is checked and mended.
    fn corpus(&self) -> &Corpus {
        &self.whole().corpus
    }

    /// What is still wrong with records of it.
    fn left(&self) -> &Findings {
        &self.whole().findings
    }

    /// How many mentions got the words of the text.
    fn renamed(&self) -> usize {
        let skipped = |findings: &Findings| findings.skipped_counts().values().sum::<usize>();
        skipped(&self.outcome.findings).saturating_sub(skipped(self.left()))
    }

    /// Whether what was repaired can be written as it was read.
    fn is_writable(&self) -> bool {
        let registry = karat::registry();
        let mut formats = self.outcome.formats.iter();
        formats.all(|name| registry.find(name).is_some_and(|format| format.info().writes.is_some()))
    }
}

/// An input and what is wrong with it.
struct Checked<'i> {
    input: &'i str,
    read: Read,
    report: CheckReport,
}

impl Checked<'_> {
    fn worst(&self) -> Option<Severity> {
        let repaired =
            (!self.read.left().repaired_counts().is_empty()).then_some(Severity::Warning);
        let renamed = (self.read.renamed() > 0).then_some(Severity::Error);
        self.report.worst().max(repaired).max(renamed)
    }

    /// How many findings --fix mends.
    fn fixable(&self) -> usize {
        let repaired: usize = self.read.left().repaired_counts().values().sum();
        let repaired = if self.read.is_writable() { repaired } else { 0 };
        self.report.fixable() + repaired + self.read.renamed()
    }

    /// How many findings there are of each kind.
    fn counts(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = self.report.counts();
        let repaired =
            self.read.left().repaired_counts().iter().map(|(kind, &count)| (*kind, count));
        for (kind, count) in repaired.chain([(Kind::Surface, self.read.renamed())]) {
            if count > 0 {
                *counts.entry(kind.name()).or_default() += count;
            }
        }
        counts
    }

    fn summary(&self) -> String {
        let skipped: usize = self.read.left().skipped_counts().values().sum();
        let counts = self.counts();
        let total: usize = counts.values().sum();
        if total + skipped == 0 {
            return "nothing to complain about".to_owned();
        }
        let counts: Vec<String> =
            counts.iter().map(|(check, count)| format!("{count} {check}")).collect();
        let unreadable = match skipped {
            0 => String::new(),
            count => format!("{} could not be read; ", counted(count, "record")),
        };
        let counts =
            if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
        let fix = match self.fixable() {
            0 => String::new(),
            count => format!("; --fix mends {count}"),
        };
        format!("{unreadable}{}{counts}{fix}", counted(total, "finding"))
    }
}

fn findings_table(all: &[Checked<'_>]) -> Table {
    let mut table = Table::new([
        Column::text("input"),
        Column::text("severity"),
        Column::text("check"),
        Column::text("document"),
        Column::count("start"),
        Column::count("end"),
        Column::text("mention"),
        Column::text("message"),
        Column::text("fixable"),
    ]);
    for Checked { input, read, report } in all {
        let left: HashSet<String> = read.left().skipped().iter().map(Problem::to_string).collect();
        for problem in read.outcome.findings.skipped() {
            let is_mended = !left.contains(&problem.to_string());
            table.row(of_record(problem, Severity::Error, is_mended));
        }
        for problem in read.left().repaired() {
            table.row(of_record(problem, Severity::Warning, read.is_writable()));
        }
        for finding in report.findings() {
            let mention = finding.context.as_ref().map(|[_, mention, _]| mention.as_str());
            table.row([
                Cell::from(*input),
                Cell::from(finding.severity.name()),
                Cell::from(finding.check),
                Cell::from(finding.document.as_str()),
                Cell::from(finding.span.map(|span| span.start as usize)),
                Cell::from(finding.span.map(|span| span.end as usize)),
                Cell::from(mention),
                Cell::from(finding.message.as_str()),
                Cell::from(!finding.fixes.is_empty()),
            ]);
        }
    }
    table
}

/// The row of a record that could not be read, or was repaired.
fn of_record(problem: &Problem, severity: Severity, is_fixable: bool) -> [Cell; 9] {
    let about = problem.about.as_deref();
    let document = about.and_then(|about| about.document.as_deref());
    let span = about.and_then(|about| about.span);
    [
        Cell::from(problem.source_name.as_str()),
        Cell::from(severity.name()),
        Cell::from(problem.kind.name()),
        Cell::from(document),
        Cell::from(span.map(|span| span.start as usize)),
        Cell::from(span.map(|span| span.end as usize)),
        Cell::Missing,
        Cell::from(problem.to_string()),
        Cell::from(is_fixable),
    ]
}

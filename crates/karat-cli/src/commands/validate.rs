//! `karat validate`

mod fix;

use crate::arguments::{FormArgument, ReadArguments, terminal_width};
use crate::failure::Failure;
use crate::scoring::text;
use crate::show::{self, BOLD, Level, PLAIN, counted};
use crate::units::{Counting, Side, settled};
use clap::Args;
use karat::checks::{CHECKS, Finding, Report, Rule, Severity, Subject};
use karat::formats::Outcome;
use karat::kb::KnowledgeBase;
use karat::report::{Cell, Column, Table};
use std::io::Write;
use std::path::PathBuf;

/// Check files, list what is wrong, and mend what can be mended
///
/// First every record is read against its format: shape, offsets, surface forms. Then the corpus
/// is checked: mentions with white space at their edges or inside a word, duplicate and crossing
/// mentions, damaged links, category tags that contradict their scheme or the spans, with
/// --gold, documents that are missing, unknown or differ in their text, and, with --kb, links to what
/// is not there, to redirects and to lists of meanings.
///
/// Exit code 0: nothing but notes; 1: warnings or errors of the checks; 2: records that could not
/// be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  karat validate gold.ttl
  karat validate runs/*.tsv --gold gold.tsv
  karat validate gold.ttl --fix --output gold.fixed.ttl
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
    /// Only these checks, joined by commas
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    check: Vec<String>,
    /// List the checks there are
    #[arg(long)]
    list: bool,
    /// Form of the output
    #[arg(long, value_enum, default_value = "table")]
    format: FormArgument,
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
        let rules = self.rules()?;
        let checks = self.checks()?;
        let gold = match &self.gold {
            Some(gold) => Some(self.reading.read(gold)?),
            None => None,
        };
        let base = self.kb.as_deref().map(KnowledgeBase::open).transpose()?;
        // A validation lists everything that is wrong, not only the first.
        self.reading.lenient = true;
        self.reading.level = Level::Error;
        // A program that reads the list cannot ask for the rest of it.
        self.reading.list_all = self.format != FormArgument::Table;
        let mut worst = None;
        let mut unreadable = false;
        let mut all = Vec::new();
        for input in &self.inputs {
            let outcome = match self.read_beside(input, gold.as_ref()) {
                Ok(outcome) => outcome,
                // The other inputs are checked all the same.
                Err(Failure::Input(problem)) => {
                    show::problem(&problem, Level::Error);
                    unreadable = true;
                    continue;
                }
                Err(failure) => return Err(failure),
            };
            unreadable |= !outcome.findings.skipped_counts().is_empty();
            let gold = gold.as_ref().map(|gold| &gold.corpus);
            let subject = Subject { corpus: &outcome.corpus, gold, base: base.as_ref() };
            let report = Report::with_rules(&subject, &checks, &rules);
            worst = worst.max(report.worst());
            all.push((input.as_str(), outcome, report));
        }
        base.as_ref().map_or(Ok(()), KnowledgeBase::check)?;
        self.print(&all)?;
        if self.fix {
            let gold = gold.as_ref().map(|gold| &gold.corpus);
            for (input, outcome, report) in &all {
                let subject = Subject { corpus: &outcome.corpus, gold, base: base.as_ref() };
                let mend = || karat::checks::mend(&subject, &checks, &rules);
                self.write_fixed(input, outcome, report, mend)?;
            }
        }
        match worst {
            _ if unreadable => Err(Failure::BadInput),
            Some(Severity::Error | Severity::Warning) => Err(Failure::Gate),
            Some(Severity::Note) | None => Ok(()),
        }
    }

    /// Reads an input and, if there is a gold standard, makes sure that both count alike.
    fn read_beside(&self, input: &str, gold: Option<&Outcome>) -> Result<Outcome, Failure> {
        let outcome = self.reading.read(input)?;
        if let (Some(gold), Some(name)) = (gold, self.gold.as_deref()) {
            let (of_gold, of_input) = (Counting::from(gold), Counting::from(&outcome));
            let gold = Side { name, corpus: &gold.corpus, counting: &of_gold };
            let side = Side { name: input, corpus: &outcome.corpus, counting: &of_input };
            // What is checked, and mended, is the file as it is.
            settled(&gold, &side, false)?;
        }
        Ok(outcome)
    }

    fn rules(&self) -> Result<Vec<Rule>, Failure> {
        let hint = "a rule looks like `{tag@A,mnt@text}[tags to add](tags to remove)`";
        let parse =
            |rule: &String| Rule::parse(rule).map_err(|bad| Failure::usage(bad.message, hint));
        let mut rules: Vec<Rule> = self.rule.iter().map(parse).collect::<Result<_, _>>()?;
        if let Some(path) = &self.rules {
            let (text, _) = text(path)?;
            let bad = |bad: karat::checks::BadRule| {
                Failure::usage(format!("`{path}`: {}", bad.message), hint)
            };
            rules.extend(Rule::parse_all(&text).map_err(bad)?);
        }
        Ok(rules)
    }

    fn checks(&self) -> Result<Vec<&'static dyn karat::checks::Check>, Failure> {
        let unknown = |name: &&String| !CHECKS.iter().any(|check| check.info().name == *name);
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
        let text = table.render(self.format.into(), terminal_width().or(Some(100)));
        Ok(write!(anstream::stdout(), "{text}")?)
    }

    fn print(&self, all: &[(&str, Outcome, Report)]) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        if self.format != FormArgument::Table {
            let table = findings_table(all);
            return Ok(write!(out, "{}", table.render(self.format.into(), None))?);
        }
        for (input, outcome, report) in all {
            let counts = outcome.corpus.statistics();
            writeln!(
                out,
                "{BOLD}{input}{PLAIN} ({}): {}, {}: {} linked, {} NIL, {} without answer",
                outcome.formats.join(", "),
                counted(counts.documents, "document"),
                counted(counts.annotations, "annotation"),
                counts.linked,
                counts.nil,
                counts.unlinked
            )?;
            for finding in self.shown(report) {
                write!(out, "{}", lines(finding))?;
            }
            let hidden = report.findings().len() - self.shown(report).len();
            if hidden > 0 {
                writeln!(out, "  and {hidden} more; --verbose lists all")?;
            }
            writeln!(out, "  {}", summary(outcome, report))?;
        }
        Ok(())
    }

    /// The findings to print: the first few of each check, or all.
    fn shown<'r>(&self, report: &'r Report) -> Vec<&'r Finding> {
        const SHOWN: usize = 10;
        let mut counts = std::collections::BTreeMap::new();
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

fn summary(outcome: &Outcome, report: &Report) -> String {
    let skipped: usize = outcome.findings.skipped_counts().values().sum();
    if report.findings().is_empty() && skipped == 0 {
        return "nothing to complain about".to_owned();
    }
    let counts: Vec<String> =
        report.counts().iter().map(|(check, count)| format!("{count} {check}")).collect();
    let unreadable = match skipped {
        0 => String::new(),
        count => format!("{} could not be read; ", counted(count, "record")),
    };
    let total = report.findings().len();
    let counts =
        if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
    let fix = match report.fixable() {
        0 => String::new(),
        count => format!("; --fix mends {count}"),
    };
    format!("{unreadable}{}{counts}{fix}", counted(total, "finding"))
}

fn findings_table(all: &[(&str, Outcome, Report)]) -> Table {
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
    for (input, outcome, report) in all {
        for problem in outcome.findings.skipped() {
            table.row([
                Cell::from(problem.source_name.as_str()),
                Cell::from("error"),
                Cell::from(problem.kind.name()),
                Cell::Missing,
                Cell::Missing,
                Cell::Missing,
                Cell::Missing,
                Cell::from(problem.to_string()),
                Cell::from(false),
            ]);
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

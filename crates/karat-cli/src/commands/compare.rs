//! `karat compare`

use crate::arguments::terminal_width;
use crate::commands::eval::is_score;
use crate::drawing::DrawingArguments;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::scoring::{self, Attendance, Compared, Contest, ConventionArguments, Names, names};
use crate::show;
use crate::written::{check_are_apart, check_plot, write_file};
use clap::Args;
use karat::comparison::{
    Across, Comparing, Comparison, Entrant, NotRanked, critical_difference, forest, json, remarks,
    rows, tables,
};
use karat::report::plot::Plot;
use karat::report::{Deferred, Report, ReportSection};
use karat::scoring::Scoring;
use karat::stats::{Bootstrap, Correction, Power};
use std::path::Path;

/// Say which systems are really better, and how sure that is
///
/// Each score comes with an interval and a rank, from drawing documents again, and with the letters of
/// the systems it is significantly better than: whole documents are exchanged between two systems at
/// random, and a difference counts as real if that rarely makes one as large. p-values are corrected for
/// the number of pairs. Under the table stands the smallest difference that this test set can show.
///
/// Systems that are given the same name are runs of one system, with other seeds say: it scores the mean
/// of its runs. That other runs would have scored otherwise makes its intervals wider, by Student's distribution,
/// and its p-values come from drawing documents again instead of exchanging them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Compare {
    #[command(flatten)]
    compared: Compared,
    /// What to compare by: measures, groups or single scores, as `link`, `hachey`, `link.f1@macro`; a
    /// measure stands for its F1
    #[arg(long = "measure", short, value_name = "NAME,...", value_parser = names, default_value = "link")]
    measures: Vec<Names>,
    /// Compare systems on each part of the corpus as well: by type, topic, language, tag, base-form or
    /// any other facet of `karat eval --group-by`, or several joined by +
    #[arg(long, value_name = "FACET", value_delimiter = ',')]
    group_by: Vec<String>,
    #[command(flatten)]
    convention: ConventionArguments,
    #[command(flatten)]
    drawing: DrawingArguments,
    /// When a corrected p-value counts as significant
    #[arg(
        long,
        value_name = "P",
        default_value_t = 0.05,
        help_heading = "Tests",
        allow_negative_numbers = true
    )]
    alpha: f64,
    /// How often a difference is to be found for the test set to be able to resolve it
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.8,
        help_heading = "Tests",
        allow_negative_numbers = true
    )]
    power: f64,
    /// How p-values are corrected for the number of pairs: holm, bh (Benjamini-Hochberg), bonferroni, none
    #[arg(long, value_name = "METHOD", default_value_t = Correction::Holm, help_heading = "Tests")]
    correction: Correction,
    /// Rows of pairs instead of systems, in the formats tsv, csv and jsonl
    #[arg(long)]
    pairs: bool,
    /// Draw the scores with their intervals as well, in a terminal or in HTML
    #[arg(long)]
    plot: bool,
    /// Write a forest plot of the scores to an SVG file
    #[arg(long, value_name = "FILE")]
    forest: Option<String>,
    /// Write a critical-difference diagram of average ranks to an SVG file: over benchmarks, or over the
    /// documents of a single one. With several scores, one file each
    #[arg(long, value_name = "FILE")]
    critical_difference: Option<String>,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
}

const EXAMPLES: &str = "Examples:
  karat compare gold.tsv a.tsv b.tsv c.tsv
      three systems by the F1 of their links
  karat compare -g gold.tsv -s mine=a.tsv -s theirs=b.tsv -m link,mention --format latex
      the table of a paper, with raised letters for what each system beats
  karat compare -g gold.tsv -s mine=seed1.tsv -s mine=seed2.tsv -s mine=seed3.tsv -s theirs=b.tsv
      a system with three runs
  karat compare gold.tsv a.tsv b.tsv --group-by type
      which is better on persons, which on places
  karat compare -g aida=aida.tsv -g msnbc=msnbc.tsv -s a=a.tsv -s b=b.tsv -s c=c.tsv --critical-difference ranks.svg
      ranks over several benchmarks, with Friedman's test and Nemenyi's critical difference";

/// Without --trials: enough for three stable digits of a p-value.
const TRIALS: usize = 10_000;

impl Compare {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let comparing = self.comparing()?;
        self.check_outputs()?;
        let contests = self.compared.read_runs()?;
        scoring::check_attributes(&comparing.scoring.selection, &contests)?;
        for contest in &contests {
            check(contest)?;
            self.drawing.check(&contest.gold)?;
        }
        let compare = |contest: &Contest| Comparison {
            unified: contest.is_unified(),
            ..comparing.compare(&contest.name, &contest.gold, &contest.systems)
        };
        let comparisons: Vec<Comparison> = contests.iter().map(compare).collect();
        comparing.scoring.identity.check()?;
        for comparison in &comparisons {
            check_scores(comparison)?;
            say_what_is_odd(comparison);
        }
        // Ranks over the documents of one benchmark are for the diagram only.
        let across = match comparisons.len() > 1 || self.critical_difference.is_some() {
            true => Across::of(&comparisons),
            false => Vec::new(),
        };
        if comparisons.len() > 1 {
            for reason in across.iter().filter_map(|ranks| ranks.as_ref().err()) {
                show::warning(&format!("no ranks over all benchmarks: {reason}"));
            }
        }
        self.write_plots(&comparisons, &across)?;
        self.print(&comparisons, &across)
    }

    /// Nothing that is read is written over, and no plot by another.
    fn check_outputs(&self) -> Result<(), Failure> {
        for path in self.forest.iter().chain(&self.critical_difference) {
            check_plot(path, self.compared.inputs())?;
        }
        check_are_apart(self.forest.iter().chain(&self.critical_difference))
    }

    fn comparing(&self) -> Result<Comparing, Failure> {
        let share = |value: f64, name: &str| match value > 0.0 && value < 1.0 {
            true => Ok(value),
            false => Err(Failure::usage(
                format!("`{value}` is no probability for --{name}"),
                "write a number between 0 and 1",
            )),
        };
        let power =
            Power { alpha: share(self.alpha, "alpha")?, power: share(self.power, "power")? };
        let convention = self.convention.convention()?;
        let names: Vec<&str> =
            self.measures.iter().flat_map(|names| &names.0).map(String::as_str).collect();
        let mut scoring = Scoring::new(convention, &names)?;
        let selection = &scoring.selection;
        if let Some(count) = selection.wanted.iter().find(|wanted| !is_score(selection, wanted)) {
            let name = &selection.measures[count.measure].name;
            return Err(Failure::usage(
                format!("`{name}.{}` is a count", count.score.as_deref().unwrap_or_default()),
                "systems are compared by scores, as link.f1 or link.precision",
            ));
        }
        scoring.identity = self.convention.identity(&scoring.convention)?;
        let facets_of =
            |name: &String| scoring::facets(name, &scoring.convention, &scoring.identity);
        scoring.facets = self.group_by.iter().map(facets_of).collect::<Result<_, _>>()?;
        scoring.threads = self.compared.reading.threads;
        scoring.provenance.extend(self.compared.provenance()?);
        scoring.resampling = self.drawing.resampling()?;
        let default = Bootstrap { trials: TRIALS, ..Bootstrap::default() };
        let Some(bootstrap) = self.drawing.bootstrap(Some(default))? else {
            return Err(Failure::usage(
                "nothing can be said about differences without trials",
                "leave out --trials, or ask for 1000 or more",
            ));
        };
        Ok(Comparing { bootstrap, correction: self.correction, power, ..Comparing::new(scoring) })
    }

    fn print(
        &self,
        comparisons: &[Comparison],
        across: &[Result<Across, NotRanked>],
    ) -> Result<(), Failure> {
        let paper = |one| {
            let table = Deferred::by(move || tables::paper(one));
            ReportSection::new(one.benchmark.as_str(), table)
        };
        let mut report = Report {
            sections: vec![
                ReportSection::new("Systems", Deferred::by(|| tables::standings(comparisons))),
                ReportSection::new("Pairs", Deferred::by(|| tables::pairs(comparisons))),
            ],
            page: comparisons.iter().map(paper).collect(),
            rows: Some(Deferred::by(|| match self.pairs {
                true => rows::pairs(comparisons),
                false => rows::standings(comparisons),
            })),
            record: Some(Deferred::by(|| json(comparisons))),
            signatures: comparisons.iter().map(|one| one.signature.to_string()).collect(),
            ..Report::default()
        };
        if comparisons.len() > 1 && across.iter().any(Result::is_ok) {
            for sections in [&mut report.sections, &mut report.page] {
                let ranks = Deferred::by(|| tables::across(across));
                sections.push(ReportSection::new("Ranks over all benchmarks", ranks));
            }
        }
        // Beside data, remarks are notes.
        if !(self.format.audience().is_data() && self.compared.reading.quiet) {
            for sentence in comparisons.iter().flat_map(remarks) {
                // What is true of all benchmarks is said once.
                if !report.remarks.contains(&sentence) {
                    report.remarks.push(sentence);
                }
            }
        }
        if self.plot {
            report.plots.push(Box::new(forest(comparisons)));
        }
        printing::print(&report, self.format, terminal_width())
    }

    fn write_plots(
        &self,
        comparisons: &[Comparison],
        across: &[Result<Across, NotRanked>],
    ) -> Result<(), Failure> {
        if let Some(path) = &self.forest {
            write_file(path, &forest(comparisons).svg())?;
        }
        let Some(path) = &self.critical_difference else { return Ok(()) };
        // Parts of the corpus may be many, and a diagram of each is nobody's wish.
        let is_whole = |ranks: &&Result<Across, NotRanked>| {
            ranks.as_ref().map_or(true, |ranks| ranks.part.is_none())
        };
        let scores = across.iter().filter(is_whole).count();
        for across in across.iter().filter(is_whole) {
            let ranks = across.as_ref().map_err(|reason| {
                Failure::usage(
                    format!("there is no critical-difference diagram: {reason}"),
                    "it needs two or more systems, each with a score everywhere",
                )
            })?;
            let path = match scores {
                0 | 1 => path.clone(),
                _ => with_name(path, &ranks.score),
            };
            write_file(&path, &critical_difference(ranks).svg())?;
        }
        Ok(())
    }
}

/// `ranks.svg` as `ranks-link.f1.svg`.
fn with_name(path: &str, score: &str) -> String {
    let given = Path::new(path);
    let part =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let stem = part(given.file_stem()).unwrap_or_default();
    let extension = part(given.extension()).unwrap_or_else(|| "svg".to_owned());
    let score = score.replace(|c: char| !c.is_alphanumeric() && c != '.', "-");
    let name = format!("{stem}-{score}.{extension}");
    given.with_file_name(name).to_string_lossy().into_owned()
}

/// One system is no comparison.
fn check(contest: &Contest) -> Result<(), Failure> {
    let first = contest.systems.first().map(|system| &system.name);
    if contest.systems.iter().all(|system| Some(&system.name) == first) {
        return Err(Failure::usage(
            format!("there is only one system on `{}`", contest.name),
            "give a second with -s NAME=INPUT; `karat eval` scores one system, with an interval",
        ));
    }
    Ok(())
}

/// A table without a score is none, nor is one of documents that nobody has.
fn check_scores(comparison: &Comparison) -> Result<(), Failure> {
    let says_nothing = |system: &Entrant| system.silent_documents >= comparison.documents;
    if comparison.systems.iter().all(says_nothing) {
        return Err(Failure::usage(
            format!("no system says anything about a document of `{}`", comparison.benchmark),
            "are these the right files? Documents are lined up by name",
        ));
    }
    if comparison.scores.is_empty() {
        return Err(Failure::usage(
            format!(
                "{} cannot be compared: drawing documents again says nothing about it",
                comparison.left_out.join(", ")
            ),
            "ask for measures that add up over documents, as link, mention or tag",
        ));
    }
    Ok(())
}

fn say_what_is_odd(comparison: &Comparison) {
    comparison.notes_on_parts.iter().for_each(|note| show::note(note));
    for system in &comparison.systems {
        scoring::say_what_is_missing(&Attendance {
            system: &system.name,
            benchmark: &comparison.benchmark,
            documents: comparison.documents,
            silent: system.silent_documents,
            counts: true,
            unknown: &system.unknown_documents,
        });
    }
    // A part of which a system has nothing is a dash in the table.
    for score in comparison.scores.iter().filter(|score| score.part.is_none()) {
        for (system, standing) in comparison.systems.iter().zip(&score.systems) {
            if standing.score.is_none() {
                show::warning(&format!(
                    "`{}` has no {}: there is nothing to divide by",
                    system.name,
                    score.title()
                ));
            }
        }
    }
}

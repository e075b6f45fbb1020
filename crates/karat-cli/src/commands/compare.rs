//! `karat compare`

use crate::arguments::{ResultForm, terminal_width};
use crate::drawing::DrawingArguments;
use crate::failure::Failure;
use crate::scoring::{self, Attendance, Compared, Contest, ConventionArguments, Names, names};
use crate::show;
use clap::Args;
use karat::comparison::{
    Across, Comparing, Comparison, critical_difference, forest, json, remarks, tables,
};
use karat::formats::{Layout, Output};
use karat::report::Table;
use karat::report::plot::Plot;
use karat::scoring::Scoring;
use karat::stats::{Bootstrap, Correction, Power};
use std::io::Write;
use std::path::Path;

/// Say which systems are really better, and how sure that is
///
/// Each score comes with an interval and a rank, from drawing documents again, and with the letters of
/// the systems it is significantly better than: whole documents are exchanged between two systems at
/// random, and a difference counts as real if that rarely makes one as large. p-values are corrected for
/// the number of pairs. Under the table stands the smallest difference that this test set can show.
///
/// Systems that are given the same name are runs of one system, with other seeds say: it scores the mean
/// of its runs, and runs and documents are drawn again.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Compare {
    #[command(flatten)]
    compared: Compared,
    /// What to compare by: measures, groups or single scores, as `link`, `hachey`, `link.f1@macro`; a
    /// measure stands for its F1
    #[arg(long = "measure", short, value_name = "NAME,...", value_parser = names, default_value = "link")]
    measures: Vec<Names>,
    #[command(flatten)]
    convention: ConventionArguments,
    #[command(flatten)]
    drawing: DrawingArguments,
    /// When a corrected p-value counts as significant
    #[arg(long, value_name = "P", default_value_t = 0.05, help_heading = "Tests")]
    alpha: f64,
    /// How often a difference is to be found for the test set to be able to resolve it
    #[arg(long, value_name = "SHARE", default_value_t = 0.8, help_heading = "Tests")]
    power: f64,
    /// How p-values are corrected for the number of pairs: holm, bh (Benjamini-Hochberg), bonferroni, none
    #[arg(long, value_name = "METHOD", default_value_t = Correction::Holm, help_heading = "Tests")]
    correction: Correction,
    /// Rows of pairs instead of systems, in the formats tsv and csv
    #[arg(long)]
    pairs: bool,
    /// Draw the scores with their intervals in the terminal as well
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
    #[arg(long, value_enum, default_value = "table")]
    format: ResultForm,
}

const EXAMPLES: &str = "Examples:
  karat compare gold.tsv a.tsv b.tsv c.tsv
      three systems by the F1 of their links
  karat compare -g gold.tsv -s mine=a.tsv -s theirs=b.tsv -m link,mention --format latex
      the table of a paper, with raised letters for what each system beats
  karat compare -g gold.tsv -s mine=seed1.tsv -s mine=seed2.tsv -s mine=seed3.tsv -s theirs=b.tsv
      a system with three runs
  karat compare -g aida=aida.tsv -g msnbc=msnbc.tsv -s a=a.tsv -s b=b.tsv -s c=c.tsv --critical-difference ranks.svg
      ranks over several benchmarks, with Friedman's test and Nemenyi's critical difference";

/// Without --trials: enough for three stable digits of a p-value.
const TRIALS: usize = 10_000;

impl Compare {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.format.check_table()?;
        let comparing = self.comparing()?;
        let contests = self.compared.read_runs()?;
        for contest in &contests {
            check(contest)?;
            self.drawing.check(&contest.gold)?;
        }
        let compare =
            |contest: &Contest| comparing.compare(&contest.name, &contest.gold, &contest.systems);
        let comparisons: Vec<Comparison> = contests.iter().map(compare).collect();
        comparing.scoring.identity.check()?;
        for comparison in &comparisons {
            check_scores(comparison)?;
            say_what_is_odd(comparison);
        }
        let across = Across::of(&comparisons);
        self.write_plots(&comparisons, &across)?;
        self.print(&comparisons, &across)
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
        scoring.identity = self.convention.identity(&scoring.convention)?;
        scoring.threads = self.compared.reading.threads;
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
        across: &[Result<Across, karat::comparison::NotRanked>],
    ) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        if self.format == ResultForm::Json {
            return Ok(writeln!(out, "{:#}", json(comparisons))?);
        }
        let signatures: Vec<String> =
            comparisons.iter().map(|comparison| comparison.signature.to_string()).collect();
        let standings = tables::standings(comparisons);
        let pairs = tables::pairs(comparisons);
        let ranks = tables::across(across);
        let papers: Vec<Table> = comparisons.iter().map(tables::paper).collect();
        let mut shown: Vec<(&str, &Table)> = match self.format {
            ResultForm::Tsv | ResultForm::Csv | ResultForm::Jsonl if self.pairs => {
                vec![("", &pairs)]
            }
            ResultForm::Tsv | ResultForm::Csv | ResultForm::Jsonl => vec![("", &standings)],
            ResultForm::Table => vec![("Systems", &standings), ("Pairs", &pairs)],
            _ => comparisons.iter().map(|one| one.benchmark.as_str()).zip(&papers).collect(),
        };
        if comparisons.len() > 1 && !matches!(self.format, ResultForm::Tsv | ResultForm::Csv) {
            shown.push(("Ranks over all benchmarks", &ranks));
        }
        scoring::print_tables(self.format, &shown, terminal_width())?;
        let sentences: Vec<String> = comparisons.iter().flat_map(remarks).collect();
        scoring::print_remarks(self.format, &sentences, terminal_width())?;
        if self.plot && self.format == ResultForm::Table {
            let width = terminal_width().unwrap_or(80);
            writeln!(out, "\n{}", forest(comparisons).text(width))?;
        }
        scoring::print_signatures(self.format, &signatures)
    }

    fn write_plots(
        &self,
        comparisons: &[Comparison],
        across: &[Result<Across, karat::comparison::NotRanked>],
    ) -> Result<(), Failure> {
        if let Some(path) = &self.forest {
            write_file(path, &forest(comparisons).svg())?;
        }
        let Some(path) = &self.critical_difference else { return Ok(()) };
        for across in across {
            let ranks = across.as_ref().map_err(|reason| {
                Failure::usage(
                    format!("there is no critical-difference diagram: {reason}"),
                    "it needs two or more systems, each with a score everywhere",
                )
            })?;
            let path = match comparisons.first().map_or(0, |first| first.scores.len()) {
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
    let (stem, extension) = match Path::new(path).extension().and_then(|end| end.to_str()) {
        Some(extension) => (&path[..path.len() - extension.len() - 1], extension),
        None => (path, "svg"),
    };
    let score = score.replace(|c: char| !c.is_alphanumeric() && c != '.', "-");
    format!("{stem}-{score}.{extension}")
}

fn write_file(path: &str, text: &str) -> Result<(), Failure> {
    let failed = |error: karat::formats::WriteError| {
        Failure::usage(
            format!("`{path}` cannot be written: {error}"),
            "name a file in a folder that exists",
        )
    };
    let mut output = Output::create(path, Layout::File).map_err(failed)?;
    output.single(|file| Ok(file.write_all(text.as_bytes())?)).map_err(failed)?;
    output.commit().map_err(failed)
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

/// A table without a score is none.
fn check_scores(comparison: &Comparison) -> Result<(), Failure> {
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
    for system in &comparison.systems {
        scoring::say_what_is_missing(&Attendance {
            system: &system.name,
            benchmark: &comparison.benchmark,
            documents: comparison.documents,
            silent: system.silent_documents,
            unknown: &system.unknown_documents,
        });
    }
    for score in &comparison.scores {
        for (system, standing) in comparison.systems.iter().zip(&score.systems) {
            if standing.score.is_none() {
                show::warning(&format!(
                    "`{}` has no {}: there is nothing to divide by",
                    system.name, score.name
                ));
            }
        }
    }
}

//! `karat curves`

use crate::arguments::{ResultForm, terminal_width};
use crate::failure::Failure;
use crate::printing;
use crate::scoring::{Compared, ConventionArguments};
use crate::show::{self, counted};
use crate::written::write_file;
use clap::Args;
use karat::convention::facets;
use karat::curves::Curves;
use karat::inputs::Experiment;
use karat::matching::Spans;
use karat::matching::Unknowns;
use karat::measures::{Convention, RANKINGS};
use karat::report::plot::Plot;
use karat::scoring::Scoring;
use std::io::Write;
use std::path::PathBuf;

/// Add the categories of a gold standard one by one, the best of each system first
///
/// Each category of gold annotations is scored alone; the categories are ranked by that score, for each
/// system and for precision, recall and F1 apart. A point of a curve is the score on all categories up to
/// its rank: how a system does on what it is best at, and how soon it gets worse. Predictions on spans that
/// no gold annotation of these categories has are left out, so that precision is above that of `karat eval`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CurvesCommand {
    #[command(flatten)]
    compared: Compared,
    #[command(flatten)]
    convention: ConventionArguments,
    /// What the categories are: a facet as in `karat eval --group-by`, or several joined by +
    #[arg(long, value_name = "FACET", default_value = "combination")]
    group_by: String,
    /// Draw the plots in the terminal as well
    #[arg(long)]
    plot: bool,
    /// Write the plots to precision.svg, recall.svg and f1.svg in this folder
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Form of the result
    #[arg(long, value_enum, default_value = "table")]
    format: ResultForm,
}

const EXAMPLES: &str = "Examples:
  karat curves --preset rosales-2019 -g gold/ -s tagme=tagme.ttl -s aida=aida.ttl -o figures
      Figure 4 of Rosales-Méndez et al. (2019): combinations of four category tags
  karat curves -g gold.tsv -s mine=system.tsv --group-by type --format tsv
      entity types, as data for a plot";

/// Why a curve does not end at a score of `karat eval`.
const LEFT_OUT: &str =
    "Predictions on other spans than those of the gold annotations are left out.";

impl CurvesCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        self.format.check_table()?;
        let mut scoring = Scoring::new(self.by_span()?, &["all"])?;
        scoring.identity = self.convention.identity(&scoring.convention)?;
        scoring.bootstrap = None;
        scoring.threads = self.compared.reading.threads;
        scoring.provenance.extend(self.compared.provenance()?);
        let facets =
            facets(&self.group_by, &scoring.convention, Unknowns::Ignored, &scoring.identity)?;
        let contests = self.compared.read()?;
        let curves = |contest: &Experiment| {
            Curves::of(
                &scoring,
                &contest.benchmark.name,
                &contest.benchmark.corpus,
                &contest.runs,
                &facets,
            )
        };
        let all: Vec<Curves> = contests.iter().map(curves).collect();
        scoring.identity.check()?;
        for curves in &all {
            self.check(curves)?;
        }
        self.write(&all)?;
        self.print(&all)
    }

    /// The convention. All that stands on one span is one mention, whatever else it says.
    fn by_span(&self) -> Result<Convention, Failure> {
        let convention = self.convention.convention()?;
        if !matches!(convention.settings.spans, Spans::Exact | Spans::Expanded) {
            return Err(Failure::usage(
                "curves take all that stands on one span for one mention",
                "they need exact spans: leave out --match, or say --match exact",
            ));
        }
        Ok(convention)
    }

    /// A gold standard without categories has no curves.
    fn check(&self, curves: &Curves) -> Result<(), Failure> {
        let categories = curves.systems.first().map_or(0, |(_, found)| found.categories.len());
        if categories == 0 {
            return Err(Failure::usage(
                format!(
                    "no annotation of `{}` has exactly one `{}`",
                    curves.benchmark, self.group_by
                ),
                "--group-by names the facet that makes the categories, as base-form, combination or type",
            ));
        }
        if curves.left_out() > 0 {
            show::note(&format!(
                "{} of `{}` in no category, or in several; left out",
                counted(curves.left_out(), "annotation"),
                curves.benchmark
            ));
        }
        Ok(())
    }

    fn write(&self, all: &[Curves]) -> Result<(), Failure> {
        let Some(folder) = &self.output else { return Ok(()) };
        for curves in all {
            let folder = match all.len() {
                1 => folder.clone(),
                _ => folder.join(&curves.benchmark),
            };
            let failed =
                |error: std::io::Error| Failure::output(&folder.to_string_lossy(), error.into());
            std::fs::create_dir_all(&folder).map_err(failed)?;
            for (score, plot) in RANKINGS.iter().zip(curves.plots()) {
                let path = folder.join(format!("{score}.svg"));
                write_file(&path.to_string_lossy(), &plot.svg())?;
            }
        }
        Ok(())
    }

    fn print(&self, all: &[Curves]) -> Result<(), Failure> {
        let mut out = anstream::stdout();
        if self.format == ResultForm::Json {
            return Ok(writeln!(out, "{:#}", karat::curves::json(all))?);
        }
        let table = |curves: &Curves| match self.format {
            ResultForm::Tsv | ResultForm::Csv | ResultForm::Jsonl => curves.data(),
            _ => curves.table(),
        };
        let tables: Vec<(&str, karat::report::Table)> =
            all.iter().map(|curves| (curves.benchmark.as_str(), table(curves))).collect();
        let shown: Vec<(&str, &karat::report::Table)> =
            tables.iter().map(|(name, table)| (*name, table)).collect();
        printing::print_tables(self.format, &shown, terminal_width())?;
        printing::print_remarks(self.format, &[LEFT_OUT.to_owned()], terminal_width())?;
        if self.plot && self.format == ResultForm::Table {
            for plot in all.iter().flat_map(Curves::plots) {
                writeln!(out, "\n{}", plot.text(terminal_width().unwrap_or(80)))?;
            }
        }
        let signatures: Vec<String> =
            all.iter().map(|curves| curves.signature.to_string()).collect();
        printing::print_signatures(self.format, &signatures)
    }
}

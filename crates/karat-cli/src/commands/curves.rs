//! `karat curves`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::scoring::{Compared, Contest, ConventionArguments, facets};
use crate::show::{self, counted};
use crate::written::write_file;
use clap::Args;
use karat::curves::{self, Curves};
use karat::matching::Spans;
use karat::measures::{Convention, RANKINGS};
use karat::report::plot::Plot;
use karat::report::{Deferred, Report, ReportSection};
use karat::scoring::Scoring;
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
    /// Draw the plots as well, in a terminal or in HTML
    #[arg(long)]
    plot: bool,
    /// Write the plots to precision.svg, recall.svg and f1.svg in this folder
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Form of the result
    #[arg(long, value_parser = forms(), default_value = "table")]
    format: Form,
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
        let mut scoring = Scoring::new(self.by_span()?, &["all"])?;
        scoring.identity = self.convention.identity(&scoring.convention)?;
        scoring.bootstrap = None;
        scoring.threads = self.compared.reading.threads;
        scoring.provenance.extend(self.compared.provenance()?);
        let facets = facets(&self.group_by, &scoring.convention, &scoring.identity)?;
        let contests = self.compared.read()?;
        let curves = |contest: &Contest| {
            Curves::of(&scoring, &contest.name, &contest.gold, &contest.systems, &facets)
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

    fn print<'c>(&self, all: &'c [Curves]) -> Result<(), Failure> {
        let section = |one: &'c Curves| {
            ReportSection::new(one.benchmark.as_str(), Deferred::by(move || one.table()))
        };
        let plots = all.iter().filter(|_| self.plot).flat_map(Curves::plots);
        let report = Report {
            sections: all.iter().map(section).collect(),
            rows: Some(Deferred::by(|| curves::rows(all))),
            record: Some(Deferred::by(|| curves::json(all))),
            plots: plots.map(|plot| Box::new(plot) as Box<dyn Plot>).collect(),
            remarks: vec![LEFT_OUT.to_owned()],
            signatures: all.iter().map(|one| one.signature.to_string()).collect(),
            ..Report::default()
        };
        printing::print(&report, self.format, terminal_width())
    }
}

//! `karat curves`

use crate::arguments::terminal_width;
use crate::failure::Failure;
use crate::forms::{Form, forms};
use crate::printing;
use crate::scoring::{Compared, ConventionArguments};
use clap::Args;
use karat::curves::{CurvesAnswer, CurvesRequest};
use karat::outputs::write_files;
use karat::report::plot::Plot;
use karat::request::Answer;
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

impl CurvesCommand {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let request = CurvesRequest {
            inputs: self.compared.request()?,
            convention: self.convention.request()?,
            group_by: self.group_by.clone(),
        };
        let answer = self.compared.reading.asked(&request)?;
        self.write(&answer)?;
        let mut report = answer.report();
        if self.plot {
            let plots = answer.benchmarks.iter().flat_map(karat::curves::CurvesRecord::plots);
            report.plots = plots.map(|(_, plot)| Box::new(plot) as Box<dyn Plot>).collect();
        }
        printing::print(&report, self.format, terminal_width())
    }

    fn write(&self, answer: &CurvesAnswer) -> Result<(), Failure> {
        let Some(folder) = &self.output else { return Ok(()) };
        for curves in &answer.benchmarks {
            let folder = match answer.benchmarks.len() {
                1 => folder.clone(),
                _ => folder.join(&curves.benchmark),
            };
            let plots = curves.plots().into_iter();
            write_files(&folder, plots.map(|(score, plot)| (format!("{score}.svg"), plot.svg())))?;
        }
        Ok(())
    }
}
